// Launches, copies, fills and the host: what is ordered and what is not.
#include "Inputs/streams.h"
constexpr int nt = 64, n = 256;
struct Streams : StreamPair {
  explicit Streams(unsigned flags = cudaStreamDefault) : StreamPair(flags) {}
};
static int *pinned(int count) {
  int *made;
  cudaMallocHost(&made, count * 4);
  for (int i = 0; i < count; ++i)
    made[i] = i;
  return made;
}
// CASE event_too_early: FAULTY race
__global__ void early_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
__global__ void early_reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
static void event_too_early() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  cudaEvent_t e = event();
  cudaEventRecord(e, x.s);
  early_writer<<<n / nt, nt, 0, x.s>>>(a);
  cudaStreamWaitEvent(x.t, e, 0);
  early_reader<<<n / nt, nt, 0, x.t>>>(a, b);
}
// CASE default_and_nonblocking: FAULTY race
__global__ void default_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
__global__ void other_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 2; // CHECK-RACE: write
}
static void default_and_nonblocking() {
  int *a = numbers(n);
  Streams x(cudaStreamNonBlocking);
  default_writer<<<n / nt, nt>>>(a);
  other_writer<<<n / nt, nt, 0, x.s>>>(a);
}

// CASE read_while_written: FAULTY race
__global__ void first_reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
__global__ void then_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
static void read_while_written() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  first_reader<<<n / nt, nt, 0, x.s>>>(a, b);
  then_writer<<<n / nt, nt, 0, x.t>>>(a);
}

// CASE copy_in_other_stream: FAULTY race
__global__ void copy_reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
static void copy_in_other_stream() {
  int *a = numbers(n), *b = numbers(n), *h = pinned(n);
  Streams x;
  cudaMemcpyAsync(a, h, n * 4, cudaMemcpyHostToDevice, x.s); // CHECK-RACE: copy
  copy_reader<<<n / nt, nt, 0, x.t>>>(a, b);
}

// CASE copy_back_too_early: FAULTY race
__global__ void result_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
static void copy_back_too_early() {
  int *a = numbers(n), *h = pinned(n);
  Streams x;
  result_writer<<<n / nt, nt, 0, x.s>>>(a);
  cudaMemcpyAsync(h, a, n * 4, cudaMemcpyDeviceToHost, x.t); // CHECK-RACE: copy
}

// CASE fill_in_other_stream: FAULTY race
__global__ void fill_adder(int *a) {
  a[blockIdx.x * nt + threadIdx.x] += 1; // CHECK-RACE: read write
}
static void fill_in_other_stream() {
  int *a = numbers(n);
  Streams x;
  cudaMemsetAsync(a, 0, n * 4, x.s); // CHECK-RACE: copy
  fill_adder<<<n / nt, nt, 0, x.t>>>(a);
}

// CASE fill_and_nonblocking: FAULTY race
__global__ void after_fill(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 4; // CHECK-RACE: write
}
static void fill_and_nonblocking() {
  int *a = numbers(n);
  Streams x(cudaStreamNonBlocking);
  cudaMemset(a, 0, n * 4); // CHECK-RACE: copy
  after_fill<<<n / nt, nt, 0, x.s>>>(a);
}

// CASE two_copies: FAULTY race
static void two_copies() {
  int *a = numbers(n), *h = pinned(n), *g = pinned(n);
  Streams x;
  cudaMemcpyAsync(a, h, n * 4, cudaMemcpyHostToDevice, x.s); // CHECK-RACE: copy
  cudaMemcpyAsync(g, a, n * 4, cudaMemcpyDeviceToHost, x.t); // CHECK-RACE: copy
}

// CASE host_reads_before_copy: FAULTY race
static void host_reads_before_copy() {
  int *a = numbers(n), *h = pinned(n);
  Streams x;
  cudaMemcpyAsync(h, a, n * 4, cudaMemcpyDeviceToHost, x.s); // CHECK-RACE: copy
  std::printf("%d\n", h[n - 1]);                             // CHECK-RACE: host
}

// CASE host_writes_source: FAULTY race
static void host_writes_source() {
  int *a = numbers(n), *h = pinned(n);
  Streams x;
  cudaMemcpyAsync(a, h, n * 4, cudaMemcpyHostToDevice, x.s); // CHECK-RACE: copy
  for (int i = 0; i < n; ++i)
    h[i] = 7; // CHECK-RACE: host
}

