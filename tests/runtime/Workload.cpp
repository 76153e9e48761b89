//===- Workload.cpp - a little of every chapter of the API ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workload.h"
#include "WorkloadDriver.h"
#include <atomic>
#include <cstring>
#include <numeric>

using namespace cufort;

namespace {

constexpr int Count = 1000;
constexpr size_t Bytes = Count * sizeof(int);

class Workload {
public:
  explicit Workload(const WorkloadProgram &program) : program(program) {}

  WorkloadResult run() {
    devices();
    memory();
    pitchedAndArrays();
    hostMemory();
    managedMemory();
    pools();
    streamsAndEvents();
    kernels();
    symbols();
    graphs();
    captures();
    const auto told = [&](int error, const char *call) {
      return check(static_cast<cudaError_t>(error), call);
    };
    workOnNodes(program.set, program.variable, told);
    workOnDriver(program.module, program.computes, told);
    if (check(cudaSetDevice(0), "cudaSetDevice") && program.links)
      workOnLinks(told);
    peers();
    sharing();
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return result;
  }

private:
  /// Whether the call has succeeded.
  bool check(cudaError_t error, const char *call) {
    ++result.calls;
    if (error == cudaSuccess)
      return true;
    if (!result.failed++) {
      result.first = error;
      result.firstCall = call;
    }
    return false;
  }

  void expect(bool right, const char *what) {
    if (!right && !result.wrong)
      result.wrong = what;
  }

  /// Gives something back; where that is the call that has to fail, once more.
  template <typename Call> void giveBack(Call call, const char *text) {
    if (check(call(), text) || call() == cudaSuccess)
      return;
    if (cudaDeviceSynchronize() != cudaSuccess)
      result.deviceFailed = true;
    else
      expect(false, text);
  }

