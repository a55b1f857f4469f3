// Workers serve requests and count them under a lock. The supervisor reports the count without it: a data race.
//
//     raddle --property no-data-race examples/race.c
//
// `race_fixed.c` takes the lock there as well.

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long served;

static void serve(void) {
    pthread_mutex_lock(&lock);
    served++;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    (void)unused;
    for (int request = 0; request < 3; request++)
        serve();
    return NULL;
}

int main(void) {
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    printf("%ld requests so far\n", served);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    printf("%ld requests\n", served);
    return 0;
}
