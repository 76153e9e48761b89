//===- TransferExpressions.cpp - device data in host expressions ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end copies device data to the host where an assignment has an
// expression on its right side, but not where the right side is one device
// variable with a vector subscript or of another type, nor outside of
// assignments (conditions, bounds, subscripts, items of an output list).
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/host/HostCopies.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

cuf::DataTransferKindAttr transferKind(MLIRContext *context, bool toHost) {
  return cuf::DataTransferKindAttr::get(
      context, toHost ? cuf::DataTransferKind::DeviceHost
                      : cuf::DataTransferKind::HostDevice);
}

class Expressions {
public:
  explicit Expressions(ModuleOp module)
      : module(module), builder(module, fir::getKindMapping(module)) {}

  void run() {
    SmallVector<hlfir::AssociateOp> associations;
    module.walk([&](hlfir::AssociateOp op) { associations.push_back(op); });
    for (hlfir::AssociateOp association : associations)
      passInPlace(association);
    SmallVector<fir::CallOp> searches;
    module.walk([&](fir::CallOp call) {
      if (call.getCallee() && isHostCode(call) &&
          call.getCallee()->getRootReference().getValue().starts_with(
              "_FortranAFindloc"))
        searches.push_back(call);
    });
    for (fir::CallOp search : searches)
      widen(search);
    module.walk([](Operation *op) {
      if (isa<hlfir::AssignOp, cuf::DataTransferOp>(op))
        moveBehindOperands(op);
    });
    SmallVector<hlfir::ElementalOp> elementals;
    SmallVector<cuf::DataTransferOp> transfers;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto elemental = dyn_cast<hlfir::ElementalOp>(op)) {
        if (isHostCode(op))
          elementals.push_back(elemental);
        // Inner ones read what the outermost reads.
        return WalkResult::skip();
      }
      if (auto transfer = dyn_cast<cuf::DataTransferOp>(op);
          transfer && isa<hlfir::ExprType>(transfer.getSrc().getType()))
        transfers.push_back(transfer);
      return WalkResult::advance();
    });
    for (hlfir::ElementalOp elemental : elementals)
      copySources(elemental);
    for (cuf::DataTransferOp transfer : transfers)
      move(transfer);
  }

