// qsort and bsearch with comparison functions, on ints and structs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct person { char name[8]; int age; };
static int by_value(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int by_age(const void *a, const void *b) { return ((const struct person *)a)->age - ((const struct person *)b)->age; }
static int by_name(const void *a, const void *b) { return strcmp(((const struct person *)a)->name, ((const struct person *)b)->name); }
static int down(const void *a, const void *b) { return by_value(b, a); }
int main(void) {
  int a[] = {5, -1, 9, 0, 3, 3, 7};
  qsort(a, 7, sizeof *a, by_value);
  for (int i = 0; i < 7; i++) printf("%d ", a[i]);
  int key = 7, *found = bsearch(&key, a, 7, sizeof *a, by_value);
  printf("%d ", (int)(found - a));
  key = 4;
  printf("%d\n", bsearch(&key, a, 7, sizeof *a, by_value) == 0);
  qsort(a, 7, sizeof *a, down);
  printf("%d %d\n", a[0], a[6]);
  struct person p[] = {{"eve", 30}, {"bob", 25}, {"amy", 41}};
  qsort(p, 3, sizeof *p, by_age);
  printf("%s %s\n", p[0].name, p[2].name);
  qsort(p, 3, sizeof *p, by_name);
  printf("%s %d\n", p[0].name, p[2].age);
  qsort(a, 0, sizeof *a, by_value);
  return a[1];
}
