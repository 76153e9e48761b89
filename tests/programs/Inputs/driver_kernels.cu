// Kernels and variables of a module that a program loads while it runs.
__constant__ float factors[4];
__device__ int total;
__device__ int table[3] = {5, 6, 7};

struct Pair {
  char tag;
  double value;
};

extern "C" __global__ void scale(float *a, int n, Pair by, short shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i] * float(by.value) + factors[by.tag] + shift;
}

extern "C" __global__ void reduce(const int *a, int n) {
  extern __shared__ int part[];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += a[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(&total, part[0] + table[1]);
}

extern "C" __global__ void wait_for(volatile int *flag) {
  while (!*flag)
    ;
}

extern "C" __global__ void nothing() {}

__managed__ int counted = 3;

extern "C" __global__ void count_up(int by) { atomicAdd(&counted, by); }
