//===- Copies.cpp - copies and fills on an NVIDIA device ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses are unified: the driver finds out on which side each lies, or,
// where a copy has a direction, whether it lies there.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StreamNumbers.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/cuda/CudaEngine.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cufort::cuda {
namespace {

CUstream streamOf(StreamHandle stream) {
  return static_cast<CUstream>(handleOf(stream));
}

CUdeviceptr address(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

bool validKind(CopyKind kind) {
  return static_cast<unsigned>(kind) <=
         static_cast<unsigned>(CopyKind::Default);
}

Copy2D describe2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
                  size_t width, size_t height) {
  Copy2D copy{};
  copy.from.memoryType = copy.to.memoryType = MemoryUnified;
  copy.from.device = address(from);
  copy.from.pitch = fromPitch;
  copy.to.device = address(to);
  copy.to.pitch = toPitch;
  copy.widthBytes = width;
  copy.height = height;
  return copy;
}

/// Turns dimensions that run backwards in both views around.
void orient(StridedView &a, StridedView &b) {
  for (int i = 0; i < a.rank; ++i) {
    if (a.stride[i] >= 0 || b.stride[i] >= 0)
      continue;
    a.base += a.stride[i] * (a.extent[i] - 1);
    b.base += b.stride[i] * (b.extent[i] - 1);
    a.stride[i] = -a.stride[i];
    b.stride[i] = -b.stride[i];
  }
}

/// Whether dimension 0 of both views can be the rows of a 2-D copy.
bool rowsFit(const StridedView &a, const StridedView &b, size_t maxPitch) {
  const auto fits = [&](const StridedView &v) {
    return v.stride[0] >= static_cast<ptrdiff_t>(v.elementBytes) &&
           static_cast<size_t>(v.stride[0]) <= maxPitch;
  };
  return fits(a) && fits(b);
}

/// Whether dimension 1 is a whole number of rows further, as 3-D copies want.
bool slicesFit(const StridedView &v) {
  return v.stride[1] >= v.stride[0] * v.extent[0] &&
         v.stride[1] % v.stride[0] == 0;
}

struct HostBuffer {
  explicit HostBuffer(size_t bytes)
      : memory(static_cast<char *>(allocateBytes(bytes))) {}
  HostBuffer(const HostBuffer &) = delete;
  HostBuffer &operator=(const HostBuffer &) = delete;
  ~HostBuffer() { std::free(memory); }
  char *memory;
};

/// What the profile says of a copy; \p from null: of a fill.
profile::Work moved(const void *to, const void *from, size_t bytes,
                    CUstream stream) {
  profile::Work work;
  work.kind = from ? profile::WorkKind::Copy : profile::WorkKind::Fill;
  work.to = to;
  work.from = from;
  work.bytes = bytes;
  work.stream = stream;
  return work;
}

} // namespace

#define BIND()                                                                 \
  if (Error bindError = bind(); bindError != cudaSuccess)                      \
  return bindError

Error CudaEngine::copy(void *to, const void *from, size_t bytes,
                       CopyKind kind) {
  if (!bytes)
    return cudaSuccess;
  if (!validKind(kind))
    return cudaErrorInvalidMemcpyDirection;
  if (!to || !from)
    return cudaErrorInvalidValue;
  BIND();
  const profile::Waiting waiting;
  return waited(timing.measured(
      nullptr, moved(to, from, bytes, nullptr), [&]() -> CUresult {
        switch (kind) {
        case CopyKind::HostToDevice:
          return driver.copyToDevice(address(to), from, bytes);
        case CopyKind::DeviceToHost:
          return driver.copyToHost(to, address(from), bytes);
        case CopyKind::DeviceToDevice:
          return driver.copyOnDevice(address(to), address(from), bytes);
        default:
          return driver.copy(address(to), address(from), bytes);
        }
      }));
}

Error CudaEngine::copyAsync(void *to, const void *from, size_t bytes,
                            CopyKind kind, StreamHandle stream) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  if (!bytes)
    return cudaSuccess;
  if (!validKind(kind))
    return cudaErrorInvalidMemcpyDirection;
  if (!to || !from)
    return cudaErrorInvalidValue;
  const CUstream order = streamOf(stream);
  return errorOf(
      timing.measured(order, moved(to, from, bytes, order), [&]() -> CUresult {
        switch (kind) {
        case CopyKind::HostToDevice:
          return driver.copyToDeviceAsync(address(to), from, bytes, order);
        case CopyKind::DeviceToHost:
          return driver.copyToHostAsync(to, address(from), bytes, order);
        case CopyKind::DeviceToDevice:
          return driver.copyOnDeviceAsync(address(to), address(from), bytes,
                                          order);
        default:
          return driver.copyAsync(address(to), address(from), bytes, order);
        }
      }));
}

