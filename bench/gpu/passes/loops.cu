// What the passes over loops gain: pass_gains in this folder compares.
#include "timing.h"

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

/// Counts in as many iterations as there are bits.
__global__ void population_counts(const int *in, int *out) {
  int i = THREAD, count = 0;
  for (unsigned x = in[i]; x; ++count)
    x &= x - 1;
  out[i] = count;
}

/// A constant trip count, too long for LLVM's limit.
__global__ void full_unrolling(const float *in, float *out) {
  const int i = THREAD;
  float sum = 0;
  for (int k = 0; k < 48; ++k)
    sum += in[(i + k * Side) & (Elements - 1)] / (k + 2);
  out[i] = sum;
}

/// Sums up to each element, a block at a time.
__global__ void load_prefetching(const float4 *__restrict__ in,
                                 float4 *__restrict__ out, int n) {
  __shared__ float sums[Block];
  const int t = threadIdx.x;
  float before = 0;
  for (int k = blockIdx.x * n; k < (blockIdx.x + 1) * n; ++k) {
    float4 v = in[k * Block + t];
    v.y += v.x, v.z += v.y, v.w += v.z;
    sums[t] = v.w;
    __syncthreads();
    for (int d = 1; d < Block; d *= 2) {
      const float x = t >= d ? sums[t - d] : 0;
      __syncthreads();
      sums[t] += x;
      __syncthreads();
    }
    const float mine = before + (t ? sums[t - 1] : 0);
    before += sums[Block - 1];
    out[k * Block + t] =
        make_float4(v.x + mine, v.y + mine, v.z + mine, v.w + mine);
    __syncthreads();
  }
}

/// A filter of 64 sections, each a thread that hands on what it has made.
__global__ void partial_unrolling_barriers(const float *in, float *out, int n) {
  __shared__ float line[2][65];
  const int t = threadIdx.x;
  float first = 0, second = 0, y = 0;
  for (int k = t; k < 65; k += 64)
    line[0][k] = line[1][k] = 0;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    const float x = t ? line[k & 1][t] : in[blockIdx.x * n + k];
    y = 0.2f * x + first;
    first = 0.3f * x - 0.1f * y + second;
    second = 0.5f * x - 0.4f * y;
    line[k + 1 & 1][t + 1] = y;
    __syncthreads();
  }
  out[THREAD] = y;
}

/// Each iteration asks for a parameter.
__global__ void uniform_unswitching(const float *in, float *out, int n,
                                    bool average) {
  const int i = THREAD;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const float each = in[(k * Side + i) & (Elements - 1)];
    if (average)
      sum += each / (sum * sum + 1);
    else
      sum = fmaxf(sum, each);
  }
  out[i] = sum;
}

/// Rows of a sparse matrix, of any length.
__global__ void partial_unrolling(const int *starts, const int *columns,
                                  const float *values, const float *x,
                                  float *out) {
  const int begin = starts[THREAD] & (Elements - 128),
            end = begin + (starts[THREAD] >> 7 & 63);
  float sum = 0;
  for (int k = begin; k < end; ++k)
    sum += values[k] * x[columns[k]];
  out[THREAD] = sum;
}

/// A power of two for a limit.
__global__ void partial_unrolling_limits(const float *in, float *out,
                                         int bits) {
  const int i = THREAD;
  float sum = 0;
  for (unsigned k = 0; k < 1u << bits; ++k)
    sum = sum * 0.5f + in[(i + (k << bits)) & (Elements - 1)];
  out[i] = sum;
}

/// The largest of a window.
__global__ void partial_unrolling_window(const float *in, float *out, int high,
                                         int wide) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float most = -1;
  for (int j = 0; j < high; ++j)
    for (int i = 0; i < wide; ++i)
      most = fmaxf(most, in[(y * high + j) * Side + x * wide + i]);
  out[y * Side + x] = most;
}

/// Has many loads at a time if ptxas repeats it.
__global__ void loop_cleanup_ptxas(const float *a, const float *b, float *out,
                                   int n) {
  const int i = THREAD;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k * Side + i] * b[k * Side + i];
  out[i] = sum;
}

/// A product of a matrix, whose rows have any length, and a vector.
__global__ void strength_reduction(const float *a, const float *b, float *out,
                                   int n, int m) {
  const int i = THREAD;
  float sum = 0;
  for (int k = 0; k < m; ++k)
    sum += a[k * n + i] * b[k];
  out[i] = sum;
}

/// What many charges amount to at eight points of a thread.
__global__ void strength_reduction_neighbours(const float4 *charges, float *out,
                                              int n, float spacing) {
  const unsigned x = blockIdx.x * blockDim.x * 8 + threadIdx.x,
                 y = blockIdx.y * blockDim.y + threadIdx.y;
  float sums[8] = {};
  for (int k = 0; k < n; ++k) {
    const float dy = spacing * y - charges[k].y;
    const float rest = dy * dy + charges[k].z * charges[k].z + 1;
    float dx = spacing * x - charges[k].x;
#pragma unroll
    for (int j = 0; j < 8; ++j, dx += spacing * 16)
      sums[j] += charges[k].w * rsqrtf(dx * dx + rest);
  }
#pragma unroll
  for (int j = 0; j < 8; ++j)
    out[gridDim.x * blockDim.x * 8 * y + x + j * blockDim.x] += sums[j];
}

