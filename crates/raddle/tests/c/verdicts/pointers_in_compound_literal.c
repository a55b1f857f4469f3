// false
// expect: explore false, oc false, cegar false, auto false
// A record initialised by a compound literal points to other objects.
extern void reach_error(void);
int a, b;
struct pair { int *p, *q; };
struct outer { int n; struct pair in; } x = { 1, (struct pair){ &a, &b } };
struct pair y = (struct pair){ &b, &a };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct pair *s = __VERIFIER_nondet_int() ? &x.in : &y;
  *s->p = 1;
  if (a + b == 1 && (a == 1 || b == 1)) reach_error();
  return 0;
}
