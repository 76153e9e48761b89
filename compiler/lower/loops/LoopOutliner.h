//===- LoopOutliner.h - one kernel loop becomes a kernel ------ -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LOOPS_LOOPOUTLINER_H
#define CUFORT_COMPILER_LOWER_LOOPS_LOOPOUTLINER_H

#include "compiler/lower/loops/KernelBuilder.h"
#include "mlir/IR/IRMapping.h"

namespace cufort::lower {

/// The line of the directive.
unsigned lineOf(mlir::Location location);

/// How the kernel runs through one axis of its loops.
struct AxisCode {
  mlir::Value trips, first, step, span; ///< parameters
  mlir::Value thread, base, end;
  mlir::Block *header = nullptr, *next = nullptr;
};

/// A reduction, with the variable that a thread has for it.
struct ReducedVariable {
  hlfir::DeclareOp declare;
  LoopVariable variable;
  mlir::Type type;
  mlir::Value local;
  unsigned argument = 0; ///< of the first kernel: the partial results
};

/// The limits of a loop whose variable is real, in its type: where the others
/// count from the lower limit, this one counts its iterations from zero.
struct RealLimits {
  mlir::Value lower, step;
};

/// A record of the host, or a part of one, that may be out of the kernel's
/// reach, which only the runtime can tell.
struct HostArgument {
  unsigned argument; ///< of the first kernel
  bool assigned;     ///< by the loop
  std::string name;  ///< as the user wrote it
};

/// One kernel loop. OutlineKernelLoops.cpp says what is made of it; the parts
/// are in LoopCaptures.cpp (the variables), LoopCode.cpp (the kernel),
/// LoopLaunch.cpp (the host), LoopReals.cpp (real loop variables) and
/// LoopHostData.cpp (records of the host).
class LoopOutliner {
public:
  LoopOutliner(cuf::KernelOp loop, LoopVariables &variables, std::string name)
      : loop(loop), variables(variables), location(loop.getLoc()),
        host(loop,
             fir::getKindMapping(loop->getParentOfType<mlir::ModuleOp>())),
        kernel(loop->getParentOfType<mlir::ModuleOp>(), location, name),
        device(kernel.builder), name(std::move(name)) {}

  mlir::LogicalResult run();

private:
  unsigned axes() const { return std::min<unsigned>(depth, Axes); }
  bool reduces() const { return !reductions.empty(); }

  /// Whether the runtime may launch blocks of another shape than is written: it
  /// matters to the CPU how loops over several axes go through memory.
  bool canBeRows();

  /// The limits are evaluated once, before the loops: an inner one that depends
  /// on an outer variable would use an old value.
  mlir::LogicalResult checkLimits();

  hlfir::DeclareOp dependence(mlir::Value value, unsigned depthOfSearch);
  mlir::LogicalResult checkShape();

  //===--- the host: extents and trips ---===//
  void blocks();

  /// max(0, (upper - lower + step) / step) of every loop, and of every axis.
  void countTrips();

  /// The iterations of the loops whose variables are real, as limits of loops
  /// that integers go through. Needs the loop variables; leaves such limits.
  void countRealLoops();

  /// The real number of an iteration.
  mlir::Value realNumber(fir::FirOpBuilder &builder, unsigned level,
                         mlir::Value iteration, mlir::Type type);

  mlir::Value createArray(llvm::ArrayRef<mlir::Value> values, mlir::Type type);
  mlir::Value place(mlir::Value array, int64_t index);
  mlir::Value pointer(mlir::Value value);

  //===--- the kernel: parameters ---===//
  /// Parameters whose arguments the runtime fills in: first, step and span of
  /// each axis.
  void mappingParameters();

  mlir::Value mappingParameter(unsigned index);
  mlir::LogicalResult bringVariables();

  mlir::LogicalResult bring(hlfir::DeclareOp declare) {
    return bring(declare.getResult(0));
  }

  /// Makes the host's \p value known in the kernel.
  mlir::LogicalResult bring(mlir::Value value);

  /// Operations without memory that the kernel may just as well do itself.
  static bool isRepeatable(mlir::Operation *op);

  /// Device variables of modules, and constants.
  static bool isOnDevice(fir::AddrOfOp address);

  mlir::LogicalResult bringValue(mlir::Value value);
  mlir::LogicalResult bringVariable(hlfir::DeclareOp declare);
  mlir::LogicalResult reportHostData(hlfir::DeclareOp declare);
  mlir::LogicalResult bringDeviceData(hlfir::DeclareOp declare);

  /// The same declaration in the kernel, of memory \p address.
  void redeclare(hlfir::DeclareOp declare, mlir::Value address);

  llvm::SmallVector<mlir::Value> mapAll(mlir::ValueRange values);

  mlir::LogicalResult bringPrivate(hlfir::DeclareOp declare, mlir::Type type,
                                   LoopVariable variable);

  //===--- the kernel: loops ---===//
  bool isLoopVariable(hlfir::DeclareOp declare) {
    return llvm::is_contained(loopVariables, declare);
  }

  void emitLoops();
  void emitGuardedBody(mlir::Block *latch);
  mlir::Block *insertBlock(mlir::Block *before);

  /// One loop with a small body is written twice: for steps in which every
  /// thread has an iteration, without a question, and for the last one.
  bool isWorthTwice();

