// false
// expect: explore false, oc unknown(unsupported), cegar unknown(unsupported), auto false
// An address may be given out again after its object was freed.
#include <stdint.h>
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
    int *first = malloc(8);
    uintptr_t before = (uintptr_t)first;
    free(first);
    int *second = malloc(8);
    if ((uintptr_t)second == before)
        reach_error();
}
