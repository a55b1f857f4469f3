// exit ends the program from any depth, with its status; nothing after it happens.
#include <stdio.h>
#include <stdlib.h>
static void deeper(int n) {
  if (!n) { printf("leaving\n"); exit(300 + 9); }
  deeper(n - 1);
  printf("never\n");
}
int main(void) {
  for (int i = 0;; i++) { printf("%d ", i); if (i == 3) deeper(5); }
}
