//===- WarpVectors.cpp - a warp operation as vector code ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// One operation at one place.
class Warp {
public:
  Warp(IRBuilder<> &b, ArrayRef<Value *> operands, Value *active)
      : b(b), active(active) {
    if (operands.empty())
      return;
    mask = operands.front();
    if (Value *splat = getSplatValue(mask))
      sharedMask = splat;
    if (auto *constant = dyn_cast<Constant>(mask))
      maskIsFull = constant->isAllOnesValue();
    if (auto *constant = dyn_cast<Constant>(active))
      activeIsFull = constant->isAllOnesValue();
  }

  Value *shuffle(WarpOperation operation, Value *value, Value *offset,
                 Value *clamp);
  Value *ballot(Value *predicate);
  Value *matchAny(Value *value);
  Value *matchAll(Value *value);
  Value *reduce(WarpOperation operation, Value *value);
  Value *activeMask() {
    return b.CreateBitCast(active, b.getInt32Ty(), "active");
  }

private:
  Constant *splatOf(uint32_t number) {
    return ConstantVector::getSplat(ElementCount::getFixed(WarpSize),
                                    b.getInt32(number));
  }
  Value *splat(Value *scalar) { return b.CreateVectorSplat(WarpSize, scalar); }
  Value *toBits(Value *lanes) { return b.CreateBitCast(lanes, b.getInt32Ty()); }
  Value *toLanes(Value *bits) {
    return b.CreateBitCast(bits, FixedVectorType::get(b.getInt1Ty(), WarpSize));
  }
  /// The numbers of the lanes.
  Constant *laneNumbers() {
    auto numbers = to_vector_of<uint32_t>(seq<uint32_t>(0, WarpSize));
    return ConstantDataVector::get(b.getContext(), numbers);
  }
  /// The lanes that take part, as each lane sees them: scalar where all name
  /// the same mask.
  Value *members() {
    Value *here = activeMask();
    return sharedMask ? b.CreateAnd(here, sharedMask)
                      : b.CreateAnd(splat(here), mask);
  }
  Value *gather(Value *value, Value *from);
  Value *permute(Value *value, Value *from);
  Value *reduceOver(Value *lanes, WarpOperation operation, Value *value);

