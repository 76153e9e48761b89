// Dot products of halves and bytes, and the functions that CUDA calls DPX: the
// same results on both sides.
#include <cstdio>

#define CALLS(X)                                                               \
  X(__vimax3_s32(a, b, c))                                                     \
  X(__vimin3_s32(a, b, c))                                                     \
  X(__vimax3_u32(u, v, w))                                                     \
  X(__vimin3_u32(u, v, w))                                                     \
  X(__vimax3_s32_relu(a, b, c))                                                \
  X(__vimin3_s32_relu(a, b, c))                                                \
  X(__vimax_s32_relu(a, b))                                                    \
  X(__vimin_s32_relu(a, b))                                                    \
  X(__viaddmax_s32(a, b, c))                                                   \
  X(__viaddmin_s32(a, b, c))                                                   \
  X(__viaddmax_u32(u, v, w))                                                   \
  X(__viaddmin_u32(u, v, w))                                                   \
  X(__viaddmax_s32_relu(a, b, c))                                              \
  X(__viaddmin_s32_relu(a, b, c))                                              \
  X(__vimax3_s16x2(u, v, w))                                                   \
  X(__vimin3_s16x2(u, v, w))                                                   \
  X(__vimax3_u16x2(u, v, w))                                                   \
  X(__vimin3_u16x2(u, v, w))                                                   \
  X(__vimax3_s16x2_relu(u, v, w))                                              \
  X(__vimin_s16x2_relu(u, v))                                                  \
  X(__viaddmax_s16x2(u, v, w))                                                 \
  X(__viaddmin_s16x2_relu(u, v, w))                                            \
  X(__viaddmax_u16x2(u, v, w))

__host__ __device__ void compute(unsigned u, unsigned v, unsigned w,
                                 unsigned *out) {
  int a = u, b = v, c = w, i = 0;
#define CALL(expression) out[i++] = expression;
  CALLS(CALL)
#undef CALL
  bool p, q;
  out[i++] = __vibmax_s32(a, b, &p);
  out[i++] = p;
  out[i++] = __vibmin_u16x2(u, v, &p, &q);
  out[i++] = p + 2 * q;
}
const int Count = 27;
__global__ void kernel(const unsigned *in, unsigned *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  unsigned u = in[3 * t], v = in[3 * t + 1], w = in[3 * t + 2];
  unsigned *o = out + (Count + 5) * t;
  compute(u, v, w, o);
  o[Count] = __dp2a_lo((int)u, (int)v, (int)w);
  o[Count + 1] = __dp2a_hi((int)u, (int)v, (int)w);
  o[Count + 2] = __dp2a_lo(u, v, w);
  o[Count + 3] = __dp2a_hi(u, v, w);
  o[Count + 4] =
      __dp2a_hi(make_short2((short)u, (short)(u >> 16)),
                make_char4((signed char)v, (signed char)(v >> 8),
                           (signed char)(v >> 16), (signed char)(v >> 24)),
                (int)w);
}
int main() {
  const int n = 500;
  static unsigned in[3 * n], out[(Count + 5) * n];
  unsigned state = 1, *d, *o;
  for (unsigned &x : in) {
    state = state * 1664525u + 1013904223u;
    x = state ^ state >> 15;
  }
  // Equal numbers, and the ends of the ranges.
  for (int i = 0; i < 30; ++i)
    in[i] = i % 4 == 0   ? 0x80007fffu
            : i % 4 == 1 ? 0x7fff8000u
            : i % 4 == 2 ? 0
                         : ~0u;
  cudaMalloc(&d, sizeof(in));
  cudaMalloc(&o, sizeof(out));
  cudaMemcpy(d, in, sizeof(in), cudaMemcpyHostToDevice);
  kernel<<<(n + 127) / 128, 128>>>(d, o, n);
  cudaMemcpy(out, o, sizeof(out), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int t = 0; t < n; ++t) {
    const unsigned u = in[3 * t], v = in[3 * t + 1], w = in[3 * t + 2];
    unsigned want[Count + 5];
    compute(u, v, w, want);
    long long low = 0, high = 0, ulow = 0, uhigh = 0;
    for (int i = 0; i < 2; ++i) {
      const long long half = (short)(u >> 16 * i);
      const long long uhalf = (unsigned short)(u >> 16 * i);
      low += half * (signed char)(v >> 8 * i);
      high += half * (signed char)(v >> (16 + 8 * i));
      ulow += uhalf * (unsigned char)(v >> 8 * i);
      uhigh += uhalf * (unsigned char)(v >> (16 + 8 * i));
    }
    want[Count] = (unsigned)(low + w);
    want[Count + 1] = want[Count + 4] = (unsigned)(high + w);
    want[Count + 2] = (unsigned)(ulow + w);
    want[Count + 3] = (unsigned)(uhigh + w);
    // One of them by hand.
    const int a = u, b = v, c = w, sum = (int)(u + v);
    bad += (int)want[8] != (sum > c ? sum : c);
    bad += (int)want[0] != (a > b ? (a > c ? a : c) : (b > c ? b : c));
    for (int i = 0; i < Count + 5; ++i)
      if (out[(Count + 5) * t + i] != want[i] && ++bad < 10)
        printf("%d of (%x, %x, %x): %x, not %x\n", i, u, v, w,
               out[(Count + 5) * t + i], want[i]);
  }
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
