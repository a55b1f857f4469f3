// Loops: while, do-while, for with missing parts, break and continue, also inside switches, nested, with declarations.
#include <stdio.h>
int main(void) {
  int i = 0, n = 0;
  while (1) { if (++i > 10) break; if (i % 2) continue; n += i; }
  printf("%d %d\n", i, n);
  do n--; while (n > 25);
  do { if (n == 3) break; n -= 2; if (n % 4) continue; n--; } while (n > 0);
  printf("%d\n", n);
  for (;;) { if (n++ > 5) break; }
  for (int i = 0, j = 10; i < j; i++, j--) n += j - i;
  printf("%d %d\n", n, i);
  int events = 0;
  for (int k = 0; k < 8; k++) {
    switch (k % 4) {
    case 0: continue;
    case 1: break;
    case 2: events += 10; break;
    default: if (k == 7) goto done; events += 100;
    }
    events++;
  }
done:
  printf("%d\n", events);
  do { printf("once\n"); if (events) break; printf("never\n"); } while (0);
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      if (b == a) continue;
      if (a == 2) break;
      printf("%d%d ", a, b);
    }
    if (a == 1) continue;
    printf("| ");
  }
  putchar('\n');
  int x = 5;
  while (x --> 0) if (x == 3) for (int x = 0; x < 2; x++) printf("[%d]", x); else printf("%d", x);
  putchar('\n');
  unsigned u = 3;
  for (; u < 4; u--) n++;
  char *p = "scan";
  for (; *p; p++);
  for (i = 0; p[-1 - i] != 's'; ++i) ;
  int once = 0;
  for (; !once; once = 1) do { while (0) once = 5; } while (0);
  while (i) { int fresh = i; { int i = fresh * 2; n += i; } i--; }
  printf("%d %u %d\n", n, u, once);
  return i;
}
