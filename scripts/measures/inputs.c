/* The environment of a sequential program with sanitizers. Its `main` is compiled as `program_main`.

   ./program FILE            runs once; input calls return the numbers of FILE, one after the other
   ./program random N SEED   runs up to N times with random inputs, each run in a process of its own, until one fails */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int program_main(void);

static long long recorded[4096];
static int count, next, is_random;
static unsigned long long state;

static unsigned long long draw(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* Small numbers more often than others, and the ends of types. */
static long long any(void)
{
  static const long long ends[] = { 2147483647, -2147483647 - 1, 9223372036854775807, -9223372036854775807 - 1, 32767, 65535, 255, 127, -1 };
  switch (draw() % 8) {
  case 0: return draw();
  case 1: return ends[draw() % 9];
  case 2: return ends[draw() % 9] - (long long)(draw() % 3);
  case 3: return (int)draw();
  default: return (long long)(draw() % 14) - 3;
  }
}

static long long input(void)
{
  if (is_random)
    return any();
  if (next == count) {
    fprintf(stderr, "inputs exhausted\n");
    _exit(98);
  }
  return recorded[next++];
}

int __VERIFIER_nondet_int(void) { return input(); }
long __VERIFIER_nondet_long(void) { return input(); }
short __VERIFIER_nondet_short(void) { return input(); }
char __VERIFIER_nondet_char(void) { return input(); }
unsigned __VERIFIER_nondet_uint(void) { return input(); }
unsigned char __VERIFIER_nondet_uchar(void) { return input(); }
unsigned short __VERIFIER_nondet_ushort(void) { return input(); }
_Bool __VERIFIER_nondet_bool(void) { return input() & 1; }

/* The path ends: what is still allocated is not lost. */
void __VERIFIER_assume(int holds)
{
  if (!holds)
    _exit(97);
}

static int many(int runs, unsigned long long seed)
{
  int status;
  is_random = 1;
  for (int i = 0; i < runs; i++) {
    pid_t child = fork();
    if (child == 0) {
      state = (seed + 1) * 0x9E3779B97F4A7C15ULL + (i + 1) * 0xD1B54A32D192ED03ULL;
      for (int j = 0; j < 8; j++)
        draw();
      program_main();
      exit(0);
    }
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 97))
      _exit(1);
  }
  _exit(0);
}

int main(int argc, char **argv)
{
  if (argc == 4 && strcmp(argv[1], "random") == 0)
    many(atoi(argv[2]), strtoull(argv[3], 0, 10));
  FILE *in = argc == 2 ? fopen(argv[1], "r") : 0;
  while (in && count < 4096 && fscanf(in, "%lld", &recorded[count]) == 1)
    count++;
  if (in)
    fclose(in);
  program_main();
  exit(0);
}
