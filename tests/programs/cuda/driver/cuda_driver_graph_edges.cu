// FLAGS: -lcuda
// Graphs of the driver API: edges, memory that belongs to a graph, nodes that
// are found in copies or switched off; pools; functions that are looked up for
// the thread's default stream.
#include "../../Inputs/driver_check.h"
#include <atomic>
#include <chrono>
#include <cudaTypedefs.h>
#include <thread>
#include <vector>

static const auto bad = CUDA_ERROR_INVALID_VALUE;

static void count(void *calls) { ++*static_cast<std::atomic<int> *>(calls); }

static void edges() {
  std::atomic<int> calls{0};
  CUgraph graph, copy, inner, child;
  CUgraphNode a, b, c, d, found, from[4], to[4], nodes[4];
  CUDA_HOST_NODE_PARAMS call{count, &calls};
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphAddHostNode(&a, graph, nullptr, 0, &call));
  CHECK(cuGraphAddHostNode(&b, graph, nullptr, 0, &call));
  CHECK(cuGraphAddHostNode(&c, graph, nullptr, 0, &call));
  const CUgraphNode first[] = {a, a}, second[] = {b, c};
  CHECK(cuGraphAddDependencies(graph, first, second, 2));
  // CUDA 13's form.
  CUgraphEdgeData data[4] = {};
  CHECK(cuGraphAddDependencies(graph, &b, &c, data, 1));
  size_t number = 4;
  CHECK(cuGraphGetEdges(graph, from, to, &number));
  EXPECT(number == 3);
  number = 4;
  data[0].type = 9;
  CHECK(cuGraphGetEdges(graph, from, to, data, &number));
  EXPECT(number == 3 && data[0].type == 0);
  number = 4;
  CHECK(cuGraphNodeGetDependencies(c, nodes, &number));
  EXPECT(number == 2);
  number = 4;
  CHECK(cuGraphNodeGetDependentNodes(a, nodes, &number));
  EXPECT(number == 2);
  CHECK(cuGraphRemoveDependencies(graph, &b, &c, 1));
  CHECK(cuGraphNodeGetDependencies(c, nullptr, &number));
  EXPECT(number == 1);
  EXPECT(cuGraphRemoveDependencies(graph, &b, &c, 1) == bad);

  // Copies, graphs within graphs.
  CHECK(cuGraphClone(&copy, graph));
  CHECK(cuGraphNodeFindInClone(&found, b, copy));
  EXPECT(found != b);
  CHECK(cuGraphNodeGetDependencies(found, nullptr, &number));
  EXPECT(number == 1);
  CHECK(cuGraphCreate(&child, 0));
  CHECK(cuGraphAddHostNode(&found, child, nullptr, 0, &call));
  CHECK(cuGraphAddChildGraphNode(&d, graph, &c, 1, child));
  CHECK(cuGraphChildGraphNodeGetGraph(d, &inner));
  EXPECT(inner && inner != child);
  CUgraphExec exec;
  cuuint64_t flags = 77;
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  CHECK(cuGraphExecGetFlags(exec, &flags));
  EXPECT(flags == 0);
  CHECK(cuGraphExecChildGraphNodeSetParams(exec, d, child));
  CHECK(cuGraphLaunch(exec, nullptr));
  CHECK(cuCtxSynchronize());
  EXPECT(calls == 4);
  EXPECT(cuGraphAddDependencies(graph, nullptr, second, 1) == bad);
  EXPECT(cuGraphGetEdges(graph, from, to, nullptr) == bad);
  EXPECT(cuGraphGetEdges(nullptr, from, to, &number) == bad);
  EXPECT(cuGraphNodeGetDependencies(c, nodes, nullptr) == bad);
  EXPECT(cuGraphNodeGetDependentNodes(c, nodes, nullptr) == bad);
  EXPECT(cuGraphNodeFindInClone(nullptr, b, copy) == bad);
  EXPECT(cuGraphChildGraphNodeGetGraph(d, nullptr) == bad);
  EXPECT(cuGraphExecChildGraphNodeSetParams(nullptr, d, child) == bad);
  EXPECT(cuGraphExecGetFlags(exec, nullptr) == bad);
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(child));
  CHECK(cuGraphDestroy(copy));
  CHECK(cuGraphDestroy(graph));
}

