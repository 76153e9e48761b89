//===- LoopLaunch.cpp - the host's side of a kernel loop ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "compiler/lower/loops/LoopOutliner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace cufort::lower;

static constexpr char GridFunction[] = "_FortranACUFLoopGrid";
static constexpr char BeginFunction[] = "_FortranACUFReductionBegin";
static constexpr char EndFunction[] = "_FortranACUFReductionEnd";

/// Threads of the block that combines partial results.
static constexpr int64_t FinishThreads = 256;

/// What `*` means for the threads of a block, by the number of loops.
static constexpr int64_t DefaultBlock[Axes][Axes] = {
    {256, 1, 1}, {32, 8, 1}, {32, 4, 2}};

/// Of what a block can have without asking, half is left for the body.
static constexpr int64_t MostSharedBytes = 24 * 1024;

/// Results of different types lie at multiples of this in one buffer.
static constexpr int64_t ResultBytes = 16;

static Value multiply(fir::FirOpBuilder &host, Location location, Value extent,
                      Value other) {
  Type i32 = host.getI32Type();
  std::optional<int64_t> left = constantValue(extent),
                         right = constantValue(other);
  if (left && right)
    return host.createIntegerConstant(location, i32, *left * *right);
  return arith::MulIOp::create(host, location,
                               host.createConvert(location, i32, extent),
                               host.createConvert(location, i32, other));
}

void LoopOutliner::blocks() {
  for (unsigned axis = 0; axis < Axes; ++axis) {
    int64_t chosen = DefaultBlock[axes() - 1][axis];
    Value value;
    if (axis < loop.getBlock().size()) {
      value = loop.getBlock()[axis];
      if (constantValue(value) == 0)
        value = {};
    } else if (!loop.getBlock().empty()) {
      chosen = 1;
    }
    // Other compilers take more extents than there are loops.
    if (value && axis >= axes()) {
      if (constantValue(loop.getBlock()[0]) != 0)
        block[0] = multiply(host, location, block[0], value);
      value = {};
      chosen = 1;
    }
    if (!value)
      value = host.createIntegerConstant(location, host.getI32Type(), chosen);
    block.push_back(value);
  }
  int64_t threads = 1;
  for (Value extent : block) {
    std::optional<int64_t> known = constantValue(extent);
    if (!known || *known < 1 || *known > MaxThreads)
      return;
    threads *= *known;
  }
  if (threads <= MaxThreads)
    knownThreads = threads;
}

void LoopOutliner::countTrips() {
  Type i64 = host.getI64Type();
  Value zero = host.createIntegerConstant(location, i64, 0);
  for (unsigned level = 0; level < depth; ++level) {
    Value lower =
        host.createConvert(location, i64, loop.getLowerbound()[level]);
    Value upper =
        host.createConvert(location, i64, loop.getUpperbound()[level]);
    Value step = host.createConvert(location, i64, loop.getStep()[level]);
    Value count = arith::SubIOp::create(host, location, upper, lower);
    count = arith::AddIOp::create(host, location, count, step);
    count = arith::DivSIOp::create(host, location, count, step);
    count = arith::MaxSIOp::create(host, location, count, zero);
    lowers.push_back(lower);
    steps.push_back(step);
    counts.push_back(count);
  }
  for (unsigned axis = 0; axis < Axes; ++axis)
    trips.push_back(axis < depth
                        ? counts[depth - 1 - axis]
                        : host.createIntegerConstant(location, i64, 1));
  for (unsigned level = 0; level + Axes < depth; ++level)
    trips[Axes - 1] =
        arith::MulIOp::create(host, location, trips[Axes - 1], counts[level]);
}

Value LoopOutliner::createArray(ArrayRef<Value> values, Type type) {
  Value array = host.createTemporary(
      location,
      fir::SequenceType::get(
          {static_cast<fir::SequenceType::Extent>(values.size())}, type));
  for (auto [index, value] : llvm::enumerate(values))
    if (value)
      fir::StoreOp::create(host, location, value, place(array, index));
  return array;
}

Value LoopOutliner::place(Value array, int64_t index) {
  auto type = cast<fir::SequenceType>(fir::unwrapRefType(array.getType()));
  return fir::CoordinateOp::create(host, location,
                                   host.getRefType(type.getEleTy()), array,
                                   ValueRange{host.createIntegerConstant(
                                       location, host.getIndexType(), index)});
}

Value LoopOutliner::pointer(Value value) {
  return host.createConvert(
      location, LLVM::LLVMPointerType::get(host.getContext()), value);
}

