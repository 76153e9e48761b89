// The listings of the CUDA C guide, completed to a program: kernels, function
// and variable qualifiers, fences, votes of a block, access to symbols,
// page-locked memory.
#include "../../Inputs/count.h"
#include <cstring>
#define N 256

// 2.1, 2.2
__global__ void VecAdd(float *A, float *B, float *C) {
  int i = threadIdx.x;
  C[i] = A[i] + B[i];
}
__global__ void MatAdd(float A[N][N], float B[N][N], float C[N][N]) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N)
    C[i][j] = A[i][j] + B[i][j];
}
static void kernels() {
  static float h[3][N][N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      h[0][i][j] = i, h[1][i][j] = 2 * j;
  float (*A)[N], (*B)[N], (*C)[N];
  cudaMalloc((void **)&A, sizeof(h[0]));
  cudaMalloc((void **)&B, sizeof(h[0]));
  cudaMalloc((void **)&C, sizeof(h[0]));
  cudaMemcpy(A, h[0], sizeof(h[0]), cudaMemcpyHostToDevice);
  cudaMemcpy(B, h[1], sizeof(h[1]), cudaMemcpyHostToDevice);
  dim3 threadsPerBlock(16, 16);
  dim3 numBlocks(N / threadsPerBlock.x, N / threadsPerBlock.y);
  MatAdd<<<numBlocks, threadsPerBlock>>>(A, B, C);
  cudaMemcpy(h[2], C, sizeof(h[2]), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      if (h[2][i][j] != i + 2 * j)
        ++bad;
  VecAdd<<<1, N>>>(A[3], B[3], C[0]);
  cudaMemcpy(h[2][0], C, sizeof(h[2][0]), cudaMemcpyDeviceToHost);
  CHECK(h[2][0][5] == 13);
  cudaFree(A), cudaFree(B), cudaFree(C);
}

// B.1: host and device
__host__ __device__ __noinline__ int where() {
#if defined(__CUDA_ARCH__)
  return __CUDA_ARCH__;
#else
  return -1;
#endif
}
__device__ __forceinline__ int forced(int x) { return x + 1; }
__global__ void qualifiers(int *out) { out[0] = where(), out[1] = forced(4); }

// B.2.3: three arrays in dynamic shared memory
extern __shared__ float array[];
__device__ float layout() {
  short *array0 = (short *)array;
  float *array1 = (float *)&array0[128];
  int *array2 = (int *)&array1[64];
  int t = threadIdx.x;
  array0[t] = t;
  if (t < 64)
    array1[t] = 0.5f * t;
  array2[t] = -t;
  array2[t + 128] = t * t;
  __syncthreads();
  int u = 127 - t;
  return array0[u] + array1[u / 2] + array2[u] + array2[u + 128];
}
__global__ void dynamic(float *out) { out[threadIdx.x] = layout(); }

// B.2.4
__global__ void foo(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c) {
  float t0 = a[0];
  float t1 = b[0];
  float t2 = t0 * t1;
  float t3 = a[1];
  c[0] = t2;
  c[1] = t2;
  c[4] = t2;
  c[2] = t2 * t3;
  c[3] = t0 * t3;
  c[5] = t1;
}

// B.5: a sum in one call
__device__ unsigned int count = 0;
__shared__ bool isLastBlockDone;
__shared__ float partial[128];
__device__ float sumOfBlock(float mine) {
  partial[threadIdx.x] = mine;
  __syncthreads();
  for (int d = 64; d; d /= 2) {
    if (threadIdx.x < d)
      partial[threadIdx.x] += partial[threadIdx.x + d];
    __syncthreads();
  }
  float result = partial[0];
  __syncthreads();
  return result;
}
__global__ void sum(const float *array, unsigned int n,
                    volatile float *result) {
  float mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    mine += array[i];
  float partialSum = sumOfBlock(mine);
  if (threadIdx.x == 0) {
    result[blockIdx.x] = partialSum;
    __threadfence();
    unsigned int value = atomicInc(&count, gridDim.x);
    isLastBlockDone = (value == (gridDim.x - 1));
  }
  __syncthreads();
  if (isLastBlockDone) {
    float totalSum =
        sumOfBlock(threadIdx.x < gridDim.x ? result[threadIdx.x] : 0);
    if (threadIdx.x == 0) {
      result[0] = totalSum;
      count = 0;
    }
  }
}

// B.6
__global__ void votes(int *out) {
  int t = threadIdx.x;
  int n = __syncthreads_count(t % 3 == 0);
  int all = __syncthreads_and(t < 96), some = __syncthreads_or(t == 95);
  int no = __syncthreads_and(t != 50), none = __syncthreads_or(t > 1000);
  __threadfence_block();
  __threadfence_system();
  if (t == 7)
    out[0] = n, out[1] = all != 0, out[2] = some != 0, out[3] = no,
    out[4] = none;
}

// 3.2.2: symbols
__constant__ float constData[256];
__device__ float devData;
__device__ float *devPointer;
__global__ void symbols(float *out) {
  out[0] = constData[7] + devData;
  out[1] = devPointer[2];
}

template <class T> static T *onDevice(size_t n) {
  T *p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(T)) == cudaSuccess);
  cudaMemset(p, 0, n * sizeof(T));
  return p;
}

