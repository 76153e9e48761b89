// Libraries: of which it is not known what they write, but that they do.
// FLAGS: -lcublas -lcurand
#include "../Inputs/cases.h"
#include <cublas_v2.h>
#include <curand.h>
constexpr int n = 16;

__global__ void add(const float *a, int *b) {
  b[threadIdx.x] = int(a[threadIdx.x]) + 1;
}
template <typename T> static T *make(int count) {
  T *made;
  cudaMalloc(&made, count * sizeof(T));
  return made;
}

// CASE product: RIGHT
static void product() {
  float *a = make<float>(n * n), *c = make<float>(n * n);
  int *b = make<int>(n * n);
  cudaMemset(a, 0, n * n * sizeof(float));
  const float one = 1, zero = 0;
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n,
              &zero, c, n);
  add<<<1, n * n>>>(c, b);
  expect(fetch(b, n)[3] == 1, "product");
  cublasDestroy(handle);
}

// CASE numbers_drawn: RIGHT
static void numbers_drawn() {
  float *a = make<float>(n * n);
  int *b = make<int>(n * n);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW);
  curandGenerateUniform(generator, a, n * n);
  add<<<1, n * n>>>(a, b);
  expect(fetch(b, n)[3] >= 1, "numbers_drawn");
  curandDestroyGenerator(generator);
}

// CASE before_product: FAULTY init
__global__ void before(const float *a, int *b) {
  b[threadIdx.x] = int(a[threadIdx.x]) + 1; // CHECK-INIT: read
}
static void before_product() {
  float *a = make<float>(n * n), *c = make<float>(n * n);
  int *b = make<int>(n * n);
  cudaMemset(a, 0, n * n * sizeof(float));
  const float one = 1, zero = 0;
  cublasHandle_t handle;
  cublasCreate(&handle);
  before<<<1, n * n>>>(c, b);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n,
              &zero, c, n);
  cublasDestroy(handle);
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  if (run("product"))
    product();
  if (run("numbers_drawn"))
    numbers_drawn();
  if (run("before_product"))
    before_product();
  cudaDeviceSynchronize();
  return finish();
}
