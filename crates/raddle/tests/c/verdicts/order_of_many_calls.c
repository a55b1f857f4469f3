// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// expect:
// Of the many orders of so many calls, two are tried: no proof.
#include <assert.h>

int count;

int digit(void) { return ++count; }

int number(int a, int b, int c, int d) { return a * 1000 + b * 100 + c * 10 + d; }

int main(void) {
    int n = number(digit(), digit(), digit(), digit());
    assert(n != 4444);
    return 0;
}
