// cuBLAS without handles (cublas.h): options are letters, scalars are values,
// results are returned, errors are told by cublasGetError.
#include <cmath>
#include <cstdio>
#include <cublas.h>
#include <thread>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what) {
  if (!right && ++failures <= 20)
    std::printf("wrong: %s\n", what);
}

static void products() {
  const int n = 40;
  std::vector<double> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i)
    a[i] = std::sin(i), b[i] = std::cos(3 * i);
  double *da, *db, *dc;
  expect(cublasAlloc(n * n, sizeof(double), (void **)&da) == 0, "alloc");
  expect(cublasAlloc(n * n, sizeof(double), (void **)&db) == 0, "alloc");
  expect(cublasAlloc(n * n, sizeof(double), (void **)&dc) == 0, "alloc");
  expect(cublasSetMatrix(n, n, sizeof(double), a.data(), n, da, n) == 0, "set");
  expect(cublasSetVector(n * n, sizeof(double), b.data(), 1, db, 1) == 0, "set");
  cublasDgemm('n', 'T', n, n, n, 2.0, da, n, db, n, 0.0, dc, n);
  expect(cublasGetError() == CUBLAS_STATUS_SUCCESS, "no error");
  expect(cublasGetMatrix(n, n, sizeof(double), dc, n, c.data(), n) == 0, "get");
  double worst = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += 2 * a[k * n + i] * b[k * n + j];
      worst = std::fmax(worst, std::fabs(sum - c[j * n + i]));
    }
  expect(worst < 1e-12, "gemm");
  double dot = 0;
  for (int i = 0; i < n; ++i)
    dot += a[i] * b[i * n];
  expect(std::fabs(cublasDdot(n, da, 1, db, n) - dot) < 1e-12, "dot");
  expect(cublasIdamax(1, da, 1) == 1, "amax");
  const cuDoubleComplex z =
      cublasZdotc(2, (cuDoubleComplex *)da, 1, (cuDoubleComplex *)db, 1);
  expect(std::fabs(z.x - (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])) < 1e-14 &&
             std::fabs(z.y - (a[0] * b[1] - a[1] * b[0] + a[2] * b[3] - a[3] * b[2])) < 1e-14,
         "zdotc");
  double x = 3, y = 4, cosine, sine;
  cublasDrotg(&x, &y, &cosine, &sine);
  expect(std::fabs(x - 5) < 1e-14 && std::fabs(cosine - 0.6) < 1e-14, "rotg");
  cublasDgemm('n', 'x', n, n, n, 2.0, da, n, db, n, 0.0, dc, n);
  expect(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "error");
  expect(cublasGetError() == CUBLAS_STATUS_SUCCESS, "told once");
  expect(cublasFree(da) == 0 && cublasFree(db) == 0 && cublasFree(dc) == 0, "free");
}

int main() {
  int version = 0;
  expect(cublasInit() == CUBLAS_STATUS_SUCCESS, "init");
  expect(cublasGetVersion(&version) == 0 && version >= 100000, "version");
  products();
  // Each thread has a handle of its own.
  std::thread first(products), second(products);
  first.join(), second.join();
  expect(cublasShutdown() == CUBLAS_STATUS_SUCCESS, "shutdown");
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
