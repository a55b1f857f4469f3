#!/usr/bin/env python3
"""Writes the program family of Figure 3.2: one thread adds an even number to z while it likes and then asserts that z is even, and 2N threads
increment or decrement y, on which the parity of z does not depend.

  family.py N > program.c
"""
import sys

n = int(sys.argv[1])
print("""#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x, y, z;

void *adder(void *arg) {
  while (__VERIFIER_nondet_int())
    z = z + 2 * y;
  if (z % 2 == 0)
    x = 0;
  else
    x = 1;
  assert(x == 0);
  return 0;
}
void *up(void *arg) { y = y + 1; return 0; }
void *down(void *arg) { y = y - 1; return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, adder, 0);""")
for i in range(n):
    print("  pthread_create(&t, 0, up, 0);\n  pthread_create(&t, 0, down, 0);")
print("  return 0;\n}")
