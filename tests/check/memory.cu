// Accesses outside of allocations and variables.
#include "Inputs/cases.h"
constexpr int nt = 64, nb = 2, n = nt * nb;
__device__ int table[16];

// CASE before_begin: FAULTY memory
__global__ void before_begin(int *a) {
  a[int(threadIdx.x) - 1] = 1; // CHECK-MEMORY: write
}

// CASE one_too_many: FAULTY memory
__global__ void one_too_many(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i + 1]; // CHECK-MEMORY: read
}

// CASE module_overrun: FAULTY memory table
__global__ void module_overrun(int *b) {
  b[threadIdx.x] = table[threadIdx.x]; // CHECK-MEMORY: read
}

// CASE shared_overrun: FAULTY memory s
__global__ void shared_overrun(int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x;
  s[i + 1] = i; // CHECK-MEMORY: write
  __syncthreads();
  if (i)
    b[i] = s[i];
}

// CASE private_overrun: FAULTY memory p
__global__ void private_overrun(int *b, int k) {
  int p[8];
  for (int i = 0; i < 8; ++i)
    p[i] = i * k;
  b[threadIdx.x] = p[threadIdx.x % 9]; // CHECK-MEMORY: read
}

// CASE dynamic_too_small: FAULTY memory dynamic
extern __shared__ int dynamic[];
__global__ void dynamic_too_small(int *b) {
  dynamic[threadIdx.x] = 1; // CHECK-MEMORY: write
  b[threadIdx.x] = 1;
}

// CASE misaligned: FAULTY memory
__global__ void misaligned(const int *a, int *b) {
  const char *at = (const char *)a + 1;
  b[threadIdx.x] = *(const int *)(at + 4 * (threadIdx.x % 4)); // CHECK-MEMORY: read
}

// CASE misaligned_vector: FAULTY memory ALONE
__global__ void misaligned_vector(const int *a, int4 *b) {
  b[threadIdx.x % 4] = *(const int4 *)(a + 1); // CHECK-MEMORY: read
}

// CASE use_after_free: FAULTY memory
__global__ void use_after_free(const int *a, int *b) {
  b[threadIdx.x] = a[threadIdx.x]; // CHECK-MEMORY: read
}

// CASE overflow: FAULTY memory
__global__ void overflow(int *a, int stride) {
  long i = long(threadIdx.x) * stride;
  a[i] = 1; // CHECK-MEMORY: write
}

// CASE struct_overrun: FAULTY memory
struct Pair {
  int x, y;
};
__global__ void struct_overrun(const Pair *pairs, int *b) {
  b[threadIdx.x] = pairs[threadIdx.x].y; // CHECK-MEMORY: read
}

// CASE ragged: RIGHT
__global__ void ragged(int *a, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < k)
    a[i] = i;
}

// CASE one_past: RIGHT
__global__ void one_past(const int *a, int *b) {
  const int *end = a + n;
  int sum = 0;
  for (const int *at = a + threadIdx.x; at < end; at += nt)
    sum += *at;
  b[threadIdx.x] = sum;
}

// CASE pitch: RIGHT
__global__ void pitch(char *a, size_t pitch) {
  for (int row = 0; row < 4; ++row)
    ((int *)(a + row * pitch))[threadIdx.x % 10] = row;
}

// CASE aligned_vector: RIGHT
__global__ void aligned_vector(const int *a, int4 *b) {
  if (threadIdx.x < n / 4)
    b[threadIdx.x] = ((const int4 *)a)[threadIdx.x];
}

// CASE dynamic_fits: RIGHT
__global__ void dynamic_fits(int *b) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  b[threadIdx.x] = dynamic[nt - 1 - threadIdx.x];
}

// CASE device_heap: RIGHT
__global__ void device_heap(int *b) {
  int *mine = (int *)malloc(4 * sizeof(int));
  for (int i = 0; i < 4; ++i)
    mine[i] = i;
  b[threadIdx.x] = mine[3];
  free(mine);
}

