// ldmatrix, stmatrix, movmatrix and mma.sync written as PTX: a tiled product
// with copies into mixed places, and every type and shape by itself, against
// plain loops.
// FLAGS: -arch=sm_90 -march=x86-64-v3
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

static int wrong = 0;
static void check(const char *what, double found, double expected) {
  if (found == expected || ++wrong > 20)
    return;
  printf("%s: %g, not %g\n", what, found, expected);
}
template <class T> T *managed(size_t n) {
  T *p;
  cudaMallocManaged(&p, n * sizeof(T));
  return p;
}
static unsigned state = 1;
static unsigned number() { return (state = state * 1664525 + 1013904223) >> 8; }

//===--- a product of tiles ---===//

constexpr int M = 32, N = 16, K = 32, Threads = 64;

__device__ uint32_t sharedAddress(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
/// The byte of part \p part (of 16 bytes) of row \p row: mixed, as against
/// conflicts of banks, so that addresses are no plain sums.
__device__ uint32_t place(int row, int part) {
  return (row * K * 2 + part * 16) ^ (row / 2 % 4 * 16);
}
__device__ void multiply(float *d, const uint32_t *a, const uint32_t *b,
                         __half) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}
__device__ void multiply(float *d, const uint32_t *a, const uint32_t *b,
                         __nv_bfloat16) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%10, %11, %12, %13};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]), "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]));
}

template <class T> __device__ void bring(uint32_t to, const T *from, int rows) {
  for (int i = threadIdx.x; i < rows * K / 8; i += Threads)
    asm volatile(
        "cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;\n" ::"r"(
            to + place(i / (K / 8), i % (K / 8))),
        "l"(from + 8 * i), "r"(16));
}
/// d = a b; a and b lie along k.
template <class T> __global__ void tiled(const T *a, const T *b, float *d) {
  extern __shared__ __align__(128) unsigned char memory[];
  uint32_t tiles[2] = {sharedAddress(memory),
                       sharedAddress(memory) + M * K * 2};
  bring(tiles[0], a, M);
  bring(tiles[1], b, N);
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  __syncthreads();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sums[N / 8][4] = {};
#pragma unroll
  for (int k = 0; k < K; k += 16) {
    uint32_t x[4], y[4];
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
        : "r"(tiles[0] + place(warp * 16 + lane % 16, k / 8 + lane / 16)));
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared::cta.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                 : "r"(tiles[1] +
                       place(lane % 8 + lane / 16 * 8, k / 8 + lane / 8 % 2)));
    for (int n = 0; n < N / 8; ++n)
      multiply(sums[n], x, y + 2 * n, T());
  }
  for (int n = 0; n < N / 8; ++n)
    for (int i = 0; i < 4; ++i)
      d[(warp * 16 + lane / 4 + i / 2 * 8) * N + n * 8 + lane % 4 * 2 + i % 2] =
          sums[n][i];
}
template <class T> void testTiles(const char *what) {
  T *a = managed<T>(M * K), *b = managed<T>(N * K);
  float *d = managed<float>(M * N);
  for (int i = 0; i < M * K; ++i)
    a[i] = T(float(number() % 15) - 7);
  for (int i = 0; i < N * K; ++i)
    b[i] = T(float(number() % 15) - 7);
  tiled<<<1, Threads, (M + N) * K * 2>>>(a, b, d);
  check(what, cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < M * N; ++i) {
    float sum = 0;
    for (int k = 0; k < K; ++k)
      sum += float(a[i / N * K + k]) * float(b[i % N * K + k]);
    check(what, d[i], sum);
  }
}

//===--- matrices in shared memory ---===//

