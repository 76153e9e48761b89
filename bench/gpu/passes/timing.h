// What the programs of this folder share: memory with known contents, and the
// best time of several launches of each kernel, with a number that stands for
// what it has left in `out`.
//
// A kernel is named after the pass whose gain it shows: `addressing` after
// gpu-addressing, `addressing_rows` after one of its steps.
#ifndef CUFORT_BENCH_GPU_PASSES_TIMING_H
#define CUFORT_BENCH_GPU_PASSES_TIMING_H

#include <cfloat>
#include <cstdio>
#include <cstring>

constexpr int Elements = 1 << 24, Side = 1 << 12, Block = 256;

__global__ void fill(unsigned *words, int n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n)
    return;
  const unsigned place = x;
  x *= 0x9e3779b9;
  x ^= x >> 15;
  x *= 0x85ebca6b;
  x ^= x >> 13;
  words[place] = x;
}

/// Numbers from -1 to 1, and places from zero on.
__global__ void fill(float *numbers, int *places, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned word = places[i];
  numbers[i] = float(int(word) >> 8) / (1 << 23);
  places[i] = word & (n - 1);
}

class Timing {
public:
  Timing(int count, char **words) : count(count), words(words) {
    cudaMalloc(&in, sizeof(float) * Elements);
    cudaMalloc(&other, sizeof(float) * Elements);
    cudaMalloc(&out, sizeof(float) * Elements);
    cudaMalloc(&places, sizeof(int) * Elements);
    for (float *each : {other, in}) {
      fill<<<Elements / Block, Block>>>(reinterpret_cast<unsigned *>(places),
                                        Elements);
      fill<<<Elements / Block, Block>>>(each, places, Elements);
    }
    cudaEventCreate(&start);
    cudaEventCreate(&end);
  }

  /// Runs it if the command line names it, or nothing.
  template <typename Launch> void operator()(const char *name, Launch launch) {
    bool wanted = count < 2;
    for (int i = 1; i < count; ++i)
      wanted |= !strcmp(words[i], name);
    if (!wanted)
      return;
    cudaMemset(out, 0, sizeof(float) * Elements);
    float best = FLT_MAX;
    for (int round = 0; round < 12; ++round) {
      cudaEventRecord(start);
      launch();
      cudaEventRecord(end);
      cudaEventSynchronize(end);
      float time;
      cudaEventElapsedTime(&time, start, end);
      if (round > 1 && time < best)
        best = time;
    }
    static unsigned words[1 << 16];
    cudaMemcpy(words, out, sizeof(words), cudaMemcpyDeviceToHost);
    unsigned left = 0;
    for (unsigned word : words)
      left = left * 31 + word;
    const cudaError_t error = cudaGetLastError();
    printf("%s %.3f %08x %s\n", name, best * 1000, left,
           cudaGetErrorName(error));
  }

  float *in, *other, *out;
  int *places;

private:
  int count;
  char **words;
  cudaEvent_t start, end;
};

#endif // CUFORT_BENCH_GPU_PASSES_TIMING_H
