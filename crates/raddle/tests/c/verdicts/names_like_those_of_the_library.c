// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// A function is known by all of its name.
#include <assert.h>
int pthread_settings_count(void);
int pthread_attr_number(void);
int main(void)
{
  assert(pthread_settings_count() == 0 && pthread_attr_number() == 0);
}
