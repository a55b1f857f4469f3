/* Where things are: static variables by the executable's own symbol table, lines by the table `NAME.lines` beside it, which the build makes. */
#include "raddle_runtime.h"
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);

uintptr_t *raddle_bases;
size_t *raddle_sizes;

static struct { uintptr_t pc; char *file; int line; } *places;
static size_t place_count;
static uintptr_t error_functions[16];
static int error_function_count;

extern char __data_start[], _end[];

int raddle_is_static(uintptr_t address) { return address >= (uintptr_t)__data_start && address < (uintptr_t)_end; }

/* `name`, or `name.7` for a static variable of a function. */
static int is_named(const char *symbol, const char *name)
{
  size_t length = strlen(name);
  if (strncmp(symbol, name, length) != 0)
    return 0;
  if (symbol[length] == 0)
    return 1;
  return symbol[length] == '.' && symbol[length + 1 + strspn(symbol + length + 1, "0123456789")] == 0;
}

static void found_variable(const char *name, const ElfW(Sym) *symbol)
{
  for (int i = 0; i < raddle_object_count; i++) {
    if (raddle_objects[i].storage != RADDLE_STATIC || !is_named(name, raddle_objects[i].name))
      continue;
    /* Two of one name: accesses will tell. */
    raddle_bases[i] = raddle_bases[i] ? 1 : symbol->st_value;
    raddle_sizes[i] = symbol->st_size;
  }
}

static void read_table(const char *file, const ElfW(Shdr) *sections, const ElfW(Shdr) *table)
{
  const ElfW(Sym) *symbols = (const void *)(file + table->sh_offset);
  const char *names = file + sections[table->sh_link].sh_offset;
  int is_ours = 0;
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
    const char *name = names + symbols[i].st_name;
    int type = symbols[i].st_info & 15;
    if (type == STT_FILE)
      is_ours = strncmp(name, "raddle_", 7) == 0;
    if (is_ours && symbols[i].st_info >> 4 == STB_LOCAL)
      continue;
    if (type == STT_OBJECT && symbols[i].st_shndx != SHN_UNDEF)
      found_variable(name, &symbols[i]);
    if (type == STT_FUNC && symbols[i].st_shndx != SHN_UNDEF && error_function_count < 16
        && (is_named(name, "reach_error") || is_named(name, "__VERIFIER_error")))
      error_functions[error_function_count++] = symbols[i].st_value;
  }
}

static void read_lines(void)
{
  char path[4096], line[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
  if (length <= 0)
    return;
  strcpy(path + length, ".lines");
  FILE *in = fopen(path, "r");
  size_t room = 0;
  while (in && fgets(line, sizeof line, in)) {
    char *rest;
    uintptr_t pc = strtoull(line, &rest, 16);
    char *colon = strrchr(rest, ':');
    if (!colon || *rest != ' ')
      continue;
    *colon = 0;
    if (place_count == room)
      places = __real_realloc(places, (room = 2 * room + 1024) * sizeof *places);
    char *base = strrchr(rest, '/');
    places[place_count].pc = pc;
    places[place_count].file = place_count && strcmp(places[place_count - 1].file, base ? base + 1 : rest + 1) == 0
      ? places[place_count - 1].file : strdup(base ? base + 1 : rest + 1);
    places[place_count++].line = atoi(colon + 1);
  }
  if (in)
    fclose(in);
}

void raddle_read_symbols(void)
{
  raddle_bases = __real_calloc(raddle_object_count + 1, sizeof *raddle_bases);
  raddle_sizes = __real_calloc(raddle_object_count + 1, sizeof *raddle_sizes);
  struct stat status;
  int fd = open("/proc/self/exe", O_RDONLY);
  if (fd < 0 || fstat(fd, &status) != 0)
    return;
  const char *file = mmap(0, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (file == MAP_FAILED)
    return;
  const ElfW(Ehdr) *header = (const void *)file;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++)
    if (sections[i].sh_type == SHT_SYMTAB)
      read_table(file, sections, &sections[i]);
  for (int i = 0; i < raddle_object_count; i++)
    if (raddle_bases[i] == 1)
      raddle_bases[i] = raddle_sizes[i] = 0;
  munmap((void *)file, status.st_size);
  read_lines();
}

int raddle_line(void *pc, const char **file)
{
  size_t low = 0, high = place_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (places[middle].pc < (uintptr_t)pc)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == place_count || places[low].pc != (uintptr_t)pc)
    return 0;
  *file = places[low].file;
  return places[low].line;
}

int raddle_stands_at(void *pc, int file, int line)
{
  const char *in = 0, *name = raddle_files[file], *base = strrchr(name, '/');
  int at = raddle_line(pc, &in);
  return at == 0 || line == 0 || (at == line && strcmp(in, base ? base + 1 : name) == 0);
}

int raddle_is_error_function(void *function)
{
  for (int i = 0; i < error_function_count; i++)
    if (error_functions[i] == (uintptr_t)function)
      return 1;
  return 0;
}
