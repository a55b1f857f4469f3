/* <locale.h>: the locale is "C". What others there are, and what they mean, is a gap. */

static char __raddle_locale_name[] = "C";

static _Bool __raddle_is_c(const char *name)
{
  return (name[0] == 'C' && !name[1])
         || (name[0] == 'P' && name[1] == 'O' && name[2] == 'S' && name[3] == 'I' && name[4] == 'X' && !name[5]);
}

/* Another locale may not be there. */
static _Bool __raddle_has_locale(const char *name, int error)
{
  if (__raddle_is_c(name))
    return 1;
  if (!__VERIFIER_nondet_bool())
    __raddle_gap("a locale other than \"C\"");
  __raddle_errno = error;
  return 0;
}

char *setlocale(int category, const char *name)
{
  if (category < 0 || category > 12) {
    __raddle_errno = 22;
    return 0;
  }
  return !name || __raddle_has_locale(name, 2) ? __raddle_locale_name : 0;
}

/* Texts, then numbers; those that there are not are the largest character. */
struct __raddle_conventions { char *texts[10]; char numbers[14]; };

void *localeconv(void)
{
  static struct __raddle_conventions conventions = {{".", "", "", "", "", "", "", "", "", ""}, {[0 ... 13] = 127}};
  return &conventions;
}

/* What the macros of <ctype.h> look into. */
extern const unsigned short **__ctype_b_loc(void);
extern const int **__ctype_tolower_loc(void);
extern const int **__ctype_toupper_loc(void);
static struct {
  void *parts[13];
  const unsigned short *classes;
  const int *small, *capital;
  const char *names[13];
} __raddle_c_locale;
static __thread void *__raddle_used_locale = (void *)-1;

void *newlocale(int mask, const char *name, void *base)
{
  if (!name) {
    __raddle_errno = 22;
    return 0;
  }
  if (!__raddle_has_locale(name, 2))
    return 0;
  __raddle_c_locale.classes = *__ctype_b_loc();
  __raddle_c_locale.small = *__ctype_tolower_loc();
  __raddle_c_locale.capital = *__ctype_toupper_loc();
  return &__raddle_c_locale;
}

void *duplocale(void *locale) { return &__raddle_c_locale; }
void freelocale(void *locale) { }

void *uselocale(void *locale)
{
  void *used = __raddle_used_locale;
  if (locale)
    __raddle_used_locale = locale;
  return used;
}
