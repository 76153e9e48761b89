// Shuffles and votes of old programs, without a mask: those of the lanes that
// execute them, on every GPU (other compilers have dropped them).
#include <cstdio>

__global__ void wholeWarp(int *values, float *broadcast, unsigned *votes) {
  const int t = threadIdx.x;
  values[t] = __shfl(t, t + 3, 8) + 100 * __shfl_xor(t, 1) +
              10000 * __shfl_down(t, 2) + 1000000 * __shfl_up(t, 1);
  broadcast[t] = __shfl(1.5f * t, 4);
  votes[t] = __ballot(t % 3 == 0) + __any(t == 7) + __all(t < 31);
}

__global__ void half(unsigned *votes) {
  if (threadIdx.x % 2)
    votes[threadIdx.x] = __ballot(1);
}

int main() {
  int *values;
  float *broadcast;
  unsigned *votes;
  cudaMallocManaged(&values, 32 * sizeof *values);
  cudaMallocManaged(&broadcast, 32 * sizeof *broadcast);
  cudaMallocManaged(&votes, 32 * sizeof *votes);
  wholeWarp<<<1, 32>>>(values, broadcast, votes);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int t = 0; t < 32; ++t) {
    const int down = t < 30 ? t + 2 : t, up = t > 0 ? t - 1 : t;
    wrong += values[t] != (t / 8 * 8 + (t + 3) % 8) + 100 * (t ^ 1) +
                              10000 * down + 1000000 * up;
    wrong += broadcast[t] != 6.0f;
    wrong += votes[t] != 0x49249249u + 1 + 0;
  }
  half<<<1, 32>>>(votes);
  cudaDeviceSynchronize();
  for (int t = 1; t < 32; t += 2)
    wrong +=
        votes[t] == 0 || (votes[t] & 0x55555555u) != 0 || !(votes[t] >> t & 1);
  printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  puts(wrong ? "FAILED" : "PASSED");
}
