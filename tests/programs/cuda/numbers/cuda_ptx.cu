// Inline PTX that programs have: predicates, shuffles and votes, atomics,
// asynchronous copies, fields, carries, conversions, parts of words, bfloat16.
// FLAGS: -arch=sm_80
#include <algorithm>
#include <cstdio>
#include <cstring>

const int Results = 46;

__global__ void kernel(unsigned *out, const unsigned *in, unsigned *counters,
                       float *reals) {
  unsigned t = threadIdx.x, *o = out + Results * t;
  unsigned x = in[2 * t], y = in[2 * t + 1], r, i = 0;
  // Predicates.
  asm volatile("{\n\t.reg .pred p; // who is odd\n\t"
               "and.b32 %0, %1, 1;\n\tsetp.eq.u32 p, %0, 1;\n\t"
               "@p add.u32 %0, %1, 100;\n\t@!p mov.u32 %0, 7;\n\t}"
               : "=&r"(r)
               : "r"(t));
  o[i++] = r;
  asm("{ .reg .pred p, q; setp.lt.s32 p|q, %1, %2; setp.gt.and.u32 p, %1, 9, q;"
      "selp.u32 %0, 1, 2, p; }"
      : "=r"(r)
      : "r"(x), "r"(y));
  o[i++] = r;
  asm volatile("{ .reg .pred p; setp.ge.u32 p, %1, 16;"
               "@p st.global.u32 [%0], %1; }" ::"l"(o + i),
               "r"(t)
               : "memory");
  if (t < 16)
    o[i] = 5;
  ++i;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 16; mov.u32 %0, 3;"
               "@p ld.global.nc.u32 %0, [%1]; }"
               : "=&r"(r)
               : "l"(in + 2 * t), "r"(t));
  o[i++] = r;
  asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  o[i++] = r;
  // A warp.
  asm volatile("shfl.sync.bfly.b32 %0, %1, 3, 0x1f, 0xffffffff;"
               : "=r"(r)
               : "r"(x));
  o[i++] = r;
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 4, 0, 0xffffffff;"
               "@!p mov.u32 %0, 77; }"
               : "=r"(r)
               : "r"(t));
  o[i++] = r;
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 10;"
               "vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(r)
               : "r"(t));
  o[i++] = r;
  asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, 40;"
               "vote.sync.any.pred q, !p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
               : "=r"(r)
               : "r"(t));
  o[i++] = r;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(t / 4));
  o[i++] = r;
  // Atomics.
  asm volatile("atom.global.add.u32 %0, [%1], 2;"
               : "=r"(r)
               : "l"(counters + t)
               : "memory");
  o[i++] = r;
  asm volatile("red.global.max.s32 [%0+128], %1;" ::"l"(counters), "r"(t)
               : "memory");
  asm volatile("red.relaxed.gpu.global.add.f32 [%0], 0f3F800000;" ::"l"(reals)
               : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], %2, 9;"
               : "=r"(r)
               : "l"(counters + t), "r"(2)
               : "memory");
  o[i++] = r;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
               : "=r"(r)
               : "l"(counters + t)
               : "memory");
  o[i++] = r;
  // Copies to shared memory, by the addresses programs have of it.
  __shared__ __align__(16) unsigned s[128];
  unsigned place = (unsigned)__cvta_generic_to_shared(s + 4 * (t % 32));
  const unsigned *from = in + 4 * (t % 16);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n"
               "cp.async.commit_group;\ncp.async.wait_group 0;" ::"r"(place),
               "l"(from)
               : "memory");
  __syncthreads();
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(place + 8) : "memory");
  o[i++] = r;
  // Bits.
  asm("prmt.b32 %0, %1, %2, 0x7c10;" : "=r"(r) : "r"(x), "r"(y));
  o[i++] = r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(t * 0x1357));
  o[i++] = r;
  asm("bfe.s32 %0, %1, 5, 9;" : "=r"(r) : "r"(x));
  o[i++] = r;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(t), "r"(40 - t));
  o[i++] = r;
  unsigned long long w, z = (unsigned long long)x << 32 | y;
  asm("bfe.u64 %0, %1, 20, 30;" : "=l"(w) : "l"(z));
  o[i++] = (unsigned)w;
  asm("bfi.b64 %0, %1, %2, 10, 40;" : "=l"(w) : "l"(z), "l"(~z));
  o[i++] = (unsigned)(w >> 32) ^ (unsigned)w;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(t), "r"(40 - t));
  o[i++] = r;
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(r) : "r"(t + 30), "r"(t));
  o[i++] = r;
  asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(x >> t));
  o[i++] = r;
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(r) : "r"(x));
  o[i++] = r;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(t + 20));
  o[i++] = r;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;"
      : "=r"(r)
      : "r"(x), "r"(y), "r"(t + 20));
  o[i++] = r;
  // Products and carries.
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w) : "r"(x), "r"(y), "l"(z));
  o[i++] = (unsigned)(w >> 32) + (unsigned)w;
  asm("mad.hi.s32 %0, %1, %2, 5;" : "=r"(r) : "r"(x), "r"(y));
  o[i++] = r;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  o[i++] = r;
  unsigned low, high;
  asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %4, %5;"
      : "=&r"(low), "=r"(high)
      : "r"(x), "r"(y), "r"(t), "r"(1));
  o[i++] = low ^ high;
  asm("sub.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, %4, %5;"
      : "=&r"(low), "=r"(high)
      : "r"(x), "r"(y), "r"(t), "r"(1));
  o[i++] = low ^ high;
  asm("mad.lo.cc.u32 %0, %2, %3, %4;\n\tmadc.hi.u32 %1, %2, %3, 0;"
      : "=&r"(low), "=r"(high)
      : "r"(x), "r"(y), "r"(0xfffffff0u));
  o[i++] = low ^ high;
  // Numbers.
  float f;
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(x));
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(f / 65536 + 0.5f));
  o[i++] = r;
  asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(f) : "f"(f / 3e6f));
  o[i++] = (int)f;
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"((int)x >> 20));
  o[i++] = (signed char)r;
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(f) : "f"(t / 16.f - 0.5f));
  o[i++] = __float_as_uint(f);
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(t * 0.25f));
  asm("{ .reg .f16 a; mov.b16 a, %1; fma.rn.f16 a, a, a, a;"
      "cvt.f32.f16 %0, a; }"
      : "=f"(f)
      : "h"(h));
  o[i++] = __float_as_uint(f);
  asm("{ .reg .b32 l, h; mov.b64 {l, h}, %1; mov.b64 %0, {h, l}; }"
      : "=l"(w)
      : "l"(z));
  o[i++] = (unsigned)w;
  asm("slct.u32.s32 %0, %1, %2, %3;"
      : "=r"(r)
      : "r"(x), "r"(y), "r"((int)t - 9));
  o[i++] = r;
  // Pairs of bfloat16; the last thread's are no number and infinite.
  float value = t == 31 ? __int_as_float(0x7fc01234) : t * 0.37f + 3;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(value), "f"(-3e38f * t));
  o[i++] = r;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(t * 1.001f));
  o[i++] = h;
  asm("{ .reg .b32 a, b; mov.b32 a, 0x3fc03fc0; mov.b32 b, 0x3d803d80;"
      "fma.rn.bf16x2 %0, %1, a, b; }"
      : "=r"(r)
      : "r"(o[i - 1] | o[i - 1] << 16));
  o[i++] = r;
  asm("tanh.approx.f32 %0, %1;" : "=f"(f) : "f"(t * 0.2f - 3));
  o[i++] = fabsf(f - tanhf(t * 0.2f - 3)) < 2e-3f;
  while (i < Results)
    o[i++] = 0;
}

