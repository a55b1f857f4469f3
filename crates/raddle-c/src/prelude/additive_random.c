/* `random_r` and its like, as glibc has them: x[i] = x[i - degree] + x[i - distance], without the lowest bit; a small generator is linear congruential. What a
   generator is and where it stands are kept in front of its numbers: five times the place of the last number, and the kind. */

struct __raddle_additive { int *front, *rear, *state; int kind, degree, distance; int *end; };
static const signed char __raddle_degrees[5] = {0, 7, 15, 31, 63}, __raddle_distances[5] = {0, 3, 1, 3, 1};

static int __raddle_no_generator(void)
{
  __raddle_errno = 22;
  return -1;
}

static void __raddle_keep_place(struct __raddle_additive *g)
{
  g->state[-1] = g->kind ? 5 * (int)(g->rear - g->state) + g->kind : 0;
}

static void __raddle_set_kind(struct __raddle_additive *g, int *state, int kind)
{
  g->kind = kind;
  g->degree = __raddle_degrees[kind];
  g->distance = __raddle_distances[kind];
  g->state = state;
  g->end = state + g->degree;
}

int random_r(void *generator, int *result)
{
  struct __raddle_additive *g = generator;
  if (!g || !result)
    return __raddle_no_generator();
  if (g->kind == 0) {
    *result = g->state[0] = (g->state[0] * 1103515245u + 12345u) & 0x7fffffff;
    return 0;
  }
  unsigned sum = *g->front += (unsigned)*g->rear;
  *result = sum >> 1;
  g->front = g->front + 1 != g->end ? g->front + 1 : g->state;
  g->rear = g->rear + 1 != g->end ? g->rear + 1 : g->state;
  return 0;
}

int srandom_r(unsigned seed, void *generator)
{
  struct __raddle_additive *g = generator;
  if (!g || g->kind < 0 || g->kind > 4)
    return __raddle_no_generator();
  g->state[0] = seed ? seed : 1;
  if (g->kind == 0)
    return 0;
  /* x * 16807 modulo 2^31 - 1, without overflow. */
  for (int i = 1; i < g->degree; i++) {
    int x = g->state[i - 1];
    x = 16807 * (x % 127773) - 2836 * (x / 127773);
    g->state[i] = x < 0 ? x + 2147483647 : x;
  }
  g->front = g->state + g->distance;
  g->rear = g->state;
  for (int i = 0, unused; i < 10 * g->degree; i++)
    random_r(g, &unused);
  return 0;
}

int initstate_r(unsigned seed, char *place, size_t n, void *generator)
{
  struct __raddle_additive *g = generator;
  if (!g || n < 8)
    return __raddle_no_generator();
  if (g->state)
    __raddle_keep_place(g);
  __raddle_set_kind(g, (int *)place + 1, n < 32 ? 0 : n < 64 ? 1 : n < 128 ? 2 : n < 256 ? 3 : 4);
  srandom_r(seed, g);
  __raddle_keep_place(g);
  return 0;
}

int setstate_r(char *place, void *generator)
{
  struct __raddle_additive *g = generator;
  if (!g || !place)
    return __raddle_no_generator();
  int *state = (int *)place + 1, kind = state[-1] % 5, at = state[-1] / 5;
  __raddle_keep_place(g);
  if (kind < 0)
    return __raddle_no_generator();
  __raddle_set_kind(g, state, kind);
  if (kind) {
    g->rear = state + at;
    g->front = state + (at + g->distance) % g->degree;
  }
  return 0;
}
