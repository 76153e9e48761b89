// cuSPARSE's old interface: matrices of blocks, sums of matrices, counts,
// compression, sorting, five diagonals, boosted pivots, against dense loops; both
// bases and directions. Half and bfloat16 with sums of floats; sampled
// products in batches and blocks.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
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
  // The same product of several columns, and with the transpose of B.
  const int count = 3, ldb = nb * size + 2, ldc = mb * size + 1;
  Array<double> b(ldb * count), bT(ldb * count), c(ldc * count);
  for (auto transposed : {false, true}) {
    for (int j = 0; j < count; ++j) {
      for (int i = 0; i < nb * size; ++i)
        b[j * ldb + i] = bT[i * count + j] = (i * 3 + j) % 7 - 2;
      for (int i = 0; i < mb * size; ++i)
        c[j * ldc + i] = i - j;
    }
    expect(cusparseDbsrmm(
               handle, direction, CUSPARSE_OPERATION_NON_TRANSPOSE,
               transposed ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE, mb,
               count, nb, total, &alpha, descr, values, rows, columns, size, transposed ? bT : b,
               transposed ? count : ldb, &beta, c, ldc) == CUSPARSE_STATUS_SUCCESS,
           "bsrmm");
    cudaDeviceSynchronize();
    right = true;
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < m; ++i) {
        double s = 0;
        for (int k = 0; k < nb * size; ++k)
          s += dense[i * nb * size + k] * b[j * ldb + k];
        right = right && c[j * ldc + i] == 2 * s - (i - j);
      }
    expect(right, "bsrmm's result");
  }
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

