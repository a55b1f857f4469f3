/* pthread_cleanup_push and pthread_cleanup_pop, and the end of a thread that has handlers.

   The macros of glibc have a buffer and a setjmp for each handler; where the jump arrives, the handler runs, and __pthread_unwind_next goes on to the
   next one. Of the buffer's words, setjmp uses the first four. A buffer whose function has returned is misuse: the jump to it ends the path. */

extern void __raddle_jump(void *, int);
extern void __raddle_exit_thread(void *);
extern int pthread_setcanceltype(int, int *);

/* The innermost buffer, and what joining the thread gives. */
static __thread void **__raddle_cleanups;
static __thread void *__raddle_result;
/* The thread is about to end: nothing cancels it any more. */
static __thread _Bool __raddle_ends;
static __thread unsigned __raddle_onces;

void __raddle_once_begins(void) { __raddle_onces++; }
void __raddle_once_ends(void) { __raddle_onces--; }

void __pthread_register_cancel(void **buffer)
{
  buffer[4] = __raddle_cleanups;
  __raddle_cleanups = buffer;
}

void __pthread_unregister_cancel(void **buffer)
{
  __raddle_cleanups = buffer[4];
}

void __pthread_register_cancel_defer(void **buffer)
{
  int old;
  __pthread_register_cancel(buffer);
  pthread_setcanceltype(0, &old);
  buffer[5] = (void *)(long)old;
}

void __pthread_unregister_cancel_restore(void **buffer)
{
  __pthread_unregister_cancel(buffer);
  pthread_setcanceltype((int)(long)buffer[5], 0);
}

void __pthread_unwind_next(void *buffer)
{
  void **next = __raddle_cleanups;
  if (next) {
    __raddle_cleanups = next[4];
    __raddle_jump(next, 1);
  }
  __raddle_exit_thread(__raddle_result);
}

void pthread_exit(void *result)
{
  /* A handler that calls it is misuse. */
  if (__raddle_ends)
    __builtin_unreachable();
  if (__raddle_onces)
    __raddle_gap("the end of a thread in `pthread_once`");
  __raddle_ends = 1;
  __raddle_result = result;
  __pthread_unwind_next(0);
}

void thrd_exit(int result) { pthread_exit((void *)(long)result); }
