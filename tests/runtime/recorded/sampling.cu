//===- sampling.cu - what textures may be of, and how read -----*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Shapes.h"

static const char *const formatNames[] = {"f32",   "s32", "u8",
                                          "s16x2", "f16", "u32x4"};
static const cudaChannelFormatDesc formats[] = {
    channels(32, 0, 0, 0, cudaChannelFormatKindFloat),
    channels(32, 0, 0, 0, cudaChannelFormatKindSigned),
    channels(8, 0, 0, 0, cudaChannelFormatKindUnsigned),
    channels(16, 16, 0, 0, cudaChannelFormatKindSigned),
    channels(16, 0, 0, 0, cudaChannelFormatKindFloat),
    channels(32, 32, 32, 32, cudaChannelFormatKindUnsigned)};

/// Each resource, format, kind of reading and address.
static void combinations() {
  allocate(1 << 20);
  cudaTextureObject_t texture;

  for (int format = 0; format < 6; ++format) {
    auto channels = formats[format];
    cudaArray_t array;
    cudaMipmappedArray_t levels;
    SETUP(cudaMallocArray(&array, &channels, 16, 16));
    SETUP(cudaMallocMipmappedArray(&levels, &channels, extent(16, 16, 0), 3));

    for (int kind = 0; kind < 4; ++kind)
      for (int read = 0; read < 2; ++read)
        for (int filter = 0; filter < 2; ++filter)
          for (int normalized = 0; normalized < 2; ++normalized)
            for (int address = 0; address < 2; ++address) {
              cudaResourceDesc resource{};
              cudaTextureDesc sampling{};
              static const char *kinds[] = {"array", "levels", "linear",
                                            "pitch"};
              resource.resType = (cudaResourceType)kind;

              if (kind == 0)
                resource.res.array.array = array;
              if (kind == 1)
                resource.res.mipmap.mipmap = levels;
              if (kind == 2) {
                resource.res.linear.devPtr = device;
                resource.res.linear.desc = channels;
                resource.res.linear.sizeInBytes = 4096;
              }
              if (kind == 3) {
                resource.res.pitch2D.devPtr = device;
                resource.res.pitch2D.desc = channels;
                resource.res.pitch2D.width = 16;
                resource.res.pitch2D.height = 4;
                resource.res.pitch2D.pitchInBytes = 512;
              }

              sampling.readMode = (cudaTextureReadMode)read;
              sampling.filterMode = sampling.mipmapFilterMode =
                  (cudaTextureFilterMode)filter;
              sampling.normalizedCoords = normalized;
              sampling.addressMode[0] = sampling.addressMode[1] =
                  sampling.addressMode[2] =
                      address ? cudaAddressModeClamp : cudaAddressModeWrap;

              called(
                  [&] {
                    texture = 0;
                    cudaError_t e = cudaCreateTextureObject(&texture, &resource,
                                                            &sampling, nullptr);
                    if (e == cudaSuccess)
                      cudaDestroyTextureObject(texture);
                    return e;
                  },
                  "%s %s %s %s %s %s", kinds[kind], formatNames[format],
                  read ? "real" : "element", filter ? "linear" : "point",
                  normalized ? "normalized" : "texels",
                  address ? "clamp" : "wrap");
            }
  }
}

