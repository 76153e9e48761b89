//===- Allocation.cpp - allocate and deallocate ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/Allocation.h"
#include "runtime/check/Allocations.h"
#include "runtime/core/StreamNumbers.h"
#include "runtime/fortran/Components.h"
#include "runtime/fortran/EntryPoints.h"
#include "runtime/fortran/PagedMemory.h"
#include "runtime/fortran/Start.h"
#include "runtime/fortran/Transfer.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

// flang_rt's, for what is not device data: default initialisation of derived
// types and arrays of the host.
extern "C" int _FortranAAllocatableAllocate(
    CufDescriptor &, int64_t *async, bool hasStat, const CufDescriptor *errMsg,
    const char *file, int line, void *(*copy)(void *, const void *, size_t));
extern "C" int _FortranAAllocatableDeallocate(CufDescriptor &, bool hasStat,
                                              const CufDescriptor *errMsg,
                                              const char *file, int line);
extern "C" int _FortranAPointerDeallocate(CufDescriptor &, bool hasStat,
                                          const CufDescriptor *errMsg,
                                          const char *file, int line);

namespace cufort::fortran {
namespace {

// The numbers for stat= are flang_rt's.
constexpr int StatNotAllocated = 11, StatAllocated = 12, StatNoMemory = 19;

struct Request {
  bool *pinned;
  bool hasStat;
  const Descriptor *errMsg;
  Place place;
  const int64_t *stream = nullptr; ///< device memory in the order of a stream
  bool isEndOfScope = false;       ///< no statement of the program asks for it
};

/// Fails as the statement wants it: with a status or with the end of the
/// program.
int fail(const Request &request, int stat, const char *statement, Error error,
         const std::string &detail) {
  if (!request.hasStat)
    stopProgram(request.place.file, request.place.line, statement, error,
                detail.c_str());
  if (request.errMsg && request.errMsg->base) {
    const std::string message = std::string(errorName(error)) + ": " + detail;
    auto *text = static_cast<char *>(request.errMsg->base);
    const size_t room = request.errMsg->elementBytes;
    std::memset(text, ' ', room);
    std::memcpy(text, message.data(), std::min(room, message.size()));
  }
  return stat;
}

/// A derived type may have default values: one element is made on the host and
/// repeated on the device.
Error initialize(Engine &engine, const Descriptor &array, Place place) {
  alignas(Descriptor) char bytes[sizeof(Descriptor) + 16];
  auto &element = *reinterpret_cast<Descriptor *>(bytes);
  element = array;
  element.base = nullptr;
  element.rank = 0;
  element.attribute = 2;
  element.extra = 1; // flang_rt's own allocator
  std::memcpy(bytes + sizeof(Descriptor), array.dimensions() + array.rank, 16);
  const auto copy = [](void *to, const void *from, size_t count) {
    return std::memcpy(to, from, count);
  };
  if (_FortranAAllocatableAllocate(element, nullptr, true, nullptr, place.file,
                                   place.line, copy))
    return cudaErrorMemoryAllocation;
  Error error = engine.fill(array.base, element.base, array.elementBytes,
                            array.elements(), nullptr);
  if (error == cudaSuccess)
    error = engine.synchronizeStream(nullptr);
  std::free(element.base);
  return error;
}

/// What \p call() returns; where the runtime finds no memory for itself, the
/// statement fails as one without device memory does.
template <typename Call>
int statement(const Request &request, const char *name, Call call) {
  try {
    const RuntimeScope scope;
    return call();
  } catch (const std::bad_alloc &) {
    if (!request.hasStat)
      stopProgram(request.place.file, request.place.line, name,
                  cudaErrorMemoryAllocation, "the host's memory is exhausted");
    return StatNoMemory;
  }
}

int allocate(Descriptor &array, const Request &request) {
  installAllocators();
  if (request.pinned)
    *request.pinned = false;
  if (array.isAllocatable() && array.base)
    return fail(request, StatAllocated, "allocate", cudaErrorInvalidValue,
                "the array is already allocated");
  for (int i = 0; i < array.rank; ++i)
    array.dimensions()[i].extent =
        std::max<int64_t>(0, array.dimensions()[i].extent);
  if (array.allocator() == AllocatorDefault)
    return _FortranAAllocatableAllocate(
        array, nullptr, request.hasStat, request.errMsg, request.place.file,
        request.place.line, [](void *to, const void *from, size_t count) {
          return std::memcpy(to, from, count);
        });

  // The product of the extents may exceed any number.
  size_t bytes = array.elementBytes;
  bool tooLarge = false, isEmpty = false;
  for (int i = 0; i < array.rank; ++i) {
    isEmpty |= array.dimensions()[i].extent == 0;
    tooLarge |= __builtin_mul_overflow(
        bytes, static_cast<size_t>(array.dimensions()[i].extent), &bytes);
  }
  if (isEmpty)
    tooLarge = false, bytes = 0;

  reportPendingLaunchFailure();
  void *memory = nullptr;
  size_t free = 0, total = 0;
  const bool inStream = request.stream && array.allocator() == AllocatorDevice;
  const StreamHandle stream =
      inStream ? handleOf(reinterpret_cast<StreamHandle>(*request.stream))
               : nullptr;
  const profile::At at("allocate", {request.place.file, request.place.line});
  Error error = onDevice([&](Engine &e) {
    const size_t room = bytes ? bytes : 1;
    const Error result =
        tooLarge   ? cudaErrorMemoryAllocation
        : inStream ? e.allocateAsync(&memory, room, nullptr, stream)
                   : e.allocate(&memory, room, memoryKind(array.allocator()));
    if (result != cudaSuccess)
      e.memoryInformation(&free, &total);
    return result;
  });
  bool isPinned = error == cudaSuccess;
  if (error != cudaSuccess && array.allocator() == AllocatorPinned && !tooLarge)
    if ((memory = allocatePaged(bytes ? bytes : 1))) {
      takeLastError();
      error = cudaSuccess;
    }
  if (error != cudaSuccess) {
    // The statement carries the error; cudaGetLastError need not.
    takeLastError();
    return fail(
        request, StatNoMemory, "allocate", error,
        (tooLarge
             ? std::string("the size in bytes is larger than 64 bits can hold")
             : std::to_string(bytes) + " bytes") +
            " wanted, " + std::to_string(free) + " of " +
            std::to_string(total) + " bytes of device memory are free");
  }
  array.base = memory;
  if (inStream)
    _FortranACUFSetAssociatedStream(memory, bytes ? bytes : 1, stream);
  array.setContiguousStrides();
  if (request.pinned)
    *request.pinned = isPinned;
  if (array.elements() && hasFirstValues(array))
    mustSucceed(request.place, "initialisation of allocated device data",
                [&](Engine &e) { return initialize(e, array, request.place); });
  return 0;
}

int allocateFrom(Descriptor &array, const Descriptor &source,
                 const Request &request, bool sourceIsDevice) {
  if (int stat = allocate(array, request))
    return stat;
  const bool onHost = array.allocator() == AllocatorDefault ||
                      array.allocator() == AllocatorPinned;
  assign(array, source,
         sourceIsDevice ? (onHost ? Mode::DeviceToHost : Mode::DeviceToDevice)
                        : Mode::HostToDevice,
         request.place);
  return 0;
}

int deallocate(Descriptor &array, const Request &request) {
  if (!array.base)
    return fail(request, StatNotAllocated, "deallocate", cudaErrorInvalidValue,
                "the array is not allocated");
  // What c_f_pointer made an allocatable describe is somebody else's, and its
  // descriptor knows no allocator: only the descriptor goes.
  if (array.allocator() == AllocatorDefault && array.isAllocatable() &&
      isKnownMemory(array.base)) {
    array.base = nullptr;
    return 0;
  }
  if (array.allocator() == AllocatorDefault)
    return (array.isPointer() ? _FortranAPointerDeallocate
                              : _FortranAAllocatableDeallocate)(
        array, request.hasStat, request.errMsg, request.place.file,
        request.place.line);
  if (array.allocator() == AllocatorPinned && releasePaged(array.base)) {
    array.base = nullptr;
    return 0;
  }
  reportPendingLaunchFailure();
  const profile::At at("deallocate", {request.place.file, request.place.line});
  const Error error = onDevice([&](Engine &e) {
    // Where the stream is gone, the device is waited for.
    if (StreamHandle stream = array.allocator() == AllocatorDevice
                                  ? associatedStream(array.base)
                                  : nullptr) {
      _FortranACUFSetAssociatedStream(array.base, 1, nullptr);
      if (e.releaseAsync(array.base, stream) == cudaSuccess)
        return cudaSuccess;
    }
    const MemoryKind kind = memoryKind(array.allocator());
    return request.isEndOfScope ? releaseAtEnd(e, array.base, kind)
                                : e.release(array.base, kind);
  });
  if (check::checkFree(error, array.base, "deallocate") != cudaSuccess) {
    takeLastError();
    return fail(request, error, "deallocate", error,
                "the address is not one that allocate gave");
  }
  array.base = nullptr;
  return 0;
}

/// Tells the device of an array that has just been allocated, if it is a
/// module's. Where that finds no memory, the array is not allocated.
void publish(Descriptor &array, const Request &request) {
  try {
    syncModuleDescriptor(array, request.place);
  } catch (const std::bad_alloc &) {
    deallocate(array, {nullptr, true, nullptr, request.place});
    throw;
  }
}

} // namespace

Error releaseAtEnd(Engine &engine, void *memory, MemoryKind kind) {
  const Error error = engine.release(memory, kind);
  return error == cudaErrorInvalidValue ? cudaSuccess : error;
}

bool isKnownMemory(const void *address) {
  PointerDescription description;
  return onDevice([&](Engine &e) {
           return e.describe(address, &description);
         }) == cudaSuccess &&
         description.type != PointerDescription::Unregistered;
}

void syncModuleDescriptor(const Descriptor &host, Place place) {
  if (!findVariable(&host))
    return;
  void *device = _FortranACUFGetDeviceAddress(const_cast<Descriptor *>(&host),
                                              place.file, place.line);
  _FortranACUFDescriptorSync(static_cast<Descriptor *>(device), &host,
                             place.file, place.line);
}

ReplacedArray::~ReplacedArray() {
  if (array().base)
    deallocate(array(), {nullptr, false, nullptr, place});
}

void reallocateForAssignment(Descriptor &to, const Descriptor &from,
                             bool device, Place place,
                             ReplacedArray &replaced) {
  const Request request{nullptr, false, nullptr, place};
  bool fits = to.base && to.rank == from.rank;
  for (int i = 0; fits && i < to.rank; ++i)
    fits = to.dimensions()[i].extent == from.dimensions()[i].extent;
  if (fits || (to.base && from.rank == 0) || to.rank != from.rank)
    return;
  if (to.base && mayOverlap(to.view(), from.view())) {
    std::memcpy(&replaced.array(), &to, to.descriptorBytes());
    to.base = nullptr;
  } else if (to.base) {
    deallocate(to, request);
  }
  for (int i = 0; i < to.rank; ++i) {
    to.dimensions()[i].lowerBound = from.dimensions()[i].lowerBound;
    to.dimensions()[i].extent = from.dimensions()[i].extent;
  }
  if (!to.elementBytes)
    to.elementBytes = from.elementBytes;
  // A descriptor that no allocate statement has seen may lack its allocator.
  if (device && to.allocator() == AllocatorDefault)
    to.setAllocator(AllocatorDevice);
  if (!allocate(to, request))
    syncModuleDescriptor(to, place);
}

} // namespace cufort::fortran

