// cc: -fcommon
// Tentative definitions of one object in several files are one object; an initialiser may be in any of them.
#include <stdio.h>
int counter;
int ready;
struct config { int level; char name[8]; } config;
int numbers[4];
void touch(void);
int main(void) {
  counter = 3;
  touch();
  printf("%d %d %d %s\n", counter, ready, config.level, config.name);
  numbers[3]++;
  printf("%d %d\n", numbers[0], numbers[3]);
  return ready;
}