/// One thing wrong at a time.
static void sampling() {
  allocate(1 << 20);
  auto real = formats[0], integer = formats[1];
  cudaArray_t array, integers, load;
  cudaMipmappedArray_t levels;
  SETUP(cudaMallocArray(&array, &real, 16, 16));
  SETUP(cudaMallocArray(&integers, &integer, 16, 16));
  SETUP(cudaMallocArray(&load, &real, 16, 16, cudaArraySurfaceLoadStore));
  SETUP(cudaMallocMipmappedArray(&levels, &real, extent(16, 16, 0), 3));
  cudaTextureObject_t texture = 0, good = 0;
  cudaSurfaceObject_t surface = 0;

  cudaResourceDesc ofArray{}, linear{}, rows{}, ofLevels{}, zero{};
  ofArray.resType = cudaResourceTypeArray;
  ofArray.res.array.array = array;
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = device;
  linear.res.linear.desc = real;
  linear.res.linear.sizeInBytes = 4096;
  rows.resType = cudaResourceTypePitch2D;
  rows.res.pitch2D.devPtr = device;
  rows.res.pitch2D.desc = real;
  rows.res.pitch2D.width = 16;
  rows.res.pitch2D.height = 4;
  rows.res.pitch2D.pitchInBytes = 512;
  ofLevels.resType = cudaResourceTypeMipmappedArray;
  ofLevels.res.mipmap.mipmap = levels;

  cudaTextureDesc clamped{};
  clamped.addressMode[0] = clamped.addressMode[1] = clamped.addressMode[2] =
      cudaAddressModeClamp;
  cudaTextureDesc sampling;

  auto make = [&](const cudaResourceDesc &of, const cudaTextureDesc &how,
                  auto... text) {
    called(
        [&] { return cudaCreateTextureObject(&texture, &of, &how, nullptr); },
        text...);
  };

  make(ofArray, clamped, "array");
  good = texture;
  make(zero, clamped, "zero");
  for (int index : {4, 9, -1}) {
    auto resource = ofArray;
    resource.resType = (cudaResourceType)index;
    make(resource, clamped, "resType %d", index);
  }

  for (int wrong : {-1, 2, 9}) {
    sampling = clamped;
    sampling.filterMode = (cudaTextureFilterMode)wrong;
    make(ofArray, sampling, "filterMode %d", wrong);
    sampling = clamped;
    sampling.readMode = (cudaTextureReadMode)wrong;
    make(ofArray, sampling, "readMode %d", wrong);
    sampling = clamped;
    sampling.mipmapFilterMode = (cudaTextureFilterMode)wrong;
    make(ofArray, sampling, "mipmapFilterMode %d", wrong);
  }

  for (int index = 0; index < 3; ++index)
    for (int wrong : {-1, 2, 3, 4, 9}) {
      sampling = clamped;
      sampling.addressMode[index] = (cudaTextureAddressMode)wrong;
      make(ofArray, sampling, "addressMode[%d] %d", index, wrong);
      make(linear, sampling, "linear addressMode[%d] %d", index, wrong);
    }

  for (int wrong : {1, 16, 17, 99}) {
    sampling = clamped;
    sampling.maxAnisotropy = wrong;
    make(ofArray, sampling, "maxAnisotropy %d", wrong);
  }

  sampling = clamped;
  sampling.normalizedCoords = 2;
  make(ofArray, sampling, "normalizedCoords 2");
  sampling.normalizedCoords = -1;
  make(ofArray, sampling, "normalizedCoords -1");
  sampling = clamped;
  sampling.sRGB = 1;
  make(ofArray, sampling, "sRGB of reals");
  sampling.sRGB = 2;
  make(ofArray, sampling, "sRGB 2");
  sampling = clamped;
  sampling.seamlessCubemap = 1;
  make(ofArray, sampling, "seamless");
  sampling = clamped;
  sampling.disableTrilinearOptimization = 5;
  make(ofArray, sampling, "trilinear 5");
  sampling = clamped;
  sampling.minMipmapLevelClamp = 3;
  sampling.maxMipmapLevelClamp = 1;
  make(ofArray, sampling, "levels upside down");

  auto resource = ofArray;
  resource.res.array.array = nullptr;
  make(resource, clamped, "no array");
  resource = ofLevels;
  resource.res.mipmap.mipmap = nullptr;
  sampling = clamped;
  sampling.normalizedCoords = 1;
  make(resource, sampling, "no levels");
  make(ofLevels, sampling, "levels");
  make(ofLevels, clamped, "levels texels");

  resource = linear;
  resource.res.linear.devPtr = nullptr;
  make(resource, clamped, "linear null");
  resource = linear;
  for (int offset : {4, 16, 32, 128, 256, 512}) {
    resource.res.linear.devPtr = device + offset;
    make(resource, clamped, "linear at %d", offset);
  }
  resource = linear;
  for (size_t size :
       {size_t(0), size_t(1), size_t(3), size_t(4), size_t(1) << 20,
        (size_t(1) << 20) + 4, size_t(1) << 29, size_t(1) << 30,
        (size_t(1) << 30) + 4, size_t(1) << 31}) {
    resource.res.linear.sizeInBytes = size;
    make(resource, clamped, "linear bytes %zu", size);
  }
  resource = linear;
  resource.res.linear.devPtr = pageable;
  make(resource, clamped, "linear host");
  resource.res.linear.devPtr = pinned;
  make(resource, clamped, "linear pinned");
  resource.res.linear.devPtr = managed;
  make(resource, clamped, "linear managed");

  auto format = [&](const char *name, cudaChannelFormatDesc f) {
    auto wanted = linear;
    wanted.res.linear.desc = f;
    make(wanted, clamped, "linear %s", name);
    wanted = rows;
    wanted.res.pitch2D.desc = f;
    make(wanted, clamped, "pitch %s", name);
  };

  format("f32x3",
         cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat));
  format("none", cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindNone));
  format("f8", cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindFloat));
  format("f64", cudaCreateChannelDesc(64, 0, 0, 0, cudaChannelFormatKindFloat));
  format("zero bits",
         cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindFloat));
  format("8 16",
         cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindSigned));
  format("kind 99",
         cudaCreateChannelDesc(32, 0, 0, 0, (cudaChannelFormatKind)99));

  resource = rows;
  for (size_t size : {0, 32, 60, 64, 96, 128, 500, 512}) {
    resource.res.pitch2D.pitchInBytes = size;
    make(resource, clamped, "pitch of %zu", size);
  }
  resource = rows;
  resource.res.pitch2D.width = 0;
  make(resource, clamped, "pitch width 0");
  resource = rows;
  resource.res.pitch2D.height = 0;
  make(resource, clamped, "pitch height 0");
  for (size_t size : {65000, 65001, 131072, 131073}) {
    resource = rows;
    resource.res.pitch2D.height = size;
    make(resource, clamped, "pitch height %zu", size);
    resource = rows;
    resource.res.pitch2D.width = size;
    resource.res.pitch2D.pitchInBytes = size * 4;
    make(resource, clamped, "pitch width %zu", size);
  }
  resource = rows;
  resource.res.pitch2D.devPtr = nullptr;
  make(resource, clamped, "pitch null");
  for (int offset : {4, 32, 128, 256, 512}) {
    resource.res.pitch2D.devPtr = device + offset;
    make(resource, clamped, "pitch at %d", offset);
  }
  resource.res.pitch2D.devPtr = pageable;
  make(resource, clamped, "pitch host");

  CALL(cudaCreateTextureObject(nullptr, &ofArray, &clamped, nullptr));
  CALL(cudaCreateTextureObject(&texture, nullptr, &clamped, nullptr));
  CALL(cudaCreateTextureObject(&texture, &ofArray, nullptr, nullptr));
  cudaResourceDesc gotResource;
  cudaTextureDesc gotSampling;
  CALL(cudaGetTextureObjectResourceDesc(&gotResource, good));
  CALL(cudaGetTextureObjectResourceDesc(nullptr, good));
  CALL(cudaGetTextureObjectTextureDesc(nullptr, good));
  CALL(cudaGetTextureObjectTextureDesc(&gotSampling, good));
  CALL(cudaGetTextureObjectResourceDesc(&gotResource, 0));
  CALL(cudaGetTextureObjectTextureDesc(&gotSampling, 0));
  CALL(cudaDestroyTextureObject(good));
  CALL(cudaDestroyTextureObject(0));

  CALL(cudaCreateSurfaceObject(&surface, &ofArray));
  resource = ofArray;
  resource.res.array.array = load;
  CALL(cudaCreateSurfaceObject(&surface, &resource));
  CALL(cudaGetSurfaceObjectResourceDesc(&gotResource, surface));
  CALL(cudaGetSurfaceObjectResourceDesc(nullptr, surface));
  CALL(cudaDestroySurfaceObject(surface));
  CALL(cudaDestroySurfaceObject(0));
  CALL(cudaCreateSurfaceObject(&surface, &linear));
  CALL(cudaCreateSurfaceObject(&surface, &rows));
  CALL(cudaCreateSurfaceObject(&surface, &ofLevels));
  CALL(cudaCreateSurfaceObject(&surface, &zero));
  CALL(cudaCreateSurfaceObject(nullptr, &resource));
  CALL(cudaCreateSurfaceObject(&surface, nullptr));
  resource.res.array.array = nullptr;
  CALL(cudaCreateSurfaceObject(&surface, &resource));
  CALL(cudaGetSurfaceObjectResourceDesc(&gotResource, 0));
}

/// Handles that are none.
static void unknownObjects() {
  allocate(1 << 20);
  cudaResourceDesc resource;
  cudaTextureDesc sampling;
  CALL(cudaGetTextureObjectResourceDesc(&resource, 12345));
  CALL(cudaGetTextureObjectTextureDesc(&sampling, 12345));
  CALL(cudaDestroyTextureObject(12345));
  CALL(cudaDestroySurfaceObject(12345));
  CALL(cudaGetSurfaceObjectResourceDesc(&resource, 12345));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"combinations", combinations},
                 {"sampling", sampling},
                 {"unknownObjects", unknownObjects}});
}
