// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// The others go on when a thread is in a function that does not return.
#include <pthread.h>
extern void reach_error(void);
_Noreturn void wait_for_ever(void);
void *run(void *unused) { wait_for_ever(); }
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  reach_error();
}