  void emitFullSteps();

  /// How many steps from the base on lie before the end as a whole.
  mlir::Value countFullSteps(mlir::Value threads);

  /// The values of the loop variables in this iteration.
  void defineNumbers(mlir::Block &start);

  void defineNumber(mlir::BlockArgument number, unsigned level,
                    mlir::Value origin, mlir::Value step, mlir::Value thread);

  /// A bound that is a constant stays one.
  mlir::Value bringNumber(mlir::Value wide, mlir::Value original);

  /// With more than three loops, the outer ones share the z axis.
  mlir::Value collapsedNumber(unsigned level);

  mlir::Value count(unsigned level);

  /// A body with jumps arrives as blocks that contain the parallel loops once
  /// more. Each of them gets the one iteration that this thread is to run: its
  /// first value is the loop's number, its count is one.
  void limitRepeatedLoops();

  /// \p block may set \p variable and the count before it goes to the head of
  /// a loop, which tests the count.
  void limitLoop(mlir::Block &block, hlfir::DeclareOp variable,
                 mlir::Value number);

  /// The body uses the kernel's variables from here on.
  void finishCaptures();

  /// Puts \p region, the loop's body or a copy, where the kernel's code is
  /// being written; it goes on at \p latch.
  void emitBody(mlir::Region &region, mlir::Block *latch);

  void replaceInside(mlir::Value from, mlir::Value to);

  //===--- reductions ---===//
  mlir::Type partialType(mlir::Type type);
  void emitPartialResults();

  /// As many reductions at a time as shared memory has places for.
  llvm::SmallVector<llvm::MutableArrayRef<ReducedVariable>>
  groups(std::optional<int64_t> threads);

  static int64_t bytesOf(mlir::Type type, const fir::KindMapping &kinds);

  //===--- the launch ---===//
  void launch();

  void launchKernel(KernelBuilder &which, llvm::StringRef symbol,
                    llvm::ArrayRef<mlir::Value> grid,
                    llvm::ArrayRef<mlir::Value> threads);

  mlir::Value call(llvm::StringRef function,
                   llvm::ArrayRef<mlir::Value> arguments,
                   llvm::ArrayRef<mlir::Type> results);

  mlir::Value filePointer() {
    return pointer(fir::factory::locationToFilename(host, location));
  }

  mlir::Value lineNumber() {
    return fir::factory::locationToLineNo(host, location, host.getI32Type());
  }

  mlir::Value streamPointer();

  mlir::Value constant64(int64_t value) {
    return host.createIntegerConstant(location, host.getI64Type(), value);
  }

  //===--- the launch: records of the host ---===//
  /// The parameter just added leads to \p value, which may be out of reach.
  void noteHostArgument(mlir::Value value, llvm::StringRef name);

  /// Gives the launch addresses that the kernel reaches. Returns what
  /// releaseHostArguments wants.
  llvm::SmallVector<mlir::Value> reachHostArguments();
  mlir::Value reach(const HostArgument &asked);
  void releaseHostArguments(llvm::ArrayRef<mlir::Value> copies);

  /// Memory for the partial results, one array after the other.
  mlir::Value beginReduction(llvm::ArrayRef<mlir::Value> grid);

  void endReduction(mlir::Value workspace);

  /// The second kernel: one block combines the partial results.
  void launchFinish();

  /// Where the result goes: a device variable, or the memory that the host
  /// reads.
  mlir::Value resultTarget(ReducedVariable &reduced, unsigned index);

  /// do number = thread, count - 1, FinishThreads
  void emitPartialLoop(KernelBuilder &finish, mlir::Value count,
                       mlir::Value thread,
                       llvm::function_ref<void(mlir::Value)> body);

  //===--- -Minfo=accel ---===//
  void printExtents(llvm::raw_ostream &os, mlir::OperandRange values);
  void report();

  //===--- after the loop ---===//
  /// The loop variables have the values that a sequential loop leaves.
  void storeLoopVariables();

  cuf::KernelOp loop;
  LoopVariables &variables;
  mlir::Location location;
  fir::FirOpBuilder host;
  KernelBuilder kernel;
  fir::FirOpBuilder &device;
  std::string name;
  unsigned depth = 0;
  bool isShapedByRuntime = false;
  llvm::SmallVector<mlir::Value> block;
  std::optional<int64_t> knownThreads;
  llvm::SmallVector<mlir::Value> lowers, steps,
      counts; ///< by loop, the outermost first

  llvm::SmallVector<mlir::Value> trips; ///< by axis
  mlir::Value mapping;

  llvm::SmallVector<std::pair<unsigned, unsigned>> mappingArguments;
  llvm::SmallVector<hlfir::DeclareOp> loopVariables;
  llvm::SmallVector<RealLimits> reals; ///< by loop; null where it is none
  llvm::SmallVector<AxisCode, Axes> axisCode;
  mlir::Block *after = nullptr;
  mlir::IRMapping map;
  llvm::SmallVector<ReducedVariable> reductions;
  /// What the private variables that iterations may read first begin with.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> firstValues;
  llvm::SmallVector<HostArgument> hostArguments;
  mlir::Value blockCount, resultBytes, resultAddress;
};

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LOOPS_LOOPOUTLINER_H
