// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// The attribute stands on the declaration.
#include <assert.h>
static int made;
static void make(void) __attribute__((constructor));
static void make(void) { made = 1; }
int main(void) { assert(made == 0); }
