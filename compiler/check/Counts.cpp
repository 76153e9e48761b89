//===- Counts.cpp - device code that counts its operations ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Counts.h"
#include "image/Check.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <array>

using namespace llvm;

namespace cufort::check {
namespace {

/// What image::CountFunction is told, in its order.
enum Count { Flops32, Flops64, Bytes };
using Counts = std::array<uint64_t, 3>;

/// Operations on each element of what \p instruction makes.
unsigned operationsOf(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
    return 1;
  default:
    break;
  }
  if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getOperation() == AtomicRMWInst::FAdd ||
           update->getOperation() == AtomicRMWInst::FSub;
  const auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return 0;
  switch (callee->getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return 2;
  case Intrinsic::not_intrinsic:
    // The host's mathematical functions; procedures count for themselves.
    return callee->isDeclaration() && callee->arg_size() &&
           all_of(callee->args(), [](const Argument &argument) {
             return argument.getType()->isFPOrFPVectorTy();
           });
  case Intrinsic::sqrt:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::asin:
  case Intrinsic::acos:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::sinh:
  case Intrinsic::cosh:
  case Intrinsic::tanh:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::powi:
    return 1;
  default:
    return 0;
  }
}

uint64_t lanesOf(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// Whether \p pointer is to neither private, shared nor constant memory.
bool isGlobal(const Value *pointer) {
  const Value *object = getUnderlyingObject(pointer, /*MaxLookup=*/0);
  if (isa<AllocaInst>(object))
    return false;
  if (const auto *argument = dyn_cast<Argument>(object))
    return !argument->hasByValAttr();
  if (const auto *variable = dyn_cast<GlobalVariable>(object)) {
    const StringRef kind = variable->getAttributes()
                               .getAttribute("cufort-variable")
                               .getValueAsString();
    return !variable->isConstant() && kind != "shared" && kind != "constant";
  }
  return true;
}

class Counter {
  Module &module;
  const DataLayout &layout;
  Type *i64;
  Function &function;
  AllocaInst *sums[3];

public:
  Counter(Module &module, Function &function)
      : module(module), layout(module.getDataLayout()),
        i64(Type::getInt64Ty(module.getContext())), function(function) {}

  void run() {
    makeSums();
    bool any = false;
    for (BasicBlock &block : function)
      any |= count(block);
    if (any)
      for (BasicBlock &block : function)
        if (isa<ReturnInst>(block.getTerminator()))
          tell(*block.getTerminator());
    DominatorTree tree(function);
    PromoteMemToReg(sums, tree);
  }

private:
  void makeSums() {
    IRBuilder<> b(&function.getEntryBlock(),
                  function.getEntryBlock().getFirstInsertionPt());
    for (AllocaInst *&sum : sums)
      sum = b.CreateAlloca(i64, nullptr, "count");
    for (AllocaInst *sum : sums)
      b.CreateStore(b.getInt64(0), sum);
  }

  void add(IRBuilder<> &b, Count what, Value *value) {
    b.CreateStore(b.CreateAdd(b.CreateLoad(i64, sums[what]), value),
                  sums[what]);
  }

  uint64_t sizeOf(Type *type) const { return layout.getTypeStoreSize(type); }

  /// Bytes of global memory that \p instruction reads and writes; the range
  /// that a copy or fill has is added to \p ranges.
  uint64_t bytesOf(Instruction &instruction,
                   SmallVectorImpl<Instruction *> &ranges) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return isGlobal(load->getPointerOperand()) ? sizeOf(load->getType()) : 0;
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return isGlobal(store->getPointerOperand())
                 ? sizeOf(store->getValueOperand()->getType())
                 : 0;
    // An atomic operation reads and writes.
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return isGlobal(update->getPointerOperand())
                 ? 2 * sizeOf(update->getType())
                 : 0;
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return isGlobal(exchange->getPointerOperand())
                 ? 2 * sizeOf(exchange->getNewValOperand()->getType())
                 : 0;
    if (isa<MemIntrinsic>(instruction))
      ranges.push_back(&instruction);
    return 0;
  }

  bool count(BasicBlock &block) {
    Counts counts{};
    SmallVector<Instruction *> ranges;
    for (Instruction &instruction : block) {
      counts[Bytes] += bytesOf(instruction, ranges);
      const Type *type = instruction.getType();
      if (const uint64_t operations = operationsOf(instruction))
        counts[type->getScalarType()->isDoubleTy() ? Flops64 : Flops32] +=
            operations * lanesOf(type);
    }
    bool any = false;
    for (Instruction *range : ranges) {
      auto *memory = cast<MemIntrinsic>(range);
      auto *transfer = dyn_cast<MemTransferInst>(range);
      const unsigned sides = isGlobal(memory->getRawDest()) +
                             (transfer && isGlobal(transfer->getRawSource()));
      if (!sides)
        continue;
      any = true;
      IRBuilder<> b(range);
      add(b, Bytes,
          b.CreateMul(b.CreateZExtOrTrunc(memory->getLength(), i64),
                      b.getInt64(sides)));
    }
    // Behind what a thread has to have done to be counted: a block that ends
    // in the middle ends the program.
    IRBuilder<> b(block.getTerminator());
    for (Count what : {Flops32, Flops64, Bytes})
      if (counts[what]) {
        add(b, what, b.getInt64(counts[what]));
        any = true;
      }
    return any;
  }

  void tell(Instruction &end) {
    IRBuilder<> b(&end);
    FunctionCallee callee = module.getOrInsertFunction(
        image::CountFunction, Type::getVoidTy(module.getContext()), i64, i64,
        i64);
    auto *told = cast<Function>(callee.getCallee());
    told->setDoesNotThrow();
    told->setWillReturn();
    // Kernels do not see what it changes.
    told->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    SmallVector<Value *> values;
    for (AllocaInst *sum : sums)
      values.push_back(b.CreateLoad(i64, sum));
    b.CreateCall(callee, values);
  }
};

} // namespace

void countOperations(Module &module, ArrayRef<Function *> functions) {
  for (Function *function : functions)
    Counter(module, *function).run();
}

} // namespace cufort::check
