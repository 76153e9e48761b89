// cuBLAS on the CPU against OpenBLAS called directly, with the same number of
// threads: lines "row NAME ours direct GFLOP/s target".
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cublas_v2.h>
#include <dlfcn.h>
#include <thread>
#include <vector>

static double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// What a row may take, beyond three rounds.
constexpr double Seconds = 0.7;

static void *openblas;
static cublasHandle_t h;

template <typename T, typename R, typename Gemm>
static void row(const char *what, const char *symbol, Gemm gemm, int n, double flops,
                double target) {
  const size_t size = size_t(n) * n * sizeof(T);
  T *a, *b, *c;
  cudaMallocManaged(&a, size);
  cudaMallocManaged(&b, size);
  cudaMallocManaged(&c, size);
  for (size_t i = 0; i < size / sizeof(R); ++i)
    ((R *)a)[i] = R(1) + R(i % 7), ((R *)b)[i] = R(2.5) - R(i % 5);
  T alpha{}, beta{};
  alpha = *(T *)a; // of whatever type
  auto direct = (void (*)(const char *, const char *, const int *, const int *, const int *,
                          const T *, const T *, const int *, const T *, const int *, const T *,
                          T *, const int *))dlsym(openblas, symbol);
  const int calls = std::max(1, int(1e9 / (double(flops) * n * n * n)));
  double ours = 1e30, theirs = 1e30;
  // Alternately, so that both see the same machine, and often enough that both see
  // it at its best.
  const double start = now();
  for (int round = 0; round < 3 || (round < 100 && now() - start < Seconds); ++round) {
    double begin = now();
    for (int i = 0; i < calls; ++i)
      gemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a, n, b, n, &beta, c, n);
    cudaDeviceSynchronize();
    ours = std::min(ours, now() - begin);
    begin = now();
    for (int i = 0; i < calls; ++i)
      direct("N", "N", &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n);
    theirs = std::min(theirs, now() - begin);
  }
  const double work = calls * flops * n * n * n / 1e9;
  std::printf("row %s n=%d %.2f %.2f GFLOP/s %.2f\n", what, n, work / ours, work / theirs, target);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

int main() {
  // After cuBLAS has opened it for this processor.
  if (cublasCreate(&h) != CUBLAS_STATUS_SUCCESS ||
      !(openblas = dlopen("libopenblas.so.0", RTLD_NOW))) {
    std::puts("no OpenBLAS");
    return 1;
  }
  for (int n : {256, 1024, 2048}) {
    row<float, float>("sgemm", "sgemm_", cublasSgemm, n, 2, n < 1000 ? 0.9 : 0.95);
    row<double, double>("dgemm", "dgemm_", cublasDgemm, n, 2, n < 1000 ? 0.9 : 0.95);
    if (n > 1024)
      continue;
    row<cuComplex, float>("cgemm", "cgemm_", cublasCgemm, n, 8, n < 1000 ? 0.9 : 0.95);
    row<cuDoubleComplex, double>("zgemm", "zgemm_", cublasZgemm, n, 8, n < 1000 ? 0.9 : 0.95);
  }
  cublasDestroy(h);
}
