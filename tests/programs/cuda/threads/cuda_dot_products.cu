// Dot products of bytes, loads and stores with cache hints of all types.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(int *o, unsigned *u, float *f) {
  o[0] = __dp4a(0x01ff0203, 0x02020202, 5);
  u[0] = __dp4a(0x01ff0203u, 0x02020202u, 5u);
  __stcg(f + 1, __ldca(f) + 1);
  __stcs(o + 1, 7);
}
template <class T> __global__ void hints(const T *in, T *out) {
  const T *a = in + 9 * threadIdx.x;
  T *b = out + 9 * threadIdx.x;
  __stcg(b, __ldca(a));
  __stcs(b + 1, __ldcg(a + 1));
  __stwb(b + 2, __ldcs(a + 2));
  __stwt(b + 3, __ldcv(a + 3));
  __stcg(b + 4, __ldlu(a + 4));
  __stcg(b + 5, __ldg(a + 5));
  // What was written is read.
  b[6] = a[6];
  T old = __ldca(b + 6);
  b[6] = a[7];
  b[7] = __ldca(b + 6);
  b[6] = old;
  b[8] = a[8];
}
static int bad;
template <class T> static void copied(const char *name) {
  constexpr int N = 9 * 32;
  T *in, *out;
  cudaMallocManaged(&in, N * sizeof(T));
  cudaMallocManaged(&out, N * sizeof(T));
  auto *bytes = reinterpret_cast<unsigned char *>(in);
  for (size_t i = 0; i < N * sizeof(T); ++i)
    bytes[i] = i * 37 + 11 & 0x3f;
  memset((void *)out, 0, N * sizeof(T));
  hints<<<1, 32>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess ||
      memcmp((void *)in, (void *)out, N * sizeof(T)))
    printf("%s\n", name), ++bad;
  cudaFree(in);
  cudaFree(out);
}
template <class... T> static void copiedAll(const char *name) {
  (copied<T>(name), ...);
}
int main() {
  copiedAll<char, signed char, unsigned char, char2, uchar2, char4, uchar4>(
      "bytes");
  copiedAll<short, unsigned short, short2, ushort2, short4, ushort4>("shorts");
  copiedAll<int, unsigned, int2, uint2, int4, uint4>("integers");
  copiedAll<long, unsigned long, long long, unsigned long long, longlong2,
            ulonglong2>("long integers");
  copiedAll<float, float2, float4, double, double2>("reals");
  copiedAll<__half, __half2, __nv_bfloat16, __nv_bfloat162>("short reals");
  int *o, h[2];
  unsigned *u, v;
  float *f, g = 4;
  cudaMalloc(&o, 8);
  cudaMalloc(&u, 4);
  cudaMalloc(&f, 8);
  cudaMemcpy(f, &g, 4, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(o, u, f);
  cudaMemcpy(h, o, 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(&v, u, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&g, f + 1, 4, cudaMemcpyDeviceToHost);
  if (h[0] == 15 && v == 527 && g == 5 && h[1] == 7 && !bad)
    printf("PASSED\n");
  else
    printf("%d %u %g\n", h[0], v, g);
}
