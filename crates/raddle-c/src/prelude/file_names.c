/* <stdio.h>: files by their names. */

static int __raddle_removed(void)
{
  __raddle_files_go = 1;
  return -__raddle_fails();
}

int remove(const char *path) { return __raddle_removed(); }
int unlink(const char *path) { return __raddle_removed(); }
int rmdir(const char *path) { return __raddle_removed(); }

static int __raddle_renamed(void)
{
  __raddle_files_go = 1;
  __raddle_files_move();
  return -__raddle_fails();
}

int rename(const char *from, const char *to) { return __raddle_renamed(); }
int renameat(int from_folder, const char *from, int to_folder, const char *to) { return __raddle_renamed(); }
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) { return __raddle_renamed(); }
int link(const char *path, const char *copy) { return __raddle_renamed(); }
int symlink(const char *path, const char *copy) { return __raddle_renamed(); }
int truncate(const char *path, long length) { return __raddle_renamed(); }

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
