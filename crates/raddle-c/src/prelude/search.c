/* <search.h>: trees and the hash table. A tree is a list here: nobody can ask for its shape but `twalk`, which is a gap. */

struct __raddle_node { const void *key; struct __raddle_node *next; };

/* The link that leads to a key, or the last one. */
static struct __raddle_node **__raddle_link(const void *key, void **root, int (*compare)(const void *, const void *))
{
  struct __raddle_node **link = (struct __raddle_node **)root;
  while (*link && compare(key, (*link)->key) != 0)
    link = &(*link)->next;
  return link;
}

void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
  if (!root)
    return 0;
  struct __raddle_node **link = __raddle_link(key, root, compare);
  if (!*link) {
    *link = malloc(sizeof **link);
    (*link)->key = key;
    (*link)->next = 0;
  }
  return *link;
}

void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *))
{
  return root ? *__raddle_link(key, (void **)root, compare) : 0;
}

/* What the parent is depends on the shape: it may not be looked at. */
void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *))
{
  static char parent;
  struct __raddle_node **link = root ? __raddle_link(key, root, compare) : 0, *node = link ? *link : 0;
  if (!node)
    return 0;
  *link = node->next;
  free(node);
  return &parent;
}

/* One table, for as many entries as was asked for. */
struct entry { char *key; void *data; };
static struct entry *__raddle_table;
static size_t __raddle_table_size, __raddle_table_used;

int hcreate(size_t n)
{
  if (__raddle_table)
    return 0;
  __raddle_table = malloc((n + 1) * sizeof *__raddle_table);
  __raddle_table_size = n;
  __raddle_table_used = 0;
  return 1;
}

void hdestroy(void)
{
  free(__raddle_table);
  __raddle_table = 0;
}

struct entry *hsearch(struct entry entry, int enter)
{
  for (size_t i = 0; i < __raddle_table_used; i++)
    if (!__raddle_string_order(__raddle_table[i].key, entry.key, -1))
      return &__raddle_table[i];
  if (!enter) {
    __raddle_errno = 3;
    return 0;
  }
  if (__raddle_table_used == __raddle_table_size)
    __raddle_gap("more entries of a hash table than was asked for");
  __raddle_table[__raddle_table_used] = entry;
  return &__raddle_table[__raddle_table_used++];
}
