// time, gettimeofday and rand: any value, but the same where C says so.
#include <stdio.h>
#include <time.h>
#include <sys/time.h>
#include <stdlib.h>
int main(void) { time_t t = 5; time_t u = time(&t); struct timeval tv; struct timespec ts; gettimeofday(&tv, 0); clock_gettime(CLOCK_MONOTONIC, &ts); srand(time(NULL)); printf("%d %d\n", t == u, rand() >= 0); return 0; }
