//===- KernelLayout.cpp - a kernel's parameters and limits ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/KernelLayout.h"
#include "compiler/link/DeviceLaunches.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace cufort;

bool cufort::isKernel(const Function &function) {
  return !function.isDeclaration() &&
         function.getCallingConv() == CallingConv::PTX_Kernel;
}

static void layOutParameters(const Function &kernel, KernelLayout &layout) {
  const DataLayout &target = kernel.getDataLayout();
  uint64_t offset = 0;
  for (const Argument &argument : kernel.args()) {
    Type *type = argument.hasByValAttr() ? argument.getParamByValType()
                                         : argument.getType();
    Align align = target.getABITypeAlign(type);
    if (argument.hasByValAttr() && argument.getParamAlign())
      align = *argument.getParamAlign();
    uint64_t size = target.getTypeAllocSize(type);
    offset = alignTo(offset, align);
    layout.parameters.push_back(
        {static_cast<uint32_t>(offset), static_cast<uint32_t>(size)});
    offset += size;
  }
  layout.parameterBytes = offset;
}

namespace {
/// What a kernel can reach.
struct Reached {
  SmallSetVector<const GlobalVariable *, 8> variables; ///< defined ones
  SmallVector<const Function *> functions;             ///< itself as well
};
} // namespace

static Reached reachedFrom(const Function &kernel) {
  Reached reached;
  SmallPtrSet<const Value *, 32> seen;
  SmallVector<const User *> work = {&kernel};
  while (!work.empty()) {
    const User *user = work.pop_back_val();
    if (!seen.insert(user).second)
      continue;
    if (const auto *variable = dyn_cast<GlobalVariable>(user);
        variable && !variable->isDeclaration())
      reached.variables.insert(variable);
    auto addOperands = [&](const User &of) {
      for (const Value *operand : of.operand_values())
        if (const auto *constant = dyn_cast<Constant>(operand))
          work.push_back(constant);
    };
    if (const auto *function = dyn_cast<Function>(user)) {
      reached.functions.push_back(function);
      for (const Instruction &instruction : instructions(*function))
        addOperands(instruction);
    } else {
      addOperands(*user);
    }
  }
  return reached;
}

/// The bytes of the variables in \p space, one behind the other.
static uint64_t bytesIn(unsigned space, const Reached &reached,
                        const DataLayout &target) {
  uint64_t bytes = 0;
  for (const GlobalVariable *variable : reached.variables) {
    if (variable->getAddressSpace() != space)
      continue;
    Type *type = variable->getValueType();
    bytes = alignTo(
        bytes, variable->getAlign().value_or(target.getABITypeAlign(type)));
    bytes += target.getTypeAllocSize(type);
  }
  return bytes;
}

/// The bytes of the private arrays whose size is known.
static uint64_t arrayBytes(const Reached &reached, const DataLayout &target) {
  uint64_t bytes = 0;
  for (const Function *function : reached.functions)
    for (const Instruction &instruction : instructions(*function)) {
      auto *variable = dyn_cast<AllocaInst>(&instruction);
      if (!variable || !variable->getAllocatedType()->isArrayTy() ||
          !variable->isStaticAlloca())
        continue;
      bytes = alignTo(bytes, variable->getAlign()) +
              target.getTypeAllocSize(variable->getAllocatedType());
    }
  return bytes;
}

/// The numbers in a list like "32,8,1"; none if one of them is no number.
static SmallVector<uint32_t, 3> axesOf(const Function &function,
                                       StringRef attribute) {
  SmallVector<uint32_t, 3> result;
  if (function.hasFnAttribute(attribute))
    for (StringRef part :
         split(function.getFnAttribute(attribute).getValueAsString(), ','))
      if (part.trim().getAsInteger(10, result.emplace_back()))
        return {};
  return result;
}

/// The product of the numbers in such a list; 0 for no attribute.
static uint32_t product(const Function &function, StringRef attribute) {
  SmallVector<uint32_t, 3> factors = axesOf(function, attribute);
  uint32_t result = !factors.empty();
  for (uint32_t factor : factors)
    result *= factor;
  return result;
}

/// See image::CpuLaunch::cluster; axes that are not named have one block.
static uint32_t clusterOf(const Function &kernel) {
  SmallVector<uint32_t, 3> axes = axesOf(kernel, "nvvm.cluster_dim");
  if (axes.empty())
    return 0;
  axes.resize(3, 1);
  return axes[0] | axes[1] << 8 | axes[2] << 16;
}

KernelLayout cufort::layoutOf(const Function &kernel) {
  KernelLayout layout;
  layOutParameters(kernel, layout);
  const DataLayout &target = kernel.getDataLayout();
  constexpr unsigned Shared = 3, Constant = 4;
  const Reached reached = reachedFrom(kernel);
  layout.staticSharedBytes = alignTo(bytesIn(Shared, reached, target), 16);
  layout.constantBytes = bytesIn(Constant, reached, target);
  layout.localBytes = arrayBytes(reached, target);
  layout.maxThreadsPerBlock = product(kernel, "nvvm.maxntid");
  layout.minBlocksPerMultiprocessor = product(kernel, "nvvm.minctasm");
  layout.cluster = clusterOf(kernel);
  layout.launchesKernels = launchesKernels(kernel);
  return layout;
}
