//===- Stage.cpp - device buffers in calls of MPI -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/mpi/Stage.h"
#include "cuda_runtime_api.h"
#include "libraries/common/Dispatch.h"
#include "runtime/core/Device.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string_view>

extern "C" {
// Open MPI's extension; MPICH's is MPIX_GPU_query_support.
__attribute__((weak)) int MPIX_Query_cuda_support(void);
__attribute__((weak)) extern char ompi_mpi_comm_world[];
}

namespace cufort::mpi {
namespace {

/// An argument that is a count.
long countOf(const Interface &mpi, const Call &call, void *argument) {
  return call.isLarge ? static_cast<long>(reinterpret_cast<intptr_t>(argument))
                      : mpi.integer(argument);
}

/// An argument that is an array of counts or displacements.
class Counts {
public:
  Counts(const Call &call, const void *array)
      : array(array), isLarge(call.isLarge) {}
  long operator[](int index) const {
    return isLarge ? static_cast<const long *>(array)[index]
                   : static_cast<const int *>(array)[index];
  }

private:
  const void *array;
  bool isLarge;
};

[[noreturn]] void stop(const char *call, const char *what) {
  std::fprintf(stderr, "cufort: %s: %s\n", call, what);
  std::exit(1);
}

void check(cudaError_t error, const char *what) {
  if (error == ::cudaSuccess)
    return;
  std::fprintf(stderr,
               "cufort: a device buffer of an MPI call cannot be copied (%s): "
               "%s\n",
               what, cudaGetErrorString(error));
  std::exit(1);
}

/// Whether the library itself reads device memory.
bool libraryReaches() {
  const char *text = std::getenv("CUFORT_MPI_DEVICE_BUFFERS");
  const std::string_view word = text && *text ? text : "auto";
  if (word == "library")
    return true;
  if (word == "staged")
    return false;
  if (word != "auto") {
    std::fprintf(stderr,
                 "error: CUFORT_MPI_DEVICE_BUFFERS=%s is not valid; use auto, "
                 "library or staged\n",
                 text);
    std::exit(1);
  }
  for (const char *name : {"MPICH_GPU_SUPPORT_ENABLED", "MV2_USE_CUDA"})
    if (const char *value = std::getenv(name); value && *value == '1')
      return true;
  return MPIX_Query_cuda_support && MPIX_Query_cuda_support() == 1;
}

bool isDevice(const void *address) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, address) != ::cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeDevice;
}

/// A stream that waits for no other: kernels on the default stream that run
/// beside the communication are not held up.
cudaStream_t copyStream() {
  static std::mutex mutex;
  static auto *streams = new std::map<int, cudaStream_t>;
  int device = 0;
  check(cudaGetDevice(&device), "device");
  std::lock_guard lock(mutex);
  cudaStream_t &stream = (*streams)[device];
  if (!stream)
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  return stream;
}

/// Host memory is kept for the next call: to pin it takes longer than to copy.
struct HostMemory {
  std::mutex mutex;
  std::multimap<size_t, char *> free;
};

HostMemory &hostMemory() {
  static auto *memory = new HostMemory;
  return *memory;
}

size_t roundedUp(size_t bytes) {
  size_t size = 4096;
  while (size < bytes)
    size *= 2;
  return size;
}

char *takeMemory(size_t bytes) {
  const size_t size = roundedUp(bytes);
  HostMemory &memory = hostMemory();
  {
    std::lock_guard lock(memory.mutex);
    if (auto found = memory.free.find(size); found != memory.free.end()) {
      char *address = found->second;
      memory.free.erase(found);
      return address;
    }
  }
  void *address = nullptr;
  check(cudaMallocHost(&address, size), "host memory");
  return static_cast<char *>(address);
}

void giveMemory(char *address, size_t bytes) {
  HostMemory &memory = hostMemory();
  std::lock_guard lock(memory.mutex);
  memory.free.emplace(roundedUp(bytes), address);
}

void copyPieces(const Staged &staged, bool in) {
  const cudaStream_t stream = copyStream();
  for (const Piece &piece : staged.pieces) {
    char *device = staged.device + piece.offset;
    char *host = staged.host + piece.offset;
    const auto bytes = static_cast<size_t>(piece.bytes);
    const auto pitch = static_cast<size_t>(piece.stride);
    const auto count = static_cast<size_t>(piece.count);
    char *to = in ? host : device;
    const char *from = in ? device : host;
    const auto kind = in ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    check(count == 1 ? cudaMemcpyAsync(to, from, bytes, kind, stream)
                     : cudaMemcpy2DAsync(to, pitch, from, pitch, bytes, count,
                                         kind, stream),
          "copy");
  }
  check(cudaStreamSynchronize(stream), "copy");
}