static unsigned permuted(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned code = selector >> 4 * i & 15;
    unsigned byte = bytes >> 8 * (code & 7) & 255;
    result |= (code & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
  }
  return result;
}
static unsigned bits(float f) {
  unsigned u;
  memcpy(&u, &f, 4);
  return u;
}
static int highest(unsigned x) { return x ? 31 - __builtin_clz(x) : -1; }

/// The bfloat16 that is nearest to a number.
static unsigned nearest(float x) {
  unsigned word;
  memcpy(&word, &x, sizeof(word));
  return (word + 0x7fff + (word >> 16 & 1)) >> 16;
}

int main() {
  unsigned in[64], out[32 * Results], counters[33] = {}, state = 5;
  for (unsigned &x : in) {
    state = state * 1664525u + 1013904223u;
    x = state ^ state >> 13;
  }
  in[0] = in[3] = 0;
  unsigned *d, *o, *c;
  float *f, sum = 0;
  cudaMalloc(&d, sizeof(in));
  cudaMalloc(&o, sizeof(out));
  cudaMalloc(&c, sizeof(counters));
  cudaMalloc(&f, sizeof(sum));
  cudaMemcpy(d, in, sizeof(in), cudaMemcpyHostToDevice);
  cudaMemcpy(c, counters, sizeof(counters), cudaMemcpyHostToDevice);
  cudaMemcpy(f, &sum, sizeof(sum), cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(o, d, c, f);
  cudaMemcpy(out, o, sizeof(out), cudaMemcpyDeviceToHost);
  cudaMemcpy(counters, c, sizeof(counters), cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, f, sizeof(sum), cudaMemcpyDeviceToHost);
  int bad = sum != 32 || counters[32] != 31;
  for (unsigned t = 0; t < 32; ++t) {
    const unsigned x = in[2 * t], y = in[2 * t + 1];
    const unsigned long long z = (unsigned long long)x << 32 | y;
    const int a = x, b = y;
    const unsigned long long mask40 = ((1ull << 40) - 1) << 10;
    const unsigned long long inserted = (z << 10 & mask40) | (~z & ~mask40);
    const unsigned long long wide = (unsigned long long)x * y;
    const unsigned long long sums = (unsigned long long)x + y;
    const unsigned sign = (unsigned)(a >> 31);
    const int start = t, length = 40 - t, end = start + length;
    const long long field = (long long)a >> start;
    const unsigned extracted =
        end > 31 ? (unsigned)field
                 : (unsigned)((int)((unsigned)field << (32 - length)) >>
                              (32 - length));
    const int scaled = a >> 20;
    const float half = t * 0.25f, real = (float)a;
    const unsigned single = nearest(t * 1.001f) << 16;
    float product;
    memcpy(&product, &single, sizeof(product));
    product = product * 1.5f + 0.0625f;
    const unsigned want[Results] = {
        t % 2 ? t + 100 : 7,
        a >= b && x > 9 ? 1u : 2u,
        t < 16 ? 5 : t,
        t < 16 ? x : 3,
        a < b ? ~0u : 0,
        in[2 * (t ^ 3)],
        t < 4 ? 77 : t - 4,
        0xfffff800u,
        1,
        0xfu << (t & ~3u),
        0,
        2,
        9,
        in[4 * (t % 16) + 2],
        permuted(x, y, 0x7c10),
        permuted(x, y, t * 0x1357),
        (unsigned)((int)(x << 18) >> 23),
        extracted,
        (unsigned)(z >> 20 & 0x3fffffff),
        (unsigned)(inserted >> 32) ^ (unsigned)inserted,
        (unsigned)(((1ull << std::min(40 - t, 32u)) - 1) << t),
        ((1u << t) - 1) << (t + 30) % 32,
        (unsigned)highest(x >> t),
        (x ^ sign) ? 31u - (unsigned)highest(x ^ sign) : ~0u,
        (unsigned)((((unsigned long long)y << 32 | x) << ((t + 20) & 31)) >>
                   32),
        (unsigned)(((unsigned long long)y << 32 | x) >>
                   (t + 20 > 32 ? 32 : t + 20)),
        (unsigned)((wide + z) >> 32) + (unsigned)(wide + z),
        (unsigned)((long long)a * b >> 32) + 5,
        (unsigned)((long long)((int)(x << 8) >> 8) * ((int)(y << 8) >> 8)),
        (unsigned)sums ^ (t + 1 + (unsigned)(sums >> 32)),
        (x - y) ^ (t - 1 - (x < y)),
        (unsigned)(wide + 0xfffffff0u) ^
            (unsigned)((wide + 0xfffffff0ull) >> 32),
        (unsigned)(int)__builtin_rintf(real / 65536 + 0.5f),
        (unsigned)(int)__builtin_floorf(real / 3e6f),
        (unsigned)(scaled < -128  ? -128
                   : scaled > 127 ? 127
                                  : scaled),
        bits(t < 8    ? 0
             : t > 24 ? 1
                      : t / 16.f - 0.5f),
        bits(half * half + half),
        x,
        (int)t - 9 >= 0 ? x : y,
        (t == 31 ? 0x7fffu : nearest(t * 0.37f + 3)) << 16 |
            nearest(-3e38f * t),
        nearest(t * 1.001f),
        nearest(product) << 16 | nearest(product),
        1};
    for (int i = 0; i < Results; ++i)
      if (out[Results * t + i] != want[i] && ++bad < 12)
        printf("thread %u, result %d of (%x, %x): %x, not %x\n", t, i, x, y,
               out[Results * t + i], want[i]);
  }
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
