// Accesses that are wrong, and memory that nothing wrote.
#include "../Inputs/cases.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int nt = 64, n = 256;
__constant__ int table[8];
__device__ int module_array[16], behind[16];
struct Row {
  int key, values[3];
};

// CASE two_dynamic_arrays: FAULTY memory
__global__ void two_dynamic_kernel(int *b) {
  extern __shared__ int dynamic[];
  float *second = (float *)&dynamic[nt];
  dynamic[threadIdx.x] = b[threadIdx.x];
  second[threadIdx.x] = 1; // CHECK-MEMORY: write
  __syncthreads();
  b[threadIdx.x] = dynamic[nt - 1 - threadIdx.x];
}
static void two_dynamic_arrays() {
  two_dynamic_kernel<<<1, nt, nt * 4 + nt * 2>>>(numbers(n));
}

// CASE no_dynamic: FAULTY memory
__global__ void no_dynamic_kernel(int *b) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = b[threadIdx.x]; // CHECK-MEMORY: write
}
static void no_dynamic() { no_dynamic_kernel<<<1, nt>>>(numbers(n)); }

// CASE constant_overrun: FAULTY memory table
__global__ void constant_kernel(int *b) {
  b[threadIdx.x] = table[threadIdx.x]; // CHECK-MEMORY: read
}
static void constant_overrun() {
  int values[8] = {};
  cudaMemcpyToSymbol(table, values, sizeof values);
  constant_kernel<<<1, 9>>>(numbers(n));
}

// CASE host_pointer: FAULTY memory
__global__ void host_pointer_kernel(int *b) {
  b[threadIdx.x] = 1; // CHECK-MEMORY: write
}
static int of_the_host[n];
static void host_pointer() { host_pointer_kernel<<<1, nt>>>(of_the_host); }

// CASE stale_pointer: FAULTY memory
__global__ void stale_kernel(int *b) {
  b[threadIdx.x] += 1; // CHECK-MEMORY: read ! MAY-MEMORY: write
}
static void stale_pointer() {
  int *b = numbers(n);
  cudaFree(b); // CHECK-MEMORY: host
  int *c = numbers(n);
  stale_kernel<<<1, nt>>>(b);
  cudaDeviceSynchronize();
  cudaFree(c);
}

// CASE into_the_next: FAULTY memory
__global__ void into_next_kernel(int *b, int k) {
  b[k] = 1; // CHECK-MEMORY: write
}
static void into_the_next() {
  int *a = numbers(100), *b = numbers(100);
  into_next_kernel<<<1, 1>>>(a, 100);
  cudaDeviceSynchronize();
  cudaFree(b);
}

// CASE last_thread: FAULTY memory
__global__ void last_thread_kernel(int *b, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count)
    b[i] = i; // CHECK-MEMORY: write
}
static void last_thread() { last_thread_kernel<<<2, 64>>>(numbers(100), 100); }

// CASE local_overrun: FAULTY memory local
__global__ void local_kernel(int *b, int k) {
  int local[4] = {1, 2, 3, 4};
  local[k] = 9; // CHECK-MEMORY: write
  b[threadIdx.x] = local[threadIdx.x % 4];
}
static void local_overrun() { local_kernel<<<1, 4>>>(numbers(n), 4); }

// CASE shared_rows: FAULTY memory s
__global__ void shared_rows_kernel(int *b, int k) {
  __shared__ int s[8][8], other[8];
  s[threadIdx.x / 8][threadIdx.x % 8] = 1;
  other[threadIdx.x % 8] = 2;
  __syncthreads();
  b[threadIdx.x] = s[k][threadIdx.x % 8] + other[0]; // CHECK-MEMORY: read
}
static void shared_rows() { shared_rows_kernel<<<1, 64>>>(numbers(n), 8); }

// CASE odd_pair: FAULTY memory
__global__ void odd_pair_kernel(int *b) {
  int2 *p = (int2 *)(b + 1);
  p[threadIdx.x].x = 1; // MAY-MEMORY: write
  p[threadIdx.x] = make_int2(1, 2); // CHECK-MEMORY: write
}
static void odd_pair() { odd_pair_kernel<<<1, 2>>>(numbers(n)); }

