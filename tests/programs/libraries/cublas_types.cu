// cuBLAS's routines of given types: rotations, products of matrices and vectors
// of half and bfloat16 with floats, groups of products, syrkEx and herkEx; the type
// of sums as one of data; settings of emulated arithmetic.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what) {
  if (!right && ++failures <= 30)
    std::printf("wrong: %s\n", what);
}
template <typename T> struct Array {
  T *p = nullptr;
  explicit Array(size_t n) { cudaMallocManaged(&p, n * sizeof(T)); }
  ~Array() { cudaFree(p); }
  Array(const Array &) = delete;
  operator T *() { return p; }
};
static cublasHandle_t handle;
static bool near(double a, double b, double e) { return std::abs(a - b) <= e * (1 + std::abs(b)); }

static void rotations() {
  double a = 3, b = 4, c = 0, s = 0;
  expect(cublasRotgEx(handle, &a, &b, CUDA_R_64F, &c, &s, CUDA_R_64F, CUDA_R_64F) ==
             CUBLAS_STATUS_SUCCESS,
         "RotgEx");
  expect(near(a, 5, 1e-14) && near(c, 0.6, 1e-14) && near(s, 0.8, 1e-14), "RotgEx's rotation");
  float d1 = 1, d2 = 2, x1 = 3, y1 = 4, param[5] = {}, e1 = 1, e2 = 2, w1 = 3, other[5] = {};
  expect(cublasRotmgEx(handle, &d1, CUDA_R_32F, &d2, CUDA_R_32F, &x1, CUDA_R_32F, &y1, CUDA_R_32F,
                       param, CUDA_R_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS,
         "RotmgEx");
  cublasSrotmg(handle, &e1, &e2, &w1, &y1, other);
  expect(d1 == e1 && d2 == e2 && x1 == w1 && param[0] == other[0] && d1 != 1, "RotmgEx's result");
  const int n = 9;
  Array<float> x(n), y(2 * n);
  Array<__nv_bfloat16> xs(n), ys(2 * n);
  for (int flag = -2; flag <= 1; ++flag) {
    for (int i = 0; i < 2 * n; ++i) {
      y[i] = i - 4;
      ys[i] = __float2bfloat16(y[i]);
      if (i < n) {
        x[i] = 2 * i;
        xs[i] = __float2bfloat16(x[i]);
      }
    }
    const float p[5] = {float(flag), 0.5f, -1, 2, 0.25f};
    expect(cublasRotmEx(handle, n, x, CUDA_R_32F, 1, y, CUDA_R_32F, -2, p, CUDA_R_32F,
                        CUDA_R_32F) == CUBLAS_STATUS_SUCCESS,
           "RotmEx");
    const bool half = cublasRotmEx_64(handle, n, xs, CUDA_R_16BF, 1, ys, CUDA_R_16BF, -2, p,
                                      CUDA_R_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS;
    cudaDeviceSynchronize();
    // A GPU's library may take parameters of the vectors' type alone.
    for (int i = 0; half && i < n; ++i)
      expect(near(__bfloat162float(xs[i]), x[i], 0.01) &&
                 near(__bfloat162float(ys[2 * i]), y[2 * i], 0.01),
             "RotmEx of bfloat16");
  }
}

template <typename X> static X of(float x);
template <> __half of(float x) { return __float2half(x); }
template <> __nv_bfloat16 of(float x) { return __float2bfloat16(x); }
static float from(__half x) { return __half2float(x); }
static float from(__nv_bfloat16 x) { return __bfloat162float(x); }
static float from(float x) { return x; }

template <typename X, typename Y, typename Call>
static void vectors(Call call, const char *what) {
  const int m = 7, n = 5, lda = 8, count = 3;
  Array<X> a(lda * n * count), x(2 * m * count);
  Array<Y> y(2 * m * count);
  for (int i = 0; i < lda * n * count; ++i)
    a[i] = of<X>(float(i % 7 - 3));
  for (int i = 0; i < 2 * m * count; ++i)
    x[i] = of<X>(float(i % 5 - 1));
  for (bool transposed : {false, true}) {
    std::vector<float> expected(2 * m * count);
    for (int i = 0; i < 2 * m * count; ++i) {
      if constexpr (sizeof(Y) == 4)
        y[i] = float(i % 3);
      else
        y[i] = of<Y>(float(i % 3));
      expected[i] = i % 3;
    }
    const int rows = transposed ? n : m, columns = transposed ? m : n;
    for (int q = 0; q < count; ++q)
      for (int i = 0; i < rows; ++i) {
        float s = 0;
        for (int j = 0; j < columns; ++j)
          s += from(a[q * lda * n + (transposed ? i * lda + j : j * lda + i)]) *
               from(x[q * 2 * m + 2 * j]);
        float &e = expected[q * 2 * m + i];
        e = 2 * s - e;
      }
    const float alpha = 2, beta = -1;
    expect(call(transposed ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, &alpha, a.p, lda, lda * n, x.p, 2,
                2 * m, &beta, y.p, 1, 2 * m, count) == CUBLAS_STATUS_SUCCESS,
           what);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * m * count; ++i)
      expect(near(from(y[i]), expected[i], 0.01), what);
  }
}

static void groups() {
  const int sizes[2] = {2, 1};
  const int64_t m[2] = {3, 4}, n[2] = {2, 5}, k[2] = {4, 3}, ld[2] = {5, 5}, counts[2] = {2, 1};
  const int m4[2] = {3, 4}, n4[2] = {2, 5}, k4[2] = {4, 3}, ld4[2] = {5, 5};
  const cublasOperation_t ta[2] = {CUBLAS_OP_N, CUBLAS_OP_T}, tb[2] = {CUBLAS_OP_T, CUBLAS_OP_N};
  const double alpha[2] = {1, 2}, beta[2] = {0, 1};
  const float alpha4[2] = {1, 2}, beta4[2] = {0, 1};
  Array<double> a(75), b(75), c(75);
  Array<float> a4(75), b4(75), c4(75);
  for (int i = 0; i < 75; ++i) {
    a[i] = a4[i] = i % 7 - 2;
    b[i] = b4[i] = i % 5 - 1;
    c[i] = c4[i] = i;
  }
  Array<const double *> as(3), bs(3);
  Array<double *> cs(3);
  Array<const void *> as4(3), bs4(3);
  Array<void *> cs4(3);
  for (int i = 0; i < 3; ++i) {
    as[i] = a.p + 25 * i;
    bs[i] = b.p + 25 * i;
    cs[i] = c.p + 25 * i;
    as4[i] = a4.p + 25 * i;
    bs4[i] = b4.p + 25 * i;
    cs4[i] = c4.p + 25 * i;
  }
  expect(cublasDgemmGroupedBatched_64(handle, ta, tb, m, n, k, alpha, as, ld, bs, ld, beta, cs, ld,
                                      2, counts) == CUBLAS_STATUS_SUCCESS,
         "gemmGroupedBatched_64");
  expect(cublasGemmGroupedBatchedEx(handle, ta, tb, m4, n4, k4, alpha4, as4, CUDA_R_32F, ld4, bs4,
                                    CUDA_R_32F, ld4, beta4, cs4, CUDA_R_32F, ld4, 2, sizes,
                                    CUBLAS_COMPUTE_32F) == CUBLAS_STATUS_SUCCESS,
         "GemmGroupedBatchedEx");
  cudaDeviceSynchronize();
  for (int q = 0; q < 3; ++q)
    for (int g = q / 2, j = 0; j < n[g]; ++j)
      for (int i = 0; i < m[g]; ++i) {
        double s = 0;
        for (int l = 0; l < k[g]; ++l)
          s += a[25 * q + (g ? i * 5 + l : l * 5 + i)] * b[25 * q + (g ? j * 5 + l : l * 5 + j)];
        const int at = 25 * q + j * 5 + i;
        s = alpha[g] * s + (g ? at : 0);
        expect(near(c[at], s, 1e-13), "product of a group");
        expect(near(c4[at], s, 1e-5), "product of a group of given types");
      }
}

static void updates() {
  const int n = 6, k = 4;
  Array<cuComplex> a(n * k), c(n * n), d(n * n);
  for (int i = 0; i < n * k; ++i)
    a[i] = make_cuComplex(i % 5 - 2, i % 3);
  const cuComplex alpha = make_cuComplex(1, 2), beta = make_cuComplex(0, 0);
  const float real = 2, zero = 0;
  for (bool hermitian : {false, true}) {
    for (int i = 0; i < n * n; ++i)
      c[i] = d[i] = make_cuComplex(0, 0);
    if (hermitian) {
      expect(cublasCherkEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &real, a, CUDA_C_32F,
                           n, &zero, c, CUDA_C_32F, n) == CUBLAS_STATUS_SUCCESS,
             "CherkEx");
      cublasCherk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &real, a, n, &zero, d, n);
    } else {
      expect(cublasCsyrkEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &alpha, a,
                           CUDA_C_32F, n, &beta, c, CUDA_C_32F, n) == CUBLAS_STATUS_SUCCESS,
             "CsyrkEx");
      cublasCsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &alpha, a, n, &beta, d, n);
    }
    cudaDeviceSynchronize();
    double largest = 0;
    for (int i = 0; i < n * n; ++i) {
      expect(near(c[i].x, d[i].x, 1e-5) && near(c[i].y, d[i].y, 1e-5), "an update");
      largest = std::max(largest, std::abs(double(c[i].x)));
    }
    expect(largest > 1, "an update that does something");
  }
}

