// Large static arrays in loops.
#include <stdio.h>
static int a[300000];
static char sieve[200001];
int main(void) {
  for (int i = 0; i < 300000; i++) a[i] = i * 7 % 1000;
  long s = 0;
  for (int i = 0; i < 300000; i++) s += a[i];
  int c = 0;
  for (int i = 2; i <= 200000; i++) { if (!sieve[i]) { c++; for (long long j = (long long)i * i; j <= 200000; j += i) sieve[j] = 1; } }
  printf("%ld %d\n", s, c); return 0; }
