//===- SharedSources.cpp - shared variables overlap nothing else ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flang's alias analysis does not know `cuf.shared_memory`: it takes a shared
// array for one that may overlap any other, and assignments of its sections
// become calls of the Fortran runtime. Local arrays it knows.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// On a local array: the `cuf.shared_memory` that it stands for.
constexpr llvm::StringLiteral SharedMark = "cufort.shared";

struct SharedAsLocal
    : public PassWrapper<SharedAsLocal, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SharedAsLocal)
  StringRef getArgument() const override { return "lower-shared-as-local"; }
  StringRef getDescription() const override {
    return "Let shared arrays look like local ones";
  }

  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      SmallVector<cuf::SharedMemoryOp> arrays, dynamic;
      func.walk([&](cuf::SharedMemoryOp variable) {
        if (fir::hasDynamicSize(variable.getInType()))
          dynamic.push_back(variable);
        else if (isa<fir::SequenceType>(variable.getInType()) &&
                 variable->getNumOperands() == 0)
          arrays.push_back(variable);
      });
      // All assumed-size ones start at one address (guide, 3.2.3).
      if (dynamic.size() == 1 && isKernel(func))
        arrays.push_back(dynamic.front());
      for (cuf::SharedMemoryOp variable : arrays)
        replace(variable);
    }
  }

private:
  static void replace(cuf::SharedMemoryOp variable) {
    OpBuilder builder(variable);
    NamedAttribute mark(builder.getStringAttr(SharedMark),
                        variable->getAttrDictionary());
    auto local = fir::AllocaOp::create(
        builder, variable.getLoc(), variable.getInType(),
        variable.getUniqName().value_or(""),
        variable.getBindcName().value_or(""), variable.getTypeparams(),
        variable.getShape(), ArrayRef<NamedAttribute>(mark));
    variable.replaceAllUsesWith(local.getResult());
    variable.erase();
  }
};

struct LocalAsShared
    : public PassWrapper<LocalAsShared, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LocalAsShared)
  StringRef getArgument() const override { return "lower-local-as-shared"; }
  StringRef getDescription() const override {
    return "Turn local arrays that stand for shared ones back into these";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<cuf::CUFDialect>();
  }

  void runOnOperation() override {
    SmallVector<fir::AllocaOp> locals;
    getOperation().walk([&](fir::AllocaOp local) {
      if (local->hasAttr(SharedMark))
        locals.push_back(local);
    });
    for (fir::AllocaOp local : locals) {
      OpBuilder builder(local);
      auto variable = cuf::SharedMemoryOp::create(
          builder, local.getLoc(), local.getInType(),
          local.getUniqName().value_or(""), local.getBindcName().value_or(""),
          local.getTypeparams(), local.getShape());
      variable->setAttrs(local->getAttrOfType<DictionaryAttr>(SharedMark));
      local.replaceAllUsesWith(variable.getResult());
      local.erase();
    }
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createSharedAsLocal() {
  return std::make_unique<SharedAsLocal>();
}

std::unique_ptr<Pass> cufort::lower::createLocalAsShared() {
  return std::make_unique<LocalAsShared>();
}
