// cuSPARSE's old interface: matrices of blocks, sums of matrices, counts and
// sorting, against dense loops; both bases and directions.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cusparse.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what) {
  if (!right && ++failures <= 30)
    std::printf("wrong: %s\n", what);
}
template <typename T> struct Array {
  T *p = nullptr;
  explicit Array(size_t n) { cudaMallocManaged(&p, std::max<size_t>(n, 1) * sizeof(T)); }
  ~Array() { cudaFree(p); }
  Array(const Array &) = delete;
  operator T *() { return p; }
};
static cusparseHandle_t handle;

/// A CSR matrix and the dense one that it stands for, by rows.
struct Csr {
  int m, n, base;
  Array<int> offsets, indices;
  Array<double> values;
  cusparseMatDescr_t descr = nullptr;
  Csr(int m, int n, int base, int nonzeros)
      : m(m), n(n), base(base), offsets(m + 1), indices(nonzeros), values(nonzeros) {
    cusparseCreateMatDescr(&descr);
    cusparseSetMatIndexBase(descr, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO);
  }
  ~Csr() { cusparseDestroyMatDescr(descr); }
  int count() { return offsets[m] - base; }
  std::vector<double> dense(int columns) {
    std::vector<double> a(size_t(m) * columns);
    for (int i = 0; i < m; ++i)
      for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
        a[i * columns + indices[k] - base] += values[k];
    return a;
  }
};
static void fill(Csr &a, int seed) {
  int k = 0;
  a.offsets[0] = a.base;
  for (int i = 0; i < a.m; ++i) {
    for (int j = 0; j < a.n; ++j)
      if ((i * 7 + j * 5 + seed) % 4 == 0) {
        a.indices[k] = j + a.base;
        a.values[k++] = 1 + (i * 3 + j * seed) % 11;
      }
    a.offsets[i + 1] = k + a.base;
  }
}

static void blocks(int baseA, int baseC, cusparseDirection_t direction) {
  const int m = 13, n = 11, size = 3, mb = 5, nb = 4;
  Csr a(m, n, baseA, m * n);
  fill(a, 3);
  cusparseMatDescr_t descr;
  cusparseCreateMatDescr(&descr);
  cusparseSetMatIndexBase(descr, baseC ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO);
  Array<int> rows(mb + 1);
  int total = -1;
  expect(cusparseXcsr2bsrNnz(handle, direction, m, n, a.descr, a.offsets, a.indices, size, descr,
                             rows, &total) == CUSPARSE_STATUS_SUCCESS,
         "csr2bsrNnz");
  expect(total > 0 && total <= mb * nb && rows[mb] - rows[0] == total && rows[0] == baseC,
         "number of blocks");
  Array<int> columns(total);
  Array<double> values(total * size * size);
  expect(cusparseDcsr2bsr(handle, direction, m, n, a.descr, a.values, a.offsets, a.indices, size,
                          descr, values, rows, columns) == CUSPARSE_STATUS_SUCCESS,
         "csr2bsr");
  cudaDeviceSynchronize();
  const std::vector<double> dense = a.dense(nb * size);
  bool right = true;
  double sum = 0;
  for (int r = 0; r < mb; ++r)
    for (int b = rows[r] - baseC; b < rows[r + 1] - baseC; ++b)
      for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
          const double x = values[b * size * size + (direction == CUSPARSE_DIRECTION_ROW
                                                         ? i * size + j
                                                         : j * size + i)];
          const int row = r * size + i, column = (columns[b] - baseC) * size + j;
          right = right && x == (row < m ? dense[row * nb * size + column] : 0);
          sum += x;
        }
  for (double x : dense)
    sum -= x;
  expect(right && sum == 0, "blocks");

  Csr back(mb * size, nb * size, baseA, total * size * size);
  expect(cusparseDbsr2csr(handle, direction, mb, nb, descr, values, rows, columns, size, back.descr,
                          back.values, back.offsets, back.indices) == CUSPARSE_STATUS_SUCCESS,
         "bsr2csr");
  cudaDeviceSynchronize();
  std::vector<double> again = back.dense(nb * size);
  expect(back.count() == total * size * size, "elements of the blocks");
  again.resize(dense.size());
  expect(again == dense, "there and back");

  Array<double> x(nb * size), y(mb * size);
  for (int j = 0; j < nb * size; ++j)
    x[j] = j % 5 - 1;
  for (int i = 0; i < mb * size; ++i)
    y[i] = i;
  const double alpha = 2, beta = -1;
  expect(cusparseDbsrmv(handle, direction, CUSPARSE_OPERATION_NON_TRANSPOSE, mb, nb, total, &alpha,
                        descr, values, rows, columns, size, x, &beta,
                        y) == CUSPARSE_STATUS_SUCCESS,
         "bsrmv");
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < m; ++i) {
    double s = 0;
    for (int j = 0; j < nb * size; ++j)
      s += dense[i * nb * size + j] * x[j];
    right = right && std::abs(y[i] - (2 * s - i)) < 1e-12 * (1 + std::abs(s));
  }
  expect(right, "bsrmv's result");
  expect(cusparseXcsr2bsrNnz(handle, direction, m, n, a.descr, a.offsets, a.indices, 0, descr, rows,
                             &total) == CUSPARSE_STATUS_INVALID_VALUE,
         "no block size");
  cusparseDestroyMatDescr(descr);
}