/// What is left of a matrix without its small elements: by compression, which
/// keeps what is above the threshold, and by pruning.
static void compression(int base) {
  const int m = 9, n = 8;
  const double threshold = 5;
  Csr a(m, n, base, m * n), c(m, n, base, m * n);
  fill(a, 3);
  // Of a negative element below -threshold cuSPARSE's csr2csr_compress counts the
  // place and copies nothing there (CUDA 13.0, seen on an H200).
  for (int k = 0; k < a.count(); ++k)
    if (a.values[k] <= threshold && k % 3 == 0)
      a.values[k] = -a.values[k];
  std::vector<double> expected = a.dense(n);
  int rows[m] = {}, total = 0;
  for (int i = 0; i < m * n; ++i)
    if (std::abs(expected[i]) <= threshold)
      expected[i] = 0;
    else
      ++rows[i / n], ++total;
  Array<int> found(m);
  int all = 0;
  expect(cusparseDnnz_compress(handle, m, a.descr, a.values, a.offsets, found, &all, threshold) ==
             CUSPARSE_STATUS_SUCCESS,
         "nnz_compress");
  expect(all == total && std::equal(rows, rows + m, found.p), "counts of nnz_compress");
  expect(cusparseDcsr2csr_compress(handle, m, n, a.descr, a.values, a.indices, a.offsets, a.count(),
                                   found, c.values, c.indices, c.offsets,
                                   threshold) == CUSPARSE_STATUS_SUCCESS,
         "csr2csr_compress");
  cudaDeviceSynchronize();
  expect(c.count() == total && c.dense(n) == expected, "compressed");

  Csr p(m, n, base, m * n);
  size_t bytes = 0;
  expect(cusparseDpruneCsr2csr_bufferSizeExt(handle, m, n, a.count(), a.descr, a.values, a.offsets,
                                             a.indices, &threshold, p.descr, p.values, p.offsets,
                                             p.indices, &bytes) == CUSPARSE_STATUS_SUCCESS,
         "size of pruneCsr2csr");
  Array<char> buffer(bytes);
  expect(cusparseDpruneCsr2csrNnz(handle, m, n, a.count(), a.descr, a.values, a.offsets, a.indices,
                                  &threshold, p.descr, p.offsets, &all,
                                  buffer.p) == CUSPARSE_STATUS_SUCCESS &&
             all == total,
         "pruneCsr2csrNnz");
  expect(cusparseDpruneCsr2csr(handle, m, n, a.count(), a.descr, a.values, a.offsets, a.indices,
                               &threshold, p.descr, p.values, p.offsets, p.indices,
                               buffer.p) == CUSPARSE_STATUS_SUCCESS,
         "pruneCsr2csr");
  cudaDeviceSynchronize();
  expect(p.count() == total && p.dense(n) == expected, "pruned");

  const int lda = m + 1;
  Array<double> dense(lda * n);
  const std::vector<double> whole = a.dense(n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      dense[j * lda + i] = whole[i * n + j];
  Csr d(m, n, base, m * n);
  expect(cusparseDpruneDense2csr_bufferSizeExt(handle, m, n, dense, lda, &threshold, d.descr,
                                               d.values, d.offsets, d.indices,
                                               &bytes) == CUSPARSE_STATUS_SUCCESS,
         "size of pruneDense2csr");
  Array<char> second(bytes);
  expect(cusparseDpruneDense2csrNnz(handle, m, n, dense, lda, &threshold, d.descr, d.offsets, &all,
                                    second.p) == CUSPARSE_STATUS_SUCCESS &&
             all == total,
         "pruneDense2csrNnz");
  expect(cusparseDpruneDense2csr(handle, m, n, dense, lda, &threshold, d.descr, d.values, d.offsets,
                                 d.indices, second.p) == CUSPARSE_STATUS_SUCCESS,
         "pruneDense2csr");
  cudaDeviceSynchronize();
  expect(d.count() == total && d.dense(n) == expected, "pruned of a dense one");
}

/// A dense matrix and a sparse vector.
static void sparseVector(int base) {
  const int m = 7, n = 6, lda = 8, nnz = 3;
  Array<double> a(lda * n), x(nnz), y(std::max(m, n));
  Array<int> places(nnz);
  for (int i = 0; i < lda * n; ++i)
    a[i] = i % 13 - 4;
  for (int k = 0; k < nnz; ++k) {
    places[k] = 2 * k + base;
    x[k] = k + 1;
  }
  const double alpha = 2, beta = 3;
  for (auto operation : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
    const bool transposed = operation == CUSPARSE_OPERATION_TRANSPOSE;
    int bytes = 0;
    expect(cusparseDgemvi_bufferSize(handle, operation, m, n, nnz, &bytes) ==
               CUSPARSE_STATUS_SUCCESS,
           "size of gemvi");
    Array<char> buffer(static_cast<size_t>(bytes));
    for (int i = 0; i < std::max(m, n); ++i)
      y[i] = i;
    expect(cusparseDgemvi(handle, operation, m, n, &alpha, a, lda, nnz, x, places, &beta, y,
                          base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
                          buffer.p) == CUSPARSE_STATUS_SUCCESS,
           "gemvi");
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < (transposed ? n : m); ++i) {
      double s = 0;
      for (int k = 0; k < nnz; ++k)
        s += x[k] * (transposed ? a[i * lda + 2 * k] : a[2 * k * lda + i]);
      right = right && y[i] == 2 * s + 3 * i;
    }
    expect(right, "gemvi's result");
  }
}