// Fills that can be switched off, events that can be changed.
static void switches() {
  CUgraph graph;
  CUgraphNode fill, record, wait;
  CUgraphExec exec;
  CUevent one, two, given;
  CUdeviceptr memory;
  unsigned enabled = 7, back = 0;
  CHECK(cuEventCreate(&one, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&two, CU_EVENT_DEFAULT));
  CHECK(cuMemAlloc(&memory, 64));
  CHECK(cuMemsetD32(memory, 1, 16));
  CHECK(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS set{memory, 0, 2, 4, 16, 1};
  CHECK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &set, nullptr));
  CHECK(cuGraphAddEventRecordNode(&record, graph, &fill, 1, one));
  CHECK(cuGraphAddEventWaitNode(&wait, graph, &record, 1, one));
  CHECK(cuGraphEventRecordNodeGetEvent(record, &given));
  EXPECT(given == one);
  CHECK(cuGraphEventRecordNodeSetEvent(record, two));
  CHECK(cuGraphEventWaitNodeSetEvent(wait, two));
  CHECK(cuGraphEventWaitNodeGetEvent(wait, &given));
  EXPECT(given == two);
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  CHECK(cuGraphExecEventRecordNodeSetEvent(exec, record, one));
  CHECK(cuGraphExecEventWaitNodeSetEvent(exec, wait, one));
  CHECK(cuGraphNodeGetEnabled(exec, fill, &enabled));
  EXPECT(enabled == 1);
  CHECK(cuGraphNodeSetEnabled(exec, fill, 0));
  CHECK(cuGraphNodeGetEnabled(exec, fill, &enabled));
  EXPECT(enabled == 0);
  CHECK(cuGraphLaunch(exec, nullptr));
  CHECK(cuMemcpyDtoH(&back, memory, 4));
  EXPECT(back == 1);
  CHECK(cuGraphNodeSetEnabled(exec, fill, 1));
  CHECK(cuGraphLaunch(exec, nullptr));
  CHECK(cuMemcpyDtoH(&back, memory, 4));
  EXPECT(back == 2);
  EXPECT(cuGraphNodeSetEnabled(nullptr, fill, 1) == bad);
  EXPECT(cuGraphNodeGetEnabled(exec, fill, nullptr) == bad);
  EXPECT(cuGraphEventRecordNodeGetEvent(record, nullptr) == bad);
  EXPECT(cuGraphEventWaitNodeGetEvent(wait, nullptr) == bad);
  EXPECT(cuGraphExecEventRecordNodeSetEvent(nullptr, record, one) == bad);
  EXPECT(cuGraphExecEventWaitNodeSetEvent(nullptr, wait, one) == bad);
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuMemFree(memory));
  CHECK(cuEventDestroy(one));
  CHECK(cuEventDestroy(two));
}

static void memory(CUdevice device) {
  constexpr size_t bytes = 1 << 20;
  std::vector<unsigned> back(bytes / 4);
  CUgraph graph;
  CUgraphNode allocate, fill, read, release;
  CUgraphExec exec;
  CUDA_MEM_ALLOC_NODE_PARAMS p{}, given{};
  p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  p.bytesize = bytes;
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &p));
  EXPECT(p.dptr);
  CUDA_MEMSET_NODE_PARAMS set{p.dptr, 0, 42, 4, bytes / 4, 1};
  CHECK(cuGraphAddMemsetNode(&fill, graph, &allocate, 1, &set, nullptr));
  CUDA_MEMCPY3D out{};
  out.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  out.srcDevice = p.dptr;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = back.data();
  out.WidthInBytes = bytes;
  out.Height = out.Depth = 1;
  CUcontext context;
  CHECK(cuCtxGetCurrent(&context));
  CHECK(cuGraphAddMemcpyNode(&read, graph, &fill, 1, &out, context));
  CHECK(cuGraphAddMemFreeNode(&release, graph, &read, 1, p.dptr));
  CHECK(cuGraphMemAllocNodeGetParams(allocate, &given));
  EXPECT(given.bytesize == bytes && given.dptr == p.dptr &&
         given.poolProps.location.id == device);
  CUdeviceptr freed = 0;
  CHECK(cuGraphMemFreeNodeGetParams(release, &freed));
  EXPECT(freed == p.dptr);
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  CHECK(cuGraphLaunch(exec, nullptr));
  CHECK(cuCtxSynchronize());
  EXPECT(back.front() == 42 && back.back() == 42);
  cuuint64_t high = 0;
  CHECK(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
                                     &high));
  EXPECT(high >= bytes);
  high = 0;
  CHECK(cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
                                     &high));
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuDeviceGraphMemTrim(device));
  EXPECT(cuGraphAddMemAllocNode(nullptr, graph, nullptr, 0, &p) == bad);
  EXPECT(cuGraphAddMemAllocNode(&allocate, graph, nullptr, 0, nullptr) == bad);
  EXPECT(cuGraphMemAllocNodeGetParams(allocate, nullptr) == bad);
  EXPECT(cuGraphAddMemFreeNode(nullptr, graph, nullptr, 0, p.dptr) == bad);
  EXPECT(cuGraphAddMemFreeNode(&release, graph, nullptr, 0, 0) == bad);
  EXPECT(cuGraphMemFreeNodeGetParams(release, nullptr) == bad);
  EXPECT(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
                                      nullptr) == bad);
  EXPECT(cuDeviceGraphMemTrim(77) == CUDA_ERROR_INVALID_DEVICE);
}

