// Arrays with levels: every level is an array of half the size, for copies,
// surfaces and textures.
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int W = 64, H = 20;

__global__ void halve(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w,
                      int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
      sum += surf2Dread<float>(from, (2 * x + i) * int(sizeof(float)),
                               2 * y + j, cudaBoundaryModeClamp);
  surf2Dwrite(sum / 4, to, x * int(sizeof(float)), y);
}

__global__ void sample(cudaTextureObject_t texture, float *out, int w, int h) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < w && y < h)
    out[y * w + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

static cudaSurfaceObject_t surfaceOf(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmaps;
  CHECK(cudaMallocMipmappedArray(&mipmaps, &format, make_cudaExtent(W, H, 0), 4,
                                 cudaArraySurfaceLoadStore));
  cudaArray_t level[4];
  for (int i = 0; i < 4; ++i) {
    cudaExtent extent;
    CHECK(cudaGetMipmappedArrayLevel(&level[i], mipmaps, i));
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, level[i]));
    EXPECT(extent.width == size_t(W >> i) && extent.height == size_t(H >> i));
  }
  static float host[H][W], expected[4][H][W];
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x)
      host[y][x] = expected[0][y][x] = x + 100 * y;
  CHECK(cudaMemcpy2DToArray(level[0], 0, 0, host, W * sizeof(float),
                            W * sizeof(float), H, cudaMemcpyHostToDevice));
  for (int i = 1; i < 4; ++i) {
    int w = W >> i, h = H >> i;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        expected[i][y][x] =
            (expected[i - 1][2 * y][2 * x] + expected[i - 1][2 * y][2 * x + 1] +
             expected[i - 1][2 * y + 1][2 * x] +
             expected[i - 1][2 * y + 1][2 * x + 1]) /
            4;
    cudaSurfaceObject_t from = surfaceOf(level[i - 1]),
                        to = surfaceOf(level[i]);
    halve<<<dim3((w + 7) / 8, (h + 7) / 8), dim3(8, 8)>>>(from, to, w, h);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroySurfaceObject(from));
    CHECK(cudaDestroySurfaceObject(to));
  }
  float *out;
  CHECK(cudaMalloc(&out, W * H * sizeof(float)));
  for (int i = 0; i < 4; ++i) {
    int w = W >> i, h = H >> i;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = level[i];
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] =
        cudaAddressModeClamp;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    sample<<<h, w>>>(texture, out, w, h);
    static float back[H * W];
    CHECK(cudaMemcpy(back, out, w * h * sizeof(float), cudaMemcpyDeviceToHost));
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        EXPECT(back[y * w + x] == expected[i][y][x]);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaMemcpy2DFromArray(back, w * sizeof(float), level[i], 0, 0,
                                w * sizeof(float), h, cudaMemcpyDeviceToHost));
    EXPECT(back[w * h - 1] == expected[i][h - 1][w - 1]);
  }
  // There are no more levels, and they go with the whole.
  cudaArray_t none;
  EXPECT(cudaGetMipmappedArrayLevel(&none, mipmaps, 4) ==
         cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaFreeMipmappedArray(mipmaps));
  EXPECT(cudaFreeMipmappedArray(mipmaps) != cudaSuccess);
  cudaGetLastError();
  CHECK(cudaFree(out));

  // As many levels as there can be where more are asked for; layers stay.
  CHECK(cudaMallocMipmappedArray(&mipmaps, &format, make_cudaExtent(8, 0, 0),
                                 100));
  CHECK(cudaGetMipmappedArrayLevel(&none, mipmaps, 3));
  EXPECT(cudaGetMipmappedArrayLevel(&none, mipmaps, 4) ==
         cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaFreeMipmappedArray(mipmaps));
  std::puts("PASSED");
}
