// Arrays of several dimensions: layout, decay, pointers to rows, parameters.
#include <stdio.h>
static int grid[3][4];
static int cube[2][3][4] = {{{1, 2, 3, 4}, {5}}, {{[2] = 7}, {8, 9}}};
static int row_sum(int row[4]) { int s = 0; for (int i = 0; i < 4; i++) s += row[i]; return s; }
static int all(int a[][4], int rows) { int s = 0; while (rows--) s += row_sum(a[rows]); return s; }
static int at(int (*p)[3][4], int i, int j, int k) { return p[i][j][k]; }
static int first(int a[static 2]) { return a[0] + a[1]; }
static int size(int a[10]) { return sizeof a; }
int main(void) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) grid[i][j] = 10 * i + j;
  int *flat = &grid[0][0];
  int (*row)[4] = grid + 1;
  printf("%d %d %d %d\n", flat[7], (*row)[2], row[1][3], *(*(grid + 2) + 1));
  printf("%d %d %d\n", row_sum(grid[2]), all(grid, 3), at(cube, 1, 0, 2));
  printf("%d %d %d %d\n", (int)sizeof grid, (int)sizeof grid[0], (int)sizeof cube[0][0], size(flat));
  printf("%d %d\n", (int)(&grid[2][1] - &grid[0][3]), (int)(&grid[2] - &grid[0]));
  printf("%d %d %d\n", cube[0][1][0], cube[1][1][1], cube[1][2][3]);
  char words[3][6] = {"zero", "one", "three"};
  char *names[] = {"a", "bc", "def"};
  printf("%s %s %c %c %d\n", words[1], names[2], words[2][4], *names[1], (int)sizeof names);
  int local[2][2] = {1, 2, 3};
  1[local][0] += 5;
  printf("%d %d %d\n", local[1][0], local[1][1], first(local[1]));
  int (*whole)[2][2] = &local;
  (*whole)[0][1]++;
  const int (*view)[4] = (const int (*)[4])grid;
  int *(pointers[2]) = {grid[1], grid[2]};
  printf("%d %d %d\n", local[0][1], view[1][1], pointers[1][0]);
  return 2[flat] + (int)(row - grid);
}
