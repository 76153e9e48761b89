// How much of their stacks the worker threads use: they get painted ones.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

enum { Threads = 1024, Blocks = 8, Words = 1024 };

// 4 KB of private memory for each thread, across barriers.
__global__ void withBarriers(int *out) {
  __shared__ int exchange[Threads];
  int mine[Words];
  const int t = threadIdx.x;
  for (int i = 0; i < Words; ++i)
    mine[i] = i + t;
  exchange[t] = mine[3 * t % Words];
  __syncthreads();
  for (int i = 0; i < Words; ++i)
    mine[i] += exchange[(i + t) % Threads];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < Words; ++i)
    sum += mine[i] * (mine[t] & 1 ? 1 : 2);
  out[blockIdx.x * Threads + t] = sum;
}

// Shuffles beside it; a large array cannot live across those.
__global__ void withShuffles(int *out) {
  int mine[Words / 64];
  const int t = threadIdx.x;
  for (int i = 0; i < Words / 64; ++i)
    mine[i] = i ^ t;
  int sum = 0;
  for (int i = 0; i < 32; ++i) {
    sum += __shfl_xor_sync(~0u, mine[(sum + i + t) & 15], i & 31);
    mine[(i * 7 + t) & 15] = sum;
  }
  out[blockIdx.x * Threads + t] = sum + mine[t & 15];
}

// No barrier at all.
__global__ void alone(int *out) {
  int mine[Words];
  const int t = threadIdx.x;
  for (int i = 0; i < Words; ++i)
    mine[i] = i * t;
  for (int i = 0; i < Words; ++i)
    mine[mine[i] & (Words - 1)] += mine[(i + t) & (Words - 1)];
  out[blockIdx.x * Threads + t] = mine[t];
}

namespace {

constexpr size_t StackBytes = size_t(16) << 20;
constexpr unsigned char Paint = 0xA5;

struct Worker {
  void *(*start)(void *);
  void *argument;
  unsigned char *stack;
  const unsigned char *top; // where the worker's own code begins
};
Worker workers[64];
int started;

void *runWorker(void *worker) {
  auto *self = static_cast<Worker *>(worker);
  self->top = static_cast<unsigned char *>(__builtin_frame_address(0));
  return self->start(self->argument);
}

size_t used(const Worker &worker) {
  const unsigned char *lowest = worker.stack;
  while (lowest < worker.top && *lowest == Paint)
    ++lowest;
  return worker.top - lowest;
}

} // namespace

// The runtime's threads begin here, before the C library's function.
extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *,
                              void *(*start)(void *), void *argument) noexcept {
  using Create =
      int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  const auto create =
      reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (started == 64)
    return 11;
  Worker &worker = workers[started++];
  worker = {start, argument, nullptr, nullptr};
  worker.stack = static_cast<unsigned char *>(
      mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::memset(worker.stack, Paint, StackBytes);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, worker.stack, StackBytes);
  return create(thread, &attributes, runWorker, &worker);
}

int main(int, char **arguments) {
  const int threads = std::atoi(arguments[1]); // 0: known when compiled
  int *out;
  cudaMalloc(&out, sizeof(int) * Blocks * Threads);
  for (int round = 0; round < 10; ++round) {
    if (threads) {
      withBarriers<<<Blocks, threads>>>(out);
      withShuffles<<<Blocks, threads>>>(out);
      alone<<<Blocks, threads>>>(out);
    } else {
      withBarriers<<<Blocks, Threads>>>(out);
      withShuffles<<<Blocks, Threads>>>(out);
      alone<<<Blocks, Threads>>>(out);
    }
    // A host thread that waits would run blocks as well; one that asks does
    // not.
    while (cudaStreamQuery(0) == cudaErrorNotReady)
      ;
  }
  if (cudaGetLastError() != cudaSuccess)
    return 1;
  size_t peak = 0;
  for (int i = 0; i < started; ++i)
    if (workers[i].top && used(workers[i]) > peak)
      peak = used(workers[i]);
  std::printf("%d workers, peak %zu bytes\n", started, peak);
  // Less than a kernel's frame: they were not the ones who ran the blocks.
  std::puts(peak > 64 && peak < 64 << 10 ? "PASSED" : "FAILED");
  return 0;
}