/// The pieces of one buffer of a call.
Pieces piecesOf(const Interface &mpi, const Call &call, const Buffer &buffer,
                void **arguments, bool inPlace) {
  Pieces pieces;
  if (buffer.times == Times::Bytes) {
    if (const long bytes = countOf(mpi, call, arguments[buffer.count]);
        bytes > 0)
      pieces.push_back({0, bytes, 1, bytes});
    return pieces;
  }
  const Handle type = mpi.handle(arguments[buffer.type]);
  const Handle comm =
      call.comm < 0 ? mpi.self() : mpi.handle(arguments[call.comm]);
  const Counts counts(call, arguments[buffer.count]);
  int in = 0, out = 0;
  switch (buffer.times) {
  case Times::InDegree:
  case Times::OutDegree:
  case Times::CountsIn:
  case Times::CountsOut:
    mpi.degrees(comm, in, out);
    break;
  default:
    break;
  }
  const auto count = [&] {
    return countOf(mpi, call, arguments[buffer.count]);
  };
  const auto sum = [&] {
    long all = 0;
    for (int i = 0; i < mpi.commSize(comm); ++i)
      all += counts[i];
    return all;
  };
  const auto each = [&](int processes) {
    long lower, extent;
    mpi.extent(type, lower, extent);
    const Counts displacements(call, arguments[buffer.displacements]);
    for (int i = 0; i < processes; ++i)
      addPieces(mpi, comm, type, displacements[i] * extent, counts[i], pieces);
  };
  switch (buffer.times) {
  case Times::Once:
    addPieces(mpi, comm, type, 0, count(), pieces);
    break;
  case Times::CommSize:
    addPieces(mpi, comm, type, 0, count() * mpi.commSize(comm), pieces);
    break;
  case Times::OwnBlock:
    addPieces(mpi, comm, type, 0, count() * (inPlace ? mpi.commSize(comm) : 1),
              pieces);
    break;
  case Times::InDegree:
    addPieces(mpi, comm, type, 0, count() * in, pieces);
    break;
  case Times::OutDegree:
    addPieces(mpi, comm, type, 0, count() * out, pieces);
    break;
  case Times::Counts:
    each(mpi.commSize(comm));
    break;
  case Times::CountsIn:
    each(in);
    break;
  case Times::CountsOut:
    each(out);
    break;
  case Times::SumOfCounts:
    addPieces(mpi, comm, type, 0, sum(), pieces);
    break;
  case Times::OwnCount:
    addPieces(mpi, comm, type, 0, inPlace ? sum() : counts[mpi.commRank(comm)],
              pieces);
    break;
  case Times::Bytes:
    break;
  }
  return pieces;
}

} // namespace

void Staged::copyIn() const { copyPieces(*this, true); }

void Staged::copyOut() const {
  if (output)
    copyPieces(*this, false);
}

void Staged::release() {
  giveMemory(memory, static_cast<size_t>(bytes));
  memory = nullptr;
}

/// Whether buffers are copied: device memory is a GPU's, and the MPI library
/// cannot reach it itself.
static bool isStaged() {
  static const bool answer = [] {
    bool usable;
    return libraries::onGpu(&usable) && !libraryReaches();
  }();
  return answer;
}

/// What fills a buffer on the default stream ends before MPI reads it. Programs
/// count on that: libraries with CUDA support copy on this stream.
static void waitForDefaultStream() {
  check(cudaStreamSynchronize(nullptr), "default stream");
}

// There is no device memory otherwise.
bool looksAtBuffers() { return devicesInUse(); }

StagedBuffers begin(const Interface &mpi, const Call &call, void **arguments) {
  StagedBuffers all;
  if (!isStaged()) {
    for (int i = 0; i < call.buffers; ++i)
      if (isDevice(arguments[call.each[i].buffer]))
        return waitForDefaultStream(), all;
    return all;
  }
  const bool inPlace =
      call.buffers && mpi.isInPlace(arguments[call.each[0].buffer]);
  for (int i = 0; i < call.buffers; ++i) {
    const Buffer &buffer = call.each[i];
    auto *address = static_cast<char *>(arguments[buffer.buffer]);
    if (mpi.isInPlace(address))
      continue;
    if (buffer.rootOnly) {
      const Handle comm = mpi.handle(arguments[call.comm]);
      if (!mpi.isIntercommunicator(comm) &&
          mpi.commRank(comm) != mpi.integer(arguments[call.root]))
        continue;
    }
    // Absolute addresses (MPI_BOTTOM) are in the type.
    long lower = 0, extent;
    if (buffer.type >= 0 && !call.isRefused)
      mpi.trueExtent(mpi.handle(arguments[buffer.type]), lower, extent);
    if (!isDevice(address + lower) && !isDevice(address))
      continue;
    if (call.isRefused)
      stop(call.name,
           "a buffer in device memory. This MPI library has no CUDA support, "
           "and cufort stages no such call through host memory: pass a host "
           "array");
    if (call.comm >= 0 && buffer.times != Times::Once &&
        mpi.isIntercommunicator(mpi.handle(arguments[call.comm])))
      stop(call.name,
           "a buffer in device memory and an intercommunicator. This MPI "
           "library has no CUDA support, and cufort stages no such call "
           "through host memory: pass a host array");
    if (all.empty())
      waitForDefaultStream();
    Staged staged{};
    staged.pieces = piecesOf(mpi, call, buffer, arguments, inPlace);
    if (staged.pieces.empty())
      continue;
    long lowest = staged.pieces.front().offset, highest = lowest;
    for (const Piece &piece : staged.pieces) {
      lowest = std::min(lowest, piece.offset);
      highest =
          std::max(highest, piece.offset + (piece.count - 1) * piece.stride +
                                piece.bytes);
    }
    staged.device = address;
    staged.lowest = lowest;
    staged.bytes = highest - lowest;
    staged.memory = takeMemory(static_cast<size_t>(staged.bytes));
    staged.host = staged.memory - lowest;
    staged.input = buffer.input;
    staged.output = buffer.output;
    // What is received may be less than there is room for, and what is reduced
    // in place is here already.
    if (!call.isPersistent)
      staged.copyIn();
    arguments[buffer.buffer] = staged.host;
    all.push_back(std::move(staged));
  }
  return all;
}

bool isOpenMpi() { return ompi_mpi_comm_world != nullptr; }

void *libraryFunction(const char *name, void *otherwise) {
  if (void *next = dlsym(RTLD_NEXT, name))
    return next;
  if (otherwise)
    return otherwise;
  std::fprintf(stderr,
               "cufort: the MPI library that this program is linked with has "
               "no %s\n",
               name);
  std::exit(1);
}

} // namespace cufort::mpi
