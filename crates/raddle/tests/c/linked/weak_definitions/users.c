#include <stdio.h>
__attribute__((weak)) int level(void) { return 1; }
__attribute__((weak)) int only_here(void) { return 10; }
int strong_here(void) { return 100; }
__attribute__((weak)) int limit = 7;
int size = 8;
int from_other(void);
extern int other_limit asm("other_symbol");
int main(void) {
  printf("%d %d %d %d %d %d %d\n", level(), only_here(), strong_here(), limit, size, from_other(), other_limit);
  return 0;
}
