// sizeof, offsetof and alignof of types and expressions; operands are not evaluated.
#include <stdio.h>
#include <stddef.h>
struct s { char c; int i; char name[10]; struct { short a; double d; } in[2]; };
union u { char c[9]; int i; };
static int touched;
static int touch(void) { return touched = 1; }
int main(void) {
  struct s s, *p = &s;
  int a[7], i = 0;
  printf("%d %d %d %d\n", (int)sizeof(struct s), (int)sizeof s.in, (int)sizeof p->in[0].d, (int)sizeof *p);
  printf("%d %d %d\n", (int)sizeof a, (int)sizeof &a, (int)sizeof &a[0]);
  printf("%d %d\n", (int)sizeof(union u), (int)(sizeof a / sizeof a[0]));
  printf("%d %d %d\n", (int)sizeof(i++), (int)sizeof(touch()), (int)sizeof(a[i++] ? 1l : 2));
  printf("%d %d\n", i, touched);
  printf("%d %d %d\n", (int)sizeof "abc", (int)sizeof(char[3][5]), (int)sizeof(int (*)[4]));
  printf("%d %d %d\n", (int)sizeof(char), (int)sizeof(long), (int)sizeof(long double));
  printf("%d %d %d\n", (int)offsetof(struct s, name[3]), (int)offsetof(struct s, in[1].d), (int)__builtin_offsetof(struct s, i));
  printf("%d %d\n", (int)(size_t)&((struct s *)0)->in, (int)((char *)&s.in[1] - (char *)&s));
  printf("%d %d %d\n", (int)sizeof(void), (int)sizeof(main), (int)sizeof(struct { int x : 3; }));
  printf("%d %d\n", (int)sizeof +s.c, (int)sizeof(s.c));
  printf("%d %d\n", (int)sizeof (char)+1, (int)sizeof(int)-1);
  printf("%d\n", sizeof i > -1);
  printf("%d %d\n", (int)sizeof(__int128), (int)sizeof(_Bool));
  int n = 3;
  int v[n][2];
  printf("%d %d %d\n", (int)sizeof v, (int)sizeof v[0], (int)sizeof(int[n++]));
  return n;
}