// CASE host_clears_source: FAULTY race
static void host_clears_source() {
  int *a = numbers(n), *h = pinned(n);
  Streams x;
  cudaMemcpyAsync(a, h, n * 4, cudaMemcpyHostToDevice, x.s); // CHECK-RACE: copy
  std::memset(h, 0, n * 4);                                  // CHECK-RACE: host
}

// CASE managed_read: FAULTY race
__global__ void managed_sum(const int *a, int *sum) {
  atomicAdd(sum, a[threadIdx.x]); // CHECK-RACE: atomic
}
static void managed_read() {
  int *sum, *a = numbers(nt);
  cudaMallocManaged(&sum, 4);
  *sum = 0;
  managed_sum<<<1, nt>>>(a, sum);
  int found = *sum; // CHECK-RACE: host
  cudaDeviceSynchronize();
  std::printf("%d\n", found);
}

// CASE wrong_stream_waited_for: FAULTY race
__global__ void in_s(int *m) {
  m[threadIdx.x] = 3; // CHECK-RACE: write
}
static void wrong_stream_waited_for() {
  int *m;
  cudaMallocManaged(&m, nt * 4);
  Streams x;
  in_s<<<1, nt, 0, x.s>>>(m);
  cudaStreamSynchronize(x.t);
  m[5] += 1; // CHECK-RACE: host
}

// CASE mapped_write: FAULTY race
__global__ void mapped_reader(const int *m, int *b) {
  b[threadIdx.x] = m[threadIdx.x]; // CHECK-RACE: read
}
static void mapped_write() {
  int *m, *b = numbers(nt);
  cudaHostAlloc(&m, nt * 4, cudaHostAllocMapped);
  std::memset(m, 0, nt * 4);
  mapped_reader<<<1, nt>>>(m, b);
  m[3] = 2; // CHECK-RACE: host
  cudaDeviceSynchronize();
}

// CASE graph_without_edge: FAULTY race
__global__ void node_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
__global__ void node_reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
static void graph_without_edge() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node;
  void *one[] = {&a}, *two[] = {&a, &b};
  cudaKernelNodeParams p = {};
  p.func = (void *)node_writer;
  p.gridDim = n / nt;
  p.blockDim = nt;
  p.kernelParams = one;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
  p.func = (void *)node_reader;
  p.kernelParams = two;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, x.s);
}

// CASE captured_fork: FAULTY race
__global__ void fork_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
static void captured_fork() {
  int *a = numbers(n), *h = pinned(n);
  Streams x;
  cudaEvent_t fork = event(), join = event();
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(x.s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, x.s);
  cudaStreamWaitEvent(x.t, fork, 0);
  fork_writer<<<n / nt, nt, 0, x.s>>>(a);
  cudaMemcpyAsync(h, a, n * 4, cudaMemcpyDeviceToHost, x.t); // CHECK-RACE: copy
  cudaEventRecord(join, x.t);
  cudaStreamWaitEvent(x.s, join, 0);
  cudaStreamEndCapture(x.s, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, x.s);
}

// CASE copy_of_freed: FAULTY memory
static void copy_of_freed() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  cudaFree(a); // CHECK-MEMORY: host
  cudaMemcpyAsync(b, a, n * 4, cudaMemcpyDeviceToDevice, x.s); // CHECK-MEMORY: copy
}

// CASE chain: RIGHT
static void chain() {
  int *a = numbers(n), *b = numbers(n);
  Streams x(cudaStreamNonBlocking), y(cudaStreamNonBlocking);
  cudaEvent_t e = event(), f = event();
  fill<<<n / nt, nt, 0, x.s>>>(a, 1);
  cudaEventRecord(e, x.s);
  cudaStreamWaitEvent(x.t, e, 0);
  cudaEventRecord(f, x.t);
  cudaStreamWaitEvent(y.s, f, 0);
  add<<<n / nt, nt, 0, y.s>>>(a, b);
  cudaStreamSynchronize(y.s);
  expect(fetch(b, n)[3] == 2, "chain");
}

