// false
// expect: explore false, oc false, cegar false, auto false
// The address of a local is stored elsewhere, and used before the function returns.
extern void reach_error(void);
int *p;
static void adds_one(void) {
    *p += 1;
}
static int counts(int n) {
    int l = n;
    p = &l;
    adds_one();
    return l;
}
int main(void) {
    int g = 0;
    if (counts(3) != 4)
        return 1;
    p = &g;
    adds_one();
    if (g == 1)
        reach_error();
    return 0;
}
