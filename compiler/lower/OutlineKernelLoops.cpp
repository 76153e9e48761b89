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
// block runs is the runtime's choice (_FortranACUFLoopGrid).
//
// A reduced variable is private and starts from the identity. At the end the
// threads of a block combine theirs in shared memory, in an order given by the
// thread's number alone; the block writes one partial result. A second kernel
// of one block combines these in the same manner. Results therefore depend on
// the shape of the launch only.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/KernelLoops.h"
#include "compiler/lower/Lower.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/Todo.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/HLFIR/HLFIRDialect.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

constexpr char GridFunction[] = "_FortranACUFLoopGrid";
constexpr char BeginFunction[] = "_FortranACUFReductionBegin";
constexpr char EndFunction[] = "_FortranACUFReductionEnd";

constexpr unsigned Axes = 3;
/// The most threads that a block can have.
constexpr int64_t MaxThreads = 1024;
/// Threads of the block that combines partial results.
constexpr int64_t FinishThreads = 256;

/// What `*` means for the threads of a block, by the number of loops.
constexpr int64_t DefaultBlock[Axes][Axes] = {
    {256, 1, 1}, {32, 8, 1}, {32, 4, 2}};

/// Of what a block can have without asking, half is left for the body.
constexpr int64_t MostSharedBytes = 24 * 1024;

/// How large a body may be that is written twice.
constexpr unsigned MostOperationsTwice = 150;

/// Results of different types lie at multiples of this in one buffer.
constexpr int64_t ResultBytes = 16;

