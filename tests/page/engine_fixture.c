// A stand-in for the engine, with its interface (loopsim_run in a WASI reactor), which does what a test asks for.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;

// Needs no stack in memory, so that the host's own ends.
static int deep(int level);
static int (*volatile deeper)(int) = deep;
static int deep(int level) { return deeper(level + 1) + level; }

static int copy(const char* from, const char* to, int piece) {
  char buffer[4096];
  char partial[256];
  snprintf(partial, sizeof partial, "%s.partial", to);
  FILE* const input = fopen(from, "rb");
  FILE* const output = fopen(partial, "wb");
  if (input == NULL || output == NULL) return 4;
  for (size_t size; (size = fread(buffer, 1, (size_t)piece, input)) > 0;)
    if (fwrite(buffer, 1, size, output) != size || fflush(output) != 0) return 4;
  fclose(input);
  if (fclose(output) != 0) return 4;
  return rename(partial, to) == 0 ? 0 : 4;
}

// Whether a program begins with the comment that asks for this.
static int is_deep(const char* name) {
  char text[8] = "";
  FILE* const file = fopen(name, "rb");
  if (file == NULL) return 0;
  const size_t size = fread(text, 1, sizeof text, file);
  fclose(file);
  return size >= 7 && memcmp(text, "//deep\n", 7) == 0;
}

int loopsim_run(int argc, char** argv) {
  ++calls;
  const char* const command = argc > 0 ? argv[0] : "";
  if (strcmp(command, "echo") == 0) {
    for (int i = 1; i < argc; ++i) puts(argv[i]);
    fflush(stdout);
    fprintf(stderr, "call %d, end %d\n", calls, argv[argc] == NULL);
    return argc - 1;
  }
  if (strcmp(command, "copy") == 0 && argc == 4) return copy(argv[1], argv[2], atoi(argv[3]));
  if (strcmp(command, "exit") == 0 && argc == 2) exit(atoi(argv[1]));
  if (strcmp(command, "trap") == 0) __builtin_trap();
  if (strcmp(command, "run") == 0 && argc > 1 && is_deep(argv[1])) return deep(0);
  if (strcmp(command, "run") == 0) fprintf(stderr, "%s:2:3: error: said by the stand-in, call %d\n", argv[1], calls);
  return 2;
}
