/* Descriptors of files. A new one is the lowest number that is free. Those below 3 are open when the program starts, and so are any others: all numbers below `top` are
   known to be open or free; what is open from the start beyond is not known.

   `no_input` and `no_output` say how a file was opened. `at` is the position unless it is `lost`. What is read from a `known` file is determined by what the program did before, and so is what comes out of a pipe: gaps. */

enum { __raddle_closed, __raddle_open, __raddle_free };
struct __raddle_descriptor { int number; __raddle_byte state; _Bool is_pipe, known, lost, sized, was_read, no_input, no_output; long at; };
static struct __raddle_descriptor __raddle_files[8];
static int __raddle_top = 3;
/* One end of a pipe was closed. */
_Bool __raddle_broken;
/* A number was closed that was open from the start, above those that are known. */
static _Bool __raddle_any_number;

struct __raddle_descriptor *__raddle_file(int number)
{
  for (int i = 0; i < 8; i++)
    if (__raddle_files[i].state == __raddle_open && __raddle_files[i].number == number)
      return &__raddle_files[i];
  return 0;
}

_Bool __raddle_is_free(int number)
{
  _Bool is_free = 0;
  __VERIFIER_atomic_begin();
  for (int i = 0; i < 8; i++)
    is_free |= __raddle_files[i].state == __raddle_free && __raddle_files[i].number == number;
  __VERIFIER_atomic_end();
  return is_free;
}

static struct __raddle_descriptor *__raddle_entry(int number)
{
  int i = 0;
  while (i < 8 && !(__raddle_files[i].state == __raddle_free && __raddle_files[i].number == number))
    i++;
  if (i == 8)
    for (i = 0; i < 8 && __raddle_files[i].state != __raddle_closed; i++)
      ;
  if (i == 8)
    __raddle_gap("more than eight descriptors");
  __raddle_files[i].number = number;
  return &__raddle_files[i];
}

void __raddle_open_file(int number, _Bool is_pipe, _Bool known)
{
  struct __raddle_descriptor *file = __raddle_entry(number);
  file->state = __raddle_open;
  file->is_pipe = is_pipe;
  file->known = known;
  file->lost = file->sized = file->was_read = file->no_input = file->no_output = 0;
  file->at = 0;
  if (number >= __raddle_top)
    __raddle_any_number = 1;
}

static int __raddle_lowest(void)
{
  int lowest = -1;
  for (int i = 0; i < 8; i++)
    if (__raddle_files[i].state == __raddle_free && (lowest < 0 || __raddle_files[i].number < lowest))
      lowest = __raddle_files[i].number;
  return lowest;
}

int __raddle_new_file(_Bool is_pipe, _Bool known)
{
  __VERIFIER_atomic_begin();
  int number = __raddle_any_number ? -1 : __raddle_lowest();
  if (number < 0) {
    number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= (__raddle_any_number ? 0 : __raddle_top) && number < 1048576 && !__raddle_file(number));
    __VERIFIER_assume(number > 2 || __raddle_is_free(number));
    if (number >= __raddle_top)
      __raddle_top = number + 1;
  }
  __raddle_open_file(number, is_pipe, known);
  __VERIFIER_atomic_end();
  return number;
}

void __raddle_close_file(int number)
{
  __VERIFIER_atomic_begin();
  struct __raddle_descriptor *file = __raddle_file(number);
  if (!file && number < __raddle_top)
    file = __raddle_entry(number);
  __raddle_broken |= file && file->is_pipe;
  if (file)
    file->state = __raddle_free;
  else
    __raddle_any_number = 1;
  __VERIFIER_atomic_end();
}
