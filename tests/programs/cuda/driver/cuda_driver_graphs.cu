// MODULE: ../../Inputs/driver_kernels.cu
// FLAGS: -lcuda
// Graphs of the driver API: nodes by hand, captures, what nodes say of
// themselves, changes; functions that are looked up by name.
#include "../../Inputs/driver_check.h"
#include "../../Inputs/driver_module.h"
#include <cstring>
#include <vector>

constexpr int N = 1000;

struct Pair {
  char tag;
  double value;
};

__global__ void addOne(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += 1;
}

static CUmodule module;
static CUfunction scale;
static const auto bad = CUDA_ERROR_INVALID_VALUE;

static CUDA_KERNEL_NODE_PARAMS kernelOf(CUfunction function,
                                        void **parameters) {
  CUDA_KERNEL_NODE_PARAMS p{};
  p.func = function;
  p.gridDimX = (N + 127) / 128;
  p.blockDimX = 128;
  p.gridDimY = p.gridDimZ = p.blockDimY = p.blockDimZ = 1;
  p.kernelParams = parameters;
  return p;
}

static CUDA_MEMCPY3D lineOf(CUdeviceptr to, const void *from, size_t bytes) {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = to;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return copy;
}

static void byHand() {
  std::vector<float> host(N), back(N);
  for (int i = 0; i < N; ++i)
    host[i] = float(i);
  int calls = 0, n = N;
  CUdeviceptr a, b;
  CHECK(cuMemAlloc(&a, N * sizeof(float)));
  CHECK(cuMemAlloc(&b, 64));
  CUgraph graph, child;
  CUgraphNode copy, kernel, own, fill, host_, empty, inner, record;
  CUevent event;
  CHECK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphCreate(&child, 0));

  CUDA_MEMCPY3D in = lineOf(a, host.data(), N * sizeof(float)), read{};
  CHECK(cuGraphAddMemcpyNode(&copy, graph, nullptr, 0, &in, nullptr));
  Pair by{0, 3.0};
  short shift = 100;
  void *parameters[] = {&a, &n, &by, &shift};
  CUDA_KERNEL_NODE_PARAMS launch = kernelOf(scale, parameters), what{};
  CHECK(cuGraphAddKernelNode(&kernel, graph, &copy, 1, &launch));
  cudaFunction_t addOneFunction;
  EXPECT(cudaGetFuncBySymbol(&addOneFunction, (const void *)addOne) ==
         cudaSuccess);
  void *two[] = {&a, &n};
  CUDA_KERNEL_NODE_PARAMS second = kernelOf(addOneFunction, two);
  CHECK(cuGraphAddKernelNode(&own, graph, &kernel, 1, &second));
  CUDA_MEMSET_NODE_PARAMS set{b, 0, 7, 4, 16, 1}, given{};
  CHECK(cuGraphAddMemsetNode(&fill, graph, &own, 1, &set, nullptr));
  CUDA_HOST_NODE_PARAMS call{[](void *count) { ++*static_cast<int *>(count); },
                             &calls},
      said{};
  CHECK(cuGraphAddHostNode(&host_, graph, &fill, 1, &call));
  CHECK(cuGraphAddEmptyNode(&empty, graph, &host_, 1));
  CUgraphNode within;
  CUDA_HOST_NODE_PARAMS again = call;
  CHECK(cuGraphAddHostNode(&within, child, nullptr, 0, &again));
  CHECK(cuGraphAddChildGraphNode(&inner, graph, &empty, 1, child));
  CHECK(cuGraphAddEventRecordNode(&record, graph, &inner, 1, event));

  // What nodes say of themselves.
  CUgraphNodeType type;
  CHECK(cuGraphNodeGetType(kernel, &type));
  EXPECT(type == CU_GRAPH_NODE_TYPE_KERNEL);
  CHECK(cuGraphNodeGetType(record, &type));
  EXPECT(type == CU_GRAPH_NODE_TYPE_EVENT_RECORD);
  CHECK(cuGraphKernelNodeGetParams(kernel, &what));
  EXPECT(what.func == scale && what.blockDimX == 128);
  CHECK(cuGraphKernelNodeGetParams(own, &what));
  EXPECT(what.func == addOneFunction);
  CHECK(cuGraphMemcpyNodeGetParams(copy, &read));
  EXPECT(read.WidthInBytes == N * sizeof(float));
  CHECK(cuGraphMemsetNodeGetParams(fill, &given));
  EXPECT(given.dst == b && given.value == 7 && given.width == 16);
  CHECK(cuGraphHostNodeGetParams(host_, &said));
  EXPECT(said.userData == &calls);
  size_t count = 0;
  CHECK(cuGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 8);
  CHECK(cuGraphGetRootNodes(graph, nullptr, &count));
  EXPECT(count == 1);

  CUgraph same;
  CHECK(cuGraphClone(&same, graph));
  CUgraphExec exec;
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  CHECK(cuGraphUpload(exec, nullptr));
  CHECK(cuGraphLaunch(exec, nullptr));
  CHECK(cuCtxSynchronize());
  CHECK(cuEventQuery(event));
  EXPECT(calls == 2);
  int sevens[16];
  CHECK(cuMemcpyDtoH(back.data(), a, N * sizeof(float)));
  CHECK(cuMemcpyDtoH(sevens, b, 64));
  for (int i = 0; i < N; ++i)
    EXPECT(back[i] == host[i] * 3 + 101);
  EXPECT(sevens[0] == 7 && sevens[15] == 7);

  // Changes, for the executable graph and for the graph.
  shift = 200;
  CHECK(cuGraphExecKernelNodeSetParams(exec, kernel, &launch));
  set.value = 8;
  CHECK(cuGraphExecMemsetNodeSetParams(exec, fill, &set, nullptr));
  std::vector<float> other(N, 2.0f);
  in.srcHost = other.data();
  CHECK(cuGraphExecMemcpyNodeSetParams(exec, copy, &in, nullptr));
  int others = 0;
  call.userData = &others;
  CHECK(cuGraphExecHostNodeSetParams(exec, host_, &call));
  CHECK(cuGraphLaunch(exec, nullptr));
  CHECK(cuMemcpyDtoH(back.data(), a, N * sizeof(float)));
  CHECK(cuMemcpyDtoH(sevens, b, 64));
  EXPECT(back[5] == 2 * 3 + 201 && sevens[3] == 8 && others == 1 && calls == 3);
  CHECK(cuGraphKernelNodeSetParams(kernel, &launch));
  CHECK(cuGraphMemsetNodeSetParams(fill, &set));
  CHECK(cuGraphMemcpyNodeSetParams(copy, &in));
  CHECK(cuGraphHostNodeSetParams(host_, &call));
  CUgraphExecUpdateResultInfo result{};
  CHECK(cuGraphExecUpdate(exec, graph, &result));
  EXPECT(result.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CHECK(cuGraphDestroyNode(record));
  EXPECT(cuGraphExecUpdate(exec, graph, &result) ==
         CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);

  // Wrong arguments.
  EXPECT(cuGraphCreate(nullptr, 0) == bad);
  EXPECT(cuGraphAddKernelNode(nullptr, graph, nullptr, 0, &launch) == bad);
  EXPECT(cuGraphAddKernelNode(&kernel, graph, nullptr, 0, nullptr) == bad);
  CUDA_KERNEL_NODE_PARAMS none = launch;
  none.func = nullptr;
  EXPECT(cuGraphAddKernelNode(&kernel, graph, nullptr, 0, &none) ==
         CUDA_ERROR_INVALID_HANDLE);
  // Packed parameters are for launches only.
  CUDA_KERNEL_NODE_PARAMS packed = launch;
  char words[32] = {};
  size_t wordBytes = sizeof(words);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, words,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &wordBytes,
                   CU_LAUNCH_PARAM_END};
  packed.kernelParams = nullptr;
  packed.extra = extra;
  EXPECT(cuGraphAddKernelNode(&kernel, graph, nullptr, 0, &packed) ==
         CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(cuGraphAddMemcpyNode(nullptr, graph, nullptr, 0, &in, nullptr) == bad);
  EXPECT(cuGraphAddMemcpyNode(&copy, graph, nullptr, 0, nullptr, nullptr) ==
         bad);
  EXPECT(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, nullptr, nullptr) ==
         bad);
  EXPECT(cuGraphAddHostNode(&host_, graph, nullptr, 0, nullptr) == bad);
  EXPECT(cuGraphExecKernelNodeSetParams(nullptr, kernel, &launch) == bad);
  EXPECT(cuGraphExecMemcpyNodeSetParams(nullptr, copy, &in, nullptr) == bad);
  EXPECT(cuGraphExecMemsetNodeSetParams(nullptr, fill, &set, nullptr) == bad);
  EXPECT(cuGraphKernelNodeGetParams(kernel, nullptr) == bad);
  EXPECT(cuGraphMemcpyNodeGetParams(copy, nullptr) == bad);
  EXPECT(cuGraphMemsetNodeGetParams(fill, nullptr) == bad);
  EXPECT(cuGraphInstantiate(nullptr, graph, 0) == bad);
  EXPECT(cuGraphLaunch(nullptr, nullptr) == bad);
  EXPECT(cudaGetLastError() == cudaSuccess);

  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(same));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuGraphDestroy(child));
  CHECK(cuEventDestroy(event));
  CHECK(cuMemFree(b));
  CHECK(cuMemFree(a));
}

