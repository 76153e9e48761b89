// Clusters, grids, devices, graphs of all kinds, textures, pipelines.
#include "../Inputs/cases.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <mma.h>
// ENV: CUFORT_CPU_DEVICES=2
namespace cg = cooperative_groups;
constexpr int nt = 64, nb = 4, n = nt * nb;
__device__ int cells[n], total, found[n], list_size;

// CASE cluster_exchange: RIGHT
__global__ void __cluster_dims__(2, 1, 1) cluster_exchange(int *a) {
  __shared__ int s[nt];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = blockIdx.x * nt + threadIdx.x;
  cluster.sync();
  int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  a[blockIdx.x * nt + threadIdx.x] = other[nt - 1 - threadIdx.x];
  cluster.sync();
}

// CASE cluster_too_early: FAULTY race s
__global__ void __cluster_dims__(2, 1, 1) cluster_too_early(int *a) {
  __shared__ int s[nt];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = blockIdx.x * nt + threadIdx.x; // CHECK-RACE: write
  __syncthreads();
  int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  a[blockIdx.x * nt + threadIdx.x] = other[threadIdx.x]; // CHECK-RACE: read ! MAY-INIT: read
  cluster.sync();
}

// CASE grid_exchange: RIGHT
__global__ void grid_exchange(int *a) {
  const int i = blockIdx.x * nt + threadIdx.x;
  cells[i] = a[i];
  cg::this_grid().sync();
  a[i] = cells[n - 1 - i];
  cg::this_grid().sync();
  cells[i] = 0;
}

// CASE grid_second_missing: FAULTY race cells
__global__ void grid_second_missing(int *a) {
  const int i = blockIdx.x * nt + threadIdx.x;
  cells[i] = a[i];
  cg::this_grid().sync();
  a[i] = cells[n - 1 - i]; // CHECK-RACE: read
  cells[i] = 0; // CHECK-RACE: write
}

// CASE barrier_phases: RIGHT
__global__ void barrier_phases(int *a) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ int s[nt];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, nt);
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    s[threadIdx.x] = a[threadIdx.x] + k;
    bar.arrive_and_wait();
    a[threadIdx.x] = s[(threadIdx.x + 1) % nt];
    bar.arrive_and_wait();
  }
}

// CASE barrier_one_phase: FAULTY race s
__global__ void barrier_one_phase(int *a) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ int s[nt];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, nt);
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    s[threadIdx.x] = a[threadIdx.x] + k; // CHECK-RACE: write
    bar.arrive_and_wait();
    a[threadIdx.x] = s[(threadIdx.x + 1) % nt]; // CHECK-RACE: read
  }
}

// CASE wmma_unsynced: FAULTY race
__global__ void wmma_unsynced(int *a) {
  using namespace nvcuda;
  __shared__ half s[256];
  __shared__ float c[256];
  for (int i = threadIdx.x; i < 256; i += nt)
    s[i] = __float2half(i % 3); // CHECK-RACE: write
  if (threadIdx.x < 32) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;
    wmma::fill_fragment(z, 0.0f);
    wmma::load_matrix_sync(x, s, 16); // CHECK-RACE: read ! MAY-INIT: read
    wmma::load_matrix_sync(y, s, 16); // MAY-RACE: read ! MAY-INIT: read
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(c, z, 16, wmma::mem_row_major);
  }
  __syncthreads();
  a[threadIdx.x] = (int)c[threadIdx.x];
}

// CASE wmma_synced: RIGHT
__global__ void wmma_synced(int *a) {
  using namespace nvcuda;
  __shared__ half s[256];
  __shared__ float c[256];
  for (int i = threadIdx.x; i < 256; i += nt)
    s[i] = __float2half(i % 3);
  __syncthreads();
  if (threadIdx.x < 32) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;
    wmma::fill_fragment(z, 0.0f);
    wmma::load_matrix_sync(x, s, 16);
    wmma::load_matrix_sync(y, s, 16);
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(c, z, 16, wmma::mem_row_major);
  }
  __syncthreads();
  a[threadIdx.x] = (int)c[threadIdx.x];
}

// CASE read_only_cache: FAULTY race
__global__ void read_only_cache(int *a) {
  const int i = blockIdx.x * nt + threadIdx.x;
  const int left = i ? __ldg(&a[i - 1]) : 0; // CHECK-RACE: read
  a[i] = left + 1; // CHECK-RACE: write
}

// CASE vector_and_word: FAULTY race
__global__ void vector_and_word(int *a) {
  const int i = threadIdx.x;
  if (i < 16)
    reinterpret_cast<int4 *>(a)[i] = make_int4(i, i, i, i); // CHECK-RACE: write
  else if (i < 32)
    a[4 * (i - 16) + 2] = -1; // CHECK-RACE: write
}

// CASE compacted_list: RIGHT
__global__ void compacted_list(int *a) {
  const int i = blockIdx.x * nt + threadIdx.x;
  const bool wanted = a[i] % 2;
  const unsigned mask = __ballot_sync(~0u, wanted);
  const int lane = threadIdx.x % 32;
  int base = 0;
  if (lane == 0)
    base = atomicAdd(&list_size, __popc(mask));
  base = __shfl_sync(~0u, base, 0);
  if (wanted)
    found[base + __popc(mask & ((1u << lane) - 1))] = i;
}

