// unknown
// expect: explore slow, oc unknown(unmodelled), cegar slow, auto slow
// expect:
// Nobody proves anything of strings that are too long for the model.
#include <assert.h>
int main(int argc, char **argv) {
  int n = 0;
  if (argc == 2)
    while (argv[1][n]) n++;
  assert(n < 9);
  return 0;
}
