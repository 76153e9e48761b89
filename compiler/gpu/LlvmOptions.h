//===- LlvmOptions.h - settings of LLVM's for a while -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LLVMOPTIONS_H
#define CUFORT_COMPILER_GPU_LLVMOPTIONS_H

#include "llvm/Support/CommandLine.h"

namespace cufort {

/// What LLVM has neither an argument of its pass builder, nor an attribute, nor
/// a question to the target for: `nvptx-short-ptr` is read where the data
/// layout is made, `pragma-unroll-threshold` by LoopUnroll, `sink-common-insts`
/// by each SimplifyCFG of the default pipeline, `disable-lsr` where the code
/// generator's passes are listed. CompileForGpu.cpp sets them, and says what
/// for.
///
/// Some of LLVM's options are there for a whole process only. They have their
/// values while they are needed: Clang looks at some of them as well.
template <typename T> class LlvmOption {
public:
  LlvmOption(llvm::StringRef name, T value)
      : option(static_cast<llvm::cl::opt<T> &>(
            *llvm::cl::getRegisteredOptions().find(name)->second)),
        before(option) {
    option.setValue(value);
  }
  ~LlvmOption() { option.setValue(before); }
  LlvmOption(const LlvmOption &) = delete;
  LlvmOption &operator=(const LlvmOption &) = delete;

private:
  llvm::cl::opt<T> &option;
  T before;
};

/// Others count only if they have been given.
class GivenLlvmOption {
public:
  GivenLlvmOption(llvm::StringRef name, llvm::StringRef value)
      : option(*llvm::cl::getRegisteredOptions().find(name)->second),
        isOurs(!option.getNumOccurrences()) {
    if (isOurs)
      option.addOccurrence(0, name, value);
  }
  ~GivenLlvmOption() {
    if (isOurs)
      option.reset();
  }
  GivenLlvmOption(const GivenLlvmOption &) = delete;
  GivenLlvmOption &operator=(const GivenLlvmOption &) = delete;

private:
  llvm::cl::Option &option;
  bool isOurs;
};

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LLVMOPTIONS_H
