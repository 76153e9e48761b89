// cuSOLVER's dense routines in four types: residuals of factorisations, solutions,
// eigenvalues and singular values, whole and in part, single and batched, of typed
// and of 64-bit routines; singular and indefinite matrices; statuses.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what, const char *type = "") {
  if (!right && ++failures <= 30)
    std::printf("wrong: %s %s\n", what, type);
}

static unsigned state = 7;
static double noise() {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / double(1 << 24) - 0.5;
}

template <typename T> struct Type;
#define TYPE(T, C, RealType, letter, syLetters, orLetters, kind)               \
  template <> struct Type<T> {                                                 \
    using Device = C;                                                          \
    using Real = RealType;                                                     \
    static constexpr const char *name = #letter;                               \
    static constexpr cudaDataType data = kind;                                 \
    static constexpr auto potrfSize = cusolverDn##letter##potrf_bufferSize;    \
    static constexpr auto potrf = cusolverDn##letter##potrf;                   \
    static constexpr auto potrs = cusolverDn##letter##potrs;                   \
    static constexpr auto potri = cusolverDn##letter##potri;                   \
    static constexpr auto potriSize = cusolverDn##letter##potri_bufferSize;    \
    static constexpr auto potrfBatched = cusolverDn##letter##potrfBatched;     \
    static constexpr auto potrsBatched = cusolverDn##letter##potrsBatched;     \
    static constexpr auto getrfSize = cusolverDn##letter##getrf_bufferSize;    \
    static constexpr auto getrf = cusolverDn##letter##getrf;                   \
    static constexpr auto getrs = cusolverDn##letter##getrs;                   \
    static constexpr auto geqrfSize = cusolverDn##letter##geqrf_bufferSize;    \
    static constexpr auto geqrf = cusolverDn##letter##geqrf;                   \
    static constexpr auto orgqrSize =                                          \
        cusolverDn##letter##orLetters##gqr_bufferSize;                         \
    static constexpr auto orgqr = cusolverDn##letter##orLetters##gqr;          \
    static constexpr auto syevdSize =                                          \
        cusolverDn##letter##syLetters##evd_bufferSize;                         \
    static constexpr auto syevd = cusolverDn##letter##syLetters##evd;          \
    static constexpr auto syevdxSize =                                         \
        cusolverDn##letter##syLetters##evdx_bufferSize;                        \
    static constexpr auto syevdx = cusolverDn##letter##syLetters##evdx;        \
    static constexpr auto sygvdSize =                                          \
        cusolverDn##letter##syLetters##gvd_bufferSize;                         \
    static constexpr auto sygvd = cusolverDn##letter##syLetters##gvd;          \
    static constexpr auto sygvdxSize =                                         \
        cusolverDn##letter##syLetters##gvdx_bufferSize;                        \
    static constexpr auto sygvdx = cusolverDn##letter##syLetters##gvdx;        \
    static constexpr auto gesvdSize = cusolverDn##letter##gesvd_bufferSize;    \
    static constexpr auto gesvd = cusolverDn##letter##gesvd;                   \
    static constexpr auto gesvdjSize = cusolverDn##letter##gesvdj_bufferSize;  \
    static constexpr auto gesvdj = cusolverDn##letter##gesvdj;                 \
  };
TYPE(float, float, float, S, sy, or, CUDA_R_32F)
TYPE(double, double, double, D, sy, or, CUDA_R_64F)
TYPE(std::complex<float>, cuComplex, float, C, he, un, CUDA_C_32F)
TYPE(std::complex<double>, cuDoubleComplex, double, Z, he, un, CUDA_C_64F)

static float conjugate(float x) { return x; }
static double conjugate(double x) { return x; }
template <typename R> static std::complex<R> conjugate(std::complex<R> x) {
  return std::conj(x);
}
template <typename T> static T number() {
  if constexpr (sizeof(T) > sizeof(typename Type<T>::Real))
    return T(noise(), noise());
  else
    return T(noise());
}