// As programs for CUDA 10 give it.
static void sumsOfData() {
  const int n = 2;
  Array<float> a(n * n), b(n * n), c(3 * n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = i + 1;
    b[i] = i == 1 ? 2 : 1;
  }
  const float one = 1, none = 0;
  void **lists = nullptr;
  cudaMallocManaged(&lists, 3 * sizeof(void *));
  lists[0] = a.p;
  lists[1] = b.p;
  lists[2] = c.p + n * n;
  expect(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_32F, n, b,
                      CUDA_R_32F, n, &none, c, CUDA_R_32F, n, CUDA_R_32F,
                      CUBLAS_GEMM_DEFAULT) == 0 &&
             cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, lists,
                                 CUDA_R_32F, n, lists + 1, CUDA_R_32F, n, &none, lists + 2,
                                 CUDA_R_32F, n, 1, CUDA_R_32F, CUBLAS_GEMM_DEFAULT) == 0 &&
             cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a,
                                        CUDA_R_32F, n, 0, b, CUDA_R_32F, n, 0, &none,
                                        c + 2 * n * n, CUDA_R_32F, n, 0, 1, CUDA_R_32F,
                                        CUBLAS_GEMM_DEFAULT) == 0,
         "types of data for sums");
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i)
    expect(c[4 * i] == 7 && c[4 * i + 1] == 10 && c[4 * i + 2] == 4 && c[4 * i + 3] == 6,
           "products");
  cudaFree(lists);
  cublasComputeType_t type = CUBLAS_COMPUTE_16F;
  expect(cublasMigrateComputeType(handle, CUDA_C_64F, &type) == 0 && type == CUBLAS_COMPUTE_64F,
         "another type");
  expect(cublasMigrateComputeType(handle, CUDA_R_8U, &type) == CUBLAS_STATUS_NOT_SUPPORTED,
         "no such sums");
}

