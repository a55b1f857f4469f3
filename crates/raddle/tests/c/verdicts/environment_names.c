// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar slow, auto slow
#include <assert.h>
#include <stdlib.h>
int main(void)
{
  static char text[] = "A=1";
  clearenv();
  assert(!getenv(""));
  putenv(text);
  assert(*getenv("A") == '1');
  text[0] = 'B'; /* the string is part of the environment */
  assert(getenv("B"));
}