using namespace cufort;
using namespace cufort::fortran;

void _FortranACUFSetAllocator(CufDescriptor &array, int allocator,
                              const void *type) {
  array.setAllocator(allocator);
  if (type && array.hasAddendum())
    std::memcpy(array.dimensions() + array.rank, &type, sizeof(type));
}

// The compiler calls the second where it sees a module's variable; a dummy
// argument may stand for one, too.
int _FortranACUFAllocatableAllocate(CufDescriptor &array, int64_t *stream,
                                    bool *pinned, bool hasStat,
                                    const CufDescriptor *errMsg,
                                    const char *file, int line, bool) {
  const Request request{pinned, hasStat, errMsg, {file, line}, stream};
  return statement(request, "allocate", [&] {
    const int stat = allocate(array, request);
    if (!stat)
      publish(array, request);
    return stat;
  });
}

int _FortranACUFAllocatableAllocateSync(CufDescriptor &array, int64_t *stream,
                                        bool *pinned, bool hasStat,
                                        const CufDescriptor *errMsg,
                                        const char *file, int line,
                                        bool deviceInit) {
  return _FortranACUFAllocatableAllocate(array, stream, pinned, hasStat, errMsg,
                                         file, line, deviceInit);
}

int _FortranACUFAllocatableAllocateSource(
    CufDescriptor &array, const CufDescriptor &source, int64_t *stream,
    bool *pinned, bool hasStat, const CufDescriptor *errMsg, const char *file,
    int line, bool sourceIsDevice) {
  const Request request{pinned, hasStat, errMsg, {file, line}, stream};
  return statement(request, "allocate", [&] {
    const int stat = allocateFrom(array, source, request, sourceIsDevice);
    if (!stat)
      publish(array, request);
    return stat;
  });
}

