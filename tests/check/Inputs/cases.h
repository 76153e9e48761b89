// Which cases a program runs: those that its arguments name, else all of them.
#pragma once
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static int count;
static char **names;
static bool right = true;

static bool run(const char *name) {
  bool named = count < 2;
  for (int i = 1; i < count; ++i)
    named |= std::strcmp(names[i], name) == 0;
  return named;
}

/// What a right case must have made.
static void expect(bool holds, const char *name) {
  if (holds)
    return;
  std::printf("WRONG RESULT: %s\n", name);
  right = false;
}

static int finish() {
  if (right)
    std::printf("PASSED\n");
  return right ? 0 : 1;
}

/// Device memory with values i.
static int *numbers(int n) {
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = i;
  int *device;
  cudaMalloc(&device, n * sizeof(int));
  cudaMemcpy(device, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  return device;
}

static std::vector<int> fetch(const int *device, int n) {
  std::vector<int> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  return host;
}
