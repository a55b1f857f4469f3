int counter;
int ready = 42;
struct config { int level; char name[8]; } config = {7, "set"};
extern int numbers[];
void touch(void) { counter *= 10; numbers[0] = numbers[3] = 6; }
