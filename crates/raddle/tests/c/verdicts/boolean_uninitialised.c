// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// Whatever an uninitialised _Bool is, it is 0 or 1.
#include <assert.h>
#include <stdlib.h>

struct flags {
    int n;
    _Bool set;
};

extern _Bool ask(void);

int main(void) {
    _Bool local;
    struct flags *flags = malloc(sizeof *flags);
    _Bool asked = ask();
    int sum = local + flags->set + asked;
    assert(sum >= 0 && sum <= 3);
    return 0;
}
