// FLAGS: -O0
// cuBLAS's batched routines, products of given types and the twins for sizes of
// 64 bits, against loops and residuals.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what) {
  if (!right && ++failures <= 20)
    std::printf("wrong: %s\n", what);
}
static unsigned state = 1;
static float anyNumber() {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / 8388608.0f - 1.0f;
}

template <typename T> struct Array {
  std::vector<T> h;
  T *d;
  explicit Array(size_t n) : h(n) {
    cudaMalloc(&d, n * sizeof(T));
    for (T &x : h)
      x = T(anyNumber());
    put();
  }
  ~Array() { cudaFree(d); }
  void put() { cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice); }
  std::vector<T> get() {
    std::vector<T> r(h.size());
    cudaMemcpy(r.data(), d, r.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return r;
  }
};
// Addresses of 'count' matrices of 'size' elements, in the device.
template <typename T> struct Addresses {
  T **d;
  Addresses(T *first, size_t size, int count) {
    std::vector<T *> a;
    for (int i = 0; i < count; ++i)
      a.push_back(first + i * size);
    cudaMalloc(&d, count * sizeof(T *));
    cudaMemcpy(d, a.data(), count * sizeof(T *), cudaMemcpyHostToDevice);
  }
  ~Addresses() { cudaFree(d); }
};

static cublasHandle_t h;

static void products(int n, int count) {
  const size_t size = size_t(n) * n;
  Array<double> a(size * count), b(size * count), c(size * count), y(size_t(n) * count);
  Addresses<double> pa(a.d, size, count), pb(b.d, size, count), pc(c.d, size, count);
  const double alpha = 1.5, beta = 0.5, zero = 0, one = 1;
  const auto worst = [&](double f, double g) {
    const std::vector<double> r = c.get();
    double most = 0;
    for (int p = 0; p < count; ++p)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          double sum = 0;
          for (int k = 0; k < n; ++k)
            sum += a.h[p * size + k * n + i] * b.h[p * size + k * n + j];
          most = std::fmax(most, std::fabs(f * sum + g * c.h[p * size + j * n + i] -
                                           r[p * size + j * n + i]));
        }
    return most;
  };
  expect(cublasDgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &alpha, pa.d, n, pb.d, n, &beta,
                            pc.d, n, count) == 0 && worst(alpha, beta) < 1e-11, "gemmBatched");
  c.put();
  expect(cublasDgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &alpha, a.d, n, size, b.d,
                                   n, size, &beta, c.d, n, size, count) == 0 &&
             worst(alpha, beta) < 1e-11, "gemmStridedBatched");
  expect(cublasDgemmStridedBatched_64(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &alpha, a.d, n, size,
                                      b.d, n, size, &zero, c.d, n, size, count) == 0 &&
             worst(alpha, 0) < 1e-11, "gemmStridedBatched_64");
  expect(cublasGemmBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, (void **)pa.d, CUDA_R_64F,
                             n, (void **)pb.d, CUDA_R_64F, n, &zero, (void **)pc.d, CUDA_R_64F, n,
                             count, CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT) == 0 &&
             worst(1, 0) < 1e-11, "GemmBatchedEx");
  expect(cublasDgemvStridedBatched(h, CUBLAS_OP_T, n, n, &one, a.d, n, size, b.d, 1, size, &zero,
                                   y.d, 1, n, count) == 0, "gemvStridedBatched");
  const std::vector<double> r = y.get();
  double most = 0;
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a.h[p * size + i * n + k] * b.h[p * size + k];
      most = std::fmax(most, std::fabs(sum - r[p * n + i]));
    }
  expect(most < 1e-11, "gemvStridedBatched: result");
  expect(cublasDgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &alpha, pa.d, n - 1, pb.d, n,
                            &beta, pc.d, n, count) == CUBLAS_STATUS_INVALID_VALUE, "wrong lda");
}

