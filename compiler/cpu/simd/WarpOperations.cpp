//===- WarpOperations.cpp - what the lanes of a warp do together ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// How far operands are followed: masks and votes have a few operations, and
/// each level may double the work.
constexpr unsigned DeepestExpression = 8;

constexpr StringLiteral MarkPrefix("cufort.warp.");

/// The marks' names after the prefix and before the type.
struct Mark {
  StringLiteral name;
  WarpOperation operation;
  bool typed;
};
constexpr Mark Marks[] = {
    {"shuffle.idx", WarpOperation::ShuffleIndex, true},
    {"shuffle.up", WarpOperation::ShuffleUp, true},
    {"shuffle.down", WarpOperation::ShuffleDown, true},
    {"shuffle.xor", WarpOperation::ShuffleXor, true},
    {"ballot", WarpOperation::Ballot, false},
    {"match.any", WarpOperation::MatchAny, true},
    {"match.all", WarpOperation::MatchAll, true},
    {"reduce.add", WarpOperation::ReduceAdd, false},
    {"reduce.and", WarpOperation::ReduceAnd, false},
    {"reduce.or", WarpOperation::ReduceOr, false},
    {"reduce.xor", WarpOperation::ReduceXor, false},
    {"reduce.smin", WarpOperation::ReduceSMin, false},
    {"reduce.smax", WarpOperation::ReduceSMax, false},
    {"reduce.umin", WarpOperation::ReduceUMin, false},
    {"reduce.umax", WarpOperation::ReduceUMax, false},
    {"activemask", WarpOperation::ActiveMask, false},
    {"sync", WarpOperation::Synchronise, false},
};

/// The device library's shuffles of 64 bits: i64(i32 mask, i64 value, i32 b,
/// i32 c).
std::optional<WarpOperation> warpProcedure(StringRef name) {
  return StringSwitch<std::optional<WarpOperation>>(name)
      .Case("__cufort_shfl_idx_i64", WarpOperation::ShuffleIndex)
      .Case("__cufort_shfl_up_i64", WarpOperation::ShuffleUp)
      .Case("__cufort_shfl_down_i64", WarpOperation::ShuffleDown)
      .Case("__cufort_shfl_xor_i64", WarpOperation::ShuffleXor)
      .Default(std::nullopt);
}

