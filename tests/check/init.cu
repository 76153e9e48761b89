// Reads of memory that nothing wrote.
#include "Inputs/cases.h"
constexpr int nt = 64, nb = 2, n = nt * nb;

// CASE accumulator: FAULTY init s
__global__ void accumulator(const int *a, int *b) {
  __shared__ int s;
  if (threadIdx.x == 0)
    s += a[1]; // CHECK-INIT: read
  __syncthreads();
  b[threadIdx.x] = s; // MAY-INIT: read ! MAY-RACE: write
}

// CASE never_filled: FAULTY init
__global__ void never_filled(const int *c, int *b) {
  b[threadIdx.x] = c[threadIdx.x]; // CHECK-INIT: read
}

// CASE half_filled: FAULTY init
__global__ void half_filled(const int *c, int *b) {
  b[threadIdx.x] = c[threadIdx.x]; // CHECK-INIT: read
}

// CASE byte_missing: FAULTY init
__global__ void byte_missing(const int *c, int *b) {
  b[threadIdx.x] = c[threadIdx.x]; // CHECK-INIT: read
}

// CASE half_structure: FAULTY init
struct Pair {
  int x, y;
};
__global__ void half_structure(Pair *p, int *b) {
  p[threadIdx.x].x = 1;
  b[threadIdx.x] = p[threadIdx.x].y; // CHECK-INIT: read
}

// CASE guarded_fill: FAULTY init s
__global__ void guarded_fill(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x;
  if (i < nt - 1)
    s[i] = a[i];
  __syncthreads();
  b[i] = s[nt - 1 - i]; // CHECK-INIT: read
}

// CASE through_copy: FAULTY init
__global__ void through_copy(const int *d, int *b) {
  b[threadIdx.x] = d[threadIdx.x]; // CHECK-INIT: read
}

// CASE atomic_on_unset: FAULTY init
__global__ void atomic_on_unset(int *c) {
  atomicAdd(c, 1); // CHECK-INIT: atomic
}

// CASE device_heap_unset: FAULTY init
__global__ void device_heap_unset(int *b) {
  int *mine = (int *)malloc(4 * sizeof(int));
  mine[0] = 1;
  b[threadIdx.x] = mine[0] + mine[1]; // CHECK-INIT: read
  free(mine);
}

// CASE filled: RIGHT
__global__ void filled(const int *c, int *b) {
  b[threadIdx.x] = c[threadIdx.x];
}

// CASE filled_async: RIGHT
__global__ void filled_async(const int *c, int *b) {
  b[threadIdx.x] = c[threadIdx.x];
}

// CASE other_pointer: RIGHT
__global__ void fill(char *c) { c[blockIdx.x * nt * 4 + threadIdx.x] = 1; }
__global__ void other_pointer(const int *c, int *b) {
  b[threadIdx.x] = c[threadIdx.x];
}

// CASE padding_copied: RIGHT
struct Padded {
  char tag;
  double value;
};
__global__ void padding_copied(Padded *p, double *b) {
  Padded mine;
  mine.tag = 1;
  mine.value = threadIdx.x;
  p[threadIdx.x] = mine;
  Padded other = p[threadIdx.x];
  b[threadIdx.x] = other.value + other.tag;
}

// CASE initial_value: RIGHT
__device__ int preset[nt] = {5};
__device__ int zero[nt];
__constant__ int fixed[2] = {1, 2};
__global__ void initial_value(int *b) {
  b[threadIdx.x] = preset[threadIdx.x] + zero[threadIdx.x] + fixed[1];
}

// CASE unused_lanes: RIGHT
__global__ void unused_lanes(const int *a, int *b) {
  int v = a[threadIdx.x];
  int w = __shfl_down_sync(~0u, v, 16);
  if (threadIdx.x % 32 < 16)
    b[threadIdx.x] = v + w;
}

// CASE calloc_of_device: RIGHT
__global__ void calloc_of_device(int *b) {
  int *mine = (int *)malloc(4 * sizeof(int));
  memset(mine, 0, 4 * sizeof(int));
  b[threadIdx.x] = mine[3];
  free(mine);
}