// Factors, solutions, inverses: residuals of A*X = B.
template <typename T, typename Getrf, typename Getrs, typename Getri, typename Matinv>
static void factors(int n, int count, double eps, Getrf getrf, Getrs getrs, Getri getri,
                    Matinv matinv, const char *what) {
  const size_t size = size_t(n) * n;
  Array<T> a(size * count), c(size * count), x(size_t(n) * count);
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < n; ++i)
      a.h[p * size + i * n + i] += T(4);
  a.put();
  Addresses<T> pa(a.d, size, count), pc(c.d, size, count), px(x.d, n, count);
  Array<int> pivots(size_t(n) * count), info(count);
  const auto good = [&](bool inverse) {
    const std::vector<T> s = inverse ? c.get() : x.get();
    const std::vector<int> each = info.get();
    bool right = true;
    for (int p = 0; p < count; ++p) {
      right &= each[p] == 0;
      for (int i = 0; i < n; ++i) {
        T sum = inverse ? T(i == 0 ? -1 : 0) : -x.h[p * n + i];
        for (int k = 0; k < n; ++k)
          sum += a.h[p * size + k * n + i] * s[inverse ? p * size + k : p * n + k];
        right &= std::abs(sum) < eps;
      }
    }
    return right;
  };
  for (int *P : {pivots.d, (int *)nullptr}) {
    int host = -1;
    a.put(), x.put();
    expect(getrf(h, n, pa.d, n, P, info.d, count) == 0, what);
    expect(getrs(h, CUBLAS_OP_N, n, 1, pa.d, n, P, px.d, n, &host, count) == 0 && host == 0, what);
    expect(good(false), what);
    expect(getri(h, n, pa.d, n, P, pc.d, n, info.d, count) == 0 && good(true), what);
  }
  if (n <= 32) {
    a.put();
    expect(matinv(h, n, pa.d, n, pc.d, n, info.d, count) == 0 && good(true), what);
  } else {
    expect(matinv(h, n, pa.d, n, pc.d, n, info.d, count) == CUBLAS_STATUS_INVALID_VALUE, what);
  }
  // A singular one is told by its info.
  const std::vector<T> kept = a.h;
  for (int i = 0; i < n; ++i)
    a.h[(n - 1) * n + i] = a.h[i];
  a.put();
  getrf(h, n, pa.d, n, pivots.d, info.d, count);
  const std::vector<int> each = info.get();
  expect(count < 2 || each[1] == 0, what);
  cublasGetMatrix(n, n, sizeof(T), a.d, n, a.h.data(), n);
  expect(n == 1 || each[0] == n || std::abs(a.h[n * n - 1]) < 1e-3, "singular");
  a.h = kept;
}

static void leastSquares() {
  const int m = 12, n = 5, count = 3;
  Array<double> a(m * n * count), b(m * count), tau(n * count);
  const std::vector<double> A = a.h, B = b.h;
  Addresses<double> pa(a.d, m * n, count), pb(b.d, m, count), pt(tau.d, n, count);
  Array<int> each(count);
  int info = -1;
  expect(cublasDgelsBatched(h, CUBLAS_OP_N, m, n, 1, pa.d, m, pb.d, m, &info, each.d, count) == 0 &&
             info == 0, "gelsBatched");
  const std::vector<double> x = b.get();
  double worst = 0;
  for (int p = 0; p < count; ++p)
    for (int j = 0; j < n; ++j) {
      double normal = 0;
      for (int i = 0; i < m; ++i) {
        double r = -B[p * m + i];
        for (int k = 0; k < n; ++k)
          r += A[p * m * n + k * m + i] * x[p * m + k];
        normal += A[p * m * n + j * m + i] * r;
      }
      worst = std::fmax(worst, std::fabs(normal));
    }
  expect(worst < 1e-12, "the residual is orthogonal");
  a.put();
  expect(cublasDgeqrfBatched(h, m, n, pa.d, m, pt.d, &info, count) == 0 && info == 0, "geqrf");
  const std::vector<double> r = a.get();
  for (int p = 0; p < count; ++p) {
    double norm = 0;
    for (int i = 0; i < m; ++i)
      norm += A[p * m * n + i] * A[p * m * n + i];
    expect(std::fabs(std::fabs(r[p * m * n]) - std::sqrt(norm)) < 1e-12, "R(1,1)");
  }
  expect(cublasDgeqrfBatched(h, -1, n, pa.d, m, pt.d, &info, count) == CUBLAS_STATUS_INVALID_VALUE &&
             info == -1, "wrong size");
}

