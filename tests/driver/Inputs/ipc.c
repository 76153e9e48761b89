/* Two processes share device memory. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Count = 100000 };

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    printf("%s: %s\n", what, cudaGetErrorName(error));
    exit(1);
  }
}

static int read_handle(int pipe, cudaIpcMemHandle_t *handle) {
  return read(pipe, handle, sizeof *handle) == sizeof *handle;
}

static int child(int from, int to) {
  static int h[Count];
  cudaIpcMemHandle_t handle;
  void *memory;
  int i;
  if (!read_handle(from, &handle))
    return 2;
  check(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess),
        "open");
  check(cudaMemcpy(h, memory, sizeof h, cudaMemcpyDeviceToHost), "copy");
  for (i = 0; i < Count; ++i) {
    if (h[i] != i)
      return 3;
    h[i] = 2 * i + 1;
  }
  check(cudaMemcpy(memory, h, sizeof h, cudaMemcpyHostToDevice), "copy");
  check(cudaDeviceSynchronize(), "wait");
  if (cudaFree(memory) == cudaSuccess)
    return 4;
  check(cudaIpcCloseMemHandle(memory), "close");
  return write(to, "x", 1) != 1;
}

int main(void) {
  static int h[Count];
  int to[2], from[2], i, status;
  cudaIpcMemHandle_t handle, again;
  void *memory, *small;
  char done;
  pid_t other;
  if (pipe(to) || pipe(from))
    return 1;
  other = fork(); /* before the device is used */
  if (other == 0)
    return child(to[0], from[1]);
  for (i = 0; i < Count; ++i)
    h[i] = i;
  check(cudaMalloc(&small, 4096), "malloc");
  check(cudaMalloc(&memory, sizeof h), "malloc");
  check(cudaMemcpy(memory, h, sizeof h, cudaMemcpyHostToDevice), "copy");
  check(cudaIpcGetMemHandle(&handle, memory), "handle");
  check(cudaIpcGetMemHandle(&again, memory), "handle, once more");
  if (write(to[1], &handle, sizeof handle) != sizeof handle ||
      read(from[0], &done, 1) != 1)
    return 5;
  check(cudaMemcpy(h, memory, sizeof h, cudaMemcpyDeviceToHost), "copy");
  for (i = 0; i < Count; ++i)
    if (h[i] != 2 * i + 1)
      return 6;
  waitpid(other, &status, 0);
  check(cudaFree(memory), "free");
  check(cudaMalloc(&memory, sizeof h), "malloc");
  check(cudaMemset(memory, 0, sizeof h), "fill");
  check(cudaFree(memory), "free");
  check(cudaFree(small), "free");
  if (status)
    return 7;
  puts("PASSED");
  return 0;
}
