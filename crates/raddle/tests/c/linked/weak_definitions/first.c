int level(void) { return 2; }
int strong_here(void) __attribute__((weak));
int strong_here(void) { return 200; }
int limit = 70;
__attribute__((weak)) int size = 80;
static int hidden(void) { return 5; }
int from_other(void) __attribute__((weak, alias("hidden")));
int other_limit asm("other_symbol");
int other_symbol_user(void);
extern int same asm("other_symbol");
int other_limit = 3;
int other_symbol_user(void) { return same; }
