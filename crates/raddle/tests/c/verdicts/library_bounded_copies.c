// true
// expect: explore true, oc true, cegar true, auto true
// strlcpy and strlcat, also of wide characters: what they would have made, cut to the room there is.
#include <assert.h>
#include <stddef.h>
extern size_t strlcpy(char *, const char *, size_t), strlcat(char *, const char *, size_t);
extern size_t wcslcpy(wchar_t *, const wchar_t *, size_t), wcslcat(wchar_t *, const wchar_t *, size_t);
int main(void) {
  char a[4] = "???";
  assert(strlcpy(a, "x", 0) == 1 && a[0] == '?');
  assert(strlcpy(a, "ab", 4) == 2 && a[1] == 'b' && !a[2]);
  assert(strlcat(a, "cd", 4) == 4 && a[2] == 'c' && !a[3]);
  assert(strlcat(a, "ef", 2) == 4 && a[2] == 'c');
  wchar_t w[3] = {9, 9, 9};
  assert(wcslcpy(w, L"x", 0) == 1 && w[0] == 9);
  assert(wcslcpy(w, L"x", 3) == 1 && w[0] == L'x' && !w[1]);
  assert(wcslcat(w, L"yz", 3) == 3 && w[1] == L'y' && !w[2]);
  return 0;
}
