// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// Labels with nothing between them have one address or two.
#include <assert.h>

int main(void) {
    void *first = &&one, *second = &&two;
    int rounds = 0;
    assert(first != second);
    goto *first;
one: {
    two:;
}
    rounds++;
    assert(rounds == 1);
    return 0;
}
