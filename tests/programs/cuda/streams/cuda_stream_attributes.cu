// Attributes of streams, captures that the program steers by hand, and kernels
// as handles.
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void add(int *a, short small, double large) {
  a[threadIdx.x] += small + int(large);
}

static void attributes() {
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  int device = -1;
  CHECK(cudaStreamGetDevice(one, &device));
  EXPECT(device == 0);
  CHECK(cudaStreamGetDevice(cudaStreamPerThread, &device));
  EXPECT(device == 0);
  cudaStreamAttrValue value = {}, found = {};
  CHECK(cudaStreamGetAttribute(one, cudaStreamAttributeSynchronizationPolicy,
                               &found));
  value.syncPolicy = cudaSyncPolicyBlockingSync;
  CHECK(cudaStreamSetAttribute(one, cudaStreamAttributeSynchronizationPolicy,
                               &value));
  CHECK(cudaStreamCopyAttributes(two, one));
  CHECK(cudaStreamGetAttribute(two, cudaStreamAttributeSynchronizationPolicy,
                               &found));
  EXPECT(found.syncPolicy == cudaSyncPolicyBlockingSync);
  value = {};
  int least, greatest, priority;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  value.priority = greatest;
  CHECK(cudaStreamSetAttribute(two, cudaStreamAttributePriority, &value));
  CHECK(cudaStreamGetPriority(two, &priority));
  EXPECT(priority == greatest);
  EXPECT(cudaStreamSetAttribute(two, cudaLaunchAttributeCooperative, &value) ==
         cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaCtxResetPersistingL2Cache());
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(two));
}

static void captures(int *device) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  // While any stream is captured, allocations are forbidden, unless the thread
  // says that it knows what it does.
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == cudaStreamCaptureModeGlobal);
  void *memory;
  CHECK(cudaMalloc(&memory, 100));
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == cudaStreamCaptureModeRelaxed);
  add<<<1, 32, 0, stream>>>(device, 1, 2.0);
  // A node that the program adds to the graph itself, between two of the
  // capture's.
  cudaStreamCaptureStatus state;
  unsigned long long id;
  cudaGraph_t graph;
  const cudaGraphNode_t *nodes;
  size_t count;
  CHECK(cudaStreamGetCaptureInfo(stream, &state, &id, &graph, &nodes, nullptr,
                                 &count));
  EXPECT(state == cudaStreamCaptureStatusActive && count == 1);
  cudaGraphNode_t before = nodes[0], middle;
  cudaMemsetParams p = {};
  p.dst = device;
  p.value = 10;
  p.elementSize = 4;
  p.width = 32;
  p.height = 1;
  CHECK(cudaGraphAddMemsetNode(&middle, graph, &before, 1, &p));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &middle, nullptr, 1,
                                            cudaStreamSetCaptureDependencies));
  add<<<1, 32, 0, stream>>>(device, 3, 4.0);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 3);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  int host[32];
  CHECK(cudaMemcpyAsync(host, device, sizeof(host), cudaMemcpyDeviceToHost,
                        stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int value : host)
    EXPECT(value == 17);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(memory));
  CHECK(cudaStreamDestroy(stream));
}

static void handles(int *device) {
  size_t offset = 99, bytes = 99;
  CHECK(cudaFuncGetParamInfo((const void *)add, 0, &offset, &bytes));
  EXPECT(offset == 0 && bytes == 8);
  CHECK(cudaFuncGetParamInfo((const void *)add, 1, &offset, &bytes));
  EXPECT(offset == 8 && bytes == 2);
  CHECK(cudaFuncGetParamInfo((const void *)add, 2, &offset, &bytes));
  EXPECT(offset == 16 && bytes == 8);
  EXPECT(cudaFuncGetParamInfo((const void *)add, 3, &offset, &bytes) ==
         cudaErrorInvalidValue);
  cudaKernel_t kernel;
  CHECK(cudaGetKernel(&kernel, (const void *)add));
  CHECK(cudaKernelSetAttributeForDevice(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
  CHECK(cudaMemset(device, 0, 32 * sizeof(int)));
  short small = 5;
  double large = 6;
  void *parameters[] = {&device, &small, &large};
  CHECK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), parameters, 0,
                         0));
  int host[32];
  CHECK(cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost));
  for (int value : host)
    EXPECT(value == 11);
  size_t elements = 0;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&elements, &format, 0));
  EXPECT(elements >= 1 << 20);
  cudaGetLastError();
}

int main() {
  int *device;
  CHECK(cudaMalloc(&device, 32 * sizeof(int)));
  CHECK(cudaMemset(device, 0, 32 * sizeof(int)));
  attributes();
  captures(device);
  handles(device);
  CHECK(cudaFree(device));
  std::puts("PASSED");
}