static void pools(CUdevice device) {
  CUmemoryPool own, normal, now;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  CHECK(cuDeviceGetDefaultMemPool(&normal, device));
  CHECK(cuMemPoolCreate(&own, &properties));
  EXPECT(own != normal);
  cuuint64_t threshold = 1 << 22, read = 0;
  CHECK(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                              &threshold));
  CHECK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &read));
  EXPECT(read == threshold);
  CHECK(cuDeviceSetMemPool(device, own));
  CHECK(cuDeviceGetMemPool(&now, device));
  EXPECT(now == own);
  CUdeviceptr memory;
  unsigned back = 0;
  CHECK(cuMemAllocFromPoolAsync(&memory, 4096, own, nullptr));
  CHECK(cuMemsetD32Async(memory, 9, 1024, nullptr));
  CHECK(cuMemcpyDtoH(&back, memory + 4092, 4));
  EXPECT(back == 9);
  CHECK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &read));
  EXPECT(read >= 4096);
  CHECK(cuMemFreeAsync(memory, nullptr));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemPoolTrimTo(own, 0));
  CHECK(cuDeviceSetMemPool(device, normal));
  EXPECT(cuMemPoolCreate(nullptr, &properties) == bad);
  EXPECT(cuMemPoolCreate(&now, nullptr) == bad);
  EXPECT(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                               nullptr) == bad);
  EXPECT(cuDeviceGetDefaultMemPool(nullptr, device) == bad);
  EXPECT(cuDeviceGetMemPool(&now, 77) == CUDA_ERROR_INVALID_DEVICE);
  EXPECT(cuDeviceSetMemPool(device, nullptr) == bad);
  EXPECT(cuMemAllocFromPoolAsync(&memory, 0, own, nullptr) == bad);
  CHECK(cuMemPoolDestroy(own));
}