int main() {
  kernels();

  int *i = onDevice<int>(64), hi[8];
  float *f = onDevice<float>(4096), hf[256];
  qualifiers<<<1, 1>>>(i);
  cudaMemcpy(hi, i, sizeof(hi), cudaMemcpyDeviceToHost);
  CHECK(where() == -1);
  CHECK(hi[0] >= 700);
  CHECK(hi[1] == 5);

  dynamic<<<1, 128, 128 * 2 + 64 * 4 + 256 * 4>>>(f);
  cudaMemcpy(hf, f, sizeof(hf), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 128; ++t) {
    int u = 127 - t;
    CHECK(hf[t] == 0.5f * (u / 2) + u * u);
  }

  float ab[3] = {3, 4, 5};
  cudaMemcpy(f, ab, sizeof(ab), cudaMemcpyHostToDevice);
  foo<<<1, 1>>>(f, f + 2, f + 10);
  cudaMemcpy(hf, f + 10, 6 * sizeof(float), cudaMemcpyDeviceToHost);
  CHECK(hf[0] == 15 && hf[1] == 15 && hf[4] == 15 && hf[2] == 60 &&
        hf[3] == 12 && hf[5] == 5);

  static float many[3000];
  for (int k = 0; k < 3000; ++k)
    many[k] = k % 11;
  cudaMemcpy(f, many, sizeof(many), cudaMemcpyHostToDevice);
  float *result = onDevice<float>(64);
  for (int again = 0; again < 2; ++again) {
    float total = 0, want = 0;
    for (float each : many)
      want += each;
    sum<<<20, 128>>>(f, 3000, result);
    cudaMemcpy(&total, result, sizeof(total), cudaMemcpyDeviceToHost);
    CHECK(total == want);
  }

  votes<<<1, 96>>>(i);
  cudaMemcpy(hi, i, sizeof(hi), cudaMemcpyDeviceToHost);
  CHECK(hi[0] == 32 && hi[1] == 1 && hi[2] == 1 && hi[3] == 0 && hi[4] == 0);

  float data[256];
  for (int k = 0; k < 256; ++k)
    data[k] = k;
  cudaMemcpyToSymbol(constData, data, sizeof(data));
  memset(data, 0, sizeof(data));
  cudaMemcpyFromSymbol(data, constData, sizeof(data));
  CHECK(data[255] == 255);
  float value = 3.14f;
  cudaMemcpyToSymbol(devData, &value, sizeof(float));
  float *ptr;
  cudaMalloc(&ptr, 256 * sizeof(float));
  cudaMemcpy(ptr, data, sizeof(data), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(devPointer, &ptr, sizeof(ptr));
  symbols<<<1, 1>>>(f);
  cudaMemcpy(hf, f, 8, cudaMemcpyDeviceToHost);
  CHECK(hf[0] == 7 + 3.14f);
  CHECK(hf[1] == 2);
  void *address;
  size_t bytes;
  CHECK(cudaGetSymbolAddress(&address, devData) == cudaSuccess);
  CHECK(cudaGetSymbolSize(&bytes, constData) == cudaSuccess && bytes == 1024);
  cudaMemcpy(&value, address, sizeof(value), cudaMemcpyDeviceToHost);
  CHECK(value == 3.14f);

  // 3.2.4
  float *pinned;
  CHECK(cudaHostAlloc(&pinned, 1024,
                      cudaHostAllocPortable | cudaHostAllocWriteCombined |
                          cudaHostAllocMapped) == cudaSuccess);
  pinned[3] = 42;
  float *mapped;
  CHECK(cudaHostGetDevicePointer((void **)&mapped, pinned, 0) == cudaSuccess);
  VecAdd<<<1, 4>>>(mapped, mapped, f);
  cudaMemcpy(hf, f, 16, cudaMemcpyDeviceToHost);
  CHECK(hf[3] == 84);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);

  // Table B-1
  CHECK(alignof(char2) == 2 && alignof(char3) == 1 && alignof(char4) == 4);
  CHECK(alignof(short2) == 4 && alignof(short3) == 2 && alignof(short4) == 8);
  CHECK(alignof(int2) == 8 && alignof(int3) == 4 && alignof(int4) == 16);
  CHECK(alignof(float2) == 8 && alignof(float3) == 4 && alignof(float4) == 16);
  CHECK(alignof(longlong2) == 16 && alignof(double2) == 16 &&
        alignof(double1) == 8 && sizeof(double3) == 24);
  CHECK(make_int2(3, 4).y == 4 && make_uchar4(1, 2, 3, 4).w == 4);
  CHECK(dim3(3).x == 3 && dim3(3).y == 1 && dim3(3).z == 1);
  if (!bad)
    printf("PASSED\n");
}
