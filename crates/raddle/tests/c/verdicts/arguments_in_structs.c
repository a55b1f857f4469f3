// true
// expect: explore true, oc true, cegar slow, auto true
// Arguments and results travel in structs that also hold the handles, on main's stack.
#include <assert.h>
#include <pthread.h>
struct job { int a, b; pthread_t thread; struct { long sum; } out; };
static void *run(void *arg) { struct job *j = arg; j->out.sum = j->a + j->b; return &j->out; }
int main(void) {
  struct job jobs[2] = {{1, 2}, {30, 40}}, *j;
  for (j = jobs; j < jobs + 2; j++) pthread_create(&j->thread, 0, run, j);
  long total = 0;
  for (j = jobs; j < jobs + 2; j++) {
    void *out;
    pthread_join(j->thread, &out);
    assert(out == &j->out);
    total += j->out.sum;
  }
  assert(total == 73);
  return 0;
}
