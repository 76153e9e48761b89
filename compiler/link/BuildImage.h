//===- BuildImage.h - a program's device image ---------------- -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_BUILDIMAGE_H
#define CUFORT_COMPILER_LINK_BUILDIMAGE_H

#include "compiler/cpu/CpuOptions.h"
#include "compiler/gpu/CompileForGpu.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cufort {

/// A symbol of objects that hold linked device code for another linker: a later
/// link by cufort finds that it is done.
inline constexpr char LinkedDeviceCodeSymbol[] = "__cufort_linked_device_code";

/// Who takes an image.
enum class ImageUse {
  Program,       ///< this link's program or shared library
  Module,        ///< programs that load it while they run (image/Module.h): it
                 ///< is exported instead of registered
  AnotherLinker, ///< a later link; LinkedDeviceCodeSymbol tells
};

/// The device link of one program or shared library.
struct ImageJob {
  /// The arguments of the host's linker, in its order: objects, archives,
  /// -l and -L. What the host takes is what the device link takes.
  std::vector<std::string> linkerArguments;
  /// The object file to write; written in place.
  std::string output;
  /// Everything goes into that file: it is not linked at once, and the names by
  /// which several find each other could meet those of other images.
  bool inOneObject = false;
  /// What the user calls the program, for messages.
  std::string programName;
  /// The source from which an object was just compiled, where the object's own
  /// name would tell the user nothing.
  std::map<std::string, std::string> sourceOfObject;
  /// The folder of our own device bitcode.
  std::string deviceFolder;

  ImageUse use = ImageUse::Program;
  bool forGpu = true; ///< embed PTX
  bool forCpu = true; ///< embed code for the CPU engine
  /// The CPU engine gets what the GPU's passes make of the device code.
  bool gpuPassesForCpu = false;
  /// One PTX each; empty: GpuOptions::architecture alone.
  std::vector<unsigned> architectures;
  GpuOptions gpu;
  CpuOptions cpu;

  /// Where finished images are kept and taken from (ImageCache.h), and how many
  /// bytes they may have there; empty: nowhere.
  std::string cacheFolder;
  uint64_t cacheBytes = 0;
  /// Options that went to LLVM itself, for the names of what is kept there.
  std::vector<std::string> llvmOptions;

  /// Keep STEM.device.bc, STEM.sm_XX.ptx, STEM.cpu.bc and STEM.image.o, with
  /// STEM.image.1.o and so on where there are several; empty: nothing.
  std::string saveTempsStem;
  std::string keepPtxStem;  ///< Keep only the PTX; empty: no
  bool listKernels = false; ///< List the kernels on standard error
  bool ptxInfo = false;     ///< And what they use

  /// Called with the name of each phase as it begins; may be empty.
  std::function<void(llvm::StringRef)> onPhase;
  /// Called with each warning; may be empty.
  std::function<void(llvm::StringRef)> onWarning;
};

/// Links the device code of a program, writes its image and returns the object
/// files that it consists of: ImageJob::output and, of a large program,
/// further ones beside it. None if there is no device code; nothing is written
/// then. An error is a finished message, and no file is left.
llvm::Expected<std::vector<std::string>> buildImage(const ImageJob &job);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_BUILDIMAGE_H