void LoopOutliner::mappingParameters() {
  Type i64 = host.getI64Type();
  mapping = createArray(SmallVector<Value>(3 * Axes, Value()), i64);
  for (unsigned axis = 0; axis < axes(); ++axis) {
    AxisCode code;
    // The arguments are loaded after the runtime's choice.
    code.trips = kernel.addParameter(trips[axis]);
    code.first = mappingParameter(3 * axis);
    code.step = mappingParameter(3 * axis + 1);
    code.span = mappingParameter(3 * axis + 2);
    axisCode.push_back(code);
  }
}

Value LoopOutliner::mappingParameter(unsigned index) {
  mappingArguments.push_back({kernel.arguments.size(), index});
  return kernel.addParameter(Value(), kernel.i64(), false);
}

Type LoopOutliner::partialType(Type type) {
  return fir::ReferenceType::get(
      fir::SequenceType::get({fir::SequenceType::getUnknownExtent()}, type));
}

SmallVector<MutableArrayRef<ReducedVariable>>
LoopOutliner::groups(std::optional<int64_t> threads) {
  fir::KindMapping kinds = host.getKindMap();
  SmallVector<MutableArrayRef<ReducedVariable>> result;
  MutableArrayRef<ReducedVariable> all = reductions;
  size_t start = 0;
  int64_t bytes = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    int64_t more = bytesOf(all[i].type, kinds) * threads.value_or(MaxThreads);
    if (i > start && bytes + more > MostSharedBytes) {
      result.push_back(all.slice(start, i - start));
      start = i;
      bytes = 0;
    }
    bytes += more;
  }
  result.push_back(all.drop_front(start));
  return result;
}

int64_t LoopOutliner::bytesOf(Type type, const fir::KindMapping &kinds) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * bytesOf(complex.getElementType(), kinds);
  if (auto logical = dyn_cast<fir::LogicalType>(type))
    return kinds.getLogicalBitsize(logical.getFKind()) / 8;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

void LoopOutliner::launch() {
  Type i32 = host.getI32Type(), i64 = host.getI64Type();
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < Axes; ++axis) {
    if (axis < std::min<size_t>(axes(), loop.getGrid().size()))
      extents.push_back(loop.getGrid()[axis]);
    else
      extents.push_back(host.createIntegerConstant(location, i32, 0));
  }
  Value grid = createArray(extents, i32);
  Value shape = createArray(block, i32);
  Value stub = pointer(
      fir::AddrOfOp::create(host, location, kernel.kernel.getFunctionType(),
                            SymbolRefAttr::get(host.getContext(), name)));
  call(GridFunction,
       {stub, pointer(createArray(trips, i64)), pointer(shape), pointer(grid),
        pointer(mapping), host.createIntegerConstant(location, i32, reduces()),
        host.createIntegerConstant(location, i32, isShapedByRuntime)},
       {});
  SmallVector<Value> gridValues, blockValues = block;
  for (unsigned axis = 0; axis < Axes; ++axis) {
    gridValues.push_back(
        fir::LoadOp::create(host, location, place(grid, axis)));
    if (isShapedByRuntime)
      blockValues[axis] =
          fir::LoadOp::create(host, location, place(shape, axis));
  }
  for (auto [argument, index] : mappingArguments)
    kernel.arguments[argument] =
        fir::LoadOp::create(host, location, place(mapping, index));

  Value workspace = reduces() ? beginReduction(gridValues) : Value();
  SmallVector<Value> copies = reachHostArguments();
  launchKernel(kernel, name, gridValues, blockValues);
  releaseHostArguments(copies);
  if (reduces())
    endReduction(workspace);
}

