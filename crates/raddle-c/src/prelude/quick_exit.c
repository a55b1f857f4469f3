/* `quick_exit` runs only the functions that are meant for it. */

static void (*__raddle_quick_handlers[32])(void);
static unsigned __raddle_quick_handler_count;

int at_quick_exit(void (*handler)(void))
{
  __VERIFIER_atomic_begin();
  if (__raddle_quick_handler_count == 32)
    __raddle_gap("more than 32 functions that run at a quick exit");
  __raddle_quick_handlers[__raddle_quick_handler_count++] = handler;
  __VERIFIER_atomic_end();
  return 0;
}

void quick_exit(int status)
{
  while (__raddle_quick_handler_count > 0)
    __raddle_quick_handlers[--__raddle_quick_handler_count]();
  _exit(status);
}
