// printf: corners of flags, widths, precisions and lengths.
#include <stdio.h>
int main(void) {
  printf("%c|%c\n", 'a', 0);
  printf("%5c|%-5c|\n", 'a', 'b');
  printf("%hhx %hx %#hhx\n", -1, -1, 255);
  printf("%+.3e %-12.4g| %012.3f\n", 12345.678, 0.00012345, -3.14159);
  printf("%'d\n", 1234567);
  printf("%-08d|%+-8d|% -8d|\n", 5, 6, 7);
  printf("%.10d|%.10x|%#.10x|%10.5s|\n", -42, 42, 42, "abcdefgh");
  printf("%lu %lo %lX\n", 1ul << 40, 1ul << 40, 1ul << 40);
  printf("%zx %jx %tx\n", (size_t)255, (long)255, (long)255);
  printf("%%|%c%%\n", 'x');
  printf("%i %u\n", -5, -5);
  printf("%g %g %g %g %g\n", 1e15, 1e16, 1e17, 123456789.0, 0.0001);
  printf("%.15g %.16g %.17g\n", 0.3, 0.3, 0.3);
  printf("%#o %#x %#.0f %#g\n", 0, 0, 1.0, 1.0);
  printf("%.0e %.1e\n", 15.0, 0.95);
  printf("%5.1f|%-7.2f|%07.2f|% f|%+f\n", 1.25, 1.255, -1.5, 1.0, 1.0);
  printf("%a %A %.5a\n", 0.1, 1e-320, 3.0);
  printf("%s %s\n", "embedded\0nul", "");
  return 0; }
