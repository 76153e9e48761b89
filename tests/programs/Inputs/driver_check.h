// CHECK of calls of the driver API, beside those of the runtime API.
#ifndef CUFORT_TESTS_PROGRAMS_DRIVER_CHECK_H
#define CUFORT_TESTS_PROGRAMS_DRIVER_CHECK_H

#include "check.h"
#include <cuda.h>

static const char *wordsFor(CUresult status) {
  const char *name = "?";
  cuGetErrorName(status, &name);
  return name;
}

#endif // CUFORT_TESTS_PROGRAMS_DRIVER_CHECK_H
