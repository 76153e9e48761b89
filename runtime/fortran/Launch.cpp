//===- Launch.cpp - kernel launches of Fortran programs -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Names.h"
#include "runtime/core/engine/Captures.h"
#include "runtime/fortran/EntryPoints.h"
#include "runtime/fortran/Transfer.h"
#include <algorithm>
#include <string>

using namespace cufort;
using namespace cufort::fortran;

namespace {

std::string text(const char *name, int64_t x, int64_t y, int64_t z) {
  return std::string(name) + " " + std::to_string(x) + " x " +
         std::to_string(y) + " x " + std::to_string(z);
}

/// As unsigned numbers; what is out of range becomes 0, which no device takes.
image::Dim3 dimensions(int64_t x, int64_t y, int64_t z) {
  const auto extent = [](int64_t n) {
    return n < 0 || n > UINT32_MAX ? 0 : static_cast<uint32_t>(n);
  };
  return {extent(x), extent(y), extent(z)};
}

struct Launch {
  const void *stub;
  int64_t grid[3], block[3];
  int64_t sharedBytes;
  const int64_t *stream;
  void **parameters;
  bool cooperative;
  int64_t cluster[3] = {0, 0, 0};
};

/// Replaces one -1 of the grid by what fills the device.
Error chooseGrid(Engine &engine, const KernelReference &kernel, Launch &l) {
  int open = -1;
  for (int i = 0; i < 3; ++i)
    if (l.grid[i] == -1) {
      if (open >= 0)
        return cudaErrorInvalidConfiguration;
      open = i;
    }
  if (open < 0)
    return cudaSuccess;
  const image::Dim3 block = dimensions(l.block[0], l.block[1], l.block[2]);
  int blocks, multiprocessors;
  if (Error error = engine.residentBlocks(kernel, block.x * block.y * block.z,
                                          static_cast<size_t>(l.sharedBytes),
                                          &blocks, &multiprocessors);
      error != cudaSuccess)
    return error;
  int64_t all = int64_t(blocks) * multiprocessors;
  for (int i = 0; i < 3; ++i)
    if (i != open)
      all /= std::max<int64_t>(1, l.grid[i]);
  l.grid[open] = std::max<int64_t>(1, all);
  return cudaSuccess;
}

void launch(Launch l, Place place) {
  const char *name = "(unknown)";
  const profile::At at("launch of a kernel", {place.file, place.line});
  const Error error = onDevice([&](Engine &engine) {
    KernelReference kernel = findKernel(l.stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    name = kernel.kernel->name;
    if (l.sharedBytes < 0)
      return cudaErrorInvalidValue;
    if (Error e = chooseGrid(engine, kernel, l); e != cudaSuccess)
      return e;
    LaunchConfiguration configuration{
        dimensions(l.grid[0], l.grid[1], l.grid[2]),
        dimensions(l.block[0], l.block[1], l.block[2]),
        static_cast<uint32_t>(l.sharedBytes),
        l.stream ? reinterpret_cast<StreamHandle>(*l.stream) : defaultStream(),
        l.cooperative,
        dimensions(l.cluster[0], l.cluster[1], l.cluster[2])};
    return launchOn(engine, kernel, configuration, l.parameters);
  });
  if (error == cudaSuccess)
    return;
  haveMemory(place, "launch of a kernel", [&] {
    const std::string detail =
        text("grid", l.grid[0], l.grid[1], l.grid[2]) + ", " +
        text("block", l.block[0], l.block[1], l.block[2]) + ", " +
        std::to_string(l.sharedBytes) + " bytes of dynamic shared memory";
    noteLaunchFailure(error, procedureName(name).c_str(), place.file,
                      place.line, detail.c_str());
  });
}

} // namespace

void _FortranACUFLaunch(const void *stub, int32_t gridX, int32_t gridY,
                        int32_t gridZ, int32_t blockX, int32_t blockY,
                        int32_t blockZ, int32_t sharedBytes,
                        const int64_t *stream, void **parameters,
                        const char *file, int32_t line) {
  launch({stub,
          {gridX, gridY, gridZ},
          {blockX, blockY, blockZ},
          sharedBytes,
          stream,
          parameters,
          false},
         {file, line});
}

void _FortranACUFLaunchCooperative(const void *stub, int32_t gridX,
                                   int32_t gridY, int32_t gridZ, int32_t blockX,
                                   int32_t blockY, int32_t blockZ,
                                   int32_t sharedBytes, const int64_t *stream,
                                   void **parameters, const char *file,
                                   int32_t line) {
  launch({stub,
          {gridX, gridY, gridZ},
          {blockX, blockY, blockZ},
          sharedBytes,
          stream,
          parameters,
          true},
         {file, line});
}

void _FortranACUFLaunchKernel(const void *stub, intptr_t gridX, intptr_t gridY,
                              intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                              intptr_t blockZ, int64_t *stream,
                              int32_t sharedBytes, void **parameters, void **) {
  launch({stub,
          {gridX, gridY, gridZ},
          {blockX, blockY, blockZ},
          sharedBytes,
          stream,
          parameters,
          false},
         {nullptr, 0});
}

void _FortranACUFLaunchCooperativeKernel(const void *stub, intptr_t gridX,
                                         intptr_t gridY, intptr_t gridZ,
                                         intptr_t blockX, intptr_t blockY,
                                         intptr_t blockZ, int64_t *stream,
                                         int32_t sharedBytes, void **parameters,
                                         void **) {
  launch({stub,
          {gridX, gridY, gridZ},
          {blockX, blockY, blockZ},
          sharedBytes,
          stream,
          parameters,
          true},
         {nullptr, 0});
}

void _FortranACUFLaunchClusterKernel(const void *stub, intptr_t clusterX,
                                     intptr_t clusterY, intptr_t clusterZ,
                                     intptr_t gridX, intptr_t gridY,
                                     intptr_t gridZ, intptr_t blockX,
                                     intptr_t blockY, intptr_t blockZ,
                                     int64_t *stream, int32_t sharedBytes,
                                     void **parameters, void **) {
  launch({stub,
          {gridX, gridY, gridZ},
          {blockX, blockY, blockZ},
          sharedBytes,
          stream,
          parameters,
          false,
          {clusterX, clusterY, clusterZ}},
         {nullptr, 0});
}
