// A loop with an input: two counters move in opposite directions, and their sum stays.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned up = 0, down = n;
  while (down > 0) {
    up++;
    down--;
  }
  if (up != n)
    reach_error();
  return 0;
}
