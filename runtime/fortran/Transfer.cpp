//===- Transfer.cpp - transfers by assignment -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/Transfer.h"
#include "runtime/check/Check.h"
#include "runtime/core/process/Environment.h"
#include "runtime/fortran/Convert.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace cufort::fortran {
namespace {

struct FreeDeleter {
  void operator()(void *memory) const { std::free(memory); }
};
using HostBuffer = std::unique_ptr<char, FreeDeleter>;

HostBuffer hostBuffer(size_t bytes, Mode mode, Place place) {
  HostBuffer buffer(static_cast<char *>(allocateBytes(bytes ? bytes : 1)));
  if (!buffer)
    stopProgram(place.file, place.line, describe(mode),
                cudaErrorMemoryAllocation, "the host's memory is exhausted");
  return buffer;
}

CopyKind copyKind(Mode mode) {
  switch (mode) {
  case Mode::HostToDevice:
    return CopyKind::HostToDevice;
  case Mode::DeviceToHost:
    return CopyKind::DeviceToHost;
  default:
    return CopyKind::DeviceToDevice;
  }
}

std::string shapeOf(const Descriptor &d) {
  std::string text = "(";
  for (int i = 0; i < d.rank; ++i)
    text += (i ? "," : "") + std::to_string(d.dimensions()[i].extent);
  return text + ")";
}

bool sameShape(const Descriptor &a, const Descriptor &b) {
  if (a.rank != b.rank)
    return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.dimensions()[i].extent != b.dimensions()[i].extent)
      return false;
  return true;
}

/// Copies between two views of equal shape and element size.
void copyViews(const StridedView &to, const StridedView &from, Mode mode,
               Place place) {
  if (!to.elements())
    return;
  mustSucceed(place, describe(mode), [&](Engine &e) {
    checkDeviceData(e, to.base, from.base, mode, place);
    waitDefaultStream(e, to.base, from.base);
    if (mode != Mode::DeviceToDevice || !mayOverlap(to, from)) {
      const Error error = e.copyStrided(to, from, copyKind(mode));
      return error == cudaSuccess ? finishCopy(e, to.base, mode) : error;
    }
    // An array onto itself (a = a) needs nothing; anything else that may
    // overlap goes through a temporary, as if the right side were evaluated
    // first.
    if (to.base == from.base &&
        !std::memcmp(to.stride, from.stride,
                     sizeof(ptrdiff_t) * static_cast<size_t>(to.rank)))
      return cudaSuccess;
    void *memory = nullptr;
    if (Error error = e.allocate(&memory, to.elements() * to.elementBytes,
                                 MemoryKind::Device);
        error != cudaSuccess)
      return error;
    const StridedView between = contiguousLike(from, memory);
    Error error = e.copyStrided(between, from, CopyKind::DeviceToDevice);
    if (error == cudaSuccess)
      error = e.copyStrided(to, between, CopyKind::DeviceToDevice);
    if (error == cudaSuccess)
      error = finishCopy(e, to.base, mode);
    e.release(memory, MemoryKind::Device);
    return error;
  });
}

/// Writes the element at \p value (host memory) to all elements of \p to.
void fillView(const StridedView &to, const char *value, bool onDevice,
              Mode mode, Place place) {
  const size_t count = to.elements();
  if (!count)
    return;
  if (onDevice && to.contiguous()) {
    mustSucceed(place, describe(mode), [&](Engine &e) {
      checkDeviceData(e, to.base, value, Mode::HostToDevice, place);
      waitDefaultStream(e, to.base);
      Error error = e.fill(to.base, value, to.elementBytes, count, nullptr);
      return error == cudaSuccess ? e.synchronizeStream(nullptr) : error;
    });
    return;
  }
  // A section: pack the values, then one copy.
  HostBuffer buffer = hostBuffer(count * to.elementBytes, mode, place);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(buffer.get() + i * to.elementBytes, value, to.elementBytes);
  const StridedView from = contiguousLike(to, buffer.get());
  if (onDevice)
    copyViews(to, from, Mode::HostToDevice, place);
  else
    copyStridedOnHost(to, from);
}

} // namespace

const char *describe(Mode mode) {
  switch (mode) {
  case Mode::HostToDevice:
    return "assignment of host data to device data";
  case Mode::DeviceToHost:
    return "assignment of device data to host data";
  default:
    return "assignment of device data to device data";
  }
}

void checkDeviceData(Engine &e, const void *to, const void *from, Mode mode,
                     Place place) {
  const auto lies = [&](const void *address) {
    PointerDescription d;
    return e.describe(address, &d) != cudaSuccess ||
           d.type != PointerDescription::Unregistered;
  };
  if (e.deviceMemoryIsHostMemory() &&
      ((mode != Mode::DeviceToHost && !lies(to)) ||
       (mode != Mode::HostToDevice && !lies(from)))) {
    if (mode != Mode::DeviceToHost)
      check::refusedCopy(to, "write");
    if (mode != Mode::HostToDevice)
      check::refusedCopy(from, "read");
    stopProgram(place.file, place.line, describe(mode), cudaErrorInvalidValue,
                "the device data lies in no allocation: it has been freed, or "
                "the device was reset");
  }
}

Error finishCopy(Engine &e, const void *to, Mode mode) {
  PointerDescription d;
  if (mode != Mode::DeviceToDevice || e.deviceMemoryIsHostMemory() ||
      e.describe(to, &d) != cudaSuccess ||
      d.type != PointerDescription::Managed)
    return cudaSuccess;
  return e.synchronizeStream(nullptr);
}

