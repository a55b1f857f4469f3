// true
// expect: explore unknown(nondet-domain), oc true, cegar slow, auto true
// Output to a stream for input fails, and conversely. What fails is an error of the stream.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
  errno = 0;
  assert(!fopen("data", "x") && (errno == EINVAL || errno != 0));
  FILE *in = fopen("data", "r"), *out = fopen("result", "w");
  if (!in || !out) return 0;
  assert(fputc('a', in) == EOF && ferror(in) && errno == EBADF);
  assert(fprintf(in, "%d", 1) < 0 && fwrite("ab", 1, 2, in) == 0 && fputs("", in) >= 0 && fflush(in) == 0);
  assert(fgetc(out) == EOF && ferror(out) && !feof(out));
  clearerr(out);
  assert(setvbuf(out, 0, 99, 0) != 0 && setvbuf(stdout, 0, _IONBF, 0) == 0);
  int length = fprintf(out, "%d\n", 42);
  assert(length == 3 || (length < 0 && ferror(out)));
  if (length == 3) {
    long at = ftell(out);
    assert(at == 3 || at == -1);
    assert(fseek(out, -4, SEEK_CUR) == -1);
  }
  FILE *fresh = tmpfile();
  assert(!fresh || (fgetc(fresh) == EOF && feof(fresh)));
  return 0;
}