template <typename T> struct Matrix {
  int rows, columns;
  std::vector<T> x;
  Matrix(int rows, int columns)
      : rows(rows), columns(columns), x(size_t(rows) * columns) {}
  T &operator()(int i, int j) { return x[size_t(j) * rows + i]; }
  T operator()(int i, int j) const { return x[size_t(j) * rows + i]; }
};
template <typename T> static Matrix<T> general(int m, int n) {
  Matrix<T> a(m, n);
  for (T &each : a.x)
    each = number<T>();
  return a;
}
template <typename T>
static Matrix<T> product(const Matrix<T> &a, const Matrix<T> &b,
                         bool adjoint = false) {
  int n = adjoint ? b.rows : b.columns;
  Matrix<T> c(a.rows, n);
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < a.columns; ++k) {
      T factor = adjoint ? conjugate(b(j, k)) : b(k, j);
      for (int i = 0; i < a.rows; ++i)
        c(i, j) += a(i, k) * factor;
    }
  return c;
}
template <typename T> static Matrix<T> definite(int n) {
  Matrix<T> g = general<T>(n, n), a = product(g, g, true);
  for (int i = 0; i < n; ++i)
    a(i, i) += T(1);
  return a;
}
template <typename T> static Matrix<T> hermitian(int n) {
  Matrix<T> a = general<T>(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      T mean = (a(i, j) + conjugate(a(j, i))) * T(0.5);
      a(i, j) = mean;
      a(j, i) = conjugate(mean);
    }
  return a;
}
template <typename T>
static bool near(const Matrix<T> &a, const Matrix<T> &b, double factor = 1) {
  double worst = 0, size = 1;
  for (size_t i = 0; i < a.x.size(); ++i) {
    worst = std::max(worst, double(std::abs(a.x[i] - b.x[i])));
    size = std::max(size, double(std::abs(b.x[i])));
  }
  double epsilon = sizeof(typename Type<T>::Real) == 4 ? 1e-5 : 1e-13;
  return worst < factor * epsilon * size * a.rows;
}

