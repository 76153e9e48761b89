// FLAGS: -lcuda
// Streams that wait for values in memory: written by the host, by other
// streams, by kernels; each condition in 32 and 64 bits; batches; captured.
#include "../../Inputs/driver_check.h"
#include <atomic>
#include <chrono>
#include <thread>

static const auto bad = CUDA_ERROR_INVALID_VALUE;

__global__ void set(unsigned *a, unsigned value) {
  __threadfence_system();
  *(volatile unsigned *)a = value;
}
__global__ void copy(const volatile unsigned *from, unsigned *to) {
  *to = *from;
}

struct Buffers {
  CUstream first, second;
  unsigned *host; // page-locked, and where the device has it
  CUdeviceptr mapped, own;
};

static bool waits(CUstream stream) {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return cuStreamQuery(stream) == CUDA_ERROR_NOT_READY;
}

static void store(unsigned *word, unsigned value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static void conditions(const Buffers &b) {
  const struct {
    unsigned flags, value, no, yes;
  } each[] = {{CU_STREAM_WAIT_VALUE_GEQ, 5, 4, 6},
              {CU_STREAM_WAIT_VALUE_GEQ, 2, 0xffffffffu, 2}, // wraps around
              {CU_STREAM_WAIT_VALUE_EQ, 7, 8, 7},
              {CU_STREAM_WAIT_VALUE_AND, 6, 9, 4},
              {CU_STREAM_WAIT_VALUE_NOR, 0xfffffff0u, 0x1f, 0x17}};
  for (const auto &c : each) {
    store(b.host, c.no);
    CHECK(cuStreamWaitValue32(b.first, b.mapped, c.value, c.flags));
    EXPECT(waits(b.first));
    store(b.host, c.yes);
    CHECK(cuStreamSynchronize(b.first));
  }
  auto *wide = reinterpret_cast<cuuint64_t *>(b.host + 2);
  const cuuint64_t high = cuuint64_t(1) << 40;
  *wide = high - 1;
  CHECK(cuStreamWaitValue64(b.first, b.mapped + 8, high,
                            CU_STREAM_WAIT_VALUE_GEQ));
  EXPECT(waits(b.first));
  __atomic_store_n(wide, high + 3, __ATOMIC_RELEASE);
  CHECK(cuStreamSynchronize(b.first));
  CHECK(cuStreamWriteValue64(b.first, b.mapped + 8, 3 * high,
                             CU_STREAM_WRITE_VALUE_DEFAULT));
  CHECK(cuStreamSynchronize(b.first));
  EXPECT(*wide == 3 * high);
}

// A stream goes on when another one has written; what was before is done then.
static void betweenStreams(const Buffers &b) {
  unsigned result = 0;
  auto *own = reinterpret_cast<unsigned *>(b.own);
  for (unsigned round = 1; round <= 50; ++round) {
    CHECK(cuMemsetD32(b.own, 0, 4));
    CHECK(cuCtxSynchronize());
    CHECK(cuStreamWaitValue32(b.second, b.own, round, CU_STREAM_WAIT_VALUE_EQ));
    copy<<<1, 1, 0, b.second>>>(own + 1, own + 2);
    set<<<1, 1, 0, b.first>>>(own + 1, 3 * round);
    if (round % 2) // by the stream itself, or by a kernel
      CHECK(cuStreamWriteValue32(b.first, b.own, round,
                                 CU_STREAM_WRITE_VALUE_DEFAULT));
    else
      set<<<1, 1, 0, b.first>>>(own, round);
    CHECK(cuStreamSynchronize(b.second));
    CHECK(cuMemcpyDtoH(&result, b.own + 8, sizeof(result)));
    EXPECT(result == 3 * round);
  }
}

static void batches(const Buffers &b) {
  CUstreamBatchMemOpParams p[4] = {};
  store(b.host, 0);
  b.host[1] = b.host[2] = 0;
  p[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  p[0].waitValue.address = b.mapped;
  p[0].waitValue.value = 1;
  p[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  p[1].writeValue.address = b.mapped + 4;
  p[1].writeValue.value = 11;
  p[2].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
  p[3].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  p[3].writeValue.address = b.mapped + 8;
  p[3].writeValue.value = 12;
  // A barrier is no part of a batch on all devices.
  CUresult result = cuStreamBatchMemOp(b.first, 4, p, 0);
  if (result == CUDA_ERROR_NOT_SUPPORTED || result == bad) {
    p[2] = p[3];
    CHECK(cuStreamBatchMemOp(b.first, 3, p, 0));
  } else {
    CHECK(result);
  }
  EXPECT(waits(b.first) && b.host[1] == 0);
  store(b.host, 1);
  CHECK(cuStreamSynchronize(b.first));
  EXPECT(b.host[1] == 11 && b.host[2] == 12);

  EXPECT(cuStreamBatchMemOp(b.first, 0, p, 0) == bad);
  EXPECT(cuStreamBatchMemOp(b.first, 1, nullptr, 0) == bad);
  EXPECT(cuStreamBatchMemOp(b.first, 1, p, 5) == bad);
  EXPECT(cuStreamBatchMemOp(b.first, 257, p, 0) == bad);
  p[1].operation = CUstreamBatchMemOpType(77);
  EXPECT(cuStreamBatchMemOp(b.first, 2, p, 0) == bad);
}

// A captured wait and write happen at every launch.
static void captured(const Buffers &b) {
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode nodes[4];
  CUgraphNodeType type;
  size_t count = 4;
  CHECK(cuStreamBeginCapture(b.first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cuStreamWaitValue32(b.first, b.mapped, 5, CU_STREAM_WAIT_VALUE_EQ));
  CHECK(cuStreamWriteValue32(b.first, b.mapped + 4, 6,
                             CU_STREAM_WRITE_VALUE_DEFAULT));
  CHECK(cuStreamEndCapture(b.first, &graph));
  CHECK(cuGraphGetNodes(graph, nodes, &count));
  EXPECT(count == 2);
  CHECK(cuGraphNodeGetType(nodes[0], &type));
  EXPECT(type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) {
    store(b.host, 0);
    store(b.host + 1, 0);
    CHECK(cuGraphLaunch(exec, b.first));
    EXPECT(waits(b.first));
    EXPECT(__atomic_load_n(b.host + 1, __ATOMIC_ACQUIRE) == 0);
    store(b.host, 5);
    CHECK(cuStreamSynchronize(b.first));
    EXPECT(b.host[1] == 6);
  }
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
}

static void wrong(const Buffers &b) {
  const auto unknown = CUDA_ERROR_INVALID_HANDLE;
  auto none = reinterpret_cast<CUstream>(const_cast<Buffers *>(&b));
  EXPECT(cuStreamWaitValue32(b.first, 0, 1, 0) == bad);
  EXPECT(cuStreamWaitValue32(none, b.mapped, 1, 0) == unknown);
  EXPECT(cuStreamWriteValue32(none, b.mapped, 1, 0) == unknown);
  EXPECT(cuStreamWaitValue32(b.first, b.mapped + 2, 1, 0) == bad);
  EXPECT(cuStreamWriteValue32(b.first, b.mapped + 2, 1, 0) == bad);
  EXPECT(cuStreamWaitValue64(b.first, b.mapped + 4, 1, 0) == bad);
  EXPECT(cuStreamWriteValue64(b.first, b.mapped + 4, 1, 0) == bad);
  EXPECT(cuStreamWaitValue32(b.first, b.mapped, 1, 77) == bad);
  EXPECT(cuStreamWriteValue32(b.first, b.mapped, 1, 77) == bad);
  CHECK(cuStreamQuery(b.first));
}

int main() {
  CUcontext context;
  CUdevice device;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  int nor = 0, wide = 0;
  CHECK(cuDeviceGetAttribute(
      &nor, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, device));
  CHECK(cuDeviceGetAttribute(
      &wide, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, device));
  EXPECT(nor && wide);
  Buffers b;
  CHECK(cuStreamCreate(&b.first, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreate(&b.second, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemHostAlloc(reinterpret_cast<void **>(&b.host), 64,
                       CU_MEMHOSTALLOC_DEVICEMAP));
  CHECK(cuMemHostGetDevicePointer(&b.mapped, b.host, 0));
  CHECK(cuMemAlloc(&b.own, 64));
  // A GPU's driver loads a kernel when it is first launched, and may wait for
  // everything else then.
  auto *own = reinterpret_cast<unsigned *>(b.own);
  set<<<1, 1, 0, b.first>>>(own, 0);
  copy<<<1, 1, 0, b.first>>>(own, own + 1);
  CHECK(cuCtxSynchronize());
  conditions(b);
  betweenStreams(b);
  batches(b);
  captured(b);
  wrong(b);
  CHECK(cuMemFree(b.own));
  CHECK(cuMemFreeHost(b.host));
  CHECK(cuStreamDestroy(b.first));
  CHECK(cuStreamDestroy(b.second));
  std::puts("PASSED");
}
