// Nodes and edges of graphs: removed, found again in copies, within other
// graphs, switched off, and with events.
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int N = 1000;

__global__ void add(int *a, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    a[i] += value;
}

static int *device;
static int host[N];
static cudaStream_t stream;

static int result() {
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost));
  for (int i = 1; i < N; ++i)
    EXPECT(host[i] == host[0]);
  return host[0];
}

static int run(cudaGraphExec_t exec) {
  CHECK(cudaMemsetAsync(device, 0, sizeof(host), stream));
  CHECK(cudaGraphLaunch(exec, stream));
  return result();
}

static int runOnce(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  int value = run(exec);
  CHECK(cudaGraphExecDestroy(exec));
  return value;
}

static cudaGraphNode_t adding(cudaGraph_t graph, int value,
                              const cudaGraphNode_t *after, size_t count) {
  void *parameters[] = {&device, &value};
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = (void *)add;
  p.kernel.gridDim = dim3((N + 127) / 128);
  p.kernel.blockDim = dim3(128);
  p.kernel.kernelParams = parameters;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, after, nullptr, count, &p));
  return node;
}

static void structure() {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t one = adding(graph, 1, nullptr, 0);
  cudaGraphNode_t two = adding(graph, 10, &one, 1);
  cudaGraphNode_t both[] = {one, two};
  cudaGraphNode_t three = adding(graph, 100, both, 2);
  EXPECT(runOnce(graph) == 111);

  // What a node depends on, and what depends on it.
  cudaGraphNode_t found[4];
  cudaGraphEdgeData edges[4];
  size_t count = 0;
  CHECK(cudaGraphNodeGetDependencies(three, nullptr, nullptr, &count));
  EXPECT(count == 2);
  count = 4;
  CHECK(cudaGraphNodeGetDependencies(three, found, edges, &count));
  EXPECT(count == 2 && !found[2]);
  EXPECT((found[0] == one && found[1] == two) ||
         (found[0] == two && found[1] == one));
  EXPECT(edges[0].type == 0 && edges[1].from_port == 0);
  CHECK(cudaGraphNodeGetDependentNodes(one, nullptr, &count));
  EXPECT(count == 2);

  // An edge that one has after all is removed; one that is not there is none.
  CHECK(cudaGraphRemoveDependencies(graph, &one, &three, 1));
  EXPECT(cudaGraphRemoveDependencies(graph, &one, &three, 1) ==
         cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  count = 0;
  CHECK(cudaGraphNodeGetDependencies(three, nullptr, &count));
  EXPECT(count == 1);
  CHECK(cudaGraphAddDependencies(graph, &one, &three, nullptr, 1));
  count = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  EXPECT(count == 3);

  // Copies know whose copies their nodes are.
  cudaGraph_t copy;
  CHECK(cudaGraphClone(&copy, graph));
  cudaGraphNode_t twin;
  CHECK(cudaGraphNodeFindInClone(&twin, two, copy));
  EXPECT(twin && twin != two);
  CHECK(cudaGraphDestroyNode(twin));
  EXPECT(runOnce(copy) == 101);
  EXPECT(runOnce(graph) == 111);
  CHECK(cudaGraphGetNodes(copy, nullptr, &count));
  EXPECT(count == 2);
  CHECK(cudaGraphDestroy(copy));

  // Nodes of an executable graph that do nothing for a while.
  cudaGraphInstantiateParams p = {};
  p.flags = cudaGraphInstantiateFlagAutoFreeOnLaunch;
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, &p));
  EXPECT(p.result_out == cudaGraphInstantiateSuccess);
  unsigned long long flags = 0;
  CHECK(cudaGraphExecGetFlags(exec, &flags));
  EXPECT(flags == cudaGraphInstantiateFlagAutoFreeOnLaunch);
  unsigned enabled = 7;
  CHECK(cudaGraphNodeGetEnabled(exec, two, &enabled));
  EXPECT(enabled == 1);
  CHECK(cudaGraphNodeSetEnabled(exec, two, 0));
  CHECK(cudaGraphNodeGetEnabled(exec, two, &enabled));
  EXPECT(enabled == 0);
  EXPECT(run(exec) == 101);
  CHECK(cudaGraphNodeSetEnabled(exec, two, 1));
  EXPECT(run(exec) == 111);

  // New parameters, for a node of whatever type.
  int value = 5;
  void *parameters[] = {&device, &value};
  cudaGraphNodeParams q = {};
  q.type = cudaGraphNodeTypeKernel;
  q.kernel.func = (void *)add;
  q.kernel.gridDim = dim3((N + 127) / 128);
  q.kernel.blockDim = dim3(128);
  q.kernel.kernelParams = parameters;
  CHECK(cudaGraphExecNodeSetParams(exec, two, &q));
  EXPECT(run(exec) == 106);
  EXPECT(runOnce(graph) == 111);
  CHECK(cudaGraphNodeSetParams(two, &q));
  EXPECT(runOnce(graph) == 106);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

