// true
// expect: explore true, oc true, cegar true, auto true
// Every value of a small type is tried; assume leaves out the rest.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  _Bool b = __VERIFIER_nondet_bool();
  __VERIFIER_assume(a > 3);
  if (b) __VERIFIER_assume(a < 10);
  if (a * 2 < 8 || (b && a >= 10) || (b != 0 && b != 1)) reach_error();
  return 0;
}
