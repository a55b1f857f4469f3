typedef __SIZE_TYPE__ size_t;
typedef unsigned char __raddle_byte;

extern void __raddle_await(int);
/* The same where the program might have gone another way: there a thread that waits has not chosen this one. */
extern void __raddle_await_chosen(int);
extern unsigned long __raddle_self(void);
extern void __raddle_gap(const char *);
/* What may happen as well, and has no model. */
extern void __raddle_gap_beside(const char *);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern void _exit(int);
extern void __VERIFIER_assume(int);
extern void *malloc(size_t);
extern void free(void *);
extern size_t __raddle_object_size(void *);
extern int pthread_mutex_lock(void *);
extern int pthread_mutex_unlock(void *);
extern void *memcpy(void *, const void *, size_t);
extern size_t strlen(const char *);
extern char *strchr(const char *, int);
extern int strncmp(const char *, const char *, size_t);

/* A variable unless its address is taken, in `errno.c`. */
static __thread int __raddle_errno;

extern void __raddle_any_text(char *, size_t);

/* These do nothing where nothing is to be done: where there are no keys, nobody cancels, and no signal is handled. */
extern void __raddle_run_destructors(void);
extern void __raddle_thread_ends(void);
extern _Bool __raddle_signal(int);
extern void __raddle_once_begins(void);
extern void __raddle_once_ends(void);
extern void __raddle_cancel_point(void);
extern void __raddle_cancel_waiting(void *);
extern void __raddle_cancel_changed(void);
/* Whether a call of the system fails, with any error. */
extern int __raddle_fails(void);
/* A descriptor that was not open; `known`: the program met the file before. */
extern int __raddle_new_file(_Bool is_pipe, _Bool known);
extern void __raddle_close_file(int number);
extern _Bool __raddle_meet(const char *path);
extern void __raddle_files_move(void);
/* Files may have been removed. */
static _Bool __raddle_files_go;
/* The program has set the time zone. */
static _Bool __raddle_sets_zone;
/* Another number of the same sign. */
extern int __raddle_order(int);
extern int __raddle_string_order(const char *, const char *, size_t);
