//===- KernelBuilder.h - a kernel while it is being made ------ -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LOOPS_KERNELBUILDER_H
#define CUFORT_COMPILER_LOWER_LOOPS_KERNELBUILDER_H

#include "compiler/lower/loops/KernelLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace cufort::lower {

/// The axes of grids and blocks.
inline constexpr unsigned Axes = 3;
/// The most threads that a block can have.
inline constexpr int64_t MaxThreads = 1024;

/// A kernel while it is being made: parameters appear as they are needed. The
/// code is a control flow graph; `builder` stands where it goes on.
class KernelBuilder {
public:
  KernelBuilder(mlir::ModuleOp module, mlir::Location location,
                llvm::StringRef name)
      : builder(module, fir::getKindMapping(module)), location(location) {
    builder.setInsertionPointToEnd(module.getBody());
    kernel = mlir::func::FuncOp::create(builder, location, name,
                                        builder.getFunctionType({}, {}));
    kernel->setAttr(cuf::getProcAttrName(),
                    cuf::ProcAttributeAttr::get(builder.getContext(),
                                                cuf::ProcAttribute::Global));
    entry = kernel.addEntryBlock();
    builder.setInsertionPointToStart(entry);
  }

  /// A parameter that receives \p argument.
  mlir::Value addParameter(mlir::Value argument, bool isDeviceData = false) {
    return addParameter(argument, argument.getType(), isDeviceData);
  }

  mlir::Value addParameter(mlir::Value argument, mlir::Type type,
                           bool isDeviceData);
  void finish();

  mlir::Value constant(int64_t value, mlir::Type type) {
    return builder.createIntegerConstant(location, type, value);
  }

  mlir::Value constant64(int64_t value) { return constant(value, i64()); }

  mlir::Value constant32(int64_t value) {
    return constant(value, builder.getI32Type());
  }

  mlir::Type i64() { return builder.getI64Type(); }

  template <typename X, typename Y, typename Z>
  llvm::SmallVector<mlir::Value, Axes> readRegisters() {
    mlir::Type i32 = builder.getI32Type();
    return {X::create(builder, location, i32),
            Y::create(builder, location, i32),
            Z::create(builder, location, i32)};
  }

  llvm::SmallVector<mlir::Value, Axes> threadIndices();
  llvm::SmallVector<mlir::Value, Axes> blockIndices();
  llvm::SmallVector<mlir::Value, Axes> blockExtents();
  llvm::SmallVector<mlir::Value, Axes> gridExtents();

  /// x + extent x * (y + extent y * z).
  mlir::Value linear(llvm::ArrayRef<mlir::Value> indices,
                     llvm::ArrayRef<mlir::Value> extents);

  mlir::Value extend(mlir::Value value) {
    return mlir::arith::ExtUIOp::create(builder, location, i64(), value);
  }

  /// Element \p index (from zero) of a one-dimensional array in memory.
  mlir::Value element(mlir::Value array, mlir::Value extent, mlir::Value index);

  /// if (condition) then(), with the blocks of a control flow graph.
  template <typename Then> void emitIf(mlir::Value condition, Then then) {
    mlir::Block *thenBlock = addBlock(), *afterwards = addBlock();
    mlir::cf::CondBranchOp::create(builder, location, condition, thenBlock,
                                   afterwards);
    builder.setInsertionPointToStart(thenBlock);
    then();
    mlir::cf::BranchOp::create(builder, location, afterwards);
    builder.setInsertionPointToStart(afterwards);
  }

  mlir::Block *addBlock();
  mlir::Value less(mlir::Value a, mlir::Value b);

  /// One value that each thread of a block brings.
  struct Partial {
    Reduction reduction;
    mlir::Value value;
  };

  /// Combines the \p partials of all threads of the block. Returns the places
  /// of the results, which are there for thread 0. \p threads is the number of
  /// threads, \p known the same if it is known.
  llvm::SmallVector<mlir::Value> reduceBlock(llvm::ArrayRef<Partial> partials,
                                             mlir::Value thread,
                                             mlir::Value threads,
                                             std::optional<int64_t> known);

  void barrier() { mlir::NVVM::Barrier0Op::create(builder, location); }
  fir::FirOpBuilder builder;
  mlir::Location location;
  mlir::func::FuncOp kernel;
  mlir::Block *entry;
  llvm::SmallVector<mlir::Value>
      arguments; ///< of the launch, one for each parameter
  llvm::SmallVector<bool> deviceData;

private:
  /// The place of value \p number; groups of values use them one after the
  /// other.
  mlir::Value sharedArray(mlir::Type type, int64_t places, unsigned number);

  llvm::DenseMap<std::pair<mlir::Type, unsigned>, mlir::Value> sharedArrays;
};

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LOOPS_KERNELBUILDER_H
