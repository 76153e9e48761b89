//===- BlockShapes.cpp - kernels for known block shapes -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/BlockShapes.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/fission/Recompute.h"
#include "image/DeviceCode.h"
#include "image/Image.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <array>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

using Shape = std::array<uint32_t, 3>;

/// Programs rarely launch one kernel with more shapes, and each copy is
/// compiled for every level of the processor.
constexpr unsigned MaxVariants = 4;

/// Whether a launch of such blocks could succeed.
bool isValid(const Shape &shape) {
  // CUDA's limits.
  constexpr uint64_t MaxThreads = 1024, MaxZ = 64;
  for (uint32_t extent : shape)
    if (!extent || extent > MaxThreads)
      return false;
  return uint64_t(shape[0]) * shape[1] * shape[2] <= MaxThreads &&
         shape[2] <= MaxZ;
}

/// The shapes of each kernel's launches, the most frequent first.
StringMap<SmallVector<Shape>> launchShapes(Module &module) {
  StringMap<SmallVector<std::pair<Shape, unsigned>>> counts;
  NamedMDNode *launches = module.getNamedMetadata(image::LaunchesMetadata);
  if (!launches)
    return {};
  for (MDNode *launch : launches->operands()) {
    auto *kernel = launch->getNumOperands() == 4
                       ? dyn_cast<MDString>(launch->getOperand(0))
                       : nullptr;
    if (!kernel)
      continue;
    Shape shape = {};
    for (unsigned axis = 0; axis < 3; ++axis)
      if (auto *extent =
              mdconst::dyn_extract<ConstantInt>(launch->getOperand(axis + 1)))
        shape[axis] = extent->getLimitedValue(~0u);
    if (!isValid(shape))
      continue;
    auto &known = counts[kernel->getString()];
    auto same = find_if(known, [&](auto &each) { return each.first == shape; });
    if (same != known.end())
      ++same->second;
    else
      known.push_back({shape, 1});
  }
  StringMap<SmallVector<Shape>> shapes;
  for (auto &kernel : counts)
    while (!kernel.second.empty() &&
           shapes[kernel.first()].size() < MaxVariants) {
      // Of equally frequent ones the first.
      auto *next = max_element(kernel.second, [](auto &left, auto &right) {
        return left.second < right.second;
      });
      shapes[kernel.first()].push_back(next->first);
      kernel.second.erase(next);
    }
  return shapes;
}

/// The axis along which the threads of a block of \p shape lie side by side:
/// the first that has more than one.
unsigned axisOfNeighbours(const Shape &shape) {
  const auto *axis = find_if(shape, [](uint32_t extent) { return extent > 1; });
  return axis == shape.end() ? 0 : axis - shape.begin();
}

/// Straight-line code without barriers is one pass over the threads: a constant
/// trip count saves nothing there, if they lie along x.
bool canPay(Function &entry, const Shape &shape) {
  if (!barriersOf(entry).empty() || axisOfNeighbours(shape))
    return true;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(entry, backEdges);
  return !backEdges.empty();
}

/// Makes indices along which there is but one thread 0, and lets the others run
/// along x first, where all passes look for neighbours.
void layThreadsAlongX(Function &variant, const Shape &shape) {
  const unsigned along = axisOfNeighbours(shape);
  if (along)
    setAttributeNumber(variant, AlongAttribute, along);
  SmallVector<CallInst *> none;
  for (Instruction &instruction : instructions(variant)) {
    int axis = threadIndexDimension(&instruction);
    if (axis < 0 || axis > 2)
      continue;
    auto &read = cast<CallInst>(instruction);
    if (shape[axis] == 1)
      none.push_back(&read);
    else if (along && unsigned(axis) == along)
      read.setCalledFunction(Intrinsic::getOrInsertDeclaration(
          variant.getParent(), Intrinsic::nvvm_read_ptx_sreg_tid_x));
  }
  for (CallInst *read : none)
    replaceAndRecursivelySimplify(read, ConstantInt::get(read->getType(), 0));
}

