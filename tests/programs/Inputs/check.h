// What the programs that use the runtime's functions check: a call that must
// succeed, and a condition that must hold. The first that does not ends the
// program, with its line.
#ifndef CUFORT_TESTS_PROGRAMS_CHECK_H
#define CUFORT_TESTS_PROGRAMS_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

inline const char *wordsFor(cudaError_t status) {
  return cudaGetErrorString(status);
}

#define CHECK(call)                                                            \
  do {                                                                         \
    if (auto status = (call)) {                                                \
      std::printf("line %d: %s\n", __LINE__, wordsFor(status));                \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::printf("line %d: not %s\n", __LINE__, #condition);                  \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

#endif // CUFORT_TESTS_PROGRAMS_CHECK_H
