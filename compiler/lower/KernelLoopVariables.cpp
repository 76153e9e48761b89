//===- KernelLoopVariables.cpp - private, reduced, or a race --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar of the procedure that the loop assigns is private if every
// iteration assigns it before it reads it. If an iteration may read what
// another has assigned, the variable must be a reduction: all its uses have the
// form s = s op x, or IF (x > s) s = x, with one operation.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/KernelLoopPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace cufort::lower {

namespace {

/// What one operation of the body does to one variable.
struct Access {
  enum Kind { Read, Write, Passed } kind;
  unsigned variable;
};

//===----------------------------------------------------------------------===//
// Assigned before it is read
//===----------------------------------------------------------------------===//

class Classifier {
public:
  Classifier(cuf::KernelOp kernel, LoopVariables &variables)
      : kernel(kernel), variables(variables) {}

  LogicalResult run() {
    collect();
    llvm::BitVector assigned(candidates.size());
    flow(kernel.getRegion(), assigned);
    bool failed = false;
    for (Candidate &candidate : candidates)
      failed |= mlir::failed(decide(candidate));
    return failure(failed);
  }

private:
  //===--- the accesses ---===//

  void collect() {
    llvm::SmallPtrSet<Operation *, 16> seen;
    kernel.getRegion().walk([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        auto declare = operand.getDefiningOp<hlfir::DeclareOp>();
        if (!declare || kernel->isProperAncestor(declare) ||
            !seen.insert(declare).second || !isScalar(declare))
          continue;
        collectAccesses(declare);
      }
    });
  }

  static bool isScalar(hlfir::DeclareOp declare) {
    Type type = fir::unwrapRefType(declare.getMemref().getType());
    return fir::isa_trivial(type) || isa<fir::RecordType>(type) ||
           isa<fir::LogicalType>(type) || isa<fir::CharacterType>(type);
  }

  void collectAccesses(hlfir::DeclareOp declare) {
    Candidate candidate;
    candidate.declare = declare;
    unsigned number = candidates.size();
    for (Value result : declare->getResults())
      collectUses(result, candidate, number);
    candidates.push_back(std::move(candidate));
  }

  void note(Operation *op, Access::Kind kind, Candidate &candidate,
            unsigned number) {
    accesses[op].push_back({kind, number});
    if (kind == Access::Read)
      candidate.reads.push_back(op);
    if (kind == Access::Write)
      candidate.writes.push_back(op);
    if (kind == Access::Passed)
      candidate.isPassed = true;
  }

  void collectUses(Value address, Candidate &candidate, unsigned number) {
    for (OpOperand &use : address.getUses()) {
      Operation *user = use.getOwner();
      if (!kernel->isProperAncestor(user))
        continue;
      if (auto assign = dyn_cast<hlfir::AssignOp>(user)) {
        bool isTarget = use.getOperandNumber() == 1;
        note(user, isTarget ? Access::Write : Access::Read, candidate, number);
      } else if (auto store = dyn_cast<fir::StoreOp>(user);
                 store && store.getMemref() == address) {
        note(user, Access::Write, candidate, number);
      } else if (isa<fir::LoadOp>(user)) {
        note(user, Access::Read, candidate, number);
      } else if (isArrayComponent(user)) {
        continue; // Its elements are no scalars; checkDependences looks at
                  // them.
      } else if (isa<hlfir::DesignateOp, hlfir::DeclareOp>(user) &&
                 use.getOperandNumber() == 0) {
        for (Value part : user->getResults())
          collectUses(part, candidate, number);
      } else if (auto call = dyn_cast<fir::CallOp>(user)) {
        noteArgument(call, use.getOperandNumber(), candidate, number);
      } else {
        note(user, Access::Passed, candidate, number);
      }
    }
  }

  static bool isArrayComponent(Operation *op) {
    auto part = dyn_cast<hlfir::DesignateOp>(op);
    return part && part.getComponent() &&
           (part.getComponentShape() || fir::isBoxAddress(part.getType()));
  }

