// GNU statement expressions: values, scopes, jumps inside, structs, use in conditions and initialisers.
#include <stdio.h>
struct s { int a, b[3]; };
#define max(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x > _y ? _x : _y; })
static int early(int x) {
  int y = ({ if (x > 5) return 100; x + 1; });
  return y;
}
int main(void) {
  int i = 3;
  int m = max(i++, 2);
  printf("%d %d\n", m, i);
  printf("%d\n", ({ int i = 10; i * 2; }) + i);
  struct s s = ({ struct s t = {1, {2, 3, 4}}; t.b[1]++; t; });
  printf("%d %d\n", s.a, s.b[1]);
  printf("%d\n", ({ struct s t = s; t.a = 9; t; }).a);
  int sum = 0;
  for (int k = 0; k < 10; k++) {
    sum += ({ if (k == 3) continue; if (k == 6) break; k; });
  }
  printf("%d %d %d\n", sum, early(1), early(6));
  int n = ({ int r = 0; for (int k = 0; k < 5; k++) r += k; r; });
  while (({ n -= 3; n > 0; })) printf("%d ", n);
  putchar('\n');
  ({ i = 50; });
  ({ ; });
  if (({ i++; i == 51; }) && ({ int z = 0; !z; })) printf("both\n");
  int a[3] = {({ 1; }), ({ i; }), ({ int q = i; q + 1; })};
  printf("%d %d %d\n", a[0], a[1], a[2]);
  char *text = ({ "te" "xt"; });
  int found = ({
    int r = -1;
    for (int k = 0; text[k]; k++)
      if (text[k] == 'x') { r = k; goto out; }
  out:
    r;
  });
  printf("%s %d\n", text, found);
  return ({ max(max(1, 7), ({ 3; })); });
}
