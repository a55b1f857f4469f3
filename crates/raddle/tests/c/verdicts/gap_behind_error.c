// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
// The error lies behind the call.
#include <assert.h>
#include <unistd.h>

int main(void)
{
  int x = fork();
  assert(x != 3);
}
