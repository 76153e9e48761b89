//===- LaneInstructions.cpp - instructions for many threads ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/WaitLoops.h"
#include "compiler/cpu/fission/PrivateArrays.h"
#include "compiler/cpu/simd/LaneCode.h"
#include "compiler/cpu/simd/VectorMath.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Intrinsics that say something about the code but do nothing.
bool isRemark(const Instruction &instruction) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && (intrinsic->isAssumeLikeIntrinsic() ||
                       intrinsic->getIntrinsicID() ==
                           Intrinsic::experimental_noalias_scope_decl);
}

bool isElement(Type *type) {
  return VectorType::isValidElementType(type) && !type->isX86_FP80Ty() &&
         !type->isFP128Ty();
}

} // namespace

std::string LaneCode::checkInstruction(Instruction &instruction) {
  if (isRemark(instruction) || instruction.isTerminator())
    return "";
  Type *type = instruction.getType();
  if (auto *structure = dyn_cast<StructType>(type)) {
    if (!all_of(structure->elements(), isElement) ||
        isa<PHINode, SelectInst, LoadInst>(instruction))
      return "a structure is passed around";
  } else if (!type->isVoidTy() && !isElement(type)) {
    return "a value of a type that vectors cannot hold";
  }
  for (Value *operand : instruction.operands())
    if (!isa<Function>(operand) && !operand->getType()->isStructTy() &&
        !operand->getType()->isMetadataTy() && !isElement(operand->getType()))
      return "a value of a type that vectors cannot hold";
  if (isWarpOperation(instruction) && lanes != WarpSize)
    return "a warp operation";
  if (isa<AllocaInst>(instruction) &&
      !instruction.hasMetadata(StripArrayMetadata))
    return "a large private array";
  if (auto *call = dyn_cast<CallBase>(&instruction))
    if (!isa<CallInst>(call) || !call->getCalledFunction())
      return "a call through a pointer";
  return "";
}

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

/// A copy of \p instruction for lane 0 of \p row.
Instruction *LaneCode::cloneScalar(Instruction &instruction, unsigned row) {
  // Lane 0 may be one that does not come along.
  bool isAlone = mask && !isUniform(&instruction);
  Instruction *copy =
      isAlone ? cloneForAnyThread(instruction) : instruction.clone();
  for (Use &operand : copy->operands())
    if (!isa<Function, BasicBlock, MetadataAsValue>(operand.get()))
      operand.set(scalar(operand.get(), row));
  b.Insert(copy, instruction.getName());
  return copy;
}

void LaneCode::emitInstruction(Instruction &instruction) {
  if (isRemark(instruction))
    return;
  if (int dimension = threadIndexDimension(&instruction); dimension >= 0) {
    emitThreadIndex(instruction, dimension);
    return;
  }
  if (isa<AllocaInst>(instruction)) {
    Instruction *copy = instruction.clone();
    copy->insertBefore(into.getEntryBlock().begin());
    copy->setName(instruction.getName());
    scalars[&instruction] = {copy};
    return;
  }
  if (isWarpOperation(instruction)) {
    emitWarp(cast<CallInst>(instruction));
    return;
  }
  if (auto *store = dyn_cast<StoreInst>(&instruction);
      store && !store->isAtomic()) {
    for (unsigned row = 0; row < rows; ++row)
      emitStore(*store, row);
    return;
  }
  if (CallInst *count = asMark(&instruction, CountMark)) {
    for (unsigned row = 0; row < rows; ++row)
      emitCount(*count, row);
    return;
  }
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction);
      update && update->use_empty()) {
    for (unsigned row = 0; row < rows; ++row)
      emitUpdates(*update, row);
    return;
  }
  if (isa<FenceInst>(instruction) || isYield(instruction)) {
    b.Insert(instruction.clone());
    return;
  }
  if (auto *prefetch = dyn_cast<IntrinsicInst>(&instruction);
      prefetch && prefetch->getIntrinsicID() == Intrinsic::prefetch) {
    for (unsigned row = 0; row < rows; ++row)
      if (std::optional<int64_t> step =
              shapes.stride(prefetch->getArgOperand(0))) {
        // Every line that the strip will read, of 64 bytes.
        Value *first = scalar(prefetch->getArgOperand(0), row);
        int64_t bytes = std::clamp<int64_t>(*step * lanes, 1, 512);
        for (int64_t line = 0; line < bytes; line += 64) {
          Instruction *copy = prefetch->clone();
          copy->setOperand(0, b.CreateConstGEP1_64(b.getInt8Ty(), first, line));
          b.Insert(copy);
        }
      }
    return;
  }
  bool hasValue = !instruction.getType()->isVoidTy();
  if (hasValue && isUniform(&instruction)) {
    scalars[&instruction] = {cloneScalar(instruction, 0)};
    return;
  }
  std::optional<int64_t> step =
      hasValue ? shapes.stride(&instruction) : std::nullopt;
  for (unsigned row = 0; row < rows; ++row) {
    if (step)
      scalars[&instruction].push_back(cloneScalar(instruction, row));
    if (step != 0) {
      Value *value = emitVector(instruction, row);
      if (hasValue)
        vectors[&instruction].push_back(value);
    }
  }
}

