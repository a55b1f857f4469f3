#include <stdio.h>
#include <stdlib.h>
static void slow(void) { printf("slow\n"); }
static void quick(void) { printf("quick\n"); fflush(stdout); }
static void first(void) { printf("first\n"); }
int main(void) {
  atexit(slow);
  at_quick_exit(quick);
  at_quick_exit(first);
  quick_exit(5);
}
