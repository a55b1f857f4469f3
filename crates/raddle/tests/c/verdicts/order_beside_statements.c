// false
// expect: explore false, oc false, cegar unknown(unconfirmed), auto false
// A statement expression comes before or after what is beside it: this needs it last on the left, first on the right.
#include <assert.h>
#include <stdlib.h>

int x = 1;

int pair(int a, int b) { return a * 10 + b; }

int main(void) {
    int y = 1, *freed = malloc(sizeof(int));
    *freed = 3;
    int last = pair(({ x = 2; x++; x; }), x);
    int first = pair(y, ({ y = 5; 0; }));
    int still = pair(({ free(freed); 0; }), *freed);
    assert(last != 31 || first != 50 || still != 3);
    return 0;
}
