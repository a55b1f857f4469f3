// Casts to unions, sizes of what bit-fields are changed to, constants from compound literals.
#include <stdio.h>

union number {
    int i;
    float f;
    struct {
        char a, b;
    } s;
};

struct fields {
    int a : 3;
    unsigned b : 20;
    long c : 40;
    _Bool d : 1;
} fields;

static int constant = (int){42};

static int as_int(union number n) { return n.i; }

int main(void) {
    union number i = (union number)3, f = (union number)1.5f;
    printf("%d %g %d %d\n", i.i, f.f, as_int((union number)9), constant);
    printf("%zu %zu %zu\n", sizeof(fields.a += 1), sizeof(fields.b = 1), sizeof(fields.c += 1));
    printf("%zu %zu %zu %zu\n", sizeof(+fields.a), sizeof(fields.a++), sizeof(++fields.c), sizeof(fields.d = 1));
    return 0;
}
