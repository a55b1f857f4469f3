// Pragmas about symbols, functions in sections that run around main, and lengths in parameters.
#include <stdio.h>

#pragma weak missing
extern int missing(void);

static int rounds;

int real(int n) { return n + 1; }
#pragma weak other = real
extern int other(int);
#pragma redefine_extname renamed real
extern int renamed(int);

static void before(void) { rounds = 5; }
static void after(void) { puts("after"); }
__attribute__((section(".init_array"), used)) static void (*at_start)(void) = before;
__attribute__((section(".fini_array"), used)) static void (*at_end)(void) = after;

static int length(void) {
    rounds++;
    return 3;
}

static int first(int a[length()]) { return a[0]; }

int main(void) {
    int a[3] = {4};
    printf("%d %d %d\n", missing ? 1 : 0, other(3), renamed(4));
    int f = first(a);
    printf("%d %d\n", f, rounds);
    return 0;
}
