// cusolverSp: systems by QR, LU and Cholesky, an eigenvalue by inverse
// iteration, orders and permutations; batches; pivots that are none, and statuses.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cuComplex.h>
#include <cusolverSp.h>
#include <string>
#include <vector>

static int wrong = 0;
static void expect(bool right, const char *what) {
  if (!right) {
    printf("wrong: %s\n", what);
    ++wrong;
  }
}

static std::complex<double> wide(float x) { return x; }
static std::complex<double> wide(double x) { return x; }
static std::complex<double> wide(cuComplex x) { return {x.x, x.y}; }
static std::complex<double> wide(cuDoubleComplex x) { return {x.x, x.y}; }
static void set(float &x, double re, double) { x = float(re); }
static void set(double &x, double re, double) { x = re; }
static void set(cuComplex &x, double re, double im) {
  x = make_cuComplex(float(re), float(im));
}
static void set(cuDoubleComplex &x, double re, double im) {
  x = make_cuDoubleComplex(re, im);
}

template <typename T> struct Matrix {
  int n, base;
  std::vector<int> starts, columns;
  std::vector<T> values;
};

/// Five points on a square of side points; hermitian and definite, or with a
/// wind that makes it neither.
template <typename T> Matrix<T> grid(int side, int base, double wind) {
  Matrix<T> a{side * side, base, {base}, {}, {}};
  auto put = [&](int column, double re, double im) {
    a.columns.push_back(column + base);
    T value;
    set(value, re, im);
    a.values.push_back(value);
  };
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int i = y * side + x;
      if (y > 0)
        put(i - side, -1 - wind, 0.25);
      if (x > 0)
        put(i - 1, -1 + wind, 0.125);
      put(i, 4.5, 0);
      if (x + 1 < side)
        put(i + 1, -1 - wind, -0.125);
      if (y + 1 < side)
        put(i + side, -1 + wind, -0.25);
      a.starts.push_back(int(a.values.size()) + base);
    }
  return a;
}

template <typename T>
double residual(const Matrix<T> &a, const std::vector<T> &x,
                const std::vector<T> &b) {
  double largest = 0;
  for (int i = 0; i < a.n; ++i) {
    std::complex<double> sum = -wide(b[i]);
    for (int k = a.starts[i] - a.base; k < a.starts[i + 1] - a.base; ++k)
      sum += wide(a.values[k]) * wide(x[a.columns[k] - a.base]);
    largest = std::max(largest, std::abs(sum));
  }
  return largest;
}

template <typename T> T *onDevice(const std::vector<T> &host) {
  T *device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  return device;
}

static cusparseMatDescr_t descriptor(int base) {
  cusparseMatDescr_t made;
  cusparseCreateMatDescr(&made);
  cusparseSetMatIndexBase(made, base ? CUSPARSE_INDEX_BASE_ONE
                                     : CUSPARSE_INDEX_BASE_ZERO);
  return made;
}

template <typename T, typename R, typename Host, typename Device>
void solves(cusolverSpHandle_t handle, const Matrix<T> &a, R tolerance,
            double bound, Host host, Device device, const char *what) {
  const int nnz = int(a.values.size());
  cusparseMatDescr_t d = descriptor(a.base);
  std::vector<T> b(a.n), x(a.n);
  for (int i = 0; i < a.n; ++i)
    set(b[i], 1 + i % 7, i % 5 - 2);
  for (int reorder = 0; reorder < 4; ++reorder) {
    int singularity = 7;
    std::fill(x.begin(), x.end(), T());
    expect(host(handle, a.n, nnz, d, a.values.data(), a.starts.data(),
                a.columns.data(), b.data(), tolerance, reorder, x.data(),
                &singularity) == CUSOLVER_STATUS_SUCCESS &&
               singularity == -1 && residual(a, x, b) < bound,
           what);
  }
  T *values = onDevice(a.values), *right = onDevice(b), *solution = onDevice(x);
  int *starts = onDevice(a.starts), *columns = onDevice(a.columns);
  cudaMemset(solution, 0, x.size() * sizeof(T));
  int singularity = 7;
  expect(device(handle, a.n, nnz, d, values, starts, columns, right, tolerance,
                1, solution, &singularity) == CUSOLVER_STATUS_SUCCESS &&
             singularity == -1,
         what);
  cudaMemcpy(x.data(), solution, x.size() * sizeof(T), cudaMemcpyDeviceToHost);
  expect(residual(a, x, b) < bound, what);
  for (void *each : {(void *)values, (void *)right, (void *)solution,
                     (void *)starts, (void *)columns})
    cudaFree(each);
  cusparseDestroyMatDescr(d);
}

