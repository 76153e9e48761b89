//===- QuotientPieces.cpp - threads with the same quotient ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   before:  if (the divisors are large enough)
//   piece:     do
//                quotients and remainders of the first thread that is left;
//                how many threads follow before one of the quotients changes
//                the loop, for these threads, without divisions (twice: where
//                  remainders are multiplied, for factors of one)
//   next:      while threads are left
//            else
//              a copy of the loop as it was
//
// A number that each thread divides must grow by one from thread to thread, or
// be the same for all; what is computed of remainders may, as for neighbours in
// a row whose ends are joined: (i % width + 1) % width.
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/partition/QuotientPieces.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/fission/Recompute.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Of a loop that is copied.
constexpr unsigned MostInstructions = 200;
/// Of a divisor of what differs from thread to thread, and of threads: shorter
/// pieces cost more than they spare.
constexpr uint64_t LeastLength = 32;
/// Of such a divisor: the distance between a remainder and a thread's index
/// does not wrap around.
constexpr uint64_t MostLength = 1u << 30;

class QuotientPieces {
public:
  QuotientPieces(Loop &loop, bool takesNested)
      : loop(loop), takesNested(takesNested),
        b(loop.getHeader()->getContext()) {}
  /// Makes the two loops if that is possible and worth it; the header of the
  /// loop as it was if it is worth trying again without nested divisions.
  BasicBlock *run(LoopInfo &loops);

private:
  struct Division {
    bool isSigned, isRemainder;
    bool isSame;   ///< in all threads of the loop
    int64_t slope; ///< of the number that is divided
  };

  std::optional<int64_t> slope(Value *value);
  std::optional<int64_t> slopeOf(Instruction &instruction);
  bool isSame(Value *value);
  bool isNested(Value *value, Value *divisor);
  void findDivisions(LoopInfo &loops);
  Value *test(Value *first, Value *extent);
  Value *firstOf(Value *value);
  void limit(Value *threads);
  void limitByRange(Value *number, bool isSigned);
  void divide(BinaryOperator &instruction, Division &division);
  void findProducts();
  void separateUnitStride();
  void makePieces(BasicBlock *before, Value *first, Value *extent);

  Loop &loop;
  /// Whether remainders are divided by another divisor than theirs: those are
  /// smaller, but of (i % (width * height)) / width one wants the rows.
  const bool takesNested;
  bool hasNested = false;
  IRBuilder<> b;
  PHINode *x = nullptr;
  DenseMap<Value *, std::optional<int64_t>> slopes;
  MapVector<BinaryOperator *, Division> divisions;
  /// Extended to more bits, which is no sum if the number wraps around.
  SetVector<CastInst *> extensions;

  SmallVector<Use *> products;         ///< their factors
  DenseMap<Value *, Value *> divisors; ///< as they may be divided by
  DenseMap<Value *, Value *> firsts;   ///< what a piece's first thread computes
  Value *further = nullptr; ///< i64, how many threads follow it in the piece
};

/// By how much \p value grows from a thread to the next within a piece, in
/// arithmetic that wraps around.
std::optional<int64_t> QuotientPieces::slope(Value *value) {
  if (value == x)
    return 1;
  if (loop.isLoopInvariant(value))
    return 0;
  if (auto known = slopes.find(value); known != slopes.end())
    return known->second;
  auto *instruction = cast<Instruction>(value);
  std::optional<int64_t> found;
  if (!isa<PHINode>(instruction))
    found = slopeOf(*instruction);
  slopes[value] = found;
  return found;
}

