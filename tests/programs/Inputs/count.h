// What programs check that test many things: a condition that must hold. The
// first ones that do not are printed with their lines, and all are counted.
#ifndef CUFORT_TESTS_PROGRAMS_COUNT_H
#define CUFORT_TESTS_PROGRAMS_COUNT_H

#include <cstdio>

static int bad = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition) && ++bad < 20)                                            \
      std::printf("line %d: %s\n", __LINE__, #condition);                      \
  } while (0)

// A call of the runtime's that must succeed.
#define OK(call) CHECK((call) == cudaSuccess)

#endif // CUFORT_TESTS_PROGRAMS_COUNT_H
