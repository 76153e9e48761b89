//===- DeviceAddresses.cpp - addresses of device variables in host code ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module variable lies on every device at another address, and a procedure
// may change the current device between two uses.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

constexpr llvm::StringLiteral AddressFunction = "_FortranACUFGetDeviceAddress";

/// Whether \p op only makes another value of its operands.
bool derives(Operation *op) {
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         (isa<fir::DeclareOp>(op) || isMemoryEffectFree(op));
}

/// Whether \p op may call a procedure that changes the current device or resets
/// it: anything but Fortran's own run-time library.
bool mayChangeDevice(Operation *op) {
  return op
      ->walk([](fir::CallOp call) {
        auto callee = call.getCallee();
        return callee && callee->getRootReference().getValue().starts_with(
                             "_FortranA")
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Where an address that \p user needs is asked for: before the loops around it
/// in which it stays the same.
class Places {
public:
  Operation *before(Operation *user) {
    Operation *place = user;
    for (Operation *here = user->getParentOp(); here;
         here = here->getParentOp()) {
      if (isa<fir::DoLoopOp, fir::IterWhileOp>(here)) {
        if (mayChangeDevice(here))
          return place;
        place = here;
      } else if (!isa<fir::IfOp>(here)) {
        break;
      }
    }
    // Loops with several exits are blocks that jump.
    Region *region = place->getParentRegion();
    if (region->hasOneBlock())
      return place;
    const CFGLoopInfo &loops = loopsOf(*region);
    for (CFGLoop *loop = loops.getLoopFor(place->getBlock()); loop;
         loop = loop->getParentLoop()) {
      Block *start = loop->getLoopPredecessor();
      if (!start || llvm::any_of(loop->getBlocks(), [](Block *block) {
            return llvm::any_of(
                *block, [](Operation &op) { return mayChangeDevice(&op); });
          }))
        break;
      place = start->getTerminator();
    }
    return place;
  }

private:
  const CFGLoopInfo &loopsOf(Region &region) {
    std::unique_ptr<CFGLoopInfo> &known = infos[&region];
    if (!known)
      known = std::make_unique<CFGLoopInfo>(dominance.getDomTree(&region));
    return *known;
  }

  DominanceInfo dominance;
  llvm::DenseMap<Region *, std::unique_ptr<CFGLoopInfo>> infos;
};

/// Moves \p op to where its results are used, copying it, and with it whatever
/// is derived from it; \p placed holds the copies.
void moveToUses(Operation *op, llvm::SmallPtrSetImpl<Operation *> &placed,
                Places &places) {
  auto nextDerived = [&]() -> Operation * {
    for (Operation *user : op->getUsers())
      if (derives(user) && !placed.contains(user))
        return user;
    return nullptr;
  };
  while (Operation *user = nextDerived())
    moveToUses(user, placed, places);
  llvm::SetVector<Operation *> users(op->user_begin(), op->user_end());
  for (Operation *user : users) {
    Operation *place = isa<fir::CallOp>(op) ? places.before(user) : user;
    Operation *copy = OpBuilder(place).clone(*op);
    placed.insert(copy);
    user->replaceUsesOfWith(op->getResult(0), copy->getResult(0));
  }
  op->erase();
}

struct DeviceAddresses
    : public PassWrapper<DeviceAddresses, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceAddresses)
  StringRef getArgument() const override { return "lower-device-addresses"; }
  StringRef getDescription() const override {
    return "Ask for the address of a device variable where it is used";
  }

  void runOnOperation() override {
    SmallVector<fir::CallOp> calls;
    getOperation().walk([&](fir::CallOp call) {
      if (call.getCallee() &&
          call.getCallee()->getRootReference() == AddressFunction)
        calls.push_back(call);
    });
    llvm::SmallPtrSet<Operation *, 16> placed;
    Places places;
    for (fir::CallOp call : calls)
      moveToUses(call, placed, places);
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createDeviceAddresses() {
  return std::make_unique<DeviceAddresses>();
}
