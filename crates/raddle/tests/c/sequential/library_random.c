// The generator that POSIX prescribes.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned short x[3] = {1, 2, 3}, parameters[7] = {9, 8, 7, 0x1235, 0x77, 5, 21};
  for (int i = 0; i < 20; i++) {
    double d = i ? erand48(x) : drand48();
    long n = i ? nrand48(x) : lrand48(), j = i ? jrand48(x) : mrand48();
    printf("%.17g %ld %ld %d\n", d, n, j, x[0] ^ x[1] ^ x[2]);
  }
  for (long seed = -3; seed < 100000; seed = seed * 3 + 11) {
    srand48(seed);
    printf("%.17g ", drand48());
    printf("%ld ", lrand48());
    printf("%ld ", mrand48());
    unsigned short *old = seed48(x);
    printf("%d %d %d ", old[0], old[1], old[2]);
    printf("%ld ", lrand48());
    lcong48(parameters);
    printf("%ld ", lrand48());
    printf("%ld\n", nrand48(x));
  }
  struct drand48_data data = {0};
  for (int i = 0; i < 12; i++) {
    double d, e;
    long a, b, c, n;
    if (i == 2) srand48_r(-77, &data);
    if (i == 4) seed48_r(x, &data);
    if (i == 7) lcong48_r(parameters, &data);
    drand48_r(&data, &d);
    lrand48_r(&data, &a);
    mrand48_r(&data, &b);
    erand48_r(x, &data, &e);
    nrand48_r(x, &data, &n);
    jrand48_r(x, &data, &c);
    printf("%.17g %ld %ld %.17g %ld %ld\n", d, a, b, e, n, c);
  }
  for (int size = 8; size <= 256; size *= 2) {
    struct random_data generator = {0};
    char place[256], other[64];
    int r;
    printf("%d ", initstate_r(size * 77, place, size, &generator));
    for (int i = 0; i < 4; i++) printf("%d ", (random_r(&generator, &r), r));
    srandom_r(5, &generator);
    printf("%d ", (random_r(&generator, &r), r));
    initstate_r(7, other, 64, &generator);
    printf("%d ", (random_r(&generator, &r), r));
    setstate_r(place, &generator);
    printf("%d\n", (random_r(&generator, &r), r));
  }
  unsigned small = 1;
  for (int i = 0; i < 5; i++) printf("%d ", rand_r(&small));
  printf("%u\n", small);
  srand(1);
  srandom(1);
  unsigned seed = 1;
  for (int i = 0; i < 5; i++) printf("%d %d %d\n", rand() >= 0, random() >= 0, rand_r(&seed) >= 0);
  return 0;
}
