int add(int a, int b) { return a + b; }
double half(double x) { return x / 2; }
char *pick(int i) { static char *const t[] = {"no", "yes"}; return t[i]; }
unsigned char narrow(int x) { return x; }
void fill(int *p, int n) { while (n--) p[n] = n * n; }