// CASE compacted_wrongly: FAULTY race found
__global__ void compacted_wrongly(int *a) {
  const int i = blockIdx.x * nt + threadIdx.x;
  const int slot = list_size + threadIdx.x; // MAY-RACE: read
  if (a[i] % 2)
    found[slot] = i; // CHECK-RACE: write
}

// CASE path_compression: RIGHT
__device__ int root(int i) {
  int at = atomicAdd(&cells[i], 0);
  while (at != i) {
    const int next = atomicAdd(&cells[at], 0);
    atomicCAS(&cells[i], at, next);
    i = at;
    at = next;
  }
  return i;
}
__global__ void path_compression(int *a) {
  const int i = blockIdx.x * nt + threadIdx.x;
  int x = root(i), y = root(i / 2);
  while (x != y) {
    if (x < y) {
      const int t = x;
      x = y;
      y = t;
    }
    const int seen = atomicCAS(&cells[x], x, y);
    if (seen == x)
      break;
    x = root(seen);
    y = root(y);
  }
}


// CASE push_minimum: RIGHT
__global__ void push_minimum(int *a) {
  const int i = blockIdx.x * nt + threadIdx.x;
  for (int k = 1; k < 4; ++k)
    atomicMin(&cells[(i * k) % n], a[i]);
}

// CASE push_unguarded: FAULTY race cells
__global__ void push_unguarded(int *a) {
  const int i = blockIdx.x * nt + threadIdx.x;
  for (int k = 1; k < 4; ++k) {
    const int j = (i * k) % n;
    if (cells[j] > a[i]) // CHECK-RACE: read
      cells[j] = a[i]; // CHECK-RACE: write
  }
}

// CASE checked_then_atomic: FAULTY race cells
__global__ void checked_then_atomic(int *a) {
  const int i = blockIdx.x * nt + threadIdx.x;
  for (int k = 1; k < 4; ++k) {
    const int j = (i * k) % n;
    if (cells[j] > a[i]) // CHECK-RACE: read
      atomicMin(&cells[j], a[i]); // CHECK-RACE: atomic
  }
}

// CASE product_by_exchange: RIGHT
__device__ float product;
__device__ void multiply(float *to, float by) {
  int *bits = (int *)to;
  int seen = *bits, before;
  do {
    before = seen;
    seen = atomicCAS(bits, before, __float_as_int(by * __int_as_float(before)));
  } while (seen != before);
}
__global__ void product_by_exchange(int *a) { multiply(&product, 1.0f); }

// CASE pull_neighbours: RIGHT
__global__ void pull_neighbours(const int *a, int *b) {
  const int i = blockIdx.x * nt + threadIdx.x;
  int sum = 0;
  for (int k = 1; k < 4; ++k)
    sum += a[(i * k) % n];
  b[i] = sum;
}

// CASE other_device: FAULTY race
__global__ void on_first(int *a) { a[threadIdx.x] = 1; } // CHECK-RACE: write
__global__ void on_second(const int *a, int *b) {
  b[threadIdx.x] = a[threadIdx.x]; // CHECK-RACE: read
}
static void other_device() {
  int *a, *b;
  cudaSetDevice(0);
  a = numbers(n);
  cudaSetDevice(1);
  b = numbers(n);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaSetDevice(0);
  on_first<<<1, nt>>>(a);
  cudaSetDevice(1);
  on_second<<<1, nt>>>(a, b);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaDeviceSynchronize();
}

// CASE devices_in_order: RIGHT
static void devices_in_order() {
  int *a, *b;
  cudaEvent_t e;
  cudaSetDevice(0);
  a = numbers(n);
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  cudaSetDevice(1);
  b = numbers(n);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaSetDevice(0);
  on_first<<<1, nt>>>(a);
  cudaEventRecord(e, 0);
  cudaSetDevice(1);
  cudaStreamWaitEvent(0, e, 0);
  on_second<<<1, nt>>>(a, b);
  expect(fetch(b, n)[3] == 1, "devices_in_order");
  cudaSetDevice(0);
}

// CASE copied_between_devices: FAULTY race
__global__ void peer_source(int *a) { a[threadIdx.x] = 1; } // CHECK-RACE: write
static void copied_between_devices() {
  int *a, *b;
  cudaStream_t s;
  cudaSetDevice(0);
  a = numbers(n);
  cudaSetDevice(1);
  b = numbers(n);
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaSetDevice(0);
  peer_source<<<1, nt>>>(a);
  cudaMemcpyPeerAsync(b, 1, a, 0, n * 4, s); // CHECK-RACE: copy
  cudaStreamSynchronize(s);
  cudaDeviceSynchronize();
}

