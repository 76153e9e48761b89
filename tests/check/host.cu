// What the host does wrong or right with device memory, streams and events.
// ENV: CUFORT_CHECK_LEAKS=1
#include "Inputs/cases.h"
constexpr int nt = 64, n = 256;

__global__ void fill(int *a, int value) {
  a[blockIdx.x * nt + threadIdx.x] = value;
}
__global__ void add(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i] + 1;
}

// CASE double_free: FAULTY memory
static void double_free() {
  int *a;
  cudaMalloc(&a, n * 4); // MAY-MEMORY: host
  cudaFree(a); // CHECK-MEMORY: host
  cudaFree(a); // CHECK-MEMORY: host
  cudaGetLastError();
}

// CASE foreign_free: FAULTY memory
static void foreign_free() {
  int *a;
  cudaMalloc(&a, n * 4);
  cudaFree(a + 1); // CHECK-MEMORY: host
  cudaGetLastError();
  cudaFree(a);
}

// CASE leak: FAULTY leak
static void leak() {
  int *a;
  cudaMalloc(&a, n * 4); // CHECK-LEAK: host
  fill<<<n / nt, nt>>>(a, 1);
  cudaDeviceSynchronize();
}

// CASE host_reads: FAULTY memory ALONE
static void host_reads() {
  int *a;
  cudaMalloc(&a, n * 4);
  cudaMemset(a, 0, n * 4);
  std::printf("%d\n", a[3]); // CHECK-MEMORY: host
}

// CASE host_writes: FAULTY memory ALONE
static void host_writes() {
  int *a;
  cudaMalloc(&a, n * 4);
  for (int i = 0; i < n; ++i)
    a[i] = i; // CHECK-MEMORY: host
}

// CASE two_streams: FAULTY race
__global__ void writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
__global__ void reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
static void two_streams() {
  int *a = numbers(n), *b = numbers(n);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  writer<<<n / nt, nt, 0, s>>>(a);
  reader<<<n / nt, nt, 0, t>>>(a, b);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}

// CASE managed_before_synchronise: FAULTY race
__global__ void managed_writer(int *m) {
  m[threadIdx.x] = 1; // MAY-RACE: write
}
static void managed_before_synchronise() {
  int *m;
  cudaMallocManaged(&m, nt * 4);
  managed_writer<<<1, nt>>>(m);
  m[1] = 2; // CHECK-RACE: host
  cudaDeviceSynchronize();
  cudaFree(m);
}

// CASE ordered_by_event: RIGHT
static void ordered_by_event() {
  int *a = numbers(n), *b = numbers(n);
  cudaStream_t s, t;
  cudaEvent_t event;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEventCreate(&event);
  fill<<<n / nt, nt, 0, s>>>(a, 4);
  cudaEventRecord(event, s);
  cudaStreamWaitEvent(t, event, 0);
  add<<<n / nt, nt, 0, t>>>(a, b);
  cudaStreamSynchronize(t);
  expect(fetch(b, n)[n - 1] == 5, "ordered_by_event");
  cudaFree(a);
  cudaFree(b);
}

// CASE ordered_by_stream: RIGHT
static void ordered_by_stream() {
  int *a = numbers(n), *b = numbers(n);
  for (int i = 0; i < 3; ++i) {
    fill<<<n / nt, nt>>>(a, i);
    add<<<n / nt, nt>>>(a, b);
  }
  expect(fetch(b, n)[7] == 3, "ordered_by_stream");
  cudaFree(a);
  cudaFree(b);
}

// CASE ordered_by_default_stream: RIGHT
static void ordered_by_default_stream() {
  int *a = numbers(n), *b = numbers(n);
  cudaStream_t s;
  cudaStreamCreate(&s);
  fill<<<n / nt, nt, 0, s>>>(a, 8);
  add<<<n / nt, nt>>>(a, b);
  expect(fetch(b, n)[7] == 9, "ordered_by_default_stream");
  cudaFree(a);
  cudaFree(b);
}

