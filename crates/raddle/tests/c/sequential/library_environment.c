// The environment that a program makes for itself, and getsubopt.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text(const char *name) { const char *value = getenv(name); return value ? value : "(none)"; }

int main(void) {
  char own[] = "RADDLE_B=own";
  unsetenv("RADDLE_A");
  printf("%d ", setenv("RADDLE_A", "1", 0));
  printf("%s\n", text("RADDLE_A"));
  printf("%d ", setenv("RADDLE_A", "2", 0));
  printf("%s\n", text("RADDLE_A"));
  printf("%d ", setenv("RADDLE_A", "three", 1));
  printf("%s\n", text("RADDLE_A"));
  printf("%d ", putenv(own));
  printf("%s\n", text("RADDLE_B"));
  own[9] = 'O';
  printf("%s %s\n", text("RADDLE_B"), text("RADDLE_A"));
  printf("%d ", unsetenv("RADDLE_A"));
  printf("%s\n", text("RADDLE_A"));
  errno = 0;
  int bad = setenv("A=B", "", 1);
  printf("%d %d ", bad, errno);
  printf("%d %d\n", setenv("", "x", 1), unsetenv("="));
  printf("%d ", putenv("RADDLE_B"));
  printf("%s %d\n", text("RADDLE_B"), getenv("HOME") == getenv("HOME"));
  setenv("RADDLE_C", "c", 1);
  printf("%d ", clearenv());
  printf("%s %s\n", text("PATH"), text("RADDLE_C"));
  setenv("RADDLE_C", "again", 1);
  printf("%s\n", text("RADDLE_C"));

  char list[] = "ro,size=12,,other=x,rw,size", *rest = list, *value;
  char *const names[] = {"ro", "rw", "size", 0};
  while (*rest) {
    value = "unset";
    int found = getsubopt(&rest, names, &value);
    printf("%d %s\n", found, value ? value : "(none)");
  }
  return 0;
}
