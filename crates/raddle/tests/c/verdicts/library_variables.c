// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// Variables of the C library have values that no model knows.
#include <assert.h>
#include <unistd.h>
int main(int argc, char **argv)
{
  if (argc > 3)
    assert(optind == 1);
}
