// cuSPARSE's generic interface beyond CSR: descriptors of what is only read,
// matrices of blocks (BSR, blocked ELL) and of slices, batches, products that
// reuse a pattern; against dense loops.
#include <cmath>
#include <cstdio>
#include <cusparse.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what) {
  if (!right && ++failures <= 30)
    std::printf("wrong: %s\n", what);
}
static bool done(cusparseStatus_t status) { return status == CUSPARSE_STATUS_SUCCESS; }
template <typename T> struct Array {
  T *p = nullptr;
  size_t n;
  explicit Array(size_t n) : n(n) { cudaMallocManaged(&p, (n ? n : 1) * sizeof(T)); }
  Array(std::initializer_list<T> values) : Array(values.size()) {
    size_t i = 0;
    for (T value : values)
      p[i++] = value;
  }
  ~Array() { cudaFree(p); }
  Array(const Array &) = delete;
  operator T *() { return p; }
};
static cusparseHandle_t handle;
static constexpr auto Plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
static constexpr auto I32 = CUSPARSE_INDEX_32I;
static constexpr auto Zero = CUSPARSE_INDEX_BASE_ZERO;

/// y = 2 A x + y of a matrix of 4 rows and 6 columns against the dense one.
static void multiply(cusparseConstSpMatDescr_t matrix, const std::vector<double> &dense,
                     cusparseSpMVAlg_t algorithm, const char *what) {
  Array<double> x{1, 2, 3, 4, 5, 6}, y{1, 1, 1, 1};
  cusparseConstDnVecDescr_t from;
  cusparseDnVecDescr_t to;
  expect(done(cusparseCreateConstDnVec(&from, 6, x, CUDA_R_64F)), "CreateConstDnVec");
  cusparseCreateDnVec(&to, 4, y, CUDA_R_64F);
  const double alpha = 2, beta = 1;
  size_t size = 0;
  expect(done(cusparseSpMV_bufferSize(handle, Plain, &alpha, matrix, from, &beta, to, CUDA_R_64F,
                                      algorithm, &size)),
         what);
  Array<char> buffer(size);
  expect(done(cusparseSpMV(handle, Plain, &alpha, matrix, from, &beta, to, CUDA_R_64F, algorithm,
                           buffer)),
         what);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) {
    double sum = 1;
    for (int j = 0; j < 6; ++j)
      sum += 2 * dense[i * 6 + j] * x[j];
    expect(y[i] == sum, what);
  }
  cusparseDestroyDnVec(from);
  cusparseDestroyDnVec(to);
}

static void constants() {
  // 1 0 2 0 0 0 / 0 0 0 3 0 0 / 0 4 0 0 5 0 / 0 0 0 0 0 6
  const std::vector<double> dense = {1, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0,
                                     0, 4, 0, 0, 5, 0, 0, 0, 0, 0, 0, 6};
  Array<int> offsets{0, 2, 3, 5, 6}, columns{0, 2, 3, 1, 4, 5}, rows{0, 0, 1, 2, 2, 3};
  Array<double> values{1, 2, 3, 4, 5, 6};
  cusparseConstSpMatDescr_t csr, coo;
  expect(done(cusparseCreateConstCsr(&csr, 4, 6, 6, offsets, columns, values, I32, I32, Zero,
                                     CUDA_R_64F)),
         "CreateConstCsr");
  expect(done(cusparseCreateConstCoo(&coo, 4, 6, 6, rows, columns, values, I32, Zero, CUDA_R_64F)),
         "CreateConstCoo");
  multiply(csr, dense, CUSPARSE_SPMV_ALG_DEFAULT, "SpMV of CSR that is only read");
  multiply(coo, dense, CUSPARSE_SPMV_ALG_DEFAULT, "SpMV of COO that is only read");
  int64_t m = 0, n = 0, count = 0;
  const void *a = nullptr, *b = nullptr, *c = nullptr;
  cusparseIndexType_t first, second;
  cusparseIndexBase_t base;
  cudaDataType type;
  expect(done(cusparseConstCsrGet(csr, &m, &n, &count, &a, &b, &c, &first, &second, &base, &type)) &&
             m == 4 && n == 6 && count == 6 && a == offsets.p && b == columns.p && c == values.p &&
             first == I32 && base == Zero && type == CUDA_R_64F,
         "ConstCsrGet");
  expect(done(cusparseConstSpMatGetValues(csr, &c)) && c == values.p, "ConstSpMatGetValues");
  cusparseConstSpVecDescr_t vector;
  expect(done(cusparseCreateConstSpVec(&vector, 6, 3, columns, values, I32, Zero, CUDA_R_64F)),
         "CreateConstSpVec");
  expect(done(cusparseConstSpVecGet(vector, &m, &n, &a, &b, &first, &base, &type)) && m == 6 &&
             n == 3 && a == columns.p && b == values.p,
         "ConstSpVecGet");
  cusparseConstDnMatDescr_t matrix;
  cusparseOrder_t order;
  expect(done(cusparseCreateConstDnMat(&matrix, 2, 3, 2, values, CUDA_R_64F, CUSPARSE_ORDER_COL)) &&
             done(cusparseConstDnMatGet(matrix, &m, &n, &count, &a, &type, &order)) && m == 2 &&
             n == 3 && count == 2 && a == values.p && order == CUSPARSE_ORDER_COL,
         "ConstDnMatGet");
  expect(done(cusparseDestroySpVec(vector)) && done(cusparseDestroyDnMat(matrix)) &&
             done(cusparseDestroySpMat(csr)) && done(cusparseDestroySpMat(coo)),
         "Destroy");
  expect(cusparseCreateConstCsr(nullptr, 4, 6, 6, offsets, columns, values, I32, I32, Zero,
                                CUDA_R_64F) == CUSPARSE_STATUS_INVALID_VALUE,
         "CreateConstCsr of nothing");
}

