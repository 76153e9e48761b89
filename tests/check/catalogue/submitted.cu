// What the host submits: streams, events, graphs, copies of all kinds.
#include "../Inputs/streams.h"
#include <cuda.h>
constexpr int nt = 64, n = 256;
struct Streams : StreamPair {
  explicit Streams(unsigned flags = cudaStreamNonBlocking) : StreamPair(flags) {}
};

// CASE event_never_recorded: FAULTY race
__global__ void never_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
__global__ void never_reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
static void event_never_recorded() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  cudaEvent_t e = event();
  never_writer<<<n / nt, nt, 0, x.s>>>(a);
  cudaStreamWaitEvent(x.t, e, 0);
  never_reader<<<n / nt, nt, 0, x.t>>>(a, b);
  cudaEventRecord(e, x.s);
}

// CASE event_of_other_stream: FAULTY race
__global__ void wrong_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
__global__ void wrong_reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
static void event_of_other_stream() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  cudaEvent_t e = event();
  wrong_writer<<<n / nt, nt, 0, x.s>>>(a);
  cudaEventRecord(e, x.t);
  cudaStreamWaitEvent(x.t, e, 0);
  wrong_reader<<<n / nt, nt, 0, x.t>>>(a, b);
}

// CASE event_recorded_again: RIGHT
static void event_recorded_again() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  cudaEvent_t e = event();
  fill<<<n / nt, nt, 0, x.s>>>(a, 3);
  cudaEventRecord(e, x.s);
  cudaStreamWaitEvent(x.t, e, 0);
  // The wait is for the first record, whatever becomes of the event.
  cudaEventRecord(e, x.t);
  add<<<n / nt, nt, 0, x.t>>>(a, b);
  cudaEventRecord(e, x.t);
  cudaEventSynchronize(e);
  expect(fetch(b, n)[0] == 4, "event_recorded_again");
}

// CASE waited_for_old_record: FAULTY race
__global__ void old_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
__global__ void old_reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
static void waited_for_old_record() {
  int *a = numbers(n), *b = numbers(n), *c = numbers(n);
  Streams x;
  cudaEvent_t e = event();
  fill<<<n / nt, nt, 0, x.s>>>(c, 3);
  cudaEventRecord(e, x.s);
  cudaStreamWaitEvent(x.t, e, 0);
  old_writer<<<n / nt, nt, 0, x.s>>>(a);
  cudaEventRecord(e, x.s);
  old_reader<<<n / nt, nt, 0, x.t>>>(a, b);
}

// CASE both_ways: RIGHT
static void both_ways() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  cudaEvent_t there = event(), back = event();
  for (int i = 0; i < 4; ++i) {
    fill<<<n / nt, nt, 0, x.s>>>(a, i);
    cudaEventRecord(there, x.s);
    cudaStreamWaitEvent(x.t, there, 0);
    add<<<n / nt, nt, 0, x.t>>>(a, b);
    cudaEventRecord(back, x.t);
    cudaStreamWaitEvent(x.s, back, 0);
  }
  cudaStreamSynchronize(x.t);
  expect(fetch(b, n)[0] == 4, "both_ways");
}

// CASE one_way: FAULTY race
__global__ void round_writer(int *a, int value) {
  a[blockIdx.x * nt + threadIdx.x] = value; // CHECK-RACE: write
}
__global__ void round_reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
static void one_way() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  cudaEvent_t there = event();
  for (int i = 0; i < 3; ++i) {
    round_writer<<<n / nt, nt, 0, x.s>>>(a, i);
    cudaEventRecord(there, x.s);
    cudaStreamWaitEvent(x.t, there, 0);
    round_reader<<<n / nt, nt, 0, x.t>>>(a, b);
  }
}

