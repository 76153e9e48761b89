//===- channel_descriptor.h - formats of arrays by type ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#if defined(__cplusplus)

#include "cuda_runtime_api.h"

/// cudaCreateChannelDesc<float4>() and the like.
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define __CUFORT_CHANNELS(T, x, y, z, w, kind)                                 \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() {        \
    return cudaCreateChannelDesc(x, y, z, w, kind);                            \
  }
#define __CUFORT_CHANNEL_TYPES(T, name, kind)                                  \
  __CUFORT_CHANNELS(T, 8 * sizeof(T), 0, 0, 0, kind)                           \
  __CUFORT_CHANNELS(name##1, 8 * sizeof(T), 0, 0, 0, kind)                     \
  __CUFORT_CHANNELS(name##2, 8 * sizeof(T), 8 * sizeof(T), 0, 0, kind)         \
  __CUFORT_CHANNELS(name##3, 8 * sizeof(T), 8 * sizeof(T), 8 * sizeof(T), 0,   \
                    kind)                                                      \
  __CUFORT_CHANNELS(name##4, 8 * sizeof(T), 8 * sizeof(T), 8 * sizeof(T),      \
                    8 * sizeof(T), kind)
__CUFORT_CHANNEL_TYPES(signed char, char, cudaChannelFormatKindSigned)
__CUFORT_CHANNELS(char, 8, 0, 0, 0, cudaChannelFormatKindSigned)
__CUFORT_CHANNEL_TYPES(unsigned char, uchar, cudaChannelFormatKindUnsigned)
__CUFORT_CHANNEL_TYPES(short, short, cudaChannelFormatKindSigned)
__CUFORT_CHANNEL_TYPES(unsigned short, ushort, cudaChannelFormatKindUnsigned)
__CUFORT_CHANNEL_TYPES(int, int, cudaChannelFormatKindSigned)
__CUFORT_CHANNEL_TYPES(unsigned int, uint, cudaChannelFormatKindUnsigned)
__CUFORT_CHANNEL_TYPES(float, float, cudaChannelFormatKindFloat)
#undef __CUFORT_CHANNELS
#undef __CUFORT_CHANNEL_TYPES

/// cudaCreateChannelDesc<cudaChannelFormatKindNV12>() and the like, for formats
/// that their names describe in full.
template <cudaChannelFormatKind kind>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define __CUFORT_KIND(name, x, y, z, w)                                        \
  template <>                                                                  \
  inline cudaChannelFormatDesc                                                 \
  cudaCreateChannelDesc<cudaChannelFormatKind##name>() {                       \
    return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##name);     \
  }
#define __CUFORT_KINDS(name, bits)                                             \
  __CUFORT_KIND(name##X1, bits, 0, 0, 0)                                       \
  __CUFORT_KIND(name##X2, bits, bits, 0, 0)                                    \
  __CUFORT_KIND(name##X4, bits, bits, bits, bits)
__CUFORT_KINDS(SignedNormalized8, 8)
__CUFORT_KINDS(SignedNormalized16, 16)
__CUFORT_KINDS(UnsignedNormalized8, 8)
__CUFORT_KINDS(UnsignedNormalized16, 16)
__CUFORT_KIND(UnsignedNormalized1010102, 10, 10, 10, 2)
__CUFORT_KIND(NV12, 8, 8, 8, 0)
__CUFORT_KIND(UnsignedBlockCompressed1, 8, 8, 8, 8)
__CUFORT_KIND(UnsignedBlockCompressed1SRGB, 8, 8, 8, 8)
__CUFORT_KIND(UnsignedBlockCompressed2, 8, 8, 8, 8)
__CUFORT_KIND(UnsignedBlockCompressed2SRGB, 8, 8, 8, 8)
__CUFORT_KIND(UnsignedBlockCompressed3, 8, 8, 8, 8)
__CUFORT_KIND(UnsignedBlockCompressed3SRGB, 8, 8, 8, 8)
__CUFORT_KIND(UnsignedBlockCompressed4, 8, 0, 0, 0)
__CUFORT_KIND(SignedBlockCompressed4, 8, 0, 0, 0)
__CUFORT_KIND(UnsignedBlockCompressed5, 8, 8, 0, 0)
__CUFORT_KIND(SignedBlockCompressed5, 8, 8, 0, 0)
__CUFORT_KIND(UnsignedBlockCompressed6H, 16, 16, 16, 0)
__CUFORT_KIND(SignedBlockCompressed6H, 16, 16, 16, 0)
__CUFORT_KIND(UnsignedBlockCompressed7, 8, 8, 8, 8)
__CUFORT_KIND(UnsignedBlockCompressed7SRGB, 8, 8, 8, 8)
#undef __CUFORT_KIND
#undef __CUFORT_KINDS

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
inline cudaChannelFormatDesc cudaCreateChannelDescNV12() {
  return cudaCreateChannelDesc<cudaChannelFormatKindNV12>();
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#endif // __cplusplus

#endif // __CHANNEL_DESCRIPTOR_H__
