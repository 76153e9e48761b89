// cuRAND's device functions: the numbers are cuRAND's, generators go on as far
// as they are told, and distributions have their moments.
#include <cmath>
#include <cstdio>
#include <curand_kernel.h>

struct Known {
  unsigned long long seed, subsequence, offset;
  unsigned numbers[5];
};
constexpr Known Xorwow[] = {
    {1234, 17, 0, {0x621173d0, 0xf1f051aa, 0x094c15e4, 0x32559f77, 0x37778bfe}},
    {1234,
     17,
     100,
     {0xe2a1b87b, 0xc907b4d9, 0xff904433, 0x96816e5c, 0x0c550881}},
    {0xdeadbeefcafef00d,
     0x123456789abcdef,
     0xfedcba987654321,
     {0x18a8c97f, 0x85763c0d, 0x2a1f07fe, 0x14593d19, 0x7ad6dce5}}};
constexpr Known Mrg[] = {
    {1234, 17, 0, {0x7a337069, 0xa6c45695, 0xd6f4e5db, 0xd15afc20, 0xda2c5c4b}},
    {1234,
     17,
     100,
     {0x14905def, 0x3355c3fc, 0x2c951b01, 0x1c9b6197, 0x1b5c1223}},
    {0xdeadbeefcafef00d,
     123456789,
     0xfedcba987654321,
     {0x579f89c0, 0xe9d0924c, 0x283de5ec, 0x492ee56b, 0xe9a99d42}}};
constexpr Known Philox[] = {
    {1234, 17, 0, {0x1919f487, 0xdcd4a716, 0x1989b3a0, 0x44bb570b, 0x1e5947e9}},
    {1234,
     17,
     100,
     {0x7e8f923a, 0xb8ad9b28, 0x63a0634d, 0xa300b202, 0xfd85f761}},
    {0xdeadbeefcafef00d,
     0x123456789abcdef,
     0xfedcba987654321,
     {0xc1e3701f, 0xeb400ffc, 0x7d52c479, 0x258b2ed5, 0xf4136de9}}};

template <class State>
__global__ void numbers(const Known *known, unsigned *out) {
  State state;
  const Known &mine = known[threadIdx.x];
  curand_init(mine.seed, mine.subsequence, mine.offset, &state);
  for (int k = 0; k < 5; ++k)
    out[5 * threadIdx.x + k] = curand(&state);
}

template <class State>
__device__ void goToSubsequence(unsigned n, State *state) {
  skipahead_sequence(n, state);
}
__device__ void goToSubsequence(unsigned n, curandStateMRG32k3a *state) {
  skipahead_subsequence(n, state);
}

/// Counts where going on at once and step by step differ.
template <class State> __global__ void skips(int *different) {
  State steps, jumps, sequence;
  curand_init(77, threadIdx.x, 5, &steps);
  curand_init(77, threadIdx.x, 5, &jumps);
  curand_init(77, 0, 0, &sequence);
  for (unsigned k = 0; k < 3 * threadIdx.x + 1; ++k)
    curand(&steps);
  skipahead(3 * threadIdx.x + 1, &jumps);
  goToSubsequence(threadIdx.x, &sequence);
  skipahead(3 * threadIdx.x + 6, &sequence);
  for (int k = 0; k < 8; ++k) {
    unsigned next = curand(&steps);
    if (next != curand(&jumps) || next != curand(&sequence))
      atomicAdd(different, 1);
  }
}

__global__ void fours(int *different) {
  curandStatePhilox4_32_10_t one, four;
  curand_init(5, 6, threadIdx.x, &one);
  curand_init(5, 6, threadIdx.x, &four);
  for (int k = 0; k < 3; ++k) {
    uint4 x = curand4(&four);
    if (x.x != curand(&one) || x.y != curand(&one) || x.z != curand(&one) ||
        x.w != curand(&one))
      atomicAdd(different, 1);
  }
}

