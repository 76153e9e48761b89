// Surfaces: what kernels write to arrays, with each boundary mode, and read
// again through a texture.
#include "../../Inputs/count.h"
#include <cstring>

template <class T> __device__ T made(int x, int y);
template <> __device__ uchar1 made(int x, int y) {
  return make_uchar1(x + 9 * y);
}
template <> __device__ short made(int x, int y) { return x - 100 * y; }
template <> __device__ float made(int x, int y) { return x + 0.25f * y; }
template <> __device__ float2 made(int x, int y) { return make_float2(x, y); }
template <> __device__ int4 made(int x, int y) {
  return make_int4(x, y, -x, -y);
}

template <class T> __global__ void write(cudaSurfaceObject_t s, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
  if (x < w && y < h)
    surf2Dwrite(made<T>(x, y), s, x * (int)sizeof(T), y);
  // Outside: nothing happens, or the nearest element is written.
  if (x == 0 && y == 0) {
    surf2Dwrite(made<T>(1, 1), s, -(int)sizeof(T), 0, cudaBoundaryModeZero);
    surf2Dwrite(made<T>(1, 1), s, 0, h, cudaBoundaryModeZero);
  }
}
template <class T> __global__ void swap(cudaSurfaceObject_t s, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
  if (x >= w / 2 || y >= h)
    return;
  const int size = sizeof(T);
  T a = surf2Dread<T>(s, x * size, y), b;
  surf2Dread(&b, s, (w - 1 - x) * size, y, cudaBoundaryModeClamp);
  surf2Dwrite(b, s, x * size, y);
  surf2Dwrite(a, s, (w - 1 - x) * size, y);
}
template <class T>
__global__ void read(cudaSurfaceObject_t s, cudaTextureObject_t t, int w, int h,
                     T *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
  if (x < w && y < h) {
    out[y * w + x] = tex2D<T>(t, x + 0.5f, y + 0.5f);
    T here = surf2Dread<T>(s, x * (int)sizeof(T), y);
    for (int i = 0; i < (int)sizeof(T); ++i)
      if (((char *)&here)[i] != ((char *)(out + y * w + x))[i])
        out[y * w + x] = T();
  }
  if (x == 0 && y == 0) {
    out[w * h] = surf2Dread<T>(s, -(int)sizeof(T), 0, cudaBoundaryModeZero);
    out[w * h + 1] = surf2Dread<T>(s, 0, h + 3, cudaBoundaryModeClamp);
  }
}
template <class T> __global__ void expected(int w, int h, T *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = made<T>(w - 1 - x, y);
  if (x == 0 && y == 0) {
    out[w * h] = T();
    out[w * h + 1] = made<T>(w - 1, h - 1);
  }
}
template <class T> static void planes() {
  const int w = 38, h = 7, n = w * h + 2;
  cudaArray_t array;
  auto format = cudaCreateChannelDesc<T>();
  OK(cudaMallocArray(&array, &format, w, h, cudaArraySurfaceLoadStore));
  cudaResourceDesc r;
  memset(&r, 0, sizeof(r));
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc d;
  memset(&d, 0, sizeof(d));
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
  cudaSurfaceObject_t s = 0;
  cudaTextureObject_t t = 0;
  OK(cudaCreateSurfaceObject(&s, &r));
  OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  T *out, got[n], want[n];
  OK(cudaMalloc(&out, 2 * sizeof(got)));
  dim3 grid(2), block(32, 8);
  write<T><<<grid, block>>>(s, w, h);
  swap<T><<<grid, block>>>(s, w, h);
  read<<<grid, block>>>(s, t, w, h, out);
  expected<<<grid, block>>>(w, h, out + n);
  OK(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(want, out + n, sizeof(got), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    CHECK(memcmp(got + i, want + i, sizeof(T)) == 0);
  OK(cudaDestroyTextureObject(t));
  OK(cudaDestroySurfaceObject(s));
  OK(cudaFreeArray(array));
  cudaFree(out);
}

__global__ void fill(cudaSurfaceObject_t line, cudaSurfaceObject_t box,
                     cudaSurfaceObject_t layers) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  if (y == 0 && z == 0)
    surf1Dwrite(x * x, line, x * 4);
  surf3Dwrite(x + 10 * y + 100 * z, box, x * 4, y, z);
  surf2DLayeredwrite(-x - 10 * y - 100 * z, layers, x * 4, y, z);
}
__global__ void sum(cudaSurfaceObject_t line, cudaSurfaceObject_t box,
                    cudaSurfaceObject_t layers, int *out) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  out[x + 4 * (y + 4 * z)] = surf1Dread<int>(line, x * 4) +
                             surf3Dread<int>(box, x * 4, y, z) +
                             2 * surf2DLayeredread<int>(layers, x * 4, y, z);
}
static cudaSurfaceObject_t surfaceOf(cudaExtent extent, unsigned flags) {
  cudaArray_t array;
  auto format = cudaCreateChannelDesc<int>();
  OK(cudaMalloc3DArray(&array, &format, extent,
                       flags | cudaArraySurfaceLoadStore));
  cudaResourceDesc r;
  memset(&r, 0, sizeof(r));
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaSurfaceObject_t s = 0;
  OK(cudaCreateSurfaceObject(&s, &r));
  cudaResourceDesc back;
  OK(cudaGetSurfaceObjectResourceDesc(&back, s));
  CHECK(back.res.array.array == array);
  return s;
}
static void boxes() {
  auto line = surfaceOf(make_cudaExtent(4, 0, 0), 0);
  auto box = surfaceOf(make_cudaExtent(4, 4, 4), 0);
  auto layers = surfaceOf(make_cudaExtent(4, 4, 4), cudaArrayLayered);
  int *d, h[64];
  OK(cudaMalloc(&d, sizeof(h)));
  fill<<<1, dim3(4, 4, 4)>>>(line, box, layers);
  sum<<<1, dim3(4, 4, 4)>>>(line, box, layers, d);
  OK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    const int x = i % 4, y = i / 4 % 4, z = i / 16;
    CHECK(h[i] == x * x - x - 10 * y - 100 * z);
  }
}

int main() {
  planes<uchar1>();
  planes<short>();
  planes<float>();
  planes<float2>();
  planes<int4>();
  boxes();
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