CallInst *createMark(IRBuilder<> &b, WarpOperation operation,
                     ArrayRef<Value *> operands) {
  const Mark &mark = *find_if(
      Marks, [&](const Mark &each) { return each.operation == operation; });
  std::string name = (MarkPrefix + mark.name).str();
  Type *i32 = b.getInt32Ty();
  Type *result = i32;
  if (mark.typed) {
    Type *type = operands[1]->getType();
    name += ".i" + std::to_string(type->getIntegerBitWidth());
    if (isShuffle(operation))
      result = type;
  }
  if (operation == WarpOperation::Synchronise)
    result = b.getVoidTy();
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  Module &module = *b.GetInsertBlock()->getModule();
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(result, types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  // Only syncwarp orders the lanes' accesses to memory. The others are tied to
  // their place among each other.
  if (operation != WarpOperation::Synchronise)
    function->setOnlyAccessesInaccessibleMemory();
  return b.CreateCall(callee, operands);
}

//===----------------------------------------------------------------------===//
// From NVVM
//===----------------------------------------------------------------------===//

std::optional<WarpOperation> shuffleNamed(StringRef kind) {
  return StringSwitch<std::optional<WarpOperation>>(kind)
      .Case("idx", WarpOperation::ShuffleIndex)
      .Case("up", WarpOperation::ShuffleUp)
      .Case("down", WarpOperation::ShuffleDown)
      .Case("bfly", WarpOperation::ShuffleXor)
      .Default(std::nullopt);
}

std::optional<WarpOperation> reductionNamed(StringRef kind) {
  return StringSwitch<std::optional<WarpOperation>>(kind)
      .Case("add", WarpOperation::ReduceAdd)
      .Case("and", WarpOperation::ReduceAnd)
      .Case("or", WarpOperation::ReduceOr)
      .Case("xor", WarpOperation::ReduceXor)
      .Case("min", WarpOperation::ReduceSMin)
      .Case("max", WarpOperation::ReduceSMax)
      .Case("umin", WarpOperation::ReduceUMin)
      .Case("umax", WarpOperation::ReduceUMax)
      .Default(std::nullopt);
}

Value *ballot(IRBuilder<> &b, Value *mask, Value *predicate) {
  return createMark(b, WarpOperation::Ballot, {mask, predicate});
}

/// \p kind is all, any, uni or ballot.
Value *vote(IRBuilder<> &b, StringRef kind, Value *mask, Value *predicate) {
  if (kind == "ballot")
    return ballot(b, mask, predicate);
  if (kind == "any")
    return b.CreateIsNotNull(ballot(b, mask, predicate));
  Value *noneAgainst = b.CreateIsNull(ballot(b, mask, b.CreateNot(predicate)));
  if (kind == "all")
    return noneAgainst;
  assert(kind == "uni" && "votes are all, any, uni and ballot");
  return b.CreateOr(noneAgainst, b.CreateIsNull(ballot(b, mask, predicate)));
}

/// Whether the lane is in the range of its segment from which a shuffle reads,
/// as the PTX manual has it.
Value *isInRange(IRBuilder<> &b, WarpOperation operation, Value *offset,
                 Value *clamp) {
  Value *lane = b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid,
                                  ArrayRef<Type *>(), ArrayRef<Value *>());
  Value *number = b.CreateAnd(offset, 31);
  Value *segment = b.CreateAnd(b.CreateLShr(clamp, 8), 31);
  Value *within = b.CreateXor(segment, 31);
  Value *first = b.CreateAnd(lane, segment);
  Value *limit = b.CreateOr(first, b.CreateAnd(clamp, within));
  switch (operation) {
  case WarpOperation::ShuffleUp:
    return b.CreateICmpSGE(b.CreateSub(lane, number), limit);
  case WarpOperation::ShuffleDown:
    return b.CreateICmpSLE(b.CreateAdd(lane, number), limit);
  case WarpOperation::ShuffleXor:
    return b.CreateICmpSLE(b.CreateXor(lane, number), limit);
  default:
    return b.CreateICmpSLE(b.CreateOr(first, b.CreateAnd(number, within)),
                           limit);
  }
}

/// \p first and \p second as the pair that \p type is.
Value *pairOf(IRBuilder<> &b, Type *type, Value *first, Value *second) {
  Value *pair = b.CreateInsertValue(PoisonValue::get(type), first, 0);
  return b.CreateInsertValue(pair, second, 1);
}

/// The forms of \p call that return a pair say also whether the lane was in
/// range.
Value *shuffle(IRBuilder<> &b, WarpOperation operation, CallInst &call,
               Value *mask, ArrayRef<Value *> operands) {
  Value *value = operands[0];
  Type *type = value->getType();
  Type *bits = b.getIntNTy(type->getScalarSizeInBits());
  CallInst *result = createMark(
      b, operation,
      {mask, b.CreateBitCast(value, bits), operands[1], operands[2]});
  Value *there = b.CreateBitCast(result, type);
  if (!call.getType()->isStructTy())
    return there;
  return pairOf(b, call.getType(), there,
                isInRange(b, operation, operands[1], operands[2]));
}

//===----------------------------------------------------------------------===//
// Uniform operands
//===----------------------------------------------------------------------===//

