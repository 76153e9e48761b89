// cuRAND's generators on the CPU against loops of our own: kernels that draw
// from the same states by curand_kernel.h, and for MT19937 and Sobol's sequence
// loops over threads of the host: lines "row NAME ours loop Gnumbers/s target".
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <curand.h>
#include <curand_kernel.h>
#include <thread>
#include <vector>

constexpr size_t Count = size_t(1) << 22;
constexpr int Lanes = 4096, Block = 128;

static double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

enum What { Words, Uniform, Normal };
static const char *const Names[] = {"words", "uniform", "normal"};

template <typename State> __global__ void begin(State *states) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, i, 0, &states[i]);
}
template <typename State, What what>
__global__ void draw(State *states, void *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  State state = states[i];
  for (size_t at = i; at < Count; at += Lanes)
    if constexpr (what == Words)
      ((unsigned *)out)[at] = curand(&state);
    else if constexpr (what == Uniform)
      ((float *)out)[at] = curand_uniform(&state);
    else
      ((float *)out)[at] = curand_normal(&state);
  states[i] = state;
}

static curandStatus_t generate(curandGenerator_t generator, What what,
                               void *out) {
  switch (what) {
  case Words:
    return curandGenerate(generator, (unsigned *)out, Count);
  case Uniform:
    return curandGenerateUniform(generator, (float *)out, Count);
  default:
    return curandGenerateNormal(generator, (float *)out, Count, 0, 1);
  }
}

template <typename Loop>
static void row(const char *name, curandRngType type, What what, Loop loop) {
  curandGenerator_t generator;
  curandCreateGenerator(&generator, type);
  void *out;
  cudaMallocManaged(&out, Count * 4);
  double ours = 1e30, other = 1e30;
  // Alternately, so that both see the same machine; the first time does not
  // count.
  for (int round = 0; round < 60; ++round) {
    double start = now();
    if (generate(generator, what, out) != CURAND_STATUS_SUCCESS)
      return (void)std::puts("no numbers");
    cudaDeviceSynchronize();
    if (round)
      ours = std::min(ours, now() - start);
    start = now();
    loop(out);
    cudaDeviceSynchronize();
    if (round)
      other = std::min(other, now() - start);
  }
  std::printf("row %s-%s %.3f %.3f Gnumbers/s 0.8\n", name, Names[what],
              Count / ours / 1e9, Count / other / 1e9);
  std::fflush(stdout);
  cudaFree(out);
  curandDestroyGenerator(generator);
}

template <typename State>
static void states(const char *name, curandRngType type) {
  State *all;
  cudaMalloc(&all, Lanes * sizeof(State));
  begin<<<Lanes / Block, Block>>>(all);
  row(name, type, Words, [&](void *out) {
    draw<State, Words><<<Lanes / Block, Block>>>(all, out);
  });
  row(name, type, Uniform, [&](void *out) {
    draw<State, Uniform><<<Lanes / Block, Block>>>(all, out);
  });
  row(name, type, Normal, [&](void *out) {
    draw<State, Normal><<<Lanes / Block, Block>>>(all, out);
  });
  cudaFree(all);
}

/// Calls \p work(first, last) for parts of [0, Count) in as many threads as
/// there are processors.
template <typename Work> static void shared(Work work) {
  const size_t threads = std::thread::hardware_concurrency();
  std::vector<std::thread> all;
  for (size_t i = 0; i < threads; ++i)
    all.emplace_back(work, Count / threads * i, Count / threads * (i + 1));
  for (std::thread &each : all)
    each.join();
}

static void twister(void *out) {
  shared([=](size_t first, size_t last) {
    static thread_local unsigned s[624 + 624];
    for (unsigned i = 0; i < 624; ++i)
      s[i] = 1812433253u * (i + unsigned(first)) + i;
    for (size_t at = first; at < last; at += 624) {
#pragma clang loop vectorize(assume_safety)
      for (int k = 0; k < 624; ++k) {
        const unsigned y = (s[k] & 0x80000000u) | (s[k + 1] & 0x7fffffffu);
        s[k + 624] = s[k + 397] ^ y >> 1 ^ (-(y & 1) & 0x9908b0dfu);
      }
      std::memcpy(s, s + 624, sizeof s / 2);
      const int here = int(std::min<size_t>(624, last - at));
      for (int k = 0; k < here; ++k) {
        unsigned x = s[k];
        x ^= x >> 11;
        x ^= x << 7 & 0x9d2c5680u;
        x ^= x << 15 & 0xefc60000u;
        ((unsigned *)out)[at + k] = x ^ x >> 18;
      }
    }
  });
}

static void sobol(void *out) {
  shared([=](size_t first, size_t last) {
    unsigned low[256];
    for (unsigned i = 0; i < 256; ++i) {
      low[i] = 0;
      for (int k = 0; k < 8; ++k)
        low[i] ^= (i ^ i >> 1) >> k & 1 ? 0x80000000u >> k : 0;
    }
    for (size_t at = first; at < last; at += 256) {
      unsigned high = 0;
      for (int k = 8; k < 32; ++k)
        high ^= (at ^ at >> 1) >> k & 1 ? 0x80000000u >> k : 0;
      for (int k = 0; k < 256; ++k)
        ((unsigned *)out)[at + k] = high ^ low[k];
    }
  });
}

int main() {
  states<curandStateXORWOW_t>("xorwow", CURAND_RNG_PSEUDO_XORWOW);
  states<curandStateMRG32k3a_t>("mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
  states<curandStatePhilox4_32_10_t>("philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
  row("mt19937", CURAND_RNG_PSEUDO_MT19937, Words, twister);
  row("sobol32", CURAND_RNG_QUASI_SOBOL32, Words, sobol);
}
