// LAPACK and FFTW of the system beside kernels.
#include <cmath>
#include <cstdio>
#include <fftw3.h>
extern "C" void dgesv_(const int *n, const int *nrhs, double *a, const int *lda,
                       int *ipiv, double *b, const int *ldb, int *info);
__global__ void fill(double *a, double *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n)
    return;
  a[i] = i % (n + 1) == 0 ? n : 1.0 / (1 + i % 7);
  if (i < n)
    b[i] = i;
}
__global__ void residual(const double *a, const double *x, const double *b,
                         double *r, int n) {
  int i = threadIdx.x;
  double s = -b[i];
  for (int j = 0; j < n; ++j)
    s += a[i + j * n] * x[j];
  r[i] = s;
}
int main() {
  const int n = 96, one = 1;
  double *a, *b, *r;
  cudaMallocManaged(&a, n * n * 8);
  cudaMallocManaged(&b, n * 8);
  cudaMallocManaged(&r, n * 8);
  fill<<<(n * n + 127) / 128, 128>>>(a, b, n);
  cudaDeviceSynchronize();
  double copy[n * n], x[n];
  int pivots[n], info;
  for (int i = 0; i < n * n; ++i)
    copy[i] = a[i];
  for (int i = 0; i < n; ++i)
    x[i] = b[i];
  dgesv_(&n, &one, copy, &n, pivots, x, &n, &info);
  double *dx;
  cudaMalloc(&dx, sizeof x);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  residual<<<1, n>>>(a, dx, b, r, n);
  cudaDeviceSynchronize();
  double worst = 0;
  for (int i = 0; i < n; ++i)
    worst = std::fmax(worst, std::fabs(r[i]));
  fftw_complex in[8] = {{1, 0}}, out[8];
  fftw_plan plan = fftw_plan_dft_1d(8, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  bool right = info == 0 && worst < 1e-10;
  for (auto &o : out)
    right = right && o[0] == 1 && o[1] == 0;
  std::puts(right ? "PASSED" : "FAILED");
}
