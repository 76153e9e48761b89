// What the passes over branches gain: pass_gains in this folder compares.
#include "timing.h"

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

/// Two ways that only store, to one of which two conditions lead.
__global__ void store_sinking(const int *in, unsigned char *out, int n,
                              int limit) {
  const int i = THREAD;
  if (i >= n - Side)
    return;
  const int a = in[i] & 255, b = in[i + 1] & 255, c = in[i + Side] & 255;
  if (abs(a - b) > limit || abs(a - c) > limit)
    out[i] = 255;
  else
    out[i] = 0;
}

/// A quotient that few iterations need, for all threads of a warp.
__global__ void division_sinking(const float *in, float *out, int n) {
  const int i = THREAD;
  float x = in[i];
  for (int k = 0; k < n; ++k) {
    float y = in[(i / 32 + k * Side) & (Elements - 1)];
    if (y > 0.9f)
      y /= x + 3;
    x = x * 0.5f + y;
  }
  out[i] = x;
}

/// Edges of a tile, each loaded by one row or column of threads.
__global__ void branches_switches(const float *in, float *out) {
  __shared__ float tile[10][34];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = (blockIdx.y * 8 + y + 1) * Side + blockIdx.x * 32 + x + 1;
  tile[y + 1][x + 1] = in[i];
  if (x == 0)
    tile[y + 1][0] = in[i - 1];
  else if (x == 31)
    tile[y + 1][33] = in[(i + 1) & (Elements - 1)];
  if (y == 0)
    tile[0][x + 1] = in[i - Side];
  else if (y == 7)
    tile[9][x + 1] = in[(i + Side) & (Elements - 1)];
  __syncthreads();
  float sum = 0;
  for (int k = -1; k < 2; ++k)
    sum += tile[y + 1 + k][x + 1] + tile[y + 1][x + 1 + k];
  out[i & (Elements - 1)] = sum;
}

/// Counts iterations until a condition ends them.
__global__ void branches_values(int *out, int most) {
  const int i = THREAD;
  const float x0 = (i & (Side - 1)) * (3.0f / Side) - 2,
              y0 = (i >> 12) * (2.0f / Side) - 1;
  float x = 0, y = 0;
  int count = 0;
  for (int k = 0; k < most; ++k) {
    const float xx = x * x, yy = y * y;
    const bool isInside = xx + yy <= 4;
    count += isInside;
    if (!isInside)
      break;
    y = 2 * x * y + y0;
    x = xx - yy + x0;
  }
  out[i] = count;
}

__device__ bool between(float y, float a, float b) {
  return (a > y) != (b > y);
}

/// Points in a polygon, so many to a thread that the conditions around the loop
/// and those in it are more than it has registers for.
__global__ void rematerialisation_compares(const float2 *points,
                                           const float2 *vertex, int *out,
                                           int n, int m) {
  constexpr int Each = 16;
  const int i = blockIdx.x * Block * Each + threadIdx.x;
  float2 p[Each];
  int odd[Each] = {};
#pragma unroll
  for (int k = 0; k < Each; ++k)
    if (i + k * Block < n)
      p[k] = points[i + k * Block];
  for (int j = 0, before = m - 1; j < m; before = j++) {
    const float2 a = vertex[j], b = vertex[before];
    const float s = (b.x - a.x) / (b.y - a.y);
#pragma unroll
    for (int k = 0; k < Each; ++k)
      if (between(p[k].y, a.y, b.y) && p[k].x < s * (p[k].y - a.y) + a.x)
        odd[k] = !odd[k];
  }
#pragma unroll
  for (int k = 0; k < Each; ++k)
    if (i + k * Block < n)
      out[i + k * Block] = odd[k];
}

int main(int count, char **words) {
  Timing time(count, words);
  float *in = time.in, *other = time.other, *out = time.out;
  int *places = time.places;
  const int All = Elements / Block, Few = Side * 16 / Block;
  time("store_sinking", [&] {
    store_sinking<<<All, Block>>>(places, (unsigned char *)out, Elements, 40);
  });
  time("division_sinking",
       [&] { division_sinking<<<Few * 16, Block>>>(in, out, 100); });
  time("branches_switches", [&] {
    branches_switches<<<dim3(Side / 32, Side / 8 - 1), dim3(32, 8)>>>(in, out);
  });
  time("branches_values",
       [&] { branches_values<<<All, Block>>>((int *)out, 200); });
  time("rematerialisation_compares", [&] {
    rematerialisation_compares<<<All / 32, Block>>>(
        (float2 *)in, (float2 *)other, (int *)out, Elements / 2 - 77, 64);
  });
}
