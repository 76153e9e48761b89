// Kernels that launch kernels (dynamic parallelism).
// EXPECT: 4: 1 2 9 10
// EXPECT: 15.75 116.75 218.75 103.5
// EXPECT: 1944 leaves
// EXPECT: 0 out of order
// EXPECT: 0 605536 5559680 5559680
// EXPECT: 9 9 0, 77
#include "../../Inputs/check.h"
#include <cstdio>
#include <cuda_runtime.h>

// A child of each size of parameters, in the order of launches.
struct Pair {
  char a;
  double b;
};
__global__ void append(int *list, int *count, int value) {
  if (threadIdx.x == 0)
    list[(*count)++] = value;
}
__global__ void parameters(char a, double b, short c, Pair p, float *result) {
  result[blockIdx.x * blockDim.x + threadIdx.x] =
      float(a + b + c + p.a + p.b + blockIdx.x * 100 + threadIdx.x);
}
__global__ void parent(int *list, int *count, float *result) {
  // What a thread launches into one stream is done in that order; the tail is
  // done last.
  append<<<1, 32, 0, cudaStreamTailLaunch>>>(list, count, 9);
  append<<<1, 32>>>(list, count, 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  append<<<1, 32>>>(list, count, 2);
  parameters<<<3, 4, 0, stream>>>(1, 2.5, 3, {4, 5.25}, result);
  cudaStreamDestroy(stream);
  parameters<<<2, 2, 0, cudaStreamFireAndForget>>>(2, 0.5, 0, {0, 0},
                                                   result + 12);
}

// Recursion in grids: Pascal's triangle as a sum of ones.
__global__ void count(int depth, int *leaves) {
  if (depth == 0)
    atomicAdd(leaves, 1);
  else if (threadIdx.x < 3)
    count<<<1, 4>>>(depth - 1, leaves);
}

// Sorting as textbooks have it: blocks of a range launch blocks of its halves.
__global__ void sort(int *data, int left, int right) {
  int l = left, r = right;
  const int pivot = data[(left + right) / 2];
  while (l <= r) {
    while (data[l] < pivot)
      ++l;
    while (data[r] > pivot)
      --r;
    if (l <= r) {
      const int kept = data[l];
      data[l++] = data[r];
      data[r--] = kept;
    }
  }
  cudaStream_t halves[2];
  for (auto &half : halves)
    cudaStreamCreateWithFlags(&half, cudaStreamNonBlocking);
  if (left < r)
    sort<<<1, 1, 0, halves[0]>>>(data, left, r);
  if (l < right)
    sort<<<1, 1, 0, halves[1]>>>(data, l, right);
  for (auto &half : halves)
    cudaStreamDestroy(half);
}

// Children see what the grid has written, and shared memory of their own.
__global__ void sums(const int *in, int *out) {
  extern __shared__ int part[];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int step = blockDim.x / 2; step; step /= 2) {
    if (threadIdx.x < step)
      part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}
__global__ void finish(int *work, int *out) {
  sums<<<4, 64, 64 * sizeof(int)>>>(work, out);
  sums<<<1, 4, 4 * sizeof(int)>>>(out, out + 4);
  cudaMemcpyAsync(out + 5, out + 4, sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemsetAsync(out, 0, sizeof(int));
}
__global__ void squares(int *work, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  work[i] = i * i;
  // Behind all blocks, whose work it needs.
  if (i == 0)
    finish<<<1, 1, 0, cudaStreamTailLaunch>>>(work, out);
}

__global__ void refused(int *errors) {
  append<<<1, 5000>>>(nullptr, nullptr, 0);
  errors[0] = cudaPeekAtLastError();
  errors[1] = cudaGetLastError();
  errors[2] = cudaGetLastError();
}

// A launch in a template, and one of a kernel that another procedure names.
template <void (*Kernel)(int *, int *, int)>
__device__ void launchOne(int *list, int *count, int value) {
  Kernel<<<1, 1>>>(list, count, value);
}
__global__ void throughTemplate(int *list, int *count) {
  launchOne<append>(list, count, 77);
}

int main() {
  int *list, *number;
  float *result;
  CHECK(cudaMallocManaged(&list, 4096));
  CHECK(cudaMallocManaged(&number, 4));
  CHECK(cudaMallocManaged(&result, 64));
  *number = 0;
  parent<<<1, 1>>>(list, number, result);
  // What follows in the stream sees what the children have done.
  append<<<1, 1>>>(list, number, 10);
  CHECK(cudaDeviceSynchronize());
  std::printf("%d:", *number);
  for (int i = 0; i < *number; ++i)
    std::printf(" %d", list[i]);
  std::printf("\n%g %g %g %g\n", result[0], result[5], result[11], result[15]);

  *number = 0;
  count<<<2, 8>>>(5, number);
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event));
  CHECK(cudaEventSynchronize(event));
  std::printf("%d leaves\n", *number);

  unsigned state = 1;
  for (int i = 0; i < 1000; ++i)
    list[i] = (state = state * 1103515245 + 12345) >> 16 & 1023;
  sort<<<1, 1>>>(list, 0, 999);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 1; i < 1000; ++i)
    wrong += list[i - 1] > list[i];
  std::printf("%d out of order\n", wrong);

  squares<<<4, 64>>>(list, list + 256);
  CHECK(cudaDeviceSynchronize());
  std::printf("%d %d %d %d\n", list[256], list[257], list[260], list[261]);

  *number = 0;
  refused<<<1, 1>>>(list);
  throughTemplate<<<1, 1>>>(list + 3, number);
  CHECK(cudaDeviceSynchronize());
  std::printf("%d %d %d, %d\n", list[0], list[1], list[2], list[3]);
  return 0;
}
