// Allocation and release in the order of a stream that is captured: the memory
// is the graph's, at the same address in every launch.
// CHECKS: memory
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int N = 1 << 20;

__global__ void fill(int *a, const int *seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    a[i] = i + *seed;
}

__global__ void twice(int *out, const int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    out[i] = 2 * a[i];
}

static int *host;

static void check(const int *device, int seed) {
  CHECK(cudaMemcpy(host, device, N * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i)
    if (host[i] != 2 * (i + seed)) {
      std::printf("seed %d: element %d is %d\n", seed, i, host[i]);
      std::exit(1);
    }
}

__global__ void spin(volatile int *flag) {
  while (!*flag)
    ;
}

// A graph that leaves its memory allocated is launched again only after
// somebody has asked to free it, or if a launch frees it by itself.
static void leftAllocated() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int *left, *flag;
  CHECK(cudaMallocHost(&flag, sizeof(int)));
  cudaGraph_t graph, freeing;
  cudaGraphExec_t exec, freeingExec, freesItself;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&left, 4000, stream));
  CHECK(cudaMemsetAsync(left, 1, 4000, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  // Its memory has one address: no second one beside it, and no copies.
  EXPECT(cudaGraphInstantiate(&freesItself, graph,
                              cudaGraphInstantiateFlagAutoFreeOnLaunch) ==
         cudaErrorNotSupported);
  EXPECT(cudaGraphClone(&freeing, graph) == cudaErrorNotSupported);
  cudaGetLastError();
  CHECK(cudaGraphLaunch(exec, stream));
  EXPECT(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(left, stream));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
  CHECK(cudaFree(left));
  // By another graph.
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaFreeAsync(left, stream));
  CHECK(cudaStreamEndCapture(stream, &freeing));
  CHECK(cudaGraphInstantiate(&freeingExec, freeing, 0));
  EXPECT(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(freeingExec, stream));
  for (int round = 0; round < 3; ++round) {
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaGraphLaunch(freeingExec, stream));
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphInstantiate(&freesItself, graph,
                             cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int round = 0; round < 3; ++round)
    CHECK(cudaGraphLaunch(freesItself, stream));
  // The host does not wait.
  *flag = 0;
  spin<<<1, 1, 0, stream>>>(flag);
  CHECK(cudaFreeAsync(left, stream));
  *static_cast<volatile int *>(flag) = 1;
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(cudaFreeAsync(left, stream) == cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaGraphExecDestroy(freesItself));
  CHECK(cudaGraphExecDestroy(freeingExec));
  CHECK(cudaGraphDestroy(freeing));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFreeHost(flag));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  leftAllocated();
  host = static_cast<int *>(std::malloc(N * sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int *seed, *out, *scratch, *kept;
  CHECK(cudaMallocManaged(&seed, sizeof(int)));
  CHECK(cudaMalloc(&out, N * sizeof(int)));

  // Allocated and freed in the graph.
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(reinterpret_cast<void **>(&scratch), N * sizeof(int),
                        stream));
  fill<<<N / 256, 256, 0, stream>>>(scratch, seed);
  twice<<<N / 256, 256, 0, stream>>>(out, scratch);
  CHECK(cudaFreeAsync(scratch, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  if (count != 4) {
    std::printf("%zu nodes\n", count);
    return 1;
  }
  cudaGraphNode_t nodes[4];
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  int allocations = 0, releases = 0;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(node, &type));
    allocations += type == cudaGraphNodeTypeMemAlloc;
    releases += type == cudaGraphNodeTypeMemFree;
  }
  if (allocations != 1 || releases != 1) {
    std::puts("the nodes' types are wrong");
    return 1;
  }
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 20; ++round) {
    *seed = round;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    check(out, round);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));

  // Freed by the program after each launch.
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(reinterpret_cast<void **>(&scratch), N * sizeof(int),
                        stream));
  CHECK(cudaMallocAsync(reinterpret_cast<void **>(&kept), N * sizeof(int),
                        stream));
  fill<<<N / 256, 256, 0, stream>>>(scratch, seed);
  twice<<<N / 256, 256, 0, stream>>>(kept, scratch);
  CHECK(cudaFreeAsync(scratch, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 10; ++round) {
    *seed = 100 + round;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    check(kept, 100 + round);
    if (round % 2) {
      CHECK(cudaFree(kept));
    } else {
      CHECK(cudaFreeAsync(kept, stream));
      CHECK(cudaStreamSynchronize(stream));
    }
  }
  // The launch need not be through when what it allocates is freed behind it.
  for (int round = 0; round < 10; ++round) {
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(
        cudaMemcpyAsync(out, kept, N * sizeof(int), cudaMemcpyDefault, stream));
    CHECK(cudaFreeAsync(kept, stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  check(out, 109);
  if (cudaFreeAsync(kept, stream) == cudaSuccess) {
    std::puts("freed twice");
    return 1;
  }
  // Freed by another graph, made before the launch.
  cudaGraph_t freeing;
  cudaGraphExec_t freeingExec;
  cudaGraphNode_t freeNode;
  CHECK(cudaGraphCreate(&freeing, 0));
  CHECK(cudaGraphAddMemFreeNode(&freeNode, freeing, nullptr, 0, kept));
  CHECK(cudaGraphInstantiate(&freeingExec, freeing, 0));
  for (int round = 0; round < 3; ++round) {
    *seed = 200 + round;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(
        cudaMemcpyAsync(out, kept, N * sizeof(int), cudaMemcpyDefault, stream));
    CHECK(cudaGraphLaunch(freeingExec, stream));
    CHECK(cudaStreamSynchronize(stream));
    check(out, 200 + round);
  }
  CHECK(cudaGraphExecDestroy(freeingExec));
  CHECK(cudaGraphDestroy(freeing));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(out));
  CHECK(cudaFree(seed));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaDeviceSynchronize());
  std::puts("PASSED");
}
