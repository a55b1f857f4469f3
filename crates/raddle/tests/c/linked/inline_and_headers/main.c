// A header with static inline functions and static variables included in two files.
#include <stdio.h>
#include "common.h"
int shared = 1;
int main(void) {
  struct stack s = {0};
  per_file = 5;
  for (int i = -1; i < 3; i++) push(&s, i * 7);
  printf("%d %d %d\n", s.n, s.items[0], s.items[3]);
  printf("%d %d %d\n", clamp(50), per_file, count());
  return shared;
}
