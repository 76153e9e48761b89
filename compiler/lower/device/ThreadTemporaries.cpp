//===- ThreadTemporaries.cpp - temporary arrays of device code ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

/// Larger ones stay on the heap: every thread of a grid would need the memory.
constexpr uint64_t MostElements = 256;

struct ThreadTemporaries
    : public PassWrapper<ThreadTemporaries, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ThreadTemporaries)
  StringRef getArgument() const override { return "lower-thread-temporaries"; }
  StringRef getDescription() const override {
    return "Keep short temporary arrays of device code off the heap";
  }

  void runOnOperation() override {
    getOperation().walk([](func::FuncOp func) {
      SmallVector<fir::AllocMemOp> temporaries;
      func.walk([&](fir::AllocMemOp allocation) {
        if (isShort(allocation))
          temporaries.push_back(allocation);
      });
      for (fir::AllocMemOp allocation : temporaries) {
        SmallVector<fir::FreeMemOp> releases;
        findReleases(allocation.getResult(), releases);
        if (!releases.empty())
          keepInFrame(func, allocation, releases);
      }
    });
  }

private:
  static bool isShort(fir::AllocMemOp allocation) {
    if (allocation->getNumOperands() != 0)
      return false;
    auto type = dyn_cast<fir::SequenceType>(allocation.getInType());
    return type && !type.hasDynamicExtents() && !type.hasUnknownShape() &&
           fir::isa_trivial(type.getEleTy()) &&
           type.getConstantArraySize() <= MostElements;
  }

  /// Only the compiler's own temporaries are released by their value; what a
  /// program allocates is released by what its descriptor holds then.
  static void findReleases(Value value,
                           SmallVectorImpl<fir::FreeMemOp> &releases) {
    for (Operation *user : value.getUsers()) {
      if (auto release = dyn_cast<fir::FreeMemOp>(user))
        releases.push_back(release);
      else if (isa<fir::DeclareOp, fir::ConvertOp>(user))
        findReleases(user->getResult(0), releases);
    }
  }

  /// In the function's frame: within loops the place is the same in each
  /// iteration.
  static void keepInFrame(func::FuncOp func, fir::AllocMemOp allocation,
                          ArrayRef<fir::FreeMemOp> releases) {
    for (fir::FreeMemOp release : releases)
      release.erase();
    OpBuilder builder(&func.front(), func.front().begin());
    Location location = allocation.getLoc();
    Value place =
        fir::AllocaOp::create(builder, location, allocation.getInType(),
                              allocation.getUniqName().value_or(""),
                              allocation.getBindcName().value_or(""));
    builder.setInsertionPoint(allocation);
    Value same =
        fir::ConvertOp::create(builder, location, allocation.getType(), place);
    allocation.replaceAllUsesWith(same);
    allocation.erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createThreadTemporaries() {
  return std::make_unique<ThreadTemporaries>();
}
