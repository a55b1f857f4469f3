// A binary search tree and a hash table on the heap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct tree { int key; struct tree *child[2]; };
static struct tree *insert(struct tree *t, int key) {
  if (!t) { t = calloc(1, sizeof *t); t->key = key; }
  else if (key != t->key) t->child[key > t->key] = insert(t->child[key > t->key], key);
  return t;
}
static int height(const struct tree *t) { if (!t) return 0; int l = height(t->child[0]), r = height(t->child[1]); return 1 + (l > r ? l : r); }
static void visit(const struct tree *t, void (*f)(int, void *), void *data) {
  if (!t) return;
  visit(t->child[0], f, data);
  f(t->key, data);
  visit(t->child[1], f, data);
}
static void print(int key, void *data) { printf("%d ", key); ++*(int *)data; }
static struct tree *delete_min(struct tree *t, int *key) {
  if (!t->child[0]) { struct tree *rest = t->child[1]; *key = t->key; free(t); return rest; }
  t->child[0] = delete_min(t->child[0], key);
  return t;
}
static void destroy(struct tree *t) { if (t) { destroy(t->child[0]); destroy(t->child[1]); free(t); } }
struct entry { const char *word; int count; struct entry *next; };
static struct entry *buckets[7];
static struct entry *lookup(const char *word) {
  unsigned h = 0;
  for (const char *c = word; *c; c++) h = h * 31 + (unsigned char)*c;
  struct entry **b = &buckets[h % 7];
  for (struct entry *e = *b; e; e = e->next) if (!strcmp(e->word, word)) return e;
  struct entry *e = malloc(sizeof *e);
  *e = (struct entry){word, 0, *b};
  return *b = e;
}
int main(void) {
  struct tree *t = 0;
  int keys[] = {50, 30, 70, 20, 40, 60, 80, 30, 65, 10}, seen = 0, min = 0;
  for (int i = 0; i < 10; i++) t = insert(t, keys[i]);
  visit(t, print, &seen);
  printf("\n%d %d\n", seen, height(t));
  for (int i = 0; i < 3; i++) { t = delete_min(t, &min); printf("%d ", min); }
  printf("%d\n", height(t));
  destroy(t);
  const char *words[] = {"to", "be", "or", "not", "to", "be", "to"};
  for (int i = 0; i < 7; i++) lookup(words[i])->count++;
  printf("%d %d %d %d\n", lookup("to")->count, lookup("be")->count, lookup("not")->count, lookup("new")->count);
  return height(0);
}
