//===- DeviceExpressions.cpp - array expressions on the device ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   d = 2 * matmul(transpose(a), b) + 3 * c
//
// of device arrays becomes
//
//   t1 = transpose(a);  t2 = matmul(t1, b)          in device memory
//   a kernel loop:  t3(i, j) = 2 * t2(i, j) + 3 * c(i, j)
//   d = t3
//
// The value always has a place of its own: d may be an operand, or an
// allocatable that gets another shape. DeviceIntrinsics then finds functions
// whose values are only transferred to device memory.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFDialect.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// One assignment of an expression to device memory.
class Expression {
public:
  Expression(fir::FirOpBuilder &builder, cuf::DataTransferOp transfer)
      : builder(builder), transfer(transfer), location(transfer.getLoc()) {}

  void run() {
    Value source = transfer.getSrc();
    auto association = source.getDefiningOp<hlfir::AssociateOp>();
    if (association)
      source = association.getSource();
    if (!isa<hlfir::ExprType>(source.getType()))
      return;
    start = association ? association.getOperation() : transfer;
    auto elemental = source.getDefiningOp<hlfir::ElementalOp>();
    if (!elemental) {
      placeOperands(source.getDefiningOp());
    } else if (isForDevice(elemental)) {
      transferFrom(compute(elemental), association);
      eraseUnused();
    }
    builder.setInsertionPointAfter(transfer);
    for (Value memory : temporaries)
      cuf::FreeOp::create(builder, location, memory, deviceAttribute());
  }

private:
  cuf::DataAttributeAttr deviceAttribute() {
    return cuf::DataAttributeAttr::get(builder.getContext(),
                                       cuf::DataAttribute::Device);
  }

  /// Whether a kernel can compute the elements of \p elemental, some of which
  /// are on the device.
  static bool isForDevice(hlfir::ElementalOp elemental) {
    bool readsDevice = false;
    return isPossible(elemental, readsDevice) && readsDevice;
  }

  static bool isPossible(hlfir::ElementalOp elemental, bool &readsDevice) {
    auto type = cast<hlfir::ExprType>(elemental.getType());
    if (type.isPolymorphic() || !fir::isa_trivial(type.getElementType()) ||
        !elemental.getTypeparams().empty())
      return false;
    Region &region = elemental.getRegion();
    return !region
                .walk([&](Operation *op) {
                  if (auto call = dyn_cast<fir::CallOp>(op);
                      call && !isDeviceFunction(call))
                    return WalkResult::interrupt();
                  for (Value operand : op->getOperands())
                    if (!region.isAncestor(operand.getParentRegion()) &&
                        !isForKernel(operand, readsDevice))
                      return WalkResult::interrupt();
                  return WalkResult::advance();
                })
                .wasInterrupted();
  }

  /// Functions of Flang's runtime are there on the device, or their absence is
  /// told.
  static bool isDeviceFunction(fir::CallOp call) {
    auto callee = call.getCallee();
    if (!callee)
      return false;
    auto func =
        call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(*callee);
    return (func && procedureAttribute(func) != cuf::ProcAttribute::Host) ||
           !callee->getRootReference().getValue().starts_with("_Q");
  }

  static bool isForKernel(Value operand, bool &readsDevice) {
    Type type = operand.getType();
    if (isa<hlfir::ExprType>(type)) {
      auto inner = operand.getDefiningOp<hlfir::ElementalOp>();
      if (inner)
        return isPossible(inner, readsDevice);
      readsDevice = readsDevice || isOfDeviceArrays(operand.getDefiningOp());
      return fir::isa_trivial(hlfir::getFortranElementType(type));
    }
    if (!fir::isa_ref_type(type) && !isa<fir::BaseBoxType>(type))
      return true;
    if (fir::isBoxAddress(type))
      return describesDeviceData(operand);
    if (isReachedByKernels(operand)) {
      readsDevice = true;
      return true;
    }
    return bool(operand.getDefiningOp<hlfir::DeclareOp>()) &&
           fir::isa_trivial(hlfir::getFortranElementOrSequenceType(type));
  }

  static bool isOfDeviceArrays(Operation *op) {
    return op && llvm::any_of(op->getOperands(), [](Value operand) {
             return isReachedByKernels(operand);
           });
  }

