// false
// expect: explore false, oc unknown(bound-reached), cegar false, auto false
// Who held a mutex that was initialised again holds it no longer, and an error-checking one says so.
#include <pthread.h>

void reach_error(void) {}

pthread_mutex_t mutex;
int stage;

void *holder(void *arg) {
    pthread_mutex_lock(&mutex);
    stage = 1;
    while (stage != 2)
        ;
    if (pthread_mutex_unlock(&mutex) != 0)
        reach_error();
    return 0;
}

int main(void) {
    pthread_mutexattr_t checking;
    pthread_mutexattr_init(&checking);
    pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &checking);
    pthread_t thread;
    pthread_create(&thread, 0, holder, 0);
    while (stage != 1)
        ;
    pthread_mutex_init(&mutex, &checking);
    stage = 2;
    pthread_join(thread, 0);
}