static void slices() {
  // 1 0 2 0 0 0 / 0 0 0 3 0 0 / 0 4 0 0 5 7 / 0 0 0 0 0 6 in slices of two rows
  const std::vector<double> dense = {1, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0,
                                     0, 4, 0, 0, 5, 7, 0, 0, 0, 0, 0, 6};
  Array<int> offsets{0, 4, 10}, columns{0, 3, 2, -1, 1, 5, 4, -1, 5, -1};
  Array<double> values{1, 3, 2, 0, 4, 6, 5, 0, 7, 0};
  cusparseSpMatDescr_t matrix;
  expect(done(cusparseCreateSlicedEll(&matrix, 4, 6, 7, 10, 2, offsets, columns, values, I32, I32,
                                      Zero, CUDA_R_64F)),
         "CreateSlicedEll");
  multiply(matrix, dense, CUSPARSE_SPMV_SELL_ALG1, "SpMV of slices");
  cusparseDestroySpMat(matrix);
}

/// C = 2 A B + C of a matrix of 4 rows and 6 columns and one of 6 and 3.
static void multiplyMatrices(cusparseSpMatDescr_t matrix, const std::vector<double> &dense,
                             cusparseSpMMAlg_t algorithm, const char *what) {
  Array<double> b(18), c(12);
  for (int i = 0; i < 18; ++i)
    b[i] = i % 7 - 2;
  for (int i = 0; i < 12; ++i)
    c[i] = i;
  cusparseDnMatDescr_t from, to;
  cusparseCreateDnMat(&from, 6, 3, 6, b, CUDA_R_64F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&to, 4, 3, 4, c, CUDA_R_64F, CUSPARSE_ORDER_COL);
  const double alpha = 2, beta = 1;
  size_t size = 0;
  expect(done(cusparseSpMM_bufferSize(handle, Plain, Plain, &alpha, matrix, from, &beta, to,
                                      CUDA_R_64F, algorithm, &size)),
         what);
  Array<char> buffer(size);
  expect(done(cusparseSpMM(handle, Plain, Plain, &alpha, matrix, from, &beta, to, CUDA_R_64F,
                           algorithm, buffer)),
         what);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = i + j * 4;
      for (int k = 0; k < 6; ++k)
        sum += 2 * dense[i * 6 + k] * b[k + j * 6];
      expect(c[i + j * 4] == sum, what);
    }
  cusparseDestroyDnMat(from);
  cusparseDestroyDnMat(to);
}

