// Recursion: linear, tree-shaped, mutual, through pointers, with local arrays whose addresses are passed down.
#include <stdio.h>
static int fact(int n) { return n ? n * fact(n - 1) : 1; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int even(unsigned n);
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static int ackermann(int m, int n) { return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static int moves;
static void hanoi(int n, char from, char to, char via) { if (n) { hanoi(n - 1, from, via, to); moves++; hanoi(n - 1, via, to, from); } }
static int chain(int depth, int *up) {
  int mine[3] = {depth, depth * 2, *up};
  *up += 1;
  if (depth) return chain(depth - 1, &mine[1]) + mine[1];
  return mine[2];
}
static void permute(char *s, int k) {
  if (!s[k]) { printf("%s ", s); return; }
  for (int i = k; s[i]; i++) {
    char t = s[k]; s[k] = s[i]; s[i] = t;
    permute(s, k + 1);
    t = s[k]; s[k] = s[i]; s[i] = t;
  }
}
static void binary(int n) { if (n > 1) binary(n / 2); putchar('0' + n % 2); }
static int by_pointer(int (*f)(int), int n) { return n > 3 ? f(n) : by_pointer(f, n + 1); }
struct frame { int n; struct frame *below; };
static int walk(int n, struct frame *below) {
  struct frame mine = {n, below};
  if (n) return walk(n - 1, &mine);
  int sum = 0;
  for (struct frame *f = &mine; f; f = f->below) sum = sum * 10 + f->n;
  return sum;
}
int main(void) {
  int top = 7;
  char text[] = "abc";
  printf("%d %d %d %d\n", fact(10), fib(12), even(10), odd(10));
  printf("%d %d\n", ackermann(2, 3), gcd(1071, 462));
  hanoi(5, 'a', 'b', 'c');
  printf("%d %d ", moves, chain(5, &top));
  printf("%d\n", top);
  permute(text, 0);
  binary(37);
  printf("\n%d %d\n", by_pointer(fact, 0), walk(6, 0));
  return fib(10);
}
