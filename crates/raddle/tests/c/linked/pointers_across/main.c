// Static initialisers with addresses of objects and functions that another file defines.
#include <stdio.h>
extern int cells[5];
extern int twice(int), thrice(int);
static int *third = &cells[2];
static int (*const table[])(int) = {twice, thrice};
extern int *const back;
static int **chain = (int **)&back;
struct entry { const char *name; int (*run)(int); struct entry *next; };
extern struct entry last;
static struct entry first = {"first", twice, &last};
int mine = 8;
int main(void) {
  *third += 5;
  printf("%d %d %d\n", cells[2], table[0](21), table[1](4));
  **chain += 1;
  printf("%d\n", mine);
  for (struct entry *e = &first; e; e = e->next) printf("%s %d\n", e->name, e->run(7));
  return *back;
}
