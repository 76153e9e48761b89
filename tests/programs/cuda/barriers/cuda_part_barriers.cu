// Barriers of part of a block: halves of a block that wait a different number
// of times, a producer and a consumer that pass buffers to each other
// (bar.arrive), numbers that are known at run time only, threads that end while
// others wait.
#include <cstdio>

__device__ void waitFor(unsigned number, unsigned threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ void arriveAt(unsigned number, unsigned threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// Each part of 64 threads adds up its numbers in a tree; the parts begin with
// different amounts of work, so nothing keeps them together by chance.
__global__ void sums(const int *in, int *out, int rounds) {
  __shared__ int tree[256];
  unsigned part = threadIdx.x / 64, lane = threadIdx.x % 64;
  int total = 0;
  for (int round = 0; round < rounds + 3 * part; ++round) {
    tree[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x] + round;
    waitFor(part + 1, 64);
    for (unsigned distance = 32; distance > 0; distance /= 2) {
      if (lane < distance)
        tree[threadIdx.x] += tree[threadIdx.x + distance];
      waitFor(part + 1, 64);
    }
    total += tree[part * 64];
    waitFor(part + 1, 64);
  }
  if (lane == 0)
    out[blockIdx.x * 4 + part] = total;
  if (part == 2)
    return;
  asm volatile("barrier.sync 7, 192;" ::: "memory");
  if (threadIdx.x == 0)
    out[blockIdx.x * 4] += 1000000;
}

// The first warp fills one of two buffers while the second empties the other:
// barriers 1 and 2 say that a buffer is full, 3 and 4 that it is empty.
__global__ void pipeline(const int *in, int *out, int iterations) {
  __shared__ int buffer[2][32];
  unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int iteration = 0; iteration < iterations; ++iteration) {
      if (iteration >= 2)
        waitFor(3 + iteration % 2, 64);
      buffer[iteration % 2][lane] = in[iteration * 32 + lane] * 3;
      arriveAt(1 + iteration % 2, 64);
    }
  } else {
    int sum = 0;
    for (int iteration = 0; iteration < iterations; ++iteration) {
      waitFor(1 + iteration % 2, 64);
      sum += buffer[iteration % 2][31 - lane] * (iteration + 1);
      if (iteration + 2 < iterations)
        arriveAt(3 + iteration % 2, 64);
    }
    out[lane] = sum;
  }
}

int main() {
  const int blocks = 5, rounds = 4, iterations = 9;
  int *in, *out, wrong = 0;
  cudaMallocManaged(&in, blocks * 256 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < blocks * 256; ++i)
    in[i] = i * 7 % 101;
  sums<<<blocks, 256>>>(in, out, rounds);
  cudaDeviceSynchronize();
  for (int block = 0; block < blocks; ++block)
    for (int part = 0; part < 4; ++part) {
      int expected = part == 0 ? 1000000 : 0;
      for (int round = 0; round < rounds + 3 * part; ++round)
        for (int i = 0; i < 64; ++i)
          expected += in[block * 256 + part * 64 + i] + round;
      wrong += out[block * 4 + part] != expected;
    }
  pipeline<<<1, 64>>>(in, out, iterations);
  if (cudaDeviceSynchronize() != cudaSuccess)
    ++wrong;
  for (int lane = 0; lane < 32; ++lane) {
    int expected = 0;
    for (int iteration = 0; iteration < iterations; ++iteration)
      expected += in[iteration * 32 + 31 - lane] * 3 * (iteration + 1);
    wrong += out[lane] != expected;
  }
  printf(wrong ? "FAILED %d\n" : "PASSED\n", wrong);
  return wrong != 0;
}