// CASE rows_in_other_stream: FAULTY race
__global__ void rows_kernel(int *a) {
  a[blockIdx.x * nt + threadIdx.x] += 1; // CHECK-RACE: write ! MAY-RACE: read
}
static void rows_in_other_stream() {
  int *a = numbers(n), *h;
  cudaMallocHost(&h, n * 4);
  memset(h, 0, n * 4);
  Streams x;
  rows_kernel<<<n / nt, nt, 0, x.s>>>(a);
  cudaMemcpy2DAsync(a, 64, h, 64, 32, n / 16, // CHECK-RACE: copy
                    cudaMemcpyHostToDevice, x.t);
}

// CASE rows_beside: RIGHT
__global__ void left_half(int *a) {
  a[blockIdx.x * 16 + threadIdx.x] = 7;
}
static void rows_beside() {
  int *a = numbers(n), *h;
  cudaMallocHost(&h, n * 4);
  memset(h, 0, n * 4);
  Streams x;
  left_half<<<n / 16, 8, 0, x.s>>>(a);
  cudaMemcpy2DAsync(a + 8, 64, h, 64, 32, n / 16, cudaMemcpyHostToDevice, x.t);
  cudaDeviceSynchronize();
  expect(fetch(a, n)[8] == 0 && fetch(a, n)[7] == 7, "rows_beside");
}

// CASE back_copy_read_early: FAULTY race
static void back_copy_read_early() {
  int *a = numbers(n), *h;
  cudaMallocHost(&h, n * 4);
  Streams x;
  cudaMemcpyAsync(h, a, n * 4, // CHECK-RACE: copy
                  cudaMemcpyDeviceToHost, x.s);
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i]; // CHECK-RACE: host
  printf("%d\n", sum);
}

// CASE managed_written_early: FAULTY race
__global__ void managed_kernel(int *m) {
  m[threadIdx.x] += 1; // CHECK-RACE: write ! MAY-RACE: read
}
static void managed_written_early() {
  int *m;
  cudaMallocManaged(&m, n * 4);
  for (int i = 0; i < n; ++i)
    m[i] = i;
  managed_kernel<<<1, nt>>>(m);
  m[3] = 0; // CHECK-RACE: host
}

// CASE managed_event: RIGHT
__global__ void managed_right(int *m) { m[threadIdx.x] += 1; }
static void managed_event() {
  int *m;
  cudaMallocManaged(&m, n * 4);
  for (int i = 0; i < n; ++i)
    m[i] = i;
  Streams x;
  cudaEvent_t e = event();
  managed_right<<<1, nt, 0, x.s>>>(m);
  cudaEventRecord(e, x.s);
  while (cudaEventQuery(e) != cudaSuccess)
    ;
  m[3] += 1;
  managed_right<<<1, nt, 0, x.t>>>(m);
  cudaStreamSynchronize(x.t);
  expect(m[3] == 6, "managed_event");
}

// CASE waited_for_other: FAULTY race
__global__ void other_kernel(int *m) {
  m[threadIdx.x] += 1; // CHECK-RACE: write ! MAY-RACE: read
}
static void waited_for_other() {
  int *m;
  cudaMallocManaged(&m, n * 4);
  for (int i = 0; i < n; ++i)
    m[i] = i;
  Streams x;
  other_kernel<<<1, nt, 0, x.s>>>(m);
  cudaStreamSynchronize(x.t);
  printf("%d\n", m[3]); // CHECK-RACE: host
}

// CASE nodes_without_edge: FAULTY race
__global__ void node_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
static void nodes_without_edge() {
  int *a = numbers(n), *h;
  cudaMallocHost(&h, n * 4);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphCreate(&graph, 0);
  cudaKernelNodeParams k = {};
  void *arguments[] = {&a};
  k.func = (void *)node_writer;
  k.gridDim = dim3(n / nt);
  k.blockDim = dim3(nt);
  k.kernelParams = arguments;
  cudaGraphNode_t first, second;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &k);
  cudaGraphAddMemcpyNode1D(&second, graph, nullptr, 0, h, a, n * 4, // MAY-RACE: copy
                           cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0); // MAY-RACE: copy
  cudaDeviceSynchronize();
}

