// Ten thousand activations, plain and mutual, with locals in memory.
#include <stdio.h>
static long sum(int n) { return n ? n + sum(n - 1) : 0; }
static int depth(int n, int *p) { int here = *p + 1; return n ? depth(n - 1, &here) : here; }
static int pong(int n, long *count);
static int ping(int n, long *count) { ++*count; return n ? pong(n - 1, count) : 1; }
static int pong(int n, long *count) { ++*count; return n ? ping(n - 1, count) : 2; }
int main(void) {
  int zero = 0;
  long count = 0;
  printf("%ld %d\n", sum(10000), depth(10000, &zero));
  int last = ping(10001, &count);
  printf("%d %ld\n", last, count);
  return 0;
}