/// Batches of systems of five diagonals, element by element side by side.
static void fiveDiagonals() {
  const int m = 9, batch = 4;
  Array<double> all(5 * m * batch), x(m * batch);
  double *diagonals[5];
  for (int d = 0; d < 5; ++d)
    diagonals[d] = all + d * m * batch;
  std::vector<double> solution(m * batch);
  for (int i = 0; i < m * batch; ++i) {
    solution[i] = i % 7 - 3;
    for (int d = 0; d < 5; ++d) // the middle one is small: rows change places
      diagonals[d][i] = d == 2 ? 0.25 + i % 3 : 1 + (i * (d + 2)) % 5;
  }
  for (int b = 0; b < batch; ++b)
    for (int i = 0; i < m; ++i) {
      double s = 0;
      for (int d = 0; d < 5; ++d)
        if (const int j = i + d - 2; j < 0 || j >= m)
          diagonals[d][i * batch + b] = 0;
        else
          s += diagonals[d][i * batch + b] * solution[j * batch + b];
      x[i * batch + b] = s;
    }
  size_t bytes = 0;
  expect(cusparseDgpsvInterleavedBatch_bufferSizeExt(
             handle, 0, m, diagonals[0], diagonals[1], diagonals[2], diagonals[3], diagonals[4], x,
             batch, &bytes) == CUSPARSE_STATUS_SUCCESS,
         "size of gpsv");
  Array<char> buffer(bytes);
  expect(cusparseDgpsvInterleavedBatch(handle, 0, m, diagonals[0], diagonals[1], diagonals[2],
                                       diagonals[3], diagonals[4], x, batch,
                                       buffer.p) == CUSPARSE_STATUS_SUCCESS,
         "gpsv");
  cudaDeviceSynchronize();
  double largest = 0;
  for (int i = 0; i < m * batch; ++i)
    largest = std::max(largest, std::abs(x[i] - solution[i]));
  expect(largest < 1e-10, "gpsv's result");
}