static void captured() {
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  CUstreamCaptureStatus capture;
  CUdeviceptr a;
  float back[4];
  CHECK(cuMemAlloc(&a, sizeof(back)));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CHECK(cuMemsetD32Async(a, 0, 4, stream));
  int n = 4;
  Pair by{0, 1.0};
  short shift = 5;
  void *parameters[] = {&a, &n, &by, &shift};
  CHECK(
      cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr));
  CHECK(cuStreamIsCapturing(stream, &capture));
  EXPECT(capture == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuStreamIsCapturing(stream, &capture));
  EXPECT(capture == CU_STREAM_CAPTURE_STATUS_NONE);
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  CHECK(cuGraphLaunch(exec, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(back, a, sizeof(back)));
  EXPECT(back[0] == 5 && back[3] == 5);
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuMemFree(a));
}

static void lookup() {
  void *function = nullptr;
  CUdriverProcAddressQueryResult result;
  CHECK(cuGetProcAddress("cuMemAlloc", &function, 12000,
                         CU_GET_PROC_ADDRESS_DEFAULT, &result));
  EXPECT(result == CU_GET_PROC_ADDRESS_SUCCESS);
  CUdeviceptr a = 0;
  CHECK(
      reinterpret_cast<CUresult (*)(CUdeviceptr *, size_t)>(function)(&a, 64));
  EXPECT(a);
  CHECK(cuMemFree(a));
  CHECK(cuGetProcAddress("cuCtxCreate", &function, 12000, 0, nullptr));
  CHECK(cuGetProcAddress("cuGetProcAddress", &function, 12000, 0, nullptr));
  EXPECT(cuGetProcAddress("cuNothing", &function, 12000, 0, &result) ==
         CUDA_ERROR_NOT_FOUND);
  EXPECT(!function && result == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT(cuGetProcAddress(nullptr, &function, 12000, 0, &result) == bad);
  EXPECT(cuGetProcAddress("cuInit", nullptr, 12000, 0, &result) == bad);
  EXPECT(cuGetProcAddress("cuInit", &function, 12000, 77, &result) == bad);
}

int main() {
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, module_begin));
  CHECK(cuModuleGetFunction(&scale, module, "scale"));
  byHand();
  captured();
  lookup();
  CHECK(cuModuleUnload(module));
  std::puts("PASSED");
}
