static int value = 100;
static int helper(void) { return value + 1; }
typedef double number;
enum { SIZE = 5 };
struct s { char b[SIZE]; double d; };
static int table[SIZE] = {50};
static int next(void) { static int n = 1000; return ++n; }
int other(void) { struct s s = {{0}, 2.5}; number n = s.d; value++; return helper() + table[0] + (int)(n * 2) + sizeof table; }
int other_value(void) { return value; }
int other_next(void) { return next(); }
