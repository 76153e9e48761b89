// Loaded before a program: lets OpenBLAS take the processor for one that it
// does not know, unless it is told which it is, and says what it was told.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

char *getenv(const char *name) {
  char *(*next)(const char *) =
      (char *(*)(const char *))dlsym(RTLD_NEXT, "getenv");
  char *value = next(name);
  Dl_info caller;
  if (strcmp(name, "OPENBLAS_CORETYPE") != 0 ||
      !dladdr(__builtin_return_address(0), &caller) ||
      !strstr(caller.dli_fname, "openblas"))
    return value;
  fprintf(stderr, "OpenBLAS's processor: %s\n", value ? value : "unknown");
  return value ? value : "Prescott";
}
