// false
// expect: explore false, oc false, cegar false, auto false
// All of the recursion can be computed in advance, down to where an engine that follows it to some depth cuts it off.
extern void reach_error(void);
int sum(int n, int m) { return n <= 0 ? m + n : sum(n - 1, m + 1); }
int main(void) {
  if (sum(20, 0) == 20) reach_error();
  return 0;
}
