//===- OrderedAssignments.cpp - WHERE and FORALL with device data ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What WHERE, FORALL and assignments to vector subscripts evaluate moves to
// places of its own later. The whole statement works on copies of the device's
// variables instead: all parts of one variable are parts of one copy, so that
// what is assigned is seen where Fortran says so.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/host/HostCopies.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/HLFIR/HLFIRDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"
#include <optional>
#include <string>

using namespace mlir;
using namespace cufort::lower;

namespace {

/// A variable, or the descriptor of an allocatable or pointer: one that is
/// declared, or a component of one.
struct Root {
  hlfir::DeclareOp declaration;
  std::string components; ///< with a point before each
  bool isDescribed = false;

  bool operator==(const Root &other) const {
    return declaration == other.declaration && components == other.components &&
           isDescribed == other.isDescribed;
  }
};

struct Copied {
  Root root;
  Value original; ///< a variable without descriptor in memory
  HostCopy copy;
  bool isAssigned = false;
};

class Statement {
public:
  Statement(fir::FirOpBuilder &builder, Operation *statement)
      : builder(builder), statement(statement), location(statement->getLoc()) {}

  bool run() {
    bool legal = true;
    statement->walk([&](hlfir::RegionAssignOp assignment) {
      if (!assignment.getUserDefinedAssignment().empty() &&
          llvm::any_of(assignment->getRegions(), mentionsDevice))
        legal &= assignment == statement && callDirectly(assignment)
                     ? true
                     : refuse(assignment,
                              "a defined assignment of device data cannot be "
                              "elemental or in WHERE or FORALL in host code; "
                              "use a loop");
    });
    if (!legal || !statement)
      return legal;
    statement->walk([&](hlfir::RegionAssignOp assignment) {
      noteAssigned(assignment.getLhsRegion());
    });
    SmallVector<Operation *> inside;
    statement->walk([&](Operation *op) {
      if (op != statement)
        inside.push_back(op);
    });
    for (Operation *op : inside)
      if (auto call = dyn_cast<fir::CallOp>(op); call && wantsDeviceData(call))
        return refuse(op, "a procedure cannot be called with device data in "
                          "WHERE or FORALL in host code; use a loop");
    for (Operation *op : inside)
      if (!copyOperands(op))
        return false;
    builder.setInsertionPointAfter(statement);
    for (const Copied &copied : copies) {
      if (copied.isAssigned)
        copyToDevice(builder, location, hlfir::Entity{copied.original},
                     copied.copy);
      fir::FreeMemOp::create(builder, location, copied.copy.memory);
    }
    return true;
  }

private:
  static bool mentionsDevice(Region &region) {
    return region
        .walk([](Operation *op) {
          return llvm::any_of(op->getOperands(),
                              [](Value value) { return isDeviceData(value); })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// The procedure of a defined assignment that is a statement of its own gets
  /// the device data themselves; false if it is called for each element.
  bool callDirectly(hlfir::RegionAssignOp assignment) {
    IRMapping map;
    SmallVector<hlfir::YieldOp> yields;
    for (Region *region :
         {&assignment.getRhsRegion(), &assignment.getLhsRegion()}) {
      auto yield = dyn_cast<hlfir::YieldOp>(region->back().getTerminator());
      if (!yield || !region->hasOneBlock())
        return false;
      yields.push_back(yield);
    }
    if (yields[0].getEntity().getType() !=
            assignment.getUserAssignmentRhs().getType() ||
        yields[1].getEntity().getType() !=
            assignment.getUserAssignmentLhs().getType())
      return false;
    builder.setInsertionPoint(assignment);
    for (hlfir::YieldOp yield : yields)
      for (Operation &op : yield->getBlock()->without_terminator())
        builder.clone(op, map);
    map.map(assignment.getUserAssignmentRhs(),
            map.lookupOrDefault(yields[0].getEntity()));
    map.map(assignment.getUserAssignmentLhs(),
            map.lookupOrDefault(yields[1].getEntity()));
    for (Operation &op :
         assignment.getUserDefinedAssignment().front().without_terminator())
      builder.clone(op, map);
    for (hlfir::YieldOp yield : yields)
      if (!yield.getCleanup().empty())
        for (Operation &op : yield.getCleanup().front())
          if (!op.hasTrait<OpTrait::IsTerminator>())
            builder.clone(op, map);
    assignment.erase();
    statement = nullptr;
    return true;
  }

  bool isInside(Value value) {
    return statement->isAncestor(value.getParentRegion()->getParentOp());
  }

  /// The variable that \p value is, or is part of; none if it depends on what
  /// only the statement computes.
  std::optional<Root> findRoot(Value value, bool isDescribed) {
    std::string components;
    while (Operation *op = value.getDefiningOp()) {
      if (auto declare = dyn_cast<hlfir::DeclareOp>(op)) {
        Operation *place = declare.getMemref().getDefiningOp();
        if (isa_and_nonnull<hlfir::DesignateOp, fir::LoadOp, fir::ConvertOp,
                            fir::BoxAddrOp, fir::ReboxOp, fir::EmboxOp>(place))
          return std::nullopt; // Another name of a part of something.
        return Root{declare, components, isDescribed};
      }
      if (auto designate = dyn_cast<hlfir::DesignateOp>(op)) {
        if (isDescribed) {
          if (!designate.getIndices().empty() || !designate.getComponent())
            return std::nullopt;
          components.insert(0,
                            "." + designate.getComponent()->getValue().str());
        }
        value = designate.getMemref();
      } else if (auto load = dyn_cast<fir::LoadOp>(op)) {
        if (isDescribed)
          return std::nullopt; // A descriptor behind a descriptor.
        isDescribed = true;
        value = load.getMemref();
      } else if (op->getNumOperands() > 0) {
        value = op->getOperand(0);
      } else {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// Remembers which variable an assignment's left side is part of.
  void noteAssigned(Region &left) {
    Operation *last = left.back().getTerminator();
    Value target;
    if (auto yield = dyn_cast<hlfir::YieldOp>(last))
      target = yield.getEntity();
    else if (auto address = dyn_cast<hlfir::ElementalAddrOp>(last))
      target = cast<hlfir::YieldOp>(address.getBody().back().getTerminator())
                   .getEntity();
    if (target && isDeviceData(target))
      if (auto root = findRoot(target, /*isDescribed=*/false))
        assigned.push_back(*root);
  }

  /// A procedure of the user's would get a copy on the host instead.
  static bool wantsDeviceData(fir::CallOp call) {
    return call.getCallee() &&
           !call.getCallee()->getRootReference().getValue().starts_with(
               "_FortranA") &&
           llvm::any_of(call.getOperands(),
                        [](Value value) { return isDeviceData(value); });
  }

  bool copyOperands(Operation *op) {
    if (auto load = dyn_cast<fir::LoadOp>(op);
        load && fir::isBoxAddress(load.getMemref().getType()) &&
        isDeviceData(load.getResult())) {
      auto root = findRoot(load.getMemref(), /*isDescribed=*/true);
      if (!root)
        return refuseData(op);
      Copied &copied = copyOf(*root, load.getMemref());
      load.getResult().replaceAllUsesWith(fitting(copied.copy, load.getType()));
      load.erase();
      return true;
    }
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isInside(value) || !isDeviceData(value))
        continue;
      auto declare = value.getDefiningOp<hlfir::DeclareOp>();
      if (!declare)
        return refuseData(op);
      auto root = findRoot(value, /*isDescribed=*/false);
      if (!root || root->declaration != declare)
        return refuseData(op);
      Copied &copied = copyOf(*root, declare.getBase());
      operand.set(fitting(copied.copy, value.getType()));
    }
    return true;
  }

  Copied &copyOf(const Root &root, Value place) {
    for (Copied &copied : copies)
      if (copied.root == root)
        return copied;
    Copied &copied = copies.emplace_back();
    copied.root = root;
    builder.setInsertionPoint(statement);
    copied.original =
        root.isDescribed
            ? Value(fir::LoadOp::create(builder, location, outside(place)))
            : place;
    copied.isAssigned = llvm::is_contained(assigned, root);
    copied.copy = copyToHost(builder, location, hlfir::Entity{copied.original});
    return copied;
  }

  /// \p place, which components of a variable lead to, before the statement.
  Value outside(Value place) {
    if (!isInside(place))
      return place;
    Operation *op = place.getDefiningOp();
    IRMapping map;
    map.map(op->getOperand(0), outside(op->getOperand(0)));
    return builder.clone(*op, map)->getResult(0);
  }

  /// The copy as a value of the type that the original had.
  Value fitting(const HostCopy &copy, Type type) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(statement);
    return asType(builder, location, copy, type);
  }

  bool refuse(Operation *op, const Twine &message) {
    emitError(op->getLoc()) << message.str();
    return false;
  }
  bool refuseData(Operation *op) {
    return refuse(op, "this device data cannot be used in WHERE or FORALL in "
                      "host code; assign it to a host variable first and use "
                      "that");
  }

  fir::FirOpBuilder &builder;
  Operation *statement;
  Location location;
  SmallVector<Root> assigned;
  SmallVector<Copied> copies;
};

struct OrderedAssignments
    : public PassWrapper<OrderedAssignments, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OrderedAssignments)
  StringRef getArgument() const override { return "lower-ordered-assignments"; }
  StringRef getDescription() const override {
    return "Let WHERE and FORALL work on copies of device data";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<fir::FIROpsDialect, func::FuncDialect, hlfir::hlfirDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> statements;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<hlfir::OrderedAssignmentTreeOpInterface>(op))
        return WalkResult::advance();
      if (isHostCode(op))
        statements.push_back(op);
      return WalkResult::skip();
    });
    fir::FirOpBuilder builder(getOperation(),
                              fir::getKindMapping(getOperation()));
    for (Operation *statement : statements)
      if (!Statement(builder, statement).run())
        signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createOrderedAssignments() {
  return std::make_unique<OrderedAssignments>();
}
