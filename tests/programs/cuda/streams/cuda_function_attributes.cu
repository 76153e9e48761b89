// What a kernel's constant data and private arrays take, also through
// functions.
#include <cstdio>

__constant__ float table[100];

__device__ int chosen(const int *indices, int n) {
  int values[32];
  for (int i = 0; i < 32; ++i)
    values[i] = indices[i];
  for (int i = 0; i < n; ++i)
    values[indices[i] & 31] += i;
  return values[indices[n] & 31];
}

__global__ void plain(float *a) { a[threadIdx.x] = 1; }
__global__ void constants(float *a) {
  a[threadIdx.x] = table[threadIdx.x % 100];
}
__global__ void arrays(int *a, const int *indices, int n) {
  int values[64];
  for (int i = 0; i < 64; ++i)
    values[i] = a[i];
  for (int i = 0; i < n; ++i)
    values[indices[i] & 63] += i;
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[indices[i * 3] & 63];
  a[threadIdx.x] = sum;
}
__global__ void through(int *a, const int *indices, int n) {
  a[threadIdx.x] = chosen(indices, n);
}

static int failures;

template <class Kernel>
static void check(const char *name, Kernel *kernel, size_t constant,
                  size_t least, size_t most) {
  cudaFuncAttributes found;
  if (cudaFuncGetAttributes(&found, kernel) == cudaSuccess &&
      found.constSizeBytes >= constant && found.localSizeBytes >= least &&
      found.localSizeBytes <= most)
    return;
  printf("%s: %zu, %zu\n", name, found.constSizeBytes, found.localSizeBytes);
  ++failures;
}

int main() {
  check("plain", plain, 0, 0, 0);
  check("constants", constants, 400, 0, 0);
  check("arrays", arrays, 0, 256, 300);
  check("through", through, 0, 128, 160);
  puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
