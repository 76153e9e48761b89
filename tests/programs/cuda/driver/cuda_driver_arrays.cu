// FLAGS: -lcuda
// Arrays, textures and surfaces of the driver API.
#include "../../Inputs/driver_check.h"
#include <cstring>
#include <vector>

constexpr int W = 16, H = 8;

__global__ void readTexture(cudaTextureObject_t texture, float *to) {
  int x = threadIdx.x, y = threadIdx.y;
  to[y * W + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}
__global__ void readIntegers(cudaTextureObject_t texture, int *to) {
  to[threadIdx.x] = tex1Dfetch<unsigned char>(texture, threadIdx.x);
}
__global__ void readNormalized(cudaTextureObject_t texture, float *to) {
  to[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}
__global__ void writeSurface(cudaSurfaceObject_t surface) {
  surf2Dwrite<float>(100.0f * threadIdx.y + threadIdx.x, surface,
                     threadIdx.x * 4, threadIdx.y);
}

static std::vector<float> numbers(float first) {
  std::vector<float> result(W * H);
  for (int i = 0; i < W * H; ++i)
    result[i] = first + i;
  return result;
}

static void arrays() {
  CUDA_ARRAY_DESCRIPTOR line{W, 0, CU_AD_FORMAT_FLOAT, 1}, d{};
  CUDA_ARRAY3D_DESCRIPTOR box{W, H, 4, CU_AD_FORMAT_SIGNED_INT16, 2, 0}, b{};
  CUarray one, other, cube;
  CHECK(cuArrayCreate(&one, &line));
  CHECK(cuArrayCreate(&other, &line));
  CHECK(cuArray3DCreate(&cube, &box));
  CHECK(cuArrayGetDescriptor(&d, one));
  EXPECT(d.Width == W && d.Height == 0 && d.Format == CU_AD_FORMAT_FLOAT &&
         d.NumChannels == 1);
  CHECK(cuArray3DGetDescriptor(&b, cube));
  EXPECT(b.Depth == 4 && b.Format == CU_AD_FORMAT_SIGNED_INT16 &&
         b.NumChannels == 2);

  // Copies of lines, between all kinds of memory.
  std::vector<float> host = numbers(1), back(W);
  CUdeviceptr memory;
  CUstream stream;
  CHECK(cuMemAlloc(&memory, W * sizeof(float)));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemcpyHtoA(one, 0, host.data(), W * sizeof(float)));
  CHECK(cuMemcpyAtoA(other, 4, one, 0, 8 * sizeof(float)));
  CHECK(cuMemcpyAtoD(memory, other, 4, 8 * sizeof(float)));
  CHECK(cuMemcpyDtoH(back.data(), memory, 8 * sizeof(float)));
  EXPECT(back[0] == 1 && back[7] == 8);
  CHECK(cuMemcpyDtoA(one, 8, memory, 4 * sizeof(float)));
  CHECK(cuMemcpyAtoH(back.data(), one, 0, W * sizeof(float)));
  EXPECT(back[1] == 2 && back[2] == 1 && back[5] == 4 && back[6] == 7);
  CHECK(cuMemcpyHtoAAsync(one, 0, host.data() + 20, W * sizeof(float), stream));
  CHECK(cuMemcpyAtoHAsync(back.data(), one, 0, W * sizeof(float), stream));
  CHECK(cuStreamSynchronize(stream));
  EXPECT(back[0] == 21 && back[W - 1] == 36);
  CHECK(cuStreamDestroy(stream));
  CHECK(cuMemFree(memory));

  CUmipmappedArray mipmaps;
  CUarray level;
  CUDA_ARRAY3D_DESCRIPTOR flat{W, H, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CHECK(cuMipmappedArrayCreate(&mipmaps, &flat, 3));
  CHECK(cuMipmappedArrayGetLevel(&level, mipmaps, 1));
  CHECK(cuArrayGetDescriptor(&d, level));
  EXPECT(d.Width == W / 2 && d.Height == H / 2);
  EXPECT(cuMipmappedArrayGetLevel(&level, mipmaps, 9) ==
         CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMipmappedArrayDestroy(mipmaps));

  const auto bad = CUDA_ERROR_INVALID_VALUE;
  EXPECT(cuArrayCreate(nullptr, &line) == bad);
  EXPECT(cuArrayCreate(&one, nullptr) == bad);
  line.NumChannels = 3;
  EXPECT(cuArrayCreate(&level, &line) == bad);
  line = {W, 0, CUarray_format(5), 1};
  EXPECT(cuArrayCreate(&level, &line) == bad);
  line = {0, 0, CU_AD_FORMAT_FLOAT, 1};
  EXPECT(cuArrayCreate(&level, &line) == bad);
  EXPECT(cuArray3DCreate(&level, nullptr) == bad);
  EXPECT(cuMipmappedArrayCreate(&mipmaps, nullptr, 3) == bad);
  EXPECT(cuArrayGetDescriptor(nullptr, one) == bad);
  EXPECT(cuArrayDestroy(nullptr) == CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuMemcpyHtoA(one, 1000, host.data(), 4) == bad);
  CHECK(cuArrayDestroy(cube));
  CHECK(cuArrayDestroy(other));
  CHECK(cuArrayDestroy(one));
  EXPECT(cuArrayDestroy(one) == CUDA_ERROR_INVALID_HANDLE);
}

static CUDA_RESOURCE_DESC ofArray(CUarray array) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

static void objects() {
  CUDA_ARRAY3D_DESCRIPTOR flat{
      W, H, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CUarray array;
  CUtexObject texture;
  CUsurfObject surface;
  CUdeviceptr memory;
  std::vector<float> host = numbers(7), back(W * H);
  CHECK(cuArray3DCreate(&array, &flat));
  CHECK(cuMemAlloc(&memory, W * H * sizeof(float)));
  CUDA_MEMCPY2D in{};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = host.data();
  in.srcPitch = in.WidthInBytes = W * sizeof(float);
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  in.dstArray = array;
  in.Height = H;
  CHECK(cuMemcpy2D(&in));
  CUDA_RESOURCE_DESC resource = ofArray(array), again{};
  CUDA_TEXTURE_DESC sampling{}, what{};
  for (auto &mode : sampling.addressMode)
    mode = CU_TR_ADDRESS_MODE_CLAMP;
  CHECK(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  readTexture<<<1, dim3(W, H)>>>(texture, reinterpret_cast<float *>(memory));
  CHECK(cuMemcpyDtoH(back.data(), memory, W * H * sizeof(float)));
  EXPECT(back == host);
  CHECK(cuTexObjectGetResourceDesc(&again, texture));
  EXPECT(again.resType == CU_RESOURCE_TYPE_ARRAY &&
         again.res.array.hArray == array);
  CHECK(cuTexObjectGetTextureDesc(&what, texture));
  EXPECT(what.addressMode[1] == CU_TR_ADDRESS_MODE_CLAMP &&
         what.filterMode == CU_TR_FILTER_MODE_POINT);
  CHECK(cuSurfObjectCreate(&surface, &resource));
  writeSurface<<<1, dim3(W, H)>>>(surface);
  readTexture<<<1, dim3(W, H)>>>(texture, reinterpret_cast<float *>(memory));
  CHECK(cuMemcpyDtoH(back.data(), memory, W * H * sizeof(float)));
  EXPECT(back[0] == 0 && back[W * H - 1] == 100 * (H - 1) + W - 1);
  CHECK(cuSurfObjectGetResourceDesc(&again, surface));
  EXPECT(again.res.array.hArray == array);
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuSurfObjectDestroy(surface));

  // Bytes as they are, and from 0 to 1.
  CHECK(cuMemsetD8(memory, 51, 16));
  CUDA_RESOURCE_DESC bytes{};
  bytes.resType = CU_RESOURCE_TYPE_LINEAR;
  bytes.res.linear = {memory, CU_AD_FORMAT_UNSIGNED_INT8, 1, 16};
  CUdeviceptr to;
  int integers[16];
  float reals[16];
  CHECK(cuMemAlloc(&to, 64));
  sampling.flags = CU_TRSF_READ_AS_INTEGER;
  CHECK(cuTexObjectCreate(&texture, &bytes, &sampling, nullptr));
  readIntegers<<<1, 16>>>(texture, reinterpret_cast<int *>(to));
  CHECK(cuMemcpyDtoH(integers, to, 64));
  EXPECT(integers[0] == 51 && integers[15] == 51);
  CHECK(cuTexObjectDestroy(texture));
  sampling.flags = 0;
  CHECK(cuTexObjectCreate(&texture, &bytes, &sampling, nullptr));
  readNormalized<<<1, 16>>>(texture, reinterpret_cast<float *>(to));
  CHECK(cuMemcpyDtoH(reals, to, 64));
  EXPECT(reals[3] > 0.1999f && reals[3] < 0.2001f);
  CHECK(cuTexObjectGetResourceDesc(&again, texture));
  EXPECT(again.res.linear.devPtr == memory &&
         again.res.linear.format == CU_AD_FORMAT_UNSIGNED_INT8 &&
         again.res.linear.sizeInBytes == 16);
  CHECK(cuTexObjectDestroy(texture));

  const auto bad = CUDA_ERROR_INVALID_VALUE;
  EXPECT(cuTexObjectCreate(nullptr, &resource, &sampling, nullptr) == bad);
  EXPECT(cuTexObjectCreate(&texture, nullptr, &sampling, nullptr) == bad);
  EXPECT(cuTexObjectCreate(&texture, &resource, nullptr, nullptr) == bad);
  sampling.flags = 0x1000;
  EXPECT(cuTexObjectCreate(&texture, &resource, &sampling, nullptr) == bad);
  sampling.flags = 0;
  again = resource;
  again.resType = CUresourcetype(7);
  EXPECT(cuTexObjectCreate(&texture, &again, &sampling, nullptr) == bad);
  EXPECT(cuSurfObjectCreate(&surface, nullptr) == bad);
  EXPECT(cuSurfObjectCreate(&surface, &bytes) == bad);
  EXPECT(cuTexObjectGetResourceDesc(nullptr, texture) == bad);
  EXPECT(cuTexObjectGetTextureDesc(&what, texture) == bad); // it is gone
  EXPECT(cuTexObjectDestroy(texture) == bad);
  CHECK(cuMemFree(to));
  CHECK(cuMemFree(memory));
  CHECK(cuArrayDestroy(array));
}

int main() {
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  arrays();
  objects();
  std::puts("PASSED");
}