template <typename T> struct Device {
  using D = typename Type<T>::Device;
  D *p = nullptr;
  size_t count;
  explicit Device(size_t count) : count(count) {
    cudaMalloc(&p, std::max<size_t>(count, 1) * sizeof(T));
  }
  explicit Device(const Matrix<T> &a) : Device(a.x.size()) {
    cudaMemcpy(p, a.x.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(p); }
  Matrix<T> get(int rows, int columns) const {
    Matrix<T> a(rows, columns);
    cudaMemcpy(a.x.data(), p, a.x.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return a;
  }
};
static int *info;
static int informed() {
  int value = -99;
  cudaMemcpy(&value, info, sizeof(int), cudaMemcpyDeviceToHost);
  return value;
}

static cusolverDnHandle_t handle;

template <typename T> static void linear() {
  using P = Type<T>;
  const char *type = P::name;
  const int n = 70, nrhs = 3;
  for (cublasFillMode_t uplo :
       {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    Matrix<T> a = definite<T>(n), x = general<T>(n, nrhs);
    Device<T> da(a), db(product(a, x));
    int lwork = -1;
    expect(P::potrfSize(handle, uplo, n, da.p, n, &lwork) == 0 && lwork > 0,
           "potrf size", type);
    Device<T> work(lwork);
    expect(P::potrf(handle, uplo, n, da.p, n, work.p, lwork, info) == 0 &&
               informed() == 0,
           "potrf", type);
    expect(P::potrs(handle, uplo, n, nrhs, da.p, n, db.p, n, info) == 0,
           "potrs", type);
    expect(near(db.get(n, nrhs), x, 10), "potrs result", type);
    P::potriSize(handle, uplo, n, da.p, n, &lwork);
    Device<T> work2(lwork);
    expect(P::potri(handle, uplo, n, da.p, n, work2.p, lwork, info) == 0 &&
               informed() == 0,
           "potri", type);
    Matrix<T> inverse = da.get(n, n), unit(n, n);
    for (int j = 0; j < n; ++j) {
      unit(j, j) = T(1);
      for (int i = 0; i < n; ++i)
        if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
          inverse(i, j) = conjugate(inverse(j, i));
    }
    expect(near(product(a, inverse), unit, 10), "potri result", type);
    a(20, 20) = T(-5);
    Device<T> bad(a);
    expect(P::potrf(handle, uplo, n, bad.p, n, work.p, lwork, info) == 0 &&
               informed() == 21,
           "potrf of an indefinite matrix", type);
  }
  Matrix<T> a = general<T>(n, n), x = general<T>(n, nrhs);
  for (int i = 0; i < n; ++i)
    a(i, i) += T(10); // for the factors without pivots
  for (bool pivoted : {true, false}) {
    Device<T> da(a), db(product(a, x));
    int lwork;
    int *pivots;
    cudaMalloc(&pivots, n * sizeof(int));
    expect(P::getrfSize(handle, n, n, da.p, n, &lwork) == 0 && lwork > 0,
           "getrf size", type);
    Device<T> work(lwork);
    expect(P::getrf(handle, n, n, da.p, n, work.p, pivoted ? pivots : nullptr,
                    info) == 0 &&
               informed() == 0,
           "getrf", type);
    expect(P::getrs(handle, CUBLAS_OP_N, n, nrhs, da.p, n,
                    pivoted ? pivots : nullptr, db.p, n, info) == 0,
           "getrs", type);
    expect(near(db.get(n, nrhs), x, 10), "getrs result", type);
    Matrix<T> adjoint(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        adjoint(i, j) = conjugate(a(j, i));
    Device<T> dc(product(adjoint, x));
    expect(P::getrs(handle, CUBLAS_OP_C, n, nrhs, da.p, n,
                    pivoted ? pivots : nullptr, dc.p, n, info) == 0,
           "getrs adjoint", type);
    expect(near(dc.get(n, nrhs), x, 10), "getrs adjoint result", type);
    cudaFree(pivots);
  }
  // QR of a tall matrix.
  const int m = 90;
  Matrix<T> tall = general<T>(m, n);
  Device<T> dq(tall), tau(n);
  int lwork, lwork2;
  P::geqrfSize(handle, m, n, dq.p, m, &lwork);
  P::orgqrSize(handle, m, n, n, dq.p, m, tau.p, &lwork2);
  Device<T> work(std::max(lwork, lwork2));
  expect(P::geqrf(handle, m, n, dq.p, m, tau.p, work.p, lwork, info) == 0,
         "geqrf", type);
  Matrix<T> r = dq.get(n, n), factored = dq.get(m, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      r(i, j) = i <= j ? factored(i, j) : T(0);
  expect(P::orgqr(handle, m, n, n, dq.p, m, tau.p, work.p, lwork2, info) == 0,
         "orgqr", type);
  expect(near(product(dq.get(m, n), r), tall, 5), "QR", type);
  // Batched.
  const int count = 5, small = 9;
  Matrix<T> b[count] = {definite<T>(small), definite<T>(small),
                        definite<T>(small), definite<T>(small),
                        definite<T>(small)};
  Matrix<T> y = general<T>(small, 1);
  std::vector<Device<T> *> matrices, sides;
  std::vector<typename P::Device *> ap, bp;
  for (int i = 0; i < count; ++i) {
    matrices.push_back(new Device<T>(b[i]));
    sides.push_back(new Device<T>(product(b[i], y)));
    ap.push_back(matrices[i]->p);
    bp.push_back(sides[i]->p);
  }
  typename P::Device **dap, **dbp;
  int *infos;
  cudaMalloc(&dap, count * sizeof(*dap));
  cudaMalloc(&dbp, count * sizeof(*dbp));
  cudaMalloc(&infos, count * sizeof(int));
  cudaMemcpy(dap, ap.data(), count * sizeof(*dap), cudaMemcpyHostToDevice);
  cudaMemcpy(dbp, bp.data(), count * sizeof(*dbp), cudaMemcpyHostToDevice);
  expect(P::potrfBatched(handle, CUBLAS_FILL_MODE_LOWER, small, dap, small,
                         infos, count) == 0,
         "potrfBatched", type);
  expect(P::potrsBatched(handle, CUBLAS_FILL_MODE_LOWER, small, 1, dap, small,
                         dbp, small, info, count) == 0,
         "potrsBatched", type);
  for (int i = 0; i < count; ++i) {
    expect(near(sides[i]->get(small, 1), y, 10), "batched result", type);
    delete matrices[i];
    delete sides[i];
  }
  cudaFree(dap);
  cudaFree(dbp);
  cudaFree(infos);
}

template <typename T> static void eigen() {
  using P = Type<T>;
  using R = typename P::Real;
  const char *type = P::name;
  const int n = 66;
  Matrix<T> a = hermitian<T>(n), b = definite<T>(n);
  auto residual = [&](const Matrix<T> &v, const std::vector<R> &w, int count,
                      bool generalised) {
    Matrix<T> part(n, count), scaled(n, count);
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < n; ++i) {
        part(i, j) = v(i, j);
        scaled(i, j) = v(i, j) * w[j];
      }
    return near(product(a, part), generalised ? product(b, scaled) : scaled,
                20);
  };
  R *dw;
  cudaMalloc(&dw, n * sizeof(R));
  std::vector<R> w(n), all(n);
  auto values = [&](int count) {
    std::fill(w.begin(), w.end(), R(0));
    cudaMemcpy(w.data(), dw, count * sizeof(R), cudaMemcpyDeviceToHost);
    return std::is_sorted(w.begin(), w.begin() + count);
  };
  const auto vectors = CUSOLVER_EIG_MODE_VECTOR;
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  int lwork, count;
  {
    Device<T> da(a);
    expect(P::syevdSize(handle, vectors, lower, n, da.p, n, dw, &lwork) == 0,
           "syevd size", type);
    Device<T> work(lwork);
    expect(P::syevd(handle, vectors, lower, n, da.p, n, dw, work.p, lwork,
                    info) == 0 &&
               informed() == 0,
           "syevd", type);
    expect(values(n) && residual(da.get(n, n), w, n, false), "syevd result",
           type);
    all = w;
  }
  {
    Device<T> da(a);
    P::syevdxSize(handle, vectors, CUSOLVER_EIG_RANGE_I, lower, n, da.p, n, 0,
                  0, 3, 12, &count, dw, &lwork);
    Device<T> work(lwork);
    expect(P::syevdx(handle, vectors, CUSOLVER_EIG_RANGE_I, lower, n, da.p, n,
                     0, 0, 3, 12, &count, dw, work.p, lwork, info) == 0 &&
               count == 10,
           "syevdx", type);
    expect(values(10) && residual(da.get(n, n), w, 10, false) &&
               std::abs(w[0] - all[2]) < 1e-4,
           "syevdx result", type);
  }
  for (bool part : {false, true}) {
    Device<T> da(a), db(b);
    if (part) {
      P::sygvdxSize(handle, CUSOLVER_EIG_TYPE_1, vectors, CUSOLVER_EIG_RANGE_I,
                    lower, n, da.p, n, db.p, n, 0, 0, 1, 9, &count, dw, &lwork);
      Device<T> work(lwork);
      expect(P::sygvdx(handle, CUSOLVER_EIG_TYPE_1, vectors,
                       CUSOLVER_EIG_RANGE_I, lower, n, da.p, n, db.p, n, 0, 0,
                       1, 9, &count, dw, work.p, lwork, info) == 0 &&
                 count == 9,
             "sygvdx", type);
    } else {
      count = n;
      P::sygvdSize(handle, CUSOLVER_EIG_TYPE_1, vectors, lower, n, da.p, n,
                   db.p, n, dw, &lwork);
      Device<T> work(lwork);
      expect(P::sygvd(handle, CUSOLVER_EIG_TYPE_1, vectors, lower, n, da.p, n,
                      db.p, n, dw, work.p, lwork, info) == 0,
             "sygvd", type);
    }
    expect(values(count) && residual(da.get(n, n), w, count, true),
           "generalised result", type);
  }
  cudaFree(dw);
}

template <typename T> static void singular() {
  using P = Type<T>;
  using R = typename P::Real;
  const char *type = P::name;
  const int m = 50, n = 34;
  Matrix<T> a = general<T>(m, n);
  R *ds;
  cudaMalloc(&ds, n * sizeof(R));
  std::vector<R> s(n), first;
  auto right = [&](const Matrix<T> &u, const Matrix<T> &v, bool transposed) {
    cudaMemcpy(s.data(), ds, n * sizeof(R), cudaMemcpyDeviceToHost);
    Matrix<T> us(m, n), vs(n, n);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i)
        us(i, j) = u(i, j) * s[j];
      for (int i = 0; i < n; ++i)
        vs(i, j) = transposed ? conjugate(v(j, i)) : v(i, j);
    }
    return near(product(us, vs, true), a, 5);
  };
  Device<T> da(a), du(m * m), dv(n * n), again(a);
  int lwork;
  expect(P::gesvdSize(handle, m, n, &lwork) == 0, "gesvd size", type);
  {
    Device<T> work(lwork);
    expect(P::gesvd(handle, 'A', 'A', m, n, da.p, m, ds, du.p, m, dv.p, n,
                    work.p, lwork, nullptr, info) == 0 &&
               informed() == 0,
           "gesvd", type);
    expect(right(du.get(m, m), dv.get(n, n), true), "gesvd result", type);
    expect(P::gesvd(handle, 'A', 'A', n, m, da.p, n, ds, du.p, n, dv.p, m,
                    work.p, lwork, nullptr, info) ==
               CUSOLVER_STATUS_INVALID_VALUE,
           "gesvd of a wide matrix", type);
    expect(P::gesvd(handle, 'A', 'N', m, n, da.p, m, ds, du.p, m - 1, dv.p, n,
                    work.p, lwork, nullptr, info) ==
               CUSOLVER_STATUS_INVALID_VALUE,
           "gesvd with few rows for vectors", type);
  }
  gesvdjInfo_t settings;
  expect(cusolverDnCreateGesvdjInfo(&settings) == 0, "info", type);
  expect(P::gesvdjSize(handle, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, again.p, m,
                       ds, du.p, m, dv.p, n, &lwork, settings) == 0,
         "gesvdj size", type);
  Device<T> work(lwork);
  expect(P::gesvdj(handle, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, again.p, m, ds,
                   du.p, m, dv.p, n, work.p, lwork, info, settings) == 0,
         "gesvdj", type);
  expect(right(du.get(m, n), dv.get(n, n), false), "gesvdj result", type);
  cusolverDnDestroyGesvdjInfo(settings);
  cudaFree(ds);
}

template <typename T> static void wide() {
  using P = Type<T>;
  const char *type = P::name;
  const int64_t n = 40;
  Matrix<T> a = general<T>(n, n), x = general<T>(n, 2);
  Device<T> da(a), db(product(a, x));
  int64_t *pivots;
  cudaMalloc(&pivots, n * sizeof(int64_t));
  size_t onDevice = 0, onHost = 0;
  expect(cusolverDnXgetrf_bufferSize(handle, nullptr, n, n, P::data, da.p, n,
                                     P::data, &onDevice, &onHost) == 0,
         "Xgetrf size", type);
  void *work;
  cudaMalloc(&work, onDevice);
  std::vector<char> host(onHost + 1);
  expect(cusolverDnXgetrf(handle, nullptr, n, n, P::data, da.p, n, pivots,
                          P::data, work, onDevice, host.data(), onHost,
                          info) == 0 &&
             informed() == 0,
         "Xgetrf", type);
  expect(cusolverDnXgetrs(handle, nullptr, CUBLAS_OP_N, n, 2, P::data, da.p, n,
                          pivots, P::data, db.p, n, info) == 0,
         "Xgetrs", type);
  expect(near(db.get(n, 2), x, 20), "Xgetrs result", type);
  cudaFree(work);
  cudaFree(pivots);
}

static void refined() {
  const Matrix<double> a = general<double>(40, 40), x = general<double>(40, 1);
  Device<double> da(a), db(product(a, x)), dx(40), work(1 << 17);
  cusolverDnIRSParams_t params;
  cusolverDnIRSInfos_t infos;
  cusolverDnIRSParamsCreate(&params), cusolverDnIRSInfosCreate(&infos);
  auto solve = [&, steps = 0]() mutable {
    const auto status =
        cusolverDnIRSXgesv(handle, params, infos, 40, 1, da.p, 40, db.p, 40,
                           dx.p, 40, work.p, 1 << 20, &steps, info);
    return status ? int(status) : std::min(steps, 0);
  };
  expect(solve() != 0, "no precision", "double");
  cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_32F);
  cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_CLASSICAL);
  expect(solve() == 0 && informed() == 0 &&
             near(dx.get(40, 1), x, 20) && near(da.get(40, 40), a),
         "IRSXgesv", "double");
  cusolverDnIRSParamsDestroy(params), cusolverDnIRSInfosDestroy(infos);
}