static bool isPermutation(std::vector<int> p) {
  std::sort(p.begin(), p.end());
  for (size_t i = 0; i < p.size(); ++i)
    if (p[i] != int(i))
      return false;
  return true;
}

static void patterns(cusolverSpHandle_t handle) {
  Matrix<double> a = grid<double>(9, 1, 0.3);
  const int nnz = int(a.values.size());
  cusparseMatDescr_t d = descriptor(1);
  int symmetric = 7;
  expect(!cusolverSpXcsrissymHost(handle, a.n, nnz, d, a.starts.data(),
                                  a.starts.data() + 1, a.columns.data(),
                                  &symmetric) &&
             symmetric == 1,
         "issym");
  std::vector<int> p(a.n), q(a.n);
  expect(!cusolverSpXcsrsymmdqHost(handle, a.n, nnz, d, a.starts.data(),
                                   a.columns.data(), p.data()) &&
             isPermutation(p),
         "symmdq");
  expect(!cusolverSpXcsrsymamdHost(handle, a.n, nnz, d, a.starts.data(),
                                   a.columns.data(), p.data()) &&
             isPermutation(p),
         "symamd");
  expect(!cusolverSpXcsrmetisndHost(handle, a.n, nnz, d, a.starts.data(),
                                    a.columns.data(), nullptr, p.data()) &&
             isPermutation(p),
         "metisnd");
  // A matrix whose rows are mixed has its band again.
  std::vector<int> map(nnz);
  for (int i = 0; i < nnz; ++i)
    map[i] = i;
  for (int i = 0; i < a.n; ++i)
    p[i] = i * 37 % a.n;
  Matrix<double> b = a;
  size_t bytes = 0;
  expect(!cusolverSpXcsrperm_bufferSizeHost(handle, a.n, a.n, nnz, d,
                                            b.starts.data(), b.columns.data(),
                                            p.data(), p.data(), &bytes),
         "perm_bufferSize");
  std::vector<char> buffer(bytes + 1);
  expect(!cusolverSpXcsrpermHost(handle, a.n, a.n, nnz, d, b.starts.data(),
                                 b.columns.data(), p.data(), p.data(),
                                 map.data(), buffer.data()),
         "perm");
  for (int k = 0; k < nnz; ++k)
    b.values[k] = a.values[map[k]];
  auto element = [](const Matrix<double> &m, int i, int j) {
    for (int k = m.starts[i] - 1; k < m.starts[i + 1] - 1; ++k)
      if (m.columns[k] - 1 == j)
        return m.values[k];
    return 0.0;
  };
  bool same = true;
  for (int i = 0; i < a.n; ++i)
    for (int j = 0; j < a.n; ++j)
      same &= element(b, i, j) == element(a, p[i], p[j]);
  expect(same, "perm's elements");
  expect(!cusolverSpXcsrsymrcmHost(handle, a.n, nnz, d, b.starts.data(),
                                   b.columns.data(), q.data()) &&
             isPermutation(q),
         "symrcm");
  std::vector<int> place(a.n);
  for (int i = 0; i < a.n; ++i)
    place[q[i]] = i;
  int band = 0;
  for (int i = 0; i < a.n; ++i)
    for (int k = b.starts[i] - 1; k < b.starts[i + 1] - 1; ++k)
      band = std::max(band, std::abs(place[i] - place[b.columns[k] - 1]));
  expect(band <= 2 * 9, "symrcm's band");
  expect(cusolverSpXcsrsymrcmHost(handle, -1, nnz, d, b.starts.data(),
                                  b.columns.data(),
                                  q.data()) == CUSOLVER_STATUS_INVALID_VALUE,
         "a negative size");
  cusparseDestroyMatDescr(d);
}

