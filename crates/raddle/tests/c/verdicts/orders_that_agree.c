// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// Whatever the order, these hold: an operand of a compound assignment comes first, arguments come before the call, and what is sequenced stays so.
#include <assert.h>

struct node {
    struct node *next;
    int value;
} first, second;

int count, other, list[4];

int next(void) { return ++count; }

int touch(void) {
    other++;
    return 1;
}

struct node *link(struct node *to) {
    first.next = to;
    return &first;
}

int main(void) {
    count += next();
    assert(count == 2);
    count = 0;
    int sum = next() + next() * 1 + touch();
    assert(sum == 4 && other == 1);
    assert(next() < 4 && next() == 4);
    list[touch()] = next() + (count ? touch() : 2);
    assert(list[1] == 6);
    first.value = link(&second) == &first;
    assert(first.value && first.next == &second);
    int both[2] = {next(), next()};
    assert(both[0] + both[1] == 13 && both[0] != both[1]);
    return 0;
}
