//===- RoundingModes.cpp - rounding to whole numbers ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/RoundingModes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

// The modes of llvm.set.rounding.
enum Mode { TowardZero, ToNearest, Upward, Downward, NearestAway };

static IntrinsicInst *intrinsic(Instruction *instruction, Intrinsic::ID id) {
  auto *call = dyn_cast_or_null<IntrinsicInst>(instruction);
  return call && call->getIntrinsicID() == id ? call : nullptr;
}

/// Turns "set the mode, round, set it back" from \p set on into one value.
static void placeOne(IntrinsicInst &set) {
  auto *rounding = intrinsic(set.getNextNode(), Intrinsic::nearbyint);
  auto *reset =
      rounding ? intrinsic(rounding->getNextNode(), Intrinsic::set_rounding)
               : nullptr;
  if (!reset || !intrinsic(dyn_cast<Instruction>(reset->getArgOperand(0)),
                           Intrinsic::get_rounding))
    return;
  IRBuilder<> builder(rounding);
  Value *mode = set.getArgOperand(0), *number = rounding->getArgOperand(0);
  Value *result = builder.CreateUnaryIntrinsic(Intrinsic::roundeven, number);
  for (auto [each, operation] : {std::pair(TowardZero, Intrinsic::trunc),
                                 std::pair(Upward, Intrinsic::ceil),
                                 std::pair(Downward, Intrinsic::floor),
                                 std::pair(NearestAway, Intrinsic::round)})
    result = builder.CreateSelect(
        builder.CreateICmpEQ(mode, ConstantInt::get(mode->getType(), each)),
        builder.CreateUnaryIntrinsic(operation, number), result);
  rounding->replaceAllUsesWith(result);
  for (Instruction *each :
       {static_cast<Instruction *>(&set), static_cast<Instruction *>(rounding),
        static_cast<Instruction *>(reset)})
    each->eraseFromParent();
}

void cufort::placeRounding(Module &device) {
  Function *set =
      Intrinsic::getDeclarationIfExists(&device, Intrinsic::set_rounding);
  SmallVector<WeakTrackingVH> calls;
  if (set)
    calls.append(set->user_begin(), set->user_end());
  for (const WeakTrackingVH &call : calls)
    if (call)
      placeOne(*cast<IntrinsicInst>(call));
  Function *get =
      Intrinsic::getDeclarationIfExists(&device, Intrinsic::get_rounding);
  if (!get)
    return;
  for (User *call : make_early_inc_range(get->users())) {
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), ToNearest));
    cast<Instruction>(call)->eraseFromParent();
  }
}
