// Types by machine mode.
#include <stdio.h>
typedef int i64 __attribute__((mode(DI)));
typedef unsigned u8 __attribute__((mode(QI)));
typedef int word __attribute__((mode(word)));
typedef float f64 __attribute__((mode(DF)));
int main(void) { i64 x = 1; x <<= 40; u8 c = 300; printf("%lld %d %d %d\n", (long long)x, c, (int)sizeof(word), (int)sizeof(f64)); return 0; }
