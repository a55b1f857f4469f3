// false
// expect: explore false, oc false, cegar false, auto false
// What another thread writes is read before or after the join, and so is what the join stores; a lock is no different.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int written, between;

void *writer(void *arg) {
    pthread_mutex_lock(&lock);
    between = 1;
    between = 0;
    pthread_mutex_unlock(&lock);
    written = 1;
    return arg;
}

int three(int a, int b, void *c) { return a * 100 + b * 10 + (c != 0); }

int join(pthread_t thread) { return pthread_join(thread, 0); }

int main(void) {
    pthread_t thread, second;
    void *result = 0;
    pthread_create(&thread, 0, writer, &written);
    int seen = three(pthread_mutex_lock(&lock), between, 0);
    pthread_mutex_unlock(&lock);
    int all = three(pthread_join(thread, &result), written, result);
    written = 0;
    pthread_create(&second, 0, writer, 0);
    int sum = join(second) + written;
    assert(seen != 10 || all != 0 || sum != 0);
    return 0;
}
