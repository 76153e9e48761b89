//===- HostTarget.cpp - x86-64 as LLVM's target ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/HostTarget.h"
#include "image/Image.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace cufort::cpu {

StringRef cpuOfLevel(unsigned level) {
  static constexpr StringRef names[image::CpuLevelCount] = {
      "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  return names[level];
}

std::unique_ptr<TargetMachine> makeHostMachine(StringRef cpu) {
  static const bool initialised = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    return true;
  }();
  (void)initialised;
  std::string why;
  Triple triple(HostTriple);
  const Target *target = TargetRegistry::lookupTarget(triple, why);
  if (!target)
    report_fatal_error(Twine("LLVM was built without x86: ") + why);
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, cpu, "", TargetOptions(), Reloc::PIC_,
                                  std::nullopt, CodeGenOptLevel::Default));
}

void useHostTarget(Module &module) {
  module.setTargetTriple(Triple(HostTriple));
  module.setDataLayout(makeHostMachine(cpuOfLevel(0))->createDataLayout());
}

} // namespace cufort::cpu
