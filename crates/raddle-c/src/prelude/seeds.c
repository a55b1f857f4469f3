/* The seed of `rand` and `random`: the same seed gives the same numbers. Of each of four seeds, the first four numbers are kept; what needs more is a gap. */

struct __raddle_sequence { unsigned seed, kind, known; _Bool is_longer, again; int values[4]; };
/* Without a seed, it is 1. Generators of different size (`kind`) are different; the usual one is of kind 3. */
static struct __raddle_sequence __raddle_sequences[4] = {{1, 3}};
static unsigned __raddle_sequence_count = 1, __raddle_sequence, __raddle_drawn;

int __raddle_draw(void)
{
  __VERIFIER_atomic_begin();
  struct __raddle_sequence *s = &__raddle_sequences[__raddle_sequence];
  int value;
  if (__raddle_drawn < s->known)
    value = s->values[__raddle_drawn];
  else {
    value = __VERIFIER_nondet_int();
    __VERIFIER_assume(value >= 0);
    if (s->known < 4)
      s->values[s->known++] = value;
    else if (s->again)
      __raddle_gap("more than four random numbers of a seed that was set before");
    else
      s->is_longer = 1;
  }
  if (__raddle_drawn < 4)
    __raddle_drawn++;
  __VERIFIER_atomic_end();
  return value;
}

static void __raddle_set_seed(unsigned seed, unsigned kind)
{
  unsigned i = 0;
  while (i < __raddle_sequence_count && (__raddle_sequences[i].seed != seed || __raddle_sequences[i].kind != kind))
    i++;
  if (i == 4)
    __raddle_gap("more than four seeds of random numbers");
  if (i < __raddle_sequence_count)
    __raddle_sequences[i].again = __raddle_sequences[i].is_longer;
  else {
    __raddle_sequences[i].seed = seed;
    __raddle_sequences[i].kind = kind;
    __raddle_sequence_count++;
  }
  __raddle_sequence = i;
  __raddle_drawn = 0;
}

void srandom(unsigned seed)
{
  __VERIFIER_atomic_begin();
  __raddle_set_seed(seed, __raddle_sequences[__raddle_sequence].kind);
  __VERIFIER_atomic_end();
}

void srand(unsigned seed) { srandom(seed); }

/* The generator moves to another place, whose size says of which kind it is. */
static int __raddle_first_place[32];
static char *__raddle_place = (char *)__raddle_first_place;

char *initstate(unsigned seed, char *place, size_t n)
{
  if (!place || n < 8) {
    __raddle_errno = 22;
    return 0;
  }
  for (size_t i = 0; i < n && i < 256; i++)
    place[i] = __VERIFIER_nondet_uchar();
  __VERIFIER_atomic_begin();
  char *before = __raddle_place;
  __raddle_place = place;
  __raddle_set_seed(seed, n < 32 ? 0 : n < 64 ? 1 : n < 128 ? 2 : n < 256 ? 3 : 4);
  __VERIFIER_atomic_end();
  return before;
}
