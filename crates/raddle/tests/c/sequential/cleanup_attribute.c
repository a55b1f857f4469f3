// What runs when a variable's scope is left, in which order.
#include <stdio.h>

static void left(int *which) { printf("%d ", *which); }
static void forget(char **text) { printf("%s ", *text); }

#define CLEANED __attribute__((cleanup(left)))

static int leave(int how) {
    CLEANED int outer = 1;
    for (int i = 0; i < 3; i++) {
        CLEANED int inner = 10 + i;
        if (how == i)
            break;
        if (i == 1)
            continue;
        {
            CLEANED int block = 20, second = 21;
            if (how == 5)
                goto out;
            if (how == 6)
                return outer = 9;
        }
    }
out: {
    __attribute__((cleanup(forget))) char *text = "text";
}
    return 0;
}

int main(void) {
    int hows[] = {0, 1, 5, 6, 7};
    for (int i = 0; i < 5; i++) {
        int result = leave(hows[i]);
        printf("= %d\n", result);
    }
    int n = 0;
again: {
    CLEANED int round = n;
    if (n++ < 2)
        goto again;
}
    switch (n) {
    case 3: {
        CLEANED int in_switch = 7;
        break;
    }
    }
    int value = ({
        CLEANED int temporary = 30;
        temporary + 1;
    });
    printf("= %d\n", value);
    return 0;
}
