// NVIDIA's libraries, called by a program that cufort has compiled and by one that
// nvcc has: lines "row NAME VALUE UNIT", the best of seven rounds.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <vector>

template <typename Work> static double best(int calls, Work work) {
  using Clock = std::chrono::steady_clock;
  double least = 1e30;
  for (int round = 0; round < 8; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i)
      if (work() != 0)
        std::puts("a call failed"), std::exit(1);
    if (cudaDeviceSynchronize() != cudaSuccess)
      std::puts("failed"), std::exit(1);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count() / calls;
    if (round && seconds < least)
      least = seconds;
  }
  return least;
}

/// \p count numbers from -4 to 4.
template <typename T> static T *numbers(size_t count) {
  std::vector<T> host(count);
  for (size_t i = 0; i < count; ++i)
    host[i] = T(int(i * 7 % 9) - 4);
  T *device = nullptr;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <typename T, typename R, typename Gemm>
static void gemm(cublasHandle_t h, const char *name, Gemm call, int n, double flops) {
  const size_t size = size_t(n) * n * sizeof(T) / sizeof(R);
  R *a = numbers<R>(size), *b = numbers<R>(size), *c = numbers<R>(size);
  T one{}, zero{};
  reinterpret_cast<R &>(one) = 1;
  const double seconds = best(n < 1000 ? 100 : 5, [&] {
    return call(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, (T *)a, n, (T *)b, n, &zero, (T *)c, n);
  });
  std::printf("row %s n=%d %.1f GFLOP/s\n", name, n, flops * n * n * n / seconds * 1e-9);
  cudaFree(a), cudaFree(b), cudaFree(c);
}

static void fft(const char *name, std::vector<int> n, int batch) {
  size_t size = batch;
  for (int each : n)
    size *= each;
  float *data = numbers<float>(2 * size);
  cufftHandle plan;
  cufftPlanMany(&plan, int(n.size()), n.data(), nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, batch);
  const double seconds = best(20, [&] {
    return cufftExecC2C(plan, (cufftComplex *)data, (cufftComplex *)data, CUFFT_FORWARD);
  });
  std::printf("row fft %s %.2f Gpoint/s\n", name, size / seconds * 1e-9);
  cufftDestroy(plan);
  cudaFree(data);
}

static void eigenvalues(int n) {
  cusolverDnHandle_t h;
  cusolverDnCreate(&h);
  std::vector<double> host(size_t(n) * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      host[i + size_t(j) * n] = 1.0 / (1 + (i + j) % 11) + (i == j) * (i % 13);
  double *kept = numbers<double>(host.size()), *a = numbers<double>(host.size()),
         *w = numbers<double>(n), *work;
  cudaMemcpy(kept, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice);
  int length = 0, *info = numbers<int>(1);
  cusolverDnDsyevd_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n, w,
                              &length);
  cudaMalloc(&work, length * sizeof(double));
  const double seconds = best(1, [&] {
    cudaMemcpyAsync(a, kept, host.size() * sizeof(double), cudaMemcpyDeviceToDevice, nullptr);
    return cusolverDnDsyevd(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n, w, work,
                            length, info);
  });
  std::printf("row dsyevd n=%d %.3f Gn3/s\n", n, 1e-9 * n * n * n / seconds);
  cusolverDnDestroy(h);
  cudaFree(kept), cudaFree(a), cudaFree(w), cudaFree(work), cudaFree(info);
}

static void sparse(int rows, int each) {
  std::vector<int> begins(rows + 1), columns(size_t(rows) * each);
  for (int r = 0; r <= rows; ++r)
    begins[r] = r * each;
  for (size_t k = 0; k < columns.size(); ++k)
    columns[k] = int((k / each + k % each * 37) % rows);
  int *b = numbers<int>(begins.size()), *c = numbers<int>(columns.size());
  cudaMemcpy(b, begins.data(), begins.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(c, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice);
  double *values = numbers<double>(columns.size()), *x = numbers<double>(rows),
         *y = numbers<double>(rows);
  cusparseHandle_t h;
  cusparseCreate(&h);
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t in, out;
  cusparseCreateCsr(&matrix, rows, rows, columns.size(), b, c, values, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
  cusparseCreateDnVec(&in, rows, x, CUDA_R_64F);
  cusparseCreateDnVec(&out, rows, y, CUDA_R_64F);
  const double one = 1, zero = 0;
  size_t bytes = 0;
  cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out,
                          CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  void *buffer;
  cudaMalloc(&buffer, bytes + 1);
  const double seconds = best(50, [&] {
    return cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out,
                        CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
  });
  std::printf("row dspmv %d rows of %d %.1f GFLOP/s\n", rows, each,
              2e-9 * columns.size() / seconds);
  cusparseDestroy(h);
  cudaFree(b), cudaFree(c), cudaFree(values), cudaFree(x), cudaFree(y), cudaFree(buffer);
}

static void random(const char *name, curandRngType type) {
  const size_t count = size_t(1) << 26;
  float *out = numbers<float>(count);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, type);
  const double seconds = best(5, [&] { return curandGenerateUniform(generator, out, count); });
  std::printf("row uniform %s %.2f Gnumber/s\n", name, count / seconds * 1e-9);
  curandDestroyGenerator(generator);
  cudaFree(out);
}

int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  // One small call after another: what is on the way to the library.
  float *x = numbers<float>(32);
  const float one = 1;
  const double seconds = best(2000, [&] { return cublasSscal(h, 32, &one, x, 1); });
  std::printf("row sscal of 32 %.3f us\n", seconds * 1e6);
  for (int n : {512, 4096}) {
    gemm<float, float>(h, "sgemm", cublasSgemm, n, 2);
    gemm<double, double>(h, "dgemm", cublasDgemm, n, 2);
    gemm<cuComplex, float>(h, "cgemm", cublasCgemm, n, 8);
    gemm<cuDoubleComplex, double>(h, "zgemm", cublasZgemm, n, 8);
  }
  cublasDestroy(h);
  fft("1024 x 16384", {1024}, 16384);
  fft("1024 x 1024 x 16", {1024, 1024}, 16);
  fft("256 x 256 x 256", {256, 256, 256}, 1);
  fft("105 x 105 x 105", {105, 105, 105}, 1);
  eigenvalues(1024);
  sparse(1 << 20, 27);
  random("xorwow", CURAND_RNG_PSEUDO_XORWOW);
  random("philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
  random("mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
  random("mt19937", CURAND_RNG_PSEUDO_MT19937);
}
