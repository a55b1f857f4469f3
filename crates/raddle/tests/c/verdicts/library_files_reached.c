// false
// expect: explore false, oc false, cegar slow, auto false
// A number may be given again once the file is closed, and a read may be short.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  char text[2] = {1, 1};
  int first = open("data", O_RDONLY), short_read = read(first, text, 2) == 1;
  close(first);
  int second = open("data", O_RDONLY);
  assert(!(first >= 0 && first == second && short_read && text[0] == 'x' && text[1] == 1));
  return 0;
}
