//===- KernelLoopPatterns.cpp - the forms of reductions -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoopPatterns.h"
#include "compiler/lower/loops/KernelLoopConditions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace cufort::lower {

StringRef variableName(hlfir::DeclareOp declare) {
  StringRef name = declare.getUniqName();
  // Markers are capitals, names are not: _QMmFsEx.
  size_t marker = name.find_last_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (name.starts_with("_Q") && marker != StringRef::npos)
    name = name.drop_front(marker + 1);
  return name;
}
namespace {

class ReductionMatcher {
public:
  explicit ReductionMatcher(const Candidate &candidate)
      : candidate(candidate),
        unmatched(candidate.reads.begin(), candidate.reads.end()) {}

  /// The one reduction that all uses of the variable are; nullopt if none.
  std::optional<Reduction> match() {
    if (candidate.isPassed)
      return std::nullopt;
    for (Operation *write : candidate.writes) {
      Value value = isa<hlfir::AssignOp>(write)
                        ? cast<hlfir::AssignOp>(write).getRhs()
                        : cast<fir::StoreOp>(write).getValue();
      if (!matchExpression(value) && !matchCondition(write, value))
        return std::nullopt;
    }
    if (!unmatched.empty())
      return std::nullopt;
    return found;
  }

private:
  bool agree(Reduction reduction) {
    if (found && *found != reduction)
      return false;
    found = reduction;
    return true;
  }

  bool isVariable(Value value) {
    Operation *op = value.getDefiningOp();
    return op && llvm::is_contained(candidate.reads, op);
  }

  /// What \p op is with the variable on the side of operand \p side.
  static std::optional<Reduction> reductionOf(Operation *op, unsigned side) {
    if (isa<arith::AddFOp, arith::AddIOp, fir::AddcOp>(op))
      return Reduction::Sum;
    if (isa<arith::SubFOp, arith::SubIOp, fir::SubcOp>(op) && side == 0)
      return Reduction::Sum;
    if (isa<arith::MulFOp, arith::MulIOp, fir::MulcOp>(op))
      return Reduction::Product;
    if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(op))
      return Reduction::Max;
    if (isa<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(op))
      return Reduction::Min;
    if (isa<arith::AndIOp>(op))
      return Reduction::And;
    if (isa<arith::OrIOp>(op))
      return Reduction::Or;
    if (isa<arith::XOrIOp>(op))
      return Reduction::Xor;
    if (auto compare = dyn_cast<arith::CmpIOp>(op);
        compare && compare.getLhs().getType().isInteger(1)) {
      if (compare.getPredicate() == arith::CmpIPredicate::eq)
        return Reduction::Eqv;
      if (compare.getPredicate() == arith::CmpIPredicate::ne)
        return Reduction::Xor;
    }
    return std::nullopt;
  }

