// true
// expect: explore true, oc true, cegar true, auto true
// C23's strtol knows binary numbers.
#include <assert.h>
extern long __isoc23_strtol(const char *, char **, int);
extern unsigned long long __isoc23_strtoull(const char *, char **, int);
extern long strtol(const char *, char **, int);
int main(void) {
  char *end;
  assert(__isoc23_strtol("0b101", &end, 0) == 5 && !*end);
  assert(__isoc23_strtoull("-0B1", &end, 2) == -1ull);
  assert(__isoc23_strtol("0b2", &end, 0) == 0 && *end == 'b');
  assert(strtol("0b101", &end, 0) == 0 && *end == 'b');
  return 0;
}