std::optional<int64_t> QuotientPieces::slopeOf(Instruction &instruction) {
  if (!instruction.getType()->isIntegerTy())
    return std::nullopt;
  if (auto *division = dyn_cast<BinaryOperator>(&instruction))
    if (auto known = divisions.find(division); known != divisions.end())
      return known->second.isRemainder ? known->second.slope : 0;
  SmallVector<int64_t, 3> parts;
  for (Value *operand : instruction.operands()) {
    if (!operand->getType()->isIntegerTy())
      return std::nullopt;
    std::optional<int64_t> part = slope(operand);
    if (!part)
      return std::nullopt;
    parts.push_back(*part);
  }
  switch (instruction.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(instruction).isDisjoint())
      break;
    [[fallthrough]];
  case Instruction::Add:
    return parts[0] + parts[1];
  case Instruction::Sub:
    return parts[0] - parts[1];
  case Instruction::SExt:
  case Instruction::ZExt:
    if (parts[0] != 0 && parts[0] != 1)
      return std::nullopt;
    if (parts[0] == 1 && instruction.getOperand(0) != x)
      extensions.insert(cast<CastInst>(&instruction));
    return parts[0];
  case Instruction::Trunc:
  case Instruction::Freeze:
    return parts[0];
  default:
    break;
  }
  if (isPureArithmetic(instruction) &&
      all_of(parts, [](int64_t part) { return part == 0; }))
    return 0;
  return std::nullopt;
}

/// Whether \p value can be computed in front of the loop.
bool QuotientPieces::isSame(Value *value) {
  if (loop.isLoopInvariant(value))
    return true;
  auto *instruction = cast<Instruction>(value);
  if (auto *division = dyn_cast<BinaryOperator>(instruction))
    if (auto known = divisions.find(division); known != divisions.end())
      return known->second.isSame;
  return !isa<PHINode>(instruction) && isPureArithmetic(*instruction) &&
         all_of(instruction->operands(),
                [this](Use &operand) { return isSame(operand); });
}

/// Whether \p value, of which the slope is known, comes of a remainder of
/// another divisor than \p divisor.
bool QuotientPieces::isNested(Value *value, Value *divisor) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || value == x || isSame(value))
    return false;
  auto *division = dyn_cast<BinaryOperator>(instruction);
  if (division && divisions.contains(division)) {
    if (division->getOperand(1) != divisor)
      return true;
    return isNested(division->getOperand(0), divisor);
  }
  return any_of(instruction->operands(),
                [&](Use &operand) { return isNested(operand, divisor); });
}

void QuotientPieces::findDivisions(LoopInfo &loops) {
  // What a division gives is seen before it is used.
  LoopBlocksDFS order(&loop);
  order.perform(&loops);
  for (BasicBlock *block : make_range(order.beginRPO(), order.endRPO()))
    for (Instruction &instruction : *block) {
      Type *type = instruction.getType();
      if (!instruction.isIntDivRem() ||
          !(type->isIntegerTy(32) || type->isIntegerTy(64)) ||
          !isSame(instruction.getOperand(1)))
        continue;
      std::optional<int64_t> number = slope(instruction.getOperand(0));
      if (!number || (*number != 0 && *number != 1))
        continue;
      // What all threads may divide by anywhere needs nothing, and a piece no
      // constant that is not large enough.
      auto *constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
      if (constant && (*number == 0 ? isPureArithmetic(instruction)
                                    : constant->getValue().slt(LeastLength)))
        continue;
      const unsigned kind = instruction.getOpcode();
      Value *operand = instruction.getOperand(0);
      if (*number == 1 && isNested(operand, instruction.getOperand(1))) {
        hasNested = true;
        if (!takesNested)
          continue;
      }
      divisions.insert({cast<BinaryOperator>(&instruction),
                        {kind == Instruction::SDiv || kind == Instruction::SRem,
                         kind == Instruction::SRem || kind == Instruction::URem,
                         isSame(operand), *number}});
    }
}

/// i1, before the loop: whether all divisors can be divided by, and pieces are
/// long enough. A thread need not come to a division that the program has under
/// a condition.
Value *QuotientPieces::test(Value *first, Value *extent) {
  Value *holds = b.CreateICmpSGE(b.CreateSub(extent, first),
                                 ConstantInt::get(x->getType(), LeastLength));
  for (auto &[instruction, division] : divisions) {
    Value *by = firstOf(instruction->getOperand(1));
    Type *type = by->getType();
    if (!isa<Constant>(by))
      by = b.CreateFreeze(by, "divisor");
    Value *fits =
        division.slope
            ? b.CreateICmpULE(
                  b.CreateSub(by, ConstantInt::get(type, LeastLength)),
                  ConstantInt::get(type, MostLength - LeastLength))
            : b.CreateICmpSGT(by, ConstantInt::get(type, 0));
    holds = b.CreateAnd(holds, fits);
    if (division.isSame)
      by = b.CreateSelect(fits, by, ConstantInt::get(type, 1));
    divisors[instruction] = by;
    if (division.isSame)
      divide(*instruction, division);
  }
  return holds;
}

