// What the rules for single instructions and math functions gain: pass_gains in
// this folder compares.
#include "timing.h"

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

/// The same function of the same number.
__global__ void math_calls(const float *in, double *out) {
  const int i = THREAD;
  const double x = in[i], y = in[i + 1];
  out[i] = sin(x) * sin(x) + cos(x) * cos(y) * sin(y) * sin(y) + pow(0.5, 23);
}

/// Sums of absolute differences.
__global__ void peephole_differences(const unsigned char *a,
                                     const unsigned char *b, int *out, int n) {
  const int i = THREAD;
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += abs(a[i + k] - b[i + k * 2]);
  out[i] = sum;
}

/// Bytes to numbers.
__global__ void peephole_bytes(const unsigned *in, float *out) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const unsigned word = in[(THREAD + k * 32) & (Elements - 1)];
    sum += float(word & 255) * 0.5f + float(word >> 8 & 255) * 0.25f +
           float(word >> 16 & 255) + float(word >> 24) * 2;
  }
  out[THREAD] = sum;
}

/// A generator that feeds its highest bit back.
__global__ void signed_fields(unsigned long long *out, int n) {
  unsigned long long word = 0x9e3779b97f4a7c15 * (THREAD + 1), sum = 0;
  for (int k = 0; k < n; ++k) {
    word = (word << 1) ^ ((long long)word < 0 ? 7 : 0);
    sum += word;
  }
  out[THREAD] = sum;
}

int main(int count, char **words) {
  Timing time(count, words);
  float *in = time.in, *other = time.other, *out = time.out;
  const int All = Elements / Block, Few = Side * 16 / Block;
  time("math_calls",
       [&] { math_calls<<<All / 4, Block>>>(in, (double *)out); });
  time("peephole_differences", [&] {
    peephole_differences<<<Few * 16, Block>>>(
        (unsigned char *)in, (unsigned char *)other, (int *)out, 64);
  });
  time("peephole_bytes",
       [&] { peephole_bytes<<<All, Block>>>((unsigned *)in, out); });
  time("signed_fields", [&] {
    signed_fields<<<Few * 4, Block>>>((unsigned long long *)out, 200);
  });
}