static void children() {
  cudaGraph_t child, graph, within, other;
  CHECK(cudaGraphCreate(&child, 0));
  cudaGraphNode_t first = adding(child, 1, nullptr, 0);
  adding(child, 2, &first, 1);
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node;
  CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  adding(graph, 100, &node, 1);
  EXPECT(runOnce(graph) == 103);

  // The graph in the node is a copy of its own that can be asked about.
  CHECK(cudaGraphChildGraphNodeGetGraph(node, &within));
  EXPECT(within != child);
  size_t count = 2;
  cudaGraphNode_t nodes[2];
  CHECK(cudaGraphGetNodes(within, nodes, &count));
  EXPECT(count == 2);

  // An executable graph gets the child's other parameters.
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphCreate(&other, 0));
  cudaGraphNode_t later = adding(other, 10, nullptr, 0);
  adding(other, 20, &later, 1);
  CHECK(cudaGraphExecChildGraphNodeSetParams(exec, node, other));
  EXPECT(run(exec) == 130);
  adding(other, 20, &later, 1);
  EXPECT(cudaGraphExecChildGraphNodeSetParams(exec, node, other) !=
         cudaSuccess);
  cudaGetLastError();
  EXPECT(run(exec) == 130);
  EXPECT(runOnce(graph) == 103);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(other));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(child));
}

static void events() {
  cudaEvent_t done, another, asked;
  CHECK(cudaEventCreate(&done));
  CHECK(cudaEventCreate(&another));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node = adding(graph, 1, nullptr, 0), record, wait;
  CHECK(cudaGraphAddEventRecordNode(&record, graph, &node, 1, done));
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &asked));
  EXPECT(asked == done);
  CHECK(cudaGraphEventRecordNodeSetEvent(record, another));
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &asked));
  EXPECT(asked == another);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphExecEventRecordNodeSetEvent(exec, record, done));
  CHECK(cudaMemsetAsync(device, 0, sizeof(host), stream));
  CHECK(cudaGraphLaunch(exec, stream));
  // Another stream waits for what the graph has recorded.
  cudaStream_t second;
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaStreamWaitEvent(second, done, 0));
  add<<<(N + 127) / 128, 128, 0, second>>>(device, 7);
  CHECK(cudaStreamSynchronize(second));
  EXPECT(result() == 8);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));

  // A graph that waits for an event that was recorded before.
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, another));
  CHECK(cudaGraphEventWaitNodeGetEvent(wait, &asked));
  EXPECT(asked == another);
  adding(graph, 50, &wait, 1);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphExecEventWaitNodeSetEvent(exec, wait, done));
  CHECK(cudaMemsetAsync(device, 0, sizeof(host), second));
  add<<<(N + 127) / 128, 128, 0, second>>>(device, 3);
  CHECK(cudaEventRecord(done, second));
  CHECK(cudaGraphLaunch(exec, stream));
  EXPECT(result() == 53);
  CHECK(cudaGraphEventWaitNodeSetEvent(wait, done));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaEventDestroy(done));
  CHECK(cudaEventDestroy(another));
}

static void attributes() {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t one = adding(graph, 1, nullptr, 0);
  cudaGraphNode_t two = adding(graph, 2, &one, 1);
  cudaKernelNodeAttrValue value = {}, found = {};
  CHECK(cudaGraphKernelNodeGetAttribute(one, cudaKernelNodeAttributeCooperative,
                                        &found));
  EXPECT(found.cooperative == 0);
  value.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(one, cudaKernelNodeAttributeCooperative,
                                        &value));
  CHECK(cudaGraphKernelNodeCopyAttributes(two, one));
  CHECK(cudaGraphKernelNodeGetAttribute(two, cudaKernelNodeAttributeCooperative,
                                        &found));
  EXPECT(found.cooperative == 1);
  EXPECT(runOnce(graph) == 3);
  // They stay when the parameters change.
  cudaKernelNodeParams p;
  CHECK(cudaGraphKernelNodeGetParams(one, &p));
  CHECK(cudaGraphKernelNodeSetParams(one, &p));
  CHECK(cudaGraphKernelNodeGetAttribute(one, cudaKernelNodeAttributeCooperative,
                                        &found));
  EXPECT(found.cooperative == 1);
  CHECK(cudaGraphDestroy(graph));
}

// A stream that has joined a capture may be destroyed before the capture ends.
static void leaving() {
  for (bool joined : {true, false}) {
    cudaStream_t other;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<(N + 127) / 128, 128, 0, stream>>>(device, 1);
    CHECK(cudaEventRecord(fork, stream));
    CHECK(cudaStreamWaitEvent(other, fork, 0));
    add<<<(N + 127) / 128, 128, 0, other>>>(device, 20);
    if (joined) {
      CHECK(cudaEventRecord(join, other));
      CHECK(cudaStreamWaitEvent(stream, join, 0));
    }
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    cudaGraph_t graph;
    cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    EXPECT(ended == (joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined));
    if (!joined)
      continue;
    EXPECT(runOnce(graph) == 21);
    CHECK(cudaGraphDestroy(graph));
  }
}

int main() {
  CHECK(cudaMalloc(&device, sizeof(host)));
  CHECK(cudaStreamCreate(&stream));
  structure();
  children();
  events();
  attributes();
  leaving();
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device));
  std::puts("PASSED");
}
