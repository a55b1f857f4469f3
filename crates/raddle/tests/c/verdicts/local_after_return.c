// true
// expect: explore true, oc unknown(unconfirmed), cegar unknown(unconfirmed), auto true
// A local is used after its function has returned: such a path ends there.
extern void reach_error(void);
int *p;
int g;
static int keeps_its_address(int n) {
    int l = n;
    p = &l;
    return l;
}
int main(void) {
    p = &g;
    keeps_its_address(3);
    if (*p == 3)
        reach_error();
    return 0;
}
