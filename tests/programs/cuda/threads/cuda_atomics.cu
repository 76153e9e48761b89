// Atomic functions: every type, every scope; vectors of numbers; the wrapping
// counters; 16 bits.
#include "../../Inputs/count.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Numbers {
  int i[8];
  unsigned int u[8];
  long long ll[6];
  unsigned long long ull[8];
  float f[3];
  double d[3];
  unsigned short us;
  float2 f2[3];
  float4 f4[3];
  __half h[3];
  __half2 h2[3];
  __nv_bfloat16 b[3];
  __nv_bfloat162 b2[3];
};
__device__ Numbers n;

template <class T> __device__ void each(T *p, T v) {
  atomicAdd(p, v);
  atomicMax(p + 1, v);
  atomicMin(p + 2, v);
  atomicOr(p + 3, (T)1 << (v % 30));
  atomicXor(p + 4, (T)1 << (v % 2));
  atomicAnd(p + 5, ~((T)1 << (v % 3)));
}
__global__ void add() {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  each(n.i, t);
  each(n.u, (unsigned)t);
  each(n.ll, (long long)t);
  each(n.ull, (unsigned long long)t);
  atomicSub(n.i + 6, 3);
  atomicSub(n.u + 6, 3u);
  atomicInc(n.u + 7, 9);
  atomicDec((unsigned *)n.i + 7, 9);
  atomicAdd(n.f, 1.0f), atomicAdd_block(n.f + 1, 1.0f);
  atomicAdd_system(n.f + 2, 1.0f);
  atomicAdd(n.d, 1.0), atomicAdd_block(n.d + 1, 1.0);
  atomicAdd_system(n.d + 2, 1.0);
  atomicAdd(n.f2, make_float2(1, 2));
  atomicAdd_block(n.f2 + 1, make_float2(1, 2));
  atomicAdd_system(n.f2 + 2, make_float2(1, 2));
  atomicAdd(n.f4, make_float4(1, 2, 3, 4));
  atomicAdd_block(n.f4 + 1, make_float4(1, 2, 3, 4));
  atomicAdd_system(n.f4 + 2, make_float4(1, 2, 3, 4));
  if (t % 4 == 0) {
    atomicAdd(n.h, __float2half(1));
    atomicAdd_block(n.h + 1, __float2half(1));
    atomicAdd_system(n.h + 2, __float2half(1));
    atomicAdd(n.h2, __floats2half2_rn(1, 2));
    atomicAdd_block(n.h2 + 1, __floats2half2_rn(1, 2));
    atomicAdd_system(n.h2 + 2, __floats2half2_rn(1, 2));
    atomicAdd(n.b, __float2bfloat16(1));
    atomicAdd_block(n.b + 1, __float2bfloat16(1));
    atomicAdd_system(n.b + 2, __float2bfloat16(1));
    atomicAdd(n.b2, __floats2bfloat162_rn(1, 2));
    atomicAdd_block(n.b2 + 1, __floats2bfloat162_rn(1, 2));
    atomicAdd_system(n.b2 + 2, __floats2bfloat162_rn(1, 2));
  }
  unsigned short seen, old = n.us;
  do {
    seen = old;
    old = atomicCAS(&n.us, seen, (unsigned short)(seen + 1));
  } while (seen != old);
}
// A lock taken by each block in turn, and a list whose head is exchanged.
__device__ int lock, guarded, next[256], head = -1;
__global__ void locks() {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence();
    guarded = guarded + 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  next[t] = atomicExch(&head, t);
}
int main() {
  Numbers h = {};
  h.i[2] = 1000, h.u[2] = 1000, h.ll[2] = 1000, h.ull[2] = 1000;
  h.i[5] = h.u[5] = h.ll[5] = h.ull[5] = 31;
  cudaMemcpyToSymbol(n, &h, sizeof(h));
  // Scopes of a block are for one block only.
  add<<<1, 256>>>();
  CHECK(cudaMemcpyFromSymbol(&h, n, sizeof(h)) == cudaSuccess);
  const int sum = 255 * 128;
#define EACH(p)                                                                \
  CHECK(p[0] == sum && p[1] == 255 && p[2] == 0 && p[3] == 0x3fffffff &&       \
        p[4] == 0 && p[5] == 24)
  EACH(h.i);
  EACH(h.u);
  EACH(h.ll);
  EACH(h.ull);
  CHECK(h.i[6] == -768 && h.u[6] == -768u && h.u[7] == 6);
  CHECK(h.i[7] == 4);
  for (int i = 0; i < 3; ++i) {
    CHECK(h.f[i] == 256 && h.d[i] == 256);
    CHECK(h.f2[i].x == 256 && h.f2[i].y == 512);
    CHECK(h.f4[i].x == 256 && h.f4[i].w == 1024);
    CHECK(__half2float(h.h[i]) == 64 && __high2float(h.h2[i]) == 128);
    CHECK(__bfloat162float(h.b[i]) == 64 && __high2float(h.b2[i]) == 128);
  }
  CHECK(h.us == 256);
  locks<<<8, 32>>>();
  int list[256], first, count = 0, all = 0;
  cudaMemcpyFromSymbol(list, next, sizeof(list));
  cudaMemcpyFromSymbol(&first, head, sizeof(first));
  cudaMemcpyFromSymbol(&all, guarded, sizeof(all));
  for (int i = first; i >= 0 && count <= 256; i = list[i])
    ++count;
  CHECK(count == 256 && all == 8);
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
