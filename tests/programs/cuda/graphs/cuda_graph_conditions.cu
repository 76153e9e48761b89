// Nodes of graphs with conditions: with one graph and with two, loops, a choice
// of several, one within another, bodies that are captured, values that every
// launch begins with.
#include "../../Inputs/check.h"

__global__ void decide(cudaGraphConditionalHandle condition, const int *value) {
  cudaGraphSetConditional(condition, *value);
}

__global__ void add(int *to, int value) {
  if (threadIdx.x == 0)
    *to += value;
}

// Counts down; the loop ends at zero.
__global__ void countDown(int *left, cudaGraphConditionalHandle condition) {
  if (--*left == 0)
    cudaGraphSetConditional(condition, 0);
}

__global__ void nothing() {}

struct Data {
  int value, result, left, inner;
};
static Data *data;

static Data run(cudaGraphExec_t exec, Data before) {
  Data after;
  CHECK(cudaMemcpy(data, &before, sizeof(before), cudaMemcpyHostToDevice));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaMemcpy(&after, data, sizeof(after), cudaMemcpyDeviceToHost));
  return after;
}

static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t after,
                              const void *function, void **parameters) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
  p.kernel.func = const_cast<void *>(function);
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = parameters;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, after ? &after : nullptr, nullptr,
                         after ? 1 : 0, &p));
  return node;
}

static cudaGraphNode_t condition(cudaGraph_t graph, cudaGraphNode_t after,
                                 cudaGraphConditionalHandle handle,
                                 cudaGraphConditionalNodeType type,
                                 unsigned count, cudaGraph_t **graphs) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = count;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, after ? &after : nullptr, nullptr,
                         after ? 1 : 0, &p));
  *graphs = p.conditional.phGraph_out;
  cudaGraphNodeType found;
  CHECK(cudaGraphNodeGetType(node, &found));
  EXPECT(found == cudaGraphNodeTypeConditional);
  return node;
}

// A kernel sets the condition, one of \p count graphs adds 10, 100, ..., and a
// kernel behind adds 1.
static cudaGraphExec_t choice(cudaGraphConditionalNodeType type, int count) {
  cudaGraph_t graph, *bodies;
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
  int *value = &data->value, *result = &data->result;
  void *first[] = {&handle, &value};
  cudaGraphNode_t node = kernel(graph, nullptr, (const void *)decide, first);
  node = condition(graph, node, handle, type, count, &bodies);
  int amount = 1;
  for (int i = 0; i < count; ++i) {
    amount *= 10;
    void *parameters[] = {&result, &amount};
    kernel(bodies[i],
           kernel(bodies[i], nullptr, (const void *)nothing, nullptr),
           (const void *)add, parameters);
  }
  int one = 1;
  void *last[] = {&result, &one};
  kernel(graph, node, (const void *)add, last);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return exec;
}

static void choices() {
  cudaGraphExec_t exec = choice(cudaGraphCondTypeIf, 1);
  EXPECT(run(exec, {1, 0, 0, 0}).result == 11);
  EXPECT(run(exec, {0, 0, 0, 0}).result == 1);
  EXPECT(run(exec, {7, 0, 0, 0}).result == 11);
  CHECK(cudaGraphExecDestroy(exec));
  exec = choice(cudaGraphCondTypeIf, 2);
  EXPECT(run(exec, {1, 0, 0, 0}).result == 11);
  EXPECT(run(exec, {0, 0, 0, 0}).result == 101);
  CHECK(cudaGraphExecDestroy(exec));
  exec = choice(cudaGraphCondTypeSwitch, 4);
  int expected = 1;
  for (int i = 0; i < 4; ++i) {
    expected *= 10;
    EXPECT(run(exec, {i, 0, 0, 0}).result == expected + 1);
  }
  EXPECT(run(exec, {4, 0, 0, 0}).result == 1);
  CHECK(cudaGraphExecDestroy(exec));
}

