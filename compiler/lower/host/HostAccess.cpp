//===- HostAccess.cpp - no access of the host to device memory ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the CPU engine an access that slipped through would work and go unnoticed;
// on a GPU it is a crash. So what may have device data as an operand is listed
// here, and everything else is refused.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/HLFIR/HLFIRDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// Whether a function of Flang's runtime reads or changes descriptors only.
bool usesDescriptorsOnly(StringRef function) {
  for (StringRef start :
       {"AllocatableAllocate", "AllocatableApplyMold",
        "AllocatableCheckLengthParameter", "AllocatableDeallocate",
        "AllocatableInit", "AllocatableSet", "ClassIs", "CopyInAssign",
        "ExtendsTypeOf", "IsAssumedSize", "IsContiguous", "Lbound", "MoveAlloc",
        "Pointer", "SameTypeAs", "Shape", "Size", "Ubound"})
    if (function.starts_with(start))
      return function != "AllocatableAllocateSource" &&
             function != "PointerAllocateSource" &&
             function != "AllocatableDeallocatePolymorphic";
  return false;
}

class Check {
public:
  explicit Check(ModuleOp module) : module(module) {}

  bool run() {
    module.walk([&](Operation *op) {
      if (isHostCode(op))
        for (OpOperand &operand : op->getOpOperands())
          if (fir::isa_ref_type(operand.get().getType()) ||
              isa<fir::BaseBoxType>(operand.get().getType()))
            if ((isDeviceData(operand.get()) && !isAllowed(op, operand)) ||
                (describesDeviceData(operand.get()) &&
                 changesElements(op, operand))) {
              refuse(op, operand.get());
              break;
            }
    });
    return legal;
  }

private:
  bool isAllowed(Operation *op, OpOperand &operand) {
    if (auto load = dyn_cast<fir::LoadOp>(op))
      return false;
    if (auto store = dyn_cast<fir::StoreOp>(op))
      return operand.get() != store.getMemref();
    // As those of calls below, whichever procedure it is.
    if (isa<fir::DispatchOp>(op))
      return true;
    if (auto call = dyn_cast<fir::CallOp>(op))
      return mayBeGiven(call) && !isOfHost(call, operand.get());
    // Addresses and descriptors of parts; what says something of a descriptor.
    if (isa<hlfir::DeclareOp, hlfir::DesignateOp, hlfir::NoReassocOp,
            hlfir::ParentComponentOp, hlfir::GetExtentOp, hlfir::GetLengthOp,
            fir::ConvertOp, fir::BoxAddrOp, fir::ReboxOp, fir::EmboxCharOp,
            fir::UnboxCharOp, fir::EmboxOp, fir::BoxDimsOp, fir::BoxEleSizeOp,
            fir::BoxRankOp, fir::BoxTypeDescOp, fir::BoxIsAllocOp,
            fir::BoxIsArrayOp, fir::BoxIsPtrOp, fir::BoxTypeCodeOp,
            fir::BoxOffsetOp, fir::IsPresentOp, fir::VolatileCastOp,
            fir::ResultOp, fir::IsContiguousBoxOp, fir::AssumedSizeExtentOp,
            fir::ReboxAssumedRankOp, fir::IsAssumedSizeOp>(op))
      return true;
    // Transfers, launches, allocations: the run-time library's.
    Dialect *dialect = op->getDialect();
    if (isa_and_nonnull<cuf::CUFDialect>(dialect))
      return true;
    // Directives name what they do with the data.
    StringRef space = dialect ? dialect->getNamespace() : StringRef();
    return space == "acc" || space == "omp" || space == "cf" ||
           space == "func" || isa<RegionBranchTerminatorOpInterface>(op);
  }

  /// Whether \p op writes to what the descriptor at the address \p operand
  /// describes, or frees what it has, and not only to the descriptor.
  bool changesElements(Operation *op, OpOperand &operand) {
    if (auto assignment = dyn_cast<hlfir::AssignOp>(op))
      return operand.get() == assignment.getLhs();
    auto call = dyn_cast<fir::CallOp>(op);
    return call && !mayBeGiven(call);
  }

  /// The semantics have checked the arguments of user procedures.
  bool mayBeGiven(fir::CallOp call) {
    if (!call.getCallee())
      return true;
    StringRef name = call.getCallee()->getRootReference().getValue();
    return !name.consume_front("_FortranA") || name.starts_with("CUF") ||
           usesDescriptorsOnly(name);
  }

  /// Whether a function of Flang's runtime would find a descriptor in device
  /// memory at \p value.
  static bool isOfHost(fir::CallOp call, Value value) {
    return call.getCallee() &&
           call.getCallee()->getRootReference().getValue().starts_with(
               "_FortranA") &&
           descriptorInObject(value);
  }

  /// The allocatable or pointer component of an object in device memory whose
  /// descriptor is at \p address; null where there is something else.
  static hlfir::DesignateOp descriptorInObject(Value address) {
    while (auto convert = address.getDefiningOp<fir::ConvertOp>())
      address = convert.getValue();
    auto component = address.getDefiningOp<hlfir::DesignateOp>();
    return component && component.getComponent() &&
                   fir::isBoxAddress(component.getType()) &&
                   isDeviceData(component)
               ? component
               : hlfir::DesignateOp();
  }

  void refuse(Operation *op, Value value) {
    legal = false;
    // A statement may have several operations; one message is enough.
    if (reported == op->getLoc())
      return;
    reported = op->getLoc();
    if (hlfir::DesignateOp component = descriptorInObject(value)) {
      emitError(op->getLoc())
          << "component '" << component.getComponent()->getValue()
          << "' belongs to an object in device memory, so only device code can "
             "see whether and where it is allocated: give the component the "
             "attribute DEVICE or MANAGED, and host code can use it too";
      return;
    }
    emitError(op->getLoc())
        << "device data cannot be used here in host code, where the host would "
           "have to access device memory directly; assign it to a host "
           "variable (or a host variable to it) in a statement of its own";
  }

  ModuleOp module;
  bool legal = true;
  std::optional<Location> reported;
};

struct HostAccess : public PassWrapper<HostAccess, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostAccess)
  StringRef getArgument() const override { return "lower-host-access"; }
  StringRef getDescription() const override {
    return "Check that host code does not access device memory";
  }
  void runOnOperation() override {
    if (!Check(getOperation()).run())
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createHostAccess() {
  return std::make_unique<HostAccess>();
}
