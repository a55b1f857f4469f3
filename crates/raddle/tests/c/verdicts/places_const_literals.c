// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// Constant compound literals may be one object with equal literals; this one ends as the other does.
#include <assert.h>

int differ(const char *text) { return (const char[]){"able"} + 2 != text; }

int main(void) {
    assert(differ("le"));
    return 0;
}