void goOnOrStop(Place place, Mode mode, const std::string &detail) {
  if (environment().strict)
    stopProgram(place.file, place.line, describe(mode), cudaErrorInvalidValue,
                detail.c_str());
  static std::mutex lock;
  static std::set<std::pair<std::string, int>> known;
  std::lock_guard<std::mutex> guard(lock);
  if (known.insert({place.file ? place.file : "", place.line}).second)
    std::fprintf(stderr,
                 "%s:%d: warning: %s: %s (CUFORT_STRICT=1 makes this an "
                 "error)\n",
                 place.file ? place.file : "", place.line, describe(mode),
                 detail.c_str());
}

/// Between arrays of different shapes: as many elements as both have, in their
/// order.
static void copyCommonElements(const Descriptor &to, const Descriptor &from,
                               Mode mode, Place place) {
  const size_t bytes = std::min(to.bytes(), from.bytes());
  if (!bytes)
    return;
  if (to.contiguous() && from.contiguous()) {
    const StridedView t{static_cast<char *>(to.base), bytes, 0};
    const StridedView f{static_cast<char *>(from.base), bytes, 0};
    copyViews(t, f, mode, place);
    return;
  }
  // What the left side has more stays as it is.
  HostBuffer target = hostBuffer(to.bytes(), mode, place),
             source = hostBuffer(from.bytes(), mode, place);
  const StridedView t = contiguousLike(to.view(), target.get()),
                    f = contiguousLike(from.view(), source.get());
  if (mode == Mode::HostToDevice)
    copyStridedOnHost(f, from.view());
  else
    copyViews(f, from.view(), Mode::DeviceToHost, place);
  if (mode == Mode::DeviceToHost)
    copyStridedOnHost(t, to.view());
  else
    copyViews(t, to.view(), Mode::DeviceToHost, place);
  std::memcpy(target.get(), source.get(), bytes);
  if (mode == Mode::DeviceToHost)
    copyStridedOnHost(to.view(), t);
  else
    copyViews(to.view(), t, Mode::HostToDevice, place);
}

static void assignElements(const Descriptor &to, const Descriptor &from,
                           Mode mode, Place place) {
  const bool scalar = from.rank == 0 && to.rank > 0;
  for (const Descriptor *side : {&to, &from})
    if (!side->base && side->isPointer()) {
      goOnOrStop(place, mode,
                 side == &to ? "the left-hand side is not associated"
                             : "the right-hand side is not associated");
      (void)recordError(cudaErrorInvalidValue);
      return;
    }
  if (!to.base && to.elements())
    stopProgram(place.file, place.line, describe(mode), cudaErrorInvalidValue,
                "the left-hand side is not allocated or associated");
  if (!from.base && from.elements())
    stopProgram(place.file, place.line, describe(mode), cudaErrorInvalidValue,
                "the right-hand side is not allocated or associated");
  if (!scalar && !sameShape(to, from)) {
    // An array that is not allocated has whatever shape it had last.
    const char *absent = !to.base     ? "the left-hand side is "
                         : !from.base ? "the right-hand side is "
                                      : nullptr;
    const std::string detail =
        absent ? std::string(absent) + "not allocated or associated"
               : "the shapes differ: left " + shapeOf(to) + ", right " +
                     shapeOf(from);
    if (absent || !sameElements(to, from))
      stopProgram(place.file, place.line, describe(mode), cudaErrorInvalidValue,
                  detail.c_str());
    goOnOrStop(place, mode, detail);
    copyCommonElements(to, from, mode, place);
    return;
  }

  const bool same = sameElements(to, from);
  if (!scalar && same) {
    copyViews(to.view(), from.view(), mode, place);
    return;
  }

  // Scalars and conversions go through the host.
  const StridedView source = from.view();
  const size_t count = source.elements();
  HostBuffer buffer = hostBuffer(from.bytes(), mode, place);
  const StridedView packed = contiguousLike(source, buffer.get());
  if (mode == Mode::HostToDevice)
    copyStridedOnHost(packed, source);
  else
    copyViews(packed, source, Mode::DeviceToHost, place);
  HostBuffer converted;
  const char *value = buffer.get();
  if (!same) {
    converted = hostBuffer(count * to.elementBytes, mode, place);
    if (!convert(converted.get(), to, buffer.get(), from, count))
      stopProgram(place.file, place.line, describe(mode), cudaErrorNotSupported,
                  ("no conversion between the types of the two sides (" +
                   std::to_string(from.type) + " to " +
                   std::to_string(to.type) + ", CFI type codes)")
                      .c_str());
    value = converted.get();
  }
  const bool toDevice = mode != Mode::DeviceToHost;
  if (scalar) {
    fillView(to.view(), value, toDevice, mode, place);
    return;
  }
  const StridedView values =
      contiguousLike(to.view(), const_cast<char *>(value));
  if (toDevice)
    copyViews(to.view(), values, Mode::HostToDevice, place);
  else
    copyStridedOnHost(to.view(), values);
}

void assign(const Descriptor &to, const Descriptor &from, Mode mode,
            Place place) {
  haveMemory(place, describe(mode),
             [&] { assignElements(to, from, mode, place); });
}

} // namespace cufort::fortran
