int shared = 1, hidden = 77;
int array[4] = {10, 20, 30, 40};
const char *const names[] = {"zero", "one"};
struct point { int x, y; } origin = {3, 4};
int (*hook)(int);
int bump(int by) { return shared += by; }
int run_hook(int x) { return hook ? hook(x) : -1; }
double average(void) { extern int array[4]; double s = 0; for (int i = 0; i < 4; i++) s += array[i]; return s / 4 + origin.y; }
