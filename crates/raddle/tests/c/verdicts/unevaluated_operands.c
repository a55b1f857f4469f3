// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// The operand of `sizeof` is evaluated if its type has a variable length, that of `_Alignof` never is.
#include <assert.h>
int main(void)
{
  int n = 2, a[n][n], i = 0;
  assert(_Alignof(int[i++]) == 4 && i == 0);
  assert(sizeof a[i] == 8 && sizeof(i++) == 4 && i == 0);
  unsigned long size = sizeof a[i++];
  assert(i == 0);
}
