//===- PrivateLoops.cpp - loops over private arrays -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/PrivateLoops.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/import/Tidy.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// An array of more bytes is not for registers.
constexpr uint64_t MostBytes = 512;
constexpr unsigned MostIterations = 64;
/// How many instructions the loops of a kernel may become.
constexpr uint64_t MostInstructions = 4096;
/// What an operation of a warp counts for: it becomes code for every lane.
constexpr uint64_t WarpOperationSize = 32;

using Loops = SmallSetVector<Loop *, 4>;

class Unrolling {
public:
  explicit Unrolling(Function &kernel)
      : kernel(kernel), dominators(kernel), loops(dominators),
        assumptions(kernel),
        libraryNames(kernel.getParent()->getTargetTriple()),
        library(libraryNames, &kernel),
        evolution(kernel, library, assumptions, dominators, loops),
        target(kernel.getDataLayout()), remarks(&kernel) {}

  bool run() {
    // A loop behind another may begin where that one ends.
    bool changed = false;
    for (Loop *loop : loops)
      changed |= simplifyLoop(loop, &dominators, &loops, &evolution,
                              &assumptions, nullptr, /*PreserveLCSSA=*/false);
    Loops chosen;
    for (Instruction &instruction : instructions(kernel))
      if (auto *array = dyn_cast<AllocaInst>(&instruction)) {
        Loops needed;
        if (!isSmallArray(*array) || !loopsOver(*array, needed) ||
            needed.empty())
          continue;
        Loops together = chosen;
        together.insert_range(needed);
        if (size(together) <= MostInstructions)
          chosen = std::move(together);
      }
    // Inner loops first.
    auto order = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(order))
      if (chosen.contains(loop))
        changed |= unroll(*loop);
    return changed;
  }

private:
  bool isSmallArray(const AllocaInst &array) {
    std::optional<TypeSize> bytes =
        array.getAllocationSize(kernel.getDataLayout());
    return array.isStaticAlloca() && bytes && !bytes->isScalable() &&
           bytes->getFixedValue() <= MostBytes;
  }

  /// Finds the loops that index \p array. False if some index would not become
  /// a constant with them.
  bool loopsOver(AllocaInst &array, Loops &needed) {
    SmallVector<Instruction *> addresses{&array};
    while (!addresses.empty()) {
      Instruction *address = addresses.pop_back_val();
      for (User *user : address->users()) {
        if (auto *element = dyn_cast<GetElementPtrInst>(user)) {
          if (!element->hasAllConstantIndices() &&
              !isKnown(evolution.removePointerBase(evolution.getSCEV(element)),
                       needed))
            return false;
          addresses.push_back(element);
        } else if (auto *store = dyn_cast<StoreInst>(user)) {
          if (store->getValueOperand() == address || !store->isSimple())
            return false;
        } else if (auto *load = dyn_cast<LoadInst>(user)) {
          if (!load->isSimple())
            return false;
        } else if (auto *intrinsic = dyn_cast<IntrinsicInst>(user)) {
          auto *piece = dyn_cast<MemIntrinsic>(intrinsic);
          if (piece
                  ? piece->isVolatile() || !isa<ConstantInt>(piece->getLength())
                  : !intrinsic->isLifetimeStartOrEnd())
            return false;
        } else {
          return false;
        }
      }
    }
    return true;
  }

  /// Whether \p index follows from the iterations of loops that can be
  /// unrolled, which are added to \p needed.
  bool isKnown(const SCEV *index, Loops &needed) {
    return !SCEVExprContains(index, [&](const SCEV *part) {
      if (isa<SCEVUnknown, SCEVCouldNotCompute>(part))
        return true;
      auto *counter = dyn_cast<SCEVAddRecExpr>(part);
      if (!counter)
        return false;
      auto *loop = const_cast<Loop *>(counter->getLoop());
      if (!canUnroll(*loop))
        return true;
      needed.insert(loop);
      return false;
    });
  }

  bool canUnroll(Loop &loop) {
    unsigned iterations = evolution.getSmallConstantTripCount(&loop);
    if (iterations == 0 || iterations > MostIterations ||
        !loop.isLoopSimplifyForm() || !loop.isSafeToClone())
      return false;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (auto *call = dyn_cast<CallBase>(&instruction);
            call && call->cannotDuplicate())
          return false;
    return true;
  }

  /// Instructions of \p block; what lanes do together becomes many.
  static uint64_t size(const BasicBlock &block) {
    return block.size() + WarpOperationSize * count_if(block, [](auto &each) {
                            auto *call = dyn_cast<CallBase>(&each);
                            return call && call->isConvergent();
                          });
  }

  /// Instructions of \p together when all are unrolled.
  uint64_t size(const Loops &together) {
    uint64_t instructions = 0;
    for (Loop *loop : loops.getLoopsInPreorder())
      for (BasicBlock *block : loop->blocks()) {
        // Each block once, with its innermost loop.
        if (loops.getLoopFor(block) != loop)
          continue;
        uint64_t copies = 0;
        for (Loop *around = loop; around; around = around->getParentLoop())
          if (together.contains(around))
            copies = std::max<uint64_t>(copies, 1) *
                     evolution.getSmallConstantTripCount(around);
        instructions += copies * size(*block);
      }
    return instructions;
  }

  bool unroll(Loop &loop) {
    formLCSSARecursively(loop, dominators, &loops, &evolution);
    UnrollLoopOptions options = {};
    options.Count = evolution.getSmallConstantTripCount(&loop);
    options.Force = true;
    // An inner loop may have taken what was known with it.
    if (options.Count == 0)
      return false;
    return UnrollLoop(&loop, options, &loops, &evolution, &dominators,
                      &assumptions, &target, &remarks,
                      /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }

  Function &kernel;
  DominatorTree dominators;
  LoopInfo loops;
  AssumptionCache assumptions;
  TargetLibraryInfoImpl libraryNames;
  TargetLibraryInfo library;
  ScalarEvolution evolution;
  TargetTransformInfo target;
  OptimizationRemarkEmitter remarks;
};

/// Whether an array of \p function is indexed by something at all: most kernels
/// have none, and the analyses take time.
bool hasIndexedArrays(Function &function) {
  return any_of(instructions(function), [](Instruction &instruction) {
    return isa<AllocaInst>(instruction) &&
           any_of(instruction.users(), [](User *user) {
             auto *element = dyn_cast<GetElementPtrInst>(user);
             return element && !element->hasAllConstantIndices();
           });
  });
}

} // namespace

Error unrollPrivateLoops(Module &module, const CpuOptions &) {
  SmallVector<Function *> changed;
  for (Function *function : deviceFunctions(module))
    if (hasIndexedArrays(*function) && Unrolling(*function).run())
      changed.push_back(function);
  tidy(module, changed);
  return Error::success();
}

} // namespace cufort::cpu
