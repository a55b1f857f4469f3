// false
// expect: explore false, oc false, cegar false, auto false
// An uninitialised variable may have any value.
extern void reach_error(void);
int main(void) {
  _Bool b;
  if (b) reach_error();
  return 0;
}