static void statuses() {
  int lwork;
  Device<double> d(16);
  expect(cusolverDnDgetrf_bufferSize(nullptr, 4, 4, d.p, 4, &lwork) ==
             CUSOLVER_STATUS_NOT_INITIALIZED,
         "no handle");
  expect(cusolverDnDgetrf_bufferSize(handle, 4, 4, d.p, 4, &lwork) == 0,
         "size");
  expect(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, -1, d.p, 4, d.p, 4,
                          info) == CUSOLVER_STATUS_INVALID_VALUE,
         "negative n");
  cusolverDnHandle_t other;
  expect(cusolverDnCreate(&other) == 0, "create");
  cudaStream_t stream, set = nullptr;
  cudaStreamCreate(&stream);
  expect(cusolverDnSetStream(other, stream) == 0 &&
             cusolverDnGetStream(other, &set) == 0 && set == stream,
         "stream");
  expect(cusolverDnDestroy(other) == 0, "destroy");
  cudaStreamDestroy(stream);
}

int main() {
  cudaMalloc(&info, sizeof(int));
  expect(cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS, "create");
  linear<float>(), linear<double>();
  linear<std::complex<float>>(), linear<std::complex<double>>();
  eigen<float>(), eigen<double>();
  eigen<std::complex<float>>(), eigen<std::complex<double>>();
  singular<float>(), singular<double>();
  singular<std::complex<float>>(), singular<std::complex<double>>();
  wide<float>(), wide<double>();
  wide<std::complex<float>>(), wide<std::complex<double>>();
  refined();
  statuses();
  cusolverDnDestroy(handle);
  cudaFree(info);
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