// CASE ping_pong: RIGHT
static void ping_pong() {
  int *a = numbers(n), *b = numbers(n);
  cudaStream_t s, t;
  cudaEvent_t first, second;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEventCreate(&first);
  cudaEventCreate(&second);
  for (int i = 0; i < 4; ++i) {
    add<<<n / nt, nt, 0, s>>>(a, b);
    cudaEventRecord(first, s);
    cudaStreamWaitEvent(t, first, 0);
    add<<<n / nt, nt, 0, t>>>(b, a);
    cudaEventRecord(second, t);
    cudaStreamWaitEvent(s, second, 0);
  }
  cudaDeviceSynchronize();
  expect(fetch(a, n)[0] == 8, "ping_pong");
  cudaFree(a);
  cudaFree(b);
}

// CASE two_streams_apart: RIGHT
static void two_streams_apart() {
  int *a = numbers(2 * n);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  fill<<<n / nt, nt, 0, s>>>(a, 1);
  fill<<<n / nt, nt, 0, t>>>(a + n, 2);
  cudaDeviceSynchronize();
  expect(fetch(a, 2 * n)[n] == 2, "two_streams_apart");
  cudaFree(a);
}

// CASE two_readers: RIGHT
static void two_readers() {
  int *a = numbers(n), *b = numbers(n), *c = numbers(n);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  add<<<n / nt, nt, 0, s>>>(a, b);
  add<<<n / nt, nt, 0, t>>>(a, c);
  cudaDeviceSynchronize();
  expect(fetch(c, n)[1] == 2, "two_readers");
  for (int *each : {a, b, c})
    cudaFree(each);
}

// CASE freed_in_stream: RIGHT
static void freed_in_stream() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  int *a;
  cudaMallocAsync(&a, n * 4, s);
  fill<<<n / nt, nt, 0, s>>>(a, 1);
  cudaFreeAsync(a, s);
  cudaStreamSynchronize(s);
}

// CASE managed_after_synchronise: RIGHT
static void managed_after_synchronise() {
  int *m;
  cudaMallocManaged(&m, n * 4);
  fill<<<n / nt, nt>>>(m, 6);
  cudaDeviceSynchronize();
  expect(m[3] == 6, "managed_after_synchronise");
  m[3] = 1;
  cudaFree(m);
}

// CASE graph: RIGHT
static void graph() {
  int *a = numbers(n), *b = numbers(n);
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  fill<<<n / nt, nt, 0, s>>>(a, 3);
  add<<<n / nt, nt, 0, s>>>(a, b);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 3; ++i)
    cudaGraphLaunch(executable, s);
  cudaStreamSynchronize(s);
  expect(fetch(b, n)[0] == 4, "graph");
  cudaFree(a);
  cudaFree(b);
}

// CASE pinned_and_async: RIGHT
static void pinned_and_async() {
  int *a = numbers(n), *host;
  cudaMallocHost(&host, n * 4);
  cudaStream_t s;
  cudaStreamCreate(&s);
  fill<<<n / nt, nt, 0, s>>>(a, 2);
  cudaMemcpyAsync(host, a, n * 4, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  expect(host[5] == 2, "pinned_and_async");
  cudaFreeHost(host);
  cudaFree(a);
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME();
  RUN(double_free)
  RUN(foreign_free)
  RUN(leak)
  RUN(host_reads)
  RUN(host_writes)
  RUN(two_streams)
  RUN(managed_before_synchronise)
  RUN(ordered_by_event)
  RUN(ordered_by_stream)
  RUN(ordered_by_default_stream)
  RUN(ping_pong)
  RUN(two_streams_apart)
  RUN(two_readers)
  RUN(freed_in_stream)
  RUN(managed_after_synchronise)
  RUN(graph)
  RUN(pinned_and_async)
  return finish();
}
