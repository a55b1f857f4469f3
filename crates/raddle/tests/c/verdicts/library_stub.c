// false
// expect: explore false, oc false, cegar false, auto false
// A library function that is called through a pointer does what it does when it is called by name.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static void *(*volatile allocate)(size_t) = malloc;
static void (*volatile release)(void *) = free;
static size_t (*volatile length)(const char *) = strlen;
static void (*volatile quit)(int) = exit;
int main(void) {
  char *p = allocate(4);
  strcpy(p, "abc");
  if (length(p) != 3) quit(0);
  release(p);
  assert(0);
  return 0;
}
