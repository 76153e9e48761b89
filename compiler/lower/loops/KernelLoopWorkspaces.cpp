//===- KernelLoopWorkspaces.cpp - small arrays of an iteration ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs keep intermediate values in a small device array of the procedure:
//
//   real, device :: v(3)
//   !$cuf kernel do
//   do i = 1, n
//     v(1) = ...; v(2) = ...; v(3) = ...
//     a(1, i) = v(1) + v(3); ...
//   end do
//
// All iterations share it. What a thread reads is nevertheless what it has
// assigned just before, as long as the optimiser keeps the value in a register,
// and on that such programs count.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoopFlow.h"

using namespace mlir;

namespace cufort::lower {
namespace {

/// More elements than that are no intermediate values.
constexpr int64_t MostElements = 64;

/// What one loop does with the elements of one array.
class WorkspaceUse {
public:
  WorkspaceUse(cuf::KernelOp loop, hlfir::DeclareOp array)
      : loop(loop), shape(cast<fir::SequenceType>(
                              fir::unwrapRefType(array.getMemref().getType()))
                              .getShape()),
        count(static_cast<unsigned>(
            cast<fir::SequenceType>(
                fir::unwrapRefType(array.getMemref().getType()))
                .getConstantArraySize())) {
    for (Value result : array.getResults())
      collect(result);
  }

  /// Whether every iteration assigns the elements that it reads before.
  bool isOwn() {
    if (!isKnown || !isAssigned || !isRead)
      return false;
    return llvm::none_of(
        followIteration(loop, accesses, count),
        [](const VariableFlow &flow) { return flow.needsValue; });
  }

private:
  void collect(Value array) {
    for (OpOperand &use : array.getUses()) {
      Operation *user = use.getOwner();
      if (!loop->isProperAncestor(user))
        continue;
      auto assign = dyn_cast<hlfir::AssignOp>(user);
      if (auto part = dyn_cast<hlfir::DesignateOp>(user))
        collectElement(part);
      else if (assign && use.getOperandNumber() == 1)
        note(assign, Access::Write, std::nullopt);
      else
        isKnown = false;
    }
  }

  void collectElement(hlfir::DesignateOp part) {
    const std::optional<unsigned> number = numberOf(part);
    for (OpOperand &use : part->getUses()) {
      Operation *user = use.getOwner();
      if (isa<fir::LoadOp>(user))
        note(user, Access::Read, number);
      else if (isa<hlfir::AssignOp>(user) && use.getOperandNumber() == 1 &&
               number)
        note(user, Access::Write, number);
      else
        isKnown = false;
    }
  }

  /// Of one element, if its subscripts are constant.
  std::optional<unsigned> numberOf(hlfir::DesignateOp part) {
    if (part.getComponent() || part.getSubstring().size() ||
        part.getIndices().size() != shape.size() ||
        llvm::is_contained(part.getIsTriplet(), true)) {
      isKnown = false;
      return std::nullopt;
    }
    int64_t number = 0, stride = 1;
    for (auto [index, extent] : llvm::zip(part.getIndices(), shape)) {
      const std::optional<int64_t> place = constantValue(index);
      // Bounds other than 1 are too rare to look at.
      if (!place || *place < 1 || *place > extent)
        return std::nullopt;
      number += (*place - 1) * stride;
      stride *= extent;
    }
    return static_cast<unsigned>(number);
  }

  /// Without a number: all elements, or any of them.
  void note(Operation *op, Access::Kind kind, std::optional<unsigned> number) {
    (kind == Access::Write ? isAssigned : isRead) = true;
    for (unsigned i = number.value_or(0), end = number ? i + 1 : count; i < end;
         ++i)
      accesses[op].push_back({kind, i});
  }

  cuf::KernelOp loop;
  ArrayRef<int64_t> shape;
  unsigned count;
  Accesses accesses;
  bool isKnown = true, isAssigned = false, isRead = false;
};

} // namespace

/// A small array of numbers in device memory that the procedure makes itself.
static bool isCandidate(hlfir::DeclareOp declare) {
  auto type = dyn_cast<fir::SequenceType>(
      fir::unwrapRefType(declare.getMemref().getType()));
  return type && !type.hasDynamicExtents() &&
         fir::isa_trivial(type.getEleTy()) &&
         type.getConstantArraySize() <= MostElements &&
         declare.getMemref().getDefiningOp<cuf::AllocOp>() &&
         declare.getDataAttr() == cuf::DataAttribute::Device;
}

/// Whether kernel loops alone use \p array, and each of them assigns what it
/// reads.
static bool isWorkspace(hlfir::DeclareOp array) {
  llvm::SmallPtrSet<Operation *, 4> loops;
  for (Operation *user : array->getUsers()) {
    auto loop = user->getParentOfType<cuf::KernelOp>();
    if (loop)
      loops.insert(loop);
    else if (!isa<cuf::FreeOp>(user))
      return false;
  }
  return llvm::all_of(loops, [&](Operation *loop) {
    return WorkspaceUse(cast<cuf::KernelOp>(loop), array).isOwn();
  });
}

void findWorkspaces(cuf::KernelOp loop) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  NamedAttrList locals;
  if (auto known = loop->getAttrOfType<DictionaryAttr>(LoopLocalsAttribute))
    locals = known;
  loop.getRegion().walk([&](hlfir::AssignOp assign) {
    Value target = assign.getLhs();
    if (auto part = target.getDefiningOp<hlfir::DesignateOp>())
      target = part.getMemref();
    auto array = target.getDefiningOp<hlfir::DeclareOp>();
    if (!array || loop->isProperAncestor(array) || !seen.insert(array).second ||
        !isCandidate(array) || !isWorkspace(array))
      return;
    emitWarning(assign.getLoc())
        << "each iteration of the kernel loop assigns elements of '"
        << variableName(array)
        << "' and reads them; each gets its own copy of them, while with other "
           "compilers all iterations share them";
    locals.set(variableName(array), BoolAttr::get(loop.getContext(), false));
  });
  if (!locals.empty())
    loop->setAttr(LoopLocalsAttribute, locals.getDictionary(loop.getContext()));
}

} // namespace cufort::lower