std::optional<int64_t> constantValue(Value value) {
  while (auto convert = value.getDefiningOp<fir::ConvertOp>())
    value = convert.getValue();
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

unsigned lineOf(Location location) {
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    return place.getLine();
  return 0;
}

//===----------------------------------------------------------------------===//
// Code common to both kernels of a loop
//===----------------------------------------------------------------------===//

/// A kernel while it is being made: parameters appear as they are needed.
class KernelBuilder {
public:
  KernelBuilder(ModuleOp module, Location location, StringRef name)
      : builder(module, fir::getKindMapping(module)), location(location) {
    builder.setInsertionPointToEnd(module.getBody());
    kernel = func::FuncOp::create(builder, location, name,
                                  builder.getFunctionType({}, {}));
    kernel->setAttr(cuf::getProcAttrName(),
                    cuf::ProcAttributeAttr::get(builder.getContext(),
                                                cuf::ProcAttribute::Global));
    entry = kernel.addEntryBlock();
    builder.setInsertionPointToStart(entry);
  }

  /// A parameter that receives \p argument.
  Value addParameter(Value argument, bool isDeviceData = false) {
    return addParameter(argument, argument.getType(), isDeviceData);
  }

  Value addParameter(Value argument, Type type, bool isDeviceData) {
    arguments.push_back(argument);
    deviceData.push_back(isDeviceData);
    return entry->addArgument(type, location);
  }

  void finish() {
    kernel.setFunctionType(
        builder.getFunctionType(entry->getArgumentTypes(), {}));
    for (unsigned index = 0; index < deviceData.size(); ++index)
      if (deviceData[index])
        kernel.setArgAttr(
            index, cuf::getDataAttrName(),
            cuf::DataAttributeAttr::get(builder.getContext(),
                                        cuf::DataAttribute::Device));
  }

  Value constant(int64_t value, Type type) {
    return builder.createIntegerConstant(location, type, value);
  }
  Value constant64(int64_t value) { return constant(value, i64()); }
  Value constant32(int64_t value) {
    return constant(value, builder.getI32Type());
  }
  Type i64() { return builder.getI64Type(); }

  template <typename X, typename Y, typename Z>
  SmallVector<Value, Axes> readRegisters() {
    Type i32 = builder.getI32Type();
    return {X::create(builder, location, i32),
            Y::create(builder, location, i32),
            Z::create(builder, location, i32)};
  }
  SmallVector<Value, Axes> threadIndices() {
    return readRegisters<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp,
                         NVVM::ThreadIdZOp>();
  }
  SmallVector<Value, Axes> blockIndices() {
    return readRegisters<NVVM::BlockIdXOp, NVVM::BlockIdYOp,
                         NVVM::BlockIdZOp>();
  }
  SmallVector<Value, Axes> blockExtents() {
    return readRegisters<NVVM::BlockDimXOp, NVVM::BlockDimYOp,
                         NVVM::BlockDimZOp>();
  }
  SmallVector<Value, Axes> gridExtents() {
    return readRegisters<NVVM::GridDimXOp, NVVM::GridDimYOp,
                         NVVM::GridDimZOp>();
  }

  /// x + extent x * (y + extent y * z).
  Value linear(ArrayRef<Value> indices, ArrayRef<Value> extents) {
    Value result = indices[Axes - 1];
    for (int axis = Axes - 2; axis >= 0; --axis) {
      result = arith::MulIOp::create(builder, location, result, extents[axis]);
      result = arith::AddIOp::create(builder, location, result, indices[axis]);
    }
    return result;
  }

  Value extend(Value value) {
    return arith::ExtUIOp::create(builder, location, i64(), value);
  }

  /// Element \p index (from zero) of a one-dimensional array in memory.
  Value element(Value array, Value extent, Value index) {
    auto type =
        cast<fir::SequenceType>(fir::unwrapRefType(array.getType())).getEleTy();
    Type indexType = builder.getIndexType();
    Value shape = fir::ShapeOp::create(
        builder, location, builder.createConvert(location, indexType, extent));
    Value one = builder.createIntegerConstant(location, indexType, 1);
    Value position = arith::AddIOp::create(
        builder, location, builder.createConvert(location, indexType, index),
        one);
    return fir::ArrayCoorOp::create(
        builder, location, builder.getRefType(type), array, shape,
        /*slice=*/Value(), ValueRange{position}, ValueRange{});
  }

  /// if (condition) then(), with the blocks of a control flow graph.
  template <typename Then> void emitIf(Value condition, Then then) {
    Block *thenBlock = addBlock(), *afterwards = addBlock();
    cf::CondBranchOp::create(builder, location, condition, thenBlock,
                             afterwards);
    builder.setInsertionPointToStart(thenBlock);
    then();
    cf::BranchOp::create(builder, location, afterwards);
    builder.setInsertionPointToStart(afterwards);
  }

  Block *addBlock() {
    Block *block = new Block;
    kernel.getBody().push_back(block);
    return block;
  }

  Value less(Value a, Value b) {
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt,
                                 a, b);
  }

  /// One value that each thread of a block brings.
  struct Partial {
    Reduction reduction;
    Value value;
  };

  /// Combines the \p partials of all threads of the block. Returns the places
  /// of the results, which are there for thread 0. \p threads is the number of
  /// threads, \p known the same if it is known.
  SmallVector<Value> reduceBlock(ArrayRef<Partial> partials, Value thread,
                                 Value threads, std::optional<int64_t> known) {
    const int64_t places = known.value_or(MaxThreads);
    Value extent = constant64(places);
    SmallVector<Value> arrays, mine;
    if (!sharedArrays.empty())
      barrier(); // the results before have been read
    for (auto [number, partial] : llvm::enumerate(partials)) {
      arrays.push_back(sharedArray(partial.value.getType(), places, number));
      mine.push_back(element(arrays.back(), extent, thread));
      fir::StoreOp::create(builder, location, partial.value, mine.back());
    }
    barrier();
    if (places == 1)
      return mine;
    Block *header = addBlock(), *round = addBlock(), *finished = addBlock();
    Value half = header->addArgument(builder.getI32Type(), location);
    cf::BranchOp::create(
        builder, location, header,
        ValueRange{constant32(int64_t(llvm::bit_floor(uint64_t(places - 1))))});
    builder.setInsertionPointToStart(header);
    cf::CondBranchOp::create(builder, location, less(constant32(0), half),
                             round, finished);
    builder.setInsertionPointToStart(round);
    Value other = arith::AddIOp::create(builder, location, thread, half);
    Value takes = arith::AndIOp::create(builder, location, less(thread, half),
                                        less(other, threads));
    emitIf(takes, [&] {
      for (auto [number, partial] : llvm::enumerate(partials)) {
        Value a = fir::LoadOp::create(builder, location, mine[number]);
        Value b = fir::LoadOp::create(builder, location,
                                      element(arrays[number], extent, other));
        Value both =
            createCombination(builder, location, partial.reduction, a, b);
        fir::StoreOp::create(builder, location, both, mine[number]);
      }
    });
    barrier();
    Value next = arith::ShRUIOp::create(builder, location, half, constant32(1));
    cf::BranchOp::create(builder, location, header, ValueRange{next});
    builder.setInsertionPointToStart(finished);
    return mine;
  }

  void barrier() { NVVM::Barrier0Op::create(builder, location); }

  fir::FirOpBuilder builder;
  Location location;
  func::FuncOp kernel;
  Block *entry;
  SmallVector<Value> arguments; ///< of the launch, one for each parameter
  SmallVector<bool> deviceData;

private:
  /// The place of value \p number; groups of values use them one after the
  /// other.
  Value sharedArray(Type type, int64_t places, unsigned number) {
    auto [it, isNew] = sharedArrays.try_emplace({type, number}, Value());
    if (isNew) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(entry);
      std::string name = "partial" + std::to_string(sharedArrays.size());
      auto array = cuf::SharedMemoryOp::create(
          builder, location, fir::SequenceType::get({places}, type), name,
          name);
      it->second = array.getPtr();
    }
    return it->second;
  }

  llvm::DenseMap<std::pair<Type, unsigned>, Value> sharedArrays;
};

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

class LoopOutliner {
public:
  LoopOutliner(cuf::KernelOp loop, LoopVariables &variables, std::string name)
      : loop(loop), variables(variables), location(loop.getLoc()),
        host(loop, fir::getKindMapping(loop->getParentOfType<ModuleOp>())),
        kernel(loop->getParentOfType<ModuleOp>(), location, name),
        device(kernel.builder), name(std::move(name)) {}

