// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// Arguments are evaluated in any order.
#include <assert.h>

int count;

int next(void) { return ++count; }

int difference(int a, int b) { return a - b; }

int main(void) {
    assert(difference(next(), next()) == -1);
    return 0;
}
