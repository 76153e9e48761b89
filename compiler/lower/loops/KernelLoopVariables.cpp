//===- KernelLoopVariables.cpp - private, reduced, or a race --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar of the procedure that the loop assigns is private if every
// iteration assigns it before it reads it. If an iteration reads what another
// has assigned, the variable must be a reduction: all its uses have the form
// s = s op x, or IF (x > s) s = x, with one operation. Where neither is certain
// it is private, with a warning.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoopFlow.h"
#include "compiler/lower/loops/KernelLoopPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace cufort::lower {

namespace {

class Classifier {
public:
  Classifier(cuf::KernelOp kernel, LoopVariables &variables)
      : kernel(kernel), variables(variables) {}

  LogicalResult run() {
    collect();
    SmallVector<VariableFlow> flows =
        followIteration(kernel, accesses, candidates.size());
    bool failed = false;
    for (auto [candidate, flow] : llvm::zip(candidates, flows))
      failed |= mlir::failed(decide(candidate, flow));
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

  LogicalResult decide(const Candidate &candidate, const VariableFlow &flow) {
    hlfir::DeclareOp declare = candidate.declare;
    std::optional<Reduction> named = clause(declare);
    if (candidate.writes.empty() && !named)
      return success();
    LoopVariable variable;
    variable.onDevice = isInDeviceMemory(declare);
    variable.needsValue = flow.needsValue;
    if (named) {
      // Flang's analysis of the clause lets it pass.
      if (isa<ComplexType>(fir::unwrapRefType(declare.getMemref().getType())) &&
          (*named == Reduction::Max || *named == Reduction::Min))
        return emitError(kernel.getLoc())
               << "REDUCE: max and min are for integers and reals, and '"
               << variableName(declare) << "' is complex";
      variable.role = LoopVariable::Reduced;
      variable.reduction = *named;
    } else if (std::optional<Reduction> reduction =
                   flow.exposed ? matchReduction(candidate) : std::nullopt) {
      variable.role = LoopVariable::Reduced;
      variable.reduction = *reduction;
    } else if (flow.carried) {
      return reportCarried(candidate, flow);
    } else if (variable.onDevice) {
      if (!candidate.reads.empty())
        return reportShared(candidate);
      variable.role = LoopVariable::Shared;
    } else if (flow.exposed) {
      warnOfExposed(candidate, flow);
    } else if (std::optional<Reduction> flag = decideResult(candidate)) {
      variable.role = LoopVariable::Reduced;
      variable.reduction = *flag;
    }
    variables[declare] = variable;
    return success();
  }

  /// Of a variable that the loop may assign for what comes after it: a
  /// reduction, or a warning where something reads it there.
  std::optional<Reduction> decideResult(const Candidate &candidate) {
    LaterUse later = useAfter(kernel, candidate.declare);
    if (candidate.isPassed || later == LaterUse::None ||
        !llvm::all_of(candidate.writes, llvm::IsaPred<hlfir::AssignOp>))
      return std::nullopt;
    if (candidate.reads.empty()) {
      if (std::optional<Reduction> flag = flagReduction(candidate))
        return flag;
    } else if (later == LaterUse::Unknown) {
      return std::nullopt;
    }
    StringRef name = variableName(candidate.declare);
    emitWarning(candidate.writes.front()->getLoc())
        << "each iteration of the kernel loop has its own copy of '" << name
        << "': after the loop the variable has the value from before the loop; "
           "to keep a result, use a reduction or a device array";
    return std::nullopt;
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

  void warnOfExposed(const Candidate &candidate, const VariableFlow &flow) {
    StringRef name = variableName(candidate.declare);
    InFlightDiagnostic warning =
        emitWarning(flow.exposed->getLoc())
        << "an iteration of the kernel loop may read '" << name
        << "' before it assigns it; each iteration has its own copy of '"
        << name << "', which begins with the value from before the loop";
    warning.attachNote(candidate.writes.front()->getLoc())
        << "'" << name << "' is assigned here";
  }

  LogicalResult reportCarried(const Candidate &candidate,
                              const VariableFlow &flow) {
    StringRef name = variableName(candidate.declare);
    InFlightDiagnostic error = emitError(flow.carried->getLoc())
                               << "'" << name
                               << "' carries a value from one iteration of the "
                                  "kernel loop to the next, but iterations run "
                                  "in parallel; only a reduction such as "
                               << name << " = " << name
                               << " + x, used for nothing else in the loop, "
                                  "may do so";
    error.attachNote(candidate.writes.front()->getLoc())
        << "'" << name << "' is assigned here";
    return failure();
  }

  LogicalResult reportShared(const Candidate &candidate) {
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
  Accesses accesses;
};

} // namespace

LogicalResult classifyVariables(cuf::KernelOp kernel,
                                LoopVariables &variables) {
  return Classifier(kernel, variables).run();
}

} // namespace cufort::lower
