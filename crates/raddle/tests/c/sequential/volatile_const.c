// const and volatile objects, const members, casts that remove qualifiers, register and auto.
#include <stdio.h>
static const int table[] = {1, 2, 3};
static volatile int device = 5;
struct reg { volatile unsigned status; const int id; };
static int poll(volatile struct reg *r) { r->status |= 4; return r->status; }
static int length(register const char *s) { register int n = 0; while (*s++) n++; return n; }
int main(void) {
  volatile int v = 1;
  v++;
  v += v;
  const volatile int cv = v;
  struct reg r = {1, 9};
  auto int a = 2;
  register int k = 3, *pk = &a;
  *pk += k;
  printf("%d %d %d %d\n", v, cv, poll(&r), r.id);
  int *writable = (int *)&device;
  *writable = 8;
  printf("%d %d %d\n", device, a, length("register"));
  const char *const names[] = {"x", "yy"};
  const char *const *p = names;
  char *volatile vp = (char *)p[1];
  printf("%s %c\n", vp, **p);
  int x = 4;
  const int *view = &x;
  x = 5;
  *(int *)view += 1;
  device;
  (void)device;
  return *view + table[1] + device * 0;
}