// CASE nodes_with_edge: RIGHT
static void nodes_with_edge() {
  int *a = numbers(n), *h;
  cudaMallocHost(&h, n * 4);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphCreate(&graph, 0);
  int value = 5;
  void *arguments[] = {&a, &value};
  cudaKernelNodeParams k = {};
  k.func = (void *)fill;
  k.gridDim = dim3(n / nt);
  k.blockDim = dim3(nt);
  k.kernelParams = arguments;
  cudaGraphNode_t first, second;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &k);
  cudaGraphAddMemcpyNode1D(&second, graph, &first, 1, h, a, n * 4,
                           cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  expect(h[4] == 5, "nodes_with_edge");
}

// CASE two_launches_of_graph: RIGHT
static void two_launches_of_graph() {
  int *a = numbers(n);
  Streams x;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(x.s, cudaStreamCaptureModeGlobal);
  fill<<<n / nt, nt, 0, x.s>>>(a, 3);
  add<<<n / nt, nt, 0, x.s>>>(a, a);
  cudaStreamEndCapture(x.s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  // An executable graph is not executed twice at a time.
  cudaGraphLaunch(exec, x.s);
  cudaGraphLaunch(exec, x.s);
  cudaStreamSynchronize(x.s);
  expect(fetch(a, n)[0] == 4, "two_launches_of_graph");
}

// CASE freed_in_other_stream: FAULTY memory
__global__ void after_free(int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-MEMORY: read
}
static void freed_in_other_stream() {
  int *b = numbers(n), *a;
  cudaMallocAsync(&a, n * 4, 0);
  cudaMemsetAsync(a, 0, n * 4, 0);
  cudaFreeAsync(a, 0); // CHECK-MEMORY: host
  after_free<<<n / nt, nt>>>(a, b);
  cudaDeviceSynchronize();
}

// CASE peer_copy: FAULTY race
__global__ void peer_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
static void peer_copy() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  peer_writer<<<n / nt, nt, 0, x.s>>>(a);
  cudaMemcpyPeerAsync(b, 0, a, 0, n * 4, x.t); // CHECK-RACE: copy
}

// CASE legacy_waits: RIGHT
static void legacy_waits() {
  int *a = numbers(n), *b = numbers(n);
  Streams x(cudaStreamDefault);
  fill<<<n / nt, nt, 0, x.s>>>(a, 2);
  add<<<n / nt, nt>>>(a, b);
  add<<<n / nt, nt, 0, x.t>>>(b, a);
  cudaStreamSynchronize(x.t);
  expect(fetch(a, n)[1] == 4, "legacy_waits");
}

// CASE callback_reads: RIGHT
static int seen;
static void callback_reads() {
  int *m;
  cudaMallocManaged(&m, n * 4);
  Streams x;
  fill<<<n / nt, nt, 0, x.s>>>(m, 9);
  cudaLaunchHostFunc(
      x.s, [](void *p) { seen = static_cast<int *>(p)[3]; }, m);
  cudaStreamSynchronize(x.s);
  expect(seen == 9 && m[5] == 9, "callback_reads");
}

// CASE fill_of_mapped: FAULTY race
__global__ void mapped_kernel(int *m, int *o) {
  o[threadIdx.x] = m[threadIdx.x]; // CHECK-RACE: read
}
static void fill_of_mapped() {
  int *h, *d, *o = numbers(n);
  cudaHostAlloc(&h, n * 4, cudaHostAllocMapped);
  memset(h, 0, n * 4);
  cudaHostGetDevicePointer(&d, h, 0);
  mapped_kernel<<<1, nt>>>(d, o);
  memset(h, 1, n * 4); // CHECK-RACE: host
}

