// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// A variable is read before or after a call beside it changes it; this needs the call first on the left, in the middle on the right.
#include <assert.h>

int x = 1;

int set(int to) {
    x = to;
    return 0;
}

int main(void) {
    int late = x + set(10);
    int between = x * 100 + set(2) + x;
    assert(late != 10 || between != 1002);
    return 0;
}