int _FortranACUFAllocatableAllocateSourceSync(
    CufDescriptor &array, const CufDescriptor &source, int64_t *stream,
    bool *pinned, bool hasStat, const CufDescriptor *errMsg, const char *file,
    int line, bool sourceIsDevice) {
  return _FortranACUFAllocatableAllocateSource(array, source, stream, pinned,
                                               hasStat, errMsg, file, line,
                                               sourceIsDevice);
}

// A pointer may be allocated again whatever it points to; otherwise the same.
int _FortranACUFPointerAllocate(CufDescriptor &pointer, int64_t *stream,
                                bool *pinned, bool hasStat,
                                const CufDescriptor *errMsg, const char *file,
                                int line, bool deviceInit) {
  return _FortranACUFAllocatableAllocate(pointer, stream, pinned, hasStat,
                                         errMsg, file, line, deviceInit);
}

int _FortranACUFPointerAllocateSync(CufDescriptor &pointer, int64_t *stream,
                                    bool *pinned, bool hasStat,
                                    const CufDescriptor *errMsg,
                                    const char *file, int line,
                                    bool deviceInit) {
  return _FortranACUFAllocatableAllocateSync(pointer, stream, pinned, hasStat,
                                             errMsg, file, line, deviceInit);
}

int _FortranACUFPointerAllocateSource(CufDescriptor &pointer,
                                      const CufDescriptor &source,
                                      int64_t *stream, bool *pinned,
                                      bool hasStat, const CufDescriptor *errMsg,
                                      const char *file, int line,
                                      bool sourceIsDevice) {
  return _FortranACUFAllocatableAllocateSource(pointer, source, stream, pinned,
                                               hasStat, errMsg, file, line,
                                               sourceIsDevice);
}

