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

/// A product of matrices in tiles: two barriers in each iteration.
__global__ void load_prefetching(const float *__restrict__ a,
                                 const float *__restrict__ b,
                                 float *__restrict__ c, int n) {
  __shared__ float as[16][16], bs[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[y][x] = a[row * n + k + x];
    bs[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += as[y][j] * bs[j][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// Each thread hands a value on to the next one: one barrier in each iteration.
__global__ void partial_unrolling_barriers(const float *in, float *out, int n) {
  __shared__ float line[2][Block + 1];
  const int t = threadIdx.x;
  if (t < 2)
    line[t][0] = 0;
  float x = in[THREAD];
  for (int k = 0; k < n; ++k) {
    line[k & 1][t + 1] = x;
    __syncthreads();
    x = 0.5f * x + 0.25f * line[k & 1][t];
  }
  out[THREAD] = x;
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

/// A trip count that is known when the loop starts, and a long iteration.
__global__ void partial_unrolling(const float4 *in, float *out, int n) {
  const float4 own = in[THREAD];
  float x = 0, y = 0, z = 0;
  for (int k = 0; k < n; ++k) {
    const float4 each = in[k];
    const float dx = each.x - own.x, dy = each.y - own.y, dz = each.z - own.z;
    const float distance = dx * dx + dy * dy + dz * dz + 0.01f;
    const float part = rsqrtf(distance * distance * distance) * each.w;
    x += dx * part;
    y += dy * part;
    z += dz * part;
  }
  out[THREAD] = x + y + z;
}

/// Leaves over one or two iterations.
__global__ void loops_done_remainders(const float *in, float *out, int n) {
  const int i = THREAD;
  float most = 0;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < n; ++k)
      most = fmaxf(most, in[(i + j * Side + k) & (Elements - 1)]);
  out[i] = most;
}

/// Has many loads at a time if ptxas repeats it.
__global__ void loops_done_ptxas(const float *a, const float *b, float *out,
                                 int n) {
  const int i = THREAD;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k * Side + i] * b[k * Side + i];
  out[i] = sum;
}

/// Steps that are known at run time only.
__global__ void strength_reduction(const float *a, const float *b, float *out,
                                   int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[j * n + k] * b[k * n + i];
  out[j * n + i] = sum;
}

__constant__ float mask[64];

/// The counter finds an element of constant memory, and one of the thread's
/// own.
__global__ void strength_reduction_constant(const float *in, float *out,
                                            int n) {
  __shared__ float tile[Block + 64];
  const int t = threadIdx.x;
  tile[t] = in[THREAD];
  if (t < 64)
    tile[Block + t] = in[(THREAD + Block) & (Elements - 1)];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += tile[t + j] * mask[j];
  out[THREAD] = sum;
}

/// The end of the inner loop is its own limit.
__global__ void exit_tests(const float *in, float *out, int width, int rows) {
  const int i = THREAD;
  float sum = 0;
  for (int j = 0; j <= rows; ++j)
    for (int k = -width; k <= width; ++k)
      sum += in[(i + j * Side + k + width) & (Elements - 1)];
  out[i] = sum;
}

/// Counts from -r on, and ptxas repeats nothing that is atomic: what is left
/// behind tells whether it counts the iterations.
__global__ void negated_starts(const int *places, int *out, int n) {
  const int x = THREAD + 4, y = blockIdx.y + 4, r = places[y * n + x] & 3;
  for (int k = -r; k <= r; ++k)
    for (int l = -r; l <= r; ++l)
      atomicAdd(&out[(x + k) + (y + l) * n], 1);
}

/// A loop at whose end the threads of a block wait, whatever each has done.
__global__ void loop_layout(const volatile int *links, const int *others,
                            int *out, int n) {
  int k = THREAD;
  for (int left = n; left > 0; --left) {
    const int here = links[k];
    if (here & 1) {
      const int there = others[here];
      if (there & 2)
        out[k] = there;
      k = (k + Side) & (Elements - 1);
    }
    __syncthreads();
  }
}

/// Sums of columns, whose loads wait for registers.
__global__ void register_bounds(const float *in, float *out, int n, int rows) {
  const int i = THREAD;
  float sum = 0;
  for (int k = 0; k < rows; ++k)
    sum += in[k * n + i];
  out[i] = sum;
}

/// Rows of a sparse matrix.
__global__ void register_bounds_gather(const int *lengths, const int *columns,
                                       const float *values, const float *x,
                                       float *out, int rows) {
  const int i = THREAD;
  float sum = 0;
  const int n = lengths[i] & 31;
  for (int k = 0; k < n; ++k)
    sum += values[k * rows + i] * x[columns[k * rows + i]];
  out[i] = sum;
}

int main(int count, char **words) {
  Timing time(count, words);
  float *in = time.in, *other = time.other, *out = time.out;
  int *places = time.places;
  const int All = Elements / Block, Few = Side * 16 / Block;
  cudaMemcpyToSymbol(mask, in, sizeof(mask), 0, cudaMemcpyDeviceToDevice);
  time("population_counts",
       [&] { population_counts<<<All, Block>>>(places, (int *)out); });
  time("full_unrolling", [&] { full_unrolling<<<Few, Block>>>(in, out); });
  time("load_prefetching", [&] {
    load_prefetching<<<dim3(64, 64), dim3(16, 16)>>>(in, other, out, 1024);
  });
  time("partial_unrolling_barriers",
       [&] { partial_unrolling_barriers<<<Few * 16, Block>>>(in, out, 100); });
  time("uniform_unswitching",
       [&] { uniform_unswitching<<<Few * 16, Block>>>(in, out, 64, false); });
  time("partial_unrolling",
       [&] { partial_unrolling<<<Few * 16, Block>>>((float4 *)in, out, 200); });
  time("loops_done_remainders",
       [&] { loops_done_remainders<<<All, Block>>>(in, out, 2); });
  time("loops_done_ptxas", [&] {
    loops_done_ptxas<<<Side / Block, Block>>>(in, other, out, 1000);
  });
  time("strength_reduction", [&] {
    strength_reduction<<<dim3(4, 1024), Block>>>(in, other, out, 1024);
  });
  time("strength_reduction_constant",
       [&] { strength_reduction_constant<<<Few * 16, Block>>>(in, out, 63); });
  time("exit_tests", [&] { exit_tests<<<Few, Block>>>(in, out, 4, 8); });
  time("negated_starts", [&] {
    cudaMemsetAsync(out, 0, sizeof(float) * Elements);
    negated_starts<<<dim3(Side / Block - 1, Side / 4), Block>>>(
        places, (int *)out, Side);
  });
  time("loop_layout", [&] {
    loop_layout<<<Few, Block>>>(places, (int *)in, (int *)out, 100);
  });
  time("register_bounds",
       [&] { register_bounds<<<Few, Block>>>(in, out, Side * 4, 800); });
  time("register_bounds_gather", [&] {
    register_bounds_gather<<<Few, Block>>>(places, places, other, in, out,
                                           Few * Block);
  });
}
