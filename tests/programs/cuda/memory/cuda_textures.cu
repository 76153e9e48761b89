// Textures: memory and arrays of one to three dimensions, layers, cubes;
// formats, filters, address modes, coordinates, read modes; gathers.
#include "../../Inputs/count.h"
#include <cmath>
#include <cstring>
#include <vector>

static cudaTextureDesc described(cudaTextureAddressMode mode,
                                 cudaTextureFilterMode filter, bool normalized,
                                 cudaTextureReadMode read) {
  cudaTextureDesc d;
  memset(&d, 0, sizeof(d));
  for (auto &each : d.addressMode)
    each = mode;
  d.filterMode = filter;
  d.normalizedCoords = normalized;
  d.readMode = read;
  return d;
}
static cudaTextureObject_t ofArray(cudaArray_t array,
                                   const cudaTextureDesc &d) {
  cudaResourceDesc r;
  memset(&r, 0, sizeof(r));
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureObject_t t = 0;
  OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  return t;
}

// What a kernel reads at a list of places.
struct Place {
  float x, y, z;
  int layer;
};
enum How { Fetch, One, Two, Three, OneLayered, TwoLayered, Cube, Gather };
template <class T>
__global__ void read(cudaTextureObject_t t, How how, const Place *at, T *out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Place p = at[i];
  switch (how) {
  case Fetch:
    out[i] = tex1Dfetch<T>(t, p.layer);
    break;
  case One:
    out[i] = tex1D<T>(t, p.x);
    break;
  case Two:
    out[i] = tex2D<T>(t, p.x, p.y);
    break;
  case Three:
    out[i] = tex3D<T>(t, p.x, p.y, p.z);
    break;
  case OneLayered:
    out[i] = tex1DLayered<T>(t, p.x, p.layer);
    break;
  case TwoLayered:
    tex2DLayered(out + i, t, p.x, p.y, p.layer);
    break;
  case Cube:
    out[i] = texCubemap<T>(t, p.x, p.y, p.z);
    break;
  default:
    out[i] = T();
  }
}
__global__ void gather(cudaTextureObject_t t, float4 *out, float x, float y) {
  out[0] = tex2Dgather<float4>(t, x, y);
  out[1] = tex2DLod<float4>(t, x, y, 0.f);
}
template <class T>
static std::vector<T> readAt(cudaTextureObject_t t, How how,
                             const std::vector<Place> &at) {
  Place *d;
  T *out;
  const int n = at.size();
  std::vector<T> result(n);
  OK(cudaMalloc(&d, n * sizeof(Place)));
  OK(cudaMalloc(&out, n * sizeof(T)));
  OK(cudaMemcpy(d, at.data(), n * sizeof(Place), cudaMemcpyHostToDevice));
  read<T><<<(n + 63) / 64, 64>>>(t, how, d, out, n);
  OK(cudaMemcpy(result.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost));
  cudaFree(d), cudaFree(out);
  return result;
}

