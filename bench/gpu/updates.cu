// Updates of a table at random places, as HPCC's RandomAccess makes them: one
// for each thread and iteration of a loop, by a generator that feeds its highest bit
// back. Large tables show the memory, small ones and few threads the code:
// bench/gpu/kernels bench/gpu/updates.cu
#include <cstdio>

using Word = unsigned long long;

constexpr Word Feedback = 7;

__device__ Word next(Word word) {
  return (word << 1) ^ ((long long)word < 0 ? Feedback : 0);
}
__device__ Word seed() {
  return 0x9e3779b97f4a7c15 * (blockIdx.x * blockDim.x + threadIdx.x + 1);
}

__global__ void plain(Word *table, Word size, int updates) {
  Word word = seed();
  for (int k = 0; k < updates; ++k) {
    word = next(word);
    table[word & (size - 1)] ^= word;
  }
}

__global__ void atomic(Word *table, Word size, int updates) {
  Word word = seed();
  for (int k = 0; k < updates; ++k) {
    word = next(word);
    atomicXor(&table[word & (size - 1)], word);
  }
}

__global__ void fixed(Word *table, Word size) {
  Word word = seed();
  for (int k = 0; k < 256; ++k) {
    word = next(word);
    table[word & (size - 1)] ^= word;
  }
}

__global__ void states(Word *__restrict__ table, Word *__restrict__ words,
                       Word size, int updates) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < updates; ++k) {
    words[thread] = next(words[thread]);
    table[words[thread] & (size - 1)] ^= words[thread];
  }
}

__global__ void exchange(Word *table, Word size, int updates) {
  Word word = seed();
  for (int k = 0; k < updates; ++k) {
    word = next(word);
    Word *place = &table[word & (size - 1)], old = *place, known;
    do {
      known = old;
      old = atomicCAS(place, known, known ^ word);
    } while (old != known);
  }
}

/// The generator alone.
__global__ void generate(Word *words, int updates) {
  Word word = seed(), sum = 0;
  for (int k = 0; k < updates; ++k) {
    word = next(word);
    sum += word;
  }
  words[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  constexpr int Most = 1056 * 256;
  Word *table, *words;
  cudaMalloc(&table, sizeof(Word) << 26);
  cudaMalloc(&words, sizeof(Word) * Most);
  cudaMemset(words, 0x5b, sizeof(Word) * Most);
  for (int round = 0; round < 3; ++round)
    // Each number of threads with a table of its own: what is best of a shape
    // counts.
    for (auto [blocks, threads, bits] :
         {int3{1056, 256, 26}, int3{132, 256, 20}, int3{132, 32, 12},
          int3{1, 32, 12}}) {
      const Word size = Word(1) << bits;
      plain<<<blocks, threads>>>(table, size, 250);
      atomic<<<blocks, threads>>>(table, size, 250);
      fixed<<<blocks, threads>>>(table, size);
      states<<<blocks, threads>>>(table, words, size, 250);
      exchange<<<blocks, threads>>>(table, size, 50);
      generate<<<blocks, threads>>>(words, 1000);
    }
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  puts(failed ? "FAIL" : "PASS");
  return failed;
}
