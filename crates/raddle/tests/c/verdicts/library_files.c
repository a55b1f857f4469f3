// true
// expect: explore slow, oc true, cegar slow, auto true
// Files have different numbers as long as they are open, errors have a number, and what is read is not longer than what was asked for.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char text[3], name[] = "a-XXXXXX";
  int pair[2], file = open("data", O_RDONLY), made = mkstemp(name);
  if (file < 0 || made < 0) {
    assert(errno > 0);
    return 0;
  }
  assert(file != made && name[0] == 'a' && name[2] != '-' && name[8] == 0);
  long n = read(file, text, 2);
  assert(n >= -1 && n <= 2);
  assert(read(-1, text, 2) == -1 && errno == EBADF);
  if (pipe(pair) == 0) assert(pair[0] >= 0 && pair[0] != pair[1] && pair[1] != file);
  return 0;
}
