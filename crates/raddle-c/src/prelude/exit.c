/* Functions that run when the program ends by `exit` or by the end of `main`. */

static struct { void (*plain)(void); void (*with_status)(int, void *); void *argument; } __raddle_handlers[32];
static unsigned __raddle_handler_count;

void __raddle_run_handlers(int status)
{
  while (__raddle_handler_count > 0) {
    unsigned last = --__raddle_handler_count;
    if (__raddle_handlers[last].plain)
      __raddle_handlers[last].plain();
    else
      __raddle_handlers[last].with_status(status, __raddle_handlers[last].argument);
  }
}

static int __raddle_add_handler(void (*plain)(void), void (*with_status)(int, void *), void *argument)
{
  (void)__raddle_run_handlers;
  __VERIFIER_atomic_begin();
  if (__raddle_handler_count == 32)
    __raddle_gap("more than 32 functions that run at exit");
  __raddle_handlers[__raddle_handler_count].plain = plain;
  __raddle_handlers[__raddle_handler_count].with_status = with_status;
  __raddle_handlers[__raddle_handler_count].argument = argument;
  __raddle_handler_count++;
  __VERIFIER_atomic_end();
  return 0;
}

int atexit(void (*handler)(void)) { return __raddle_add_handler(handler, 0, 0); }
int on_exit(void (*handler)(int, void *), void *argument) { return __raddle_add_handler(0, handler, argument); }