  /// Device memory for a value of the type and the shape of \p value.
  hlfir::Entity createTemporary(hlfir::Entity value, Value shape) {
    auto type = cast<hlfir::ExprType>(value.getType());
    Type sequence =
        fir::SequenceType::get(type.getShape(), type.getElementType());
    SmallVector<Value> sizes,
        extents = hlfir::getIndexExtents(location, builder, shape);
    for (auto [known, extent] : llvm::zip(type.getShape(), extents))
      if (known == hlfir::ExprType::getUnknownExtent())
        sizes.push_back(extent);
    Value memory = cuf::AllocOp::create(builder, location, sequence,
                                        ".device_value", "", deviceAttribute(),
                                        /*typeparams=*/ValueRange{}, sizes);
    temporaries.push_back(memory);
    auto declare = hlfir::DeclareOp::create(
        builder, location, memory, ".device_value",
        builder.genShape(location, extents),
        /*typeparams=*/ValueRange{}, /*dummy_scope=*/Value(),
        /*storage=*/Value(), /*storage_offset=*/0,
        fir::FortranVariableFlagsAttr(), deviceAttribute());
    return hlfir::Entity{declare.getBase()};
  }

  /// The value of \p expression in device memory.
  hlfir::Entity place(Value expression) {
    if (auto elemental = expression.getDefiningOp<hlfir::ElementalOp>();
        elemental && isForDevice(elemental))
      return compute(elemental);
    Operation *function = expression.getDefiningOp();
    placeOperands(function);
    hlfir::Entity value{expression};
    builder.setInsertionPoint(start);
    hlfir::AssociateOp onHost = hlfir::genAssociateExpr(
        location, builder, value, value.getType(), ".value");
    hlfir::Entity result = createTemporary(value, onHost.getShape());
    cuf::DataTransferOp::create(
        builder, location, onHost.getBase(), result, /*shape=*/Value(),
        cuf::DataTransferKindAttr::get(builder.getContext(),
                                       cuf::DataTransferKind::HostDevice));
    hlfir::EndAssociateOp::create(builder, location, onHost);
    return result;
  }

  /// The operands of a function that has a kernel, if they are expressions of
  /// device arrays, in device memory.
  void placeOperands(Operation *function) {
    if (!isa_and_nonnull<hlfir::MatmulOp, hlfir::TransposeOp, hlfir::ReshapeOp>(
            function))
      return;
    // What computes the operands has to come before.
    Operation *outerStart = start;
    start = function;
    for (OpOperand &operand : function->getOpOperands()) {
      Operation *inner = operand.get().getDefiningOp();
      if (!isa<hlfir::ExprType>(operand.get().getType()) || !inner)
        continue;
      auto elemental = dyn_cast<hlfir::ElementalOp>(inner);
      if (elemental
              ? isForDevice(elemental)
              : isa<hlfir::MatmulOp, hlfir::TransposeOp, hlfir::ReshapeOp>(
                    inner))
        operand.set(place(operand.get()));
    }
    start = outerStart;
  }

  /// A kernel loop that computes \p elemental.
  hlfir::Entity compute(hlfir::ElementalOp elemental) {
    // The functions in it come first.
    IRMapping places;
    placeFunctions(elemental, places);
    builder.setInsertionPoint(start);
    hlfir::Entity result =
        createTemporary(hlfir::Entity{elemental}, elemental.getShape());
    SmallVector<Value> extents =
        hlfir::getIndexExtents(location, builder, elemental.getShape());
    const unsigned rank = extents.size();
    std::reverse(extents.begin(), extents.end());
    Value one =
        builder.createIntegerConstant(location, builder.getIndexType(), 1);
    SmallVector<Value> ones(rank, one);
    auto loop = cuf::KernelOp::create(
        builder, location, /*grid=*/ValueRange{}, /*block=*/ValueRange{},
        /*stream=*/Value(), ones, extents, ones,
        builder.getI64IntegerAttr(rank), /*reduceOperands=*/ValueRange{},
        /*reduceAttrs=*/ArrayAttr());
    Block *body = builder.createBlock(
        &loop.getRegion(), {}, SmallVector<Type>(rank, builder.getIndexType()),
        SmallVector<Location>(rank, location));
    SmallVector<Value> indices(llvm::reverse(body->getArguments()));
    IRMapping map;
    Value element =
        hlfir::inlineElementalOp(location, builder, elemental, indices, map,
                                 [](hlfir::ElementalOp) { return true; });
    hlfir::Entity target =
        hlfir::getElementAt(location, builder, result, indices);
    fir::StoreOp::create(
        builder, location,
        hlfir::loadTrivialScalar(location, builder, hlfir::Entity{element}),
        target);
    fir::FirEndOp::create(builder, location);
    SmallVector<hlfir::ApplyOp> uses;
    loop.walk([&](hlfir::ApplyOp use) { uses.push_back(use); });
    for (hlfir::ApplyOp use : uses) {
      builder.setInsertionPoint(use);
      hlfir::Entity value = hlfir::loadElementAt(
          location, builder, hlfir::Entity{places.lookup(use.getExpr())},
          use.getIndices());
      use.replaceAllUsesWith(value.getBase());
      use.erase();
    }
    hoistDescriptors(loop);
    builder.setInsertionPointAfter(loop);
    unused.insert(elemental);
    return result;
  }