  template <typename Call> class AtEnd {
  public:
    AtEnd(Workload &workload, Call call, const char *text)
        : workload(workload), call(call), text(text) {}
    AtEnd(const AtEnd &) = delete;
    ~AtEnd() { workload.giveBack(call, text); }

  private:
    Workload &workload;
    Call call;
    const char *text;
  };

#define TRY(call)                                                              \
  if (!check(call, #call))                                                     \
  return
#define ASK(call) (void)check(call, #call)
#define GLUE2(a, b) a##b
#define GLUE(a, b) GLUE2(a, b)
#define AT_END(call)                                                           \
  const AtEnd GLUE(atEnd, __LINE__)(*this, [=] { return call; }, #call)

  void devices() {
    int number = 0;
    size_t bytes = 0;
    cudaDeviceProp properties;
    TRY(cudaGetDeviceCount(&number));
    ASK(cudaSetDevice(0));
    ASK(cudaGetDeviceProperties(&properties, 0));
    ASK(cudaDeviceGetAttribute(&number, 1, 0));
    ASK(cudaDeviceGetLimit(&bytes, 0));
    ASK(cudaDeviceSetLimit(0, bytes ? bytes : 1024));
    ASK(cudaDeviceSetCacheConfig(0));
    ASK(cudaDeviceGetCacheConfig(&number));
    ASK(cudaMemGetInfo(&bytes, &bytes));
    ASK(cudaDriverGetVersion(&number));
  }

  void memory() {
    int *a = nullptr, *big = nullptr;
    TRY(cudaMalloc(reinterpret_cast<void **>(&a), Bytes));
    AT_END(cudaFree(a));
    std::iota(host, host + Count, 1);
    if (check(cudaMemcpy(a, host, Bytes, ToDevice), "cudaMemcpy to device")) {
      std::memset(back, 0, Bytes);
      if (check(cudaMemcpy(back, a, Bytes, ToHost), "cudaMemcpy to host"))
        expect(!std::memcmp(host, back, Bytes), "copied data");
    }
    ASK(cudaMemset(a, 1, Bytes));
    ASK(cudaMemset2D(a, 100, 2, 50, 10));
    ASK(cudaMemcpy2D(a, 100, host, 120, 80, 10, ToDevice));
    cudaPointerAttributes attributes;
    ASK(cudaPointerGetAttributes(&attributes, a));
    TRY(cudaMalloc(reinterpret_cast<void **>(&big), 6 << 20));
    AT_END(cudaFree(big));
    ASK(cudaMemset(big, 3, 6 << 20));
    ASK(cudaMemcpy(big + (1 << 19), big, 2 << 20, OnDevice));
  }

  void pitchedAndArrays() {
    cudaPitchedPtr box{};
    TRY(cudaMalloc3D(&box, {16, 4, 3}));
    AT_END(cudaFree(box.ptr));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {host, 16, 16, 4};
    copy.dstPtr = box;
    copy.extent = {16, 4, 3};
    copy.kind = ToDevice;
    ASK(cudaMemcpy3D(&copy));
    ASK(cudaMemset3D(box, 1, {16, 4, 3}));
    const cudaChannelFormatDesc format{32, 0, 0, 0, 0};
    cudaArray_t array = nullptr;
    TRY(cudaMallocArray(&array, &format, 16, 16, 0));
    AT_END(cudaFreeArray(array));
    if (check(cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 16, ToDevice),
              "cudaMemcpy2DToArray") &&
        check(cudaMemcpy2DFromArray(back, 64, array, 0, 0, 64, 16, ToHost),
              "cudaMemcpy2DFromArray"))
      expect(!std::memcmp(host, back, 1024), "data through an array");
  }

  void hostMemory() {
    void *pinned = nullptr, *onDevice = nullptr;
    unsigned flags = 0;
    TRY(cudaHostAlloc(&pinned, Bytes, 2));
    AT_END(cudaFreeHost(pinned));
    ASK(cudaHostGetFlags(&flags, pinned));
    ASK(cudaHostGetDevicePointer(&onDevice, pinned, 0));
    TRY(cudaHostRegister(host, Bytes, 0));
    AT_END(cudaHostUnregister(host));
    std::memset(pinned, 5, Bytes);
  }

  void managedMemory() {
    int *a = nullptr, value = 0;
    TRY(cudaMallocManaged(reinterpret_cast<void **>(&a), Bytes, 1));
    AT_END(cudaFree(a));
    a[1] = 7;
    ASK(cudaMemAdvise(a, Bytes, 1, 0));
    ASK(cudaMemPrefetchAsync(a, Bytes, 0, nullptr));
    ASK(cudaMemRangeGetAttribute(&value, 4, 1, a, Bytes));
    ASK(cudaStreamAttachMemAsync(nullptr, a, 0, 1));
  }

  void pools() {
    cudaMemPool_t pool = nullptr, before = nullptr;
    cudaMemPoolProps properties{};
    properties.allocType = 1;
    properties.location = {1, 0};
    void *a = nullptr, *b = nullptr;
    if (check(cudaMallocAsync(&a, Bytes, nullptr), "cudaMallocAsync")) {
      AT_END(cudaFreeAsync(a, nullptr));
      ASK(cudaMemsetAsync(a, 0, Bytes, nullptr));
    }
    TRY(cudaDeviceGetDefaultMemPool(&before, 0));
    TRY(cudaMemPoolCreate(&pool, &properties));
    AT_END(cudaMemPoolDestroy(pool));
    unsigned long long threshold = 1 << 20;
    ASK(cudaMemPoolSetAttribute(pool, 4, &threshold));
    ASK(cudaMemPoolGetAttribute(pool, 4, &threshold));
    if (check(cudaDeviceSetMemPool(0, pool), "cudaDeviceSetMemPool")) {
      AT_END(cudaDeviceSetMemPool(0, before));
      ASK(cudaDeviceGetMemPool(&before, 0));
    }
    TRY(cudaMallocFromPoolAsync(&b, Bytes, pool, nullptr));
    giveBack([=] { return cudaFreeAsync(b, nullptr); }, "cudaFreeAsync");
    ASK(cudaDeviceSynchronize());
    ASK(cudaMemPoolTrimTo(pool, 0));
  }

  void streamsAndEvents() {
    cudaStream_t one = nullptr, two = nullptr;
    cudaEvent_t start = nullptr, end = nullptr;
    int number = 0;
    unsigned flags = 0;
    TRY(cudaStreamCreate(&one));
    AT_END(cudaStreamDestroy(one));
    TRY(cudaStreamCreateWithPriority(&two, 1, -1));
    AT_END(cudaStreamDestroy(two));
    TRY(cudaEventCreate(&start));
    AT_END(cudaEventDestroy(start));
    TRY(cudaEventCreateWithFlags(&end, 0));
    AT_END(cudaEventDestroy(end));
    ASK(cudaStreamGetPriority(two, &number));
    ASK(cudaStreamGetFlags(two, &flags));
    const bool recorded =
        check(cudaEventRecord(start, one), "cudaEventRecord, the first");
    ASK(cudaStreamWaitEvent(two, start, 0));
    calls.store(0);
    unsigned expected = 0;
    const auto call = [](void *p) {
      ++*static_cast<std::atomic<unsigned> *>(p);
    };
    expected +=
        check(cudaLaunchHostFunc(two, call, &calls), "cudaLaunchHostFunc");
    expected += check(cudaStreamAddCallback(
                          two,
                          [](cudaStream_t, cudaError_t, void *p) {
                            ++*static_cast<std::atomic<unsigned> *>(p);
                          },
                          &calls, 0),
                      "cudaStreamAddCallback");
    const bool ended =
        check(cudaEventRecord(end, two), "cudaEventRecord, the second");
    const cudaError_t query = cudaStreamQuery(two);
    if (query != cudaErrorNotReady)
      check(query, "cudaStreamQuery");
    const cudaError_t event = cudaEventQuery(end);
    if (event != cudaErrorNotReady)
      check(event, "cudaEventQuery");
    ASK(cudaEventSynchronize(end));
    giveBack([=] { return cudaStreamSynchronize(one); },
             "cudaStreamSynchronize");
    giveBack([=] { return cudaStreamSynchronize(two); },
             "cudaStreamSynchronize");
    expect(calls.load() == expected || result.deviceFailed,
           "number of host functions called");
    float time = -1;
    if (recorded && ended)
      ASK(cudaEventElapsedTime(&time, start, end));
    // What follows goes to the thread's own default stream.
    const auto perThread = reinterpret_cast<cudaStream_t>(2);
    ASK(cudaStreamSynchronize(perThread));
  }

  cudaError_t set(int *a, int value, unsigned sharedBytes,
                  cudaStream_t stream) {
    int count = Count;
    void *parameters[] = {&a, &value, &count};
    return cudaLaunchKernel(program.set, {8, 1, 1}, {128, 1, 1}, parameters,
                            sharedBytes, stream);
  }

  void kernels() {
    int *a = nullptr, blocks = 0;
    cudaFuncAttributes attributes;
    ASK(cudaFuncGetAttributes(&attributes, program.set));
    ASK(cudaFuncSetAttribute(program.set, 8, 65536));
    ASK(cudaFuncSetCacheConfig(program.set, 1));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, program.set, 128,
                                                      0));
    TRY(cudaMalloc(reinterpret_cast<void **>(&a), Bytes));
    AT_END(cudaFree(a));
    const bool done = check(set(a, 3, 0, nullptr), "cudaLaunchKernel") &&
                      check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::memset(back, 0, Bytes);
    if (done && check(cudaMemcpy(back, a, Bytes, ToHost), "cudaMemcpy") &&
        program.computes)
      expect(back[0] == 3 && back[Count - 1] == 3, "what a kernel wrote");
    ASK(set(a, 4, 60000, nullptr));
    ASK(cudaDeviceSynchronize());
    if (program.cooperative) {
      void *parameters[] = {&a};
      ASK(cudaLaunchCooperativeKernel(program.cooperative, {4, 1, 1}, {1, 1, 1},
                                      parameters, 0, nullptr));
    }
    if (program.printing)
      ASK(cudaLaunchKernel(program.printing, {2, 1, 1}, {1, 1, 1}, nullptr, 0,
                           nullptr));
    ASK(cudaDeviceSynchronize());
  }

