// Textures over all levels of a mipmapped array: levels by number and by
// gradients, the nearest or two mixed, bias and bounds; every geometry;
// elements of integers.
#include "../../Inputs/check.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

enum How {
  One,
  Two,
  Three,
  OneLayered,
  TwoLayered,
  Cube,
  CubeLayered,
  GradOne,
  GradTwo,
  GradThree,
  PlainTwo
};
struct Place {
  float x, y, z, level;
};

__global__ void read(cudaTextureObject_t t, How how, const Place *at,
                     float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Place p = at[i];
  // The level at which neighbours are one element of it apart.
  float step = exp2f(p.level);
  switch (how) {
  case One:
    out[i] = tex1DLod<float>(t, p.x, p.level);
    break;
  case Two:
    tex2DLod(&out[i], t, p.x, p.y, p.level);
    break;
  case Three:
    out[i] = tex3DLod<float>(t, p.x, p.y, p.z, p.level);
    break;
  case OneLayered:
    out[i] = tex1DLayeredLod<float>(t, p.x, int(p.z), p.level);
    break;
  case TwoLayered:
    out[i] = tex2DLayeredLod<float>(t, p.x, p.y, int(p.z), p.level);
    break;
  case Cube:
    out[i] = texCubemapLod<float>(t, p.x, p.y, p.z, p.level);
    break;
  case CubeLayered:
    out[i] = texCubemapLayeredLod<float>(t, p.x, p.y, p.z, 1, p.level);
    break;
  case GradOne:
    out[i] = tex1DGrad<float>(t, p.x, step / 64, 0.0f);
    break;
  case GradTwo:
    out[i] = tex2DGrad<float>(t, p.x, p.y, make_float2(0.25f / 64, 0),
                              make_float2(0, step / 32));
    break;
  case GradThree:
    out[i] = tex3DGrad<float>(t, p.x, p.y, p.z, make_float4(step / 16, 0, 0, 0),
                              make_float4(0, 0.125f / 8, 0.125f / 4, 0));
    break;
  case PlainTwo:
    out[i] = tex2D<float>(t, p.x, p.y);
    break;
  }
}

__global__ void read(cudaTextureObject_t t, How, const Place *at, int *out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex2DLod<int>(t, at[i].x, at[i].y, at[i].level);
}

struct Mipmaps {
  cudaMipmappedArray_t array;
  cudaTextureDesc d;
  cudaTextureObject_t texture = 0;

  template <class T, class Value>
  Mipmaps(T, cudaExtent extent, unsigned flags, unsigned levels, Value value) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    CHECK(cudaMallocMipmappedArray(&array, &format, extent, levels, flags));
    for (unsigned l = 0; l < levels; ++l) {
      cudaArray_t level;
      cudaExtent part;
      CHECK(cudaGetMipmappedArrayLevel(&level, array, l));
      CHECK(cudaArrayGetInfo(nullptr, &part, nullptr, level));
      const size_t h = part.height ? part.height : 1,
                   n = part.depth ? part.depth : 1;
      std::vector<T> host(part.width * h * n);
      for (size_t i = 0; i < host.size(); ++i)
        host[i] =
            value(l, i % part.width, i / part.width % h, i / part.width / h);
      cudaMemcpy3DParms p = {};
      p.srcPtr = make_cudaPitchedPtr(host.data(), part.width * sizeof(T),
                                     part.width, h);
      p.dstArray = level;
      p.extent = make_cudaExtent(part.width, h, n);
      p.kind = cudaMemcpyHostToDevice;
      CHECK(cudaMemcpy3D(&p));
    }
    std::memset(&d, 0, sizeof(d));
    for (auto &mode : d.addressMode)
      mode = cudaAddressModeClamp;
    d.normalizedCoords = 1;
    d.maxMipmapLevelClamp = 100;
  }
  ~Mipmaps() {
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeMipmappedArray(array));
  }
  cudaError_t make() {
    if (texture)
      CHECK(cudaDestroyTextureObject(texture));
    texture = 0;
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = array;
    const cudaError_t error =
        cudaCreateTextureObject(&texture, &r, &d, nullptr);
    if (error) {
      texture = 0;
      cudaGetLastError();
    }
    return error;
  }
};

/// A GPU has eight bits for the way from one level to the next.
constexpr double StepOfLevels = 1. / 256;