constexpr int Distributions = 10, Threads = 256, Each = 200;
template <class State> __global__ void moments(double *sums) {
  State state;
  curand_init(4321, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  for (int d = 0; d < Distributions; ++d) {
    double sum = 0, squares = 0;
    for (int k = 0; k < Each; ++k) {
      double x = d == 0   ? curand_uniform(&state)
                 : d == 1 ? curand_uniform_double(&state)
                 : d == 2 ? curand_normal(&state)
                 : d == 3 ? curand_normal_double(&state)
                 : d == 4 ? log(curand_log_normal(&state, 1.5f, 0.5f))
                 : d == 5 ? log(curand_log_normal_double(&state, 1.5, 0.5))
                 : d == 6 ? curand_poisson(&state, 3.5)
                 : d == 7 ? curand_poisson(&state, 63.0)
                 : d == 8 ? curand_poisson(&state, 200.0)
                          : curand_poisson(&state, 5000.0);
      sum += x;
      squares += x * x;
    }
    atomicAdd(sums + 2 * d, sum);
    atomicAdd(sums + 2 * d + 1, squares);
  }
}

/// A pair of normal numbers is that of the next two numbers.
__global__ void pairs(float *out) {
  curandState state;
  curand_init(1234, 17, 0, &state);
  out[0] = curand_normal(&state);
  out[1] = curand_normal(&state);
  float2 next = curand_normal2(&state);
  out[2] = next.x;
  out[3] = next.y;
  curand_init(1234, 17, 0, &state);
  out[4] = curand_uniform(&state);
}

static int bad = 0;

template <class State>
static void check(const char *name, const Known (&known)[3], int *different,
                  double *sums) {
  Known *there;
  unsigned *out;
  cudaMallocManaged(&there, sizeof known);
  cudaMallocManaged(&out, 15 * sizeof(unsigned));
  for (int i = 0; i < 3; ++i)
    there[i] = known[i];
  numbers<State><<<1, 3>>>(there, out);
  *different = 0;
  skips<State><<<1, 64>>>(different);
  for (int i = 0; i < 2 * Distributions; ++i)
    sums[i] = 0;
  moments<State><<<4, Threads / 4>>>(sums);
  cudaDeviceSynchronize();
  for (int i = 0; i < 15; ++i)
    if (out[i] != known[i / 5].numbers[i % 5])
      ++bad, printf("%s %d: %08x\n", name, i, out[i]);
  if (*different)
    ++bad, printf("%s: %d differ behind a skip\n", name, *different);
  constexpr double Means[Distributions] = {0.5, 0.5, 0,  0,   1.5,
                                           1.5, 3.5, 63, 200, 5000};
  constexpr double Variances[Distributions] = {
      1 / 12.0, 1 / 12.0, 1, 1, 0.25, 0.25, 3.5, 63, 200, 5000};
  constexpr double n = double(Threads) * Each;
  for (int d = 0; d < Distributions; ++d) {
    double mean = sums[2 * d] / n;
    double variance = sums[2 * d + 1] / n - mean * mean;
    if (fabs(mean - Means[d]) > 5 * sqrt(Variances[d] / n) ||
        fabs(variance / Variances[d] - 1) > 0.05)
      ++bad, printf("%s distribution %d: %g %g\n", name, d, mean, variance);
  }
  cudaFree(there);
  cudaFree(out);
}

int main() {
  int *different;
  double *sums;
  float *normals;
  cudaMallocManaged(&different, sizeof(int));
  cudaMallocManaged(&sums, 2 * Distributions * sizeof(double));
  cudaMallocManaged(&normals, 5 * sizeof(float));
  check<curandState>("XORWOW", Xorwow, different, sums);
  check<curandStateMRG32k3a>("MRG32k3a", Mrg, different, sums);
  check<curandStatePhilox4_32_10_t>("Philox", Philox, different, sums);
  *different = 0;
  fours<<<1, 32>>>(different);
  pairs<<<1, 1>>>(normals);
  cudaDeviceSynchronize();
  if (*different)
    ++bad, printf("%d fours differ\n", *different);
  for (int i = 0; i < 4; ++i) {
    const unsigned *x = Xorwow[0].numbers + i / 2 * 2;
    double unit = (x[0] + 0.5) / 4294967296.0, pi = 3.14159265358979;
    double angle = 2 * pi * (x[1] + 0.5) / 4294967296.0;
    double want = sqrt(-2 * log(unit)) * (i % 2 ? cos(angle) : sin(angle));
    if (fabs(normals[i] - want) > 1e-5)
      ++bad, printf("normal %d: %g %g\n", i, normals[i], want);
  }
  if (normals[4] != (float)0x621173d0 * 0x1p-32f + 0x1p-33f)
    ++bad, printf("uniform: %a\n", normals[4]);
  if (!bad)
    printf("PASSED\n");
}
