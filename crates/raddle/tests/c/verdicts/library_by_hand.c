// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// A function of the library that the program declares itself, and allocation by the program for the library.
#include <assert.h>
#include <stddef.h>
#include <string.h>
int calls;
static char pool[64];
void *malloc(size_t n) {
  calls++;
  return pool;
}
extern long ptrace(int request, ...);
extern int __xmknod(int version, const char *path, unsigned mode, unsigned long *device);
int main(int argc, char **argv) {
  switch (argc) {
  case 1: assert(strdup("x") != 0 && calls == 0); break;
  case 2: assert(ptrace(0) != -1); break;
  default: assert(__xmknod(0, "x", 0, 0) == 0);
  }
  return 0;
}
