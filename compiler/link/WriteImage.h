//===- WriteImage.h - the image object ------------------------ -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_WRITEIMAGE_H
#define CUFORT_COMPILER_LINK_WRITEIMAGE_H

#include "compiler/cpu/CompileForCpu.h"
#include "compiler/link/BuildImage.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cufort {

/// The PTX of a whole program.
struct PtxCode {
  unsigned architecture; ///< 70 is sm_70
  std::string text;
};

/// Writes the image of \p device as position-independent object files for the
/// host: the tables of image/Image.h, \p ptx, the code of \p cpu (whose module
/// is null where there is none), and a constructor that registers them with
/// the offload entries of the program's objects, or what else \p use asks for.
/// Returns the files: \p output, and where there is much code and \p
/// inOneObject does not forbid it, further ones beside it that are linked with
/// it.
llvm::Expected<std::vector<std::string>>
writeImage(const llvm::Module &device, CpuCode cpu,
           const std::vector<PtxCode> &ptx, ImageUse use, bool inOneObject,
           const std::string &output);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_WRITEIMAGE_H
