// Variables, arrays and functions shared through extern declarations, at file and block scope, before and after definition.
#include <stdio.h>
extern int shared;
extern int array[];
extern const char *const names[];
extern struct point { int x, y; } origin;
int bump(int by);
extern int (*hook)(int);
int callback(int x) { return x + shared; }
double average(void);
int main(void) {
  extern int hidden;
  shared = 5;
  array[1] += bump(3);
  hook = callback;
  int run_hook(int);
  printf("%d %d %d\n", shared, array[1], array[3]);
  printf("%s %d %d\n", names[1], origin.x, hidden);
  origin.y = 9;
  printf("%d %g\n", run_hook(100), average());
  return shared;
}