static void pivots(cusolverSpHandle_t handle) {
  // The third column is the sum of the others.
  const int starts[] = {0, 3, 6, 9}, columns[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
  const double values[] = {2, 1, 3, 1, 3, 4, 0, 1, 1}, b[] = {1, 2, 3};
  const double indefinite[] = {2, 1, 0, 1, -3, 0, 0, 0, 1};
  double x[3];
  cusparseMatDescr_t d = descriptor(0);
  int pivot = 7;
  expect(!cusolverSpDcsrlsvqrHost(handle, 3, 9, d, values, starts, columns, b,
                                  1e-12, 0, x, &pivot) &&
             pivot == 2,
         "singular qr");
  expect(!cusolverSpDcsrlsvluHost(handle, 3, 9, d, values, starts, columns, b,
                                  1e-12, 0, x, &pivot) &&
             pivot == 2,
         "singular lu");
  expect(!cusolverSpDcsrlsvcholHost(handle, 3, 9, d, indefinite, starts,
                                    columns, b, 1e-12, 0, x, &pivot) &&
             pivot == 1,
         "indefinite");
  cusparseSetMatType(d, CUSPARSE_MATRIX_TYPE_SYMMETRIC);
  expect(cusolverSpDcsrlsvqrHost(handle, 3, 9, d, values, starts, columns, b,
                                 1e-12, 0, x, &pivot) ==
             CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
         "a symmetric type");
  cusparseDestroyMatDescr(d);
}

static void eigenvalue(cusolverSpHandle_t handle) {
  // Those of the grid without wind: sums of 2 - 2 cos(k pi / 10), and 0.5.
  const Matrix<double> a = grid<double>(9, 0, 0);
  const int nnz = int(a.values.size());
  cusparseMatDescr_t d = descriptor(0);
  std::vector<double> x0(a.n, 1), x(a.n);
  double mu = 0;
  const double least = 0.5 + 2 * (2 - 2 * std::cos(std::acos(-1.0) / 10));
  expect(!cusolverSpDcsreigvsiHost(handle, a.n, nnz, d, a.values.data(),
                                   a.starts.data(), a.columns.data(), 0.6,
                                   x0.data(), 50, 1e-10, &mu, x.data()) &&
             std::abs(mu - least) < 1e-9,
         "eigenvalue");
  std::vector<double> right(a.n);
  for (int i = 0; i < a.n; ++i)
    right[i] = mu * x[i];
  expect(residual(a, x, right) < 1e-9, "eigenvector");
  cusparseDestroyMatDescr(d);
}

// Systems of one pattern, one of them singular.
static void batches(cusolverSpHandle_t handle) {
  const Matrix<double> a = grid<double>(6, 1, 0.4);
  const int n = a.n, nonzeros = int(a.values.size()), count = 3;
  int *starts, *columns;
  double *values, *b, *x;
  cudaMallocManaged(&starts, a.starts.size() * sizeof(int));
  cudaMallocManaged(&columns, a.columns.size() * sizeof(int));
  cudaMallocManaged(&values, count * nonzeros * sizeof(double));
  cudaMallocManaged(&b, count * n * sizeof(double));
  cudaMallocManaged(&x, count * n * sizeof(double));
  std::copy(a.starts.begin(), a.starts.end(), starts);
  std::copy(a.columns.begin(), a.columns.end(), columns);
  for (int k = 0; k < count * nonzeros; ++k)
    values[k] = k < 2 * nonzeros ? (1 + k / nonzeros) * a.values[size_t(k % nonzeros)] : 0;
  for (int i = 0; i < count * n; ++i)
    b[i] = 1 + i % 7;
  cusparseMatDescr_t descriptor;
  cusparseCreateMatDescr(&descriptor);
  cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ONE);
  csrqrInfo_t info;
  size_t internal = 0, bytes = 0;
  expect(!cusolverSpCreateCsrqrInfo(&info), "information of a batch");
  expect(cusolverSpDcsrqrsvBatched(handle, n, n, nonzeros, descriptor, values, starts, columns, b,
                                   x, count, info, nullptr) == CUSOLVER_STATUS_INVALID_VALUE,
         "a batch without analysis");
  expect(!cusolverSpXcsrqrAnalysisBatched(handle, n, n, nonzeros, descriptor, starts, columns,
                                          info) &&
             !cusolverSpDcsrqrBufferInfoBatched(handle, n, n, nonzeros, descriptor, values, starts,
                                                columns, count, info, &internal, &bytes),
         "analysis of a batch");
  void *buffer;
  cudaMalloc(&buffer, bytes);
  expect(!cusolverSpDcsrqrsvBatched(handle, n, n, nonzeros, descriptor, values, starts, columns, b,
                                    x, count, info, buffer),
         "a batch");
  cudaDeviceSynchronize();
  for (int each = 0; each < 2; ++each) {
    Matrix<double> matrix = a;
    matrix.values.assign(values + each * nonzeros, values + (each + 1) * nonzeros);
    expect(residual(matrix, std::vector<double>(x + each * n, x + (each + 1) * n),
                    std::vector<double>(b + each * n, b + (each + 1) * n)) < 1e-11,
           "solutions of a batch");
  }
  expect(!std::isfinite(x[2 * n]), "a singular system of a batch");
  expect(!cusolverSpDestroyCsrqrInfo(info), "end of the information");
  cusparseDestroyMatDescr(descriptor);
  for (void *each : {(void *)starts, (void *)columns, (void *)values, (void *)b, (void *)x, buffer})
    cudaFree(each);
}