  /// Max for "a > b", Min for "a < b".
  static std::optional<Reduction> comparison(Operation *op) {
    if (auto compare = dyn_cast_or_null<arith::CmpFOp>(op)) {
      switch (compare.getPredicate()) {
      case arith::CmpFPredicate::OGT:
      case arith::CmpFPredicate::OGE:
      case arith::CmpFPredicate::UGT:
      case arith::CmpFPredicate::UGE:
        return Reduction::Max;
      case arith::CmpFPredicate::OLT:
      case arith::CmpFPredicate::OLE:
      case arith::CmpFPredicate::ULT:
      case arith::CmpFPredicate::ULE:
        return Reduction::Min;
      default:
        return std::nullopt;
      }
    }
    if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
      switch (compare.getPredicate()) {
      case arith::CmpIPredicate::sgt:
      case arith::CmpIPredicate::sge:
        return Reduction::Max;
      case arith::CmpIPredicate::slt:
      case arith::CmpIPredicate::sle:
        return Reduction::Min;
      default:
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  static Reduction opposite(Reduction reduction) {
    return reduction == Reduction::Max ? Reduction::Min : Reduction::Max;
  }

  /// s op x with the variable anywhere among the operands of op.
  bool matchExpression(Value value) {
    std::optional<Reduction> reduction;
    SmallVector<Operation *> reads;
    if (!followPath(value, reduction, reads) || !reduction ||
        !agree(*reduction))
      return false;
    for (Operation *read : reads)
      unmatched.erase(read);
    return true;
  }

  bool followPath(Value value, std::optional<Reduction> &reduction,
                  SmallVectorImpl<Operation *> &reads) {
    if (isVariable(value)) {
      reads.push_back(value.getDefiningOp());
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (isa<fir::ConvertOp, hlfir::NoReassocOp, fir::NoReassocOp>(op))
      return followPath(op->getOperand(0), reduction, reads);
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return followChoice(select, reduction, reads);
    for (unsigned side = 0; side < op->getNumOperands() && side < 2; ++side) {
      std::optional<Reduction> here = reductionOf(op, side);
      if (!here || (reduction && *reduction != *here))
        continue;
      std::optional<Reduction> saved = reduction;
      reduction = here;
      if (followPath(op->getOperand(side), reduction, reads))
        return true;
      reduction = saved;
    }
    return false;
  }

  /// max and min are a comparison and a selection.
  bool followChoice(arith::SelectOp select, std::optional<Reduction> &reduction,
                    SmallVectorImpl<Operation *> &reads) {
    Operation *compare = select.getCondition().getDefiningOp();
    std::optional<Reduction> here = comparison(compare);
    if (!here)
      return false;
    Value chosen = select.getTrueValue(), other = select.getFalseValue();
    Value a = compare->getOperand(0), b = compare->getOperand(1);
    if (a == other && b == chosen)
      here = opposite(*here);
    else if (a != chosen || b != other)
      return false;
    if (reduction && *reduction != *here)
      return false;
    std::optional<Reduction> saved = reduction;
    for (Value operand : {chosen, other}) {
      reduction = here;
      if (followPath(operand, reduction, reads))
        return true;
    }
    reduction = saved;
    return false;
  }

  /// IF (x > s) s = x.
  bool matchCondition(Operation *write, Value value) {
    Operation *parent = write->getParentOp();
    if (auto branch = dyn_cast<fir::IfOp>(parent)) {
      bool inThen = write->getParentRegion() == &branch.getThenRegion();
      return inThen && matchComparison(branch.getCondition(), value);
    }
    Block *block = write->getBlock(), *before = block->getSinglePredecessor();
    auto jump = before ? dyn_cast<cf::CondBranchOp>(before->getTerminator())
                       : cf::CondBranchOp();
    if (!jump || jump.getTrueDest() == jump.getFalseDest())
      return false;
    if (jump.getTrueDest() == block)
      return matchComparison(jump.getCondition(), value);
    return false;
  }

  /// Comparisons with the variable among the terms of an .and.
  bool matchComparison(Value condition, Value value) {
    Operation *op = condition.getDefiningOp();
    if (!op)
      return false;
    if (isa<fir::ConvertOp>(op))
      return matchComparison(op->getOperand(0), value);
    if (isa<arith::AndIOp>(op))
      return matchComparison(op->getOperand(0), value) ||
             matchComparison(op->getOperand(1), value);
    std::optional<Reduction> reduction = comparison(op);
    if (!reduction)
      return false;
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (isVariable(a)) {
      std::swap(a, b);
      reduction = opposite(*reduction);
    }
    if (!isVariable(b) || !isSameExpression(a, value) || !agree(*reduction))
      return false;
    unmatched.erase(b.getDefiningOp());
    return true;
  }

  const Candidate &candidate;
  llvm::SmallPtrSet<Operation *, 8> unmatched;
  std::optional<Reduction> found;
};

} // namespace

std::optional<Reduction> matchReduction(const Candidate &candidate) {
  return ReductionMatcher(candidate).match();
}

} // namespace cufort::lower
