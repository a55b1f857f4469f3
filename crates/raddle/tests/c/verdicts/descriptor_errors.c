// true
// expect: explore slow, oc true, cegar slow, auto true
// How a file was opened, and what it is, says what cannot be done with it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
  assert(!fopen("", "r") && open("", O_RDONLY) == -1 && !fdopen(-1, "r"));
  int ends[2];
  assert(pipe2(ends, 12345) == -1);
  if (pipe(ends))
    return 0;
  assert(write(ends[0], "", 1) == -1 && errno == EBADF);
  assert(lseek(ends[1], 0, SEEK_SET) == -1 && !isatty(ends[0]));
  int file = open("file", O_RDONLY);
  if (file < 0)
    return 0;
  assert(write(file, "", 1) == -1 && ftruncate(file, -1) == -1);
  close(file);
  assert(dup2(file, 70) == -1);
}
