struct point { int x, y; };
typedef struct { double d; char tag[4]; } box;
union value { int i; float f; };
struct list { int n; struct list *next; };
struct point move(struct point p, int by) { p.x += by; p.y -= by; return p; }
box wrap(double d) { box b = {d, "box"}; return b; }
double unwrap(const box *b) { return b->d * 2; }
union value as_float(float f) { return (union value){.f = f}; }
int total(const struct list *l) { return l ? l->n + total(l->next) : 0; }
struct point (*mover(void))(struct point, int) { return move; }
