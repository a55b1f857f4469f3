// What runs at exit is told the status.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
static void told(int status, void *name) { printf("%s %d\n", (char *)name, status); }
static void plain(void) { printf("plain\n"); }
int main(void) {
  on_exit(told, "first");
  atexit(plain);
  on_exit(told, "second");
  return 7;
}
