// FLAGS: -lcuda
// The driver API's managed memory, copies in batches, boxes of two contexts,
// rectangles in a stream, pools by their place; nodes of any type with a
// condition, attributes, objects that graphs keep, what functions say of
// themselves; all of them by their names and in the forms of older versions.
#include "../../Inputs/driver_check.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

static const auto bad = CUDA_ERROR_INVALID_VALUE;
constexpr size_t bytes = 4096;

__global__ void add(int *a, double by, char last) {
  __shared__ int all[32];
  all[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = all[31 - threadIdx.x] + int(by) + last;
}

static CUmemLocation device(int number) {
  return {CU_MEM_LOCATION_TYPE_DEVICE, number};
}

static void managed(CUstream stream) {
  CUdeviceptr memory;
  CHECK(cuMemAllocManaged(&memory, bytes, CU_MEM_ATTACH_GLOBAL));
  int *numbers = reinterpret_cast<int *>(memory);
  for (int i = 0; i < 1024; ++i)
    numbers[i] = i;
  CHECK(cuMemAdvise(memory, bytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device(0)));
  int readMostly = 0, preferred = 7;
  CHECK(cuMemRangeGetAttribute(&readMostly, sizeof(int),
                               CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory,
                               bytes));
  EXPECT(readMostly == 1);
  // The form before CUDA 13.
  CHECK(cuMemAdvise(memory, bytes, CU_MEM_ADVISE_UNSET_READ_MOSTLY, 0));
  CHECK(cuMemAdvise(memory, bytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                    CU_DEVICE_CPU));
  void *data[] = {&readMostly, &preferred};
  size_t sizes[] = {sizeof(int), sizeof(int)};
  CUmem_range_attribute attributes[] = {
      CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
      CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
  CHECK(cuMemRangeGetAttributes(data, sizes, attributes, 2, memory, bytes));
  EXPECT(readMostly == 0 && preferred == CU_DEVICE_CPU);
  CHECK(cuMemPrefetchAsync(memory, bytes, device(0), 0, stream));
  CHECK(cuMemPrefetchAsync(memory, bytes, CU_DEVICE_CPU, stream));
  CHECK(cuStreamSynchronize(stream));
  EXPECT(numbers[1023] == 1023);
  EXPECT(cuMemAdvise(memory, bytes, CUmem_advise(99), device(0)) == bad);
  CHECK(cuMemFree(memory));
}

static void copies(CUstream stream) {
  CUdeviceptr a, b;
  std::vector<int> host(1024), back(1024, -1);
  for (int i = 0; i < 1024; ++i)
    host[i] = 3 * i;
  CHECK(cuMemAlloc(&a, bytes));
  CHECK(cuMemAlloc(&b, bytes));
  CHECK(cuMemcpyHtoD(a, host.data(), bytes));
  // Both halves, the other way round.
  CUdeviceptr to[] = {b, b + bytes / 2}, from[] = {a + bytes / 2, a};
  size_t sizes[] = {bytes / 2, bytes / 2}, places[] = {0};
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CHECK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, places, 1, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(back.data(), b, bytes));
  EXPECT(back[0] == 3 * 512 && back[512] == 0 && back[1023] == 3 * 511);

  // A box of 4 x 4 numbers out of rows of 16.
  CUDA_MEMCPY3D_BATCH_OP box = {};
  box.src.type = box.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  box.src.op.ptr.ptr = a;
  box.src.op.ptr.rowLength = 64;
  box.dst.op.ptr.ptr = b;
  box.extent = {16, 4, 1};
  box.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CHECK(cuMemcpy3DBatchAsync(1, &box, 0, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(back.data(), b, 64));
  EXPECT(back[3] == 9 && back[4] == 3 * 16 && back[15] == 3 * 51);

  CUcontext context;
  CHECK(cuCtxGetCurrent(&context));
  CUDA_MEMCPY3D_PEER peer = {};
  peer.srcMemoryType = peer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  peer.srcDevice = a;
  peer.dstDevice = b;
  peer.srcContext = peer.dstContext = context;
  peer.srcPitch = 64;
  peer.dstPitch = 32;
  peer.WidthInBytes = 16;
  peer.Height = 2;
  peer.Depth = 1;
  CHECK(cuMemsetD2D32Async(b, 32, 5, 8, 2, stream));
  CHECK(cuMemcpy3DPeerAsync(&peer, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(back.data(), b, 64));
  EXPECT(back[3] == 9 && back[4] == 5 && back[8] == 48 && back[12] == 5);
  CHECK(cuMemsetD2D16Async(b, 32, 0x101, 4, 2, stream));
  CHECK(cuMemsetD2D8Async(b, 32, 2, 1, 2, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpy3DPeer(&peer));
  CHECK(cuMemcpyDtoH(back.data(), b, 64));
  EXPECT(back[0] == 0 && back[3] == 9 && back[8] == 48);
  EXPECT(cuMemcpy3DPeer(nullptr) == bad);
  CHECK(cuMemFree(a));
  CHECK(cuMemFree(b));
}

static void pools(CUstream stream) {
  CUmemLocation here = device(0);
  CUmemoryPool pool, same;
  CUmemAccess_flags flags;
  CHECK(cuMemGetDefaultMemPool(&pool, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
  CHECK(cuDeviceGetDefaultMemPool(&same, 0));
  EXPECT(pool == same);
  CHECK(cuMemSetMemPool(&here, CU_MEM_ALLOCATION_TYPE_PINNED, pool));
  CHECK(cuMemGetMemPool(&same, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT(pool == same);
  CHECK(cuMemPoolGetAccess(&flags, pool, &here));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  const CUmemAccessDesc access = {here, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CHECK(cuMemPoolSetAccess(pool, &access, 1));
  CUdeviceptr memory;
  CHECK(cuMemAllocFromPoolAsync(&memory, bytes, pool, stream));
  CHECK(cuMemFreeAsync(memory, stream));
  CHECK(cuStreamSynchronize(stream));
}

static void functions(CUfunction function) {
  size_t offset = 99, size = 99, available = 0;
  CHECK(cuFuncGetParamInfo(function, 1, &offset, &size));
  EXPECT(offset == 8 && size == 8);
  CHECK(cuFuncGetParamInfo(function, 2, &offset, nullptr));
  EXPECT(offset == 16);
  EXPECT(cuFuncGetParamInfo(function, 3, &offset, &size) == bad);
  CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&available, function, 1, 32));
  EXPECT(available > 4096);
  int grid = 0, block = 0;
  CHECK(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, function,
                                                  nullptr, 0, 0, 1));
  EXPECT(grid > 0 && block > 0);
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_MAX;
  CHECK(cuFuncLoad(function));
  CHECK(cuFuncIsLoaded(&state, function));
  EXPECT(state == CU_FUNCTION_LOADING_STATE_LOADED);
  CUmoduleLoadingMode mode = CUmoduleLoadingMode(0);
  CHECK(cuModuleGetLoadingMode(&mode));
  EXPECT(mode == CU_MODULE_LAZY_LOADING || mode == CU_MODULE_EAGER_LOADING);
  CHECK(cuCtxResetPersistingL2Cache());
}

static std::atomic<int> destroyed{0};

static void graphs(CUfunction function, CUstream stream) {
  CUdeviceptr a;
  CUgraph graph;
  CUgraphNode fill, kernel, copy, choice, inner;
  CHECK(cuMemAlloc(&a, bytes));
  CHECK(cuGraphCreate(&graph, 0));
  CUgraphNodeParams p = {CU_GRAPH_NODE_TYPE_MEMSET};
  p.memset.dst = a;
  p.memset.value = 1;
  p.memset.elementSize = 4;
  p.memset.width = 32;
  p.memset.height = 1;
  CHECK(cuGraphAddNode(&fill, graph, nullptr, nullptr, 0, &p));
  double by = 40;
  char last = 1;
  void *arguments[] = {&a, &by, &last};
  CUgraphNodeParams k = {CU_GRAPH_NODE_TYPE_KERNEL};
  k.kernel.func = function;
  k.kernel.gridDimX = k.kernel.gridDimY = k.kernel.gridDimZ = 1;
  k.kernel.blockDimX = 32;
  k.kernel.blockDimY = k.kernel.blockDimZ = 1;
  k.kernel.kernelParams = arguments;
  const CUgraphEdgeData plain = {};
  CHECK(cuGraphAddNode(&kernel, graph, &fill, &plain, 1, &k));
  // Not done: the condition is zero.
  CUgraphConditionalHandle condition;
  CUcontext context;
  CHECK(cuCtxGetCurrent(&context));
  CHECK(cuGraphConditionalHandleCreate(&condition, graph, context, 0,
                                       CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraphNodeParams c = {CU_GRAPH_NODE_TYPE_CONDITIONAL};
  c.conditional.handle = condition;
  c.conditional.type = CU_GRAPH_COND_TYPE_IF;
  c.conditional.size = 1;
  c.conditional.ctx = context;
  CHECK(cuGraphAddNode(&choice, graph, &kernel, nullptr, 1, &c));
  CHECK(cuGraphAddNode(&inner, c.conditional.phGraph_out[0], nullptr, nullptr,
                       0, &p));
  int back[32] = {};
  CUgraphNodeParams h = {CU_GRAPH_NODE_TYPE_MEMCPY};
  h.memcpy.copyCtx = context;
  h.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  h.memcpy.copyParams.srcDevice = a;
  h.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_HOST;
  h.memcpy.copyParams.dstHost = back;
  h.memcpy.copyParams.WidthInBytes = sizeof(back);
  h.memcpy.copyParams.Height = h.memcpy.copyParams.Depth = 1;
  CHECK(cuGraphAddNode(&copy, graph, &choice, nullptr, 1, &h));

  CUuserObject object;
  CHECK(cuUserObjectCreate(
      &object, &destroyed,
      [](void *count) { ++*static_cast<std::atomic<int> *>(count); }, 1,
      CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  CHECK(cuUserObjectRetain(object, 1));
  CHECK(cuUserObjectRelease(object, 1));
  CHECK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));

  CUlaunchAttributeValue value = {};
  value.cooperative = 1;
  CHECK(cuGraphKernelNodeSetAttribute(
      kernel, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &value));
  value.cooperative = 0;
  CHECK(cuGraphKernelNodeGetAttribute(
      kernel, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &value));
  EXPECT(value.cooperative == 1);
  value.cooperative = 0;
  CHECK(cuGraphKernelNodeSetAttribute(
      kernel, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &value));

  CUgraphExec exec;
  CUDA_GRAPH_INSTANTIATE_PARAMS instantiation = {};
  instantiation.result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
  CHECK(cuGraphInstantiateWithParams(&exec, graph, &instantiation));
  EXPECT(instantiation.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS);
  CHECK(cuGraphLaunch(exec, stream));
  CHECK(cuStreamSynchronize(stream));
  EXPECT(back[0] == 42 && back[31] == 42);
  p.memset.value = 2;
  by = 50;
  CHECK(cuGraphExecNodeSetParams(exec, fill, &p));
  CHECK(cuGraphExecNodeSetParams(exec, kernel, &k));
  CHECK(cuGraphLaunch(exec, stream));
  CHECK(cuStreamSynchronize(stream));
  EXPECT(back[0] == 53 && back[31] == 53);
  CHECK(cuGraphNodeSetParams(fill, &p));
  p.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
  EXPECT(cuGraphAddNode(&inner, graph, nullptr, nullptr, 0, &p) ==
         CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
  // The end may come later, from another thread.
  for (int i = 0; i < 5000 && !destroyed; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT(destroyed == 1);
  CHECK(cuMemFree(a));
}

static void streams(CUstream stream) {
  CUstream other;
  CUdevice number = -1;
  unsigned long long one = 0, two = 0;
  CHECK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamGetId(stream, &one));
  CHECK(cuStreamGetId(other, &two));
  EXPECT(one != two);
  CHECK(cuStreamGetDevice(other, &number));
  EXPECT(number == 0);
  CUstreamAttrValue value = {};
  CHECK(cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_PRIORITY, &value));
  CHECK(cuStreamSetAttribute(other, CU_STREAM_ATTRIBUTE_PRIORITY, &value));
  CHECK(cuStreamCopyAttributes(other, stream));
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  CHECK(cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
  CHECK(cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == CU_STREAM_CAPTURE_MODE_RELAXED);
  CUgraph graph;
  CHECK(cuStreamBeginCapture(other, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cuStreamUpdateCaptureDependencies(other, nullptr, nullptr, 0,
                                          CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  CHECK(cuStreamEndCapture(other, &graph));
  CHECK(cuGraphDestroy(graph));

  // Behind a node that is there already.
  CUgraphNode first;
  CUgraph same = nullptr;
  size_t nodes = 0;
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  CHECK(cuStreamBeginCaptureToGraph(other, graph, &first, nullptr, 1,
                                    CU_STREAM_CAPTURE_MODE_RELAXED));
  CHECK(cuLaunchHostFunc(other, [](void *) {}, nullptr));
  CHECK(cuStreamEndCapture(other, &same));
  EXPECT(same == graph);
  CHECK(cuGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 2);
  CHECK(cuGraphDestroy(graph));
  CHECK(cuStreamDestroy(other));
}

/// As programs that load the driver themselves find them.
static void names(CUstream stream) {
  CUdeviceptr memory;
  void *found;
  CHECK(cuMemAllocManaged(&memory, bytes, CU_MEM_ATTACH_GLOBAL));
  CHECK(cuGetProcAddress("cuMemPrefetchAsync", &found, 12000, 0, nullptr));
  using Former = CUresult (*)(CUdeviceptr, size_t, CUdevice, CUstream);
  CHECK(reinterpret_cast<Former>(found)(memory, bytes, 0, stream));
  CHECK(cuGetProcAddress("cuMemPrefetchAsync", &found, 13000, 0, nullptr));
  using Now =
      CUresult (*)(CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream);
  CHECK(reinterpret_cast<Now>(found)(memory, bytes, device(0), 0, stream));
  CHECK(cuGetProcAddress("cuGraphAddNode", &found, 12020, 0, nullptr));
  using AddNode = CUresult (*)(CUgraphNode *, CUgraph, const CUgraphNode *,
                               size_t, CUgraphNodeParams *);
  CUgraph graph;
  CUgraphNode node;
  CUgraphNodeParams empty = {CU_GRAPH_NODE_TYPE_EMPTY};
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(reinterpret_cast<AddNode>(found)(&node, graph, nullptr, 0, &empty));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemFree(memory));
}

int main() {
  CUcontext context;
  CUstream stream;
  CUfunction function;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  EXPECT(cudaGetFuncBySymbol(&function, reinterpret_cast<void *>(add)) ==
         cudaSuccess);
  managed(stream);
  copies(stream);
  pools(stream);
  functions(function);
  streams(stream);
  graphs(function, stream);
  names(stream);
  int can = 0;
  EXPECT(cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED,
                                 0, 99) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuStreamDestroy(stream));
  CHECK(cuDevicePrimaryCtxRelease(0));
  std::puts("PASSED");
}