static void blocks() {
  // Blocks of two rows and columns: (0, 0), (0, 2) and (1, 1).
  const std::vector<double> dense = {1, 2, 0, 0, 5, 6, 3, 4, 0, 0,  7,  8,
                                     0, 0, 9, 10, 0, 0, 0, 0, 11, 12, 0, 0};
  Array<int> offsets{0, 2, 3}, columns{0, 2, 1};
  Array<double> byRows{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  Array<double> byColumns{1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12};
  cusparseSpMatDescr_t bsr;
  for (auto order : {CUSPARSE_ORDER_ROW, CUSPARSE_ORDER_COL}) {
    expect(done(cusparseCreateBsr(&bsr, 2, 3, 3, 2, 2, offsets, columns,
                                  order == CUSPARSE_ORDER_ROW ? byRows : byColumns, I32, I32, Zero,
                                  CUDA_R_64F, order)),
           "CreateBsr");
    multiply(bsr, dense, CUSPARSE_SPMV_BSR_ALG1, "SpMV of blocks");
    cusparseDestroySpMat(bsr);
  }
  // Each row of blocks stores two, the second row one that is none.
  Array<int> places{0, 2, 1, -1};
  Array<double> stored{1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 0, 0, 11, 12, 0, 0};
  cusparseSpMatDescr_t ell;
  expect(done(cusparseCreateBlockedEll(&ell, 4, 6, 2, 4, places, stored, I32, Zero, CUDA_R_64F)),
         "CreateBlockedEll");
  multiplyMatrices(ell, dense, CUSPARSE_SPMM_BLOCKED_ELL_ALG1, "SpMM of blocked ELL");
  int64_t m = 0, n = 0, size = 0, width = 0;
  void *a = nullptr, *b = nullptr;
  cusparseIndexType_t index;
  cusparseIndexBase_t base;
  cudaDataType type;
  expect(done(cusparseBlockedEllGet(ell, &m, &n, &size, &width, &a, &b, &index, &base, &type)) &&
             m == 4 && n == 6 && size == 2 && width == 4 && a == places.p && b == stored.p,
         "BlockedEllGet");
  cusparseFormat_t format;
  expect(done(cusparseSpMatGetFormat(ell, &format)) && format == CUSPARSE_FORMAT_BLOCKED_ELL,
         "format of blocked ELL");
  // From a dense matrix, into the blocks that are given.
  Array<double> whole(24), filled(16);
  for (int i = 0; i < 24; ++i)
    whole.p[i] = dense[i];
  for (int i = 0; i < 16; ++i)
    filled.p[i] = 0;
  cusparseDnMatDescr_t from;
  cusparseCreateDnMat(&from, 4, 6, 6, whole, CUDA_R_64F, CUSPARSE_ORDER_ROW);
  cusparseSpMatSetValues(ell, filled);
  size_t bytes = 0;
  const auto way = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  expect(done(cusparseDenseToSparse_bufferSize(handle, from, ell, way, &bytes)),
         "DenseToSparse_bufferSize of blocked ELL");
  Array<char> buffer(bytes);
  expect(done(cusparseDenseToSparse_analysis(handle, from, ell, way, buffer)) &&
             done(cusparseDenseToSparse_convert(handle, from, ell, way, buffer)),
         "DenseToSparse of blocked ELL");
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i)
    expect(filled.p[i] == stored.p[i], "elements of DenseToSparse of blocked ELL");
  cusparseDestroyDnMat(from);
  cusparseDestroySpMat(ell);
}

static void batches() {
  // Two diagonal matrices with one pattern, B of both the same.
  Array<int> offsets{0, 1, 2}, columns{0, 1};
  Array<float> values{1, 2, 3, 4}, b{1, 2, 3, 4}, c(8);
  cusparseSpMatDescr_t a;
  cusparseDnMatDescr_t from, to;
  cusparseCreateCsr(&a, 2, 2, 2, offsets, columns, values, I32, I32, Zero, CUDA_R_32F);
  Array<int> allOffsets{0, 1, 2, 0, 1, 2}, allColumns{0, 1, 0, 1};
  cusparseCsrSetPointers(a, allOffsets, allColumns, values);
  expect(done(cusparseCsrSetStridedBatch(a, 2, 3, 2)), "CsrSetStridedBatch");
  cusparseCreateDnMat(&from, 2, 2, 2, b, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&to, 2, 2, 2, c, CUDA_R_32F, CUSPARSE_ORDER_COL);
  expect(done(cusparseDnMatSetStridedBatch(from, 2, 0)) &&
             done(cusparseDnMatSetStridedBatch(to, 2, 4)),
         "DnMatSetStridedBatch");
  int count = 0;
  int64_t step = 0;
  expect(done(cusparseDnMatGetStridedBatch(to, &count, &step)) && count == 2 && step == 4 &&
             done(cusparseSpMatGetStridedBatch(a, &count)) && count == 2,
         "GetStridedBatch");
  const float alpha = 1, beta = 0;
  size_t size = 0;
  cusparseSpMM_bufferSize(handle, Plain, Plain, &alpha, a, from, &beta, to, CUDA_R_32F,
                          CUSPARSE_SPMM_CSR_ALG1, &size);
  Array<char> buffer(size);
  expect(done(cusparseSpMM(handle, Plain, Plain, &alpha, a, from, &beta, to, CUDA_R_32F,
                           CUSPARSE_SPMM_CSR_ALG1, buffer)),
         "SpMM of a batch");
  cudaDeviceSynchronize();
  const float right[] = {1, 4, 3, 8, 3, 8, 9, 16};
  for (int i = 0; i < 8; ++i)
    expect(c[i] == right[i], "results of a batch");
  expect(!done(cusparseCsrSetStridedBatch(nullptr, 2, 3, 2)), "batches of nothing");
  cusparseDestroySpMat(a);
  cusparseDestroyDnMat(from);
  cusparseDestroyDnMat(to);
}