template <class T, class Expected>
static void expect(int line, Mipmaps &m, How how, const std::vector<Place> &at,
                   Expected expected, double betweenLevels = 10) {
  CHECK(m.make());
  const int n = int(at.size());
  Place *places;
  T *out;
  CHECK(cudaMalloc(&places, n * sizeof(Place)));
  CHECK(cudaMalloc(&out, n * sizeof(T)));
  CHECK(
      cudaMemcpy(places, at.data(), n * sizeof(Place), cudaMemcpyHostToDevice));
  read<<<(n + 31) / 32, 32>>>(m.texture, how, places, out, n);
  std::vector<T> back(n);
  CHECK(cudaMemcpy(back.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    const double wanted = expected(at[i]);
    if (std::fabs(double(back[i]) - wanted) >
        1.5 * StepOfLevels * betweenLevels) {
      std::printf("line %d: at %g %g %g, level %g: %g instead of %g\n", line,
                  at[i].x, at[i].y, at[i].z, at[i].level, double(back[i]),
                  wanted);
      std::exit(1);
    }
  }
  CHECK(cudaFree(places));
  CHECK(cudaFree(out));
}

// Levels that are not half way between two.
static const float Levels[] = {-3,    0, 0.25f, 0.75f, 1, 1.25f,
                               1.75f, 2, 2.75f, 3,     8};
static std::vector<Place> everywhere(float z = 0.5f) {
  std::vector<Place> all;
  for (float level : Levels)
    for (float x : {0.03f, 0.4f, 0.97f})
      for (float y : {0.1f, 0.6f})
        all.push_back({x, y, z, level});
  return all;
}

/// The level that is read, from 0 to \p last.
static double levelOf(const Mipmaps &m, double level, int last) {
  level += m.d.mipmapLevelBias;
  level = std::fmin(std::fmax(level, m.d.minMipmapLevelClamp),
                    m.d.maxMipmapLevelClamp);
  level = std::fmin(std::fmax(level, 0), last);
  return m.d.mipmapFilterMode == cudaFilterModeLinear ? level
                                                      : std::round(level);
}

int main() {
  // Each level has one value: which are read, and how they are mixed.
  struct Shape {
    How how;
    cudaExtent extent;
    unsigned flags;
    float z;
  };
  const Shape shapes[] = {
      {One, {64, 0, 0}, 0, 0},
      {Two, {64, 32, 0}, 0, 0},
      {Three, {16, 8, 4}, 0, 0.5f},
      {OneLayered, {64, 0, 3}, cudaArrayLayered, 2},
      {TwoLayered, {64, 32, 3}, cudaArrayLayered, 2},
      {GradOne, {64, 0, 0}, 0, 0},
      {GradTwo, {64, 32, 0}, 0, 0},
      {GradThree, {16, 8, 4}, 0, 0.5f},
      {Cube, {32, 32, 6}, cudaArrayCubemap, -2},
      {CubeLayered, {32, 32, 12}, cudaArrayCubemap | cudaArrayLayered, -2}};
  for (const Shape &s : shapes) {
    const bool hasLayers = s.flags != 0;
    Mipmaps m(float(), s.extent, s.flags, 4,
              [&](unsigned l, size_t, size_t, size_t z) {
                return 10.f * l + (hasLayers ? z : 0);
              });
    // -z is the sixth face.
    const int layer = s.how == Cube          ? 5
                      : s.how == CubeLayered ? 11
                      : hasLayers            ? int(s.z)
                                             : 0;
    for (int k = 0; k < 8; ++k) {
      m.d.mipmapFilterMode = k & 1 ? cudaFilterModeLinear : cudaFilterModePoint;
      m.d.filterMode = k & 2 ? cudaFilterModeLinear : cudaFilterModePoint;
      m.d.mipmapLevelBias = k & 4 ? 1 : 0;
      m.d.minMipmapLevelClamp = k & 4 ? 0.75f : 0;
      m.d.maxMipmapLevelClamp = k & 4 ? 2.25f : 100;
      expect<float>(__LINE__, m, s.how, everywhere(s.z), [&](Place p) {
        return 10 * levelOf(m, p.level, 3) + layer;
      });
    }
  }

  // Each element has its own value: every level is read at its own size.
  {
    const auto own = [](unsigned l, size_t x, size_t y, size_t) {
      return 1000.f * l + 10.f * y + x / 8.f;
    };
    Mipmaps m(float(), make_cudaExtent(64, 32, 0), 0, 4, own);
    const auto at = [&](Place p, int l) {
      const int w = 64 >> l, h = 32 >> l;
      return double(own(l, size_t(p.x * w), size_t(p.y * h), 0));
    };
    expect<float>(__LINE__, m, Two, everywhere(),
                  [&](Place p) { return at(p, int(levelOf(m, p.level, 3))); });
    // Without a level: the finest.
    expect<float>(__LINE__, m, PlainTwo, everywhere(),
                  [&](Place p) { return at(p, 0); });
    m.d.mipmapFilterMode = cudaFilterModeLinear;
    std::vector<Place> few;
    for (float level : {0.5f, 1.25f, 2.f, 2.75f})
      few.push_back({0.4f, 0.6f, 0, level});
    expect<float>(
        __LINE__, m, Two, few,
        [&](Place p) {
          const int l = int(p.level);
          const double weight = p.level - l;
          return (1 - weight) * at(p, l) + weight * at(p, l < 3 ? l + 1 : 3);
        },
        1000);
    cudaResourceDesc r = {};
    CHECK(cudaGetTextureObjectResourceDesc(&r, m.texture));
    EXPECT(r.resType == cudaResourceTypeMipmappedArray &&
           r.res.mipmap.mipmap == m.array);
  }

  // Integers as they are, and as numbers from 0 to 1.
  {
    Mipmaps m(int(), make_cudaExtent(64, 32, 0), 0, 4,
              [](unsigned l, size_t, size_t, size_t) { return int(l) - 2; });
    expect<int>(__LINE__, m, Two, everywhere(),
                [&](Place p) { return levelOf(m, p.level, 3) - 2; });
    m.d.mipmapFilterMode = cudaFilterModeLinear;
    EXPECT(m.make() == cudaErrorInvalidValue);
  }
  {
    using Byte = unsigned char;
    Mipmaps m(Byte(), make_cudaExtent(64, 32, 0), 0, 4,
              [](unsigned l, size_t, size_t, size_t) { return Byte(85 * l); });
    m.d.readMode = cudaReadModeNormalizedFloat;
    m.d.mipmapFilterMode = cudaFilterModeLinear;
    expect<float>(
        __LINE__, m, Two, everywhere(),
        [&](Place p) { return levelOf(m, p.level, 3) / 3; }, 1. / 3);
    // Levels have no coordinates in common but those from 0 to 1.
    m.d.normalizedCoords = 0;
    EXPECT(m.make() == cudaErrorInvalidValue);
  }
  std::puts("PASSED");
}
