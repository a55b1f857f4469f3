/* Thread-specific values. In a program that makes keys, every thread is started through __raddle_create, so that the destructors run when it ends;
   pthread_exit runs them as well. */

/* A key is taken from its creation to its deletion. `__raddle_keys` keys were ever taken. */
static unsigned __raddle_keys;
static _Bool __raddle_taken[64];
static void (*__raddle_destructors[64])(void *);
static __thread void *__raddle_values[64];
/* Which creation of the key a value belongs to: the values of a deleted key are gone. */
static unsigned short __raddle_creations[64];
static __thread unsigned short __raddle_owners[64];

extern void *pthread_getspecific(unsigned key);

void __raddle_run_destructors(void)
{
  for (int round = 0; round < 4; round++) {
    int again = 0;
    for (unsigned key = 0; key < __raddle_keys; key++) {
      void *value = pthread_getspecific(key);
      __raddle_values[key] = 0;
      if (value && __raddle_destructors[key]) {
        __raddle_destructors[key](value);
        again = 1;
      }
    }
    if (!again)
      break;
  }
}

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
  (void)__raddle_create;
  __VERIFIER_atomic_begin();
  unsigned next = 0;
  while (next < __raddle_keys && __raddle_taken[next])
    next++;
  if (next == 64)
    __raddle_gap("more than 64 thread-specific keys at once");
  __raddle_taken[next] = 1;
  if (++__raddle_creations[next] == 0)
    __raddle_gap("more than 65535 creations of a thread-specific key");
  if (next == __raddle_keys)
    __raddle_keys = next + 1;
  __raddle_destructors[next] = destructor;
  __VERIFIER_atomic_end();
  *key = next;
  return 0;
}

int pthread_key_delete(unsigned key)
{
  if (key >= 64 || !__raddle_taken[key])
    return 22;
  __VERIFIER_atomic_begin();
  __raddle_destructors[key] = 0;
  __raddle_taken[key] = 0;
  __VERIFIER_atomic_end();
  return 0;
}

void *pthread_getspecific(unsigned key)
{
  if (key >= 64 || !__raddle_taken[key] || __raddle_owners[key] != __raddle_creations[key])
    return 0;
  return __raddle_values[key];
}

int pthread_setspecific(unsigned key, const void *value)
{
  if (key >= 64 || !__raddle_taken[key])
    return 22;
  __raddle_values[key] = (void *)value;
  __raddle_owners[key] = __raddle_creations[key];
  return 0;
}

int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor) ? 2 : 0; }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value) ? 2 : 0; }
void tss_delete(unsigned key) { pthread_key_delete(key); }
