// false
// expect: explore false, oc false, cegar false, auto false
// One value of 256 violates.
extern signed char __VERIFIER_nondet_char(void);
extern void reach_error(void);
int main(void) {
  signed char a = __VERIFIER_nondet_char();
  if (a == -77) reach_error();
  return 0;
}