int _FortranACUFPointerAllocateSourceSync(
    CufDescriptor &pointer, const CufDescriptor &source, int64_t *stream,
    bool *pinned, bool hasStat, const CufDescriptor *errMsg, const char *file,
    int line, bool sourceIsDevice) {
  return _FortranACUFAllocatableAllocateSourceSync(pointer, source, stream,
                                                   pinned, hasStat, errMsg,
                                                   file, line, sourceIsDevice);
}

int _FortranACUFAllocatableDeallocate(CufDescriptor &array, bool hasStat,
                                      const CufDescriptor *errMsg,
                                      const char *file, int line) {
  const Request request{nullptr, hasStat, errMsg, {file, line}};
  return statement(request, "deallocate", [&] {
    const int stat = deallocate(array, request);
    if (!stat)
      syncModuleDescriptor(array, {file, line});
    return stat;
  });
}

int _FortranACUFPointerDeallocate(CufDescriptor &pointer, bool hasStat,
                                  const CufDescriptor *errMsg, const char *file,
                                  int line) {
  return _FortranACUFAllocatableDeallocate(pointer, hasStat, errMsg, file,
                                           line);
}

void _FortranACUFAllocatableEnd(CufDescriptor &array, const char *file,
                                int line) {
  Request request{nullptr, false, nullptr, {file, line}};
  request.isEndOfScope = true;
  statement(request, "deallocate", [&] { return deallocate(array, request); });
}