// CASE pitch_overrun: FAULTY memory
__global__ void pitch_kernel(char *b, size_t pitch, int rows) {
  int *row = (int *)(b + pitch * rows);
  row[threadIdx.x] = 1; // CHECK-MEMORY: write
}
static void pitch_overrun() {
  char *b;
  size_t pitch;
  cudaMallocPitch(&b, &pitch, 100, 10);
  pitch_kernel<<<1, 8>>>(b, pitch, 10);
}

// CASE padding_unset: FAULTY init
__global__ void padding_kernel(const char *b, int *o, size_t pitch) {
  o[threadIdx.x] = *(const int *)(b + pitch + 4 * threadIdx.x); // CHECK-INIT: read
}
static void padding_unset() {
  char *b;
  size_t pitch;
  static char h[1000];
  cudaMallocPitch(&b, &pitch, 100, 10);
  cudaMemcpy2D(b, pitch, h, 100, 100, 10, cudaMemcpyHostToDevice);
  padding_kernel<<<1, 26>>>(b, numbers(n), pitch);
}

// CASE rows_set: RIGHT
static void rows_set() {
  char *b;
  size_t pitch;
  static char h[1000];
  int *o = numbers(n);
  cudaMallocPitch(&b, &pitch, 100, 10);
  cudaMemcpy2D(b, pitch, h, 100, 100, 10, cudaMemcpyHostToDevice);
  padding_kernel<<<1, 25>>>(b, o, pitch);
  expect(fetch(o, n)[24] == 0, "rows_set");
}

// CASE short_fill: FAULTY init
__global__ void short_fill_kernel(const int *a, int *o) {
  o[threadIdx.x] = a[threadIdx.x]; // CHECK-INIT: read
}
static void short_fill() {
  int *a;
  cudaMalloc(&a, nt * 4);
  cudaMemset(a, 0, nt); // bytes
  short_fill_kernel<<<1, nt>>>(a, numbers(n));
}

// CASE copied_unset: FAULTY init
__global__ void copied_kernel(const int *a, int *o) {
  o[threadIdx.x] = a[threadIdx.x]; // CHECK-INIT: read
}
static void copied_unset() {
  int *a, *b;
  cudaMalloc(&a, nt * 4);
  cudaMalloc(&b, nt * 4);
  cudaMemset(a, 0, nt * 2);
  cudaMemcpy(b, a, nt * 4, cudaMemcpyDeviceToDevice);
  copied_kernel<<<1, nt>>>(b, numbers(n));
}

// CASE peer_unset: FAULTY init
__global__ void peer_kernel(const int *a, int *o) {
  o[threadIdx.x] = a[threadIdx.x]; // CHECK-INIT: read
}
static void peer_unset() {
  int *a, *b;
  cudaMalloc(&a, nt * 4);
  cudaMalloc(&b, nt * 4);
  cudaMemcpyPeer(b, 0, a, 0, nt * 4);
  peer_kernel<<<1, nt>>>(b, numbers(n));
}

// CASE host_round_trip: RIGHT
static void host_round_trip() {
  int *a, *o = numbers(n);
  std::vector<int> h(nt, 3);
  cudaMalloc(&a, nt * 4);
  cudaMemcpyAsync(a, h.data(), nt * 4, cudaMemcpyHostToDevice);
  copied_kernel<<<1, nt>>>(a, o);
  expect(fetch(o, n)[1] == 3, "host_round_trip");
}

// CASE partial_warp_result: FAULTY init s
__global__ void partial_kernel(const int *a, int *o) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t % 32 == 0)
    s[t / 32] = a[t];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 32; ++i)
    sum += s[i]; // CHECK-INIT: read
  o[t] = sum;
}
static void partial_warp_result() {
  partial_kernel<<<1, nt>>>(numbers(n), numbers(n));
}

// CASE compacted: RIGHT
__device__ int found;
__global__ void compact_kernel(const int *a, int *list) {
  if (a[threadIdx.x] % 3 == 0)
    list[atomicAdd(&found, 1)] = a[threadIdx.x];
}
__global__ void use_kernel(const int *list, int *o) {
  if (threadIdx.x < found)
    o[threadIdx.x] = list[threadIdx.x];
}
static void compacted() {
  int *list, *o = numbers(n), zero = 0;
  cudaMalloc(&list, n * 4);
  cudaMemcpyToSymbol(found, &zero, 4);
  compact_kernel<<<1, nt>>>(numbers(n), list);
  use_kernel<<<1, nt>>>(list, o);
  expect(fetch(o, n)[63] == 63, "compacted");
}

