// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
// A pointer that an undefined function returns leads to code that nobody knows: null ends the path, a function of the program's is itself, the rest is no proof.
#include <assert.h>

typedef int handler(int);

extern handler *lookup(int key);

static int twice(int n) { return 2 * n; }

int main(void) {
    handler *known = twice, *found = lookup(7);
    assert(known(3) == 6);
    if (found && found != twice)
        assert(found(3) != 5);
    return 0;
}
