// Duff's device and other cases in the middle of loops; a coroutine made of a switch.
#include <stdio.h>
static void copy(char *to, const char *from, int count) {
  int n = (count + 3) / 4;
  switch (count % 4) {
  case 0: do { *to++ = *from++;
  case 3:      *to++ = *from++;
  case 2:      *to++ = *from++;
  case 1:      *to++ = *from++;
          } while (--n > 0);
  }
}
static int next(void) {
  static int state, i, j;
  switch (state) {
    for (i = 0; i < 2; i++)
      for (j = 0; j < 3; j++) {
        state = 1;
        return i * 10 + j;
  case 1:;
      }
    state = 2;
  case 2: return -1;
  case 0: for (i = 5; i < 7; i++) { state = 3; return i * 100; case 3:; }
    state = 4;
  case 4: state = 1; i = 0; j = -1; return next();
  }
  return -2;
}
static int odd(int n) {
  int r = 0;
  switch (n & 1) while (n > 0) {
  case 1: r++; n--;
    if (n == 3) continue;
  case 0: r += 10; n -= 2;
  }
  return r;
}
int main(void) {
  for (int n = 1; n < 10; n++) {
    char buffer[12] = "...........";
    copy(buffer, "abcdefghij", n);
    puts(buffer);
  }
  for (int k = next(); k != -1; k = next()) printf("%d ", k);
  printf("\n%d %d %d %d\n", odd(1), odd(2), odd(6), odd(7));
  return next() + 1;
}
