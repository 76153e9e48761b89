// What the passes over addresses and memory gain: pass_gains in this folder
// compares.
#include "timing.h"

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

/// An array of zeros to begin with.
__global__ void memory_copies(const int *flags, int *out) {
  int chosen[64] = {0};
  int count = 0;
  for (int i = 0; i < 64; ++i)
    if (flags[(THREAD + i * Block) & (Elements - 1)] & 1)
      chosen[count++] = i;
  out[THREAD] = chosen[THREAD & 63] + count;
}

/// `in` is not said to be apart from what is written: three parts of a record,
/// each into an array of its own.
__global__ void read_only_parameters(float *__restrict__ q,
                                     float *__restrict__ k,
                                     float *__restrict__ v, const float *in,
                                     int n, int size) {
  const int i = THREAD;
  if (i >= n)
    return;
  const int place = i / size * (3 * size) + i % size;
  q[i] = in[place];
  k[i] = in[place + size];
  v[i] = in[place + 2 * size];
}

/// What a thread's array holds is the same in all of them.
__global__ void memory_accesses_tables(const int *in, int *out) {
  int table[64];
#pragma unroll
  for (int k = 0; k < 64; ++k)
    table[k] = k * k * 37 ^ 0x1234;
  const int i = THREAD;
  out[i] = table[in[i] & 63] + table[in[i] >> 3 & 63];
}

struct View {
  float *data;
  int n;
};

/// Pointers that lie in memory.
__global__ void memory_accesses_spaces(const View *views, float *out, int n) {
  __shared__ float tile[Block];
  const float *from = views[0].data, *other = views[1].data;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x] = from[(THREAD + k * Side) & (Elements - 1)];
    const float next = other[(THREAD + k * 32) & (Elements - 1)];
    __syncthreads();
    sum += tile[threadIdx.x ^ 1] + next;
    __syncthreads();
  }
  out[THREAD] = sum;
}

__global__ void views(View *both, float *a, float *b) {
  both[0] = {a, Elements};
  both[1] = {b, Elements};
}

/// Pairs of a tile, whose addresses say that they are aligned.
__global__ void memory_accesses_vectors(const float *in, float *out) {
  __shared__ float tile[32][34];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[y + k][x] = in[THREAD + (y + k) * Side];
  __syncthreads();
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 16; ++k)
    sum += tile[x][k * 2] * tile[y][k * 2 + 1] +
           tile[x][k * 2 + 1] * tile[y][k * 2];
  out[blockIdx.x * 256 + y * 32 + x] = sum;
}

/// Nothing but two indices before the first load, which decides on the next.
__global__ void peephole_indices(const float *__restrict__ in,
                                 const float *__restrict__ other, float *out,
                                 int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < width && j < height) {
    const float scale = in[j * width + i];
    if (scale != 0)
      out[j * width + i] = other[j * width + i] * scale;
  }
}

/// Scores of an alignment: the tiles of a diagonal, in each of them diagonal
/// after diagonal.
__global__ void addressing_rows(int *__restrict__ scores,
                                const int *__restrict__ costs, int width,
                                int row, int column, int n, int diagonal,
                                int gap) {
  __shared__ int score[17][17], cost[16][16];
  const int t = threadIdx.x, x = blockIdx.x + width - diagonal,
            y = width - 1 - blockIdx.x;
  const int corner = row * n + column + n * 16 * y + 16 * x;
  const int first = corner + t + (n + 1), above = corner + t + 1,
            left = corner + n;
  if (t == 0)
    score[0][0] = scores[corner];
  for (int k = 0; k < 16; ++k)
    cost[k][t] = costs[first + n * k];
  score[t + 1][0] = scores[left + n * t];
  score[0][t + 1] = scores[above];
  __syncthreads();
  for (int m = 0; m < 16; ++m) {
    if (t <= m) {
      const int i = t + 1, j = m - t + 1;
      score[j][i] = max(score[j - 1][i - 1] + cost[j - 1][i - 1],
                        max(score[j][i - 1], score[j - 1][i]) - gap);
    }
    __syncthreads();
  }
  for (int m = 14; m >= 0; --m) {
    if (t <= m) {
      const int i = t + 16 - m, j = 16 - t;
      score[j][i] = max(score[j - 1][i - 1] + cost[j - 1][i - 1],
                        max(score[j][i - 1], score[j - 1][i]) - gap);
    }
    __syncthreads();
  }
  for (int k = 0; k < 16; ++k)
    scores[first + n * k] = score[k + 1][t + 1];
}