// CASE member_unset: FAULTY init
__global__ void make_rows(Row *r) {
  r[threadIdx.x].key = 1;
  r[threadIdx.x].values[0] = 2;
  r[threadIdx.x].values[1] = 2;
}
__global__ void use_rows(const Row *r, int *o) {
  Row mine = r[threadIdx.x]; // MAY-INIT: read
  o[threadIdx.x] = mine.key + mine.values[0] + mine.values[2]; // MAY-INIT: read
}
static void member_unset() {
  Row *r;
  cudaMalloc(&r, nt * sizeof(Row));
  make_rows<<<1, nt>>>(r);
  use_rows<<<1, nt>>>(r, numbers(n));
}

// CASE member_not_used: RIGHT
__global__ void use_some(const Row *r, int *o) {
  Row mine = r[threadIdx.x];
  o[threadIdx.x] = mine.key + mine.values[0];
}
static void member_not_used() {
  Row *r;
  cudaMalloc(&r, nt * sizeof(Row));
  make_rows<<<1, nt>>>(r);
  use_some<<<1, nt>>>(r, numbers(n));
}

// CASE switch_of_barriers: FAULTY sync ALONE
__global__ void switch_of_barriers(int *b) {
  switch (threadIdx.x % 2) {
  case 0:
    b[threadIdx.x] = 1;
    __syncthreads(); // CHECK-SYNC: barrier
    break;
  default:
    b[threadIdx.x] = 2;
    __syncthreads(); // CHECK-SYNC: barrier
  }
}

// CASE break_before_barrier: FAULTY sync ALONE
__global__ void break_before_barrier(int *b) {
  for (int i = 0; i < 4; ++i) {
    if (i == 2 && threadIdx.x == 3)
      break;
    __syncthreads(); // CHECK-SYNC: barrier
    b[threadIdx.x] = i;
  }
}

// CASE count_in_branch: FAULTY sync ALONE
__global__ void count_in_branch(int *b) {
  if (threadIdx.x < 32)
    b[threadIdx.x] = __syncthreads_count(1); // CHECK-SYNC: barrier
}

// CASE mask_of_others: FAULTY sync ALONE
__global__ void mask_of_others(int *b) {
  const int lane = threadIdx.x % 32;
  int v = lane;
  if (lane < 8)
    v = __shfl_sync(0xffff, v, 0); // CHECK-SYNC: barrier
  b[threadIdx.x] = v;
}

// CASE mask_too_small: FAULTY sync ALONE
__global__ void mask_too_small(int *b) {
  b[threadIdx.x] = __any_sync(0xffff, 1); // CHECK-SYNC: barrier
}

// CASE shrinking_mask: RIGHT
__global__ void shrinking_mask(int *b) {
  unsigned mask = ~0u;
  const int lane = threadIdx.x % 32;
  int sum = lane;
  for (int w = 16; w; w /= 2) {
    mask = __ballot_sync(mask, lane < w);
    if (lane >= w)
      break;
    sum += __shfl_sync(mask, sum, lane ^ (w > 1 ? 1 : 0));
  }
  b[threadIdx.x] = sum;
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *b = numbers(n);
#define RUN(NAME)                                                              \
  if (run(#NAME)) {                                                            \
    NAME();                                                                    \
    cudaDeviceSynchronize();                                                   \
  }
#define LAUNCH(NAME)                                                           \
  if (run(#NAME))                                                              \
    NAME<<<1, nt>>>(b);
  RUN(two_dynamic_arrays)
  RUN(no_dynamic)
  RUN(constant_overrun)
  RUN(host_pointer)
  RUN(stale_pointer)
  RUN(into_the_next)
  RUN(last_thread)
  RUN(local_overrun)
  RUN(shared_rows)
  RUN(odd_pair)
  RUN(pitch_overrun)
  RUN(padding_unset)
  RUN(rows_set)
  RUN(short_fill)
  RUN(copied_unset)
  RUN(peer_unset)
  RUN(host_round_trip)
  RUN(partial_warp_result)
  RUN(compacted)
  RUN(member_unset)
  RUN(member_not_used)
  LAUNCH(switch_of_barriers)
  LAUNCH(break_before_barrier)
  LAUNCH(count_in_branch)
  LAUNCH(mask_of_others)
  LAUNCH(mask_too_small)
  LAUNCH(shrinking_mask)
  return finish();
}
