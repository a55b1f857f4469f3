/* Random numbers: any value in range for generators that a library is free to choose, glibc's `rand_r`, and the drand48 family, which POSIX prescribes. */

/* Only with functions that set the seed, in `seeds.c`. */
extern int __raddle_draw(void) __attribute__((weak));

int rand(void)
{
  if (__raddle_draw)
    return __raddle_draw();
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= 0);
  return value;
}

long random(void) { return rand(); }

/* glibc's: three steps of a linear congruential generator give 11, 10 and 10 bits. */
int rand_r(unsigned *seed)
{
  unsigned x = *seed, result = 0;
  for (int i = 0; i < 3; i++) {
    x = x * 1103515245 + 12345;
    result = result << 10 ^ (x >> 16) % (i ? 1024 : 2048);
  }
  *seed = x;
  return result;
}

unsigned arc4random(void) { return __VERIFIER_nondet_int(); }

unsigned arc4random_uniform(unsigned bound)
{
  unsigned value = __VERIFIER_nondet_int();
  __VERIFIER_assume(bound < 2 ? value == 0 : value < bound);
  return value;
}

void arc4random_buf(void *memory, size_t n)
{
  __raddle_byte *m = memory;
  for (size_t i = 0; i < n; i++)
    m[i] = __VERIFIER_nondet_uchar();
}

/* ---- x' = factor * x + summand, modulo 2^48. The layout is that of `struct drand48_data`. ---- */

struct __raddle_generator { unsigned short x[3], before[3], summand, is_set; unsigned long long factor; };
static struct __raddle_generator __raddle_shared_generator;

static unsigned long long __raddle_48_bits(const unsigned short *x)
{
  return (unsigned long long)x[2] << 32 | (unsigned long long)x[1] << 16 | x[0];
}

static void __raddle_set_48_bits(unsigned short *to, unsigned long long x)
{
  to[0] = x;
  to[1] = x >> 16;
  to[2] = x >> 32;
}

static void __raddle_set_generator(struct __raddle_generator *g, unsigned long long factor, unsigned short summand)
{
  g->factor = factor;
  g->summand = summand;
  g->is_set = 1;
}

static unsigned long long __raddle_next(unsigned short *x, struct __raddle_generator *g)
{
  if (!g->is_set)
    __raddle_set_generator(g, 0x5deece66d, 11);
  unsigned long long next = __raddle_48_bits(x) * g->factor + g->summand;
  __raddle_set_48_bits(x, next);
  return next & 0xffffffffffff;
}

int erand48_r(unsigned short *x, void *generator, double *result)
{
  *result = __raddle_next(x, generator) / 281474976710656.0;
  return 0;
}

int nrand48_r(unsigned short *x, void *generator, long *result)
{
  *result = __raddle_next(x, generator) >> 17;
  return 0;
}

int jrand48_r(unsigned short *x, void *generator, long *result)
{
  *result = (int)(__raddle_next(x, generator) >> 16);
  return 0;
}

int drand48_r(void *generator, double *result) { return erand48_r(generator, generator, result); }
int lrand48_r(void *generator, long *result) { return nrand48_r(generator, generator, result); }
int mrand48_r(void *generator, long *result) { return jrand48_r(generator, generator, result); }

int srand48_r(long seed, void *generator)
{
  struct __raddle_generator *g = generator;
  __raddle_set_48_bits(g->x, (unsigned long long)(unsigned)seed << 16 | 0x330e);
  __raddle_set_generator(g, 0x5deece66d, 11);
  return 0;
}

int seed48_r(unsigned short *x, void *generator)
{
  struct __raddle_generator *g = generator;
  __raddle_set_48_bits(g->before, __raddle_48_bits(g->x));
  __raddle_set_48_bits(g->x, __raddle_48_bits(x));
  __raddle_set_generator(g, 0x5deece66d, 11);
  return 0;
}

int lcong48_r(unsigned short *parameters, void *generator)
{
  struct __raddle_generator *g = generator;
  __raddle_set_48_bits(g->x, __raddle_48_bits(parameters));
  __raddle_set_generator(g, __raddle_48_bits(parameters + 3), parameters[6]);
  return 0;
}

double erand48(unsigned short *x) { return __raddle_next(x, &__raddle_shared_generator) / 281474976710656.0; }
long nrand48(unsigned short *x) { return __raddle_next(x, &__raddle_shared_generator) >> 17; }
long jrand48(unsigned short *x) { return (int)(__raddle_next(x, &__raddle_shared_generator) >> 16); }
double drand48(void) { return erand48(__raddle_shared_generator.x); }
long lrand48(void) { return nrand48(__raddle_shared_generator.x); }
long mrand48(void) { return jrand48(__raddle_shared_generator.x); }
void srand48(long seed) { srand48_r(seed, &__raddle_shared_generator); }
void lcong48(unsigned short *parameters) { lcong48_r(parameters, &__raddle_shared_generator); }

unsigned short *seed48(unsigned short *x)
{
  seed48_r(x, &__raddle_shared_generator);
  return __raddle_shared_generator.before;
}
