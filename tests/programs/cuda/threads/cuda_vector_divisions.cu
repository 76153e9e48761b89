// Quotients and remainders of integers by what is no constant, in vectors:
// exact at all edges, also under conditions and in loops that threads leave
// apart.
#include "../../Inputs/check.h"
#include <climits>

constexpr int Edges = 32, Pairs = Edges * Edges;

__global__ void divide(const int *a, const int *b, int *q, int *r, unsigned *uq,
                       unsigned *ur, short *sq, unsigned char *cr) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = a[i], y = b[i];
  if (y != 0) {
    if (x != INT_MIN || y != -1) {
      q[i] = x / y;
      r[i] = x % y;
    }
    uq[i] = unsigned(x) / unsigned(y);
    ur[i] = unsigned(x) % unsigned(y);
  }
  short s = y, t = x;
  if (s != 0)
    sq[i] = t / s;
  unsigned char c = y, d = x;
  if (c != 0)
    cr[i] = d % c;
}

__global__ void place(int *out, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i / columns * 1000 + i % columns;
}

__global__ void commonDivisor(const int *a, const int *b, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = a[i], y = b[i];
  while (y != 0) {
    unsigned rest = x % y;
    x = y;
    y = rest;
  }
  out[i] = x;
}

int main() {
  const int edges[Edges] = {
      0,           1,          -1,          2,           -2,      3,
      7,           -7,         10,          100,         255,     256,
      32767,       -32768,     65535,       65536,       65537,   1000003,
      16777215,    16777216,   -16777217,   46340,       46341,   715827883,
      1073741823,  1073741824, -1073741825, INT_MAX - 1, INT_MAX, INT_MIN,
      INT_MIN + 1, -858993459};
  int *a, *b, *q, *r, *g;
  unsigned *uq, *ur;
  short *sq;
  unsigned char *cr;
  for (void **p :
       {(void **)&a, (void **)&b, (void **)&q, (void **)&r, (void **)&g,
        (void **)&uq, (void **)&ur, (void **)&sq, (void **)&cr})
    CHECK(cudaMallocManaged(p, Pairs * sizeof(int)));
  for (int i = 0; i < Pairs; ++i)
    a[i] = edges[i / Edges], b[i] = edges[i % Edges];
  divide<<<Pairs / 128, 128>>>(a, b, q, r, uq, ur, sq, cr);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < Pairs; ++i) {
    int x = a[i], y = b[i];
    if (y != 0 && (x != INT_MIN || y != -1))
      wrong += q[i] != x / y || r[i] != x % y;
    if (y != 0)
      wrong += uq[i] != unsigned(x) / unsigned(y) ||
               ur[i] != unsigned(x) % unsigned(y);
    if (short(y) != 0)
      wrong += sq[i] != short(short(x) / short(y));
    if ((unsigned char)y != 0)
      wrong += cr[i] != (unsigned char)x % (unsigned char)y;
  }
  EXPECT(wrong == 0);
  for (int columns : {1, 3, 17, 128, 1000, 5000}) {
    place<<<Pairs / 128, 128>>>(g, columns);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < Pairs; ++i)
      wrong += g[i] != i / columns * 1000 + i % columns;
  }
  EXPECT(wrong == 0);
  commonDivisor<<<Pairs / 128, 128>>>(a, b, g);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < Pairs; ++i) {
    unsigned x = a[i], y = b[i];
    while (y != 0) {
      unsigned rest = x % y;
      x = y;
      y = rest;
    }
    wrong += unsigned(g[i]) != x;
  }
  EXPECT(wrong == 0);
  printf("PASSED\n");
}
