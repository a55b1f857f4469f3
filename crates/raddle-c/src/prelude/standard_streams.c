/* <stdio.h>: what a stream remembers, and the three that are open. A part of its own: most programs do nothing with them but print. */

struct __raddle_file { _Bool end, error; __raddle_byte pushed, back[8]; int number; unsigned depth; unsigned long owner; };

static struct __raddle_file __raddle_standard[3];
void *stdin = &__raddle_standard[0];
void *stdout = &__raddle_standard[1];
void *stderr = &__raddle_standard[2];
