//===- KernelLoopDependences.cpp - arrays that iterations share -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether parallel execution is legal is the program's responsibility; what is
// wrong for certain is an error all the same. Only assignments that every
// iteration executes count, and only subscripts of the forms i, i + 1, 3: a
// test in the body may well keep iterations apart (red and black points, say).
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/KernelLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace cufort::lower {
namespace {

/// A subscript: a parallel loop's variable plus a constant, or a constant.
struct Subscript {
  int level = -1; ///< of the loop, -1 for a constant
  int64_t offset = 0;
};

class DependenceCheck {
public:
  explicit DependenceCheck(cuf::KernelOp loop)
      : loop(loop), variables(loopVariables(loop)) {}

  LogicalResult run() {
    bool failed = false;
    for (auto assign : loop.getRegion().front().getOps<hlfir::AssignOp>())
      failed |= mlir::failed(check(assign));
    return failure(failed);
  }

private:
  LogicalResult check(hlfir::AssignOp assign) {
    auto target = assign.getLhs().getDefiningOp<hlfir::DesignateOp>();
    auto written = target ? subscripts(target) : std::nullopt;
    if (!written)
      return success();
    LogicalResult result = success();
    loop.getRegion().walk([&](fir::LoadOp load) {
      auto source = load.getMemref().getDefiningOp<hlfir::DesignateOp>();
      if (failed(result) || !source || !isSameArray(source, target))
        return;
      if (auto read = subscripts(source))
        result = compare(assign, target, *written, load, *read);
    });
    return result;
  }

  LogicalResult compare(hlfir::AssignOp assign, hlfir::DesignateOp target,
                        ArrayRef<Subscript> written, fir::LoadOp load,
                        ArrayRef<Subscript> read) {
    bool apart = false;
    llvm::SmallBitVector named(variables.size());
    for (auto [w, r] : llvm::zip(written, read)) {
      if (w.level != r.level)
        return success();
      if (w.level >= 0)
        named.set(w.level);
      if (w.offset == r.offset)
        continue;
      std::optional<int64_t> step =
          w.level >= 0 ? constant(loop.getStep()[w.level]) : std::nullopt;
      if (!step || (w.offset - r.offset) % *step)
        return success();
      apart = true;
    }
    StringRef name = arrayName(target);
    if (apart) {
      InFlightDiagnostic error =
          emitError(assign.getLoc())
          << "an iteration of the kernel loop assigns an element of '" << name
          << "' that another one reads, but iterations run in parallel and in "
             "any order; read from a second array";
      error.attachNote(load.getLoc()) << "'" << name << "' is read here";
      return failure();
    }
    if (named.all() || !dependsOn(assign.getRhs(), load, 0))
      return success();
    return emitError(assign.getLoc())
           << "all iterations of the kernel loop change the same element of '"
           << name
           << "', but they run in parallel; sum in a scalar, which is "
              "recognised as a reduction";
  }

  static bool dependsOn(Value value, fir::LoadOp load, unsigned depth) {
    Operation *op = value.getDefiningOp();
    if (!op || depth > 60)
      return false;
    return op == load || llvm::any_of(op->getOperands(), [&](Value operand) {
             return dependsOn(operand, load, depth + 1);
           });
  }

  static StringRef arrayName(hlfir::DesignateOp element) {
    if (hlfir::DeclareOp declare = arrayOf(element))
      return variableName(declare);
    return "";
  }

  /// The array's declaration; null for components and the like.
  static hlfir::DeclareOp arrayOf(hlfir::DesignateOp element) {
    Value base = element.getMemref();
    if (auto load = base.getDefiningOp<fir::LoadOp>())
      base = load.getMemref();
    return base.getDefiningOp<hlfir::DeclareOp>();
  }

  static bool isSameArray(hlfir::DesignateOp a, hlfir::DesignateOp b) {
    hlfir::DeclareOp array = arrayOf(a);
    return array && array == arrayOf(b);
  }

  std::optional<SmallVector<Subscript>> subscripts(hlfir::DesignateOp element) {
    if (!arrayOf(element) || element.getComponent() ||
        element.getIndices().empty() ||
        llvm::is_contained(element.getIsTriplet(), true))
      return std::nullopt;
    SmallVector<Subscript> result;
    for (Value index : element.getIndices()) {
      std::optional<Subscript> subscript = subscriptOf(index);
      if (!subscript)
        return std::nullopt;
      result.push_back(*subscript);
    }
    return result;
  }

  static std::optional<int64_t> constant(Value value) {
    while (auto convert = value.getDefiningOp<fir::ConvertOp>())
      value = convert.getValue();
    llvm::APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return number.getSExtValue();
    return std::nullopt;
  }

  std::optional<Subscript> subscriptOf(Value value) {
    while (auto convert = value.getDefiningOp<fir::ConvertOp>())
      value = convert.getValue();
    if (std::optional<int64_t> known = constant(value))
      return Subscript{-1, *known};
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast_or_null<fir::LoadOp>(op)) {
      auto declare = load.getMemref().getDefiningOp<hlfir::DeclareOp>();
      auto it = llvm::find(variables, declare);
      if (!declare || it == variables.end())
        return std::nullopt;
      return Subscript{static_cast<int>(it - variables.begin()), 0};
    }
    if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
      return std::nullopt;
    bool minus = isa<arith::SubIOp>(op);
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (!minus && constant(a))
      std::swap(a, b);
    std::optional<int64_t> distance = constant(b);
    std::optional<Subscript> origin = subscriptOf(a);
    if (!distance || !origin)
      return std::nullopt;
    origin->offset += minus ? -*distance : *distance;
    return origin;
  }

  cuf::KernelOp loop;
  SmallVector<hlfir::DeclareOp> variables;
};

} // namespace

SmallVector<hlfir::DeclareOp> loopVariables(cuf::KernelOp loop) {
  SmallVector<hlfir::DeclareOp> variables;
  for (BlockArgument number : loop.getRegion().front().getArguments()) {
    hlfir::DeclareOp found;
    for (Operation *user : number.getUsers()) {
      auto convert = dyn_cast<fir::ConvertOp>(user);
      Value stored = convert ? convert.getResult() : Value(number);
      for (Operation *last : stored.getUsers())
        if (auto store = dyn_cast<fir::StoreOp>(last);
            store && store.getValue() == stored && !found)
          found = store.getMemref().getDefiningOp<hlfir::DeclareOp>();
    }
    variables.push_back(found);
  }
  return variables;
}

LogicalResult checkDependences(cuf::KernelOp loop) {
  return DependenceCheck(loop).run();
}

} // namespace cufort::lower
