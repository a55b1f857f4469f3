// false
// expect: explore false, oc false, cegar false, auto false
// Which of two `va_arg`s is first, nobody knows: gcc takes the last argument first, and the first initialiser.
#include <assert.h>
#include <stdarg.h>

int pair(int a, int b) { return a * 10 + b; }

int both(int count, ...) {
    va_list list;
    va_start(list, count);
    int from_arguments = pair(va_arg(list, int), va_arg(list, int));
    int inits[2] = {va_arg(list, int), va_arg(list, int)};
    va_end(list);
    return from_arguments * 100 + pair(inits[0], inits[1]);
}

int main(void) {
    int n = both(4, 1, 2, 3, 4);
    assert(n == 1234 || n == 1243 || n == 2134);
    return 0;
}