  void symbols() {
    void *address = nullptr;
    size_t bytes = 0;
    int value = 12, read = 0;
    ASK(cudaGetSymbolAddress(&address, program.variable));
    ASK(cudaGetSymbolSize(&bytes, program.variable));
    if (check(cudaMemcpyToSymbol(program.variable, &value, 4, 0, ToDevice),
              "cudaMemcpyToSymbol") &&
        check(cudaMemcpyFromSymbol(&read, program.variable, 4, 0, ToHost),
              "cudaMemcpyFromSymbol"))
      expect(read == value, "the value of a device variable");
  }

  void graphs() {
    int *a = nullptr;
    TRY(cudaMalloc(reinterpret_cast<void **>(&a), Bytes));
    AT_END(cudaFree(a));
    cudaGraph_t graph = nullptr, copy = nullptr, child = nullptr;
    TRY(cudaGraphCreate(&graph, 0));
    AT_END(cudaGraphDestroy(graph));
    TRY(cudaGraphCreate(&child, 0));
    AT_END(cudaGraphDestroy(child));
    cudaGraphNode_t nodes[6] = {};
    int value = 9, count = Count;
    void *parameters[] = {&a, &value, &count};
    const cudaKernelNodeParams kernel{const_cast<void *>(program.set),
                                      {8, 1, 1},
                                      {128, 1, 1},
                                      0,
                                      parameters,
                                      nullptr};
    const cudaMemsetParams fill{a, 0, 1, 4, Count, 1};
    const cudaHostNodeParams call{[](void *) {}, nullptr};
    ASK(cudaGraphAddMemsetNode(&nodes[4], child, nullptr, 0, &fill));
    TRY(cudaGraphAddEmptyNode(&nodes[0], graph, nullptr, 0));
    TRY(cudaGraphAddKernelNode(&nodes[1], graph, nodes, 1, &kernel));
    TRY(cudaGraphAddMemcpyNode1D(&nodes[2], graph, nodes, 2, back, a, Bytes,
                                 ToHost));
    TRY(cudaGraphAddHostNode(&nodes[3], graph, nodes, 1, &call));
    TRY(cudaGraphAddChildGraphNode(&nodes[4], graph, &nodes[2], 1, child));
    ASK(cudaGraphAddDependencies(graph, &nodes[3], &nodes[4], 1));
    size_t number = 0;
    int type = 0;
    ASK(cudaGraphGetNodes(graph, nullptr, &number));
    ASK(cudaGraphGetEdges(graph, nullptr, nullptr, &number));
    ASK(cudaGraphNodeGetType(nodes[1], &type));
    cudaKernelNodeParams launch;
    cudaMemcpy3DParms line;
    cudaHostNodeParams function;
    ASK(cudaGraphKernelNodeGetParams(nodes[1], &launch));
    ASK(cudaGraphMemcpyNodeGetParams(nodes[2], &line));
    ASK(cudaGraphHostNodeGetParams(nodes[3], &function));
    ASK(cudaGraphKernelNodeSetParams(nodes[1], &kernel));
    TRY(cudaGraphClone(&copy, graph));
    AT_END(cudaGraphDestroy(copy));
    cudaGraphExec_t exec = nullptr;
    TRY(cudaGraphInstantiate(&exec, graph, 0));
    AT_END(cudaGraphExecDestroy(exec));
    std::memset(back, 0, Bytes);
    for (int round = 0; round < 2; ++round) {
      const bool done =
          check(cudaGraphLaunch(exec, nullptr), "cudaGraphLaunch");
      if (check(cudaDeviceSynchronize(), "cudaDeviceSynchronize") && done &&
          program.computes)
        expect(back[0] == 9 && back[Count - 1] == 9, "what a graph did");
      cudaGraphExecUpdateResultInfo information;
      ASK(cudaGraphExecUpdate(exec, graph, &information));
    }
    giveBack([] { return cudaDeviceSynchronize(); }, "cudaDeviceSynchronize");
  }

