// Programs for several devices: kernels that reach a peer's memory, one address
// space, copies between devices in every form, a host thread for each device,
// graphs and pools of both.
// GPUS: 2
// ENV: CUFORT_CPU_DEVICES=4
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

constexpr int N = 1 << 18;
__device__ int own; // every device has its own

__global__ void fill(int *a, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    a[i] = value + i;
}
__global__ void addFrom(int *a, const int *peer) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    a[i] += peer[N - 1 - i];
}
__global__ void setOwn(int value) { own = value; }
__global__ void many(int *a, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; i < N && k < rounds; ++k)
    a[i] += 1;
}

static int host[N], back[N];

static void expectFilled(const int *device, int value) {
  CHECK(cudaMemcpy(back, device, sizeof(back), cudaMemcpyDefault));
  for (int i = 0; i < N; ++i)
    EXPECT(back[i] == value + i);
}

int main() {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  if (count < 2) {
    std::puts("this test needs two devices");
    return 1;
  }
  std::vector<int *> memory(count);
  std::vector<cudaStream_t> stream(count);
  for (int d = 0; d < count; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaMalloc(&memory[d], sizeof(host)));
    CHECK(cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking));
    int whose = -1;
    CHECK(cudaStreamGetDevice(stream[d], &whose));
    EXPECT(whose == d);
    fill<<<N / 256, 256, 0, stream[d]>>>(memory[d], 100 * d);
    setOwn<<<1, 1, 0, stream[d]>>>(d + 7);
  }
  for (int d = 0; d < count; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceSynchronize());
    int value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, own, sizeof(value)));
    EXPECT(value == d + 7);
  }

  // One address space: an address says whose it is, whatever device is current.
  for (int d = 0; d < count; ++d) {
    cudaPointerAttributes attributes;
    CHECK(cudaSetDevice((d + 1) % count));
    CHECK(cudaPointerGetAttributes(&attributes, memory[d] + 5));
    EXPECT(attributes.device == d && attributes.type == cudaMemoryTypeDevice);
    expectFilled(memory[d], 100 * d);
  }

  // Kernels that read a peer's memory.
  int can = 0, rank = -1, access = 0;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
  CHECK(
      cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, 0, 1));
  CHECK(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, 0, 1));
  EXPECT(access == can && rank >= 0);
  if (can) {
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceEnablePeerAccess(1, 0));
    addFrom<<<N / 256, 256>>>(memory[0], memory[1]);
    CHECK(cudaMemcpy(back, memory[0], sizeof(back), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; ++i)
      EXPECT(back[i] == i + 100 + N - 1 - i);
    fill<<<N / 256, 256>>>(memory[0], 0);
    // And write it.
    fill<<<N / 256, 256>>>(memory[1], 5000);
    CHECK(cudaDeviceSynchronize());
    expectFilled(memory[1], 5000);
    // A pool's memory is reached where the pool allows it.
    cudaMemPool_t pool;
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    cudaMemAccessDesc allow = {here, cudaMemAccessFlagsProtReadWrite};
    cudaMemAccessFlags flags;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 1));
    CHECK(cudaMemPoolSetAccess(pool, &allow, 1));
    CHECK(cudaMemPoolGetAccess(&flags, pool, &here));
    EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
    int *pooled;
    CHECK(cudaSetDevice(1));
    CHECK(cudaMallocAsync(&pooled, sizeof(host), stream[1]));
    CHECK(cudaStreamSynchronize(stream[1]));
    CHECK(cudaSetDevice(0));
    fill<<<N / 256, 256>>>(pooled, 31);
    CHECK(cudaDeviceSynchronize());
    expectFilled(pooled, 31);
    CHECK(cudaSetDevice(1));
    CHECK(cudaFreeAsync(pooled, stream[1]));
    CHECK(cudaStreamSynchronize(stream[1]));
    CHECK(cudaSetDevice(0));
    allow.flags = cudaMemAccessFlagsProtNone;
    CHECK(cudaMemPoolSetAccess(pool, &allow, 1));
    CHECK(cudaDeviceDisablePeerAccess(1));
  }

  // Copies between devices: by name, by address, of boxes; around in a ring.
  CHECK(cudaSetDevice(0));
  fill<<<N / 256, 256>>>(memory[0], 40);
  CHECK(cudaDeviceSynchronize());
  for (int d = 0; d + 1 < count; ++d) {
    if (d % 2)
      CHECK(cudaMemcpyPeer(memory[d + 1], d + 1, memory[d], d, sizeof(host)));
    else
      CHECK(cudaMemcpy(memory[d + 1], memory[d], sizeof(host),
                       cudaMemcpyDefault));
    expectFilled(memory[d + 1], 40);
  }
  CHECK(cudaMemset(memory[0], 0, sizeof(host)));
  cudaMemcpy3DPeerParms box = {};
  box.srcDevice = 1;
  box.dstDevice = 0;
  box.srcPtr = make_cudaPitchedPtr(memory[1], 512 * 4, 512 * 4, N / 512);
  box.dstPtr = make_cudaPitchedPtr(memory[0], 512 * 4, 512 * 4, N / 512);
  box.extent = make_cudaExtent(512 * 4, N / 512, 1);
  CHECK(cudaMemcpy3DPeer(&box));
  expectFilled(memory[0], 40);

  // Work that goes from device to device, held together by events only.
  cudaEvent_t done[2];
  for (int d = 0; d < 2; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaEventCreateWithFlags(&done[d], cudaEventDisableTiming));
  }
  CHECK(cudaSetDevice(0));
  fill<<<N / 256, 256, 0, stream[0]>>>(memory[0], 0);
  for (int iteration = 0; iteration < 20; ++iteration) {
    int d = iteration % 2, next = 1 - d;
    CHECK(cudaSetDevice(d));
    many<<<N / 256, 256, 0, stream[d]>>>(memory[d], 1);
    CHECK(cudaMemcpyPeerAsync(memory[next], next, memory[d], d, sizeof(host),
                              stream[d]));
    CHECK(cudaEventRecord(done[d], stream[d]));
    CHECK(cudaStreamWaitEvent(stream[next], done[d], 0));
  }
  CHECK(cudaStreamSynchronize(stream[0]));
  CHECK(cudaStreamSynchronize(stream[1]));
  expectFilled(memory[0], 20);

  // A host thread for each device, and managed memory that all of them use.
  int *managed;
  CHECK(cudaSetDevice(0));
  CHECK(cudaMallocManaged(&managed, count * sizeof(int)));
  std::vector<std::thread> threads;
  for (int d = 0; d < count; ++d)
    threads.emplace_back([&, d] {
      int current = -1;
      CHECK(cudaGetDevice(&current));
      EXPECT(current == 0); // a new thread begins with the first one
      CHECK(cudaSetDevice(d));
      for (int iteration = 0; iteration < 50; ++iteration) {
        fill<<<N / 256, 256>>>(memory[d], d);
        many<<<N / 256, 256>>>(memory[d], 3);
        CHECK(cudaMemcpyAsync(memory[d], memory[d] + N / 2, 4096,
                              cudaMemcpyDeviceToDevice));
      }
      CHECK(cudaDeviceSynchronize());
      int first = 0;
      CHECK(cudaMemcpy(&first, memory[d], sizeof(first), cudaMemcpyDefault));
      EXPECT(first == d + N / 2 + 3);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int d = 0; d < count; ++d) {
    CHECK(cudaSetDevice(d));
    setOwn<<<1, 1>>>(0);
    CHECK(cudaMemcpyToSymbol(own, &d, sizeof(d)));
    CHECK(cudaMemcpyFromSymbol(&managed[d], own, sizeof(d)));
    CHECK(cudaDeviceSynchronize());
  }
  for (int d = 0; d < count; ++d)
    EXPECT(managed[d] == d);

  // A graph of the second device.
  CHECK(cudaSetDevice(1));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(stream[1], cudaStreamCaptureModeThreadLocal));
  fill<<<N / 256, 256, 0, stream[1]>>>(memory[1], 9);
  many<<<N / 256, 256, 0, stream[1]>>>(memory[1], 2);
  CHECK(cudaStreamEndCapture(stream[1], &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream[1]));
  CHECK(cudaStreamSynchronize(stream[1]));
  expectFilled(memory[1], 11);
  // Its handles are good whatever device is current.
  CHECK(cudaMemset(memory[1], 0, sizeof(host)));
  // The stream of the graph does not wait for the default one.
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(0));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 2);
  CHECK(cudaGraphLaunch(exec, stream[1]));
  CHECK(cudaStreamSynchronize(stream[1]));
  expectFilled(memory[1], 11);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaSetDevice(1));

  // A reset of one device leaves the others alone.
  CHECK(cudaDeviceReset());
  CHECK(cudaSetDevice(0));
  fill<<<N / 256, 256, 0, stream[0]>>>(memory[0], 3);
  CHECK(cudaStreamSynchronize(stream[0]));
  expectFilled(memory[0], 3);
  CHECK(cudaSetDevice(1));
  int *again;
  CHECK(cudaMalloc(&again, sizeof(host)));
  fill<<<N / 256, 256>>>(again, 1);
  CHECK(cudaDeviceSynchronize());
  expectFilled(again, 1);
  CHECK(cudaFree(again));
  std::puts("PASSED");
}
