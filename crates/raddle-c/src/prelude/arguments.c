/* The arguments of `main`: any strings. What is more than a few short ones is a gap. */

static char *__raddle_text(void)
{
  char *text = malloc(9);
  if (__VERIFIER_nondet_bool())
    __raddle_gap("an argument of `main` with more than 8 characters");
  text[8] = 0;
  return text;
}

char **__raddle_arguments(int count)
{
  if (count > 4)
    __raddle_gap("more than three arguments of `main`");
  char **arguments = malloc(5 * sizeof(char *));
  for (int i = 0; i < count; i++)
    arguments[i] = __raddle_text();
  arguments[count] = 0;
  return arguments;
}

char **__raddle_environment(void)
{
  __raddle_gap("the environment as an argument of `main`");
  return 0;
}