void LoopOutliner::launchKernel(KernelBuilder &which, StringRef symbol,
                                ArrayRef<Value> grid, ArrayRef<Value> threads) {
  cuf::KernelLaunchOp::create(
      host, location, SymbolRefAttr::get(host.getContext(), symbol), grid[0],
      grid[1], grid[2], threads[0], threads[1], threads[2],
      /*bytes=*/Value(), loop.getStream(), which.arguments,
      /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
}

Value LoopOutliner::call(StringRef function, ArrayRef<Value> arguments,
                         ArrayRef<Type> results) {
  func::FuncOp callee = host.getNamedFunction(function);
  if (!callee) {
    SmallVector<Type> types;
    for (Value argument : arguments)
      types.push_back(argument.getType());
    callee = host.createFunction(
        location, function,
        FunctionType::get(host.getContext(), types, results));
  }
  auto op = fir::CallOp::create(host, location, callee, arguments);
  return results.empty() ? Value() : op.getResult(0);
}

Value LoopOutliner::streamPointer() {
  if (loop.getStream())
    return pointer(loop.getStream());
  return LLVM::ZeroOp::create(host, location,
                              LLVM::LLVMPointerType::get(host.getContext()));
}

Value LoopOutliner::beginReduction(ArrayRef<Value> grid) {
  Type i64 = host.getI64Type();
  fir::KindMapping kinds = host.getKindMap();
  blockCount = host.createConvert(location, i64, grid[0]);
  for (unsigned axis = 1; axis < Axes; ++axis)
    blockCount =
        arith::MulIOp::create(host, location, blockCount,
                              host.createConvert(location, i64, grid[axis]));
  Value offset = constant64(0);
  SmallVector<Value> offsets;
  for (ReducedVariable &reduced : reductions) {
    offsets.push_back(offset);
    int64_t bytes = llvm::alignTo(bytesOf(reduced.type, kinds), ResultBytes);
    offset = arith::AddIOp::create(
        host, location, offset,
        arith::MulIOp::create(host, location, blockCount, constant64(bytes)));
  }
  Type pointerType = LLVM::LLVMPointerType::get(host.getContext());
  Value partial = host.createTemporary(location, i64);
  Value results = host.createTemporary(location, i64);
  resultBytes = constant64(ResultBytes * int64_t(reductions.size()));
  Value workspace = call(BeginFunction,
                         {offset, resultBytes, pointer(partial),
                          pointer(results), filePointer(), lineNumber()},
                         {pointerType});
  Value address = fir::LoadOp::create(host, location, partial);
  resultAddress = fir::LoadOp::create(host, location, results);
  for (auto [reduced, offset] : llvm::zip(reductions, offsets)) {
    Value place = arith::AddIOp::create(host, location, address, offset);
    kernel.arguments[reduced.argument] =
        host.createConvert(location, partialType(reduced.type), place);
  }
  return workspace;
}

void LoopOutliner::endReduction(Value workspace) {
  launchFinish();
  Type bytes = fir::SequenceType::get(
      {static_cast<fir::SequenceType::Extent>(reductions.size())},
      ComplexType::get(host.getF64Type()));
  Value results = host.createTemporary(location, bytes);
  call(EndFunction,
       {workspace, streamPointer(), resultBytes, pointer(results),
        filePointer(), lineNumber()},
       {});
  for (auto [index, reduced] : llvm::enumerate(reductions)) {
    if (reduced.variable.onDevice)
      continue;
    Value address = host.createConvert(
        location, fir::ReferenceType::get(reduced.type), place(results, index));
    Value before =
        fir::LoadOp::create(host, location, reduced.declare.getMemref());
    Value total = fir::LoadOp::create(host, location, address);
    Value both = createCombination(host, location, reduced.variable.reduction,
                                   before, total);
    fir::StoreOp::create(host, location, both, reduced.declare.getMemref());
  }
}

void LoopOutliner::launchFinish() {
  std::string finishName = name + "_red";
  KernelBuilder finish(loop->getParentOfType<ModuleOp>(), location, finishName);
  fir::FirOpBuilder &code = finish.builder;
  Value count = finish.addParameter(blockCount);
  Value thread = finish.threadIndices()[0];
  Value threads = finish.constant32(FinishThreads);
  Value isFirst = arith::CmpIOp::create(
      code, location, arith::CmpIPredicate::eq, thread, finish.constant32(0));
  unsigned index = 0;
  for (MutableArrayRef<ReducedVariable> group : groups(FinishThreads)) {
    SmallVector<Value> partials, sums, targets;
    for (ReducedVariable &reduced : group) {
      partials.push_back(
          finish.addParameter(kernel.arguments[reduced.argument], true));
      targets.push_back(
          finish.addParameter(resultTarget(reduced, index++), true));
      sums.push_back(fir::AllocaOp::create(code, location, reduced.type));
      fir::StoreOp::create(code, location,
                           createIdentity(code, location,
                                          reduced.variable.reduction,
                                          reduced.type),
                           sums.back());
    }
    emitPartialLoop(finish, count, thread, [&](Value number) {
      for (auto [reduced, partial, sum] : llvm::zip(group, partials, sums)) {
        Value before = fir::LoadOp::create(code, location, sum);
        Value next = fir::LoadOp::create(
            code, location, finish.element(partial, count, number));
        fir::StoreOp::create(code, location,
                             createCombination(code, location,
                                               reduced.variable.reduction,
                                               before, next),
                             sum);
      }
    });
    SmallVector<KernelBuilder::Partial> mine;
    for (auto [reduced, sum] : llvm::zip(group, sums))
      mine.push_back({reduced.variable.reduction,
                      fir::LoadOp::create(code, location, sum)});
    SmallVector<Value> results =
        finish.reduceBlock(mine, thread, threads, FinishThreads);
    finish.emitIf(isFirst, [&] {
      for (auto [reduced, result, target] :
           llvm::zip(group, results, targets)) {
        Value total = fir::LoadOp::create(code, location, result);
        if (reduced.variable.onDevice) {
          Value before = fir::LoadOp::create(code, location, target);
          total = createCombination(code, location, reduced.variable.reduction,
                                    before, total);
        }
        fir::StoreOp::create(code, location, total, target);
      }
    });
  }
  func::ReturnOp::create(code, location);
  finish.finish();
  Value one = host.createIntegerConstant(location, host.getI32Type(), 1);
  Value block =
      host.createIntegerConstant(location, host.getI32Type(), FinishThreads);
  launchKernel(finish, finishName, {one, one, one}, {block, one, one});
}

Value LoopOutliner::resultTarget(ReducedVariable &reduced, unsigned index) {
  Type type = fir::ReferenceType::get(reduced.type);
  if (!reduced.variable.onDevice)
    return host.createConvert(
        location, type,
        arith::AddIOp::create(host, location, resultAddress,
                              constant64(ResultBytes * index)));
  Value address = reduced.declare.getMemref();
  if (auto global = address.getDefiningOp<fir::AddrOfOp>())
    return cuf::DeviceAddressOp::create(host, location, type,
                                        global.getSymbol());
  return address;
}

void LoopOutliner::printExtents(llvm::raw_ostream &os, OperandRange values) {
  auto print = [&](Value value) {
    std::optional<int64_t> known = constantValue(value);
    if (!known)
      os << "n";
    else if (*known == 0)
      os << "*";
    else
      os << *known;
  };
  if (values.empty()) {
    SmallVector<StringRef> stars(axes(), "*");
    std::string list = llvm::join(stars, ",");
    os << (axes() == 1 ? list : "(" + list + ")");
  } else if (values.size() == 1)
    print(values[0]);
  else {
    os << "(";
    llvm::interleave(values, os, print, ",");
    os << ")";
  }
}

void LoopOutliner::report() {
  auto module = loop->getParentOfType<ModuleOp>();
  if (!module->hasAttr(ReportAttribute))
    return;
  StringRef procedure = name;
  procedure = procedure.drop_front(procedure.rfind('P') + 1);
  procedure = procedure.take_front(procedure.rfind("_gpu"));
  procedure = procedure.take_front(procedure.rfind('_'));
  llvm::raw_ostream &os = llvm::errs();
  os << procedure << ":\n"
     << llvm::format("%7u", lineOf(location))
     << ", kernel generated, !$cuf kernel do";
  if (depth > 1)
    os << "(" << depth << ")";
  os << " <<< ";
  printExtents(os, loop.getGrid());
  os << ", ";
  printExtents(os, loop.getBlock());
  os << " >>>\n";
  for (const ReducedVariable &reduced : reductions)
    os << "         " << reductionName(reduced.variable.reduction, reduced.type)
       << " reduction generated for " << variableName(reduced.declare) << "\n";
}

void LoopOutliner::storeLoopVariables() {
  Value runs;
  for (unsigned level = 0; level < depth; ++level) {
    hlfir::DeclareOp variable = loopVariables[level];
    Value end = arith::AddIOp::create(
        host, location, lowers[level],
        arith::MulIOp::create(host, location, counts[level], steps[level]));
    Value some =
        arith::CmpIOp::create(host, location, arith::CmpIPredicate::sgt,
                              counts[level], constant64(0));
    if (variable) {
      Value address = variable.getMemref();
      Type type = fir::unwrapRefType(address.getType());
      Value value = reals[level].lower
                        ? realNumber(host, level, counts[level], type)
                        : host.createConvert(location, type, end);
      // An inner loop starts only if the outer ones run.
      if (runs)
        value = arith::SelectOp::create(
            host, location, runs, value,
            fir::LoadOp::create(host, location, address));
      fir::StoreOp::create(host, location, value, address);
    }
    runs = runs ? arith::AndIOp::create(host, location, runs, some).getResult()
                : some;
  }
}

void LoopOutliner::emitPartialLoop(KernelBuilder &finish, Value count,
                                   Value thread,
                                   llvm::function_ref<void(Value)> body) {
  fir::FirOpBuilder &code = finish.builder;
  Block *header = finish.addBlock(), *inside = finish.addBlock(),
        *after = finish.addBlock();
  Value number = header->addArgument(finish.i64(), location);
  cf::BranchOp::create(code, location, header,
                       ValueRange{finish.extend(thread)});
  code.setInsertionPointToStart(header);
  cf::CondBranchOp::create(code, location, finish.less(number, count), inside,
                           after);
  code.setInsertionPointToStart(inside);
  body(number);
  Value next = arith::AddIOp::create(code, location, number,
                                     finish.constant64(FinishThreads));
  cf::BranchOp::create(code, location, header, ValueRange{next});
  code.setInsertionPointToStart(after);
}