// CASE managed_by_host: RIGHT
__global__ void managed_by_host(const int *m, int *b) {
  b[threadIdx.x] = m[threadIdx.x];
}

// CASE copied_twice: RIGHT
__global__ void copied_twice(const int *d, int *b) {
  b[threadIdx.x] = d[threadIdx.x];
}

// CASE row_fill: RIGHT
__global__ void row_fill(const char *rows, size_t pitch, int *b) {
  b[threadIdx.x] = rows[threadIdx.x / 16 * pitch + threadIdx.x % 16];
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(2 * n);
  auto unset = [] {
    int *fresh;
    cudaMalloc(&fresh, 4 * n * sizeof(int));
    return fresh;
  };
  if (run("accumulator"))
    accumulator<<<1, nt>>>(a, b);
  if (run("never_filled"))
    never_filled<<<1, nt>>>(unset(), b);
  if (run("half_filled")) {
    int *c = unset();
    cudaMemset(c, 0, nt * 2);
    half_filled<<<1, nt>>>(c, b);
  }
  if (run("byte_missing")) {
    int *c = unset();
    cudaMemset(c, 0, nt * 4 - 1);
    byte_missing<<<1, nt>>>(c, b);
  }
  if (run("half_structure"))
    half_structure<<<1, nt>>>((Pair *)unset(), b);
  if (run("guarded_fill"))
    guarded_fill<<<1, nt>>>(a, b);
  if (run("through_copy")) {
    int *c = unset(), *d = unset();
    cudaMemcpy(d, c, n * 4, cudaMemcpyDeviceToDevice);
    through_copy<<<1, nt>>>(d, b);
  }
  if (run("atomic_on_unset"))
    atomic_on_unset<<<1, nt>>>(unset());
  if (run("device_heap_unset"))
    device_heap_unset<<<1, nt>>>(b);
  if (run("filled")) {
    int *c = unset();
    cudaMemset(c, 0, n * 4);
    filled<<<1, nt>>>(c, b);
    expect(fetch(b, n)[3] == 0, "filled");
  }
  if (run("filled_async")) {
    int *c = unset();
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemsetAsync(c, 0, n * 4, stream);
    filled_async<<<1, nt, 0, stream>>>(c, b);
    cudaStreamSynchronize(stream);
    expect(fetch(b, n)[3] == 0, "filled_async");
  }
  if (run("other_pointer")) {
    int *c = unset();
    fill<<<1, 4 * nt>>>((char *)c);
    other_pointer<<<1, nt>>>(c, b);
    expect(fetch(b, n)[3] == 0x01010101, "other_pointer");
  }
  if (run("padding_copied"))
    padding_copied<<<1, nt>>>((Padded *)unset(), (double *)b);
  if (run("initial_value")) {
    initial_value<<<1, nt>>>(b);
    expect(fetch(b, n)[0] == 7, "initial_value");
  }
  if (run("unused_lanes"))
    unused_lanes<<<1, nt>>>(a, b);
  if (run("calloc_of_device"))
    calloc_of_device<<<1, nt>>>(b);
  if (run("managed_by_host")) {
    int *m;
    cudaMallocManaged(&m, nt * 4);
    for (int i = 0; i < nt; ++i)
      m[i] = i;
    managed_by_host<<<1, nt>>>(m, b);
    expect(fetch(b, n)[3] == 3, "managed_by_host");
  }
  if (run("copied_twice")) {
    int *c = unset(), *d = unset();
    cudaMemcpy(c, a, n * 4, cudaMemcpyDeviceToDevice);
    cudaMemcpy(d, c, n * 4, cudaMemcpyDeviceToDevice);
    copied_twice<<<1, nt>>>(d, b);
    expect(fetch(b, n)[3] == 3, "copied_twice");
  }
  if (run("row_fill")) {
    char *rows;
    size_t pitch;
    cudaMallocPitch((void **)&rows, &pitch, 16, 4);
    cudaMemset2D(rows, pitch, 9, 16, 4);
    row_fill<<<1, nt>>>(rows, pitch, b);
    expect(fetch(b, n)[nt - 1] == 9, "row_fill");
  }
  return finish();
}
