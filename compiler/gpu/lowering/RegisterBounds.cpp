//===- RegisterBounds.cpp - registers for loads in flight -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/RegisterBounds.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace {

/// What a thread of a block of 1024 can have.
constexpr unsigned Registers = 64;
/// Of a loop that ptxas does not repeat: as many loads as are worth registers.
constexpr unsigned FewestLoads = 8;
constexpr unsigned WordSize = 4;
/// What a cache line is filled by: less than that further on is loaded already.
constexpr int64_t SectorSize = 32;
/// What a kernel may hold at a time, so that the bound makes none of it wait in
/// memory: ptxas needs some for addresses and for what it loads early.
constexpr unsigned MostHeld = 40;

/// Of a kernel with loops that copy by blocks, and how many of them make one:
/// ptxas then stores behind the next block's load, and needs no more than it
/// would otherwise.
constexpr unsigned RegistersToCopy = 40;
constexpr unsigned FewestCopies = 3;

/// Of a kernel without loops: what it loads, in registers, before which ptxas
/// would otherwise wait for what it has loaded first: more than the bound. Of
/// less, more threads at a time are worth as much. And what such a kernel may
/// hold.
constexpr unsigned MuchLoaded = 64;
constexpr unsigned MostHeldOnce = 80;

/// How many registers \p value takes; kernels' parameters are in constant
/// memory.
unsigned registersOf(const Value *value) {
  if (!isa<Instruction>(value) || value->getType()->isVoidTy())
    return 0;
  const DataLayout &layout = cast<Instruction>(value)->getDataLayout();
  Type *type = value->getType();
  return type->isSized()
             ? divideCeil(layout.getTypeSizeInBits(type).getFixedValue(), 32)
             : 0;
}

/// Computes how many registers' worth of values a function holds where it
/// holds most.
class Held {
public:
  explicit Held(const Function &function) {
    for (const Instruction &instruction : instructions(function))
      follow(instruction);
    for (const BasicBlock &block : function)
      scan(block);
  }
  unsigned most() const { return atMost; }

private:
  DenseMap<const BasicBlock *, SmallPtrSet<const Value *, 16>> heldAtEnd;
  unsigned atMost = 0;

  /// Notes the blocks at whose end \p value is still needed.
  void follow(const Instruction &value) {
    SmallVector<const BasicBlock *> open;
    auto needAtEnd = [&](const BasicBlock *block) {
      if (heldAtEnd[block].insert(&value).second && block != value.getParent())
        open.push_back(block);
    };
    for (const Use &use : value.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *phi = dyn_cast<PHINode>(user))
        needAtEnd(phi->getIncomingBlock(use));
      else if (user->getParent() != value.getParent())
        for (const BasicBlock *before : predecessors(user->getParent()))
          needAtEnd(before);
    }
    while (!open.empty())
      for (const BasicBlock *before : predecessors(open.pop_back_val()))
        needAtEnd(before);
  }

  void scan(const BasicBlock &block) {
    SmallPtrSet<const Value *, 16> held = heldAtEnd.lookup(&block);
    unsigned now = 0;
    for (const Value *value : held)
      now += registersOf(value);
    atMost = std::max(atMost, now);
    for (const Instruction &instruction : reverse(block)) {
      if (held.erase(&instruction))
        now -= registersOf(&instruction);
      if (isa<PHINode>(instruction))
        continue;
      for (const Value *operand : instruction.operand_values())
        if (isa<Instruction>(operand) && held.insert(operand).second)
          now += registersOf(operand);
      atMost = std::max(atMost, now);
    }
  }
};

/// Whether \p load reads less than a word, which iterations before have brought
/// into the cache: the next iteration's is a few bytes further on.
bool isInCache(const LoadInst &load, const Loop &loop,
               ScalarEvolution &evolution) {
  const DataLayout &layout = load.getDataLayout();
  if (layout.getTypeStoreSize(load.getType()) >= WordSize)
    return false;
  auto strideOf = [&](Value *value) -> std::optional<int64_t> {
    auto *line = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
    auto *step =
        line && line->getLoop() == &loop
            ? dyn_cast<SCEVConstant>(line->getStepRecurrence(evolution))
            : nullptr;
    return step ? step->getAPInt().trySExtValue() : std::nullopt;
  };
  auto *pointer = const_cast<Value *>(load.getPointerOperand());
  std::optional<int64_t> stride = strideOf(pointer);
  // An index of 32 bits, which may overflow, is a line only before it is
  // extended.
  if (auto *element = dyn_cast<GetElementPtrInst>(pointer);
      element && !stride && element->getNumIndices() == 1)
    if (auto *wide = dyn_cast<CastInst>(element->getOperand(1)))
      if ((stride = strideOf(wide->getOperand(0))))
        *stride *= static_cast<int64_t>(
            layout.getTypeAllocSize(element->getSourceElementType()));
  return stride && std::abs(*stride) < SectorSize;
}

