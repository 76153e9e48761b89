// What graphs hold: memory that their nodes allocate and free, objects of the
// program, and copies from and to variables.
#include "../../Inputs/check.h"
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>

constexpr int N = 4096;
__device__ int table[N];

__global__ void fill(int *a, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    a[i] = value + i;
}

static int host[N];

static uint64_t held(cudaGraphMemAttributeType attribute) {
  uint64_t value = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, attribute, &value));
  return value;
}

static void memory(cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams p = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.poolProps.location.id = 0;
  p.bytesize = N * sizeof(int);
  cudaGraphNode_t allocation, kernel, copy, release;
  CHECK(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &p));
  EXPECT(p.dptr);
  int value = 5;
  void *parameters[] = {&p.dptr, &value};
  cudaKernelNodeParams k = {};
  k.func = (void *)fill;
  k.gridDim = dim3(N / 256);
  k.blockDim = dim3(256);
  k.kernelParams = parameters;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &allocation, 1, &k));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, p.dptr,
                                 sizeof(host), cudaMemcpyDeviceToHost));
  CHECK(cudaGraphAddMemFreeNode(&release, graph, &copy, 1, p.dptr));
  cudaMemAllocNodeParams q = {};
  CHECK(cudaGraphMemAllocNodeGetParams(allocation, &q));
  EXPECT(q.dptr == p.dptr && q.bytesize == sizeof(host));
  void *freed = nullptr;
  CHECK(cudaGraphMemFreeNodeGetParams(release, &freed));
  EXPECT(freed == p.dptr);
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(release, &type));
  EXPECT(type == cudaGraphNodeTypeMemFree);
  // Nodes and edges of such a graph stay.
  EXPECT(cudaGraphDestroyNode(copy) != cudaSuccess);
  EXPECT(cudaGraphRemoveDependencies(graph, &kernel, &copy, 1) != cudaSuccess);
  cudaGetLastError();
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int iteration = 0; iteration < 3; ++iteration) {
    host[N - 1] = 0;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; ++i)
      EXPECT(host[i] == 5 + i);
  }
  EXPECT(held(cudaGraphMemAttrUsedMemHigh) >= sizeof(host));
  EXPECT(held(cudaGraphMemAttrReservedMemHigh) >= sizeof(host));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaDeviceGraphMemTrim(0));
  EXPECT(held(cudaGraphMemAttrUsedMemCurrent) == 0);
  EXPECT(held(cudaGraphMemAttrReservedMemCurrent) == 0);
  uint64_t zero = 0;
  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  EXPECT(held(cudaGraphMemAttrUsedMemHigh) == 0);
}

static std::atomic<int> ended{0};

static void objects(cudaStream_t stream) {
  cudaUserObject_t object;
  static int marker;
  CHECK(cudaUserObjectCreate(
      &object, &marker, [](void *p) { ended += p == &marker ? 1 : 100; }, 1,
      cudaUserObjectNoDestructorSync));
  CHECK(cudaUserObjectRetain(object, 2));
  CHECK(cudaUserObjectRelease(object, 2));
  EXPECT(ended == 0);
  cudaGraph_t graph, clone;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node;
  CHECK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  // The program's reference goes over to the graph.
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  CHECK(cudaGraphClone(&clone, graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphReleaseUserObject(graph, object, 1));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(ended == 0);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaDeviceSynchronize());
  // The end may come from another thread.
  for (int i = 0; i < 5000 && !ended; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT(ended == 1);
}

static void variables(cudaStream_t stream) {
  static int from[N], back[N], other[N];
  for (int i = 0; i < N; ++i) {
    from[i] = 3 * i;
    other[i] = -i;
  }
  cudaGraph_t graph;
  cudaGraphNode_t in, out;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, table, from,
                                       sizeof(from), 0,
                                       cudaMemcpyHostToDevice));
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, back, table,
                                         sizeof(back) / 2, sizeof(back) / 2,
                                         cudaMemcpyDeviceToHost));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < N / 2; ++i)
    EXPECT(back[i] == 3 * (N / 2 + i) && back[N / 2 + i] == 0);
  CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(
      exec, in, table, other, sizeof(other), 0, cudaMemcpyHostToDevice));
  CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(
      exec, out, back, table, sizeof(back), 0, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < N; ++i)
    EXPECT(back[i] == -i);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(in, table, from, sizeof(int), 0,
                                             cudaMemcpyHostToDevice));
  CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(out, back, table, sizeof(int), 4,
                                               cudaMemcpyDeviceToHost));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(back[0] == -1);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  memory(stream);
  objects(stream);
  variables(stream);
  CHECK(cudaStreamDestroy(stream));
  std::puts("PASSED");
}
