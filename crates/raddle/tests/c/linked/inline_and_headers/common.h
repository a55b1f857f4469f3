#ifndef COMMON_H
#define COMMON_H
#define LIMIT 10
static inline int clamp(int x) { return x > LIMIT ? LIMIT : x < 0 ? 0 : x; }
static int per_file;
extern int shared;
int count(void);
struct stack { int n, items[LIMIT]; };
void push(struct stack *s, int x);
#endif