// Another thread's default stream stands; what is looked up with the flag does
// not wait for it.
static std::atomic<int> phase{0};
static void hold(void *) {
  phase = 1;
  for (int i = 0; i < 20000 && phase < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
template <typename Function> static Function *named(const char *name) {
  void *function = nullptr;
  CUdriverProcAddressQueryResult result;
  CHECK(cuGetProcAddress(name, &function, 12000,
                         CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
                         &result));
  return reinterpret_cast<Function *>(function);
}
static void perThread(CUcontext context) {
  auto *launchHost =
      named<CUresult(CUstream, CUhostFn, void *)>("cuLaunchHostFunc");
  auto *synchronize = named<CUresult(CUstream)>("cuStreamSynchronize");
  auto *query = named<CUresult(CUstream)>("cuStreamQuery");
  auto *fill = named<CUresult(CUdeviceptr, unsigned, size_t)>("cuMemsetD32");
  auto *read = named<CUresult(void *, CUdeviceptr, size_t)>("cuMemcpyDtoH");
  auto *allocate = named<CUresult(CUdeviceptr *, size_t)>("cuMemAlloc");
  CUdeviceptr memory;
  CHECK(allocate(&memory, 4096));
  std::thread holder([&] {
    CHECK(cuCtxSetCurrent(context));
    CHECK(launchHost(nullptr, hold, nullptr));
    CHECK(synchronize(nullptr));
  });
  while (phase < 1)
    std::this_thread::yield();
  unsigned back = 0;
  CHECK(fill(memory, 5, 1024));
  CHECK(read(&back, memory + 4092, 4));
  EXPECT(back == 5 && phase == 1);
  CHECK(query(nullptr));
  phase = 2;
  holder.join();
  CHECK(cuMemFree(memory));
}

// Functions that a later version has given another form, by the types of
// cudaTypedefs.h.
static void forms() {
  PFN_cuGraphGetEdges_v10000 before = nullptr;
  PFN_cuGraphGetEdges_v12030 now = nullptr;
  CHECK(cuGetProcAddress("cuGraphGetEdges", reinterpret_cast<void **>(&before),
                         12020, 0, nullptr));
  CHECK(cuGetProcAddress("cuGraphGetEdges", reinterpret_cast<void **>(&now),
                         12030, 0, nullptr));
  CUgraph graph;
  CUgraphNode a, b, from, to;
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphAddEmptyNode(&a, graph, nullptr, 0));
  CHECK(cuGraphAddEmptyNode(&b, graph, &a, 1));
  size_t count = 1;
  CHECK(before(graph, &from, &to, &count));
  EXPECT(count == 1 && from == a && to == b);
  CUgraphEdgeData data;
  data.type = 77;
  from = to = nullptr;
  CHECK(now(graph, &from, &to, &data, &count));
  EXPECT(count == 1 && from == a && to == b && data.type == 0);
  CHECK(cuGraphDestroy(graph));

  PFN_cuCtxCreate_v12050 create = nullptr;
  CHECK(cuGetProcAddress("cuCtxCreate", reinterpret_cast<void **>(&create),
                         12050, 0, nullptr));
  CUcontext context;
  CHECK(create(&context, nullptr, 0, 0));
  CHECK(cuCtxDestroy(context));
  static_assert(std::is_same<PFN_cuMemAlloc_v3020, decltype(&cuMemAlloc)>());
}

// The runtime API's way to the same functions.
static void entryPoints() {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult result;
  EXPECT(cudaGetDriverEntryPoint("cuMemGetInfo", &function, cudaEnableDefault,
                                 &result) == cudaSuccess);
  EXPECT(result == cudaDriverEntryPointSuccess);
  size_t free = 0, total = 0;
  CHECK(reinterpret_cast<CUresult (*)(size_t *, size_t *)>(function)(&free,
                                                                     &total));
  EXPECT(total > 0 && free <= total);
  EXPECT(cudaGetDriverEntryPoint("cuNothing", &function, cudaEnableDefault,
                                 &result) == cudaSuccess);
  EXPECT(!function && result == cudaDriverEntryPointSymbolNotFound);
  EXPECT(cudaGetDriverEntryPointByVersion("cuCtxCreate", &function, 12000,
                                          cudaEnableDefault,
                                          &result) == cudaSuccess);
  EXPECT(function);
}

static void otherProcesses() {
  CUipcMemHandle shared;
  CUipcEventHandle handle;
  CUevent event, plain;
  CUdeviceptr memory, opened;
  CHECK(cuMemAlloc(&memory, 1 << 20));
  CHECK(cuEventCreate(&plain, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
  EXPECT(cuIpcGetMemHandle(nullptr, memory) == bad);
  EXPECT(cuIpcGetMemHandle(&shared, 0) == bad);
  EXPECT(cuIpcOpenMemHandle(nullptr, shared,
                            CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == bad);
  EXPECT(cuIpcOpenMemHandle(&opened, shared, 0) == bad);
  EXPECT(cuIpcCloseMemHandle(0) == bad);
  EXPECT(cuIpcGetEventHandle(nullptr, event) == bad);
  EXPECT(cuIpcOpenEventHandle(nullptr, handle) == bad);
  EXPECT(cuIpcGetEventHandle(&handle, plain) != CUDA_SUCCESS);
  if (cuIpcGetMemHandle(&shared, memory) != CUDA_ERROR_NOT_SUPPORTED) {
    CHECK(cuIpcGetMemHandle(&shared, memory));
    CHECK(cuIpcGetEventHandle(&handle, event));
  }
  CHECK(cuEventDestroy(event));
  CHECK(cuEventDestroy(plain));
  CHECK(cuMemFree(memory));
}

int main() {
  CUcontext context;
  CUdevice device;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  edges();
  switches();
  memory(device);
  pools(device);
  perThread(context);
  forms();
  entryPoints();
  otherProcesses();
  EXPECT(cudaGetLastError() == cudaSuccess);
  std::puts("PASSED");
}