  /// A device procedure says by INTENT what it does with its argument, if it
  /// is in this file.
  void noteArgument(fir::CallOp call, unsigned operand, Candidate &candidate,
                    unsigned number) {
    auto callee = call.getCallee();
    auto func =
        callee ? kernel->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
                     callee->getRootReference())
               : func::FuncOp();
    std::optional<fir::FortranVariableFlagsEnum> flags;
    if (func && !func.isDeclaration() && operand < func.getNumArguments())
      for (Operation *user : func.getArgument(operand).getUsers())
        if (auto declare = dyn_cast<hlfir::DeclareOp>(user))
          flags = declare.getFortranAttrs().value_or(
              fir::FortranVariableFlagsEnum::None);
    auto has = [&](fir::FortranVariableFlagsEnum flag) {
      return flags && bitEnumContainsAny(*flags, flag);
    };
    if (has(fir::FortranVariableFlagsEnum::intent_in)) {
      accesses[call].push_back({Access::Read, number});
      candidate.isPassed = true;
      return;
    }
    if (has(fir::FortranVariableFlagsEnum::intent_inout))
      accesses[call].push_back({Access::Read, number});
    note(call, Access::Passed, candidate, number);
    if (has(fir::FortranVariableFlagsEnum::intent_inout) ||
        has(fir::FortranVariableFlagsEnum::intent_out))
      note(call, Access::Write, candidate, number);
  }

  //===--- the flow ---===//

  /// Notes reads that no assignment of the same iteration precedes. \p assigned
  /// holds the variables assigned on every path to the region's start, and on
  /// return to its end.
  void flow(Region &region, llvm::BitVector &assigned) {
    if (region.empty())
      return;
    if (region.hasOneBlock()) {
      flow(region.front(), assigned);
      return;
    }
    llvm::ReversePostOrderTraversal<Block *> order(&region.front());
    llvm::DenseMap<Block *, llvm::BitVector> after;
    llvm::BitVector everything(candidates.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (Block *block : order) {
        llvm::BitVector state = everything;
        if (block->isEntryBlock())
          state = assigned;
        for (Block *before : block->getPredecessors())
          if (auto it = after.find(before); it != after.end())
            state &= it->second;
        noting = false;
        flow(*block, state);
        auto [it, isNew] = after.try_emplace(block, state);
        if (isNew || it->second != state) {
          it->second = state;
          changed = true;
        }
      }
    }
    noting = true;
    llvm::BitVector end = everything;
    for (Block *block : order) {
      llvm::BitVector state = block->isEntryBlock() ? assigned : everything;
      for (Block *before : block->getPredecessors())
        if (auto it = after.find(before); it != after.end())
          state &= it->second;
      flow(*block, state);
      if (block->getNumSuccessors() == 0)
        end &= state;
    }
    assigned = end;
  }

  void flow(Block &block, llvm::BitVector &assigned) {
    for (Operation &op : block) {
      flowInto(op, assigned);
      auto it = accesses.find(&op);
      if (it == accesses.end())
        continue;
      for (Access access : it->second)
        if (access.kind != Access::Write)
          read(access, op, assigned);
      for (Access access : it->second)
        if (access.kind != Access::Read)
          assigned.set(access.variable);
    }
  }

  void read(Access access, Operation &op, const llvm::BitVector &assigned) {
    Candidate &candidate = candidates[access.variable];
    if (!noting || assigned.test(access.variable))
      return;
    // What is passed may be INTENT(OUT); it gets the value in any case.
    if (access.kind != Access::Passed && !candidate.exposed)
      candidate.exposed = &op;
    valueNeeded.insert(candidate.declare);
  }

  void flowInto(Operation &op, llvm::BitVector &assigned) {
    if (op.getNumRegions() == 0)
      return;
    if (auto branch = dyn_cast<fir::IfOp>(op)) {
      llvm::BitVector otherwise = assigned;
      flow(branch.getThenRegion(), assigned);
      flow(branch.getElseRegion(), otherwise);
      assigned &= otherwise;
      return;
    }
    bool runs = false;
    if (auto loop = dyn_cast<fir::DoLoopOp>(op))
      runs = hasIteration(loop);
    for (Region &region : op.getRegions()) {
      llvm::BitVector inside = assigned;
      flow(region, inside);
      if (runs)
        assigned = inside;
    }
  }

  static bool hasIteration(fir::DoLoopOp loop) {
    auto lower = constantValue(loop.getLowerBound()),
         upper = constantValue(loop.getUpperBound()),
         step = constantValue(loop.getStep());
    return lower && upper && step &&
           (*step > 0 ? *lower <= *upper : *lower >= *upper);
  }

  //===--- the decision ---===//

  std::optional<Reduction> clause(hlfir::DeclareOp declare) {
    auto attributes = kernel.getReduceAttrs();
    if (!attributes)
      return std::nullopt;
    for (auto [operand, attribute] :
         llvm::zip(kernel.getReduceOperands(), *attributes)) {
      if (operand.getDefiningOp() != declare.getOperation() &&
          operand != declare.getMemref())
        continue;
      switch (cast<fir::ReduceAttr>(attribute).getReduceOperation()) {
      case fir::ReduceOperationEnum::Add:
        return Reduction::Sum;
      case fir::ReduceOperationEnum::Multiply:
        return Reduction::Product;
      case fir::ReduceOperationEnum::AND:
      case fir::ReduceOperationEnum::IAND:
        return Reduction::And;
      case fir::ReduceOperationEnum::OR:
      case fir::ReduceOperationEnum::IOR:
        return Reduction::Or;
      case fir::ReduceOperationEnum::IEOR:
      case fir::ReduceOperationEnum::NEQV:
        return Reduction::Xor;
      case fir::ReduceOperationEnum::EQV:
        return Reduction::Eqv;
      case fir::ReduceOperationEnum::MAX:
        return Reduction::Max;
      case fir::ReduceOperationEnum::MIN:
        return Reduction::Min;
      }
    }
    return std::nullopt;
  }

  LogicalResult decide(Candidate &candidate) {
    hlfir::DeclareOp declare = candidate.declare;
    std::optional<Reduction> named = clause(declare);
    if (candidate.writes.empty() && !named)
      return success();
    LoopVariable variable;
    variable.onDevice = isInDeviceMemory(declare);
    variable.needsValue = valueNeeded.contains(declare);
    if (named) {
      // Flang's analysis of the clause lets it pass.
      if (isa<ComplexType>(fir::unwrapRefType(declare.getMemref().getType())) &&
          (*named == Reduction::Max || *named == Reduction::Min))
        return emitError(kernel.getLoc())
               << "REDUCE: max and min are for integers and reals, and '"
               << variableName(declare) << "' is complex";
      variable.role = LoopVariable::Reduced;
      variable.reduction = *named;
    } else if (candidate.exposed) {
      std::optional<Reduction> reduction = matchReduction(candidate);
      if (!reduction)
        return reportCarried(candidate);
      variable.role = LoopVariable::Reduced;
      variable.reduction = *reduction;
    } else if (variable.onDevice) {
      if (!candidate.reads.empty())
        return reportShared(candidate);
      variable.role = LoopVariable::Shared;
    } else if (isResult(candidate)) {
      std::optional<Reduction> flag = flagReduction(candidate);
      if (!flag)
        return reportResult(candidate);
      variable.role = LoopVariable::Reduced;
      variable.reduction = *flag;
    }
    variables[declare] = variable;
    return success();
  }

  /// Whether the loop assigns the variable for what comes after it.
  bool isResult(const Candidate &candidate) {
    bool assignedOnly = candidate.reads.empty() && !candidate.isPassed &&
                        llvm::all_of(candidate.writes, [](Operation *op) {
                          return isa<hlfir::AssignOp>(op);
                        });
    return assignedOnly && isReadLater(candidate.declare);
  }

  bool isReadLater(hlfir::DeclareOp declare) {
    // Dummy arguments and variables of modules outlive the procedure.
    if (!declare.getMemref().getDefiningOp<fir::AllocaOp>())
      return true;
    for (Operation *user : declare->getUsers()) {
      auto assign = dyn_cast<hlfir::AssignOp>(user);
      bool writes = (assign && assign.getLhs().getDefiningOp() == declare) ||
                    isa<fir::StoreOp>(user);
      if (!writes && !kernel->isProperAncestor(user) && comesLater(user))
        return true;
    }
    return false;
  }

  /// Whether \p user may run after the kernel loop.
  bool comesLater(Operation *user) {
    for (Operation *here = kernel; here; here = here->getParentOp()) {
      if (isa<fir::DoLoopOp, fir::IterWhileOp>(here) && here->isAncestor(user))
        return true;
      Block *block = here->getBlock();
      if (!block)
        return false;
      if (Operation *there = block->findAncestorOpInBlock(*user)) {
        if (here->isBeforeInBlock(there))
          return true;
      } else if (block->getParent() &&
                 block->getParent()->findAncestorOpInRegion(*user)) {
        return true;
      }
    }
    return false;
  }

  /// IF (...) found = .true. is an .or. over the iterations, with .false. an
  /// .and.
  static std::optional<Reduction> flagReduction(const Candidate &candidate) {
    std::optional<bool> flag;
    for (Operation *write : candidate.writes) {
      Value value = cast<hlfir::AssignOp>(write).getRhs();
      if (!isa<fir::LogicalType>(value.getType()))
        return std::nullopt;
      std::optional<int64_t> known = constantValue(value);
      if (!known || (flag && *flag != (*known != 0)))
        return std::nullopt;
      flag = *known != 0;
    }
    return *flag ? Reduction::Or : Reduction::And;
  }

  LogicalResult reportResult(Candidate &candidate) {
    StringRef name = variableName(candidate.declare);
    return emitError(candidate.writes.front()->getLoc())
           << "iterations of the kernel loop run in parallel and all assign '"
           << name
           << "', so its value after the loop would be that of any of them; a "
              "reduction or a device array can keep what is needed";
  }

  LogicalResult reportCarried(Candidate &candidate) {
    StringRef name = variableName(candidate.declare);
    InFlightDiagnostic error = emitError(candidate.exposed->getLoc())
                               << "'" << name
                               << "' carries a value from one iteration of the "
                                  "kernel loop to the next, but iterations run "
                                  "in parallel; only a reduction such as "
                               << name << " = " << name
                               << " + x, used for nothing else in the loop, "
                                  "may do so";
    for (Operation *write : candidate.writes) {
      error.attachNote(write->getLoc()) << "'" << name << "' is assigned here";
      break;
    }
    return failure();
  }

  LogicalResult reportShared(Candidate &candidate) {
    StringRef name = variableName(candidate.declare);
    return emitError(candidate.writes.front()->getLoc())
           << "device variable '" << name
           << "' is assigned and read in every iteration of the kernel loop, "
              "but all iterations share it; a variable without the DEVICE "
              "attribute is private to each iteration";
  }

  cuf::KernelOp kernel;
  LoopVariables &variables;
  SmallVector<Candidate> candidates;
  llvm::DenseMap<Operation *, SmallVector<Access, 1>> accesses;
  llvm::SmallPtrSet<Operation *, 8> valueNeeded;
  bool noting = true;
};

} // namespace

LogicalResult classifyVariables(cuf::KernelOp kernel,
                                LoopVariables &variables) {
  return Classifier(kernel, variables).run();
}

} // namespace cufort::lower
