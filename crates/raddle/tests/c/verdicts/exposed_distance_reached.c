// false
// expect: explore false, oc false, cegar false, auto false
// An array is reached from one of two others through its distance, which was stored before.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static char to[4], one[4], other[4];
static long far;
int main(void) {
  char *from = one;
  if (__VERIFIER_nondet_int()) {
    far = to - from;
  } else {
    from = other;
    far = to - from;
  }
  to[1] = 1;
  from[far + 1] = 2;
  if (to[1] == 2) reach_error();
  return 0;
}
