// Bytes of objects seen through other types: char pointers, unions, memcpy, structs over arrays.
#include <stdio.h>
#include <string.h>
#include <stdint.h>
struct header { uint8_t kind, flags; uint16_t length; uint32_t id; };
union word { uint32_t u; struct { uint8_t b0, b1, b2, b3; }; uint16_t h[2]; float f; };
static unsigned checksum(const void *p, size_t n) {
  const unsigned char *c = p;
  unsigned s = 0;
  while (n--) s = s * 31 + *c++;
  return s;
}
int main(void) {
  int x = 0x01020304;
  char *c = (char *)&x;
  printf("%d %d\n", c[0], c[3]);
  c[1] = -1;
  *(short *)(c + 2) = 0x7fff;
  printf("%x\n", x);
  unsigned char raw[8] = {1, 2, 0x34, 0x12, 0xef, 0xbe, 0xad, 0xde};
  struct header h;
  memcpy(&h, raw, sizeof h);
  printf("%d %d %x %x\n", h.kind, h.flags, h.length, h.id);
  struct header *over = (struct header *)raw;
  over->length++;
  printf("%x %x\n", raw[2], checksum(raw, sizeof raw));
  union word w = {.f = -1.5f};
  printf("%x %x %x %x\n", w.u, w.b3, w.h[1], w.h[0]);
  w.b3 ^= 0x80;
  printf("%g\n", w.f);
  double d = 3.25;
  uint64_t bits;
  memcpy(&bits, &d, 8);
  bits += 1ull << 52;
  memcpy(&d, &bits, 8);
  printf("%g\n", d);
  float f = 2.0f;
  printf("%x\n", *(unsigned *)&f);
  long long ll = -2;
  int *parts = (int *)&ll;
  printf("%d %d\n", parts[0], parts[1]);
  parts[1] = 0;
  printf("%lld\n", ll);
  int *pointers[2] = {&x, 0}, *copy;
  memcpy(&copy, pointers, sizeof copy);
  *copy = 9;
  unsigned char bytes[sizeof(int *)];
  memcpy(bytes, &copy, sizeof copy);
  int *again;
  memcpy(&again, bytes, sizeof again);
  ++*again;
  return x;
}