  void placeFunctions(hlfir::ElementalOp elemental, IRMapping &places) {
    SmallVector<Value> values;
    elemental.getRegion().walk(
        [&](hlfir::ApplyOp use) { values.push_back(use.getExpr()); });
    for (Value value : values) {
      if (places.contains(value))
        continue;
      if (auto inner = value.getDefiningOp<hlfir::ElementalOp>()) {
        placeFunctions(inner, places);
        unused.insert(inner);
      } else {
        places.map(value, place(value));
      }
    }
  }

  /// Descriptors are the same for all elements, and the host's.
  static void hoistDescriptors(cuf::KernelOp loop) {
    SmallVector<Operation *> descriptors;
    loop.walk([&](fir::LoadOp load) {
      if (fir::isBoxAddress(load.getMemref().getType()) &&
          load.getMemref().getParentRegion()->isProperAncestor(
              &loop.getRegion()))
        descriptors.push_back(load);
    });
    for (Operation *op : descriptors)
      op->moveBefore(loop);
  }

  /// The assignment has its value from \p result.
  void transferFrom(hlfir::Entity result, hlfir::AssociateOp association) {
    transfer.getSrcMutable().assign(result);
    transfer.setTransferKind(cuf::DataTransferKind::DeviceDevice);
    // Descriptors have theirs.
    transfer.getShapeMutable().clear();
    if (!association)
      return;
    llvm::SmallSetVector<Operation *, 4> ends;
    for (Operation *user : association->getUsers())
      if (isa<hlfir::EndAssociateOp>(user))
        ends.insert(user);
    for (Operation *end : ends)
      end->erase();
    if (association->use_empty())
      association.erase();
  }

  /// Expressions that only kernels compute: the outer ones use the inner ones.
  void eraseUnused() {
    for (bool changed = true; changed;) {
      changed = false;
      for (hlfir::ElementalOp elemental : llvm::to_vector(unused)) {
        if (!llvm::all_of(elemental->getUsers(), [](Operation *user) {
              return isa<hlfir::DestroyOp, hlfir::ShapeOfOp>(user);
            }))
          continue;
        for (Operation *user : llvm::make_early_inc_range(
                 llvm::to_vector(elemental->getUsers()))) {
          if (isa<hlfir::ShapeOfOp>(user))
            user->replaceAllUsesWith(ValueRange{elemental.getShape()});
          user->erase();
        }
        unused.remove(elemental);
        elemental.erase();
        changed = true;
      }
    }
  }

  fir::FirOpBuilder &builder;
  cuf::DataTransferOp transfer;
  Location location;
  /// Before this what the assignment needs is computed.
  Operation *start = nullptr;
  SmallVector<Value> temporaries;
  llvm::SmallSetVector<hlfir::ElementalOp, 4> unused;
};

struct DeviceExpressions
    : public PassWrapper<DeviceExpressions, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceExpressions)
  StringRef getArgument() const override { return "lower-device-expressions"; }
  StringRef getDescription() const override {
    return "Compute array expressions of device arrays on the device";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cuf::CUFDialect, fir::FIROpsDialect,
                    hlfir::hlfirDialect>();
  }
  void runOnOperation() override {
    SmallVector<cuf::DataTransferOp> transfers;
    getOperation().walk([&](cuf::DataTransferOp transfer) {
      if (transfer.getTransferKind() != cuf::DataTransferKind::DeviceHost &&
          isHostCode(transfer))
        transfers.push_back(transfer);
    });
    fir::FirOpBuilder builder(getOperation(),
                              fir::getKindMapping(getOperation()));
    for (cuf::DataTransferOp transfer : transfers)
      Expression(builder, transfer).run();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createDeviceExpressions() {
  return std::make_unique<DeviceExpressions>();
}
