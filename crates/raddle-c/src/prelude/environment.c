/* What surrounds a program: signals and the environment. */

/* The sign of gamma, of `lgamma`. */
int signgam;
int *__raddle_signgam(void) { return &signgam; }

/* Signals end the program, but for those that are ignored, and those that stop it for a while. */
void __raddle_default_action(int signal)
{
  if (signal != 0 && signal != 17 && signal != 18 && !(signal >= 19 && signal <= 23) && signal != 28)
    _exit(128 + signal);
}

int raise(int signal)
{
  if (signal < 0 || signal > 64) {
    __raddle_errno = 22;
    return -1;
  }
  if (!__raddle_signal(signal))
    __raddle_default_action(signal);
  return 0;
}

int gsignal(int signal) { return raise(signal); }

void __VERIFIER_nondet_memory(void *memory, size_t n)
{
  __raddle_byte *m = memory;
  for (size_t i = 0; i < n; i++)
    m[i] = __VERIFIER_nondet_uchar();
}

/* Any string that fits. */
void __raddle_any_text(char *text, size_t n)
{
  for (size_t i = 0; i + 1 < n; i++)
    text[i] = __VERIFIER_nondet_uchar();
  text[n - 1] = 0;
}

/* ---- the environment: a variable has a short text or none where it is first asked for; from then on it is known ---- */

/* `text` is the program's own, of `putenv`. */
struct __raddle_variable { char *name, *value, *text; size_t length; };
static struct __raddle_variable __raddle_variables[32];
static int __raddle_variable_count;
static _Bool __raddle_cleared;

/* The one with this name, which is added if it is not known; `asked`: its value is wanted. */
static struct __raddle_variable *__raddle_variable(const char *name, size_t length, _Bool asked)
{
  struct __raddle_variable *v = __raddle_variables, *end = v + __raddle_variable_count;
  for (; v != end; v++) {
    if (v->text && (__raddle_string_order(v->text, v->name, v->length) || v->text[v->length] != '='))
      __raddle_gap("a variable of the environment that gets another name");
    if (v->length == length && !__raddle_string_order(v->name, name, length))
      return v;
  }
  if (__raddle_variable_count == 32)
    __raddle_gap("more than 32 variables of the environment");
  __raddle_variable_count++;
  v->name = memcpy(malloc(length + 1), name, length);
  v->length = length;
  v->value = v->text = 0;
  if (asked && !__raddle_cleared && __VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      __raddle_gap("a variable of the environment with more than 15 characters");
    v->value = malloc(16);
    __raddle_any_text(v->value, 16);
  }
  return v;
}

char *getenv(const char *name)
{
  if (!*name)
    return 0;
  if (strchr(name, '='))
    __raddle_gap("a variable of the environment with `=` in its name");
  __VERIFIER_atomic_begin();
  char *value = __raddle_variable(name, strlen(name), 1)->value;
  __VERIFIER_atomic_end();
  return value;
}

char *secure_getenv(const char *name) { return __VERIFIER_nondet_bool() ? getenv(name) : 0; }

static int __raddle_set_variable(const char *name, size_t length, char *value, char *text)
{
  __VERIFIER_atomic_begin();
  if (length == 2 && name[0] == 'T' && name[1] == 'Z')
    __raddle_sets_zone = 1;
  struct __raddle_variable *v = __raddle_variable(name, length, 0);
  v->value = value;
  v->text = text;
  __VERIFIER_atomic_end();
  return 0;
}

static int __raddle_is_no_name(const char *name)
{
  if (name && *name && !strchr(name, '='))
    return 0;
  __raddle_errno = 22;
  return 1;
}

int setenv(const char *name, const char *value, int overwrite)
{
  if (__raddle_is_no_name(name))
    return -1;
  if (!overwrite && getenv(name))
    return 0;
  size_t n = strlen(value) + 1;
  return __raddle_set_variable(name, strlen(name), memcpy(malloc(n), value, n), 0);
}

int unsetenv(const char *name)
{
  return __raddle_is_no_name(name) ? -1 : __raddle_set_variable(name, strlen(name), 0, 0);
}

/* The string becomes part of the environment: its value may change. */
int putenv(char *text)
{
  size_t length = 0;
  while (text[length] && text[length] != '=')
    length++;
  return text[length] ? __raddle_set_variable(text, length, text + length + 1, text) : unsetenv(text);
}

int clearenv(void)
{
  __VERIFIER_atomic_begin();
  __raddle_variable_count = 0;
  __raddle_cleared = __raddle_sets_zone = 1;
  __VERIFIER_atomic_end();
  return 0;
}

/* An option of a list `name,name=value,…`, which moves on behind it. */
int getsubopt(char **list, char *const *names, char **value)
{
  char *option = *list;
  size_t length = 0, name = 0;
  if (!*option)
    return -1;
  while (option[length] && option[length] != ',')
    length++;
  *list = option + length;
  if (option[length]) {
    option[length] = 0;
    ++*list;
  }
  while (option[name] && option[name] != '=')
    name++;
  for (int i = 0; names[i]; i++)
    if (!__raddle_string_order(names[i], option, name) && !names[i][name]) {
      *value = option[name] ? option + name + 1 : 0;
      return i;
    }
  *value = option;
  return -1;
}