/// Diagonals of a tile, each under its own condition.
__global__ void addressing_tiles(const float *in, float *out) {
  __shared__ float tile[17][17];
  const int t = threadIdx.x, block = blockIdx.x;
  for (int m = 0; m < 17; ++m)
    tile[m][t] = in[(block * 64 + m * 16 + t) & (Elements - 1)];
  for (int m = t; m < 17; m += 16)
    tile[m][16] = m;
  __syncwarp(0xffff);
#pragma unroll
  for (int m = 0; m < 16; ++m) {
    if (t <= m)
      tile[m - t + 1][t + 1] =
          fmaxf(tile[m - t][t],
                fmaxf(tile[m - t + 1][t] - 1, tile[m - t][t + 1] - 1));
    __syncwarp(0xffff);
  }
  for (int m = 0; m < 16; ++m)
    out[block * 256 + m * 16 + t] = tile[m + 1][t + 1];
}

/// The half of a pair that only a condition needs.
__global__ void load_order_pairs(const float2 *vertex, float *out, int n,
                                 float limit) {
  const int i = THREAD;
  float sum = 0;
  for (int j = 0; j < n; ++j) {
    const float2 v = vertex[(i + j * Side) & (Elements / 2 - 1)];
    if (v.y > limit)
      sum += v.x;
  }
  out[i] = sum;
}

/// Loads behind a quotient.
__global__ void load_order_divisions(const float *a, const float *b,
                                     float *out) {
  const int i = THREAD;
  const float x = a[i] / (b[i] + 3);
  out[i] = x * a[(i + Side * 64) & (Elements - 1)] +
           b[(i + Side * 128) & (Elements - 1)];
}

/// Ends that each iteration asks for.
__global__ void late_addresses(const float *in, const float *weights,
                               float *out, int n, int m) {
  const int i = THREAD, first = i - m / 2;
  float sum = 0;
  for (int j = 0; j < m; j++)
    if (first + j >= 0 && first + j < n)
      sum += in[first + j] * weights[j];
  out[i] = sum;
}

/// Counters of one byte.
__global__ void annotation_arrays(const int *in, int *out, int n) {
  unsigned char counts[64];
  for (int k = 0; k < 64; ++k)
    counts[k] = 0;
  for (int k = 0; k < n; ++k)
    counts[in[(THREAD + k * Side) & (Elements - 1)] & 63]++;
  int most = 0;
  for (int k = 0; k < 64; ++k)
    most = most > counts[k] ? most : counts[k];
  out[THREAD] = most;
}

/// Three numbers of the device's heap, as the result of a function may be.
__global__ void automatic_arrays(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    auto *three = (float *)malloc(3 * sizeof(float));
    for (int i = 0; i < 3; ++i)
      three[i] = in[(THREAD + k + i) & (Elements - 1)];
    sum += three[k % 3];
    free(three);
  }
  out[THREAD] = sum;
}

int main(int count, char **words) {
  Timing time(count, words);
  float *in = time.in, *other = time.other, *out = time.out;
  int *places = time.places;
  const int All = Elements / Block, Few = Side * 16 / Block;
  View *both;
  cudaMalloc(&both, sizeof(View) * 2);
  views<<<1, 1>>>(both, in, other);
  time("memory_copies",
       [&] { memory_copies<<<Few * 4, Block>>>(places, (int *)out); });
  time("read_only_parameters", [&] {
    read_only_parameters<<<All / 4, Block>>>(
        out, out + Elements / 4, out + Elements / 2, in, Elements / 4, 768);
  });
  time("memory_accesses_tables",
       [&] { memory_accesses_tables<<<All, Block>>>(places, (int *)out); });
  time("memory_accesses_spaces",
       [&] { memory_accesses_spaces<<<Few * 4, Block>>>(both, out, 32); });
  time("memory_accesses_vectors",
       [&] { memory_accesses_vectors<<<All / 16, dim3(32, 8)>>>(in, out); });
  time("peephole_indices", [&] {
    peephole_indices<<<dim3(Side / 16, Side / 16), dim3(16, 16)>>>(
        in, other, out, Side, Side);
  });
  time("addressing_rows", [&] {
    for (int k = Side / 16 - 2; k > 0; --k)
      addressing_rows<<<k, 16>>>((int *)out, places, Side / 16 - 1, 0, 0, Side,
                                 k, 10);
  });
  time("addressing_tiles",
       [&] { addressing_tiles<<<Elements / 512, 16>>>(in, out); });
  time("load_order_pairs",
       [&] { load_order_pairs<<<Few, Block>>>((float2 *)in, out, 64, 0.2f); });
  time("load_order_divisions",
       [&] { load_order_divisions<<<All, Block>>>(in, other, out); });
  time("late_addresses",
       [&] { late_addresses<<<All, Block>>>(in, other, out, Elements, 21); });
  time("annotation_arrays",
       [&] { annotation_arrays<<<Few * 8, Block>>>(places, (int *)out, 16); });
  time("automatic_arrays",
       [&] { automatic_arrays<<<Few, Block>>>(in, out, 20); });
}
