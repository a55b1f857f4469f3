/* <stdio.h>: files by their names. */

int remove(const char *path) { return -__raddle_fails(); }
int unlink(const char *path) { return -__raddle_fails(); }
int rename(const char *from, const char *to) { return -__raddle_fails(); }
int renameat(int from_folder, const char *from, int to_folder, const char *to) { return -__raddle_fails(); }
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) { return -__raddle_fails(); }

char *tmpnam_r(char *to)
{
  if (!to || __VERIFIER_nondet_bool())
    return 0;
  __raddle_any_text(to, 20);
  __VERIFIER_assume(to[0] != 0);
  return to;
}

char *tmpnam(char *to)
{
  static char name[20];
  return tmpnam_r(to ? to : name);
}

char *ctermid(char *to)
{
  static char name[10];
  return memcpy(to ? to : name, "/dev/tty", 9);
}
