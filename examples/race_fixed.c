// `race.c` without its race: the supervisor takes the lock to look at the count. When all workers have been joined it needs none.
//
//     raddle --property no-data-race examples/race_fixed.c

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
    pthread_mutex_lock(&lock);
    long so_far = served;
    pthread_mutex_unlock(&lock);
    printf("%ld requests so far\n", so_far);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    printf("%ld requests\n", served);
    return 0;
}
