/* Two processes hand work to each other by events. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Count = 4096, Rounds = 40 };

struct handles {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t there, back;
};

static void check(cudaError_t error, int line) {
  if (error != cudaSuccess) {
    printf("line %d: %s\n", line, cudaGetErrorName(error));
    exit(1);
  }
}
#define CHECK(call) check(call, __LINE__)

/* One byte says that the other process has recorded. */
static void tell(int pipe) {
  if (write(pipe, "x", 1) != 1)
    exit(2);
}
static void hear(int pipe) {
  char byte;
  if (read(pipe, &byte, 1) != 1)
    exit(3);
}

static void slow(void *data) {
  (void)data;
  usleep(2000);
}

/* Adds one to what the parent has written, when it has been written. */
static int child(int from, int to) {
  struct handles h;
  cudaEvent_t there, back;
  cudaStream_t stream;
  void *memory;
  static int words[Count];
  int round, i;
  if (read(from, &h, sizeof h) != sizeof h)
    return 2;
  CHECK(
      cudaIpcOpenMemHandle(&memory, h.memory, cudaIpcMemLazyEnablePeerAccess));
  CHECK(cudaIpcOpenEventHandle(&there, h.there));
  CHECK(cudaIpcOpenEventHandle(&back, h.back));
  CHECK(cudaStreamCreate(&stream));
  for (round = 0; round < Rounds; ++round) {
    hear(from);
    if (round % 3 == 0) /* the host waits, */
      CHECK(cudaEventSynchronize(there));
    else if (round % 3 == 1) /* asks, */
      while (cudaEventQuery(there) == cudaErrorNotReady)
        ;
    else /* or a stream waits */
      CHECK(cudaStreamWaitEvent(stream, there, 0));
    CHECK(cudaMemcpyAsync(words, memory, sizeof words, cudaMemcpyDeviceToHost,
                          stream));
    CHECK(cudaStreamSynchronize(stream));
    for (i = 0; i < Count; ++i) {
      if (words[i] != 2 * round)
        return 4;
      words[i] += 1;
    }
    CHECK(cudaLaunchHostFunc(stream, slow, NULL));
    CHECK(cudaMemcpyAsync(memory, words, sizeof words, cudaMemcpyHostToDevice,
                          stream));
    CHECK(cudaEventRecord(back, stream));
    tell(to);
    CHECK(cudaStreamSynchronize(stream));
  }
  CHECK(cudaEventDestroy(there));
  CHECK(cudaEventDestroy(back));
  CHECK(cudaIpcCloseMemHandle(memory));
  return 0;
}

int main(void) {
  static int words[Count];
  const unsigned flags = cudaEventDisableTiming | cudaEventInterprocess;
  int to[2], from[2], i, round, status;
  struct handles h;
  cudaEvent_t there, back, own;
  cudaStream_t stream;
  void *memory;
  int *pinned;
  float time;
  pid_t other;
  if (pipe(to) || pipe(from))
    return 1;
  other = fork(); /* before the device is used */
  if (other == 0)
    return child(to[0], from[1]);
  CHECK(cudaMalloc(&memory, sizeof words));
  CHECK(cudaMallocHost((void **)&pinned, sizeof words));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&own));
  if (cudaEventCreateWithFlags(&there, cudaEventInterprocess) !=
          cudaErrorInvalidValue ||
      cudaIpcGetEventHandle(&h.there, own) == cudaSuccess)
    return 5;
  cudaGetLastError();
  CHECK(cudaEventCreateWithFlags(&there, flags));
  CHECK(cudaEventCreateWithFlags(&back, flags));
  CHECK(cudaEventQuery(there)); /* never recorded */
  CHECK(cudaIpcGetMemHandle(&h.memory, memory));
  CHECK(cudaIpcGetEventHandle(&h.there, there));
  CHECK(cudaIpcGetEventHandle(&h.back, back));
  if (write(to[1], &h, sizeof h) != sizeof h)
    return 6;
  for (round = 0; round < Rounds; ++round) {
    for (i = 0; i < Count; ++i)
      pinned[i] = 2 * round;
    CHECK(cudaLaunchHostFunc(stream, slow, NULL));
    CHECK(cudaMemcpyAsync(memory, pinned, sizeof words, cudaMemcpyHostToDevice,
                          stream));
    CHECK(cudaEventRecord(there, stream));
    tell(to[1]);
    hear(from[0]);
    CHECK(cudaStreamWaitEvent(stream, back, 0));
    CHECK(cudaMemcpyAsync(pinned, memory, sizeof words, cudaMemcpyDeviceToHost,
                          stream));
    CHECK(cudaStreamSynchronize(stream));
    for (i = 0; i < Count; ++i)
      if (pinned[i] != 2 * round + 1)
        return 7;
  }
  CHECK(cudaEventRecord(own, stream));
  CHECK(cudaEventSynchronize(own));
  if (cudaEventElapsedTime(&time, own, there) == cudaSuccess)
    return 8;
  waitpid(other, &status, 0);
  CHECK(cudaEventDestroy(there));
  CHECK(cudaEventDestroy(back));
  if (status)
    return 9;
  puts("PASSED");
  return 0;
}