/// A pivot that is too small is replaced.
static void boost() {
  const double dense[] = {4, 1, 0, 4, 1, 2, 0, 3, 5}; // the second pivot is 0
  Csr a(3, 3, 0, 9);
  a.offsets[0] = 0;
  for (int i = 0, k = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      if (dense[i * 3 + j] != 0) {
        a.indices[k] = j;
        a.values[k++] = dense[i * 3 + j];
      }
    a.offsets[i + 1] = k;
  }
  csrilu02Info_t info;
  cusparseCreateCsrilu02Info(&info);
  double tolerance = 1e-8, value = 0.5;
  expect(cusparseDcsrilu02_numericBoost(handle, info, 1, &tolerance, &value) ==
             CUSPARSE_STATUS_SUCCESS,
         "numericBoost");
  int bytes = 0;
  cusparseDcsrilu02_bufferSize(handle, 3, a.count(), a.descr, a.values, a.offsets, a.indices, info,
                               &bytes);
  Array<char> buffer(static_cast<size_t>(bytes));
  cusparseDcsrilu02_analysis(handle, 3, a.count(), a.descr, a.values, a.offsets, a.indices, info,
                             CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.p);
  expect(cusparseDcsrilu02(handle, 3, a.count(), a.descr, a.values, a.offsets, a.indices, info,
                           CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.p) == CUSPARSE_STATUS_SUCCESS,
         "csrilu02");
  cudaDeviceSynchronize();
  const double expected[] = {4, 1, 1, 0.5, 2, 6, -7};
  expect(std::equal(expected, expected + 7, a.values.p), "boosted factors");
  cusparseDestroyCsrilu02Info(info);
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

// 4 x 4 of blocks of 2 x 2, each second row of blocks has them in the other columns.
template <typename T, typename R>
static void narrowOperands(cudaDataType type, cudaDataType result, const char *what) {
  const int m = 4, columns = 3, ld = 5;
  Array<int> blocks(2), offsets(m + 1), indices(2 * m);
  Array<T> values(2 * m), b(m * columns), x(m);
  Array<R> c(ld * columns), y(m);
  blocks[0] = 0;
  blocks[1] = 1;
  for (int i = 0; i <= m; ++i)
    offsets[i] = 2 * i;
  for (int i = 0; i < 2 * m; ++i) {
    indices[i] = i / 4 * 2 + i % 2;
    values[i] = T(float(i + 1));
  }
  for (int i = 0; i < m * columns; ++i)
    b[i] = T(float(i % 5 - 2));
  for (int i = 0; i < m; ++i) {
    x[i] = T(float(i + 1));
    y[i] = R(float(i));
  }
  for (int i = 0; i < ld * columns; ++i)
    c[i] = R(100.0f);
  const float alpha = 0.5f, beta = 2;
  cusparseSpMatDescr_t ell, csr;
  cusparseDnMatDescr_t db, dc;
  cusparseDnVecDescr_t dx, dy;
  cusparseCreateBlockedEll(&ell, m, m, 2, 2, blocks, values, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, type);
  cusparseCreateCsr(&csr, m, m, 2 * m, offsets, indices, values, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type);
  cusparseCreateDnMat(&db, m, columns, m, b, type, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&dc, m, columns, ld, c, result, CUSPARSE_ORDER_COL);
  cusparseCreateDnVec(&dx, m, x, type);
  cusparseCreateDnVec(&dy, m, y, result);
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t most = 0, bytes = 0;
  cusparseSpMM_bufferSize(handle, plain, plain, &alpha, ell, db, &beta, dc, CUDA_R_32F,
                          CUSPARSE_SPMM_ALG_DEFAULT, &most);
  cusparseSpMV_bufferSize(handle, plain, &alpha, csr, dx, &beta, dy, CUDA_R_32F,
                          CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  Array<char> buffer(int(std::max(most, bytes)) + 1);
  expect(cusparseSpMM(handle, plain, plain, &alpha, ell, db, &beta, dc, CUDA_R_32F,
                      CUSPARSE_SPMM_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_SUCCESS,
         what);
  expect(cusparseSpMV(handle, plain, &alpha, csr, dx, &beta, dy, CUDA_R_32F,
                      CUSPARSE_SPMV_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_SUCCESS,
         what);
  cudaDeviceSynchronize();
  for (int i = 0; i < m; ++i) {
    // Row i of both matrices: two numbers in columns 2 * (i / 2) on.
    const int first = i / 2 * 2, k = 2 * i;
    expect(float(y[i]) ==
               0.5f * ((k + 1) * float(x[first]) + (k + 2) * float(x[first + 1])) + 2 * i,
           what);
    for (int j = 0; j < columns; ++j)
      expect(float(c[i + ld * j]) ==
                 0.5f * ((k + 1) * float(b[first + m * j]) +
                         (k + 2) * float(b[first + 1 + m * j])) + 200,
             what);
  }
  for (int j = 0; j < columns; ++j)
    expect(float(c[m + ld * j]) == 100, "between the columns");
  cusparseDestroySpMat(ell);
  cusparseDestroySpMat(csr);
  cusparseDestroyDnMat(db);
  cusparseDestroyDnMat(dc);
  cusparseDestroyDnVec(dx);
  cusparseDestroyDnVec(dy);
}

// C = A B where C has elements: a batch of two in CSR, and blocks of 2 x 2 (NVIDIA's
// library has no other shapes).
static void sampled() {
  const int m = 4, n = 4, k = 4;
  Array<double> a(2 * m * k), b(2 * k * n), values(2 * m), blocks(2 * 4);
  Array<int> offsets(m + 1), columns(2 * m), rows(3), blockColumns(2);
  for (int i = 0; i < 2 * m * k; ++i)
    a[i] = i % 7 - 3;
  for (int i = 0; i < 2 * k * n; ++i)
    b[i] = i % 5 - 1;
  for (int i = 0; i <= m; ++i)
    offsets[i] = i;
  for (int i = 0; i < 2 * m; ++i) {
    columns[i] = (i * 5 + 1) % n;
    values[i] = 1;
  }
  const auto product = [&](int which, int i, int j) {
    double sum = 0;
    for (int l = 0; l < k; ++l)
      sum += a[which * m * k + i * k + l] * b[which * k * n + l * n + j];
    return sum;
  };
  cusparseDnMatDescr_t da, db;
  cusparseSpMatDescr_t dc, dd;
  const double alpha = 2, beta = 3;
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 0;
  cusparseCreateDnMat(&da, m, k, k, a, CUDA_R_64F, CUSPARSE_ORDER_ROW);
  cusparseCreateDnMat(&db, k, n, n, b, CUDA_R_64F, CUSPARSE_ORDER_ROW);
  for (auto order : {CUSPARSE_ORDER_ROW, CUSPARSE_ORDER_COL}) {
    for (int i = 0; i < 8; ++i)
      blocks[i] = i;
    rows[0] = 0;
    rows[1] = 1;
    rows[2] = 2;
    blockColumns[0] = 1;
    blockColumns[1] = 0;
    cusparseCreateBsr(&dd, 2, 2, 2, 2, 2, rows, blockColumns, blocks, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F, order);
    cusparseSDDMM_bufferSize(handle, plain, plain, &alpha, da, db, &beta, dd, CUDA_R_64F,
                             CUSPARSE_SDDMM_ALG_DEFAULT, &bytes);
    Array<char> buffer(int(bytes) + 1);
    expect(cusparseSDDMM(handle, plain, plain, &alpha, da, db, &beta, dd, CUDA_R_64F,
                         CUSPARSE_SDDMM_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_SUCCESS,
           "SDDMM of blocks");
    cudaDeviceSynchronize();
    for (int e = 0; e < 8; ++e) {
      const int block = e / 4, i = order == CUSPARSE_ORDER_ROW ? e % 4 / 2 : e % 2,
                j = order == CUSPARSE_ORDER_ROW ? e % 2 : e % 4 / 2;
      expect(blocks[e] == 2 * product(0, block * 2 + i, (1 - block) * 2 + j) + 3 * e,
             "SDDMM's blocks");
    }
    // The inner dimension is one of whole blocks.
    cusparseDnMatDescr_t narrow, low;
    cusparseCreateDnMat(&narrow, m, 3, k, a, CUDA_R_64F, CUSPARSE_ORDER_ROW);
    cusparseCreateDnMat(&low, 3, n, n, b, CUDA_R_64F, CUSPARSE_ORDER_ROW);
    expect(cusparseSDDMM_bufferSize(handle, plain, plain, &alpha, narrow, low, &beta, dd,
                                    CUDA_R_64F, CUSPARSE_SDDMM_ALG_DEFAULT,
                                    &bytes) == CUSPARSE_STATUS_NOT_SUPPORTED &&
               cusparseSDDMM(handle, plain, plain, &alpha, narrow, low, &beta, dd, CUDA_R_64F,
                             CUSPARSE_SDDMM_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_NOT_SUPPORTED,
           "SDDMM of a part of a block");
    cusparseDestroyDnMat(narrow);
    cusparseDestroyDnMat(low);
    cusparseDestroySpMat(dd);
  }
  cusparseDnMatSetStridedBatch(da, 2, m * k);
  cusparseDnMatSetStridedBatch(db, 2, k * n);
  cusparseCreateCsr(&dc, m, n, m, offsets, columns, values, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
  cusparseCsrSetStridedBatch(dc, 2, 0, m);
  cusparseSDDMM_bufferSize(handle, plain, plain, &alpha, da, db, &beta, dc, CUDA_R_64F,
                           CUSPARSE_SDDMM_ALG_DEFAULT, &bytes);
  Array<char> buffer(int(bytes) + 1);
  expect(cusparseSDDMM(handle, plain, plain, &alpha, da, db, &beta, dc, CUDA_R_64F,
                       CUSPARSE_SDDMM_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_SUCCESS,
         "SDDMM of a batch");
  cudaDeviceSynchronize();
  for (int i = 0; i < 2 * m; ++i)
    expect(values[i] == 2 * product(i / m, i % m, columns[i]) + 3, "SDDMM's batch");
  cusparseDestroySpMat(dc);
  cusparseDestroyDnMat(da);
  cusparseDestroyDnMat(db);
}

int main() {
  expect(cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS, "create");
  for (int bases = 0; bases < 4; ++bases)
    for (auto direction : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN})
      blocks(bases & 1, bases >> 1, direction);
  sums(0);
  sums(1);
  counts();
  for (int base = 0; base < 2; ++base) {
    compression(base);
    sparseVector(base);
  }
  fiveDiagonals();
  boost();
  sorting();
  narrowOperands<__half, __half>(CUDA_R_16F, CUDA_R_16F, "half");
  narrowOperands<__half, float>(CUDA_R_16F, CUDA_R_32F, "half, floats");
  narrowOperands<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F, "bfloat16, floats");
  sampled();
  cusparseDestroy(handle);
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
