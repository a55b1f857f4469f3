/* setjmp and longjmp: out of nested calls, recursion, callbacks and loops, with buffers in structs, copies and arrays. */
#include <stdio.h>
#include <setjmp.h>
#include <string.h>
#include <stdlib.h>
static jmp_buf env;
static void deep(int n) { if (n == 0) longjmp(env, 42); deep(n - 1); printf("never\n"); }
static int simple(void) { int r = setjmp(env); if (r == 0) { deep(5); } return r; }
static int zero(void) { switch (setjmp(env)) { case 0: longjmp(env, 0); case 1: return 1; default: return 2; } }
static int loop(void) { volatile int i = 0; if (setjmp(env) < 5) { i++; longjmp(env, i); } return i; }
struct holder { int before; jmp_buf where; int after; };
static void leave(struct holder *h) { h->after = 9; longjmp(h->where, 3); }
static int member(void) { static struct holder h; h.before = 1; if (!setjmp(h.where)) leave(&h); return h.before * 100 + h.after; }
static int copied(void) {
  static jmp_buf a, b;
  int r = setjmp(a);
  if (r == 0) { memcpy(b, a, sizeof a); longjmp(b, 7); }
  return r;
}
static jmp_buf nest[3];
static void inner(volatile int *log) {
  if (setjmp(nest[1]) == 0) { *log = *log * 10 + 1; longjmp(nest[1], 1); }
  *log = *log * 10 + 2;
  longjmp(nest[0], 1);
}
static int nested(void) { static volatile int log; if (setjmp(nest[0]) == 0) inner(&log); log = log * 10 + 3; return log; }
static int rec(int n) {
  jmp_buf mine; volatile int k = n;
  if (setjmp(mine)) return k * 1000;
  if (n == 0) return 0;
  int below = rec(n - 1);
  if (n == 2) longjmp(mine, 1);
  return below + 1;
}
static int many(void) {
  static jmp_buf at[3]; static int visits; static int i;
  for (i = 0; i < 3; i++) if (setjmp(at[i])) { visits += 10; goto done; }
  visits++;
  longjmp(at[0], 1);
done: return visits * 10 + i;
}
static void byptr(void (*f)(int), int n) { f(n); printf("no\n"); }
static void thrower(int n) { longjmp(env, n + 1); }
static int pointer(void) { int r = setjmp(env); if (!r) byptr(thrower, 4); return r; }
static int cmp(const void *a, const void *b) { if (*(int*)a == 3) longjmp(env, 33); return *(int*)a - *(int*)b; }
static int sort(void) { int v[4] = {1, 3, 2, 0}; int r = setjmp(env); if (r == 0) qsort(v, 4, sizeof *v, cmp); return r; }
static int sig(void) { static sigjmp_buf s; int r = sigsetjmp(s, 1); if (!r) siglongjmp(s, 6); return r; }
static int loopset(void) { static int tries; volatile int ok = 0; while (tries < 3) { if (setjmp(env) == 0) { tries++; if (tries < 3) longjmp(env, tries); ok = tries; } } return ok * 10 + tries; }
struct rec2 { int a[3]; };
static struct rec2 make(int n) { struct rec2 r = {{n, n, n}}; if (n == 2) longjmp(env, 5); return r; }
static int record(void) { volatile int sum = 0; int r = setjmp(env); if (r) return sum * 10 + r; for (int i = 0; i < 4; i++) sum += make(i).a[1]; return -1; }
int main(void) {
  printf("%d %d %d %d %d\n", simple(), zero(), loop(), member(), copied());
  printf("%d %d %d %d %d\n", nested(), rec(3), many(), pointer(), sort());
  printf("%d %d %d\n", sig(), loopset(), record());
  return 0;
}
