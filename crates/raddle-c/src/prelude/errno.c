/* <errno.h>. A part of its own: programs that do not look at errno need no memory for it. */

int *__errno_location(void) { return &__raddle_errno; }
