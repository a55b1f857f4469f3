/* Calls of the system that may fail at any time. */

/* Only where the program looks at errno. */
extern void __raddle_set_any_error(void) __attribute__((weak));

int __raddle_fails(void)
{
  if (!__VERIFIER_nondet_bool())
    return 0;
  if (__raddle_set_any_error)
    __raddle_set_any_error();
  return 1;
}
