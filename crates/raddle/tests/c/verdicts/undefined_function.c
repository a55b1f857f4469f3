// false
// expect: explore false, oc false, cegar false, auto false
// A function without a body may return anything.
extern _Bool outside(int);
extern void reach_error(void);
int main(void) {
  if (outside(1) != outside(1)) reach_error();
  return 0;
}