// CASE event_waited_for: RIGHT
static void event_waited_for() {
  int *a = numbers(n), *h = pinned(n);
  Streams x(cudaStreamNonBlocking);
  cudaEvent_t e = event();
  fill<<<n / nt, nt, 0, x.s>>>(a, 2);
  cudaMemcpyAsync(h, a, n * 4, cudaMemcpyDeviceToHost, x.s);
  cudaEventRecord(e, x.s);
  fill<<<n / nt, nt, 0, x.s>>>(a, 3);
  while (cudaEventQuery(e) == cudaErrorNotReady)
    ;
  expect(h[n - 1] == 2, "event_waited_for");
  h[0] = 1;
}

// CASE stream_queried: RIGHT
static void stream_queried() {
  int *m;
  cudaMallocManaged(&m, nt * 4);
  Streams x;
  fill<<<1, nt, 0, x.s>>>(m, 2);
  while (cudaStreamQuery(x.s) == cudaErrorNotReady)
    ;
  expect(m[1] == 2, "stream_queried");
}

// CASE blocking_streams: RIGHT
static void blocking_streams() {
  int *a = numbers(n), *b = numbers(n);
  Streams x;
  fill<<<n / nt, nt, 0, x.s>>>(a, 5);
  add<<<n / nt, nt>>>(a, b);
  add<<<n / nt, nt, 0, x.t>>>(b, a);
  cudaStreamSynchronize(x.t);
  expect(fetch(a, n)[9] == 7, "blocking_streams");
}

// CASE halves: RIGHT
static void halves() {
  int *a = numbers(2 * n), *h = pinned(2 * n);
  Streams x(cudaStreamNonBlocking);
  cudaStream_t streams[] = {x.s, x.t};
  for (int i = 0; i < 2; ++i) {
    cudaMemcpyAsync(a + i * n, h + i * n, n * 4, cudaMemcpyHostToDevice,
                    streams[i]);
    add<<<n / nt, nt, 0, streams[i]>>>(a + i * n, a + i * n);
    cudaMemcpyAsync(h + i * n, a + i * n, n * 4, cudaMemcpyDeviceToHost,
                    streams[i]);
  }
  cudaStreamSynchronize(x.s);
  expect(h[n - 1] == n, "halves");
  h[0] = 5;
  cudaStreamSynchronize(x.t);
  expect(h[2 * n - 1] == 2 * n, "halves");
}

// CASE pageable: RIGHT
static void pageable() {
  int *a = numbers(n);
  std::vector<int> h(n);
  Streams x(cudaStreamNonBlocking);
  fill<<<n / nt, nt, 0, x.s>>>(a, 4);
  cudaMemcpyAsync(h.data(), a, n * 4, cudaMemcpyDeviceToHost, x.s);
  cudaStreamSynchronize(x.s);
  expect(h[7] == 4, "pageable");
}

// CASE stream_ordered: RIGHT
static void stream_ordered() {
  Streams x(cudaStreamNonBlocking);
  for (int i = 0; i < 4; ++i) {
    int *a;
    cudaMallocAsync(&a, n * 4, x.s);
    cudaMemsetAsync(a, 0, n * 4, x.s);
    add<<<n / nt, nt, 0, x.s>>>(a, a);
    cudaFreeAsync(a, x.s);
  }
  cudaStreamSynchronize(x.s);
}

// CASE graph_branches: RIGHT
static void graph_branches() {
  int *a = numbers(n), *b = numbers(n), *c = numbers(n), *h = pinned(n);
  Streams x;
  cudaEvent_t fork = event(), join = event();
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(x.s, cudaStreamCaptureModeGlobal);
  fill<<<n / nt, nt, 0, x.s>>>(a, 1);
  cudaEventRecord(fork, x.s);
  cudaStreamWaitEvent(x.t, fork, 0);
  add<<<n / nt, nt, 0, x.s>>>(a, b);
  add<<<n / nt, nt, 0, x.t>>>(a, c);
  cudaEventRecord(join, x.t);
  cudaStreamWaitEvent(x.s, join, 0);
  add<<<n / nt, nt, 0, x.s>>>(c, a);
  cudaMemcpyAsync(h, a, n * 4, cudaMemcpyDeviceToHost, x.s);
  cudaStreamEndCapture(x.s, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 3; ++i)
    cudaGraphLaunch(executable, i == 1 ? x.t : x.s);
  cudaStreamSynchronize(x.s);
  expect(h[0] == 3, "graph_branches");
}

