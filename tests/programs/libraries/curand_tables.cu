// What kernels' generators are given: MTGP32's parameters and states, the
// numbers of which are the host interface's; direction vectors and scramble
// constants of 32 and 64 bits; Poisson distributions for curand_discrete.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what, long number = 0) {
  if (!right && ++failures <= 20)
    std::printf("wrong: %s %ld\n", what, number);
}
static void status(int got, int wanted, const char *what) {
  if (got != wanted && ++failures <= 20)
    std::printf("wrong: %s is %d, not %d\n", what, got, wanted);
}
template <typename T> static std::vector<T> host(const T *data, size_t count) {
  std::vector<T> result(count);
  cudaMemcpy(result.data(), data, count * sizeof(T), cudaMemcpyDefault);
  return result;
}
template <typename T> static T *device(size_t count) {
  T *data;
  cudaMalloc(&data, count * sizeof(T));
  return data;
}

constexpr int Blocks = 64, Rounds = 3;
__global__ void words(curandStateMtgp32 *states, unsigned *out) {
  for (int i = 0; i < Rounds; ++i)
    out[(i * Blocks + blockIdx.x) * 256 + threadIdx.x] =
        curand(&states[blockIdx.x]);
}
__global__ void halves(curandStateMtgp32 *states, float *units, float *singles,
                       double *normals, unsigned *poisson) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStateMtgp32 *state = &states[blockIdx.x];
  units[i] = curand_uniform(state);
  singles[i] = curand_mtgp32_single(state);
  normals[i] = curand_normal_double(state);
  poisson[i] = curand_poisson(state, 700.0);
}

static void twisters() {
  mtgp32_kernel_params *parameters = device<mtgp32_kernel_params>(1);
  curandStateMtgp32 *states = device<curandStateMtgp32>(Blocks);
  status(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters), 0,
         "constants");
  status(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213,
                                     parameters, Blocks, 1234),
         0, "states");
  constexpr int Count = Blocks * 256 * Rounds;
  unsigned *out = device<unsigned>(Count), *same = device<unsigned>(Count);
  words<<<Blocks, 256>>>(states, out);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MTGP32);
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_LEGACY);
  status(curandGenerate(generator, same, Count), 0, "generate");
  const std::vector<unsigned> a = host(out, Count), b = host(same, Count);
  expect(a[0] == 2501053709u, "first word");
  for (int i = 0; i < Count; ++i)
    expect(a[i] == b[i], "MTGP32's word", i);
  // Of fewer threads.
  constexpr int Half = Blocks * 128;
  float *units = device<float>(Half), *singles = device<float>(Half);
  double *normals = device<double>(Half);
  halves<<<Blocks, 128>>>(states, units, singles, normals, out);
  const std::vector<float> u = host(units, Half), s = host(singles, Half);
  const std::vector<double> z = host(normals, Half);
  const std::vector<unsigned> p = host(out, Half);
  double sums[5] = {};
  for (int i = 0; i < Half; ++i) {
    expect(u[i] > 0 && u[i] <= 1, "uniform", i);
    expect(s[i] >= 1 && s[i] < 2, "single", i);
    sums[0] += u[i], sums[1] += s[i], sums[2] += z[i], sums[3] += z[i] * z[i];
    sums[4] += p[i];
  }
  expect(std::fabs(sums[0] / Half - 0.5) < 0.02, "mean of uniform numbers");
  expect(std::fabs(sums[1] / Half - 1.5) < 0.02, "mean of single numbers");
  expect(std::fabs(sums[2] / Half) < 0.06, "mean of normal numbers");
  expect(std::fabs(sums[3] / Half - 1) < 0.1, "deviation of normal numbers");
  expect(std::fabs(sums[4] / Half - 700) < 2, "mean of Poisson numbers");
  curandDestroyGenerator(generator);
  for (void *memory :
       {(void *)parameters, (void *)states, (void *)out, (void *)same,
        (void *)units, (void *)singles, (void *)normals})
    cudaFree(memory);
}

template <typename State, typename Vectors, typename Word>
__global__ void sobol(Vectors *vectors, const Word *constants, int dimensions,
                      int points, Word *out) {
  const int d = blockIdx.x;
  State state;
  if constexpr (std::is_same_v<State, curandStateSobol32> ||
                std::is_same_v<State, curandStateSobol64>)
    curand_init(vectors[d], threadIdx.x, &state);
  else
    curand_init(vectors[d], constants[d], threadIdx.x, &state);
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    out[d * points + i] = curand(&state);
    skipahead(Word(blockDim.x - 1), &state);
  }
}
static int generate(curandGenerator_t of, unsigned *out, size_t count) {
  return curandGenerate(of, out, count);
}
static int generate(curandGenerator_t of, unsigned long long *out,
                    size_t count) {
  return curandGenerateLongLong(of, out, count);
}

