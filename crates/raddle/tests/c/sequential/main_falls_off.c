// main without a return statement returns 0; main may call itself; its parameters are there.
#include <stdio.h>
int main(int argc, char **argv) {
  static int depth;
  if (argv == 0) { depth++; if (argc < 3) main(argc + 1, 0); return 55; }
  printf("%d %d\n", argc, argv[argc] == 0);
  printf("%d ", main(0, 0));
  printf("%d\n", depth);
}
