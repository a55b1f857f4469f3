// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// expect:
// A function that only assembly at file scope defines is not known.
#include <assert.h>

__asm__(".globl answer\nanswer:\n\tmovl $42, %eax\n\tret\n");

extern int answer(void);

int main(void) {
    assert(answer() != 7);
    return 0;
}
