/* Detached threads, in a program that detaches any. Joining one, or detaching it again, is undefined: glibc answers EINVAL as long as the thread runs, and nobody
   knows what follows later. Without this file, detaching changes nothing. */

static unsigned long __raddle_detached[64];
static unsigned __raddle_detachments;
/* How many detached threads are being started: whoever has a handle waits until it is noted. */
static unsigned __raddle_starting;

static _Bool __raddle_is_detached(unsigned long thread)
{
  __raddle_await_chosen(__raddle_starting == 0);
  for (unsigned i = 0; i < __raddle_detachments; i++)
    if (__raddle_detached[i] == thread)
      return 1;
  return 0;
}

/* Before a join. */
void __raddle_joins(unsigned long thread)
{
  __VERIFIER_atomic_begin();
  if (__raddle_is_detached(thread))
    __raddle_gap("joining a detached thread");
  __VERIFIER_atomic_end();
}

static void __raddle_note_detached(unsigned long thread)
{
  (void)__raddle_joins;
  if (__raddle_detachments == 64)
    __raddle_gap("more than 64 detached threads");
  __raddle_detached[__raddle_detachments++] = thread;
}

void __raddle_begin_detached(void)
{
  __VERIFIER_atomic_begin();
  __raddle_starting++;
  __VERIFIER_atomic_end();
}

void __raddle_end_detached(unsigned long thread)
{
  __VERIFIER_atomic_begin();
  __raddle_note_detached(thread);
  __raddle_starting--;
  __VERIFIER_atomic_end();
}

int pthread_detach(unsigned long thread)
{
  __VERIFIER_atomic_begin();
  if (__raddle_is_detached(thread))
    __raddle_gap("detaching a thread again");
  __raddle_note_detached(thread);
  __VERIFIER_atomic_end();
  return 0;
}

int thrd_detach(unsigned long thread) { return pthread_detach(thread); }
