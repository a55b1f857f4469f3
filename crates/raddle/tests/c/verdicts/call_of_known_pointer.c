// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// Calls through pointers in memory that was written are no gaps.
#include <assert.h>
#include <stdlib.h>

typedef int handler(int);

static int twice(int n) { return 2 * n; }
static int thrice(int n) { return 3 * n; }

struct table {
    int size;
    handler *handlers[2];
};

int main(void) {
    struct table *table = malloc(sizeof *table);
    table->handlers[0] = twice;
    table->handlers[1] = thrice;
    assert(table->handlers[1](table->handlers[0](2)) == 12);
    return 0;
}
