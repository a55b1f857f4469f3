// Switch: ranges, fall-through, default in the middle, nesting, declarations inside, all integer types.
#include <stdio.h>
static const char *range(int x) {
  switch (x) {
  case 0 ... 9: return "digit";
  case -5 ... -1: return "negative";
  case 'a' ... 'z': case 'A' ... 'Z': return "letter";
  default: return "other";
  }
}
static int middle(int x) {
  int r = 0;
  switch (x) {
  case 1: r += 1;
  default: r += 10;
  case 2: r += 100; break;
  case 3: r += 1000;
  }
  return r;
}
static int nested(int a, int b) {
  switch (a) {
  case 0:
    switch (b) { case 0: return 1; case 1: break; default: return 2; }
    return 3;
  case 1: {
    int hidden = 5;
    if (b) {
    case 2: hidden = 6; return hidden + 10;
    }
    return hidden;
  }
  }
  return 4;
}
static int wide(unsigned long long x) { switch (x) { case 1ull << 40: return 1; case ~0ull: return 2; default: return 3; } }
static int narrow(signed char c) { switch (c) { case -1: return 1; case 127: return 2; case (char)200: return 3; } return 4; }
static int none(int x) { switch (x); switch (x) {} switch (x) x++; switch (x) default: x += 5; switch (x) case 6: x = 60; return x; }
static int skipped(int x) { switch (x) { int never; never = 1; x = 99; case 5: never = 7; return never + x; } return x; }
enum e { A, B = 10, C };
static int by_enum(enum e e) { switch (e) { case A: return 1; case B: case C: return 2; } return 3; }
int main(void) {
  int tests[] = {5, -3, 'q', 'Q', 200, 10};
  for (int i = 0; i < 6; i++) printf("%s ", range(tests[i]));
  printf("\n%d %d %d %d %d\n", middle(0), middle(1), middle(2), middle(3), middle(-1));
  printf("%d %d %d %d %d %d %d\n", nested(0, 0), nested(0, 1), nested(0, 5), nested(1, 0), nested(1, 1), nested(2, 0), nested(9, 9));
  printf("%d %d %d\n", wide(1ull << 40), wide(-1), wide(0));
  printf("%d %d %d %d\n", narrow(-1), narrow(127), narrow(200), narrow(0));
  printf("%d %d %d %d\n", none(1), none(2), skipped(5), skipped(4));
  printf("%d %d %d\n", by_enum(A), by_enum(C), by_enum(7));
  int n = 3, calls = 0;
  switch (calls++, n--) { case 3: n *= 10; }
  switch (n > 5) { case 1: calls += 10; break; case 0: calls += 100; }
  return n + calls;
}
