/* <stdio.h>: reading characters, lines and blocks from streams. */

int fgetc(void *stream) { return __raddle_read(stream); }
int getc(void *stream) { return __raddle_read(stream); }
int fgetc_unlocked(void *stream) { return __raddle_read(stream); }
int getc_unlocked(void *stream) { return __raddle_read(stream); }
int getchar(void) { return __raddle_read(stdin); }
int getchar_unlocked(void) { return __raddle_read(stdin); }

/* Nothing is said about the line where an error occurs. */
char *fgets(char *line, int n, void *stream)
{
  int i = 0, c = 0;
  if (n <= 0)
    return 0;
  while (i + 1 < n && c != '\n') {
    c = __raddle_read(stream);
    if (c < 0)
      break;
    line[i] = c;
    i++;
  }
  if (c < 0 && (i == 0 || (ferror(stream) && __VERIFIER_nondet_bool())))
    return 0;
  line[i] = 0;
  return line;
}
char *fgets_unlocked(char *line, int n, void *stream) { return fgets(line, n, stream); }

char *gets(char *line)
{
  size_t i = 0;
  int c;
  while ((c = __raddle_read(stdin)) >= 0 && c != '\n')
    line[i++] = c;
  if (c < 0 && (i == 0 || (ferror(stdin) && __VERIFIER_nondet_bool())))
    return 0;
  line[i] = 0;
  return line;
}

size_t fread(void *data, size_t size, size_t count, void *stream)
{
  if (size == 0 || count == 0)
    return 0;
  size_t bytes = 0;
  __raddle_byte *to = data;
  while (bytes < size * count) {
    int c = __raddle_read(stream);
    if (c < 0)
      break;
    to[bytes] = c;
    bytes++;
  }
  return bytes / size;
}
size_t fread_unlocked(void *data, size_t size, size_t count, void *stream) { return fread(data, size, count, stream); }

int getw(void *stream)
{
  int word;
  return fread(&word, sizeof word, 1, stream) ? word : -1;
}

/* The line grows as it needs to. */
long getdelim(char **line, size_t *n, int last, void *stream)
{
  size_t i = 0;
  int c = -1;
  if (!line || !n) {
    __raddle_errno = 22;
    return -1;
  }
  if (!*line || *n == 0) {
    *n = 120;
    *line = realloc(*line, 120);
  }
  do {
    c = __raddle_read(stream);
    if (c < 0)
      break;
    if (i + 2 > *n) {
      *n = 2 * *n > i + 2 ? 2 * *n : i + 2;
      *line = realloc(*line, *n);
    }
    (*line)[i++] = c;
  } while (c != last);
  if (i == 0)
    return -1;
  (*line)[i] = 0;
  return i;
}
long __getdelim(char **line, size_t *n, int last, void *stream) { return getdelim(line, n, last, stream); }
long getline(char **line, size_t *n, void *stream) { return getdelim(line, n, '\n', stream); }
