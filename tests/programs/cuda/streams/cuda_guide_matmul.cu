// The guide's matrix product with shared memory, completed to a program; the
// listing of spec section 3.2.3.
#include <cstdio>
#include <cstdlib>
#define BLOCK_SIZE 16
typedef struct {
  int width;
  int height;
  int stride;
  float *elements;
} Matrix;
__device__ float GetElement(const Matrix A, int row, int col) {
  return A.elements[row * A.stride + col];
}
__device__ void SetElement(Matrix A, int row, int col, float value) {
  A.elements[row * A.stride + col] = value;
}
__device__ Matrix GetSubMatrix(Matrix A, int row, int col) {
  Matrix Asub;
  Asub.width = BLOCK_SIZE;
  Asub.height = BLOCK_SIZE;
  Asub.stride = A.stride;
  Asub.elements = &A.elements[A.stride * BLOCK_SIZE * row + BLOCK_SIZE * col];
  return Asub;
}
__global__ void MatMulKernel(const Matrix, const Matrix, Matrix);
__global__ void PlainKernel(Matrix A, Matrix B, Matrix C) {
  float Cvalue = 0;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  for (int e = 0; e < A.width; ++e)
    Cvalue += A.elements[row * A.width + e] * B.elements[e * B.width + col];
  C.elements[row * C.width + col] = Cvalue;
}
void MatMul(const Matrix A, const Matrix B, Matrix C, bool shared) {
  Matrix d_A;
  d_A.width = d_A.stride = A.width;
  d_A.height = A.height;
  size_t size = A.width * A.height * sizeof(float);
  cudaMalloc(&d_A.elements, size);
  cudaMemcpy(d_A.elements, A.elements, size, cudaMemcpyHostToDevice);
  Matrix d_B;
  d_B.width = d_B.stride = B.width;
  d_B.height = B.height;
  size = B.width * B.height * sizeof(float);
  cudaMalloc(&d_B.elements, size);
  cudaMemcpy(d_B.elements, B.elements, size, cudaMemcpyHostToDevice);
  Matrix d_C;
  d_C.width = d_C.stride = C.width;
  d_C.height = C.height;
  size = C.width * C.height * sizeof(float);
  cudaMalloc(&d_C.elements, size);
  dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  dim3 dimGrid(B.width / dimBlock.x, A.height / dimBlock.y);
  if (shared)
    MatMulKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
  else
    PlainKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
  cudaMemcpy(C.elements, d_C.elements, size, cudaMemcpyDeviceToHost);
  cudaFree(d_A.elements);
  cudaFree(d_B.elements);
  cudaFree(d_C.elements);
}
__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C) {
  int blockRow = blockIdx.y, blockCol = blockIdx.x;
  Matrix Csub = GetSubMatrix(C, blockRow, blockCol);
  float Cvalue = 0;
  int row = threadIdx.y, col = threadIdx.x;
  for (int m = 0; m < (A.width / BLOCK_SIZE); ++m) {
    Matrix Asub = GetSubMatrix(A, blockRow, m);
    Matrix Bsub = GetSubMatrix(B, m, blockCol);
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    As[row][col] = GetElement(Asub, row, col);
    Bs[row][col] = GetElement(Bsub, row, col);
    __syncthreads();
    for (int e = 0; e < BLOCK_SIZE; ++e)
      Cvalue += As[row][e] * Bs[e][col];
    __syncthreads();
  }
  SetElement(Csub, row, col, Cvalue);
}
int main() {
  Matrix A{64, 48, 64}, B{80, 64, 80}, C{80, 48, 80};
  A.elements = (float *)malloc(64 * 48 * 4);
  B.elements = (float *)malloc(80 * 64 * 4);
  C.elements = (float *)malloc(80 * 48 * 4);
  for (int i = 0; i < 64 * 48; ++i)
    A.elements[i] = i % 7;
  for (int i = 0; i < 80 * 64; ++i)
    B.elements[i] = i % 5 - 2;
  for (int shared = 0; shared < 2; ++shared) {
    MatMul(A, B, C, shared);
    for (int r = 0; r < 48; ++r)
      for (int c = 0; c < 80; ++c) {
        float want = 0;
        for (int e = 0; e < 64; ++e)
          want += A.elements[r * 64 + e] * B.elements[e * 80 + c];
        if (C.elements[r * 80 + c] != want) {
          printf("%d %d: %g %g\n", r, c, C.elements[r * 80 + c], want);
          return 1;
        }
      }
  }
  printf("PASSED\n");
}
