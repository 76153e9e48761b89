// The guide's matrix product, float, tiles of 16 x 16, column-major like the
// Fortran version; prints the best time of a launch in seconds.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void mmul(const float *A, const float *B, float *C, int N, int M,
                     int L) {
  __shared__ float Asub[16][16], Bsub[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  long i = blockIdx.x * 16 + tx, j = blockIdx.y * 16 + ty;
  float Cij = 0;
  for (int kb = 0; kb < M; kb += 16) {
    Asub[ty][tx] = A[i + (long)N * (kb + ty)];
    Bsub[ty][tx] = B[kb + tx + (long)M * j];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      Cij += Asub[k][tx] * Bsub[ty][k];
    __syncthreads();
  }
  C[i + (long)N * j] = Cij;
}

int main() {
  const int n = 8192;
  std::vector<float> hA((size_t)n * n), hB((size_t)n * n), hC((size_t)n * n);
  for (size_t k = 0; k < hA.size(); ++k) {
    hA[k] = 1.0f + (k * 7) % 13;
    hB[k] = 0.25f * ((k * 5) % 17);
  }
  float *A, *B, *C;
  size_t bytes = hA.size() * sizeof(float);
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, hA.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(B, hB.data(), bytes, cudaMemcpyHostToDevice);
  double best = 1e30;
  for (int round = 0; round < 12; ++round) {
    auto start = std::chrono::steady_clock::now();
    mmul<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(A, B, C, n, n, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    best = std::fmin(best, time.count());
  }
  cudaMemcpy(hC.data(), C, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 61) {
    int j = n - 1 - i;
    double wanted = 0;
    for (int k = 0; k < n; ++k)
      wanted += (double)hA[i + (size_t)n * k] * hB[k + (size_t)n * j];
    if (std::fabs(hC[i + (size_t)n * j] - wanted) > 1e-4 * wanted)
      return std::puts("the result is wrong"), 1;
  }
  std::printf("seconds %.6e\n", best);
}