void LaneCode::emitThreadIndex(Instruction &read, int dimension) {
  if (dimension == LaneDimension) {
    scalars[&read] = {b.getInt64(0)};
    vectors[&read] = {lanesFrom(b.getInt64(0), 1)};
    return;
  }
  if (dimension == RankDimension) {
    scalars[&read] = {strip.rank};
    vectors[&read] = {lanesFrom(strip.rank, 1)};
    return;
  }
  if (strip.index[dimension]) {
    vectors[&read] = {strip.index[dimension]};
    return;
  }
  for (unsigned row = 0; row < rows; ++row) {
    if (dimension == 1) {
      scalars[&read].push_back(
          b.CreateAdd(strip.y, b.getInt32(row), "y", true, true));
      continue;
    }
    scalars[&read].push_back(strip.x);
    vectors[&read].push_back(lanesFrom(strip.x, 1));
  }
}

/// A warp operation has one value for each element of its result.
void LaneCode::emitWarp(CallInst &operation) {
  SmallVector<Value *> operands;
  for (Value *argument : operation.args())
    operands.push_back(vector(argument, 0));
  Value *value =
      emitWarpOperation(b, operation, operands, mask ? mask : allLanes());
  if (!value)
    return;
  bool isOne = isUniform(&operation);
  if (isOne && value->getType()->isVectorTy())
    value = lastLaneOf(value);
  else if (!isOne && !value->getType()->isVectorTy())
    value = splat(value);
  (isOne ? scalars : vectors)[&operation] = {value};
}

Value *LaneCode::emitVector(Instruction &instruction, unsigned row) {
  auto operand = [&](unsigned i) {
    return vector(instruction.getOperand(i), row);
  };
  Value *result = nullptr;
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) {
    Value *right = operand(1);
    if (mask && binary->isIntDivRem())
      right = b.CreateSelect(
          mask, right, ConstantInt::get(vectorType(instruction.getType()), 1));
    result = b.CreateBinOp(binary->getOpcode(), operand(0), right);
  } else if (auto *unary = dyn_cast<UnaryOperator>(&instruction)) {
    result = b.CreateUnOp(unary->getOpcode(), operand(0));
  } else if (auto *cast = dyn_cast<CastInst>(&instruction)) {
    result = b.CreateCast(cast->getOpcode(), operand(0),
                          vectorType(instruction.getType()));
  } else if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
    result = b.CreateCmp(compare->getPredicate(), operand(0), operand(1));
  } else if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    Value *condition = select->getCondition();
    condition = shapes.stride(condition) == 0 ? scalar(condition, row)
                                              : vector(condition, row);
    result = b.CreateSelect(condition, operand(1), operand(2));
  } else if (isa<FreezeInst>(instruction)) {
    result = b.CreateFreeze(operand(0));
  } else if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) {
    auto part = [&](Value *value) {
      return shapes.stride(value) == 0 ? scalar(value, row)
                                       : vector(value, row);
    };
    SmallVector<Value *> indices;
    for (Use &index : address->indices())
      indices.push_back(part(index.get()));
    return b.CreateGEP(
        address->getSourceElementType(), part(address->getPointerOperand()),
        indices, "", mask ? GEPNoWrapFlags::none() : address->getNoWrapFlags());
  } else if (auto *element = dyn_cast<ExtractValueInst>(&instruction)) {
    return b.CreateExtractValue(operand(0), element->getIndices());
  } else if (auto *load = dyn_cast<LoadInst>(&instruction);
             load && !load->isAtomic()) {
    return emitLoad(*load, row);
  } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
    return emitCall(*call, row);
  } else {
    return emitLaneByLane(instruction, row);
  }
  if (auto *made = dyn_cast<Instruction>(result)) {
    made->copyIRFlags(&instruction);
    if (mask && !isa<FPMathOperator>(made))
      made->dropPoisonGeneratingFlags();
    if (!made->hasName())
      made->setName(instruction.getName());
  }
  return result;
}

Value *LaneCode::emitCall(CallInst &call, unsigned row) {
  SmallVector<Value *> operands;
  Intrinsic::ID id = call.getIntrinsicID();
  if (id != Intrinsic::not_intrinsic && isTriviallyVectorizable(id) &&
      !call.getType()->isStructTy()) {
    SmallVector<Type *> overloads;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
      overloads.push_back(vectorType(call.getType()));
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      Value *operand = call.getArgOperand(i);
      if (!isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr))
        operand = vector(operand, row);
      else if (shapes.stride(operand) == 0)
        operand = scalar(operand, row);
      else
        return emitLaneByLane(call, row);
      operands.push_back(operand);
      if (isVectorIntrinsicWithOverloadTypeAtArg(id, i, nullptr))
        overloads.push_back(operands.back()->getType());
    }
    CallInst *result = b.CreateIntrinsic(id, overloads, operands);
    if (isa<FPMathOperator>(result))
      result->copyFastMathFlags(&call);
    return result;
  }
  if (isVectorMath(call)) {
    for (Value *argument : call.args())
      operands.push_back(vector(argument, row));
    CallInst *result =
        b.CreateCall(vectorMathMark(call, lanes, *into.getParent()), operands);
    result->copyFastMathFlags(&call);
    return result;
  }
  return emitLaneByLane(call, row);
}

} // namespace cufort::cpu