// The rules, written down once more: the element of a row at place i.
static int resolved(int i, int n, cudaTextureAddressMode mode) {
  switch (mode) {
  case cudaAddressModeWrap:
    return (i % n + n) % n;
  case cudaAddressModeMirror:
    i = (i % (2 * n) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
  case cudaAddressModeBorder:
    return i < 0 || i >= n ? -1 : i;
  default:
    return i < 0 ? 0 : i >= n ? n - 1 : i;
  }
}

static void memory() {
  std::vector<float4> h(1000);
  for (int i = 0; i < 1000; ++i)
    h[i] = make_float4(i, 2 * i, 3 * i, -i);
  float4 *d;
  OK(cudaMalloc(&d, 16000));
  cudaMemcpy(d, h.data(), 16000, cudaMemcpyHostToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = d;
  r.res.linear.desc = cudaCreateChannelDesc<float4>();
  r.res.linear.sizeInBytes = 16000;
  cudaTextureDesc t = {};
  t.readMode = cudaReadModeElementType;
  cudaTextureObject_t object;
  OK(cudaCreateTextureObject(&object, &r, &t, nullptr));
  auto got = readAt<float4>(object, Fetch,
                            {{0, 0, 0, 0}, {0, 0, 0, 999}, {0, 0, 0, 77}});
  CHECK(got[0].x == 0 && got[1].z == 2997 && got[2].y == 154 &&
        got[2].w == -77);
  cudaResourceDesc back;
  OK(cudaGetTextureObjectResourceDesc(&back, object));
  CHECK(back.res.linear.sizeInBytes == 16000);
  OK(cudaDestroyTextureObject(object));
  // Bytes, as they are and from 0 to 1.
  r.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  OK(cudaCreateTextureObject(&object, &r, &t, nullptr));
  auto bytes = readAt<uchar4>(object, Fetch, {{0, 0, 0, 4}});
  float one = 1;
  CHECK(memcmp(&bytes[0], &one, 4) == 0);
  OK(cudaDestroyTextureObject(object));
  r.res.linear.desc = cudaCreateChannelDesc<signed char>();
  t.readMode = cudaReadModeNormalizedFloat;
  OK(cudaCreateTextureObject(&object, &r, &t, nullptr));
  auto reals = readAt<float>(object, Fetch, {{0, 0, 0, 18}, {0, 0, 0, 19}});
  CHECK(std::fabs(reals[0] - -1.0f) < 1e-6f &&
        std::fabs(reals[1] - 63 / 127.f) < 1e-6f);
  OK(cudaDestroyTextureObject(object));
  // Rows of pitched memory.
  size_t pitch;
  short2 *p;
  OK(cudaMallocPitch(&p, &pitch, 10 * sizeof(short2), 6));
  short2 rows[6][10];
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 10; ++x)
      rows[y][x] = make_short2(x - 5, -y);
  OK(cudaMemcpy2D(p, pitch, rows, sizeof(rows[0]), sizeof(rows[0]), 6,
                  cudaMemcpyHostToDevice));
  r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = p;
  r.res.pitch2D.desc = cudaCreateChannelDesc<short2>();
  r.res.pitch2D.width = 10;
  r.res.pitch2D.height = 6;
  r.res.pitch2D.pitchInBytes = pitch;
  t = described(cudaAddressModeClamp, cudaFilterModePoint, false,
                cudaReadModeElementType);
  OK(cudaCreateTextureObject(&object, &r, &t, nullptr));
  auto pairs = readAt<short2>(object, Two, {{3.5f, 2.5f}, {-4, 9}, {9.9f, 0}});
  CHECK(pairs[0].x == -2 && pairs[0].y == -2);
  CHECK(pairs[1].x == -5 && pairs[1].y == -5);
  CHECK(pairs[2].x == 4 && pairs[2].y == 0);
  OK(cudaDestroyTextureObject(object));
  cudaFree(d), cudaFree(p);
}

static void lines() {
  const int n = 8;
  float h[n] = {1, 4, 9, 16, 25, 36, 49, 64};
  cudaArray_t array;
  auto format = cudaCreateChannelDesc<float>();
  OK(cudaMallocArray(&array, &format, n));
  OK(cudaMemcpyToArray(array, 0, 0, h, sizeof(h), cudaMemcpyHostToDevice));
  std::vector<Place> at;
  for (int i = -40; i <= 100; ++i)
    at.push_back({i / 8.f + 1 / 64.f});
  for (auto mode : {cudaAddressModeWrap, cudaAddressModeClamp,
                    cudaAddressModeMirror, cudaAddressModeBorder})
    for (bool normalized : {false, true}) {
      const bool repeats =
          mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
      if (repeats && !normalized)
        continue;
      std::vector<Place> places = at;
      if (normalized)
        for (Place &p : places)
          p.x /= n;
      for (auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
        auto t = ofArray(array, described(mode, filter, normalized,
                                          cudaReadModeElementType));
        auto got = readAt<float>(t, One, places);
        for (size_t i = 0; i < at.size(); ++i) {
          const auto value = [&](int place) {
            place = resolved(place, n, mode);
            return place < 0 ? 0 : h[place];
          };
          float x = at[i].x, want;
          if (filter == cudaFilterModePoint) {
            want = value(std::floor(x));
          } else {
            x -= 0.5f;
            const float weight = x - std::floor(x);
            want = (1 - weight) * value(std::floor(x)) +
                   weight * value(std::floor(x) + 1);
          }
          // Weights have 8 bits after the point.
          const float wide = filter == cudaFilterModePoint ? 0 : 0.3f;
          CHECK(std::fabs(got[i] - want) <= wide);
          if (std::fabs(got[i] - want) > wide)
            printf("mode %d, filter %d, at %g: %g, not %g\n", mode, filter,
                   at[i].x, got[i], want);
        }
        OK(cudaDestroyTextureObject(t));
      }
    }
  OK(cudaFreeArray(array));
}

static void planes() {
  const int w = 16, h = 12;
  static uchar4 image[h][w];
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      image[y][x] = make_uchar4(x * 16, y * 20, x ^ y, 255);
  cudaArray_t array;
  auto format = cudaCreateChannelDesc<uchar4>();
  OK(cudaMallocArray(&array, &format, w, h));
  OK(cudaMemcpy2DToArray(array, 0, 0, image, sizeof(image[0]), sizeof(image[0]),
                         h, cudaMemcpyHostToDevice));
  auto t = ofArray(array, described(cudaAddressModeClamp, cudaFilterModeLinear,
                                    true, cudaReadModeNormalizedFloat));
  // Between four elements, and on one.
  auto got = readAt<float4>(t, Two, {{3.f / w, 4.f / h}, {2.5f / w, 7.5f / h}});
  CHECK(std::fabs(got[0].x - 40 / 255.f) < 0.002f);
  CHECK(std::fabs(got[0].y - 70 / 255.f) < 0.002f && got[0].w == 1);
  CHECK(std::fabs(got[1].x - 32 / 255.f) < 0.0001f);
  CHECK(std::fabs(got[1].z - (2 ^ 7) / 255.f) < 0.0001f);
  OK(cudaDestroyTextureObject(t));
  t = ofArray(array, described(cudaAddressModeWrap, cudaFilterModePoint, true,
                               cudaReadModeElementType));
  auto bytes = readAt<uchar4>(t, Two, {{1 + 3.5f / w, -2 + 4.5f / h}});
  CHECK(bytes[0].x == 48 && bytes[0].y == 80 && bytes[0].z == 7);
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(array));

  // A gather, of an array made for it.
  static float2 pairs[4][4];
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      pairs[y][x] = make_float2(10 * y + x, 0);
  format = cudaCreateChannelDesc<float2>();
  OK(cudaMallocArray(&array, &format, 4, 4, cudaArrayTextureGather));
  OK(cudaMemcpy2DToArray(array, 0, 0, pairs, 32, 32, 4,
                         cudaMemcpyHostToDevice));
  t = ofArray(array, described(cudaAddressModeClamp, cudaFilterModePoint, false,
                               cudaReadModeElementType));
  float4 *d, four[2];
  OK(cudaMalloc(&d, sizeof(four)));
  gather<<<1, 1>>>(t, d, 2.25f, 3.25f);
  OK(cudaMemcpy(four, d, sizeof(four), cudaMemcpyDeviceToHost));
  CHECK(four[0].x == 31 && four[0].y == 32 && four[0].z == 22 &&
        four[0].w == 21);
  CHECK(four[1].x == 32);
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(array));
  cudaFree(d);
}

