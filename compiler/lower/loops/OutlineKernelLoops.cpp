//===- OutlineKernelLoops.cpp - kernel loops become kernels ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel of
//
//   !$cuf kernel do(2) <<<grid, block>>>
//
// runs, with axis x for the innermost loop and so on outwards,
//
//   do base(y) = blockidx%y * first(y), min(trips, ... + span(y)), step(y)
//     do base(x) = ...
//       if (base(x) + threadidx%x and base(y) + threadidx%y in range) body
//
// A single loop with a small body has the steps in which all threads have an
// iteration first, without the question, and then the last one.
//
// The loops have the same trips in all threads of a block; which iterations a
// block runs is the runtime's choice (_FortranACUFLoopGrid), and with several
// axes also its shape: nothing in the loop can tell.
//
// A reduced variable is private and starts from the identity. At the end the
// threads of a block combine theirs in shared memory, in an order given by the
// thread's number alone; the block writes one partial result. A second kernel
// of one block combines these in the same manner. Results therefore depend on
// the shape of the launch only.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/loops/LoopOutliner.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/HLFIR/HLFIRDialect.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "image/DeviceCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

std::optional<int64_t> cufort::lower::constantValue(Value value) {
  while (auto convert = value.getDefiningOp<fir::ConvertOp>())
    value = convert.getValue();
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

unsigned cufort::lower::lineOf(Location location) {
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    return place.getLine();
  return 0;
}

LogicalResult LoopOutliner::run() {
  host.setInsertionPoint(loop);
  depth = loop.getLowerbound().size();
  // What has been begun is no function.
  auto abandon = [&] {
    kernel.kernel.erase();
    return failure();
  };
  if (failed(checkShape()) || failed(checkLimits()))
    return abandon();
  countRealLoops();
  isShapedByRuntime = canBeRows();
  blocks();
  countTrips();
  mappingParameters();
  if (failed(bringVariables()))
    return abandon();
  emitLoops();
  emitPartialResults();
  func::ReturnOp::create(device, location);
  kernel.finish();
  if (isShapedByRuntime) {
    Builder builder(loop.getContext());
    kernel.kernel->setAttr("passthrough",
                           builder.getArrayAttr(builder.getStrArrayAttr(
                               {cufort::image::LoopAxesAttribute,
                                llvm::StringRef(std::to_string(axes()))})));
  }
  launch();
  storeLoopVariables();
  report();
  loop.erase();
  return success();
}

LogicalResult LoopOutliner::checkLimits() {
  loopVariables = cufort::lower::loopVariables(loop);
  for (auto [level, variable] : llvm::enumerate(loopVariables))
    for (auto store : loop.getRegion().front().getOps<fir::StoreOp>())
      if (variable && store.getMemref() == variable.getResult(0))
        store->setAttr(
            IterationAttribute,
            IntegerAttr::get(IntegerType::get(loop.getContext(), 32), level));
  for (unsigned level = 1; level < depth; ++level)
    for (Value limit : {loop.getLowerbound()[level],
                        loop.getUpperbound()[level], loop.getStep()[level]})
      if (hlfir::DeclareOp variable = dependence(limit, 0))
        return emitError(location)
               << "the limits of loop " << level + 1
               << " of this kernel loop depend on '" << variableName(variable)
               << "', which the loops change; limits must be invariant "
                  "(name fewer loops in the directive, DO("
               << level << "))";
  return success();
}

hlfir::DeclareOp LoopOutliner::dependence(Value value, unsigned depthOfSearch) {
  Operation *op = value.getDefiningOp();
  if (!op || depthOfSearch > 100)
    return {};
  if (auto declare = dyn_cast<hlfir::DeclareOp>(op)) {
    auto it = variables.find(declare);
    bool changes = isLoopVariable(declare) || it != variables.end();
    return changes ? declare : hlfir::DeclareOp();
  }
  for (Value operand : op->getOperands())
    if (hlfir::DeclareOp found = dependence(operand, depthOfSearch + 1))
      return found;
  return {};
}

LogicalResult LoopOutliner::checkShape() {
  for (auto [values, what, rest] :
       {std::tuple{loop.getGrid(), "grid", "the others are ignored"},
        {loop.getBlock(), "block",
         "the threads of the others go to the innermost loop"}})
    if (llvm::any_of(values.drop_front(std::min<size_t>(axes(), values.size())),
                     [](Value extent) {
                       // Stars are zeros.
                       std::optional<int64_t> known = constantValue(extent);
                       return !known || *known > 1;
                     }))
      emitWarning(location)
          << "the " << what << " of this kernel loop has " << values.size()
          << " extents, but the directive names " << depth
          << (depth == 1 ? " loop" : " loops")
          << "; each extent belongs to one loop, the first to the innermost: "
          << rest;
  return success();
}

/// A plane of threads that go through a long loop together is better off as
/// tiles: neighbouring rows share what they read, or at least its pages.
bool LoopOutliner::canBeRows() {
  if (axes() != 2)
    return axes() > 2;
  // What a shorter loop reads is still in the cache when the next row comes.
  constexpr int64_t FewIterations = 32;
  return !loop.getRegion()
              .walk([&](fir::DoLoopOp inner) {
                std::optional<int64_t> lower =
                                           constantValue(inner.getLowerBound()),
                                       upper =
                                           constantValue(inner.getUpperBound());
                return lower && upper && *upper - *lower < FewIterations
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

namespace {

struct OutlineKernelLoops
    : public PassWrapper<OutlineKernelLoops, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutlineKernelLoops)
  StringRef getArgument() const override {
    return "lower-outline-kernel-loops";
  }
  StringRef getDescription() const override {
    return "Turn kernel loops into kernels and their launches";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    LLVM::LLVMDialect, NVVM::NVVMDialect, cuf::CUFDialect,
                    fir::FIROpsDialect, hlfir::hlfirDialect>();
  }

  void runOnOperation() override {
    SmallVector<cuf::KernelOp> loops;
    getOperation().walk([&](cuf::KernelOp loop) { loops.push_back(loop); });
    for (cuf::KernelOp loop : loops) {
      LoopVariables variables;
      separateOptionals(loop);
      findWorkspaces(loop);
      if (failed(makeLocals(loop)) || failed(separateComponents(loop)) ||
          failed(checkHostComponents(loop)) || failed(checkDependences(loop)) ||
          failed(classifyVariables(loop, variables)) ||
          failed(LoopOutliner(loop, variables, kernelName(loop)).run()))
        signalPassFailure();
    }
    getOperation()->removeAttr(ReportAttribute);
  }

private:
  /// procedure_line_gpu, as nvfortran names its kernels.
  std::string kernelName(cuf::KernelOp loop) {
    auto func = loop->getParentOfType<func::FuncOp>();
    std::string procedure = func.getSymName().str();
    if (procedure == fir::NameUniquer::doProgramEntry()) {
      auto program = func->getAttrOfType<StringAttr>(fir::getSymbolAttrName());
      procedure =
          "_QP" + (program ? program.getValue().lower() : std::string("main"));
    }
    if (!StringRef(procedure).starts_with("_Q"))
      procedure = "_QP" + procedure;
    std::string base =
        procedure + "_" + std::to_string(lineOf(loop.getLoc())) + "_gpu";
    std::string name = base;
    for (unsigned count = 2; getOperation().lookupSymbol(name); ++count)
      name = base + std::to_string(count);
    return name;
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createOutlineKernelLoops() {
  return std::make_unique<OutlineKernelLoops>();
}