/// \p value, of which the slope is known, as a piece's first thread has it.
Value *QuotientPieces::firstOf(Value *value) {
  if (loop.isLoopInvariant(value))
    return value;
  if (Value *known = firsts.lookup(value))
    return known;
  auto *instruction = cast<Instruction>(value);
  SmallVector<Value *, 3> operands;
  for (Value *operand : instruction->operands())
    operands.push_back(firstOf(operand));
  // Disjoint it may be for those threads only that come to it.
  if (instruction->getOpcode() == Instruction::Or && *slope(value) != 0)
    return firsts[value] = b.CreateAdd(operands[0], operands[1]);
  Instruction *copy = instruction->clone();
  for (auto [use, operand] : zip(copy->operands(), operands))
    use.set(operand);
  copy->dropPoisonGeneratingAnnotations();
  b.Insert(copy, instruction->getName());
  return firsts[value] = copy;
}

/// No more than \p threads, unsigned, follow the first one in a piece.
void QuotientPieces::limit(Value *threads) {
  threads = b.CreateZExt(threads, b.getInt64Ty());
  further = further ? b.CreateBinaryIntrinsic(Intrinsic::umin, further, threads)
                    : threads;
}

/// ... until \p number is the greatest that its type has.
void QuotientPieces::limitByRange(Value *number, bool isSigned) {
  const unsigned bits = number->getType()->getIntegerBitWidth();
  limit(b.CreateSub(b.getInt(isSigned ? APInt::getSignedMaxValue(bits)
                                      : APInt::getAllOnes(bits)),
                    number));
}

void QuotientPieces::divide(BinaryOperator &instruction, Division &division) {
  Value *number = firstOf(instruction.getOperand(0)),
        *by = divisors.lookup(&instruction);
  Value *quotient =
      division.isSigned ? b.CreateSDiv(number, by) : b.CreateUDiv(number, by);
  Value *remainder = b.CreateSub(number, b.CreateMul(quotient, by));
  firsts[&instruction] = division.isRemainder ? remainder : quotient;
  if (!division.slope)
    return;
  // A negative number's remainder grows towards zero.
  Value *zero = Constant::getNullValue(number->getType()),
        *last = b.CreateSub(by, ConstantInt::get(by->getType(), 1));
  if (division.isSigned)
    last = b.CreateSelect(b.CreateICmpSGE(number, zero), last, zero);
  limit(b.CreateSub(last, remainder));
  limitByRange(number, division.isSigned);
}

/// The loop around the one over threads.
void QuotientPieces::makePieces(BasicBlock *before, Value *first,
                                Value *extent) {
  LLVMContext &context = before->getContext();
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch(),
             *exit = loop.getExitBlock();
  BasicBlock *piece =
      BasicBlock::Create(context, "piece", before->getParent(), header);
  BasicBlock *next =
      BasicBlock::Create(context, "piece.next", before->getParent(), exit);
  before->getTerminator()->setSuccessor(0, piece);

  b.SetInsertPoint(piece);
  PHINode *begin = b.CreatePHI(x->getType(), 2, "begin");
  firsts[x] = begin;
  Value *one = ConstantInt::get(x->getType(), 1);
  limit(b.CreateSub(b.CreateSub(extent, one), begin));
  for (auto &[instruction, division] : divisions)
    if (!division.isSame)
      divide(*instruction, division);
  for (CastInst *extension : extensions)
    limitByRange(firstOf(extension->getOperand(0)), isa<SExtInst>(extension));
  Value *count =
      b.CreateAdd(b.CreateTrunc(b.CreateFreeze(further), x->getType()), one);
  Value *end = b.CreateAdd(begin, count, "end", true, true);
  b.CreateBr(header);
  begin->addIncoming(first, before);
  begin->addIncoming(end, next);
  x->setIncomingBlock(x->getBasicBlockIndex(before), piece);
  x->setIncomingValueForBlock(piece, begin);

  auto *branch = cast<BranchInst>(latch->getTerminator());
  cast<ICmpInst>(branch->getCondition())->setOperand(1, end);
  branch->setSuccessor(1, next);
  b.SetInsertPoint(next);
  b.CreateCondBr(b.CreateICmpULT(end, extent), piece, exit);

  for (auto &[instruction, division] : divisions) {
    Value *result = firsts[instruction];
    if (division.isRemainder && division.slope) {
      b.SetInsertPoint(piece->getTerminator());
      Type *type = result->getType();
      Value *distance = b.CreateSub(result, b.CreateZExt(begin, type), "",
                                    /*HasNUW=*/false, true);
      b.SetInsertPoint(instruction);
      result = b.CreateAdd(b.CreateZExt(x, type, "", /*IsNonNeg=*/true),
                           distance, "remainder", /*HasNUW=*/false, true);
    }
    instruction->replaceAllUsesWith(result);
    instruction->eraseFromParent();
  }
}

