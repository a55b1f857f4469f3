// Instructions whose meaning is known.
#include <stdio.h>

static inline int exchange(volatile int *p, int v) {
    __asm__ __volatile__("xchgl %0,%1" : "=r"(v), "+m"(*p) : "0"(v) : "memory");
    return v;
}

static inline long fetch_add(volatile long *p, long v) {
    __asm__ __volatile__("lock; xaddq %0, %1" : "+r"(v), "+m"(*p) : : "memory", "cc");
    return v;
}

static inline int compare_exchange(volatile int *p, int old, int new) {
    int before;
    __asm__ __volatile__("lock; cmpxchgl %1,%2" : "=a"(before) : "r"(new), "m"(*p), "0"(old) : "memory");
    return before;
}

static inline int count_down(int *p) {
    unsigned char is_zero;
    __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*p), "=qm"(is_zero) : : "memory");
    return is_zero != 0;
}

int main(void) {
    int x = 5;
    long y = 100;
    int old = exchange(&x, 7);
    printf("%d %d\n", old, x);
    long before = fetch_add(&y, 20);
    printf("%ld %ld\n", before, y);
    __asm__ __volatile__("lock; incl %0" : "+m"(x));
    __asm__ __volatile__("lock\n\taddl %1,%0" : "+m"(x) : "ir"(4));
    __asm__("subl $2, %[place]" : [place] "+r"(x));
    printf("%d\n", x);
    old = compare_exchange(&x, 10, 20);
    printf("%d %d\n", old, x);
    old = compare_exchange(&x, 10, 30);
    printf("%d %d\n", old, x);
    x = 2;
    for (int i = 0; i < 3; i++) {
        int is_zero = count_down(&x);
        printf("%d %d\n", is_zero, x);
    }
    int copy;
    __asm__("" : "=r"(copy) : "0"(x));
    __asm__ __volatile__("" : "+r"(copy) : : "memory");
    __asm__ __volatile__("mfence" ::: "memory");
    __asm__ __volatile__("pause");
    __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    __asm__ __volatile__("rep; nop");
    return copy + 1;
}
