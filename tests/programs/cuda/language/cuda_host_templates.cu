// The runtime's C++ templates: symbols in graphs, kernels, occupancy, objects.
#include "../../Inputs/check.h"
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

__device__ int values[4];
__device__ int one;

template <class T> __global__ void kernel(T *p) {
  extern __shared__ char bytes[];
  bytes[threadIdx.x] = 1;
  *p = bytes[0];
}

struct BytesOf {
  size_t operator()(int threads) const { return 8 * size_t(threads); }
};

static void occupancy() {
  int grid = 0, block = 0, same = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel<int>));
  CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(
      &grid, &same, kernel<int>, 0, 0, cudaOccupancyDisableCachingOverride));
  EXPECT(block == same && block >= 32);
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block,
                                                       kernel<int>, BytesOf()));
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      &grid, &same, kernel<int>, BytesOf(), 0, cudaOccupancyDefault));
  EXPECT(block == same && block >= 32);
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      &grid, &block, kernel<double>, BytesOf(), 64));
  EXPECT(block <= 64);
  EXPECT(cudaOccupancyMaxPotentialBlockSize(
             (int *)nullptr, &block, kernel<int>) == cudaErrorInvalidValue);
  EXPECT(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
             &grid, (int *)nullptr, kernel<int>, BytesOf()) ==
         cudaErrorInvalidValue);
}

static void kernels() {
  cudaKernel_t handle = nullptr, again = nullptr;
  CHECK(cudaGetKernel(&handle, kernel<int>));
  CHECK(cudaGetKernel(&again, (const void *)kernel<int>));
  EXPECT(handle && handle == again);
}

// Copies to and from variables by reference, arrays and single ones.
static void symbols() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t first, second, third;
  const int from[4] = {1, 2, 3, 4}, other[4] = {5, 6, 7, 8}, nine = 9;
  int to[4] = {}, back = 0;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&first, graph, nullptr, 0, values, from,
                                       16, 0, cudaMemcpyHostToDevice));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&second, graph, nullptr, 0, one, &nine,
                                       4, 0, cudaMemcpyHostToDevice));
  const cudaGraphNode_t before[] = {first, second};
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&third, graph, before, 2, to, values,
                                         16, 0, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyFromSymbol(&back, one, 4));
  EXPECT(to[0] == 1 && to[3] == 4 && back == 9);
  CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, first, values, other, 16,
                                                 0, cudaMemcpyHostToDevice));
  CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(
      exec, third, to + 1, values, 4, 8, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  EXPECT(to[0] == 1 && to[1] == 7 && to[2] == 3);
  CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(first, values, from, 16, 0,
                                             cudaMemcpyHostToDevice));
  CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(third, to, values, 8, 0,
                                               cudaMemcpyDeviceToHost));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  EXPECT(to[0] == 1 && to[1] == 2 && to[2] == 3);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

static std::atomic<int> deleted{0};
struct Counted {
  int value = 3;
  ~Counted() { deleted += value; }
};

static void objects() {
  cudaUserObject_t object;
  CHECK(cudaUserObjectCreate(&object, new Counted, 1,
                             cudaUserObjectNoDestructorSync));
  EXPECT(deleted == 0);
  CHECK(cudaUserObjectRelease(object));
  // The end may come from another thread.
  for (int i = 0; i < 5000 && !deleted; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT(deleted == 3);
}

int main() {
  occupancy();
  kernels();
  symbols();
  objects();
  printf("PASSED\n");
}
