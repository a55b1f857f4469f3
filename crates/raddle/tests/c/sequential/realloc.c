// realloc: growing, shrinking, of nothing, arrays of pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *p = malloc(4); strcpy(p, "abc");
  p = realloc(p, 100); strcat(p, "def"); printf("%s\n", p);
  p = realloc(p, 3); printf("%.3s\n", p);
  int *a = NULL; int n = 0, cap = 0;
  for (int i = 0; i < 20; i++) { if (n == cap) { cap = cap ? cap * 2 : 1; a = realloc(a, cap * sizeof *a); } a[n++] = i * i; }
  printf("%d %d %d\n", a[0], a[19], cap);
  char **lines = calloc(2, sizeof *lines); lines[1] = strdup("second"); lines = realloc(lines, 4 * sizeof *lines); printf("%d %s\n", lines[0] == 0, lines[1]);
  free(a); free(lines[1]); free(lines); free(p); return 0; }