__global__ void turned(const uint16_t *in, uint16_t *out, uint32_t *moved) {
  __shared__ __align__(16) uint16_t from[4][8][8], to[4][8][8], one[8][8];
  const int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32)
    (&from[0][0][0])[i] = in[i];
  one[lane / 4][lane % 4 * 2] = one[lane / 4][lane % 4 * 2 + 1] = 0;
  __syncwarp();
  uint32_t r[4], x2[2], x1, own = in[lane] | in[lane + 32] << 16;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(sharedAddress(from[lane / 8][lane % 8]))
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], "
               "{%1, %2, %3, %4};" ::"r"(sharedAddress(to[lane / 8][lane % 8])),
               "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(x2[0]), "=r"(x2[1])
               : "r"(sharedAddress(from[lane / 8 % 2][lane % 8])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(x1)
               : "r"(sharedAddress(from[2][lane % 8])));
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(
          sharedAddress(one[lane % 8])),
      "r"(x1)
      : "memory");
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(moved[lane])
               : "r"(own));
  __syncwarp();
  for (int i = lane; i < 256; i += 32)
    out[i] = (&to[0][0][0])[i];
  for (int i = lane; i < 64; i += 32)
    out[256 + i] = (&one[0][0])[i];
  moved[32 + lane] = x2[0];
  moved[64 + lane] = x2[1];
}
void testMatrices() {
  uint16_t *in = managed<uint16_t>(256), *out = managed<uint16_t>(320);
  uint32_t *moved = managed<uint32_t>(96);
  for (int i = 0; i < 256; ++i)
    in[i] = number();
  turned<<<1, 32>>>(in, out, moved);
  check("turned", cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 256; ++i)
    check("ldmatrix.trans", out[i], in[i / 64 * 64 + i % 8 * 8 + i / 8 % 8]);
  for (int i = 0; i < 64; ++i)
    check("stmatrix.trans", out[256 + i], in[128 + i % 8 * 8 + i / 8]);
  for (int lane = 0; lane < 32; ++lane) {
    // Element e of row r is half e % 2 of lane 4 r + e / 2.
    for (int half = 0; half < 2; ++half) {
      int row = lane % 4 * 2 + half, column = lane / 4;
      check("movmatrix", moved[lane] >> 16 * half & 0xffff,
            in[row * 4 + column / 2 + column % 2 * 32]);
    }
    check("ldmatrix.x2", moved[32 + lane],
          in[2 * lane] | uint32_t(in[2 * lane + 1]) << 16);
    check("ldmatrix.x2", moved[64 + lane],
          in[64 + 2 * lane] | uint32_t(in[64 + 2 * lane + 1]) << 16);
  }
}

//===--- every form of mma ---===//

enum Kind { F16, BF16, TF32, S8, U8, S4, U4, B1, E4M3, E5M2 };
constexpr int bitsOf(Kind kind) {
  return kind == TF32                  ? 32
         : kind == F16 || kind == BF16 ? 16
         : kind == S4 || kind == U4    ? 4
         : kind == B1                  ? 1
                                       : 8;
}
/// A small number as \p kind has it.
static unsigned encoded(Kind kind, int value) {
  const float real = value;
  const unsigned single = *reinterpret_cast<const unsigned *>(&real);
  switch (kind) {
  case TF32:
    return single | 0xfff; // of which nothing is seen
  case BF16:
    return single >> 16;
  case F16:
  case E5M2:
  case E4M3: {
    const int exponent = value ? int(single >> 23 & 255) - 127 : 0;
    const unsigned sign = single >> 31, digits = single >> 13 & 0x3ff;
    if (kind == F16)
      return value ? sign << 15 | unsigned(exponent + 15) << 10 | digits : 0;
    if (kind == E5M2)
      return value ? sign << 7 | unsigned(exponent + 15) << 2 | digits >> 8 : 0;
    return value ? sign << 7 | unsigned(exponent + 7) << 3 | digits >> 7 : 0;
  }
  default:
    return unsigned(value) & ((1u << bitsOf(kind)) - 1);
  }
}
static int numberOf(Kind kind) {
  const int least = kind == U8 || kind == U4 || kind == B1 ? 0 : -4;
  return least + int(number() % (kind == B1 ? 2 : 8));
}