/// Products by which remainders become places, (i % width) * stride and the
/// like: the stride, the same for all threads, mostly is one.
void QuotientPieces::findProducts() {
  unsigned count = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      ++count;
      if (instruction.getOpcode() != Instruction::Mul ||
          !instruction.getType()->isIntegerTy())
        continue;
      for (Use &factor : instruction.operands())
        if (!isa<Constant>(factor) && isSame(factor) &&
            slope(instruction.getOperand(1 - factor.getOperandNo())) == 1) {
          products.push_back(&factor);
          break;
        }
    }
  if (count > MostInstructions / 2)
    products.clear();
}

/// Makes the loop in a piece two: one in which the factors of all such products
/// are one, so that vectors know neighbours to be neighbours.
void QuotientPieces::separateUnitStride() {
  if (products.empty())
    return;
  b.SetInsertPoint(loop.getLoopPredecessor()->getTerminator());
  Value *isUnit = b.getTrue();
  for (Use *factor : products)
    isUnit = b.CreateAnd(
        isUnit, b.CreateICmpEQ(firstOf(factor->get()),
                               ConstantInt::get(factor->get()->getType(), 1)));
  copyThreadLoop(loop, b.CreateFreeze(isUnit), "piece.unit", "piece.strided");
  for (Use *factor : products)
    factor->set(ConstantInt::get(factor->get()->getType(), 1));
}

BasicBlock *QuotientPieces::run(LoopInfo &loops) {
  x = threadCounter(loop);
  findDivisions(loops);
  if (none_of(divisions, [](auto &known) { return known.second.slope != 0; }))
    return nullptr;
  BasicBlock *before = loop.getLoopPredecessor();
  Value *first = x->getIncomingValueForBlock(before),
        *extent = threadExtent(loop);
  b.SetInsertPoint(before->getTerminator());
  Value *holds = b.CreateFreeze(test(first, extent));
  auto [own, copy] = copyThreadLoop(loop, holds, "pieces", "pieces.none");
  findProducts();
  makePieces(own, first, extent);
  separateUnitStride();
  return hasNested && takesNested ? copy->getSingleSuccessor() : nullptr;
}

} // namespace

Error separateQuotients(Module &module, const CpuOptions &options) {
  if (options.optLevel < 2)
    return Error::success();
  for (Function *entry : entries(module, "block"))
    forEachPlainThreadLoop(
        *entry, MostInstructions, [&](Loop &loop, LoopInfo &loops) {
          // Several rows at a time are worth more to loops (cpu-strips).
          if (!loop.isInnermost() && blockShape(*entry)[1] > 1)
            return;
          BasicBlock *header = QuotientPieces(loop, true).run(loops);
          if (!header)
            return;
          DominatorTree dominators(*entry);
          LoopInfo again(dominators);
          QuotientPieces(*again.getLoopFor(header), false).run(again);
        });
  return Error::success();
}

} // namespace cufort::cpu
