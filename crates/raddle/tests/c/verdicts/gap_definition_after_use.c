// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// expect:
// What is called is defined later, and cannot be modelled.
#include <assert.h>
struct wave;
int level(struct wave *);
int main(void) { assert(level(0) == 1); }
struct wave { _Decimal64 value; };
int level(struct wave *w) { return 2; }
