//===- kernel_times.c - how long each kernel of a program takes -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver loads this library into a program (CUDA_INJECTION64_PATH) and
// calls InitializeInjection. When the program ends, the file that KERNEL_TIMES
// names has a line for each kernel, told apart by name, grid and block: the
// best time in nanoseconds and the number of launches, separated by tabs.

#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MostKernels = 4096, LongestName = 400, BufferBytes = 1 << 20 };

struct Shape {
  int gridX, gridY, gridZ, blockX, blockY, blockZ;
};

static struct Kernel {
  char name[LongestName];
  struct Shape shape;
  unsigned long long best, launches;
} kernels[MostKernels];
static int count;

static struct Kernel *find(const char *name, struct Shape shape) {
  for (int i = 0; i < count; ++i)
    if (!strncmp(kernels[i].name, name, LongestName - 1) &&
        !memcmp(&kernels[i].shape, &shape, sizeof shape))
      return &kernels[i];
  if (count == MostKernels)
    return NULL;
  struct Kernel *kernel = &kernels[count++];
  snprintf(kernel->name, sizeof kernel->name, "%s", name);
  kernel->shape = shape;
  kernel->best = ~0ull;
  return kernel;
}

static void CUPTIAPI provideBuffer(uint8_t **buffer, size_t *size,
                                   size_t *most) {
  *size = BufferBytes;
  *buffer = aligned_alloc(8, BufferBytes);
  *most = 0;
}

static void CUPTIAPI readBuffer(CUcontext context, uint32_t stream,
                                uint8_t *buffer, size_t size, size_t valid) {
  (void)context, (void)stream, (void)size;
  for (CUpti_Activity *record = NULL;
       cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS;) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      continue;
    CUpti_ActivityKernel9 *launch = (CUpti_ActivityKernel9 *)record;
    struct Shape shape = {launch->gridX,  launch->gridY,  launch->gridZ,
                          launch->blockX, launch->blockY, launch->blockZ};
    struct Kernel *kernel = find(launch->name, shape);
    if (!kernel)
      continue;
    unsigned long long time = launch->end - launch->start;
    if (time < kernel->best)
      kernel->best = time;
    ++kernel->launches;
  }
  free(buffer);
}

static void writeTimes(void) {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const char *name = getenv("KERNEL_TIMES");
  FILE *file = name ? fopen(name, "w") : NULL;
  if (!file)
    return;
  for (struct Kernel *kernel = kernels; kernel != kernels + count; ++kernel) {
    const struct Shape *shape = &kernel->shape;
    fprintf(file, "%s\t%d,%d,%d\t%d,%d,%d\t%llu\t%llu\n", kernel->name,
            shape->gridX, shape->gridY, shape->gridZ, shape->blockX,
            shape->blockY, shape->blockZ, kernel->best, kernel->launches);
  }
  fclose(file);
}

int InitializeInjection(void) {
  cuptiActivityRegisterCallbacks(provideBuffer, readBuffer);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  atexit(writeTimes);
  return 1;
}