static void reuse() {
  // (1 2; 0 3) (0 4; 5 0) = (10 4; 15 0), of which the last is no element.
  Array<int> offsetsA{0, 2, 3}, columnsA{0, 1, 1}, offsetsB{0, 1, 2}, columnsB{1, 0};
  Array<double> valuesA{1, 2, 3}, valuesB{4, 5};
  Array<int> offsetsC(3);
  cusparseSpMatDescr_t a, b, c;
  cusparseCreateCsr(&a, 2, 2, 3, offsetsA, columnsA, valuesA, I32, I32, Zero, CUDA_R_64F);
  cusparseCreateCsr(&b, 2, 2, 2, offsetsB, columnsB, valuesB, I32, I32, Zero, CUDA_R_64F);
  cusparseCreateCsr(&c, 2, 2, 0, offsetsC, nullptr, nullptr, I32, I32, Zero, CUDA_R_64F);
  cusparseSpGEMMDescr_t descr;
  cusparseSpGEMM_createDescr(&descr);
  constexpr auto Default = CUSPARSE_SPGEMM_DEFAULT;
  size_t size1 = 0, size2 = 0, size3 = 0, size4 = 0, size5 = 0;
  expect(done(cusparseSpGEMMreuse_workEstimation(handle, Plain, Plain, a, b, c, Default, descr,
                                                 &size1, nullptr)),
         "SpGEMMreuse_workEstimation");
  Array<char> buffer1(size1);
  cusparseSpGEMMreuse_workEstimation(handle, Plain, Plain, a, b, c, Default, descr, &size1, buffer1);
  expect(done(cusparseSpGEMMreuse_nnz(handle, Plain, Plain, a, b, c, Default, descr, &size2,
                                      nullptr, &size3, nullptr, &size4, nullptr)),
         "SpGEMMreuse_nnz, sizes");
  Array<char> buffer2(size2), buffer3(size3), buffer4(size4);
  expect(done(cusparseSpGEMMreuse_nnz(handle, Plain, Plain, a, b, c, Default, descr, &size2,
                                      buffer2, &size3, buffer3, &size4, buffer4)),
         "SpGEMMreuse_nnz");
  int64_t m = 0, n = 0, count = 0;
  cusparseSpMatGetSize(c, &m, &n, &count);
  expect(count == 3, "elements of a product");
  Array<int> columnsC(count);
  Array<double> valuesC(count);
  cusparseCsrSetPointers(c, offsetsC, columnsC, valuesC);
  expect(done(cusparseSpGEMMreuse_copy(handle, Plain, Plain, a, b, c, Default, descr, &size5,
                                       nullptr)),
         "SpGEMMreuse_copy, size");
  Array<char> buffer5(size5);
  expect(done(cusparseSpGEMMreuse_copy(handle, Plain, Plain, a, b, c, Default, descr, &size5,
                                       buffer5)),
         "SpGEMMreuse_copy");
  for (int iteration = 1; iteration <= 2; ++iteration) {
    cudaDeviceSynchronize();
    valuesA[2] = 3 * iteration; // other values, the same pattern
    const double alpha = 1, beta = 0;
    expect(done(cusparseSpGEMMreuse_compute(handle, Plain, Plain, &alpha, a, b, &beta, c,
                                            CUDA_R_64F, Default, descr)),
           "SpGEMMreuse_compute");
    cudaDeviceSynchronize();
    double product[2][2] = {};
    for (int i = 0; i < 2; ++i)
      for (int k = offsetsC[i]; k < offsetsC[i + 1]; ++k)
        product[i][columnsC[k]] += valuesC[k];
    expect(product[0][0] == 10 && product[0][1] == 4 && product[1][0] == 15 * iteration &&
               product[1][1] == 0,
           "a product with a pattern of before");
  }
  cusparseSpGEMM_destroyDescr(descr);
  for (auto each : {a, b, c})
    cusparseDestroySpMat(each);
}

int main() {
  cusparseCreate(&handle);
  constants();
  slices();
  blocks();
  batches();
  reuse();
  cusparseDestroy(handle);
  if (!failures)
    std::puts("PASSED");
  return failures != 0;
}
