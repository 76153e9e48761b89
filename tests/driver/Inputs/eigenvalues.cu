// Eigenvalues of a symmetric matrix of 600 rows; their sum is the trace.
#include <cmath>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>

int main() {
  const int n = 600;
  float *a, *w, *work;
  int *info, lwork = 0, failed;
  std::vector<float> matrix(n * n), values(n);
  double trace = 0, sum = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      matrix[i + j * n] = i == j ? float(i % 13) : 1.f / (1 + (i + j) % 11);
  for (int i = 0; i < n; ++i)
    trace += matrix[i + i * n];
  cusolverDnHandle_t h;
  cusolverDnCreate(&h);
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&w, n * sizeof(float));
  cudaMalloc(&info, sizeof(int));
  cudaMemcpy(a, matrix.data(), n * n * sizeof(float), cudaMemcpyDefault);
  cusolverDnSsyevd_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR,
                              CUBLAS_FILL_MODE_LOWER, n, a, n, w, &lwork);
  cudaMalloc(&work, lwork * sizeof(float));
  cusolverDnSsyevd(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n,
                   w, work, lwork, info);
  cudaMemcpy(&failed, info, sizeof(int), cudaMemcpyDefault);
  cudaMemcpy(values.data(), w, n * sizeof(float), cudaMemcpyDefault);
  for (float value : values)
    sum += value;
  const bool right = !failed && std::fabs(sum - trace) < 0.1;
  std::puts(right ? "PASSED" : "wrong");
  return !right;
}