// By how many registers of a and b there are.
#define FORM_4_2(name, instruction, D, letter)                                 \
  struct name {                                                                \
    static __device__ void run(D *d, const uint32_t *a, const uint32_t *b) {   \
      asm volatile(instruction " {%0, %1, %2, %3}, {%4, %5, %6, %7}, "         \
                               "{%8, %9}, {%0, %1, %2, %3};"                   \
                   : "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]),     \
                     "+" letter(d[3])                                          \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),    \
                     "r"(b[1]));                                               \
    }                                                                          \
  };
#define FORM_2_1(name, instruction, D, letter)                                 \
  struct name {                                                                \
    static __device__ void run(D *d, const uint32_t *a, const uint32_t *b) {   \
      asm volatile(instruction " {%0, %1, %2, %3}, {%4, %5}, {%6}, "           \
                               "{%0, %1, %2, %3};"                             \
                   : "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]),     \
                     "+" letter(d[3])                                          \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]));                         \
    }                                                                          \
  };
#define FORM_1_1(name, instruction)                                            \
  struct name {                                                                \
    static __device__ void run(int *d, const uint32_t *a, const uint32_t *b) { \
      asm volatile(instruction " {%0, %1}, {%2}, {%3}, {%0, %1};"              \
                   : "+r"(d[0]), "+r"(d[1])                                    \
                   : "r"(a[0]), "r"(b[0]));                                    \
    }                                                                          \
  };
#define MMA(shape, types) "mma.sync.aligned." shape ".row.col." types
FORM_2_1(Half8, MMA("m16n8k8", "f32.f16.f16.f32"), float, "f")
FORM_4_2(Half16, MMA("m16n8k16", "f32.f16.f16.f32"), float, "f")
FORM_2_1(BFloat8, MMA("m16n8k8", "f32.bf16.bf16.f32"), float, "f")
FORM_2_1(Tf4, MMA("m16n8k4", "f32.tf32.tf32.f32"), float, "f")
FORM_4_2(Tf8, MMA("m16n8k8", "f32.tf32.tf32.f32"), float, "f")
FORM_4_2(Byte32, MMA("m16n8k32", "s32.s8.s8.s32"), int, "r")
FORM_4_2(Mixed32, MMA("m16n8k32", "satfinite.s32.u8.s8.s32"), int, "r")
FORM_2_1(Byte16, MMA("m16n8k16", "s32.s8.u8.s32"), int, "r")
FORM_1_1(ByteSquare, MMA("m8n8k16", "s32.u8.u8.s32"))
FORM_4_2(Nibble64, MMA("m16n8k64", "s32.s4.s4.s32"), int, "r")
FORM_2_1(Nibble32, MMA("m16n8k32", "s32.u4.s4.s32"), int, "r")
FORM_4_2(Bit256, MMA("m16n8k256", "s32.b1.b1.s32.xor.popc"), int, "r")
FORM_2_1(Bit128, MMA("m16n8k128", "s32.b1.b1.s32.and.popc"), int, "r")
FORM_4_2(Eight32, MMA("m16n8k32", "f32.e4m3.e5m2.f32"), float, "f")

/// Sums of halves are two in a register.
struct HalfSums {
  static __device__ void run(float *d, const uint32_t *a, const uint32_t *b) {
    __half2 low = __floats2half2_rn(d[0], d[1]),
            high = __floats2half2_rn(d[2], d[3]);
    uint32_t &x = reinterpret_cast<uint32_t &>(low),
             &y = reinterpret_cast<uint32_t &>(high);
    asm volatile(MMA("m16n8k16",
                     "f16.f16.f16.f16") " {%0, %1}, "
                                        "{%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(x), "+r"(y)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]));
    d[0] = __low2float(low), d[1] = __high2float(low);
    d[2] = __low2float(high), d[3] = __high2float(high);
  }
};

template <class Form, class D>
__global__ void product(D *d, const uint32_t *a, const uint32_t *b, int m,
                        int words) {
  const int row = threadIdx.x / 4, t = threadIdx.x % 4;
  uint32_t x[4], y[2];
  D sums[4];
  for (int part = 0; part < words / 4; ++part) {
    for (int half = 0; half < m / 8; ++half)
      x[part * (m / 8) + half] = a[(row + 8 * half) * words + 4 * part + t];
    y[part] = b[row * words + 4 * part + t];
  }
  for (int i = 0; i < m / 4; ++i)
    sums[i] = d[(row + i / 2 * 8) * 8 + 2 * t + i % 2];
  if (words > 0) // not for all lanes the compiler knows
    Form::run(sums, x, y);
  for (int i = 0; i < m / 4; ++i)
    d[(row + i / 2 * 8) * 8 + 2 * t + i % 2] = sums[i];
}

template <class Form, class D>
void test(const char *what, Kind kindA, Kind kindB, int k, int m = 16,
          bool isAnd = false, D first = D(0)) {
  const int bits = bitsOf(kindA), words = k * bits / 32;
  uint32_t *a = managed<uint32_t>(m * words), *b = managed<uint32_t>(8 * words);
  D *d = managed<D>(m * 8);
  int x[16][256], y[8][256];
  for (int i = 0; i < m * words; ++i)
    a[i] = 0;
  for (int i = 0; i < 8 * words; ++i)
    b[i] = 0;
  for (int i = 0; i < m + 8; ++i)
    for (int j = 0; j < k; ++j) {
      Kind kind = i < m ? kindA : kindB;
      int &value = i < m ? x[i][j] : y[i - m][j];
      value = numberOf(kind);
      (i < m ? a[i * words + j * bits / 32]
             : b[(i - m) * words + j * bits / 32]) |= encoded(kind, value)
                                                      << j * bits % 32;
    }
  for (int i = 0; i < m * 8; ++i)
    d[i] = first + D(i);
  product<Form><<<1, 32>>>(d, a, b, m, words);
  check(what, cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < m * 8; ++i) {
    double sum = double(first + D(i));
    for (int j = 0; j < k; ++j) {
      int p = x[i / 8][j], q = y[i % 8][j];
      sum += kindA != B1 ? p * q : isAnd ? p & q : p ^ q;
    }
    if (sum > 2147483647.0 && first)
      sum = 2147483647.0;
    check(what, double(d[i]), sum);
  }
}

//===--- doubles ---===//

template <int m, int k>
__global__ void doubles(double *d, const double *a, const double *b) {
  const int row = threadIdx.x / 4, t = threadIdx.x % 4;
  double x[8], y[4], s[4];
  for (int part = 0; part < k / 4; ++part) {
    for (int half = 0; half < m / 8; ++half)
      x[part * (m / 8) + half] = a[(row + 8 * half) * k + 4 * part + t];
    y[part] = b[row * k + 4 * part + t];
  }
  for (int i = 0; i < m / 4; ++i)
    s[i] = d[(row + i / 2 * 8) * 8 + 2 * t + i % 2];
  if constexpr (m == 8)
    asm volatile(
        MMA("m8n8k4", "f64.f64.f64.f64") " {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(s[0]), "+d"(s[1])
        : "d"(x[0]), "d"(y[0]));
  else if constexpr (k == 4)
    asm volatile(
        MMA("m16n8k4", "f64.f64.f64.f64") " {%0, %1, %2, %3}, {%4, %5}, {%6}, "
                                          "{%0, %1, %2, %3};"
        : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
        : "d"(x[0]), "d"(x[1]), "d"(y[0]));
  else if constexpr (k == 8)
    asm volatile(
        MMA("m16n8k8",
            "f64.f64.f64.f64") " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                               "{%0, %1, %2, %3};"
        : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
        : "d"(x[0]), "d"(x[1]), "d"(x[2]), "d"(x[3]), "d"(y[0]), "d"(y[1]));
  else
    asm volatile(
        MMA("m16n8k16",
            "f64.f64.f64.f64") " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, "
                               "%10, %11}, "
                               "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
        : "d"(x[0]), "d"(x[1]), "d"(x[2]), "d"(x[3]), "d"(x[4]), "d"(x[5]),
          "d"(x[6]), "d"(x[7]), "d"(y[0]), "d"(y[1]), "d"(y[2]), "d"(y[3]));
  for (int i = 0; i < m / 4; ++i)
    d[(row + i / 2 * 8) * 8 + 2 * t + i % 2] = s[i];
}
template <int m, int k> void testDoubles() {
  double *a = managed<double>(m * k), *b = managed<double>(8 * k),
         *d = managed<double>(m * 8);
  for (int i = 0; i < m * k; ++i)
    a[i] = int(number() % 100) / 4.0;
  for (int i = 0; i < 8 * k; ++i)
    b[i] = int(number() % 100) / 8.0;
  for (int i = 0; i < m * 8; ++i)
    d[i] = i;
  doubles<m, k><<<1, 32>>>(d, a, b);
  check("doubles", cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < m * 8; ++i) {
    double sum = i;
    for (int j = 0; j < k; ++j)
      sum += a[i / 8 * k + j] * b[i % 8 * k + j];
    check("doubles", d[i], sum);
  }
}

//===--- m8n8k4: four products of eight lanes each ---===//

template <bool single>
__global__ void quads(float *d, const __half *a, const __half *b) {
  const int lane = threadIdx.x, quad = lane / 4 % 4, upper = lane / 16;
  a += quad * 32, b += quad * 32, d += quad * 64;
  __half x[4], y[4];
  for (int i = 0; i < 4; ++i) {
    x[i] = a[(lane % 4 + 4 * upper) * 4 + i];         // in rows
    y[i] = single ? b[(lane % 4) * 8 + i + 4 * upper] // in rows
                  : b[i * 8 + lane % 4 + 4 * upper];  // in columns
  }
  const uint32_t *p = reinterpret_cast<uint32_t *>(x),
                 *q = reinterpret_cast<uint32_t *>(y);
  if constexpr (single) {
    float s[8];
    for (float &each : s)
      each = 1;
    asm volatile("mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, "
                 "{%0, %1, %2, %3, %4, %5, %6, %7};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]),
                   "+f"(s[5]), "+f"(s[6]), "+f"(s[7])
                 : "r"(p[0]), "r"(p[1]), "r"(q[0]), "r"(q[1]));
    for (int i = 0; i < 8; ++i)
      d[((lane & 1) + (i & 2) + 4 * upper) * 8 + (i & 4) + (lane & 2) +
        (i & 1)] = s[i];
  } else {
    __half s[8];
    for (__half &each : s)
      each = 1;
    uint32_t *r = reinterpret_cast<uint32_t *>(s);
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3};"
                 : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3])
                 : "r"(p[0]), "r"(p[1]), "r"(q[0]), "r"(q[1]));
    for (int i = 0; i < 8; ++i)
      d[(lane % 4 + 4 * upper) * 8 + i] = s[i];
  }
}
template <bool single> void testQuads() {
  __half *a = managed<__half>(128), *b = managed<__half>(128);
  float *d = managed<float>(256);
  for (int i = 0; i < 128; ++i) {
    a[i] = float(number() % 9) - 4;
    b[i] = float(number() % 9) - 4;
  }
  quads<single><<<1, 32>>>(d, a, b);
  check("m8n8k4", cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 256; ++i) {
    float sum = 1;
    for (int k = 0; k < 4; ++k)
      sum += float(a[i / 64 * 32 + i / 8 % 8 * 4 + k]) *
             float(b[i / 64 * 32 + k * 8 + i % 8]);
    check("m8n8k4", d[i], sum);
  }
}

int main() {
  testTiles<__half>("tiles of half");
  testTiles<__nv_bfloat16>("tiles of bfloat16");
  testMatrices();
  test<Half8, float>("m16n8k8 f16", F16, F16, 8);
  test<Half16, float>("m16n8k16 f16", F16, F16, 16);
  test<HalfSums, float>("m16n8k16 f16 sums", F16, F16, 16);
  test<BFloat8, float>("m16n8k8 bf16", BF16, BF16, 8);
  test<Tf4, float>("m16n8k4 tf32", TF32, TF32, 4);
  test<Tf8, float>("m16n8k8 tf32", TF32, TF32, 8);
  test<Byte32, int>("m16n8k32 s8", S8, S8, 32);
  test<Mixed32, int>("m16n8k32 u8 s8", U8, S8, 32, 16, false, 2147483400);
  test<Byte16, int>("m16n8k16 s8 u8", S8, U8, 16);
  test<ByteSquare, int>("m8n8k16 u8", U8, U8, 16, 8);
  test<Nibble64, int>("m16n8k64 s4", S4, S4, 64);
  test<Nibble32, int>("m16n8k32 u4 s4", U4, S4, 32);
  test<Bit256, int>("m16n8k256 xor", B1, B1, 256);
  test<Bit128, int>("m16n8k128 and", B1, B1, 128, 16, true);
  test<Eight32, float>("m16n8k32 e4m3 e5m2", E4M3, E5M2, 32);
  testDoubles<8, 4>();
  testDoubles<16, 4>();
  testDoubles<16, 8>();
  testDoubles<16, 16>();
  testQuads<true>();
  testQuads<false>();
  printf(wrong ? "FAILED\n" : "PASSED\n");
  return wrong != 0;
}
