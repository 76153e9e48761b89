// New parameters for nodes, in a graph and in an executable graph made of it.
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int N = 1000;

__global__ void add(int *a, int n, int x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += x;
}

__global__ void multiply(int *a, int n, int x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= x;
}

static int calls = 0;
static void call(void *by) { calls += *static_cast<int *>(by); }

int main() {
  int *a, *b, *host;
  CHECK(cudaMalloc(&a, N * sizeof(int)));
  CHECK(cudaMalloc(&b, N * sizeof(int)));
  CHECK(cudaMallocHost(&host, N * sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  // a = fill; a += x; b = a; call
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill, kernel, copy, function;
  cudaMemsetParams fillParameters{};
  fillParameters.dst = a;
  fillParameters.elementSize = 4;
  fillParameters.width = N;
  fillParameters.height = 1;
  fillParameters.value = 10;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &fillParameters));
  int n = N, x = 5;
  void *arguments[] = {&a, &n, &x};
  cudaKernelNodeParams kernelParameters{};
  kernelParameters.func = reinterpret_cast<void *>(add);
  kernelParameters.gridDim = dim3((N + 127) / 128);
  kernelParameters.blockDim = dim3(128);
  kernelParameters.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &kernelParameters));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, b, a,
                                 N * sizeof(int), cudaMemcpyDeviceToDevice));
  int one = 1, hundred = 100;
  cudaHostNodeParams hostParameters{call, &one};
  CHECK(cudaGraphAddHostNode(&function, graph, &copy, 1, &hostParameters));
  cudaGraphExec_t exec, second;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));

  const auto expect = [&](cudaGraphExec_t which, const int *where, int value,
                          int calledBy, int line) {
    CHECK(cudaMemsetAsync(b, 0, N * sizeof(int), stream));
    calls = 0;
    CHECK(cudaGraphLaunch(which, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(host, where, N * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; ++i)
      if (host[i] != value || calls != calledBy) {
        std::printf("line %d: element %d is %d, not %d; calls %d\n", line, i,
                    host[i], value, calls);
        std::exit(1);
      }
  };
  expect(exec, b, 15, 1, __LINE__);

  // In the executable graph only.
  x = 7;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &kernelParameters));
  x = 1000;
  expect(exec, b, 17, 1, __LINE__);
  fillParameters.value = 20;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, fill, &fillParameters));
  expect(exec, b, 27, 1, __LINE__);
  hostParameters.userData = &hundred;
  CHECK(cudaGraphExecHostNodeSetParams(exec, function, &hostParameters));
  expect(exec, b, 27, 100, __LINE__);
  int *other;
  CHECK(cudaMalloc(&other, N * sizeof(int)));
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(
      exec, copy, other, a, N * sizeof(int), cudaMemcpyDeviceToDevice));
  expect(exec, other, 27, 100, __LINE__);
  expect(exec, b, 0, 100, __LINE__);
  // The graph itself is as it was.
  CHECK(cudaGraphInstantiate(&second, graph, 0));
  expect(second, b, 15, 1, __LINE__);
  CHECK(cudaGraphExecDestroy(second));

  // In the graph.
  x = 3;
  kernelParameters.func = reinterpret_cast<void *>(multiply);
  CHECK(cudaGraphKernelNodeSetParams(kernel, &kernelParameters));
  fillParameters.value = 4;
  CHECK(cudaGraphMemsetNodeSetParams(fill, &fillParameters));
  CHECK(cudaGraphHostNodeSetParams(function, &hostParameters));
  CHECK(cudaGraphMemcpyNodeSetParams1D(copy, other, a, N * sizeof(int),
                                       cudaMemcpyDeviceToDevice));
  expect(exec, other, 27, 100, __LINE__);
  CHECK(cudaGraphInstantiate(&second, graph, 0));
  expect(second, other, 12, 100, __LINE__);

  // Another kind of node.
  if (cudaGraphMemsetNodeSetParams(kernel, &fillParameters) == cudaSuccess)
    std::puts("a kernel became a fill"), std::exit(1);
  cudaGetLastError();
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(second));
  CHECK(cudaGraphDestroy(graph));
  std::puts("PASSED");
}