static void emulation() {
  cublasEmulationStrategy_t strategy;
  expect(cublasSetEmulationStrategy(handle, CUDA_EMULATION_STRATEGY_EAGER) == 0 &&
             cublasGetEmulationStrategy(handle, &strategy) == 0 &&
             strategy == CUBLAS_EMULATION_STRATEGY_EAGER,
         "strategy");
  cudaEmulationMantissaControl control;
  int bits = 0;
  expect(cublasSetFixedPointEmulationMantissaControl(
             handle, CUDA_EMULATION_MANTISSA_CONTROL_FIXED) == 0 &&
             cublasGetFixedPointEmulationMantissaControl(handle, &control) == 0 &&
             control == CUDA_EMULATION_MANTISSA_CONTROL_FIXED &&
             cublasSetFixedPointEmulationMaxMantissaBitCount(handle, 55) == 0 &&
             cublasGetFixedPointEmulationMaxMantissaBitCount(handle, &bits) == 0 && bits == 55,
         "mantissas");
  expect(cublasSetEmulationStrategy(handle, cublasEmulationStrategy_t(77)) ==
             CUBLAS_STATUS_INVALID_VALUE,
         "no such strategy");
}

int main() {
  expect(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "create");
  rotations();
#define STRIDED(name)                                                                              \
  [](auto... all) { return cublas##name##gemvStridedBatched(handle, all...); }, #name
  vectors<__half, __half>(STRIDED(HSH));
  vectors<__half, float>(STRIDED(HSS));
  vectors<__nv_bfloat16, __nv_bfloat16>(STRIDED(TST));
  vectors<__nv_bfloat16, float>(STRIDED(TSS));
  groups();
  updates();
  sumsOfData();
  emulation();
  cublasDestroy(handle);
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
