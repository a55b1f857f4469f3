/* What gcc's -fsanitize=thread and -finstrument-functions call. */
#include "raddle_runtime.h"

#define PC __builtin_return_address(0)

void __tsan_init(void) { raddle_begin(); }
void __tsan_func_entry(void *caller) { raddle_point(-1, 0, 0, PC); }
void __tsan_func_exit(void) { raddle_point(-1, 0, 0, PC); }

/* Memory that was never written has the recorded value, from the first read on. */
static void read(unsigned char *at, size_t size, void *pc)
{
  unsigned long long value;
  size_t i = 0;
  raddle_point(RADDLE_READ, at, size, pc);
  if (!raddle_has_uninitialised || size > 8)
    return;
  while (i < size && at[i] == RADDLE_NOTHING)
    i++;
  if (i == size && raddle_recorded(RADDLE_UNWRITTEN, size, pc, &value))
    for (i = 0; i < size; i++)
      at[i] = value >> 8 * i;
}

void __tsan_vptr_read(void **at) { read((void *)at, sizeof *at, PC); }
void __tsan_read_range(void *at, size_t size) { read(at, size, PC); }
void __tsan_vptr_update(void **at, void *value) { raddle_point(RADDLE_WRITE, at, sizeof *at, PC); }
void __tsan_write_range(void *at, size_t size) { raddle_point(RADDLE_WRITE, at, size, PC); }

#define ACCESS(size) \
  void __tsan_read##size(void *at) { read(at, size, PC); } \
  void __tsan_write##size(void *at) { raddle_point(RADDLE_WRITE, at, size, PC); } \
  void __tsan_unaligned_read##size(void *at) { read(at, size, PC); } \
  void __tsan_unaligned_write##size(void *at) { raddle_point(RADDLE_WRITE, at, size, PC); } \
  void __tsan_volatile_read##size(void *at) { read(at, size, PC); } \
  void __tsan_volatile_write##size(void *at) { raddle_point(RADDLE_WRITE, at, size, PC); } \
  void __tsan_unaligned_volatile_read##size(void *at) { read(at, size, PC); } \
  void __tsan_unaligned_volatile_write##size(void *at) { raddle_point(RADDLE_WRITE, at, size, PC); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

/* Atomic operations happen here: one thread runs at a time, and the compiler must not take them apart. */
#define UPDATE(bits, type, name, expression) \
  type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) \
  { \
    raddle_point(RADDLE_UPDATE, (void *)at, sizeof(type), PC); \
    type old = *at; \
    *at = expression; \
    return old; \
  }
/* A weak exchange that only read in the recording failed, whatever the value. */
#define COMPARE(bits, type, name, is_weak) \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected, type value, int order, int failed) \
  { \
    const struct raddle_event *event = raddle_point(RADDLE_UPDATE, (void *)at, sizeof(type), PC); \
    type old = *at; \
    if (old == *expected && !(is_weak && event && event->kind == RADDLE_READ)) { \
      *at = value; \
      return 1; \
    } \
    *expected = old; \
    return 0; \
  }
#define ATOMIC(bits, type) \
  type __tsan_atomic##bits##_load(const volatile type *at, int order) \
  { \
    raddle_point(RADDLE_UPDATE, (const void *)at, sizeof(type), PC); \
    return *at; \
  } \
  void __tsan_atomic##bits##_store(volatile type *at, type value, int order) \
  { \
    raddle_point(RADDLE_UPDATE, (void *)at, sizeof(type), PC); \
    *at = value; \
  } \
  UPDATE(bits, type, exchange, value) \
  UPDATE(bits, type, fetch_add, old + value) \
  UPDATE(bits, type, fetch_sub, old - value) \
  UPDATE(bits, type, fetch_and, old & value) \
  UPDATE(bits, type, fetch_or, old | value) \
  UPDATE(bits, type, fetch_xor, old ^ value) \
  UPDATE(bits, type, fetch_nand, ~(old & value)) \
  COMPARE(bits, type, strong, 0) \
  COMPARE(bits, type, weak, 1) \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, int order, int failed) \
  { \
    raddle_point(RADDLE_UPDATE, (void *)at, sizeof(type), PC); \
    type old = *at; \
    if (old == expected) \
      *at = value; \
    return old; \
  }
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned)
ATOMIC(64, unsigned long long)
#ifdef __SIZEOF_INT128__
ATOMIC(128, unsigned __int128)
#endif

void __tsan_atomic_thread_fence(int order) { }
void __tsan_atomic_signal_fence(int order) { }

void __cyg_profile_func_enter(void *function, void *caller)
{
  if (raddle_is_error_function(function))
    raddle_error_called(caller);
  raddle_point(-1, 0, 0, PC);
}

void __cyg_profile_func_exit(void *function, void *caller) { raddle_point(-1, 0, 0, PC); }

/* `uninitialised.awk` puts calls of these where automatic variables are declared without a value, in the middle of whatever the compiler keeps in registers. */
void raddle_set_uninitialised(unsigned char *at, size_t size, void *pc)
{
  unsigned long long value;
  if (raddle_recorded(RADDLE_UNINITIALISED, size, pc, &value))
    for (size_t i = 0; i < size; i++)
      at[i] = value >> 8 * i;
}

#if defined __x86_64__
#define STUB(size) \
  __asm__(".text\n.globl raddle_uninitialised" #size "\nraddle_uninitialised" #size ":\n" \
    "pushfq\n pushq %rax\n pushq %rcx\n pushq %rdx\n pushq %rsi\n pushq %r8\n pushq %r9\n pushq %r10\n pushq %r11\n pushq %rbp\n" \
    "movq %rsp, %rbp\n subq $64, %rsp\n andq $-16, %rsp\n" \
    "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n" \
    "movq $" #size ", %rsi\n movq 80(%rbp), %rdx\n call raddle_set_uninitialised\n" \
    "movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n" \
    "movq %rbp, %rsp\n popq %rbp\n popq %r11\n popq %r10\n popq %r9\n popq %r8\n popq %rsi\n popq %rdx\n popq %rcx\n popq %rax\n popfq\n ret\n");
STUB(1) STUB(2) STUB(4) STUB(8)
#elif defined __i386__
#define STUB(size) \
  __asm__(".text\n.globl raddle_uninitialised" #size "\nraddle_uninitialised" #size ":\n" \
    "pushfl\n pushal\n movl %esp, %ebp\n subl $16, %esp\n andl $-16, %esp\n" \
    "movl %eax, (%esp)\n movl $" #size ", 4(%esp)\n movl 36(%ebp), %eax\n movl %eax, 8(%esp)\n call raddle_set_uninitialised\n" \
    "movl %ebp, %esp\n popal\n popfl\n ret\n");
STUB(1) STUB(2) STUB(4) STUB(8)
#endif
