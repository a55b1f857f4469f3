// true
// expect: explore unknown(nondet-domain), oc true, cegar unknown(stuck), auto true
// Elements of a vector do not touch each other, whether they are written by index, through a union or by another thread.
#include <assert.h>
#include <pthread.h>

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char c4 __attribute__((vector_size(4)));

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

v4 shared;

void *other(void *unused) {
  shared[1] = 5;
  return unused;
}

int main(void) {
  pthread_t thread;
  int x = __VERIFIER_nondet_int();
  unsigned i = __VERIFIER_nondet_uint() % 4;
  pthread_create(&thread, 0, other, 0);
  shared[0] = x;
  pthread_join(thread, 0);
  assert(shared[0] == x && shared[1] == 5 && shared[2] == 0);
  v4 v = shared, mask = v == shared;
  v[i] = ~v[i];
  assert(((v != shared) & 1)[i] == 1 && mask[i] == -1);
  assert(__builtin_shuffle(v, (v4){i, i, i, i})[3] == v[i]);
  union { c4 bytes; unsigned word; } pun = {.word = (unsigned)x};
  pun.bytes += 1;
  assert((unsigned char)(x + 1) == (pun.word & 255));
}