int main() {
  cusolverSpHandle_t handle;
  cusolverSpCreate(&handle);
  cudaStream_t stream, again;
  cudaStreamCreate(&stream);
  expect(!cusolverSpSetStream(handle, stream) &&
             !cusolverSpGetStream(handle, &again) && again == stream,
         "stream");
  batches(handle);
  for (int base = 0; base < 2; ++base) {
    solves(handle, grid<float>(8, base, 0.4), 1e-6f, 1e-4,
           cusolverSpScsrlsvqrHost, cusolverSpScsrlsvqr, "S qr");
    solves(handle, grid<double>(20, base, 0.4), 1e-12, 1e-11,
           cusolverSpDcsrlsvqrHost, cusolverSpDcsrlsvqr, "D qr");
    solves(handle, grid<cuComplex>(8, base, 0.4), 1e-6f, 1e-4,
           cusolverSpCcsrlsvqrHost, cusolverSpCcsrlsvqr, "C qr");
    solves(handle, grid<cuDoubleComplex>(8, base, 0.4), 1e-12, 1e-11,
           cusolverSpZcsrlsvqrHost, cusolverSpZcsrlsvqr, "Z qr");
    solves(handle, grid<double>(8, base, 0.4), 1e-12, 1e-11,
           cusolverSpDcsrlsvluHost, cusolverSpDcsrlsvqr, "D lu");
    solves(handle, grid<float>(8, base, 0), 1e-6f, 1e-4,
           cusolverSpScsrlsvcholHost, cusolverSpScsrlsvchol, "S chol");
    solves(handle, grid<double>(30, base, 0), 1e-12, 1e-11,
           cusolverSpDcsrlsvcholHost, cusolverSpDcsrlsvchol, "D chol");
    solves(handle, grid<cuDoubleComplex>(8, base, 0), 1e-12, 1e-11,
           cusolverSpZcsrlsvcholHost, cusolverSpZcsrlsvchol, "Z chol");
  }
  patterns(handle);
  pivots(handle);
  eigenvalue(handle);
  expect(!cusolverSpDestroy(handle), "destroy");
  // NVIDIA's library reads the handle's memory, which is gone.
  const char *device = std::getenv("CUFORT_DEVICE");
  if (device && std::string(device) == "cpu")
    expect(cusolverSpDestroy(handle) == CUSOLVER_STATUS_NOT_INITIALIZED,
           "destroyed");
  if (wrong)
    return 1;
  printf("PASSED\n");
}
