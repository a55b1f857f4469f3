// true
// expect: explore slow, oc true, cegar slow, auto slow
// A new descriptor is the lowest one that is free; one that was closed is none. Temporary files have names of their own.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  int a = open("data", O_RDONLY), b = open("other", O_RDONLY);
  if (a < 0 || b < 0) return 0;
  assert(a > 2 && b > a && lseek(b, 0, SEEK_CUR) <= 0);
  close(a);
  char byte;
  assert(close(a) == -1 && errno == EBADF && read(a, &byte, 1) == -1);
  FILE *file = fopen("third", "r");
  if (!file) return 0;
  assert(fileno(file) == a);
  fclose(file);
  char name[] = "fXXXXXX", second[] = "fXXXXXX";
  int c = mkstemp(name), d = mkstemp(second);
  if (c < 0 || d < 0) return 0;
  assert(c == a && d > b && strcmp(name, second));
  return 0;
}
