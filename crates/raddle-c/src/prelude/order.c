/* Of what comparing functions return, C promises the sign alone. Libraries give the difference, compilers ±1: one of two numbers, so that nothing else can be proved. */

int __raddle_order(int difference)
{
  if (difference == 0 || __VERIFIER_nondet_bool())
    return difference;
  if (difference > 0)
    return difference == 1 ? 2147483647 : 1;
  return difference == -1 ? -2147483647 : -1;
}