// CASE host_function: RIGHT
static void add_up(void *data) {
  auto *h = static_cast<int *>(data);
  for (int i = 1; i < n; ++i)
    h[0] += h[i];
}
static void host_function() {
  int *a = numbers(n), *h = pinned(n);
  Streams x(cudaStreamNonBlocking);
  fill<<<n / nt, nt, 0, x.s>>>(a, 1);
  cudaMemcpyAsync(h, a, n * 4, cudaMemcpyDeviceToHost, x.s);
  cudaLaunchHostFunc(x.s, add_up, h);
  cudaMemcpyAsync(a, h, n * 4, cudaMemcpyHostToDevice, x.s);
  cudaStreamSynchronize(x.s);
  expect(fetch(a, n)[0] == n, "host_function");
}

// CASE managed_apart: RIGHT
static void managed_apart() {
  int *m;
  cudaMallocManaged(&m, 2 * nt * 4);
  fill<<<1, nt>>>(m, 1);
  for (int i = nt; i < 2 * nt; ++i)
    m[i] = i;
  cudaDeviceSynchronize();
  expect(m[0] + m[nt] == 1 + nt, "managed_apart");
}

// CASE mapped_flag: RIGHT
__global__ void waits_for_host(volatile int *flag, const int *data, int *b) {
  while (*flag == 0)
    ;
  __threadfence_system();
  b[0] = data[0];
}
static void mapped_flag() {
  int *m, *b = numbers(1);
  cudaHostAlloc(&m, 256, cudaHostAllocMapped);
  volatile int *flag = m;
  m[0] = m[32] = 0;
  waits_for_host<<<1, 1>>>(flag, m + 32, b);
  m[32] = 11;
  __sync_synchronize();
  *flag = 1;
  cudaDeviceSynchronize();
  expect(fetch(b, 1)[0] == 11, "mapped_flag");
}

// CASE atomics_of_two_streams: RIGHT
__global__ void counts(int *sum) { atomicAdd(sum, 1); }
static void atomics_of_two_streams() {
  int *sum = numbers(1);
  Streams x(cudaStreamNonBlocking);
  counts<<<n / nt, nt, 0, x.s>>>(sum);
  counts<<<n / nt, nt, 0, x.t>>>(sum);
  cudaDeviceSynchronize();
  expect(fetch(sum, 1)[0] == 2 * n, "atomics_of_two_streams");
}

// CASE managed_fill: RIGHT
static void managed_fill() {
  int *m;
  cudaMallocManaged(&m, n * 4);
  cudaMemset(m, 0, n * 4);
  m[3] += 5;
  cudaMemset2D(m, 16 * 4, 0, 16 * 4, n / 16);
  expect(m[3] == 0, "managed_fill");
  cudaFree(m);
}

// CASE reused_memory: RIGHT
static void reused_memory() {
  Streams x(cudaStreamNonBlocking);
  int *a = numbers(n);
  fill<<<n / nt, nt, 0, x.s>>>(a, 1);
  cudaFree(a);
  int *b = numbers(n);
  fill<<<n / nt, nt, 0, x.t>>>(b, 2);
  cudaStreamSynchronize(x.t);
  expect(fetch(b, n)[0] == 2, "reused_memory");
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME();
  RUN(event_too_early)
  RUN(default_and_nonblocking)
  RUN(read_while_written)
  RUN(copy_in_other_stream)
  RUN(copy_back_too_early)
  RUN(fill_in_other_stream)
  RUN(fill_and_nonblocking)
  RUN(two_copies)
  RUN(host_reads_before_copy)
  RUN(host_writes_source)
  RUN(host_clears_source)
  RUN(managed_read)
  RUN(wrong_stream_waited_for)
  RUN(mapped_write)
  RUN(graph_without_edge)
  RUN(captured_fork)
  RUN(copy_of_freed)
  RUN(chain)
  RUN(event_waited_for)
  RUN(stream_queried)
  RUN(blocking_streams)
  RUN(halves)
  RUN(pageable)
  RUN(stream_ordered)
  RUN(graph_branches)
  RUN(host_function)
  RUN(managed_apart)
  RUN(mapped_flag)
  RUN(atomics_of_two_streams)
  RUN(managed_fill)
  RUN(reused_memory)
  return finish();
}