/// Whether \p loop only loads from global memory, beyond the cache, and ptxas
/// repeats it, or several iterations of it are one already.
bool isSumOfLoads(const Loop &loop, ScalarEvolution &evolution) {
  if (loop.getNumBlocks() != 1)
    return false;
  unsigned loads = 0;
  for (const Instruction &instruction : *loop.getHeader()) {
    if (instruction.mayWriteToMemory())
      return false;
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      loads +=
          load->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL &&
          !isInCache(*load, loop, evolution);
  }
  const bool isCounted =
      !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
  return loads >= (isCounted ? 1 : FewestLoads);
}

/// Whether nothing is said of the registers of \p kernel or of how many blocks
/// of it run at a time, and nothing in it needs registers that are not seen
/// here.
bool isOpen(const Function &kernel) {
  if (kernel.getCallingConv() != CallingConv::PTX_Kernel ||
      kernel.isDeclaration() || kernel.hasOptNone() ||
      any_of(ArrayRef<StringRef>{"nvvm.maxnreg", "nvvm.minctasm",
                                 "nvvm.reqntid", "nvvm.cluster_dim",
                                 "nvvm.maxclusterrank"},
             [&](StringRef name) { return kernel.hasFnAttribute(name); }))
    return false;
  return none_of(instructions(kernel), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return isa<AllocaInst>(instruction) ||
           (call && !(isa<IntrinsicInst>(call) || call->isInlineAsm()));
  });
}

/// Whether threads wait for each other in \p block, so that other warps had
/// better run meanwhile.
bool waits(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->isConvergent();
  });
}

/// Whether nothing writes where \p load reads for as long as the kernel runs.
bool isOnlyRead(const LoadInst &load) {
  if (load.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  SmallVector<const Value *> objects;
  getUnderlyingObjects(load.getPointerOperand(), objects);
  return all_of(objects, [](const Value *object) {
    auto *argument = dyn_cast<Argument>(object);
    return argument && argument->hasNoAliasAttr() &&
           argument->onlyReadsMemory() && !argument->hasByValAttr();
  });
}

/// Whether the iterations of \p loop, without loops in it, copy from memory
/// that is only read in several blocks one after the other.
bool copiesByBlocks(const Loop &loop) {
  if (!loop.isInnermost())
    return false;
  unsigned copies = 0;
  for (const BasicBlock *block : loop.blocks())
    copies += any_of(*block, [&](const Instruction &instruction) {
      auto *store = dyn_cast<StoreInst>(&instruction);
      auto *load =
          store ? dyn_cast<LoadInst>(store->getValueOperand()) : nullptr;
      return load && load->getParent() == block &&
             store->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL &&
             isOnlyRead(*load);
    });
  return copies >= FewestCopies;
}

/// How many registers' worth \p kernel loads from global memory in one block,
/// if it has no loop.
unsigned loadedAtOnce(const Function &kernel, const LoopInfo &loops) {
  unsigned most = 0;
  if (!loops.empty())
    return 0;
  for (const BasicBlock &block : kernel) {
    unsigned loaded = 0;
    for (const Instruction &instruction : block)
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load &&
          load->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL)
        loaded += registersOf(load);
    most = std::max(most, loaded);
  }
  return most;
}

/// How many registers a kernel may have, if it holds so many at a time.
struct Bound {
  unsigned registers;
  unsigned mostHeld;
};

/// What is better for \p kernel than what ptxas would do, if anything.
std::optional<Bound> boundOf(const Function &kernel, LoopInfo &loops,
                             ScalarEvolution &evolution) {
  SmallVector<Loop *> all = loops.getLoopsInPreorder();
  if (none_of(kernel, waits)) {
    if (loadedAtOnce(kernel, loops) >= MuchLoaded)
      return Bound{Registers, MostHeldOnce};
    if (any_of(all, [&](const Loop *loop) {
          return isSumOfLoads(*loop, evolution);
        }))
      return Bound{Registers, MostHeld};
  }
  const bool waitsInLoop = any_of(kernel, [&](const BasicBlock &block) {
    return loops.getLoopFor(&block) && waits(block);
  });
  if (!waitsInLoop &&
      any_of(all, [](const Loop *loop) { return copiesByBlocks(*loop); }))
    return Bound{RegistersToCopy, MostHeld};
  return std::nullopt;
}

} // namespace

PreservedAnalyses cufort::boundRegisters(Function &function,
                                         FunctionAnalysisManager &manager) {
  if (!isOpen(function))
    return PreservedAnalyses::all();
  auto bound = boundOf(function, manager.getResult<LoopAnalysis>(function),
                       manager.getResult<ScalarEvolutionAnalysis>(function));
  if (!bound)
    return PreservedAnalyses::all();
  if (Held(function).most() <= bound->mostHeld)
    function.addFnAttr("nvvm.maxnreg", std::to_string(bound->registers));
  return PreservedAnalyses::all();
}