Error CudaEngine::copy2D(void *to, size_t toPitch, const void *from,
                         size_t fromPitch, size_t width, size_t height,
                         CopyKind kind, StreamHandle stream, bool async) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  if (!width || !height)
    return cudaSuccess;
  if (!validKind(kind))
    return cudaErrorInvalidMemcpyDirection;
  if (width > toPitch || width > fromPitch || toPitch > description.maxPitch ||
      fromPitch > description.maxPitch)
    return cudaErrorInvalidPitchValue;
  if (!to || !from)
    return cudaErrorInvalidValue;
  Copy2D copy = describe2D(to, toPitch, from, fromPitch, width, height);
  putMemory(copy.to, to, kind, true);
  putMemory(copy.from, from, kind, false);
  const CUstream order = streamOf(stream);
  const CUresult result = timing.measured(
      order, moved(to, from, width * height, order), [&]() -> CUresult {
        return async ? driver.copy2DAsync(&copy, order) : driver.copy2D(&copy);
      });
  return async ? errorOf(result) : waited(result);
}

Error CudaEngine::copyStrided(const StridedView &to, const StridedView &from,
                              CopyKind kind) {
  const size_t elements = to.elements(), bytes = elements * to.elementBytes;
  if (!bytes)
    return cudaSuccess;
  if (!to.base || !from.base)
    return cudaErrorInvalidValue;
  StridedView t = to, f = from;
  simplify(t, f);
  if (t.rank == 0)
    return copy(t.base, f.base, t.elementBytes, kind);
  orient(t, f);
  BIND();

  // Device to host, and most of what lies between the elements is wanted too:
  // one copy of the whole stretch, the rest is done here.
  if (kind == CopyKind::DeviceToHost && t.elementBytes < 64) {
    char *begin, *end;
    f.span(&begin, &end);
    const auto stretch = static_cast<size_t>(end - begin);
    if (stretch <= 16 * bytes || stretch <= 65536) {
      HostBuffer buffer(stretch);
      if (!buffer.memory)
        return cudaErrorMemoryAllocation;
      if (Error error =
              waited(driver.copyToHost(buffer.memory, address(begin), stretch));
          error != cudaSuccess)
        return error;
      f.base = buffer.memory + (f.base - begin);
      copyStridedOnHost(t, f);
      return cudaSuccess;
    }
  }

  // One copy by the driver, which is good at long rows.
  const bool simple =
      rowsFit(t, f, description.maxPitch) &&
      (t.rank == 1 || (t.rank == 2 && slicesFit(t) && slicesFit(f)));
  // Shorter ones a kernel copies faster.
  constexpr size_t LongRow = 64;
  if (!simple || t.elementBytes < LongRow)
    return copyByKernel(t, f, kind);
  if (t.rank == 1) {
    const Copy2D copy =
        describe2D(t.base, static_cast<size_t>(t.stride[0]), f.base,
                   static_cast<size_t>(f.stride[0]), t.elementBytes,
                   static_cast<size_t>(t.extent[0]));
    return waited(driver.copy2D(&copy));
  }
  Copy3D copy{};
  copy.from.memoryType = copy.to.memoryType = MemoryUnified;
  copy.from.device = address(f.base);
  copy.from.pitch = static_cast<size_t>(f.stride[0]);
  copy.from.height = static_cast<size_t>(f.stride[1] / f.stride[0]);
  copy.to.device = address(t.base);
  copy.to.pitch = static_cast<size_t>(t.stride[0]);
  copy.to.height = static_cast<size_t>(t.stride[1] / t.stride[0]);
  copy.widthBytes = t.elementBytes;
  copy.height = static_cast<size_t>(t.extent[0]);
  copy.depth = static_cast<size_t>(t.extent[1]);
  return waited(driver.copy3D(&copy));
}