template <typename In> float number(In x) { return float(x); }
template <typename In, typename Out>
static void typed(cudaDataType in, cudaDataType out, cublasComputeType_t compute, double eps,
                  const char *what) {
  const int m = 19, n = 11, k = 23;
  Array<In> a(m * k), b(k * n);
  Array<Out> c(m * n);
  const float alpha = 1.5f, beta = 0.5f;
  const __half halfAlpha = __float2half(alpha), halfBeta = __float2half(beta);
  const bool inHalf = compute == CUBLAS_COMPUTE_16F;
  expect(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k,
                      inHalf ? (const void *)&halfAlpha : &alpha, a.d, in, k, b.d, in, k,
                      inHalf ? (const void *)&halfBeta : &beta, c.d, out, m, compute,
                      CUBLAS_GEMM_DEFAULT) == 0, what);
  const std::vector<Out> r = c.get();
  double worst = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = beta * number(c.h[j * m + i]);
      for (int l = 0; l < k; ++l)
        sum += alpha * number(a.h[i * k + l]) * number(b.h[j * k + l]);
      worst = std::fmax(worst, std::fabs(sum - number(r[j * m + i])));
    }
  expect(worst < eps, what);
}

static void integers() {
  const int m = 8, n = 8, k = 16, one = 1, zero = 0;
  Array<signed char> a(m * k), b(k * n);
  Array<int> c(m * n);
  for (int i = 0; i < m * k; ++i)
    a.h[i] = (signed char)(i * 37), b.h[i] = (signed char)(i * 91);
  a.put(), b.put();
  expect(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, a.d, CUDA_R_8I, k, b.d, CUDA_R_8I,
                      k, &zero, c.d, CUDA_R_32I, m, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT) == 0,
         "integers");
  const std::vector<int> r = c.get();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      int sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a.h[i * k + l] * b.h[j * k + l];
      expect(sum == r[j * m + i], "integers: result");
    }
}

int main() {
  if (cublasCreate(&h) != 0)
    return 1;
  products(3, 50), products(20, 4), products(80, 3);
  using C = std::complex<double>;
  for (int n : {1, 6, 40})
    for (int count : {1, 7}) {
      factors<double>(n, count, 1e-10, cublasDgetrfBatched, cublasDgetrsBatched,
                      cublasDgetriBatched, cublasDmatinvBatched, "double factors");
      factors<float>(n, count, 1e-3, cublasSgetrfBatched, cublasSgetrsBatched, cublasSgetriBatched,
                     cublasSmatinvBatched, "float factors");
      factors<C>(
          n, count, 1e-10,
          [](auto h, int n, C **a, int lda, int *p, int *info, int count) {
            return cublasZgetrfBatched(h, n, (cuDoubleComplex **)a, lda, p, info, count);
          },
          [](auto h, auto op, int n, int r, C **a, int lda, int *p, C **b, int ldb, int *info,
             int count) {
            return cublasZgetrsBatched(h, op, n, r, (cuDoubleComplex **)a, lda, p,
                                       (cuDoubleComplex **)b, ldb, info, count);
          },
          [](auto h, int n, C **a, int lda, int *p, C **c, int ldc, int *info, int count) {
            return cublasZgetriBatched(h, n, (cuDoubleComplex **)a, lda, p, (cuDoubleComplex **)c,
                                       ldc, info, count);
          },
          [](auto h, int n, C **a, int lda, C **c, int ldc, int *info, int count) {
            return cublasZmatinvBatched(h, n, (cuDoubleComplex **)a, lda, (cuDoubleComplex **)c,
                                        ldc, info, count);
          },
          "complex factors");
    }
  leastSquares();
  typed<float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-4, "float");
  typed<__half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, 0.1, "half");
  typed<__half, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-4, "half to float");
  typed<__nv_bfloat16, __nv_bfloat16>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 0.1, "bfloat");
  typed<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-4, "bfloat to float");
  integers();
  expect(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &failures, nullptr, CUDA_R_16F, 1,
                      nullptr, CUDA_R_64F, 1, &failures, nullptr, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_SUCCESS, "types that differ");
  float sum = 0;
  Array<__half> x(100);
  __half narrow;
  expect(cublasNrm2Ex(h, 100, x.d, CUDA_R_16F, 1, &narrow, CUDA_R_16F, CUDA_R_32F) == 0, "Nrm2Ex");
  for (__half e : x.h)
    sum += number(e) * number(e);
  expect(std::fabs(number(narrow) - std::sqrt(sum)) < 0.01, "Nrm2Ex: result");
  expect(cublasDotEx(h, 100, x.d, CUDA_R_16F, 1, x.d, CUDA_R_16F, 1, &narrow, CUDA_R_16F,
                     CUDA_R_32F) == 0 && std::fabs(number(narrow) - sum) < 0.05, "DotEx");
  int64_t place = 0;
  Array<double> d(1000);
  d.h[777] = -9, d.put();
  expect(cublasIdamax_64(h, 1000, d.d, 1, &place) == 0 && place == 778, "amax_64");
  cublasDestroy(h);
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
