// cuSPARSE's product of a sparse matrix and a vector on the CPU against a loop with
// OpenMP: lines "row NAME ours loop GFLOP/s target".
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cusparse.h>
#include <vector>

static double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

static cusparseHandle_t h;

/// Rows of \p rows x \p rows have between \p least and \p most elements, near the
/// diagonal or anywhere.
template <typename T>
static void row(const char *what, cudaDataType type, int rows, int least, int most, bool near) {
  std::vector<int> starts(rows + 1, 0);
  unsigned seed = 12345;
  auto random = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (int r = 0; r < rows; ++r)
    starts[r + 1] = starts[r] + least + int(random() % unsigned(most - least + 1));
  const int count = starts[rows];
  int *begins, *columns;
  T *values, *x, *y;
  cudaMallocManaged(&begins, (rows + 1) * sizeof(int));
  cudaMallocManaged(&columns, count * sizeof(int));
  cudaMallocManaged(&values, count * sizeof(T));
  cudaMallocManaged(&x, rows * sizeof(T));
  cudaMallocManaged(&y, rows * sizeof(T));
  std::copy(starts.begin(), starts.end(), begins);
  for (int r = 0; r < rows; ++r) {
    for (int k = begins[r]; k < begins[r + 1]; ++k) {
      const int distance = near ? int(random() % 2001) - 1000 : int(random() % unsigned(rows));
      columns[k] = near ? std::clamp(r + distance, 0, rows - 1) : distance;
      values[k] = T(1 + random() % 9);
    }
    std::sort(columns + begins[r], columns + begins[r + 1]);
    x[r] = T(1 + r % 5);
  }
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t in, out;
  cusparseCreateCsr(&matrix, rows, rows, count, begins, columns, values, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type);
  cusparseCreateDnVec(&in, rows, x, type);
  cusparseCreateDnVec(&out, rows, y, type);
  const T one = 1, zero = 0;
  size_t bytes = 0;
  cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out, type,
                          CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  void *buffer = nullptr;
  cudaMalloc(&buffer, bytes + 1);
  std::vector<T> right(rows);
  const int calls = std::max(1, int(4e8 / count));
  double ours = 1e30, theirs = 1e30;
  for (int round = 0; round < 5; ++round) {
    double begin = now();
    for (int i = 0; i < calls; ++i)
      cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out, type,
                   CUSPARSE_SPMV_ALG_DEFAULT, buffer);
    cudaDeviceSynchronize();
    ours = std::min(ours, now() - begin);
    begin = now();
    for (int i = 0; i < calls; ++i) {
#pragma omp parallel for schedule(static)
      for (int r = 0; r < rows; ++r) {
        T sum = 0;
        for (int k = begins[r]; k < begins[r + 1]; ++k)
          sum += values[k] * x[columns[k]];
        right[r] = sum;
      }
    }
    theirs = std::min(theirs, now() - begin);
  }
  for (int r = 0; r < rows; ++r)
    if (std::fabs(y[r] - right[r]) > T(1e-4) * std::fabs(right[r]))
      std::printf("%s is wrong\n", what), std::exit(1);
  const double work = 2e-9 * calls * count;
  std::printf("row %s %.3f %.3f GFLOP/s 0.90\n", what, work / ours, work / theirs);
  for (void *each : {(void *)begins, (void *)columns, (void *)values, (void *)x, (void *)y, buffer})
    cudaFree(each);
}

int main() {
  if (cusparseCreate(&h) != CUSPARSE_STATUS_SUCCESS)
    return 1;
  row<float>("spmv f32 near", CUDA_R_32F, 1 << 20, 20, 34, true);
  row<double>("spmv f64 near", CUDA_R_64F, 1 << 20, 20, 34, true);
  row<double>("spmv f64 uneven", CUDA_R_64F, 1 << 19, 0, 120, true);
  row<double>("spmv f64 anywhere", CUDA_R_64F, 1 << 18, 20, 34, false);
}
