//===- LaneShapes.cpp - how values differ between neighbours --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/analysis/LaneShapes.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {

LaneShapes::LaneShapes(Function &body, BlockUniformity::Threads threads)
    : threads(threads), all(body, threads),
      row(body, threads == BlockUniformity::Threads::OfOneWarp
                    ? threads
                    : BlockUniformity::Threads::OfOneRow) {
  // Optimistic: a loop's counter is even if assuming so confirms it.
  ReversePostOrderTraversal<Function *> order(&body);
  for (BasicBlock *block : order)
    numbers[block] = numbers.size();
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block) {
        if (instruction.getType()->isVoidTy())
          continue;
        Shape shape = compute(instruction);
        Shape &known = shapes[&instruction];
        if (shape == known)
          continue;
        // Values only fall, so that this ends.
        if (known.kind != Shape::Unknown)
          shape = varying();
        changed |= !(shape == known);
        known = shape;
      }
  }
}

bool LaneShapes::isUniform(const Value *value) const {
  return !isa<Instruction>(value) || all.isUniform(*value);
}

std::optional<int64_t> LaneShapes::stride(const Value *value) const {
  Shape shape = of(value);
  if (shape.kind != Shape::Even)
    return std::nullopt;
  return shape.step;
}

std::optional<int64_t> LaneShapes::bound(const Value *value) const {
  Shape shape = of(value);
  if (shape.kind != Shape::Bounded)
    return std::nullopt;
  return shape.step;
}

LaneShapes::Shape LaneShapes::of(const Value *value) const {
  if (!isa<Instruction>(value))
    return even(0);
  return shapes.lookup(value);
}

LaneShapes::Shape LaneShapes::meet(PHINode &phi) {
  // Where lanes come by different edges their values have nothing in common;
  // the analysis says so of the phi itself. Around a loop the same lanes come
  // together: those that left do not count.
  BasicBlock *block = phi.getParent();
  for (BasicBlock *before : predecessors(block))
    if (numbers.lookup(before) < numbers.lookup(block) &&
        !all.branchesUniformly(*before))
      return varying();
  Shape shape;
  for (Value *value : phi.incoming_values()) {
    Shape other = of(value);
    if (other.kind == Shape::Unknown)
      continue;
    if (shape.kind == Shape::Unknown)
      shape = other;
    else if (!(shape == other))
      return varying();
  }
  return shape.kind == Shape::Bounded ? varying() : shape;
}

LaneShapes::Shape LaneShapes::ofAddress(GetElementPtrInst &address) {
  const DataLayout &layout = address.getDataLayout();
  SmallMapVector<Value *, APInt, 4> variable;
  APInt constant(64, 0);
  Shape base = of(address.getPointerOperand());
  if (base.kind != Shape::Even && base.kind != Shape::Bounded)
    return base;
  if (address.getType()->isVectorTy() ||
      !address.collectOffset(layout, 64, variable, constant))
    return varying();
  int64_t step = base.step;
  bool isBounded = base.kind == Shape::Bounded;
  for (auto &[index, size] : variable) {
    Shape shape = of(index);
    if (shape.kind == Shape::Unknown)
      return shape;
    if (shape.isRowUniform())
      continue;
    // The sum of a bounded part and another that grows is neither.
    if (isBounded || shape.kind == Shape::Varying ||
        (shape.kind == Shape::Bounded && (step || !size.isStrictlyPositive())))
      return varying();
    isBounded = shape.kind == Shape::Bounded;
    step += shape.step * size.getSExtValue();
  }
  return isBounded ? Shape{Shape::Bounded, step} : even(step);
}

LaneShapes::Shape LaneShapes::compute(Instruction &instruction) {
  if (row.isUniform(instruction))
    return even(0);
  if (int dimension = threadIndexDimension(&instruction); dimension >= 0)
    return dimension == RankDimension || dimension == LaneDimension ||
                   (dimension == 0 &&
                    threads != BlockUniformity::Threads::OfOneWarp)
               ? even(1)
               : varying();
  if (isa<AllocaInst>(instruction)) // one for all lanes
    return even(0);
  if (auto *phi = dyn_cast<PHINode>(&instruction))
    return meet(*phi);
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return ofAddress(*address);
  Value *left, *right;
  const APInt *number;
  auto both = [&](auto combine) -> Shape {
    Shape a = of(left), b = of(right);
    if (a.kind == Shape::Unknown || b.kind == Shape::Unknown)
      return {};
    if (a.kind == Shape::Bounded && b.isRowUniform())
      return a;
    if (a.kind != Shape::Even || b.kind != Shape::Even)
      return varying();
    return even(combine(a.step, b.step));
  };
  if (!instruction.getType()->isIntegerTy())
    return varying();
  if (match(&instruction, m_Add(m_Value(left), m_Value(right))) ||
      match(&instruction, m_DisjointOr(m_Value(left), m_Value(right))))
    return both([](int64_t a, int64_t b) { return a + b; });
  if (match(&instruction, m_Sub(m_Value(left), m_Value(right))))
    return both([](int64_t a, int64_t b) { return a - b; });
  auto times = [&](int64_t factor) -> Shape {
    Shape shape = of(left);
    if (shape.kind == Shape::Bounded && factor <= 0)
      return varying();
    shape.step *= factor;
    return shape;
  };
  if (match(&instruction, m_Mul(m_Value(left), m_APInt(number))) &&
      number->getSignificantBits() <= 32)
    return times(number->getSExtValue());
  if (match(&instruction, m_Shl(m_Value(left), m_APInt(number))) &&
      number->ult(32))
    return times(int64_t(1) << number->getZExtValue());
  if (match(&instruction, m_SMin(m_Value(left), m_Value(right))) ||
      match(&instruction, m_SMax(m_Value(left), m_Value(right)))) {
    Shape a = of(left), b = of(right);
    if (a.kind == Shape::Unknown || b.kind == Shape::Unknown)
      return {};
    if (a.isRowUniform())
      std::swap(a, b);
    bool grows =
        (a.kind == Shape::Even && a.step > 0) || a.kind == Shape::Bounded;
    return grows && b.isRowUniform() ? Shape{Shape::Bounded, a.step}
                                     : varying();
  }
  if (match(&instruction, m_SExt(m_Value(left))) ||
      match(&instruction, m_NNegZExt(m_Value(left))) ||
      match(&instruction, m_Freeze(m_Value(left))))
    return of(left);
  // An unsigned index may start anywhere; only the thread index itself is known
  // to be small.
  if (match(&instruction, m_ZExt(m_Value(left))) &&
      threadIndexDimension(left) >= 0)
    return of(left);
  return varying();
}

} // namespace cufort::cpu
