// cuSOLVER's symmetric eigenvalues on the CPU against LAPACK called directly, with
// the same number of threads: lines "row NAME ours direct Gn3/s target", the rate
// that of n^3.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cublas_v2.h>
#include <cusolverDn.h>
#include <dlfcn.h>
#include <vector>

static double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// What a row may take, beyond three rounds.
constexpr double Seconds = 1.5;

static void *openblas;
static cusolverDnHandle_t h;

template <typename T, typename Size, typename Solve>
static void row(const char *what, const char *symbol, Size bufferSize, Solve solve, int n) {
  auto direct = (void (*)(const char *, const char *, const int *, T *, const int *, T *, T *,
                          const int *, int *, const int *, int *))dlsym(openblas, symbol);
  const size_t size = size_t(n) * n;
  std::vector<T> matrix(size), values(n), query(1);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i)
      matrix[i + size_t(j) * n] = matrix[j + size_t(i) * n] =
          T(1) / T(1 + (i * 7 + j * 3) % 11) + (i == j ? T(i % 13) : T(0));
  T *a, *w, *work;
  int *info, lwork = 0;
  bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, nullptr, n, nullptr, &lwork);
  cudaMallocManaged(&a, size * sizeof(T));
  cudaMallocManaged(&w, n * sizeof(T));
  cudaMallocManaged(&work, lwork * sizeof(T));
  cudaMallocManaged(&info, sizeof(int));
  const int minusOne = -1;
  int integers = 0, failed = 0;
  direct("V", "L", &n, a, &n, w, query.data(), &minusOne, &integers, &minusOne, &failed);
  const int length = int(query[0]);
  std::vector<T> work(length), copy(size);
  std::vector<int> numbers(integers);
  double ours = 1e30, theirs = 1e30;
  const double start = now();
  // Often enough that both see the machine at its best.
  for (int round = 0; round < 3 || (round < 100 && now() - start < Seconds); ++round) {
    std::memcpy(a, matrix.data(), size * sizeof(T));
    double begin = now();
    solve(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n, w, work, lwork, info);
    cudaDeviceSynchronize();
    ours = std::min(ours, now() - begin);
    copy = matrix;
    begin = now();
    direct("V", "L", &n, copy.data(), &n, values.data(), work.data(), &length, numbers.data(),
           &integers, &failed);
    theirs = std::min(theirs, now() - begin);
  }
  for (int i = 0; i < n; ++i)
    if (*info || failed || std::fabs(w[i] - values[i]) > T(1e-3) * n)
      std::printf("%s n=%d is wrong\n", what, n), std::exit(1);
  const double cube = double(n) * n * n / 1e9;
  std::printf("row %s n=%d %.3f %.3f Gn3/s 0.95\n", what, n, cube / ours, cube / theirs);
  cudaFree(a);
  cudaFree(w);
  cudaFree(work);
  cudaFree(info);
}

int main() {
  // After cuBLAS has opened it for this processor.
  cublasHandle_t blas;
  if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS ||
      cusolverDnCreate(&h) != CUSOLVER_STATUS_SUCCESS ||
      !(openblas = dlopen("libopenblas.so.0", RTLD_NOW))) {
    std::puts("no OpenBLAS");
    return 1;
  }
  for (int n : {256, 512, 1024}) {
    row<float>("ssyevd", "ssyevd_", cusolverDnSsyevd_bufferSize, cusolverDnSsyevd, n);
    row<double>("dsyevd", "dsyevd_", cusolverDnDsyevd_bufferSize, cusolverDnDsyevd, n);
  }
  cusolverDnDestroy(h);
}