__constant__ float4 waves[1024];

/// Two limits, of which one is a number: ptxas repeats the loop if it sees how
/// often.
__global__ void exit_tests(const float *in, float *out, int at, int most) {
  const float x = in[THREAD], y = x * 0.5f, z = x * 0.25f;
  float real = 0, imaginary = 0;
  for (int k = 0; k < 1024 && at < most; ++k, ++at) {
    const float phase = waves[k].x * x + waves[k].y * y + waves[k].z * z;
    real += waves[k].w * __cosf(phase);
    imaginary += waves[k].w * __sinf(phase);
  }
  out[THREAD] = real + imaginary;
}

/// Sums of columns, whose loads wait for registers.
__global__ void register_bounds(const float *in, float *out, int n, int rows) {
  const int i = THREAD;
  float sum = 0;
  for (int k = 0; k < rows; ++k)
    sum += in[k * n + i];
  out[i] = sum;
}

/// Sums of columns, each element in a line of its own.
__global__ void register_bounds_columns(const short *in, int *out, int n,
                                        int rows) {
  const int i = THREAD;
  int sum = 0;
  for (int k = 0; k < rows; ++k)
    sum += in[k * n + i];
  out[i] = sum;
}

/// Sums of many terms, all of which can be loaded at once.
__global__ void register_bounds_terms(const float *in, const float *other,
                                      float *out, int n) {
  const int i = THREAD;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 96; ++k)
    sum += (k % 3 + 1) * (in[i + k * n] - 0.5f * other[i + k * n]);
  out[i] = sum;
}

/// Copies in each iteration what its flags say.
__global__ void register_bounds_copies(const int *__restrict__ flags,
                                       const float *__restrict__ in,
                                       float *__restrict__ out, int n) {
  for (int k = 0; k < n; ++k) {
    const int i = THREAD + k * Side * 16, flag = flags[i];
    if (flag & 1)
      out[i] = in[i];
    if (flag & 2)
      out[i + Elements / 4] = in[i + Elements / 4];
    if (flag & 4)
      out[i + Elements / 2] = in[i + Elements / 2];
  }
}

int main(int count, char **words) {
  Timing time(count, words);
  float *in = time.in, *other = time.other, *out = time.out;
  int *places = time.places;
  const int All = Elements / Block, Few = Side * 16 / Block;
  cudaMemcpyToSymbol(waves, in, sizeof(waves), 0, cudaMemcpyDeviceToDevice);
  time("population_counts",
       [&] { population_counts<<<All, Block>>>(places, (int *)out); });
  time("full_unrolling", [&] { full_unrolling<<<Few * 16, Block>>>(in, out); });
  time("load_prefetching", [&] {
    load_prefetching<<<64, Block>>>((float4 *)in, (float4 *)out, 64);
  });
  time("partial_unrolling_barriers",
       [&] { partial_unrolling_barriers<<<264, 64>>>(in, out, 1000); });
  time("uniform_unswitching",
       [&] { uniform_unswitching<<<Few * 16, Block>>>(in, out, 64, false); });
  time("partial_unrolling", [&] {
    partial_unrolling<<<Few * 4, Block>>>(places, places, in, other, out);
  });
  time("partial_unrolling_limits",
       [&] { partial_unrolling_limits<<<Few * 16, Block>>>(in, out, 7); });
  time("partial_unrolling_window", [&] {
    partial_unrolling_window<<<dim3(Side / 4 / Block, Side / 4), Block>>>(
        in, out, 4, 4);
  });
  time("loop_cleanup_ptxas", [&] {
    loop_cleanup_ptxas<<<Side / Block, Block>>>(in, other, out, 1000);
  });
  time("strength_reduction",
       [&] { strength_reduction<<<32, Block>>>(in, other, out, 8192, 1000); });
  time("strength_reduction_neighbours", [&] {
    strength_reduction_neighbours<<<dim3(8, 64), dim3(16, 8)>>>(
        (float4 *)in, out, 1000, 0.1f);
  });
  time("exit_tests", [&] { exit_tests<<<Few * 4, Block>>>(in, out, 0, 1000); });
  time("register_bounds",
       [&] { register_bounds<<<Few, Block>>>(in, out, Side * 4, 800); });
  time("register_bounds_columns", [&] {
    register_bounds_columns<<<32, Block>>>((short *)in, (int *)out, 8192, 1000);
  });
  time("register_bounds_terms", [&] {
    register_bounds_terms<<<64, Block>>>(in, other, out, 64 * Block);
  });
  time("register_bounds_copies",
       [&] { register_bounds_copies<<<Few, Block>>>(places, in, out, 64); });
}
