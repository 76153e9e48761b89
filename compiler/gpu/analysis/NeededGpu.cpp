//===- NeededGpu.cpp - what device code needs of a GPU --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/analysis/NeededGpu.h"
#include "compiler/common/PtxInstructions.h"
#include "compiler/common/SourceLocation.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cufort;

/// By a word of the instruction or the intrinsic; the first that fits.
static constexpr struct {
  StringLiteral word;
  unsigned architecture, version;
  StringLiteral construct;
} NewerInstructions[] = {
    {"cp.async.bulk", 90, 80, "a bulk copy"},
    {"fence.proxy.async", 90, 80, "a barrier that counts bytes"},
    {"mbarrier.arrive.expect_tx", 90, 80, "a barrier that counts bytes"},
    {"mbarrier.expect_tx", 90, 80, "a barrier that counts bytes"},
    {"mbarrier.try_wait", 90, 80, "a barrier that counts"},
    {"mbarrier.", 80, 70, "a barrier that counts"},
    {"cluster", 90, 78, "a cluster of blocks"},
    {"bmsk.", 70, 76, "a mask of bits"},
    {"wmma.m16n16k8.", 80, 70, "a product of matrices of single precision"},
    {"wmma.m8n8k4.", 80, 70, "a product of matrices of double precision"},
};

/// At least as many as the parameters of \p kernel take.
static uint64_t parameterBytes(const Function &kernel) {
  const DataLayout &layout = kernel.getDataLayout();
  uint64_t bytes = 0;
  for (const Argument &argument : kernel.args()) {
    Type *type = argument.hasByValAttr() ? argument.getParamByValType()
                                         : argument.getType();
    bytes = alignTo(bytes, argument.getParamAlign().value_or(
                               layout.getABITypeAlign(type))) +
            layout.getTypeAllocSize(type);
  }
  return bytes;
}

/// An exchange or a compare-and-swap of 128 bits.
static bool isWideAtomic(const Instruction &instruction) {
  Type *type = nullptr;
  if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction))
    type = swap->getNewValOperand()->getType();
  else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    type = update->getType();
  return type && type->isIntegerTy(128);
}

NeededGpu cufort::neededGpu(const Module &device) {
  NeededGpu needed;
  auto needs = [&](unsigned architecture, unsigned version, StringRef construct,
                   const std::string &location) {
    if (architecture > needed.architecture) {
      needed.construct = construct.str();
      needed.location = location;
    }
    needed.architecture = std::max(needed.architecture, architecture);
    needed.ptxVersion = std::max(needed.ptxVersion, version);
  };
  auto look = [&](StringRef text, const std::string &location) {
    for (const auto &each : NewerInstructions)
      if (text.contains(each.word))
        return needs(each.architecture, each.version, each.construct, location);
  };
  for (const Function &function : device) {
    if (function.isIntrinsic() && !function.use_empty())
      look(function.getName(), locationOfUse(function));
    if (function.getCallingConv() == CallingConv::PTX_Kernel &&
        parameterBytes(function) > 4096)
      needed.ptxVersion = std::max(needed.ptxVersion, 81u);
    if (function.hasFnAttribute("nvvm.cluster_dim"))
      look("cluster", locationOf(function));
    for (const Instruction &instruction : instructions(function)) {
      if (isWideAtomic(instruction))
        needs(90, 83, "an atomic operation of 128 bits",
              locationOf(instruction));
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->isInlineAsm()) {
        StringRef text =
            cast<InlineAsm>(call->getCalledOperand())->getAsmString();
        look(text, locationOf(instruction));
        forEachPtxStatement(text, [&](const PtxStatement &statement) {
          PtxNeed each = ptxNeed(statement);
          needs(each.architecture, each.version,
                ("the PTX instruction '" + statement.instruction + "'").str(),
                locationOf(instruction));
        });
      }
    }
  }
  return needed;
}

unsigned cufort::firstPtxVersion(unsigned architecture) {
  return architecture < 72    ? 60
         : architecture < 75  ? 61
         : architecture < 80  ? 63
         : architecture < 86  ? 70
         : architecture < 87  ? 71
         : architecture < 89  ? 74
         : architecture < 100 ? 78
         : architecture < 103 ? 86
                              : 88;
}
