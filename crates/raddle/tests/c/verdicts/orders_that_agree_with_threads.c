// true
// expect: explore true, oc true, cegar true, auto true
// Beside a lock, a join or an atomic access, these hold in any order: nobody else writes what is read there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int limit = 5, shared;
atomic_int count;

void *worker(void *arg) {
    int mine = 2;
    int sum = pthread_mutex_lock(&lock) + limit + mine;
    shared = sum;
    mine = ({ int old = shared; old - 1; }) + mine;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&count, mine);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int both = pthread_join(thread, 0) + limit;
    assert(both == 5 && shared + count == 15);
    shared += atomic_fetch_sub(&count, 1) == 8;
    assert(shared == 8);
    return 0;
}