// CASE memset_node: FAULTY race
__global__ void beside_memset(int *a) { a[threadIdx.x] = 7; } // CHECK-RACE: write
static void memset_node() {
  int *a = numbers(n);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphCreate(&graph, 0);
  void *arguments[] = {&a};
  cudaKernelNodeParams k = {};
  k.func = (void *)beside_memset;
  k.gridDim = dim3(1);
  k.blockDim = dim3(nt);
  k.kernelParams = arguments;
  cudaMemsetParams m = {};
  m.dst = a;
  m.elementSize = 4;
  m.width = n;
  m.height = 1;
  cudaGraphNode_t first, second;
  cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &m); // MAY-RACE: copy
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &k);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0); // MAY-RACE: copy
  cudaDeviceSynchronize();
}

// CASE captured_join: RIGHT
__global__ void add_to(int *a, int what) { a[threadIdx.x] += what; }
static void captured_join() {
  int *a = numbers(n), *b = numbers(n);
  cudaStream_t s, t;
  cudaEvent_t e, f;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&f, cudaEventDisableTiming);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  add_to<<<1, nt, 0, s>>>(a, 1);
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  add_to<<<1, nt, 0, t>>>(b, 2);
  cudaEventRecord(f, t);
  add_to<<<1, nt, 0, s>>>(a, 3);
  cudaStreamWaitEvent(s, f, 0);
  cudaMemcpyAsync(a + nt, b, nt * 4, cudaMemcpyDeviceToDevice, s);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i)
    cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  expect(fetch(a, n)[0] == 12 && fetch(a, n)[nt] == 6, "captured_join");
}

// CASE written_under_texture: FAULTY race
__global__ void texture_kernel(cudaTextureObject_t x, int *a) {
  const int i = threadIdx.x;
  a[(i + 1) % nt] = tex1Dfetch<int>(x, i) + 1; // CHECK-RACE: write ! MAY-RACE: read
}
static void written_under_texture() {
  int *a = numbers(n);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = a;
  r.res.linear.desc = cudaCreateChannelDesc<int>();
  r.res.linear.sizeInBytes = n * 4;
  cudaTextureDesc t = {};
  t.readMode = cudaReadModeElementType;
  cudaTextureObject_t x;
  cudaCreateTextureObject(&x, &r, &t, nullptr);
  texture_kernel<<<1, nt>>>(x, a);
  cudaDeviceSynchronize();
}

// CASE texture_right: RIGHT
__global__ void texture_reader(cudaTextureObject_t x, int *b) {
  b[threadIdx.x] = tex1Dfetch<int>(x, nt - 1 - threadIdx.x);
}
static void texture_right() {
  int *a = numbers(n), *b = numbers(n);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = a;
  r.res.linear.desc = cudaCreateChannelDesc<int>();
  r.res.linear.sizeInBytes = n * 4;
  cudaTextureDesc t = {};
  t.readMode = cudaReadModeElementType;
  cudaTextureObject_t x;
  cudaCreateTextureObject(&x, &r, &t, nullptr);
  texture_reader<<<1, nt>>>(x, b);
  expect(fetch(b, n)[0] == nt - 1, "texture_right");
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  void *arguments[] = {&a};
  auto reset = [] {
    int values[n], zero = 0;
    for (int i = 0; i < n; ++i)
      values[i] = i;
    cudaMemcpyToSymbol(cells, values, sizeof values);
    cudaMemcpyToSymbol(found, values, sizeof values);
    cudaMemcpyToSymbol(list_size, &zero, 4);
  };
#define RUN(NAME)                                                              \
  if (run(#NAME)) {                                                            \
    reset();                                                                   \
    NAME<<<nb, nt>>>(a);                                                       \
    cudaDeviceSynchronize();                                                   \
  }
#define TOGETHER(NAME)                                                         \
  if (run(#NAME)) {                                                            \
    reset();                                                                   \
    cudaLaunchCooperativeKernel((void *)NAME, dim3(nb), dim3(nt), arguments);  \
    cudaDeviceSynchronize();                                                   \
  }
#define ONE(NAME)                                                              \
  if (run(#NAME)) {                                                            \
    reset();                                                                   \
    NAME<<<1, nt>>>(a);                                                        \
    cudaDeviceSynchronize();                                                   \
  }
#define CALL(NAME)                                                             \
  if (run(#NAME))                                                              \
    NAME();
  RUN(cluster_exchange)
  RUN(cluster_too_early)
  TOGETHER(grid_exchange)
  TOGETHER(grid_second_missing)
  ONE(barrier_phases)
  ONE(barrier_one_phase)
  ONE(wmma_unsynced)
  ONE(wmma_synced)
  RUN(read_only_cache)
  ONE(vector_and_word)
  RUN(compacted_list)
  RUN(compacted_wrongly)
  RUN(path_compression)
  RUN(push_minimum)
  RUN(push_unguarded)
  RUN(checked_then_atomic)
  RUN(product_by_exchange)
  if (run("pull_neighbours"))
    pull_neighbours<<<nb, nt>>>(a, b);
  CALL(other_device)
  CALL(devices_in_order)
  CALL(copied_between_devices)
  CALL(memset_node)
  CALL(captured_join)
  CALL(written_under_texture)
  CALL(texture_right)
  return finish();
}
