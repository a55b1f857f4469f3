// false
// expect: explore unknown(nondet-domain), oc false, cegar false, auto false
// No engine that enumerates can tell about all values of an int.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a * a == 1522756 && a > 0) reach_error();
  return 0;
}
