//===- HostTarget.cpp - x86-64 as LLVM's target ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/HostTarget.h"
#include "image/Image.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;

namespace cufort::cpu {

StringRef cpuOfLevel(unsigned level) {
  static constexpr StringRef names[image::CpuLevelCount] = {
      "x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4"};
  return names[level];
}

Expected<Processor> findProcessor(StringRef name) {
  StringSet<> has;
  Processor processor = {};
  if (name == "native") {
    processor.name = sys::getHostCPUName();
    for (const auto &feature : sys::getHostCPUFeatures()) {
      if (feature.second)
        has.insert(feature.first());
      processor.features +=
          ((processor.features.empty() ? "" : ",") +
           Twine(feature.second ? "+" : "-") + feature.first())
              .str();
    }
  } else {
    if (X86::parseArchX86(name, /*Only64Bit=*/true) == X86::CK_None)
      return createStringError(inconvertibleErrorCode(),
                               "'-march=" + name + "': no x86-64 processor");
    processor.name = name.str();
    SmallVector<StringRef> features;
    X86::getFeaturesForCPU(name, features);
    for (StringRef feature : features)
      has.insert(feature);
  }
  // What each level has beyond the one before. LLVM's lists leave out what
  // others imply: avx, avx512f.
  static constexpr StringRef beyond[][8] = {
      {"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"},
      {"avx512bw", "avx512cd", "avx512dq", "avx512vl"}};
  processor.level = image::X86_64_V2;
  for (const auto &needed : beyond) {
    if (any_of(needed, [&](StringRef feature) {
          return !feature.empty() && !has.contains(feature);
        }))
      break;
    ++processor.level;
  }
  // Zen 4 makes two halves of a wide access and many pieces of a wide gather.
  processor.prefersWideVectors = processor.level == image::X86_64_V4 &&
                                 processor.name != "znver4" &&
                                 processor.name != cpuOfLevel(image::X86_64_V4);
  if (!has.contains("sse4.2") || !has.contains("popcnt"))
    processor.name = cpuOfLevel(0);
  return processor;
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