private:
  /// An allocatable result of a function that is an argument becomes a value
  /// and a variable again. In device memory it is that variable already, which
  /// lives until the call is over.
  void passInPlace(hlfir::AssociateOp association) {
    auto value = association.getSource().getDefiningOp<hlfir::AsExprOp>();
    if (!value || !isHostCode(association) || !isDeviceData(value.getVar()) ||
        !isa<fir::BaseBoxType>(value.getVar().getType()) ||
        !llvm::all_of(value->getUsers(), [&](Operation *user) {
          return user == association || isa<hlfir::DestroyOp>(user);
        }))
      return;
    Location location = association.getLoc();
    builder.setInsertionPoint(association);
    Value variable = value.getVar();
    Type type = association.getBase().getType();
    variable = isa<fir::BaseBoxType>(type)
                   ? Value(fir::ReboxOp::create(builder, location, type,
                                                variable, Value(), Value()))
                   : builder.createConvert(
                         location, type,
                         fir::BoxAddrOp::create(builder, location, variable));
    Value address = builder.createConvert(
        location, association.getFirBase().getType(),
        isa<fir::BaseBoxType>(type)
            ? Value(fir::BoxAddrOp::create(builder, location, variable))
            : variable);
    SmallVector<Operation *> ends(value->getUsers());
    for (Operation *user : association->getUsers())
      if (isa<hlfir::EndAssociateOp>(user))
        ends.push_back(user);
    association.getBase().replaceUsesWithIf(variable, [&](OpOperand &use) {
      return !llvm::is_contained(ends, use.getOwner());
    });
    association.getFirBase().replaceUsesWithIf(address, [&](OpOperand &use) {
      return !llvm::is_contained(ends, use.getOwner());
    });
    llvm::SmallPtrSet<Operation *, 4> erased;
    for (Operation *end : ends)
      if (end != association && erased.insert(end).second)
        end->erase();
    association.erase();
    value.erase();
  }

  /// Flang's runtime does not know FINDLOC of real(2): it searches the same
  /// values as real(4).
  void widen(fir::CallOp search) {
    Location location = search.getLoc();
    Type single = builder.getF32Type();
    for (OpOperand &operand : search->getOpOperands()) {
      Value box = operand.get();
      while (auto convert = box.getDefiningOp<fir::ConvertOp>())
        box = convert.getValue();
      if (!isa<fir::BaseBoxType>(box.getType()) ||
          !hlfir::getFortranElementType(box.getType()).isF16())
        continue;
      builder.setInsertionPoint(search);
      hlfir::Entity narrow{box}, wide{box};
      if (narrow.isArray()) {
        auto convert = [&](Location at, fir::FirOpBuilder &inside,
                           ValueRange indices) {
          hlfir::Entity element = hlfir::loadTrivialScalar(
              at, inside, hlfir::getElementAt(at, inside, narrow, indices));
          return hlfir::Entity{inside.createConvert(at, single, element)};
        };
        wide = hlfir::Entity{
            hlfir::genElementalOp(location, builder, single,
                                  hlfir::genShape(location, builder, narrow),
                                  ValueRange{}, convert, /*isUnordered=*/true)};
      } else {
        wide = hlfir::Entity{builder.createConvert(
            location, single,
            hlfir::loadTrivialScalar(location, builder, narrow))};
      }
      hlfir::AssociateOp place = hlfir::genAssociateExpr(
          location, builder, wide, wide.getType(), ".wide");
      operand.set(builder.createConvert(
          location, operand.get().getType(),
          hlfir::genVariableBox(location, builder,
                                hlfir::Entity{place.getBase()})));
      builder.setInsertionPointAfter(search);
      hlfir::EndAssociateOp::create(builder, location, place);
      if (narrow.isArray())
        hlfir::DestroyOp::create(builder, location, wide);
    }
  }

  /// The front end puts some assignments before what computes their left side.
  static void moveBehindOperands(Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && definition->getBlock() == op->getBlock() &&
          op->isBeforeInBlock(definition))
        op->moveAfter(definition);
  }

  /// Whether \p region stores to \p address or passes it to a call.
  static bool isWrittenIn(Region &region, Value address) {
    return llvm::any_of(address.getUsers(), [&](Operation *user) {
      if (!region.isAncestor(user->getParentRegion()))
        return false;
      if (isa<fir::StoreOp, fir::CallOp>(user))
        return true;
      auto convert = dyn_cast<fir::ConvertOp>(user);
      return convert && isWrittenIn(region, convert.getResult());
    });
  }

  /// The device data that \p expression reads are copied before it.
  void copySources(hlfir::ElementalOp expression) {
    Region &region = expression.getRegion();
    auto isOutside = [&](Value value) {
      return !region.isAncestor(value.getParentRegion());
    };
    // Descriptors are the same for all elements, but for that of a temporary
    // result, which each element fills.
    SmallVector<Operation *> descriptors;
    region.walk([&](Operation *op) {
      auto designate = dyn_cast<hlfir::DesignateOp>(op);
      auto load = dyn_cast<fir::LoadOp>(op);
      if ((designate && fir::isBoxAddress(designate.getType())) ||
          (load && fir::isBoxAddress(load.getMemref().getType()) &&
           !isWrittenIn(region, load.getMemref())))
        if (llvm::all_of(op->getOperands(), [&](Value operand) {
              return isOutside(operand) ||
                     llvm::is_contained(descriptors, operand.getDefiningOp());
            }))
          descriptors.push_back(op);
    });
    for (Operation *op : descriptors)
      op->moveBefore(expression);

    llvm::MapVector<Value, HostCopy> copies;
    region.walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (isOutside(operand) && isDeviceData(operand))
          copies.insert({operand, HostCopy()});
    });
    for (auto &[source, copy] : copies) {
      builder.setInsertionPoint(expression);
      copy = copyToHost(builder, expression.getLoc(), hlfir::Entity{source});
      Value fits = asType(builder, expression.getLoc(), copy, source.getType());
      region.walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
          if (operand.get() == source)
            operand.set(fits);
      });
      freeAfterUse(builder, expression, copy);
    }
  }

  /// The right side is a value of the host now.
  void move(cuf::DataTransferOp transfer) {
    Location location = transfer.getLoc();
    builder.setInsertionPoint(transfer);
    Value target = transfer.getDst();
    if (transfer.getTransferKind() == cuf::DataTransferKind::DeviceHost) {
      // The address of an array does not say how long it is.
      if (auto declare = target.getDefiningOp<hlfir::DeclareOp>())
        target = declare.getBase();
      hlfir::AssignOp::create(builder, location, transfer.getSrc(), target,
                              fir::isBoxAddress(target.getType()));
    } else {
      hlfir::Entity value{transfer.getSrc()};
      hlfir::AssociateOp place = hlfir::genAssociateExpr(
          location, builder, value, value.getType(), ".transfer");
      cuf::DataTransferOp::create(builder, location, place.getBase(), target,
                                  transfer.getShape() ? transfer.getShape()
                                                      : place.getShape(),
                                  transferKind(module.getContext(), false));
      hlfir::EndAssociateOp::create(builder, location, place);
    }
    transfer.erase();
  }

  ModuleOp module;
  fir::FirOpBuilder builder;
};

struct TransferExpressions
    : public PassWrapper<TransferExpressions, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TransferExpressions)
  StringRef getArgument() const override {
    return "lower-transfer-expressions";
  }
  StringRef getDescription() const override {
    return "Copy the device arrays that host expressions read";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, cuf::CUFDialect, hlfir::hlfirDialect>();
  }
  void runOnOperation() override { Expressions(getOperation()).run(); }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createTransferExpressions() {
  return std::make_unique<TransferExpressions>();
}
