// Sequence points: &&, ||, ?:, comma and full expressions order their side effects; nothing skipped is evaluated.
#include <stdio.h>
static int trace;
static int t(int id, int value) { trace = trace * 10 + id; return value; }
static int *slot(int *a, int i) { trace = trace * 10 + i; return a + i; }
#define show(e) (trace = 0, printf("%d ", e), printf("[%d]\n", trace))
int main(void) {
  int i = 0, a[5] = {0}, x, y;
  show(t(1, 0) && t(2, 1));
  show(t(1, 1) && t(2, 7));
  show(t(1, 0) || t(2, 5));
  show(t(1, 3) || t(2, 5));
  show((t(1, 1) && t(2, 0)) || (t(3, 1) && t(4, 1)));
  show(!(t(1, 1) || t(2, 1)) || t(3, 0));
  show(t(1, 0) ? t(2, 20) : t(3, 30));
  show(t(1, 2) ?: t(2, 9));
  show(t(1, 0) ?: t(2, 9));
  show((t(1, 1), t(2, 2), t(3, 3)));
  show(t(1, 0) ? t(2, 1) : t(3, 0) ? t(4, 4) : t(5, 5));
  (x = i, i++, y = i, i++);
  printf("%d %d %d\n", x, y, i);
  i = 1;
  x = i++ && i == 2 && (i = 5) && i == 5;
  printf("%d %d\n", x, i);
  y = (i -= 5) || (i += 3, i > 2);
  printf("%d %d\n", y, i);
  x = i ? i-- : i++;
  printf("%d %d\n", x, i);
  x = 0 && i++;
  y = 1 || i++;
  printf("%d %d %d\n", x, y, i);
  trace = 0;
  if ((*slot(a, 1) = 4) && *slot(a, 2) == 0 && !(*slot(a, 3) = 0)) printf("%d %d\n", trace, a[1]);
  while (i-- > 0 && a[i] == 0) a[i] = i + 1;
  printf("%d %d %d\n", i, a[0], a[1]);
  for (x = 0, y = 10; x < y; x += 3, y--) ;
  printf("%d %d\n", x, y);
  a[0] = 1, a[1] = a[0] + 1, a[2] = a[1]++ ? a[1] : 0;
  return a[2] * 10 + (a[0] = 2, a[0]);
}