  void captures() {
    cudaStream_t one = nullptr, two = nullptr;
    cudaEvent_t fork = nullptr, join = nullptr;
    int *a = nullptr;
    TRY(cudaMalloc(reinterpret_cast<void **>(&a), Bytes));
    AT_END(cudaFree(a));
    TRY(cudaStreamCreate(&one));
    AT_END(cudaStreamDestroy(one));
    TRY(cudaStreamCreate(&two));
    AT_END(cudaStreamDestroy(two));
    TRY(cudaEventCreateWithFlags(&fork, 2));
    AT_END(cudaEventDestroy(fork));
    TRY(cudaEventCreateWithFlags(&join, 2));
    AT_END(cudaEventDestroy(join));
    TRY(cudaStreamBeginCapture(one, 2));
    bool whole = check(set(a, 5, 0, one), "a captured launch");
    whole &= check(cudaEventRecord(fork, one), "a captured record");
    whole &= check(cudaStreamWaitEvent(two, fork, 0), "a captured wait");
    // Outside of the capture it would be work of its own.
    int status = 0;
    if (whole &&
        check(cudaStreamIsCapturing(two, &status), "cudaStreamIsCapturing")) {
      whole &= check(cudaMemsetAsync(a + 500, 0, 64, two), "a captured fill");
      whole &=
          check(cudaMemcpyAsync(host, a, 64, ToHost, one), "a captured copy");
      whole &= check(cudaEventRecord(join, two), "a captured record");
      whole &= check(cudaStreamWaitEvent(one, join, 0), "a captured wait");
      whole &= check(cudaLaunchHostFunc(
                         one, [](void *) {}, nullptr),
                     "a captured host function");
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(one, &graph);
    check(ended, "cudaStreamEndCapture");
    cudaStreamIsCapturing(one, &status);
    if (status) // The call that failed was the end itself.
      expect(cudaStreamEndCapture(one, &graph) == cudaSuccess || !whole,
             "the end of a capture");
    expect(graph || !whole || ended != cudaSuccess, "a graph without an error");
    if (!graph)
      return;
    AT_END(cudaGraphDestroy(graph));
    cudaGraphExec_t exec = nullptr;
    TRY(cudaGraphInstantiate(&exec, graph, 0));
    AT_END(cudaGraphExecDestroy(exec));
    ASK(cudaGraphLaunch(exec, one));
    giveBack([=] { return cudaStreamSynchronize(one); },
             "cudaStreamSynchronize");
  }

  void peers() {
    int count = 0, can = 0;
    TRY(cudaGetDeviceCount(&count));
    if (count < 2)
      return;
    ASK(cudaDeviceCanAccessPeer(&can, 0, 1));
    if (check(cudaDeviceEnablePeerAccess(1, 0), "cudaDeviceEnablePeerAccess"))
      giveBack([] { return cudaDeviceDisablePeerAccess(1); },
               "cudaDeviceDisablePeerAccess");
    int *here = nullptr, *there = nullptr;
    TRY(cudaMalloc(reinterpret_cast<void **>(&here), Bytes));
    AT_END(cudaFree(here));
    TRY(cudaSetDevice(1));
    AT_END(cudaSetDevice(0));
    TRY(cudaMalloc(reinterpret_cast<void **>(&there), Bytes));
    AT_END(cudaFree(there));
    cudaStream_t stream = nullptr;
    TRY(cudaStreamCreate(&stream));
    AT_END(cudaStreamDestroy(stream));
    ASK(cudaMemcpyPeer(there, 1, here, 0, Bytes));
    ASK(cudaMemcpyPeerAsync(there, 1, here, 0, Bytes, stream));
    giveBack([=] { return cudaStreamSynchronize(stream); },
             "cudaStreamSynchronize");
  }

  void sharing() {
    void *a = nullptr, *same = nullptr;
    cudaIpcMemHandle_t handle;
    TRY(cudaMalloc(&a, 1 << 16));
    AT_END(cudaFree(a));
    TRY(cudaIpcGetMemHandle(&handle, a));
    TRY(cudaIpcOpenMemHandle(&same, handle, 1));
    giveBack([=] { return cudaIpcCloseMemHandle(same); },
             "cudaIpcCloseMemHandle");
  }

  const WorkloadProgram &program;
  WorkloadResult result;
  // Not on the stack: work that is in flight when a call has failed may still
  // write.
  static inline int host[Count], back[Count];
  static inline std::atomic<unsigned> calls{0};
};

} // namespace

WorkloadResult runWorkload(const WorkloadProgram &program) {
  return Workload(program).run();
}
