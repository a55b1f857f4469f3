/* Random numbers: any value in range for generators that a library is free to choose, and the one of the drand48 family, which POSIX prescribes. */

int rand(void)
{
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= 0);
  return value;
}

long random(void) { return rand(); }

int rand_r(unsigned *seed)
{
  *seed = __VERIFIER_nondet_int();
  return rand();
}

void srand(unsigned seed) { }
void srandom(unsigned seed) { }

/* The state of a generator is 48 bytes or more, of which the first are a pointer: it is left as it is. */
int srandom_r(unsigned seed, void *state) { return state ? 0 : -1; }

int random_r(void *state, int *result)
{
  if (!state || !result) {
    __raddle_errno = 22;
    return -1;
  }
  *result = rand();
  return 0;
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

/* x' = factor * x + summand, modulo 2^48. */
static unsigned long long __raddle_factor = 0x5deece66d, __raddle_summand = 11;
static unsigned short __raddle_state[3], __raddle_state_before[3];

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

static unsigned long long __raddle_next(unsigned short *state)
{
  unsigned long long x = __raddle_48_bits(state) * __raddle_factor + __raddle_summand;
  __raddle_set_48_bits(state, x);
  return x & 0xffffffffffff;
}

double erand48(unsigned short *state) { return __raddle_next(state) / 281474976710656.0; }
long nrand48(unsigned short *state) { return __raddle_next(state) >> 17; }
long jrand48(unsigned short *state) { return (int)(__raddle_next(state) >> 16); }
double drand48(void) { return erand48(__raddle_state); }
long lrand48(void) { return nrand48(__raddle_state); }
long mrand48(void) { return jrand48(__raddle_state); }

static void __raddle_standard_generator(void)
{
  __raddle_factor = 0x5deece66d;
  __raddle_summand = 11;
}

void srand48(long seed)
{
  __raddle_set_48_bits(__raddle_state, (unsigned long long)(unsigned)seed << 16 | 0x330e);
  __raddle_standard_generator();
}

unsigned short *seed48(unsigned short *state)
{
  __raddle_set_48_bits(__raddle_state_before, __raddle_48_bits(__raddle_state));
  __raddle_set_48_bits(__raddle_state, __raddle_48_bits(state));
  __raddle_standard_generator();
  return __raddle_state_before;
}

void lcong48(unsigned short *parameters)
{
  __raddle_set_48_bits(__raddle_state, __raddle_48_bits(parameters));
  __raddle_factor = __raddle_48_bits(parameters + 3);
  __raddle_summand = parameters[6];
}
