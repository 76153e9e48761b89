//===- launches.c - kernels that launch kernels, on a GPU -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What threads launch waits in a queue (image/DeviceLaunches.h) until the host
// launches it behind their grid. A GPU could do so by itself only with a
// library of NVIDIA's toolkit.
//
//===----------------------------------------------------------------------===//

#include "image/DeviceLaunches.h"

typedef unsigned long long u64;
typedef unsigned int u32;

#define GLOBAL __attribute__((address_space(1)))
#define OUTLINE __attribute__((noinline, nothrow))

GLOBAL struct CufortLaunchQueue CUFORT_LAUNCH_QUEUE
    __attribute__((aligned(64)));

enum { // of CUDA
  Success = 0,
  InvalidConfiguration = 9,
  PendingCountExceeded = 69
};

static u32 take(GLOBAL u32 *place, u32 count) {
  return __scoped_atomic_fetch_add(place, count, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE);
}

static int fail(int error) {
  CUFORT_LAUNCH_QUEUE.error = (u32)error;
  return error;
}

/// Every buffer begins where the strictest alignment of parameters wants it.
OUTLINE void *cudaGetParameterBuffer(u64 alignment, u64 bytes) {
  const u32 place =
      take(&CUFORT_LAUNCH_QUEUE.usedBytes, (u32)(bytes + 63) / 64 * 64);
  if (place + bytes <= CUFORT_LAUNCH_BYTES)
    return (char *)CUFORT_LAUNCH_QUEUE.parameters + place;
  fail(PendingCountExceeded);
  return 0;
}

/// The next free entry; null: there is none.
static GLOBAL struct CufortLaunch *entry(u32 kind, const void *stream) {
  const u32 number = take(&CUFORT_LAUNCH_QUEUE.count, 1);
  if (number >= CUFORT_MOST_LAUNCHES)
    return 0;
  GLOBAL struct CufortLaunch *launch = &CUFORT_LAUNCH_QUEUE.launches[number];
  launch->kind = kind;
  launch->isTail = (u64)stream == CUFORT_TAIL_STREAM;
  return launch;
}

OUTLINE int __cufort_launch(const char *kernel, const void *parameters,
                            u32 gridX, u32 gridY, u32 gridZ, u32 blockX,
                            u32 blockY, u32 blockZ, u32 sharedBytes,
                            const void *stream) {
  if (!parameters)
    return PendingCountExceeded;
  const u64 threads = (u64)blockX * blockY * blockZ;
  if (!gridX || !gridY || !gridZ || gridX > 0x7fffffff || gridY > 65535 ||
      gridZ > 65535 || !threads || threads > 1024 || blockZ > 64)
    return fail(InvalidConfiguration);
  GLOBAL struct CufortLaunch *launch = entry(CUFORT_LAUNCH, stream);
  if (!launch)
    return fail(PendingCountExceeded);
  launch->kernel = kernel;
  launch->grid[0] = gridX;
  launch->grid[1] = gridY;
  launch->grid[2] = gridZ;
  launch->block[0] = blockX;
  launch->block[1] = blockY;
  launch->block[2] = blockZ;
  launch->sharedBytes = sharedBytes;
  launch->parameters = (const char *)parameters -
                       (const char *)(char *)CUFORT_LAUNCH_QUEUE.parameters;
  return Success;
}

OUTLINE int __cufort_launch_copy(void *to, const void *from, int value,
                                 u64 bytes, const void *stream) {
  GLOBAL struct CufortLaunch *launch =
      entry(from ? CUFORT_LAUNCH_COPY : CUFORT_LAUNCH_FILL, stream);
  if (!launch)
    return fail(PendingCountExceeded);
  launch->value = (u32)value;
  launch->to = (u64)to;
  launch->from = (u64)from;
  launch->bytes = bytes;
  return Success;
}

OUTLINE int __cufort_launch_error(int forget) {
  const int error = (int)CUFORT_LAUNCH_QUEUE.error;
  if (forget)
    CUFORT_LAUNCH_QUEUE.error = Success;
  return error;
}
