// printf: integer conversions with all flags, widths, precisions and length modifiers.
#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
int main(void) {
  printf("[%d] [%i] [%u] [%x] [%X] [%o]\n", -1, 42, 42u, 255, 255, 8);
  printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%+d]\n", 42, 42, 42, 42, 42, -42);
  printf("[%.3d] [%8.3d] [%-8.3d] [%08.3d] [%.0d] [%.0d]\n", 5, 5, -5, 5, 0, 1);
  printf("[%#x] [%#X] [%#o] [%#x] [%#o]\n", 255, 255, 8, 0, 0);
  printf("[%*d] [%-*d] [%.*d] [%*.*d] [%*d]\n", 6, 1, 6, 2, 3, 3, 8, 4, 5, -6, 7);
  printf("[%hhd] [%hhu] [%hd] [%hu]\n", 300, 300, 70000, 70000);
  printf("[%ld] [%lu] [%lld] [%llu] [%lx]\n", LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX, 1l << 40);
  printf("[%zu] [%zd] [%td] [%jd] [%ju]\n", sizeof(int), (ptrdiff_t)-3, (ptrdiff_t)-4, (intmax_t)-5, (uintmax_t)6);
  printf("[%" PRId8 "] [%" PRIu64 "] [%" PRIx32 "]\n", (int8_t)-8, (uint64_t)1 << 63, 0xabcdefu);
  printf("[%c] [%3c] [%-3c|] [%c%c]\n", 'a', 'b', 'c', 65, 66);
  printf("[%s] [%10s] [%-10s] [%.2s] [%10.3s] [%.0s]\n", "text", "right", "left", "cut", "truncated", "none");
  printf("[%*s] [%-*s] [%.*s] [%.*s]\n", 6, "a", 6, "b", 2, "cdef", -1, "all");
  printf("[%%] [100%%]\n");
  printf("[%+5d] [%-+5d] [%+05d] [% 05d] [%+ d]\n", 3, 3, 3, 3, 3);
  printf("[%#10x] [%#-10x] [%#010x] [%#.5x] [%#10.5o]\n", 0xbeef, 0xbeef, 0xbeef, 0xbe, 8);
  printf("[%x] [%u] [%d]\n", -1, -1, INT_MIN);
  printf("[%3d] [%2s] [%1c]\n", 123456, "longer", 'x');
  int n = printf("%s\n", "counted");
  printf("%d %d\n", n, printf(""));
  char empty[1] = "";
  printf("[%s] [%5s]\n", empty, empty);
  puts("puts ends the line");
  putchar('p'); putchar(256 + 'q'); putchar('\n');
  printf("%d%d%d %s%s\n", 1, 2, 3, "a", "b");
  printf("no newline at the end");
  return n;
}
