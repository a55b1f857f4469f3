int cells[5] = {1, 2, 3, 4, 5};
extern int mine;
int *const back = &mine;
int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }
struct entry { const char *name; int (*run)(int); struct entry *next; } last = {"last", thrice, 0};
