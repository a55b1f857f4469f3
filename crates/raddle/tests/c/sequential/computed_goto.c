// Labels as values: a table of addresses, a table of distances, comparisons.
#include <stdio.h>

static int run(const unsigned char *code) {
    static void *const table[] = {&&increment, &&twice, &&end};
    int value = 1;
    goto *table[*code++];
increment:
    value++;
    goto *table[*code++];
twice:
    value *= 2;
    goto *table[*code++];
end:
    return value;
}

static int choose(int which) {
    static const int distances[] = {&&a - &&a, &&b - &&a, &&c - &&a};
    goto *(&&a + distances[which]);
a:
    return 10;
b:
    return 20;
c:
    return 30;
}

int main(void) {
    unsigned char code[] = {0, 1, 1, 0, 2};
    printf("%d\n", run(code));
    for (int i = 0; i < 3; i++)
        printf("%d\n", choose(i));
    void *next = &&first;
    if (next == &&second)
        return 1;
    goto *next;
second:
    return 2;
first:
    return 7;
}
