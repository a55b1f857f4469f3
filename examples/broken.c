// Not C: what an error message looks like.
int main(void) {
  int x = 3
  return x;
}
