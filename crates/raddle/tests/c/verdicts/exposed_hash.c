// true
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar slow, auto slow
// The hash of an address is an index.
#include <stdint.h>
extern void reach_error(void);
static int x, y;
static int *table[8];
static unsigned hash(int *p) {
  uintptr_t a = (uintptr_t)p;
  return (unsigned)((a >> 4 ^ a >> 16) * 40503u) % 8;
}
static void put(int *p) {
  unsigned h = hash(p);
  while (table[h]) h = (h + 1) % 8;
  table[h] = p;
}
static int *find(int *p) {
  unsigned h = hash(p);
  while (table[h] && table[h] != p) h = (h + 1) % 8;
  return table[h];
}
int main(void) {
  put(&x);
  put(&y);
  *find(&x) = 1;
  *find(&y) = 2;
  if (x != 1 || y != 2) reach_error();
  return 0;
}
