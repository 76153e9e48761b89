//===- SectionArguments.cpp - sections of device data as arguments --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/host/SectionArguments.h"
#include "compiler/lower/DeviceData.h"
#include "compiler/lower/host/HostCopies.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"

using namespace mlir;

namespace cufort::lower {

/// Whether the copy that \p copyIn may make is for device code: its dummy
/// argument has a memory attribute, or belongs to nobody knows which
/// procedure.
static bool isForDevice(Value copy) {
  return llvm::any_of(copy.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<cuf::KernelLaunchOp, fir::DispatchOp>(user))
      return true;
    if (auto call = dyn_cast<fir::CallOp>(user)) {
      if (!call.getCallee())
        return true;
      auto callee =
          call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
              call.getCallee()->getRootReference());
      return callee &&
             callee.getArgAttr(use.getOperandNumber(), cuf::getDataAttrName());
    }
    if (auto result = dyn_cast<fir::ResultOp>(user))
      return result->getParentOp()->getNumResults() != 0 &&
             isForDevice(
                 result->getParentOp()->getResult(use.getOperandNumber()));
    return isa<fir::BoxAddrOp, fir::ConvertOp, fir::ReboxOp, fir::EmboxOp,
               fir::EmboxCharOp, hlfir::DeclareOp>(user) &&
           llvm::any_of(user->getResults(), isForDevice);
  });
}

bool wantsPacking(hlfir::CopyInOp copyIn) {
  auto memory = memoryOf(copyIn.getVar());
  return isDeviceData(copyIn.getVar()) || (memory && isReachedByBoth(*memory) &&
                                           isForDevice(copyIn.getResult(0)));
}

void packSection(fir::FirOpBuilder &builder, hlfir::CopyInOp copyIn) {
  Location location = copyIn.getLoc();
  builder.setInsertionPoint(copyIn);
  SmallVector<Value> arguments = {
      rawAddress(builder, location, copyIn.getTempBox()),
      descriptorOf(builder, location, copyIn.getVar()),
      builder.createBool(location, !isDeviceData(copyIn.getVar()))};
  addSourceLine(builder, location, arguments);
  Value isCopied = callRuntime(builder, location, "__cufort_pack",
                               {builder.getI1Type()}, arguments);
  Value packed = fir::LoadOp::create(builder, location, copyIn.getTempBox());
  copyIn->replaceAllUsesWith(ValueRange{
      builder.createConvert(location, copyIn->getResult(0).getType(), packed),
      isCopied});
  copyIn.erase();
}

void unpackSection(fir::FirOpBuilder &builder, hlfir::CopyOutOp copyOut) {
  Location location = copyOut.getLoc();
  builder.setInsertionPoint(copyOut);
  Value target = copyOut.getVar();
  SmallVector<Value> arguments = {
      rawAddress(builder, location, copyOut.getTemp()), copyOut.getWasCopied(),
      target
          ? descriptorOf(builder, location, target)
          : Value(fir::AbsentOp::create(
                builder, location, fir::BoxType::get(builder.getNoneType())))};
  addSourceLine(builder, location, arguments);
  callRuntime(builder, location, "__cufort_unpack", {}, arguments);
  copyOut.erase();
}

} // namespace cufort::lower