/// What \p instruction is if that is known, or one of its operands.
Value *simpler(Instruction &instruction) {
  const SimplifyQuery query(instruction.getDataLayout(), &instruction);
  if (Value *known = simplifyInstruction(&instruction, query))
    return known;
  if (!instruction.getType()->isIntegerTy() || !isPureArithmetic(instruction))
    return nullptr;
  KnownBits bits = computeKnownBits(&instruction, query);
  if (bits.isConstant())
    return ConstantInt::get(instruction.getType(), bits.getConstant());
  Value *left;
  const APInt *number;
  if (match(&instruction, m_And(m_Value(left), m_APInt(number))) &&
      (computeKnownBits(left, query).Zero | *number).isAllOnes())
    return left;
  if (match(&instruction, m_URem(m_Value(left), m_APInt(number))) &&
      computeKnownBits(left, query).getMaxValue().ult(*number))
    return left;
  return nullptr;
}

/// Simplifies what is computed of thread indices, of which \p shape says how
/// large they are: quotients and remainders by which threads of larger blocks
/// would be told apart are nothing and the index. No sum becomes a disjunction,
/// as it would by LLVM's own passes: others look for sums.
void simplifyIndices(Function &variant, const Shape &shape) {
  for (Instruction &instruction : instructions(variant))
    if (int axis = threadIndexDimension(&instruction); axis >= 0 && axis <= 2) {
      unsigned of = axis ? axis : axisOfNeighbours(shape);
      cast<CallInst>(instruction)
          .addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, shape[of])));
    }
  SmallVector<WeakTrackingVH> replaced;
  ReversePostOrderTraversal<Function *> order(&variant);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block)
      if (Value *known = simpler(instruction)) {
        instruction.replaceAllUsesWith(known);
        replaced.push_back(&instruction);
      }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  for (BasicBlock &block : variant)
    ConstantFoldTerminator(&block);
  removeUnreachableBlocks(variant);
}

} // namespace

void foldBlockShape(Function &entry, const std::array<uint32_t, 3> &shape) {
  constexpr unsigned base = offsetof(image::CpuLaunch, block);
  const DataLayout &layout = entry.getDataLayout();
  SmallVector<std::pair<LoadInst *, unsigned>> reads;
  for (Instruction &instruction : instructions(entry)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->getType()->isIntegerTy(32))
      continue;
    APInt offset(64, 0);
    const Value *from =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(
            layout, offset, /*AllowNonInbounds=*/true);
    if (from == entry.getArg(LaunchArgument) && offset.uge(base) &&
        offset.ult(base + sizeof(image::Dim3)) && offset.urem(4) == 0 &&
        shape[(offset.getZExtValue() - base) / 4])
      reads.push_back({load, (offset.getZExtValue() - base) / 4});
  }
  for (auto [load, axis] : reads)
    replaceAndRecursivelySimplify(
        load, ConstantInt::get(load->getType(), shape[axis]));
}

Error specialiseBlockShapes(Module &module, const CpuOptions &options) {
  if (options.optLevel == 0)
    return Error::success();
  StringMap<SmallVector<Shape>> shapes = launchShapes(module);
  for (Function *entry : entries(module, "block")) {
    auto found = shapes.find(kernelName(*entry));
    if (found == shapes.end()) {
      if (!barriersOf(*entry).empty())
        entry->addFnAttr(UnknownShapeAttribute);
      continue;
    }
    for (const Shape &shape : found->second) {
      if (!canPay(*entry, shape))
        continue;
      ValueToValueMapTy values;
      Function *variant = CloneFunction(entry, values);
      auto text = [&](StringRef separator) {
        return (Twine(shape[0]) + separator + Twine(shape[1]) + separator +
                Twine(shape[2]))
            .str();
      };
      variant->setName(entry->getName() + "." + text("x"));
      variant->addFnAttr(ShapeAttribute, text(","));
      foldBlockShape(*variant, shape);
      layThreadsAlongX(*variant, shape);
      simplifyIndices(*variant, shape);
    }
  }
  return Error::success();
}

} // namespace cufort::cpu