Error CudaEngine::copyByKernel(const StridedView &to, const StridedView &from,
                               CopyKind kind) {
  const bool toHost = kind == CopyKind::DeviceToHost;
  if (!toHost && kind != CopyKind::HostToDevice)
    return errorOf(stridedKernel.copy(driver, to, from));
  // Between the host and the device the elements travel without gaps.
  const size_t bytes = to.elements() * to.elementBytes;
  const StridedView &host = toHost ? to : from;
  HostBuffer buffer(host.contiguous() ? 0 : bytes);
  char *packed = host.contiguous() ? host.base : buffer.memory;
  if (!packed)
    return cudaErrorMemoryAllocation;
  CUdeviceptr memory = 0;
  if (CUresult code = driver.memAlloc(&memory, bytes))
    return errorOf(code);
  char *between = reinterpret_cast<char *>(memory);
  CUresult code{};
  if (toHost) {
    code = stridedKernel.copy(driver, contiguousLike(from, between), from);
    if (!code)
      code = driver.copyToHost(packed, memory, bytes);
    if (!code && packed != host.base)
      copyStridedOnHost(to, contiguousLike(to, packed));
  } else {
    if (packed != host.base)
      copyStridedOnHost(contiguousLike(from, packed), from);
    code = driver.copyToDevice(memory, packed, bytes);
    if (!code)
      code = stridedKernel.copy(driver, to, contiguousLike(to, between));
  }
  // Waits for the kernel.
  const CUresult freed = driver.memFree(memory);
  return waited(code ? code : freed);
}

/// Whether the pattern consists of copies of its first \p part bytes.
static bool repeats(const char *pattern, size_t bytes, size_t part) {
  return bytes % part == 0 &&
         std::memcmp(pattern, pattern + part, bytes - part) == 0;
}

Error CudaEngine::fill(void *to, const void *pattern, size_t patternBytes,
                       size_t count, StreamHandle handle) {
  BIND();
  if (!knownStream(handle))
    return cudaErrorInvalidResourceHandle;
  const size_t bytes = patternBytes * count;
  if (!bytes)
    return cudaSuccess;
  if (!to)
    return cudaErrorInvalidValue;
  const CUstream stream = streamOf(handle);
  const auto *start = static_cast<const char *>(pattern);
  const CUdeviceptr target = address(to);
  const profile::Work work = moved(to, nullptr, bytes, stream);
  if (repeats(start, patternBytes, 1))
    return errorOf(timing.measured(stream, work, [&] {
      return driver.set8Async(target, static_cast<unsigned char>(*start), bytes,
                              stream);
    }));
  if (repeats(start, patternBytes, 2) && target % 2 == 0) {
    unsigned short value;
    std::memcpy(&value, start, 2);
    return errorOf(timing.measured(stream, work, [&] {
      return driver.set16Async(target, value, bytes / 2, stream);
    }));
  }
  if (repeats(start, patternBytes, 4) && target % 4 == 0) {
    unsigned value;
    std::memcpy(&value, start, 4);
    return errorOf(timing.measured(stream, work, [&] {
      return driver.set32Async(target, value, bytes / 4, stream);
    }));
  }
  // A graph would look for the seed when it is launched.
  int capture = 0;
  unsigned long long id = 0;
  if (!driver.streamGetCaptureInfo(stream, &capture, &id, nullptr, nullptr,
                                   nullptr) &&
      capture)
    return cudaErrorStreamCaptureUnsupported;
  // Longer patterns: a seed from the host, then twice as much each time on the
  // device. The seed is pageable, so it may go when the call returns.
  HostBuffer seed(std::min(
      bytes, patternBytes * std::max<size_t>(1, 65536 / patternBytes)));
  if (!seed.memory)
    return cudaErrorMemoryAllocation;
  size_t have =
      std::min(bytes, patternBytes * std::max<size_t>(1, 65536 / patternBytes));
  for (size_t i = 0; i < have; i += patternBytes)
    std::memcpy(seed.memory + i, start, patternBytes);
  if (CUresult code =
          driver.copyToDeviceAsync(target, seed.memory, have, stream))
    return errorOf(code);
  while (have < bytes) {
    const size_t more = std::min(have, bytes - have);
    if (CUresult code =
            driver.copyOnDeviceAsync(target + have, target, more, stream))
      return errorOf(code);
    have += more;
  }
  return cudaSuccess;
}

Error CudaEngine::fill2D(void *to, size_t pitch, unsigned char value,
                         size_t width, size_t height, StreamHandle stream) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  if (!width || !height)
    return cudaSuccess;
  if (width > pitch)
    return cudaErrorInvalidPitchValue;
  if (!to)
    return cudaErrorInvalidValue;
  const CUstream order = streamOf(stream);
  return errorOf(
      timing.measured(order, moved(to, nullptr, width * height, order), [&] {
        return driver.set2D8Async(address(to), pitch, value, width, height,
                                  order);
      }));
}

} // namespace cufort::cuda
