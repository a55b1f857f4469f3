/* Files by their names: which of them the program has met before. What others find in a file is any bytes, but two ways to one file must agree: nothing is said about what
   is read from a file that was open before. Names are compared by the last part, and by a hash of it: what is taken for the same by mistake is only read as a gap. */

static unsigned __raddle_met[8];
static int __raddle_met_count;
static _Bool __raddle_met_all;

/* Names are given to other files, or files change without being open. */
void __raddle_files_move(void) { __raddle_met_all = 1; }

static unsigned __raddle_name_hash(const char *path)
{
  unsigned hash = 0;
  for (; *path; path++)
    hash = *path == '/' ? 0 : hash * 31 + (__raddle_byte)*path;
  return hash;
}

/* Was a file with this name met before? It is from now on. */
_Bool __raddle_meet(const char *path)
{
  unsigned hash = __raddle_name_hash(path);
  __VERIFIER_atomic_begin();
  _Bool is_met = __raddle_met_all;
  for (int i = 0; i < __raddle_met_count; i++)
    is_met |= __raddle_met[i] == hash;
  if (!is_met && __raddle_met_count < 8)
    __raddle_met[__raddle_met_count++] = hash;
  else if (!is_met)
    __raddle_met_all = 1;
  __VERIFIER_atomic_end();
  return is_met;
}
