//===- LaunchShapes.cpp - the block shapes of a file's launches -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block shape is written in many ways: a number, a named constant, a dim3
// constructor, a variable assigned just before, a dummy argument of a procedure
// that is inlined. After the host's optimisation all these are constant
// operands of the launch.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "compiler/lower/llvm/DeviceModule.h"
#include "image/DeviceCode.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

/// The operands of a launch (LaunchFunction, CooperativeFunction).
enum LaunchOperand : unsigned { Stub = 0, BlockX = 4, LaunchOperands = 12 };

/// The node that says what \p launch launches; null if it is not known.
MDNode *shapeOf(const CallBase &launch, LLVMContext &context) {
  if (launch.arg_size() != LaunchOperands)
    return nullptr;
  const auto *stub =
      dyn_cast<Function>(launch.getArgOperand(Stub)->stripPointerCasts());
  if (!stub)
    return nullptr;
  SmallVector<Metadata *, 4> shape{MDString::get(context, stub->getName())};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const auto *extent =
        dyn_cast<ConstantInt>(launch.getArgOperand(BlockX + axis));
    if (!extent)
      return nullptr;
    shape.push_back(ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(context), extent->getZExtValue())));
  }
  return MDNode::get(context, shape);
}

} // namespace

void cufort::lower::noteLaunchShapes(const Module &host,
                                     std::unique_ptr<Module> &device,
                                     LLVMContext &context) {
  const Function *launchers[] = {host.getFunction(LaunchFunction),
                                 host.getFunction(CooperativeFunction)};
  auto isLauncher = [&](const Value *called) {
    return called && is_contained(launchers, called);
  };
  // In the order of the source, not in that of the list of uses.
  for (const Function &function : host)
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block) {
        const auto *launch = dyn_cast<CallBase>(&instruction);
        if (!launch || !isLauncher(launch->getCalledFunction()))
          continue;
        MDNode *shape = shapeOf(*launch, context);
        if (!shape)
          continue;
        if (!device) {
          device = std::make_unique<Module>("device", context);
          device->setTargetTriple(Triple(DeviceTriple));
          device->setDataLayout(DeviceDataLayout);
        }
        device->getOrInsertNamedMetadata(image::LaunchesMetadata)
            ->addOperand(shape);
      }
}
