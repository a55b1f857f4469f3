// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto slow
// What the program wrote itself is not any byte.
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *file = tmpfile(), *named = fopen("data", "w");
  if (!file || !named || fputc('a', file) != 'a' || fputs("b", named) < 0 || fclose(named) != 0) return 0;
  rewind(file);
  int c = fgetc(file);
  assert(c == 'a' || c == EOF);
  named = fopen("./data", "r");
  if (!named) return 0;
  c = fgetc(named);
  assert(c == 'b' || c == EOF);
  return 0;
}