/// Whether all lanes that come to \p user together have the same \p value, seen
/// from what it is computed from. What lanes agreed on elsewhere they may have
/// left at different times, with different results.
bool agrees(const Value *value, const Instruction &user, unsigned depth = 0) {
  if (isa<Constant>(value) || isa<Argument>(value))
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > DeepestExpression)
    return false;
  if (auto *call = dyn_cast<CallInst>(instruction))
    if (isWarpOperation(*call))
      return call->getParent() == user.getParent() && isWarpUniform(*call);
  if (!isa<UnaryInstruction, BinaryOperator, CmpInst, SelectInst,
           ExtractValueInst>(instruction) ||
      instruction->mayReadFromMemory())
    return false;
  return all_of(instruction->operands(), [&](const Use &operand) {
    return agrees(operand, user, depth + 1);
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

bool isShuffle(WarpOperation operation) {
  return operation >= WarpOperation::ShuffleIndex &&
         operation <= WarpOperation::ShuffleXor;
}

bool isReduction(WarpOperation operation) {
  return operation >= WarpOperation::ReduceAdd &&
         operation <= WarpOperation::ReduceUMax;
}

std::optional<WarpOperation> warpOperation(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return std::nullopt;
  StringRef name = callee->getName();
  if (!name.consume_front(MarkPrefix))
    return std::nullopt;
  for (const Mark &mark : Marks)
    if (mark.typed ? name.starts_with(mark.name) &&
                         name.drop_front(mark.name.size()).starts_with(".i")
                   : name == mark.name)
      return mark.operation;
  return std::nullopt;
}

bool isWarpOperation(const Instruction &instruction) {
  return warpOperation(instruction).has_value();
}

bool isWarpUniform(const CallInst &operation) {
  auto mask = [&] { return agrees(operation.getArgOperand(0), operation); };
  switch (*warpOperation(operation)) {
  case WarpOperation::ActiveMask:
  case WarpOperation::Synchronise:
    return true;
  case WarpOperation::ShuffleIndex: {
    auto *c = dyn_cast<ConstantInt>(operation.getArgOperand(3));
    return c && (c->getZExtValue() & 0x1f1f) == 0x1f &&
           agrees(operation.getArgOperand(2), operation) && mask();
  }
  case WarpOperation::ShuffleUp:
  case WarpOperation::ShuffleDown:
  case WarpOperation::ShuffleXor:
  case WarpOperation::MatchAny:
    return false;
  default:
    return mask();
  }
}

StringRef describe(WarpOperation operation) {
  if (isShuffle(operation))
    return "a warp shuffle";
  if (isReduction(operation))
    return "a warp reduction";
  switch (operation) {
  case WarpOperation::Ballot:
    return "a warp vote";
  case WarpOperation::ActiveMask:
    return "activemask";
  case WarpOperation::Synchronise:
    return "syncwarp";
  default:
    return "a warp match";
  }
}

void keepWarpProcedures(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && warpProcedure(function.getName())) {
      function.deleteBody();
      function.setConvergent();
    }
}

std::optional<Value *> lowerToWarpMarks(IRBuilder<> &b, CallInst &call) {
  const Function &callee = *call.getCalledFunction();
  SmallVector<Value *> operands(call.args());
  StringRef name = callee.getName();
  if (auto operation = warpProcedure(name))
    return shuffle(b, *operation, call, operands[0],
                   ArrayRef(operands).drop_front());
  if (!name.consume_front("llvm.nvvm."))
    return std::nullopt;
  SmallVector<StringRef> words;
  name.split(words, '.');
  auto activeMask = [&] {
    return createMark(b, WarpOperation::ActiveMask, {});
  };
  if (name == "activemask")
    return activeMask();
  if (name == "bar.warp.sync") {
    createMark(b, WarpOperation::Synchronise, operands);
    return nullptr;
  }
  // The forms without a mask are those of the lanes that are there.
  bool sync = is_contained(words, "sync");
  if (name.starts_with("shfl.")) {
    if (!sync)
      operands.insert(operands.begin(), activeMask());
    if (auto operation = shuffleNamed(words[sync ? 2 : 1]))
      return shuffle(b, *operation, call, operands[0],
                     ArrayRef(operands).drop_front());
  }
  if (name.starts_with("vote.")) {
    if (!sync)
      operands.insert(operands.begin(), activeMask());
    return vote(b, words[1], operands[0], operands[1]);
  }
  if (name.starts_with("match.any.sync."))
    return createMark(b, WarpOperation::MatchAny, operands);
  if (name.starts_with("match.all.sync.")) {
    // The lane itself is among those that are equal.
    Value *lanes = createMark(b, WarpOperation::MatchAll, operands);
    return pairOf(b, call.getType(), lanes, b.CreateIsNotNull(lanes));
  }
  // PTX has the value first here.
  if (name.starts_with("redux.sync."))
    if (auto operation = reductionNamed(name.drop_front(11)))
      return createMark(b, *operation, {operands[1], operands[0]});
  return std::nullopt;
}

} // namespace cufort::cpu
