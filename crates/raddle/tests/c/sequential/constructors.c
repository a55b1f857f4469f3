#include <stdio.h>
#include <stdlib.h>
static int made;
__attribute__((constructor)) static void second(void) { printf("second %d\n", made++); }
__attribute__((constructor)) static void third(void) { printf("third %d\n", made++); }
__attribute__((constructor(200))) static void first(void) { printf("first %d\n", made++); }
__attribute__((destructor)) static void last(void) { printf("last %d\n", made++); }
__attribute__((destructor)) static void before_last(void) { printf("before last %d\n", made++); }
__attribute__((destructor(300))) static void very_last(void) { printf("very last %d\n", made++); }
static void handler(void) { printf("handler %d\n", made++); }
static void adds(void) { printf("adds %d\n", made++); atexit(handler); }
int main(int argc, char **argv) {
  atexit(handler);
  atexit(adds);
  printf("main %d %d %d\n", made++, argc, argv[argc] == 0);
  if (made > 3) exit(3);
  return 1;
}
