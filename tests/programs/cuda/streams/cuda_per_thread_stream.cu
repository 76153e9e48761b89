// FLAGS: --default-stream per-thread
// A default stream for each host thread: what names no stream goes to the
// thread's own, which does not wait for other threads' but orders with the
// legacy default stream.
#include "../../Inputs/check.h"
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error "the option defines the macro"
#endif

constexpr int N = 10000;

__global__ void add(int *a, int n, int x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += x;
}
__device__ int symbol[4];

// All forms of calls without a stream, in order in the thread's own.
static void work(int number) {
  std::vector<int> host(N, number), back(N);
  int *a, *b;
  CHECK(cudaMalloc(&a, N * sizeof(int)));
  CHECK(cudaMalloc(&b, N * sizeof(int)));
  cudaEvent_t start, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  for (int round = 0; round < 20; ++round) {
    CHECK(cudaEventRecord(start));
    CHECK(cudaMemcpyAsync(a, host.data(), N * sizeof(int),
                          cudaMemcpyHostToDevice));
    add<<<(N + 255) / 256, 256>>>(a, N, round);
    CHECK(cudaMemcpyAsync(b, a, N * sizeof(int), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemsetAsync(a, 0, N * sizeof(int)));
    add<<<(N + 255) / 256, 256, 0, 0>>>(b, N, 1000);
    CHECK(cudaEventRecord(end, 0));
    CHECK(cudaMemcpy(back.data(), b, N * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(back[0] == number + round + 1000);
    EXPECT(back[N - 1] == number + round + 1000);
    CHECK(cudaMemset(b, 0, N * sizeof(int)));
    CHECK(cudaStreamSynchronize(0));
    CHECK(cudaStreamQuery(0));
    float time = -1;
    CHECK(cudaEventElapsedTime(&time, start, end));
    EXPECT(time >= 0);
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

static std::atomic<int> phase{0};
static bool reached(int wanted, std::chrono::seconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (phase < wanted && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return phase >= wanted;
}
struct Hold {
  std::chrono::seconds most;
  bool released = false;
};
static void hold(void *pointer) {
  auto *here = static_cast<Hold *>(pointer);
  phase = 1;
  here->released = reached(2, here->most);
}

// One thread's stream stands; another thread works and waits for its own.
static bool independent(std::chrono::seconds most) {
  int *a, *managed, host[4] = {}, back[4];
  Hold here{most};
  phase = 0;
  CHECK(cudaMallocManaged(&managed, 64));
  CHECK(cudaMalloc(&a, N * sizeof(int)));
  CHECK(cudaMemset(a, 0, N * sizeof(int)));
  std::thread holder([&] {
    CHECK(cudaLaunchHostFunc(0, hold, &here));
    CHECK(cudaStreamSynchronize(0));
  });
  EXPECT(reached(1, std::chrono::seconds(100)));
  add<<<1, 32>>>(a, 4, 5);
  CHECK(cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 5 && host[3] == 5);
  CHECK(cudaMemcpyToSymbol(symbol, host, sizeof(host)));
  CHECK(cudaMemcpyFromSymbol(back, symbol, sizeof(back)));
  EXPECT(back[2] == 5);
  // Both forms; in the legacy stream they would wait for the thread that holds.
  cudaMemLocation place{cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemPrefetchAsync(managed, 64, place, 0));
  CHECK(cudaMemPrefetchAsync(managed, 64, 0));
  CHECK(cudaStreamSynchronize(0));
  phase = 2;
  holder.join();
  CHECK(cudaFree(managed));
  CHECK(cudaFree(a));
  return here.released;
}

// GPUs have fewer queues than there may be streams, and neighbours: two streams
// may share one, and work may take long. What went to the legacy stream would
// wait each time, whatever streams there are beside it and however long.
static void independentOnce() {
  std::vector<cudaStream_t> others;
  bool released = false;
  for (int seconds = 2; !released && seconds <= 32; seconds *= 2) {
    released = independent(std::chrono::seconds(seconds));
    CHECK(cudaStreamCreate(&others.emplace_back()));
  }
  EXPECT(released);
  for (cudaStream_t stream : others)
    CHECK(cudaStreamDestroy(stream));
}

// The legacy default stream can be named, and orders with the thread's.
static void legacy() {
  std::vector<int> back(N);
  int *a;
  CHECK(cudaMalloc(&a, N * sizeof(int)));
  CHECK(cudaMemset(a, 0, N * sizeof(int)));
  for (int i = 1; i <= 10; ++i) {
    add<<<(N + 255) / 256, 256>>>(a, N, 1);
    add<<<(N + 255) / 256, 256, 0, cudaStreamLegacy>>>(a, N, 1);
    add<<<(N + 255) / 256, 256, 0, cudaStreamPerThread>>>(a, N, 1);
    CHECK(cudaMemcpyAsync(back.data(), a, N * sizeof(int),
                          cudaMemcpyDeviceToHost, cudaStreamLegacy));
    CHECK(cudaStreamSynchronize(cudaStreamLegacy));
    EXPECT(back[0] == 3 * i && back[N - 1] == 3 * i);
  }
  CHECK(cudaFree(a));
}

// Only the legacy stream cannot be captured.
static void capture() {
  int *a, back = 0;
  CHECK(cudaMalloc(&a, N * sizeof(int)));
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaMemsetAsync(a, 0, N * sizeof(int)));
  add<<<(N + 255) / 256, 256>>>(a, N, 7);
  int n = N, x = 8;
  void *arguments[] = {&a, &n, &x};
  CHECK(cudaLaunchKernel(add, dim3((N + 255) / 256), dim3(256), arguments));
  CHECK(cudaStreamEndCapture(0, &graph));
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 3);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaMemcpy(&back, a + N - 1, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(back == 15);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(a));
}

int main() {
  unsigned long long own = 0, named = 0, other = 0;
  CHECK(cudaStreamGetId(0, &own));
  CHECK(cudaStreamGetId(cudaStreamPerThread, &named));
  CHECK(cudaStreamGetId(cudaStreamLegacy, &other));
  EXPECT(own == named && own != other);
  work(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(work, 100 * i);
  for (std::thread &thread : threads)
    thread.join();
  independentOnce();
  legacy();
  capture();
  std::puts("PASSED");
}
