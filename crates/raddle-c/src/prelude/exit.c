/* Functions that run when the program ends by `exit` or by the end of `main`. */

static void (*__raddle_handlers[32])(void);
static unsigned __raddle_handler_count;

void __raddle_run_handlers(void)
{
  while (__raddle_handler_count > 0) {
    __raddle_handler_count--;
    __raddle_handlers[__raddle_handler_count]();
  }
}

int atexit(void (*handler)(void))
{
  (void)__raddle_run_handlers;
  __VERIFIER_atomic_begin();
  if (__raddle_handler_count == 32)
    __raddle_gap("more than 32 functions that run at exit");
  __raddle_handlers[__raddle_handler_count] = handler;
  __raddle_handler_count++;
  __VERIFIER_atomic_end();
  return 0;
}