  IRBuilder<> &b;
  Value *active;
  Value *mask = nullptr;
  Value *sharedMask = nullptr; ///< the one mask of all lanes, or null
  bool maskIsFull = false;
  bool activeIsFull = false;
};

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// The elements of \p value at the numbers \p from, through memory: an
/// extraction for each lane would go there as well, one by one.
Value *Warp::gather(Value *value, Value *from) {
  Function &function = *b.GetInsertBlock()->getParent();
  IRBuilder<> first(&function.getEntryBlock(),
                    function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *place =
      first.CreateAlloca(value->getType(), nullptr, "warp.values");
  place->setAlignment(Align(64));
  b.CreateAlignedStore(value, place, Align(64));
  Type *type = value->getType()->getScalarType();
  Value *addresses = b.CreateInBoundsGEP(type, place, from);
  return b.CreateMaskedGather(value->getType(), addresses,
                              Align(type->getScalarSizeInBits() / 8));
}

Value *Warp::permute(Value *value, Value *from) {
  auto *constant = dyn_cast<Constant>(from);
  if (!constant)
    return gather(value, from);
  SmallVector<int> numbers;
  for (unsigned lane = 0; lane < WarpSize; ++lane)
    numbers.push_back(
        static_cast<int>(cast<ConstantInt>(constant->getAggregateElement(lane))
                             ->getZExtValue()));
  if (equal(numbers, seq<int>(0, WarpSize)))
    return value;
  return b.CreateShuffleVector(value, numbers);
}

// The PTX manual's shfl.sync, for all lanes at once.
Value *Warp::shuffle(WarpOperation operation, Value *value, Value *offset,
                     Value *clamp) {
  Value *oneOffset = getSplatValue(offset);
  auto *oneClamp = dyn_cast_or_null<ConstantInt>(getSplatValue(clamp));
  if (operation == WarpOperation::ShuffleIndex && oneOffset && sharedMask &&
      oneClamp && (oneClamp->getZExtValue() & 0x1f1f) == 0x1f) {
    Value *lane = b.CreateAnd(oneOffset, WarpSize - 1);
    return b.CreateExtractElement(b.CreateFreeze(value), lane);
  }

  Constant *lane = laneNumbers();
  Value *number = b.CreateAnd(offset, splatOf(31));
  Value *limit = b.CreateAnd(clamp, splatOf(31));
  Value *segment = b.CreateAnd(b.CreateLShr(clamp, splatOf(8)), splatOf(31));
  Value *notSegment = b.CreateXor(segment, splatOf(31));
  Value *minLane = b.CreateAnd(lane, segment);
  Value *maxLane = b.CreateOr(minLane, b.CreateAnd(limit, notSegment));
  Value *from = nullptr;
  switch (operation) {
  case WarpOperation::ShuffleUp:
    from = b.CreateSub(lane, number);
    break;
  case WarpOperation::ShuffleDown:
    from = b.CreateAdd(lane, number);
    break;
  case WarpOperation::ShuffleXor:
    from = b.CreateXor(lane, number);
    break;
  default:
    from = b.CreateOr(minLane, b.CreateAnd(number, notSegment));
    break;
  }
  Value *inRange = operation == WarpOperation::ShuffleUp
                       ? b.CreateICmpSGE(from, maxLane)
                       : b.CreateICmpSLE(from, maxLane);
  from = b.CreateSelect(inRange, from, lane);
  Value *there = permute(value, from);
  if (!maskIsFull || !activeIsFull) {
    Value *takingPart = members();
    if (sharedMask)
      takingPart = splat(takingPart);
    Value *bit = b.CreateShl(splatOf(1), from);
    there = b.CreateSelect(b.CreateIsNotNull(b.CreateAnd(takingPart, bit)),
                           there, value);
  }
  return there;
}

//===----------------------------------------------------------------------===//
// Votes, matches, reductions
//===----------------------------------------------------------------------===//

Value *Warp::ballot(Value *predicate) {
  Value *votes = toBits(b.CreateAnd(predicate, active));
  return sharedMask ? b.CreateAnd(votes, sharedMask)
                    : b.CreateAnd(splat(votes), mask);
}

// The lanes with lane i's value are those in which lane i sees its own.
Value *Warp::matchAny(Value *value) {
  Value *matches = PoisonValue::get(mask->getType());
  for (unsigned lane = 0; lane < WarpSize; ++lane) {
    Value *own = b.CreateExtractElement(value, lane);
    Value *same = toBits(b.CreateICmpEQ(value, splat(own)));
    matches = b.CreateInsertElement(matches, same, lane);
  }
  Value *takingPart = members();
  return b.CreateAnd(matches, sharedMask ? splat(takingPart) : takingPart);
}

Value *Warp::matchAll(Value *value) {
  Value *takingPart = members();
  Value *same = nullptr;
  if (sharedMask) {
    Value *leader =
        b.CreateAnd(b.CreateIntrinsic(Intrinsic::cttz, {b.getInt32Ty()},
                                      {takingPart, b.getFalse()}),
                    WarpSize - 1);
    Value *first = b.CreateExtractElement(value, leader);
    same = b.CreateAnd(toBits(b.CreateICmpEQ(value, splat(first))), takingPart);
  } else {
    same = matchAny(value);
  }
  return b.CreateSelect(b.CreateICmpEQ(same, takingPart), takingPart,
                        Constant::getNullValue(takingPart->getType()));
}

/// The reduction of the elements of \p value chosen by \p lanes.
Value *Warp::reduceOver(Value *lanes, WarpOperation operation, Value *value) {
  auto over = [&](uint32_t neutral) {
    return b.CreateSelect(lanes, value, splatOf(neutral));
  };
  switch (operation) {
  case WarpOperation::ReduceAdd:
    return b.CreateAddReduce(over(0));
  case WarpOperation::ReduceAnd:
    return b.CreateAndReduce(over(~0u));
  case WarpOperation::ReduceOr:
    return b.CreateOrReduce(over(0));
  case WarpOperation::ReduceXor:
    return b.CreateXorReduce(over(0));
  case WarpOperation::ReduceSMin:
    return b.CreateIntMinReduce(over(0x7fffffffu), true);
  case WarpOperation::ReduceSMax:
    return b.CreateIntMaxReduce(over(0x80000000u), true);
  case WarpOperation::ReduceUMin:
    return b.CreateIntMinReduce(over(~0u), false);
  case WarpOperation::ReduceUMax:
    return b.CreateIntMaxReduce(over(0), false);
  default:
    llvm_unreachable("no reduction");
  }
}

Value *Warp::reduce(WarpOperation operation, Value *value) {
  if (sharedMask)
    return reduceOver(b.CreateAnd(active, toLanes(sharedMask)), operation,
                      value);
  Value *result = PoisonValue::get(value->getType());
  for (unsigned lane = 0; lane < WarpSize; ++lane) {
    Value *lanes = toLanes(b.CreateExtractElement(mask, lane));
    Value *own = reduceOver(b.CreateAnd(active, lanes), operation, value);
    result = b.CreateInsertElement(result, own, lane);
  }
  return result;
}

} // namespace

Value *emitWarpOperation(IRBuilder<> &b, CallInst &operation,
                         ArrayRef<Value *> operands, Value *active) {
  WarpOperation kind = *warpOperation(operation);
  Warp warp(b, operands, active);
  switch (kind) {
  case WarpOperation::Synchronise:
    return nullptr;
  case WarpOperation::ActiveMask:
    return warp.activeMask();
  case WarpOperation::Ballot:
    return warp.ballot(operands[1]);
  case WarpOperation::MatchAny:
    return warp.matchAny(operands[1]);
  case WarpOperation::MatchAll:
    return warp.matchAll(operands[1]);
  default:
    if (isReduction(kind))
      return warp.reduce(kind, operands[1]);
    return warp.shuffle(kind, operands[1], operands[2], operands[3]);
  }
}

} // namespace cufort::cpu