  LogicalResult run() {
    host.setInsertionPoint(loop);
    depth = loop.getLowerbound().size();
    if (failed(checkShape()) || failed(checkLimits()))
      return failure();
    blocks();
    countTrips();
    mappingParameters();
    if (failed(bringVariables()))
      return failure();
    emitLoops();
    emitPartialResults();
    func::ReturnOp::create(device, location);
    kernel.finish();
    launch();
    storeLoopVariables();
    report();
    loop.erase();
    return success();
  }

private:
  unsigned axes() const { return std::min<unsigned>(depth, Axes); }
  bool reduces() const { return !reductions.empty(); }

  /// The limits are evaluated once, before the loops: an inner one that depends
  /// on an outer variable would use an old value.
  LogicalResult checkLimits() {
    loopVariables = cufort::lower::loopVariables(loop);
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

  hlfir::DeclareOp dependence(Value value, unsigned depthOfSearch) {
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

  LogicalResult checkShape() {
    for (auto [values, what] :
         {std::pair{loop.getGrid(), "grid"}, {loop.getBlock(), "block"}})
      if (values.size() > axes())
        return emitError(location)
               << "the " << what << " of this kernel loop has " << values.size()
               << " extents, but the directive names " << depth
               << (depth == 1 ? " loop" : " loops")
               << "; each extent belongs to one loop, the first to the "
                  "innermost";
    return success();
  }

  //===--- the host: extents and trips ---===//

  void blocks() {
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

  /// max(0, (upper - lower + step) / step) of every loop, and of every axis.
  void countTrips() {
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

  Value createArray(ArrayRef<Value> values, Type type) {
    Value array = host.createTemporary(
        location,
        fir::SequenceType::get(
            {static_cast<fir::SequenceType::Extent>(values.size())}, type));
    for (auto [index, value] : llvm::enumerate(values))
      if (value)
        fir::StoreOp::create(host, location, value, place(array, index));
    return array;
  }

  Value place(Value array, int64_t index) {
    auto type = cast<fir::SequenceType>(fir::unwrapRefType(array.getType()));
    return fir::CoordinateOp::create(
        host, location, host.getRefType(type.getEleTy()), array,
        ValueRange{
            host.createIntegerConstant(location, host.getIndexType(), index)});
  }

  Value pointer(Value value) {
    return host.createConvert(
        location, LLVM::LLVMPointerType::get(host.getContext()), value);
  }

  //===--- the kernel: parameters ---===//

  /// Parameters whose arguments the runtime fills in: first, step and span of
  /// each axis.
  void mappingParameters() {
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

  Value mappingParameter(unsigned index) {
    mappingArguments.push_back({kernel.arguments.size(), index});
    return kernel.addParameter(Value(), kernel.i64(), false);
  }

  LogicalResult bringVariables() {
    limitRepeatedLoops();
    SetVector<Value> used;
    loop.getRegion().walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (operand.getParentRegion()->isProperAncestor(&loop.getRegion()) ||
            operand.getParentRegion() == loop->getParentRegion())
          used.insert(operand);
    });
    for (Value value : used)
      if (failed(bring(value)))
        return failure();
    // A reduce clause may name a variable that the body does not mention.
    for (auto &[declare, variable] : variables)
      if (variable.role == LoopVariable::Reduced && failed(bring(declare)))
        return failure();
    return success();
  }

  LogicalResult bring(hlfir::DeclareOp declare) {
    return bring(declare.getResult(0));
  }

  /// Makes the host's \p value known in the kernel.
  LogicalResult bring(Value value) {
    if (map.contains(value))
      return success();
    Operation *op = value.getDefiningOp();
    if (auto declare = dyn_cast_or_null<hlfir::DeclareOp>(op))
      return bringVariable(declare);
    if (op && isRepeatable(op)) {
      for (Value operand : op->getOperands())
        if (failed(bring(operand)))
          return failure();
      device.clone(*op, map);
      return success();
    }
    return bringValue(value);
  }

  /// Operations without memory that the kernel may just as well do itself.
  static bool isRepeatable(Operation *op) {
    if (auto address = dyn_cast<fir::AddrOfOp>(op))
      return isOnDevice(address);
    if (auto convert = dyn_cast<fir::ConvertOp>(op))
      return constantValue(convert.getResult()).has_value();
    return op->hasTrait<OpTrait::ConstantLike>() ||
           isa<fir::ShapeOp, fir::ShapeShiftOp, fir::ShiftOp, fir::UndefOp,
               fir::AbsentOp, fir::ZeroOp, fir::AllocaOp>(op);
  }

  /// Device variables of modules, and constants.
  static bool isOnDevice(fir::AddrOfOp address) {
    auto global =
        address->getParentOfType<ModuleOp>().lookupSymbol<fir::GlobalOp>(
            address.getSymbol().getRootReference());
    if (!global)
      return false;
    bool isDescriptor = isa<fir::BaseBoxType>(global.getType());
    return (isDeviceVariable(global) && !isDescriptor) ||
           (global.getConstant() && !isDescriptor);
  }

  LogicalResult bringValue(Value value) {
    Type type = value.getType();
    if (type.isIndex()) {
      Value wide = host.createConvert(location, host.getI64Type(), value);
      map.map(value,
              device.createConvert(location, type, kernel.addParameter(wide)));
      return success();
    }
    if (type.isInteger(1)) {
      Type byte = host.getIntegerType(8);
      Value wide = host.createConvert(location, byte, value);
      map.map(value,
              device.createConvert(location, type, kernel.addParameter(wide)));
      return success();
    }
    if (fir::isa_trivial(type)) {
      map.map(value, kernel.addParameter(value));
      return success();
    }
    if (fir::isa_ref_type(type) || isa<fir::BaseBoxType>(type)) {
      map.map(value, kernel.addParameter(value, /*isDeviceData=*/true));
      return success();
    }
    return emitError(location)
           << "a value of type " << type << " cannot be used in a kernel loop";
  }

  LogicalResult bringVariable(hlfir::DeclareOp declare) {
    Type type = fir::unwrapRefType(declare.getMemref().getType());
    auto it = variables.find(declare);
    bool isPrivate =
        it != variables.end() && it->second.role != LoopVariable::Shared;
    if (isPrivate || isLoopVariable(declare))
      return bringPrivate(declare, type,
                          isPrivate ? it->second : LoopVariable());
    auto address = declare.getMemref().getDefiningOp<fir::AddrOfOp>();
    if (isInDeviceMemory(declare) || (address && isOnDevice(address)))
      return bringDeviceData(declare);
    if (isa<fir::RecordType>(type)) {
      Value parameter = kernel.addParameter(declare.getMemref());
      redeclare(declare, parameter);
      return success();
    }
    if (fir::isa_trivial(type)) {
      LoopVariable constant;
      constant.needsValue = true;
      return bringPrivate(declare, type, constant);
    }
    return reportHostData(declare);
  }

  LogicalResult reportHostData(hlfir::DeclareOp declare) {
    return emitError(location)
           << "'" << variableName(declare)
           << "' is in host memory and cannot be used in a kernel loop; "
              "arrays need the DEVICE, MANAGED or CONSTANT attribute";
  }

  LogicalResult bringDeviceData(hlfir::DeclareOp declare) {
    for (Value operand : declare->getOperands()) {
      if (operand == declare.getDummyScope())
        continue;
      if (operand == declare.getMemref() &&
          !operand.getDefiningOp<fir::AddrOfOp>())
        map.map(operand, kernel.addParameter(operand, /*isDeviceData=*/true));
      else if (failed(bring(operand)))
        return failure();
      if (operand == declare.getMemref() && !map.contains(operand))
        return failure();
    }
    redeclare(declare, map.lookup(declare.getMemref()));
    return success();
  }

  /// The same declaration in the kernel, of memory \p address.
  void redeclare(hlfir::DeclareOp declare, Value address) {
    auto copy = hlfir::DeclareOp::create(
        device, location, declare.getResult(0).getType(),
        declare.getResult(1).getType(), address,
        declare.getShape() ? map.lookup(declare.getShape()) : Value(),
        mapAll(declare.getTypeparams()), /*dummy_scope=*/Value(),
        /*storage=*/Value(), /*storage_offset=*/0, declare.getUniqNameAttr(),
        declare.getFortranAttrsAttr(), declare.getDataAttrAttr(),
        declare.getSkipReboxAttr(), /*dummy_arg_no=*/IntegerAttr());
    for (unsigned index = 0; index < 2; ++index)
      map.map(declare.getResult(index), copy.getResult(index));
  }

  SmallVector<Value> mapAll(ValueRange values) {
    SmallVector<Value> mapped;
    for (Value value : values)
      mapped.push_back(map.lookup(value));
    return mapped;
  }

  LogicalResult bringPrivate(hlfir::DeclareOp declare, Type type,
                             LoopVariable variable) {
    if (!fir::isa_trivial(type) && !isa<fir::RecordType>(type))
      return reportHostData(declare);
    Value local =
        fir::AllocaOp::create(device, location, type, variableName(declare));
    if (variable.role == LoopVariable::Reduced) {
      fir::StoreOp::create(
          device, location,
          createIdentity(device, location, variable.reduction, type), local);
      reductions.push_back({declare, variable, type, local});
    } else if (variable.needsValue) {
      if (isa<fir::RecordType>(type)) {
        Value parameter = kernel.addParameter(declare.getMemref());
        Value bytes = fir::LoadOp::create(device, location, parameter);
        fir::StoreOp::create(device, location, bytes, local);
      } else {
        Value value = fir::LoadOp::create(host, location, declare.getMemref());
        fir::StoreOp::create(device, location, kernel.addParameter(value),
                             local);
      }
    }
    auto copy = hlfir::DeclareOp::create(
        device, location, declare.getResult(0).getType(),
        declare.getResult(1).getType(), local, Value(), ValueRange{}, Value(),
        Value(), 0, declare.getUniqNameAttr(), fir::FortranVariableFlagsAttr(),
        cuf::DataAttributeAttr(), UnitAttr(), IntegerAttr());
    for (unsigned index = 0; index < 2; ++index)
      map.map(declare.getResult(index), copy.getResult(index));
    return success();
  }

  //===--- the kernel: loops ---===//

  struct AxisCode {
    Value trips, first, step, span; ///< parameters
    Value thread, base, end;
    Block *header = nullptr, *next = nullptr;
  };

  bool isLoopVariable(hlfir::DeclareOp declare) {
    return llvm::is_contained(loopVariables, declare);
  }

  void emitLoops() {
    SmallVector<Value, Axes> threads = kernel.threadIndices(),
                             blockIndices = kernel.blockIndices();
    for (unsigned axis = 0; axis < axes(); ++axis) {
      AxisCode &code = axisCode[axis];
      code.thread = threads[axis];
      Value start = arith::MulIOp::create(
          device, location, kernel.extend(blockIndices[axis]), code.first);
      Value end = arith::AddIOp::create(device, location, start, code.span);
      code.end = arith::MinSIOp::create(device, location, end, code.trips);
      code.base = start;
    }
    after = kernel.addBlock();
    finishCaptures();
    if (isWorthTwice()) {
      emitFullSteps();
      device.setInsertionPointToStart(after);
      return;
    }
    // From the outermost to the innermost: header, and what follows it when the
    // loop is over.
    Block *exit = after;
    Block *nextOuter = nullptr;
    for (int axis = static_cast<int>(axes()) - 1; axis >= 0; --axis) {
      AxisCode &code = axisCode[axis];
      code.header = new Block;
      kernel.kernel.getBody().getBlocks().insert(after->getIterator(),
                                                 code.header);
      Value base = code.header->addArgument(kernel.i64(), location);
      code.next = new Block;
      kernel.kernel.getBody().getBlocks().insert(after->getIterator(),
                                                 code.next);
      cf::BranchOp::create(device, location, code.header,
                           ValueRange{code.base});
      device.setInsertionPointToStart(code.header);
      Block *inside = new Block;
      kernel.kernel.getBody().getBlocks().insert(code.next->getIterator(),
                                                 inside);
      cf::CondBranchOp::create(device, location, kernel.less(base, code.end),
                               inside, exit);
      code.base = base;
      device.setInsertionPointToStart(code.next);
      Value further = arith::AddIOp::create(device, location, base, code.step,
                                            arith::IntegerOverflowFlags::nsw);
      cf::BranchOp::create(device, location, code.header, ValueRange{further});
      device.setInsertionPointToStart(inside);
      exit = nextOuter = code.next;
    }
    emitGuardedBody(nextOuter);
    device.setInsertionPointToStart(after);
  }

  void emitGuardedBody(Block *latch) {
    Value inRange;
    for (unsigned axis = 0; axis < axes(); ++axis) {
      AxisCode &code = axisCode[axis];
      Value number = arith::AddIOp::create(device, location, code.base,
                                           kernel.extend(code.thread),
                                           arith::IntegerOverflowFlags::nsw);
      Value here = kernel.less(number, code.end);
      inRange = inRange ? arith::AndIOp::create(device, location, inRange, here)
                              .getResult()
                        : here;
    }
    Block *body = insertBlock(latch);
    cf::CondBranchOp::create(device, location, inRange, body, latch);
    device.setInsertionPointToStart(body);
    emitBody(loop.getRegion(), latch);
  }

  Block *insertBlock(Block *before) {
    Block *block = new Block;
    kernel.kernel.getBody().getBlocks().insert(before->getIterator(), block);
    return block;
  }

  /// One loop with a small body is written twice: for steps in which every
  /// thread has an iteration, without a question, and for the last one.
  bool isWorthTwice() {
    unsigned operations = 0;
    loop.getRegion().walk([&](Operation *) { ++operations; });
    return axes() == 1 && depth == 1 && operations <= MostOperationsTwice;
  }

  void emitFullSteps() {
    Region copy;
    IRMapping same;
    loop.getRegion().cloneInto(&copy, same);
    AxisCode &code = axisCode[0];
    Value threads = knownThreads ? kernel.constant64(*knownThreads)
                                 : kernel.extend(kernel.blockExtents()[0]);
    Block *header = insertBlock(after), *full = insertBlock(after),
          *latch = insertBlock(after), *rest = insertBlock(after);
    Value base = header->addArgument(kernel.i64(), location);
    auto flags = arith::IntegerOverflowFlags::nsw;
    SmallVector<Value> start{code.base};
    Value steps, step;
    if (reduces()) {
      // Counted beforehand, so that LLVM can unroll the loop: many loads must
      // be on their way at the same time.
      steps = countFullSteps(threads);
      step = header->addArgument(kernel.i64(), location);
      start.push_back(kernel.constant64(0));
    }
    cf::BranchOp::create(device, location, header, start);
    device.setInsertionPointToStart(header);
    Value isFull;
    if (reduces()) {
      isFull = kernel.less(step, steps);
    } else {
      Value end = arith::AddIOp::create(device, location, base, threads, flags);
      isFull = arith::CmpIOp::create(device, location,
                                     arith::CmpIPredicate::sle, end, code.end);
    }
    cf::CondBranchOp::create(device, location, isFull, full, rest);
    code.base = base;
    device.setInsertionPointToStart(full);
    emitBody(copy, latch);
    device.setInsertionPointToStart(latch);
    SmallVector<Value> further{
        arith::AddIOp::create(device, location, base, code.step, flags)};
    if (reduces())
      further.push_back(arith::AddIOp::create(device, location, step,
                                              kernel.constant64(1), flags));
    cf::BranchOp::create(device, location, header, further);
    device.setInsertionPointToStart(rest);
    emitGuardedBody(after);
  }

  /// How many steps from the base on lie before the end as a whole.
  Value countFullSteps(Value threads) {
    AxisCode &code = axisCode[0];
    Value room = arith::SubIOp::create(
        device, location,
        arith::SubIOp::create(device, location, code.end, code.base), threads);
    Value zero = kernel.constant64(0);
    Value isNone = kernel.less(room, zero);
    Value steps = arith::DivUIOp::create(
        device, location, arith::MaxSIOp::create(device, location, room, zero),
        code.step);
    steps =
        arith::AddIOp::create(device, location, steps, kernel.constant64(1));
    return arith::SelectOp::create(device, location, isNone, zero, steps);
  }

  /// The values of the loop variables in this iteration.
  void defineNumbers(Block &start) {
    for (unsigned level = 0; level < depth; ++level) {
      BlockArgument number = start.getArgument(level);
      unsigned inner = depth - 1 - level;
      Value lower = bringNumber(lowers[level], loop.getLowerbound()[level]);
      Value step = bringNumber(steps[level], loop.getStep()[level]);
      Value base, thread;
      if (depth > Axes && inner + 1 >= Axes) {
        base = collapsedNumber(level);
      } else {
        base = axisCode[inner].base;
        thread = axisCode[inner].thread;
      }
      // lower + step * base is the same in all threads of the block; from
      // there on nothing overflows in the loop variable's own type.
      Value scaled = arith::MulIOp::create(device, location, base, step);
      Value origin = arith::AddIOp::create(device, location, lower, scaled);
      defineNumber(number, origin, step, thread);
    }
  }

  void defineNumber(BlockArgument number, Value origin, Value step,
                    Value thread) {
    auto inType = [&](Type type) {
      Value value = device.createConvert(location, type, origin);
      if (!thread)
        return value;
      Type integer = type.isIndex() ? Type(device.getI64Type()) : type;
      auto flags = arith::IntegerOverflowFlags::nsw;
      Value offset = device.createConvert(location, integer, thread);
      Value factor = device.createConvert(location, integer, step);
      if (constantValue(factor) != 1)
        offset = arith::MulIOp::create(device, location, offset, factor, flags);
      value = device.createConvert(location, integer, value);
      value = arith::AddIOp::create(device, location, value, offset, flags);
      return device.createConvert(location, type, value);
    };
    for (OpOperand &use : llvm::make_early_inc_range(number.getUses()))
      if (auto convert = dyn_cast<fir::ConvertOp>(use.getOwner());
          convert && isa<IntegerType>(convert.getType())) {
        convert.replaceAllUsesWith(inType(convert.getType()));
        convert.erase();
      }
    if (!number.use_empty())
      number.replaceAllUsesWith(inType(number.getType()));
  }

  /// A bound that is a constant stays one.
  Value bringNumber(Value wide, Value original) {
    if (std::optional<int64_t> known = constantValue(original))
      return kernel.constant64(*known);
    if (!map.contains(wide))
      map.map(wide, kernel.addParameter(wide));
    return map.lookup(wide);
  }

  /// With more than three loops, the outer ones share the z axis.
  Value collapsedNumber(unsigned level) {
    AxisCode &code = axisCode[Axes - 1];
    Value number = arith::AddIOp::create(device, location, code.base,
                                         kernel.extend(code.thread));
    for (unsigned inner = depth - Axes; inner > level; --inner)
      number = arith::DivSIOp::create(device, location, number, count(inner));
    if (level > 0)
      number = arith::RemSIOp::create(device, location, number, count(level));
    return number;
  }

  Value count(unsigned level) {
    if (!map.contains(counts[level]))
      map.map(counts[level], kernel.addParameter(counts[level]));
    return map.lookup(counts[level]);
  }

  /// A body with jumps arrives as blocks that contain the parallel loops once
  /// more. Each of them gets the one iteration that this thread is to run: its
  /// first value is the loop's number, its count is one.
  void limitRepeatedLoops() {
    Region &region = loop.getRegion();
    if (region.hasOneBlock())
      return;
    for (hlfir::DeclareOp variable : loopVariables) {
      if (!variable)
        continue;
      Value number;
      for (auto store : region.front().getOps<fir::StoreOp>())
        if (!number && store.getMemref() == variable.getResult(0))
          number = store.getValue();
      if (!number)
        continue;
      for (Block &block : region)
        limitLoop(block, variable, number);
    }
  }

  /// \p block may set \p variable and the count before it goes to the head of
  /// a loop, which tests the count.
  void limitLoop(Block &block, hlfir::DeclareOp variable, Value number) {
    auto jump = dyn_cast<cf::BranchOp>(block.getTerminator());
    auto set = jump ? dyn_cast_or_null<fir::StoreOp>(jump->getPrevNode())
                    : fir::StoreOp();
    auto count = set ? dyn_cast_or_null<fir::StoreOp>(set->getPrevNode())
                     : fir::StoreOp();
    if (!count || set.getMemref() != variable.getResult(0) ||
        !count.getMemref().getDefiningOp<fir::AllocaOp>())
      return;
    auto head = dyn_cast<fir::LoadOp>(jump.getDest()->front());
    if (!head || head.getMemref() != count.getMemref())
      return;
    OpBuilder builder(set);
    Type type = count.getValue().getType();
    Value one = arith::ConstantOp::create(builder, location,
                                          builder.getIntegerAttr(type, 1));
    fir::StoreOp::create(builder, location, one, count.getMemref());
    fir::StoreOp::create(builder, location, number, set.getMemref());
    set.erase();
    count.erase();
  }

  /// The body uses the kernel's variables from here on.
  void finishCaptures() {
    Region &region = loop.getRegion();
    // A place for each thread, not for each iteration.
    SmallVector<fir::AllocaOp> locals;
    region.walk([&](fir::AllocaOp local) {
      if (local->getNumOperands() == 0)
        locals.push_back(local);
    });
    for (fir::AllocaOp local : locals)
      local->moveBefore(kernel.entry, kernel.entry->begin());
    for (auto &[from, to] : map.getValueMap())
      replaceInside(from, to);
  }

  /// Puts \p region, the loop's body or a copy, where the kernel's code is
  /// being written; it goes on at \p latch.
  void emitBody(Region &region, Block *latch) {
    Block &start = region.front();
    defineNumbers(start);
    SmallVector<Operation *> ends;
    for (Block &block : region)
      if (isa<fir::FirEndOp>(block.getTerminator()))
        ends.push_back(block.getTerminator());
    for (Operation *end : ends) {
      OpBuilder builder(end);
      cf::BranchOp::create(builder, end->getLoc(), latch);
      end->erase();
    }
    // The first block continues the guard's, the others follow it.
    start.eraseArguments(0, start.getNumArguments());
    Block *body = device.getInsertionBlock();
    body->getOperations().splice(body->end(), start.getOperations());
    start.erase();
    if (!region.empty())
      kernel.kernel.getBody().getBlocks().splice(latch->getIterator(),
                                                 region.getBlocks(),
                                                 region.begin(), region.end());
  }

  void replaceInside(Value from, Value to) {
    from.replaceUsesWithIf(to, [&](OpOperand &use) {
      return loop->isProperAncestor(use.getOwner());
    });
  }

  //===--- reductions ---===//

  struct ReducedVariable {
    hlfir::DeclareOp declare;
    LoopVariable variable;
    Type type;
    Value local;
    unsigned argument = 0; ///< of the first kernel: the partial results
  };

  Type partialType(Type type) {
    return fir::ReferenceType::get(
        fir::SequenceType::get({fir::SequenceType::getUnknownExtent()}, type));
  }

  void emitPartialResults() {
    if (!reduces())
      return;
    SmallVector<Value, Axes> extents = kernel.blockExtents(),
                             grid = kernel.gridExtents();
    Value thread = kernel.linear(kernel.threadIndices(), extents);
    Value threads = arith::MulIOp::create(
        device, location,
        arith::MulIOp::create(device, location, extents[0], extents[1]),
        extents[2]);
    if (knownThreads)
      threads = kernel.constant32(*knownThreads);
    Value blockIndex = kernel.linear(kernel.blockIndices(), grid);
    Value blockCount = arith::MulIOp::create(
        device, location,
        arith::MulIOp::create(device, location, grid[0], grid[1]), grid[2]);
    Value isFirst =
        arith::CmpIOp::create(device, location, arith::CmpIPredicate::eq,
                              thread, kernel.constant32(0));
    for (MutableArrayRef<ReducedVariable> group : groups(knownThreads)) {
      SmallVector<KernelBuilder::Partial> partials;
      SmallVector<Value> targets;
      for (ReducedVariable &reduced : group) {
        reduced.argument = kernel.arguments.size();
        targets.push_back(
            kernel.addParameter(Value(), partialType(reduced.type), true));
        Value value = fir::LoadOp::create(device, location, reduced.local);
        partials.push_back({reduced.variable.reduction, value});
      }
      SmallVector<Value> results =
          kernel.reduceBlock(partials, thread, threads, knownThreads);
      kernel.emitIf(isFirst, [&] {
        for (auto [result, target] : llvm::zip(results, targets)) {
          Value total = fir::LoadOp::create(device, location, result);
          fir::StoreOp::create(device, location, total,
                               kernel.element(target, blockCount, blockIndex));
        }
      });
    }
  }

  /// As many reductions at a time as shared memory has places for.
  SmallVector<MutableArrayRef<ReducedVariable>>
  groups(std::optional<int64_t> threads) {
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

  static int64_t bytesOf(Type type, const fir::KindMapping &kinds) {
    if (auto complex = dyn_cast<ComplexType>(type))
      return 2 * bytesOf(complex.getElementType(), kinds);
    if (auto logical = dyn_cast<fir::LogicalType>(type))
      return kinds.getLogicalBitsize(logical.getFKind()) / 8;
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  }

  //===--- the launch ---===//

  void launch() {
    Type i32 = host.getI32Type(), i64 = host.getI64Type();
    SmallVector<Value> extents;
    for (unsigned axis = 0; axis < Axes; ++axis) {
      if (axis < loop.getGrid().size())
        extents.push_back(loop.getGrid()[axis]);
      else
        extents.push_back(host.createIntegerConstant(location, i32, 0));
    }
    Value grid = createArray(extents, i32);
    Value stub = pointer(
        fir::AddrOfOp::create(host, location, kernel.kernel.getFunctionType(),
                              SymbolRefAttr::get(host.getContext(), name)));
    call(GridFunction,
         {stub, pointer(createArray(trips, i64)),
          pointer(createArray(block, i32)), pointer(grid), pointer(mapping),
          host.createIntegerConstant(location, i32, reduces())},
         {});
    SmallVector<Value> gridValues;
    for (unsigned axis = 0; axis < Axes; ++axis)
      gridValues.push_back(
          fir::LoadOp::create(host, location, place(grid, axis)));
    for (auto [argument, index] : mappingArguments)
      kernel.arguments[argument] =
          fir::LoadOp::create(host, location, place(mapping, index));

    Value workspace = reduces() ? beginReduction(gridValues) : Value();
    launchKernel(kernel, name, gridValues, block);
    if (reduces())
      endReduction(workspace);
  }

  void launchKernel(KernelBuilder &which, StringRef symbol,
                    ArrayRef<Value> grid, ArrayRef<Value> threads) {
    cuf::KernelLaunchOp::create(
        host, location, SymbolRefAttr::get(host.getContext(), symbol), grid[0],
        grid[1], grid[2], threads[0], threads[1], threads[2],
        /*bytes=*/Value(), loop.getStream(), which.arguments,
        /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
  }

  Value call(StringRef function, ArrayRef<Value> arguments,
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

  Value filePointer() {
    return pointer(fir::factory::locationToFilename(host, location));
  }
  Value lineNumber() {
    return fir::factory::locationToLineNo(host, location, host.getI32Type());
  }
  Value streamPointer() {
    if (loop.getStream())
      return pointer(loop.getStream());
    return LLVM::ZeroOp::create(host, location,
                                LLVM::LLVMPointerType::get(host.getContext()));
  }

  Value constant64(int64_t value) {
    return host.createIntegerConstant(location, host.getI64Type(), value);
  }

  /// Memory for the partial results, one array after the other.
  Value beginReduction(ArrayRef<Value> grid) {
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

  void endReduction(Value workspace) {
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
      Value address =
          host.createConvert(location, fir::ReferenceType::get(reduced.type),
                             place(results, index));
      Value before =
          fir::LoadOp::create(host, location, reduced.declare.getMemref());
      Value total = fir::LoadOp::create(host, location, address);
      Value both = createCombination(host, location, reduced.variable.reduction,
                                     before, total);
      fir::StoreOp::create(host, location, both, reduced.declare.getMemref());
    }
  }

  /// The second kernel: one block combines the partial results.
  void launchFinish() {
    std::string finishName = name + "_red";
    KernelBuilder finish(loop->getParentOfType<ModuleOp>(), location,
                         finishName);
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
            total = createCombination(
                code, location, reduced.variable.reduction, before, total);
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

  /// Where the result goes: a device variable, or the memory that the host
  /// reads.
  Value resultTarget(ReducedVariable &reduced, unsigned index) {
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

  /// do number = thread, count - 1, FinishThreads
  template <typename Body>
  void emitPartialLoop(KernelBuilder &finish, Value count, Value thread,
                       Body body) {
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

  //===--- -Minfo=accel ---===//

  void printExtents(llvm::raw_ostream &os, OperandRange values) {
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

  void report() {
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
      os << "         "
         << reductionName(reduced.variable.reduction, reduced.type)
         << " reduction generated for " << variableName(reduced.declare)
         << "\n";
  }

  //===--- after the loop ---===//

  /// The loop variables have the values that a sequential loop leaves.
  void storeLoopVariables() {
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
        Value value = host.createConvert(location, type, end);
        // An inner loop starts only if the outer ones run.
        if (runs)
          value = arith::SelectOp::create(
              host, location, runs, value,
              fir::LoadOp::create(host, location, address));
        fir::StoreOp::create(host, location, value, address);
      }
      runs = runs
                 ? arith::AndIOp::create(host, location, runs, some).getResult()
                 : some;
    }
  }

  cuf::KernelOp loop;
  LoopVariables &variables;
  Location location;
  fir::FirOpBuilder host;
  KernelBuilder kernel;
  fir::FirOpBuilder &device;
  std::string name;

  unsigned depth = 0;
  SmallVector<Value> block;
  std::optional<int64_t> knownThreads;
  SmallVector<Value> lowers, steps, counts; ///< by loop, the outermost first
  SmallVector<Value> trips;                 ///< by axis
  Value mapping;
  SmallVector<std::pair<unsigned, unsigned>> mappingArguments;
  SmallVector<hlfir::DeclareOp> loopVariables;
  SmallVector<AxisCode, Axes> axisCode;
  Block *after = nullptr;
  IRMapping map;
  SmallVector<ReducedVariable> reductions;
  Value blockCount, resultBytes, resultAddress;
};

struct OutlineKernelLoops
    : public PassWrapper<OutlineKernelLoops, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutlineKernelLoops)
  StringRef getArgument() const override {
    return "cufort-outline-kernel-loops";
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
      if (failed(checkDependences(loop)) ||
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