// CASE second_allocation: RIGHT
__global__ void second_allocation(int *a) { a[threadIdx.x] = 1; }

// CASE constant_table: RIGHT
__constant__ int constants[4] = {1, 2, 3, 4};
__global__ void constant_table(int *b) {
  b[threadIdx.x] = constants[threadIdx.x % 4];
}

// CASE managed: RIGHT
__managed__ int shared_by_all[nt];
__global__ void managed() { shared_by_all[threadIdx.x] += 1; }

// CASE pinned: RIGHT
__global__ void pinned(int *host) { host[threadIdx.x] = threadIdx.x; }

// CASE negative_offset: RIGHT
__global__ void negative_offset(int *a) {
  int *middle = a + n / 2;
  middle[-int(threadIdx.x)] = 1;
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  int zeros[16] = {};
  cudaMemcpyToSymbol(table, zeros, sizeof zeros);
  if (run("before_begin"))
    before_begin<<<1, nt>>>(a);
  if (run("one_too_many"))
    one_too_many<<<nb, nt>>>(a, b);
  if (run("module_overrun"))
    module_overrun<<<1, nt>>>(b);
  if (run("shared_overrun"))
    shared_overrun<<<1, nt>>>(b);
  if (run("private_overrun"))
    private_overrun<<<1, nt>>>(b, 3);
  if (run("dynamic_too_small"))
    dynamic_too_small<<<1, nt, nt * 4 - 16>>>(b);
  if (run("misaligned"))
    misaligned<<<1, nt>>>(a, b);
  if (run("misaligned_vector"))
    misaligned_vector<<<1, 1>>>(a, (int4 *)b);
  if (run("use_after_free")) {
    int *gone = numbers(n);
    cudaFree(gone); // CHECK-MEMORY(use_after_free): host
    use_after_free<<<1, nt>>>(gone, b);
  }
  if (run("overflow"))
    overflow<<<1, 3>>>(a, 64);
  if (run("struct_overrun"))
    struct_overrun<<<1, nt>>>((const Pair *)a + n / 2 - 10, b);
  if (run("ragged")) {
    ragged<<<nb, nt>>>(a, 100);
    expect(fetch(a, n)[99] == 99, "ragged");
  }
  if (run("one_past"))
    one_past<<<1, nt>>>(a, b);
  if (run("pitch")) {
    char *rows;
    size_t bytes;
    cudaMallocPitch((void **)&rows, &bytes, 40, 4);
    pitch<<<1, 10>>>(rows, bytes);
    cudaDeviceSynchronize();
    cudaFree(rows);
  }
  if (run("aligned_vector"))
    aligned_vector<<<1, nt>>>(a, (int4 *)b);
  if (run("dynamic_fits")) {
    dynamic_fits<<<1, nt, nt * 4>>>(b);
    expect(fetch(b, n)[0] == nt - 1, "dynamic_fits");
  }
  if (run("device_heap")) {
    device_heap<<<1, nt>>>(b);
    expect(fetch(b, n)[5] == 3, "device_heap");
  }
  if (run("second_allocation")) {
    for (int i = 0; i < 3; ++i) {
      int *fresh;
      cudaMalloc(&fresh, nt * 4);
      second_allocation<<<1, nt>>>(fresh);
      cudaFree(fresh);
    }
  }
  if (run("constant_table")) {
    constant_table<<<1, nt>>>(b);
    expect(fetch(b, n)[5] == 2, "constant_table");
  }
  if (run("managed")) {
    managed<<<1, nt>>>();
    cudaDeviceSynchronize();
    expect(shared_by_all[5] == 1, "managed");
  }
  if (run("pinned")) {
    int *host;
    cudaMallocHost(&host, nt * 4);
    pinned<<<1, nt>>>(host);
    cudaDeviceSynchronize();
    expect(host[7] == 7, "pinned");
    cudaFreeHost(host);
  }
  if (run("negative_offset"))
    negative_offset<<<1, nt>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return finish();
}