// CASE registered: FAULTY race
__global__ void registered_kernel(int *m) {
  m[threadIdx.x] = 1; // CHECK-RACE: write
}
static void registered() {
  static int h[n];
  int *d;
  cudaHostRegister(h, sizeof h, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&d, h, 0);
  registered_kernel<<<1, nt>>>(d);
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i]; // CHECK-RACE: host
  printf("%d\n", sum);
  cudaDeviceSynchronize();
  cudaHostUnregister(h);
}

// CASE symbol_copy: FAULTY race
__device__ int symbol[n];
__global__ void symbol_kernel() {
  symbol[threadIdx.x] = 1; // CHECK-RACE: write
}
static void symbol_copy() {
  Streams x;
  int *h;
  cudaMallocHost(&h, n * 4);
  symbol_kernel<<<1, nt, 0, x.s>>>();
  cudaMemcpyFromSymbolAsync(h, symbol, n * 4, 0, // CHECK-RACE: copy
                            cudaMemcpyDeviceToHost, x.t);
}

// CASE driver_fill_rows: FAULTY race
static void driver_fill_rows() {
  int *m;
  cudaMallocManaged(&m, n * 4);
  memset(m, 0, n * 4);
  cuMemsetD2D32Async((CUdeviceptr)m, 64, 5, 16, n / 16, // CHECK-RACE: copy
                     nullptr);
  printf("%d\n", m[3]); // CHECK-RACE: host
  cudaDeviceSynchronize();
}

// CASE device_fill_rows: FAULTY race
__global__ void fill_rows_kernel(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
static void device_fill_rows() {
  int *a = numbers(n);
  Streams x;
  fill_rows_kernel<<<n / nt, nt, 0, x.s>>>(a);
  cudaMemset2DAsync(a, 64, 0, 16, n / 16, x.t); // CHECK-RACE: copy
}
// CASE swapped_by_both: RIGHT
__global__ void adds(int *m) { atomicAdd_system(m, 1); }
static void swapped_by_both() {
  int *m;
  cudaMallocManaged(&m, sizeof *m);
  *m = 0;
  adds<<<n / nt, nt>>>(m);
  for (int i = 0; i < 10; ++i) {
    int old, expected;
    do {
      expected = *m;
      old = __sync_val_compare_and_swap(m, expected, expected + 1);
    } while (old != expected);
  }
  cudaDeviceSynchronize();
  expect(*m == n + 10, "swapped_by_both");
}

// A program that asks is not told that kernels may use the host's memory.
// CASE asks_for_pageable: RIGHT
static void asks_for_pageable() {
  int pageable = 1;
  cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0);
  int *m;
  if (pageable)
    m = new int[n];
  else
    cudaMallocManaged(&m, n * sizeof(int));
  fill<<<n / nt, nt>>>(m, 3);
  cudaDeviceSynchronize();
  expect(m[7] == 3, "asks_for_pageable");
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME();
  RUN(event_never_recorded)
  RUN(event_of_other_stream)
  RUN(event_recorded_again)
  RUN(waited_for_old_record)
  RUN(both_ways)
  RUN(one_way)
  RUN(rows_in_other_stream)
  RUN(rows_beside)
  RUN(back_copy_read_early)
  RUN(managed_written_early)
  cudaDeviceSynchronize();
  RUN(managed_event)
  RUN(waited_for_other)
  RUN(nodes_without_edge)
  RUN(nodes_with_edge)
  RUN(two_launches_of_graph)
  RUN(freed_in_other_stream)
  RUN(peer_copy)
  RUN(legacy_waits)
  RUN(callback_reads)
  RUN(fill_of_mapped)
  cudaDeviceSynchronize();
  RUN(registered)
  RUN(symbol_copy)
  RUN(driver_fill_rows)
  RUN(device_fill_rows)
  RUN(swapped_by_both)
  RUN(asks_for_pageable)
  return finish();
}