// A loop around a loop, both with captured bodies; every launch begins anew.
static void loops() {
  cudaGraph_t graph, *body, *innerBody;
  cudaGraphConditionalHandle outer, inner;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&outer, graph, 1,
                                         cudaGraphCondAssignDefault));
  condition(graph, nullptr, outer, cudaGraphCondTypeWhile, 1, &body);

  CHECK(cudaGraphConditionalHandleCreate(&inner, body[0]));
  static const int two = 2;
  cudaGraphNode_t begin;
  CHECK(cudaStreamBeginCaptureToGraph(stream, body[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(&data->inner, &data->value, sizeof(int),
                        cudaMemcpyDeviceToDevice, stream));
  decide<<<1, 1, 0, stream>>>(inner, &data->inner);
  cudaStreamCaptureStatus state;
  const cudaGraphNode_t *dependencies;
  size_t count;
  cudaGraph_t captured;
  CHECK(cudaStreamGetCaptureInfo(stream, &state, nullptr, &captured,
                                 &dependencies, &count));
  EXPECT(count == 1);
  begin = condition(captured, dependencies[0], inner, cudaGraphCondTypeWhile, 1,
                    &innerBody);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &begin, 1,
                                            cudaStreamSetCaptureDependencies));
  countDown<<<1, 1, 0, stream>>>(&data->left, outer);
  CHECK(cudaStreamEndCapture(stream, &captured));

  CHECK(cudaStreamBeginCaptureToGraph(stream, innerBody[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(&data->result, two);
  countDown<<<1, 1, 0, stream>>>(&data->inner, inner);
  CHECK(cudaStreamEndCapture(stream, nullptr));

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT(run(exec, {3, 0, 5, 0}).result == 2 * 3 * 5);
  const Data after = run(exec, {2, 100, 50, 0});
  EXPECT(after.result == 100 + 2 * 2 * 50 && after.left == 0);
  // Several launches behind each other, and something behind them.
  const Data start = {1, 0, 1, 0};
  CHECK(cudaMemcpy(data, &start, sizeof(start), cudaMemcpyHostToDevice));
  for (int i = 0; i < 20; ++i) {
    CHECK(cudaGraphLaunch(exec, stream));
    add<<<1, 1, 0, stream>>>(&data->left, 1);
  }
  CHECK(cudaStreamSynchronize(stream));
  Data end;
  CHECK(cudaMemcpy(&end, data, sizeof(end), cudaMemcpyDeviceToHost));
  EXPECT(end.result == 40 && end.left == 1);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

// What stands within a node with a condition, and within one within that, can
// be changed in the executable graph; launches under way are not concerned.
static void changes() {
  cudaGraph_t graph, *body, *innerBody;
  cudaGraphConditionalHandle outer, inner;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&outer, graph, 1,
                                         cudaGraphCondAssignDefault));
  condition(graph, nullptr, outer, cudaGraphCondTypeIf, 1, &body);
  int *result = &data->result, *left = &data->left;
  int amount = 10, other = 1000;
  void *first[] = {&result, &amount}, *second[] = {&left, &other};
  const cudaGraphNode_t adds =
      kernel(body[0], nullptr, (const void *)add, first);
  CHECK(cudaGraphConditionalHandleCreate(&inner, body[0], 1,
                                         cudaGraphCondAssignDefault));
  condition(body[0], adds, inner, cudaGraphCondTypeIf, 1, &innerBody);
  const cudaGraphNode_t deepest =
      kernel(innerBody[0], nullptr, (const void *)add, second);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  const auto is = [&](int result, int left) {
    const Data after = run(exec, {0, 0, 0, 0});
    return after.result == result && after.left == left;
  };
  EXPECT(is(10, 1000));
  cudaKernelNodeParams p = {};
  p.func = (void *)add;
  p.gridDim = p.blockDim = dim3(1);
  p.kernelParams = first;
  amount = 20;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, adds, &p));
  EXPECT(is(20, 1000));
  p.kernelParams = second;
  other = 2000;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, deepest, &p));
  EXPECT(is(20, 2000));
  CHECK(cudaGraphNodeSetEnabled(exec, deepest, 0));
  EXPECT(is(20, 0));
  unsigned enabled = 1;
  CHECK(cudaGraphNodeGetEnabled(exec, deepest, &enabled));
  EXPECT(enabled == 0);
  CHECK(cudaGraphNodeSetEnabled(exec, deepest, 1));
  EXPECT(is(20, 2000));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

static void errors() {
  cudaGraph_t graph, copy, *bodies;
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphCreate(&graph, 0));
  EXPECT(cudaGraphConditionalHandleCreate(nullptr, graph) ==
         cudaErrorInvalidValue);
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0,
                                         cudaGraphCondAssignDefault));
  condition(graph, nullptr, handle, cudaGraphCondTypeIf, 1, &bodies);
  EXPECT(cudaGraphClone(&copy, graph) != cudaSuccess);
  // What a graph holds belongs to its node.
  EXPECT(cudaGraphDestroy(bodies[0]) != cudaSuccess);
  CHECK(cudaGraphDestroy(graph));
  cudaGetLastError();
}

int main() {
  CHECK(cudaMalloc(&data, sizeof(Data)));
  choices();
  loops();
  changes();
  errors();
  CHECK(cudaFree(data));
  std::puts("PASSED");
}
