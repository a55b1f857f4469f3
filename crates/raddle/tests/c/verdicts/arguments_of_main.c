// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// Arguments are any strings.
#include <assert.h>
int main(int argc, char **argv) {
  if (argc == 2)
    assert(argv[1][0] != 'x' || argv[1][1] != 0);
  return 0;
}
