// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// The definition takes another record than the call passes: nobody knows what arrives.
#include <assert.h>

struct given {
    int a, b;
} pair = {1, 2};

int sum();

int main(void) {
    int s = sum(pair);
    assert(s == 0 || s != 0);
    return 0;
}

struct taken {
    long a, b, c, d;
};

int sum(struct taken record) { return record.a + record.b; }