static cudaArray_t boxOf(const std::vector<int> &data, cudaExtent extent,
                         unsigned flags) {
  cudaArray_t array;
  auto format = cudaCreateChannelDesc<int>();
  OK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms p = {};
  const size_t rows = extent.height ? extent.height : 1;
  p.srcPtr = make_cudaPitchedPtr((void *)data.data(), extent.width * 4,
                                 extent.width, rows);
  p.dstArray = array;
  p.extent = make_cudaExtent(extent.width, rows, extent.depth);
  p.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&p));
  return array;
}

static void boxes() {
  std::vector<int> data(6 * 6 * 6);
  for (int i = 0; i < 216; ++i)
    data[i] = i % 6 + 10 * (i / 6 % 6) + 100 * (i / 36);
  const auto d = described(cudaAddressModeClamp, cudaFilterModePoint, false,
                           cudaReadModeElementType);
  cudaArray_t array = boxOf(data, make_cudaExtent(6, 6, 6), 0);
  auto t = ofArray(array, d);
  auto got = readAt<int>(t, Three, {{1.5f, 2.5f, 3.5f}, {9, -1, 4.9f}});
  CHECK(got[0] == 321 && got[1] == 405);
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(array));
  array = boxOf(data, make_cudaExtent(6, 6, 6), cudaArrayLayered);
  t = ofArray(array, d);
  got = readAt<int>(t, TwoLayered, {{1.5f, 2.5f, 0, 4}, {9, -1, 0, 5}});
  CHECK(got[0] == 421 && got[1] == 505);
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(array));
  std::vector<int> row(data.begin(), data.begin() + 36);
  array = boxOf(row, make_cudaExtent(6, 0, 6), cudaArrayLayered);
  t = ofArray(array, d);
  got = readAt<int>(t, OneLayered, {{1.5f, 0, 0, 4}});
  CHECK(got[0] == 41);
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(array));
  // The middles of a cube's faces, and what lies beside one.
  array = boxOf(data, make_cudaExtent(6, 6, 6), cudaArrayCubemap);
  t = ofArray(array, described(cudaAddressModeClamp, cudaFilterModePoint, true,
                               cudaReadModeElementType));
  const float e = 0.1f;
  got = readAt<int>(t, Cube,
                    {{1, -e, -e},
                     {-1, -e, e},
                     {e, 1, e},
                     {e, -1, -e},
                     {e, -e, 1},
                     {-e, -e, -1},
                     {3, 0.5f, -2.5f}});
  for (int face = 0; face < 6; ++face)
    CHECK(got[face] == 33 + 100 * face);
  CHECK(got[6] == 25);
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(array));
}

static void errors() {
  cudaTextureObject_t t;
  cudaResourceDesc r = {};
  cudaTextureDesc d = {};
  r.resType = cudaResourceTypeLinear;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr) != cudaSuccess);
  // The resource is looked at first: this one has no format.
  CHECK(cudaCreateTextureObject(nullptr, &r, &d, nullptr) ==
        cudaErrorInvalidChannelDescriptor);
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr) == cudaErrorInvalidValue);
  OK(cudaDestroyTextureObject(0));
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

int main() {
  memory();
  lines();
  planes();
  boxes();
  errors();
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