static void sums(int base) { // NVIDIA's library takes one base for all
  const int m = 9, n = 8;
  Csr a(m, n, base, m * n), b(m, n, base, m * n);
  fill(a, 1);
  fill(b, 2);
  Csr c(m, n, base, m * n);
  const double alpha = 3, beta = -2;
  size_t bytes = 0;
  expect(cusparseDcsrgeam2_bufferSizeExt(handle, m, n, &alpha, a.descr, a.count(), a.values,
                                         a.offsets, a.indices, &beta, b.descr, b.count(), b.values,
                                         b.offsets, b.indices, c.descr, c.values, c.offsets,
                                         c.indices, &bytes) == CUSPARSE_STATUS_SUCCESS,
         "size of csrgeam2");
  Array<char> buffer(bytes);
  int total = 0;
  expect(cusparseXcsrgeam2Nnz(handle, m, n, a.descr, a.count(), a.offsets, a.indices, b.descr,
                              b.count(), b.offsets, b.indices, c.descr, c.offsets, &total,
                              buffer.p) == CUSPARSE_STATUS_SUCCESS,
         "csrgeam2Nnz");
  expect(cusparseDcsrgeam2(handle, m, n, &alpha, a.descr, a.count(), a.values, a.offsets, a.indices,
                           &beta, b.descr, b.count(), b.values, b.offsets, b.indices, c.descr,
                           c.values, c.offsets, c.indices, buffer.p) == CUSPARSE_STATUS_SUCCESS,
         "csrgeam2");
  cudaDeviceSynchronize();
  const auto x = a.dense(n), y = b.dense(n), z = c.dense(n);
  int expected = 0;
  bool right = true;
  for (int i = 0; i < m * n; ++i) {
    expected += x[i] != 0 || y[i] != 0;
    right = right && z[i] == 3 * x[i] - 2 * y[i];
  }
  expect(right && total == expected && c.count() == total, "csrgeam2's sum");
}

static void counts() {
  const int m = 6, n = 5, lda = 7;
  Array<double> a(lda * n);
  int rows[m] = {}, total = 0;
  for (int i = 0; i < lda * n; ++i)
    a[i] = -1;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      a[j * lda + i] = (i + 2 * j) % 3 ? i + 1 : 0;
      rows[i] += a[j * lda + i] != 0;
      total += a[j * lda + i] != 0;
    }
  cusparseMatDescr_t descr;
  cusparseCreateMatDescr(&descr);
  Array<int> found(m);
  int all = 0;
  expect(cusparseDnnz(handle, CUSPARSE_DIRECTION_ROW, m, n, descr, a, lda, found, &all) ==
             CUSPARSE_STATUS_SUCCESS,
         "nnz");
  cudaDeviceSynchronize();
  expect(all == total && std::equal(rows, rows + m, found.p), "counts of rows");
  Array<int> onDevice(1);
  cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE);
  cusparseDnnz(handle, CUSPARSE_DIRECTION_COLUMN, m, n, descr, a, lda, found, onDevice);
  cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
  cudaDeviceSynchronize();
  expect(onDevice[0] == total, "count on the device");
  cusparseDestroyMatDescr(descr);
}

static void sorting() {
  const int n = 40;
  Array<int> rows(n), columns(n), p(n);
  for (int k = 0; k < n; ++k) {
    rows[k] = k * 17 % 8;
    columns[k] = (k * 29 + 3) % 10;
  }
  std::vector<int> oldRows(rows.p, rows.p + n), oldColumns(columns.p, columns.p + n);
  expect(cusparseCreateIdentityPermutation(handle, n, p) == CUSPARSE_STATUS_SUCCESS, "identity");
  size_t bytes = 0;
  expect(cusparseXcoosort_bufferSizeExt(handle, 8, 10, n, rows, columns, &bytes) ==
             CUSPARSE_STATUS_SUCCESS,
         "size of coosort");
  Array<char> buffer(bytes + 4096);
  expect(cusparseXcoosortByRow(handle, 8, 10, n, rows, columns, p, buffer.p) ==
             CUSPARSE_STATUS_SUCCESS,
         "coosortByRow");
  cudaDeviceSynchronize();
  bool right = std::is_sorted(rows.p, rows.p + n);
  for (int k = 0; k < n; ++k)
    right = right && rows[k] == oldRows[p[k]] && columns[k] == oldColumns[p[k]];
  expect(right, "sorted by row");

  Csr a(2, 9, 1, 7);
  const int offsets[] = {1, 5, 8}, indices[] = {9, 2, 5, 1, 4, 8, 3}, sorted[] = {1, 2, 5, 9, 3, 4, 8},
            order[] = {3, 1, 2, 0, 6, 4, 5};
  std::copy(offsets, offsets + 3, a.offsets.p);
  std::copy(indices, indices + 7, a.indices.p);
  cusparseCreateIdentityPermutation(handle, 7, p);
  cusparseXcsrsort_bufferSizeExt(handle, 2, 9, 7, a.offsets, a.indices, &bytes);
  Array<char> second(bytes + 4096);
  expect(cusparseXcsrsort(handle, 2, 9, 7, a.descr, a.offsets, a.indices, p, second.p) ==
             CUSPARSE_STATUS_SUCCESS,
         "csrsort");
  cudaDeviceSynchronize();
  expect(std::equal(sorted, sorted + 7, a.indices.p) && std::equal(order, order + 7, p.p),
         "sorted rows");
  expect(cusparseXcsrsort(nullptr, 2, 9, 7, a.descr, a.offsets, a.indices, p, second.p) ==
             CUSPARSE_STATUS_NOT_INITIALIZED,
         "no handle");
}

int main() {
  expect(cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS, "create");
  for (int bases = 0; bases < 4; ++bases)
    for (auto direction : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN})
      blocks(bases & 1, bases >> 1, direction);
  sums(0);
  sums(1);
  counts();
  sorting();
  cusparseDestroy(handle);
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
