/* The error of a call that failed: one of those that there are. */

void __raddle_set_any_error(void)
{
  __raddle_byte error = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(error > 0 && error < 134);
  __raddle_errno = error;
}