// A kernel's numbers of the first dimensions are the host interface's.
template <typename State, typename Vectors, typename Word>
static void directions(curandStatus_t (*get)(Vectors **,
                                             curandDirectionVectorSet_t),
                       curandDirectionVectorSet_t set, curandRngType type,
                       const Word *constants, Word first, Word second) {
  constexpr int Dimensions = 9, Points = 256;
  Vectors *vectors;
  status(get(&vectors, set), 0, "direction vectors");
  expect(vectors[7][2] == first, "direction vector", set);
  expect(vectors[255][5] == second, "direction vector", set);
  // Vectors of the last dimension are there; the first one has the highest bit.
  expect(vectors[19999][0] >> (8 * sizeof(Word) - 1), "first vector", set);
  Vectors *there = device<Vectors>(Dimensions);
  Word *scrambles = device<Word>(Dimensions);
  cudaMemcpy(there, vectors, Dimensions * sizeof *there, cudaMemcpyDefault);
  cudaMemcpy(scrambles, constants, Dimensions * sizeof(Word),
             cudaMemcpyDefault);
  Word *out = device<Word>(Dimensions * Points);
  Word *same = device<Word>(Dimensions * Points);
  sobol<State><<<Dimensions, 32>>>(there, scrambles, Dimensions, Points, out);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, type);
  status(curandSetQuasiRandomGeneratorDimensions(generator, Dimensions), 0,
         "dimensions");
  status(generate(generator, same, Dimensions * Points), 0, "generate");
  const std::vector<Word> a = host(out, Dimensions * Points),
                          b = host(same, Dimensions * Points);
  for (int i = 0; i < Dimensions * Points; ++i)
    expect(a[i] == b[i], "Sobol's number", i);
  status(curandSetQuasiRandomGeneratorDimensions(generator, 20000), 0,
         "20000 dimensions");
  status(curandSetQuasiRandomGeneratorDimensions(generator, 20001), 104,
         "20001 dimensions");
  curandDestroyGenerator(generator);
  for (void *memory :
       {(void *)there, (void *)scrambles, (void *)out, (void *)same})
    cudaFree(memory);
}

__global__ void discrete(curandDiscreteDistribution_t of, unsigned *out,
                         unsigned *four) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(7, i, 0, &state);
  out[i] = curand_discrete(&state, of);
  curandStatePhilox4_32_10_t philox;
  curand_init(7, i, 0, &philox);
  const uint4 x = curand_discrete4(&philox, of);
  four[4 * i] = x.x, four[4 * i + 1] = x.y;
  four[4 * i + 2] = x.z, four[4 * i + 3] = x.w;
}

static void distributions() {
  constexpr int Count = 16384;
  unsigned *out = device<unsigned>(Count), *four = device<unsigned>(4 * Count);
  for (double lambda : {0.25, 12.0, 700.0, 5000.0}) {
    curandDiscreteDistribution_t of;
    status(curandCreatePoissonDistribution(lambda, &of), 0, "distribution");
    discrete<<<Count / 128, 128>>>(of, out, four);
    const std::vector<unsigned> a = host(out, Count);
    std::vector<unsigned> all = host(four, 4 * Count);
    all.insert(all.end(), a.begin(), a.end());
    double mean = 0, variance = 0;
    for (unsigned x : all)
      mean += x;
    mean /= all.size();
    for (unsigned x : all)
      variance += (x - mean) * (x - mean);
    variance /= all.size();
    const double deviation = std::sqrt(lambda / all.size());
    expect(std::fabs(mean - lambda) < 5 * deviation, "mean", (long)lambda);
    expect(std::fabs(variance / lambda - 1) < 0.05, "variance", (long)lambda);
    if (lambda == 0.25) {
      double zeros = 0;
      for (unsigned x : all)
        zeros += x == 0;
      expect(std::fabs(zeros / all.size() - std::exp(-lambda)) < 0.01, "zeros");
    }
    status(curandDestroyDistribution(of), 0, "destroy");
  }
  curandDiscreteDistribution_t none = nullptr;
  status(curandCreatePoissonDistribution(-1, &none), 104, "negative mean");
  status(curandCreatePoissonDistribution(500000, &none), 104, "large mean");
  status(curandCreatePoissonDistribution(5, nullptr), 101, "no distribution");
  status(curandDestroyDistribution(nullptr), 101, "destroy none");
  cudaFree(out);
  cudaFree(four);
}

int main() {
  twisters();
  unsigned *c32;
  unsigned long long *c64;
  status(curandGetScrambleConstants32(&c32), 0, "constants");
  status(curandGetScrambleConstants64(&c64), 0, "constants");
  expect(c32[0] == 0xe20866feu && c64[0] == 0xe20866fe27bec92aull, "constant");
  expect(c32[255] == c64[255] >> 32, "constant", 255);
  directions<curandStateSobol32>(
      curandGetDirectionVectors32, CURAND_DIRECTION_VECTORS_32_JOEKUO6,
      CURAND_RNG_QUASI_SOBOL32, c32, 0xa0000000u, 0xc000000u);
  directions<curandStateScrambledSobol32>(
      curandGetDirectionVectors32,
      CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6,
      CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, c32, 0x8f786a05u, 0xdf46933u);
  directions<curandStateSobol64>(curandGetDirectionVectors64,
                                 CURAND_DIRECTION_VECTORS_64_JOEKUO6,
                                 CURAND_RNG_QUASI_SOBOL64, c64,
                                 0xa000000000000000ull, 0xc00000000000000ull);
  directions<curandStateScrambledSobol64>(
      curandGetDirectionVectors64,
      CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6,
      CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, c64, 0x8f786a0574d6ad75ull,
      0xdf46933e42ff4e9ull);
  curandDirectionVectors32_t *vectors;
  status(curandGetDirectionVectors32(&vectors,
                                     CURAND_DIRECTION_VECTORS_64_JOEKUO6),
         104, "another set");
  distributions();
  std::printf(failures ? "FAILED\n" : "PASSED\n");
  return failures != 0;
}
