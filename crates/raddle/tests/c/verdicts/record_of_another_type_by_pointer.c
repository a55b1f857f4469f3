// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// The same through a pointer, where only one of the functions takes what is passed.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct given {
    int a, b;
} pair = {1, 2};

struct taken {
    long a, b, c, d;
};

int sum(struct given record) { return record.a + record.b; }

int other(struct taken record) { return record.a != record.a + record.d; }

int main(void) {
    int (*function)(struct given) = __VERIFIER_nondet_int() ? sum : (int (*)(struct given))other;
    assert(function(pair) != 0);
    return 0;
}
