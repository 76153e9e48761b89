//===- OnDevice.cpp - the answer to on_device() ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A procedure with attributes(host,device) exists twice. What stands under the
// wrong answer goes at once, before anybody asks whether it may be there; then
// its calls of procedures of the other side are mistakes of the program.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// What \p condition is, if constants alone decide it.
std::optional<bool> valueOf(Value condition) {
  Operation *op = condition.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<fir::ConvertOp, fir::NoReassocOp>(op))
    return valueOf(op->getOperand(0));
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<IntegerAttr>(constant.getValue());
    return value ? std::optional<bool>(!value.getValue().isZero())
                 : std::nullopt;
  }
  if (!isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) ||
      !op->getResult(0).getType().isInteger(1))
    return std::nullopt;
  std::optional<bool> left = valueOf(op->getOperand(0)),
                      right = valueOf(op->getOperand(1));
  if (!isa<arith::XOrIOp>(op)) {
    const bool decisive = isa<arith::OrIOp>(op);
    if (left == decisive || right == decisive)
      return decisive;
  }
  if (!left || !right)
    return std::nullopt;
  return isa<arith::XOrIOp>(op) ? *left != *right : *left;
}

class Side {
public:
  Side(ModuleOp module, bool isDevice) : module(module), isDevice(isDevice) {}

  /// False after a message.
  bool run() {
    SymbolTable symbols(module);
    for (auto func : module.getOps<func::FuncOp>()) {
      if (func.isDeclaration() ||
          !(isDevice ? runsOnDevice(func) : runsOnHost(func)))
        continue;
      if (answer(func))
        removeDeadCode(func);
      if (procedureAttribute(func) != cuf::ProcAttribute::HostDevice)
        continue;
      func.walk([&](fir::CallOp call) { check(call, symbols); });
      if (isDevice)
        func.walk([&](cuf::KernelLaunchOp launch) { refuse(launch); });
      else
        func.walk([&](cuf::SharedMemoryOp variable) { refuse(variable); });
    }
    return isLegal;
  }

private:
  /// Whether there was a question.
  bool answer(func::FuncOp func) {
    SmallVector<fir::CallOp> questions;
    func.walk([&](fir::CallOp call) {
      if (call.getCallee() &&
          call.getCallee()->getRootReference() == "on_device" &&
          call.getNumResults() == 1 && call.getNumOperands() == 0)
        questions.push_back(call);
    });
    for (fir::CallOp call : questions) {
      OpBuilder builder(call);
      Value constant = arith::ConstantIntOp::create(builder, call.getLoc(),
                                                    isDevice, /*width=*/1);
      call.getResult(0).replaceAllUsesWith(fir::ConvertOp::create(
          builder, call.getLoc(), call.getResult(0).getType(), constant));
      call->erase();
    }
    return !questions.empty();
  }

  static void removeDeadCode(func::FuncOp func) {
    func.walk([](fir::IfOp branch) {
      if (std::optional<bool> value = valueOf(branch.getCondition())) {
        Region &dead = *value ? branch.getElseRegion() : branch.getThenRegion();
        if (branch->getNumResults() == 0 && !dead.empty())
          empty(dead.front());
      }
    });
    IRRewriter rewriter(func.getContext());
    SmallVector<cf::CondBranchOp> branches;
    func.walk([&](cf::CondBranchOp branch) { branches.push_back(branch); });
    for (cf::CondBranchOp branch : branches)
      if (std::optional<bool> value = valueOf(branch.getCondition())) {
        rewriter.setInsertionPoint(branch);
        rewriter.replaceOpWithNewOp<cf::BranchOp>(
            branch, *value ? branch.getTrueDest() : branch.getFalseDest(),
            *value ? branch.getTrueDestOperands()
                   : branch.getFalseDestOperands());
      }
    (void)eraseUnreachableBlocks(rewriter, func->getRegions());
  }

  /// Takes everything out of \p block but its end.
  static void empty(Block &block) {
    Operation *end = block.getTerminator();
    while (Operation *last = end->getPrevNode())
      last->erase();
  }

  void refuse(cuf::KernelLaunchOp launch) {
    emitError(launch.getLoc())
        << "kernels are launched by host code: in a procedure with "
           "attributes(host,device) where on_device() is false, in the ELSE "
           "part of `if (on_device())`";
    isLegal = false;
  }

  void refuse(cuf::SharedMemoryOp variable) {
    emitError(variable.getLoc())
        << "'" << variable.getBindcName().value_or("this variable")
        << "' is in shared memory, which the host does not have: declare it in "
           "a kernel or in a procedure with attributes(device)";
    isLegal = false;
  }

  void check(fir::CallOp call, SymbolTable &symbols) {
    StringRef symbol = call.getCallee()
                           ? call.getCallee()->getRootReference().getValue()
                           : StringRef();
    auto callee = symbols.lookup<func::FuncOp>(symbol);
    if (!callee || (isDevice ? runsOnDevice(callee) : runsOnHost(callee)))
      return;
    auto [kind, name] = fir::NameUniquer::deconstruct(symbol);
    const bool isProcedure = kind == fir::NameUniquer::NameKind::PROCEDURE;
    // The library has versions for the host of what `cudadevice` lists.
    if (!isDevice &&
        (!isProcedure || llvm::is_contained(name.modules, "cudadevice")))
      return;
    // The compiler's own calls have neither a Fortran name nor BIND(C).
    if (!isProcedure &&
        !bitEnumContainsAny(call.getProcedureAttrs().value_or(
                                fir::FortranProcedureFlagsEnum::none),
                            fir::FortranProcedureFlagsEnum::bind_c))
      return;
    emitError(call.getLoc())
        << (isDevice ? "host" : "device") << " procedure '"
        << (isProcedure ? name.name : symbol.str())
        << "' cannot be called from " << (isDevice ? "device" : "host")
        << " code; give it attributes(host,device), or call it where "
           "on_device() is "
        << (isDevice ? "false: in the ELSE part of `if (on_device())`"
                     : "true: under `if (on_device())`");
    isLegal = false;
  }

  ModuleOp module;
  const bool isDevice;
  bool isLegal = true;
};

template <bool IsDevice>
struct OnDevice
    : public PassWrapper<OnDevice<IsDevice>, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OnDevice)
  StringRef getArgument() const override {
    return IsDevice ? "lower-on-device-is-true" : "lower-on-device-is-false";
  }
  StringRef getDescription() const override {
    return "Answer on_device() and remove what is never executed then";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    fir::FIROpsDialect>();
  }
  void runOnOperation() override {
    if (!Side(this->getOperation(), IsDevice).run())
      this->signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createOnDeviceIsFalse() {
  return std::make_unique<OnDevice<false>>();
}

std::unique_ptr<Pass> cufort::lower::createOnDeviceIsTrue() {
  return std::make_unique<OnDevice<true>>();
}
