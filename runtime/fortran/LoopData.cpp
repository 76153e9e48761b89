//===- LoopData.cpp - records of the host in kernel loops -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record behind a dummy argument or a pointer may be managed or not, whatever
// its type says. On the CPU a kernel would reach it in any case; it gets the
// same copy there, or the same diagnostic, as on a GPU.
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/EntryPoints.h"
#include "runtime/fortran/Transfer.h"
#include <string>
#include <vector>

using namespace cufort;
using namespace cufort::fortran;

static constexpr char Copying[] = "copy of host data for a kernel loop";

static StreamHandle streamOf(const int64_t *stream) {
  return stream ? reinterpret_cast<StreamHandle>(*stream) : defaultStream();
}

static bool isReached(Engine &engine, const void *address) {
  PointerDescription description;
  return engine.describe(address, &description) == cudaSuccess &&
         description.type != PointerDescription::Unregistered;
}

void *_FortranACUFLoopReach(CufDescriptor *array, int32_t assigned,
                            const int64_t *stream, const char *name,
                            const char *file, int32_t line) {
  if (!array->base || array->bytes() == 0)
    return nullptr;
  void *copy = nullptr;
  bool refused = false;
  mustSucceed({file, line}, Copying, [&](Engine &engine) {
    if (isReached(engine, array->base))
      return cudaSuccess;
    if (assigned) {
      refused = true;
      return cudaSuccess;
    }
    const StreamHandle order = streamOf(stream);
    if (Error error =
            engine.allocateAsync(&copy, array->bytes(), nullptr, order);
        error != cudaSuccess)
      return error;
    const auto move = [&](const void *from) {
      return engine.copyAsync(copy, from, array->bytes(),
                              CopyKind::HostToDevice, order);
    };
    if (array->contiguous())
      return move(array->base);
    // Pageable memory: the copy is complete when the call returns.
    std::vector<char> bytes(array->bytes());
    copyStridedOnHost(contiguousLike(array->view(), bytes.data()),
                      array->view());
    return move(bytes.data());
  });
  if (refused)
    haveMemory({file, line}, Copying, [&] {
      const std::string detail =
          "'" + std::string(name) +
          "' is in host memory, and the kernel loop assigns it or hands it to "
          "a procedure; give the variable that it is part of the MANAGED "
          "attribute, or assign a device array and copy that";
      stopProgram(file, line, "kernel loop", cudaErrorInvalidDevicePointer,
                  detail.c_str());
    });
  if (!copy)
    return nullptr;
  array->base = copy;
  array->setContiguousStrides();
  return copy;
}

void _FortranACUFLoopRelease(void *copy, const int64_t *stream,
                             const char *file, int32_t line) {
  if (copy)
    mustSucceed({file, line}, Copying, [&](Engine &engine) {
      return engine.releaseAsync(copy, streamOf(stream));
    });
}
