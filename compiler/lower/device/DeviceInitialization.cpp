//===- DeviceInitialization.cpp - initial values of allocated objects -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/device/DeviceInitialization.h"
#include "compiler/lower/DeviceAttributes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/MutableBox.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Support/InternalNames.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// In device/allocation.c and device/structures.c.
constexpr char InitializeFunction[] = "__cufort_initialize",
               InitializeElements[] = "__cufort_initialize_elements",
               FlangInitialize[] = "_FortranAInitialize";

class Initialization {
public:
  explicit Initialization(ModuleOp module)
      : module(module), builder(module, fir::getKindMapping(module)) {}

  void run() {
    SmallVector<std::pair<Operation *, Value>> allocations;
    SmallVector<fir::CallOp> variables;
    module.walk([&](Operation *op) {
      auto func = op->getParentOfType<func::FuncOp>();
      if (!func || !runsOnDevice(func))
        return;
      if (Value object = allocated(op))
        allocations.push_back({op, object});
      auto call = dyn_cast<fir::CallOp>(op);
      if (call && call.getCallee() &&
          call.getCallee()->getRootReference().getValue() == FlangInitialize)
        variables.push_back(call);
    });
    for (auto [op, object] : allocations)
      initialize(*op, object);
    for (fir::CallOp call : variables)
      initialize(call);
  }

private:
  /// The address of the descriptor that \p op allocates memory for; SOURCE=
  /// brings values of its own.
  static Value allocated(Operation *op) {
    if (auto allocate = dyn_cast<cuf::AllocateOp>(op))
      return allocate.getSource() ? Value() : allocate.getBox();
    auto call = dyn_cast<fir::CallOp>(op);
    if (!call || !call.getCallee() || call.getNumResults() != 1)
      return {};
    StringRef name = call.getCallee()->getRootReference().getValue();
    if (name != "_FortranAPointerAllocate" &&
        name != "_FortranAAllocatableAllocate")
      return {};
    Value object = call.getOperand(0);
    while (auto convert = object.getDefiningOp<fir::ConvertOp>())
      object = convert.getValue();
    return object;
  }

  fir::GlobalOp initialValue(fir::RecordType type, StringRef component) {
    std::string name = fir::NameUniquer::getTypeDescriptorName(type.getName());
    const StringRef mark = fir::kTypeDescriptorSeparator;
    const size_t at = name.find(mark);
    if (at == std::string::npos)
      return {};
    name.replace(at, mark.size(), ".di.");
    return module.lookupSymbol<fir::GlobalOp>(name + "." + component.str());
  }

  bool hasInitialValue(fir::RecordType type) {
    return llvm::any_of(type.getTypeList(), [&](auto &component) {
      auto nested =
          dyn_cast<fir::RecordType>(fir::unwrapSequenceType(component.second));
      return isa<fir::BaseBoxType>(component.second) ||
             initialValue(type, component.first) ||
             (nested && hasInitialValue(nested));
    });
  }

  /// The type of what \p object, a descriptor or its address, describes, where
  /// its components have initial values.
  fir::RecordType initialized(Value object) {
    while (auto convert = object.getDefiningOp<fir::ConvertOp>())
      object = convert.getValue();
    // Not of CLASS: the values would be those of the dynamic type.
    auto box = dyn_cast<fir::BoxType>(fir::unwrapRefType(object.getType()));
    Type inner = box ? box.unwrapInnerType() : Type();
    auto type = inner
                    ? dyn_cast<fir::RecordType>(fir::unwrapSequenceType(inner))
                    : fir::RecordType();
    return type && hasInitialValue(type) ? type : fir::RecordType();
  }

  /// Arrays that are variables: Flang leaves these to its library, which reads
  /// the host's descriptors of types.
  void initialize(fir::CallOp call) {
    fir::RecordType type = initialized(call.getOperand(0));
    if (!type)
      return;
    Location location = call.getLoc();
    builder.setInsertionPoint(call);
    Value values = builder.createTemporary(location, type);
    fill(location, values, type);
    Type address = builder.getRefType(builder.getI8Type());
    Type descriptor = fir::BoxType::get(builder.getNoneType());
    func::FuncOp function = builder.createFunction(
        location, InitializeElements,
        builder.getFunctionType({descriptor, address}, {}));
    fir::CallOp::create(
        builder, location, function,
        ValueRange{
            builder.createConvert(location, descriptor, call.getOperand(0)),
            builder.createConvert(location, address, values)});
    call.erase();
  }

  void initialize(Operation &op, Value object) {
    fir::RecordType type = initialized(object);
    if (!type)
      return;
    Location location = op.getLoc();
    builder.setInsertionPointAfter(&op);
    Value values = builder.createTemporary(location, type);
    fill(location, values, type);
    Type address = builder.getRefType(builder.getI8Type());
    Type i32 = builder.getI32Type();
    func::FuncOp function = builder.createFunction(
        location, InitializeFunction,
        builder.getFunctionType({address, address, i32}, {}));
    fir::CallOp::create(
        builder, location, function,
        ValueRange{builder.createConvert(location, address, object),
                   builder.createConvert(location, address, values),
                   builder.createConvert(location, i32, op.getResult(0))});
  }

  void fill(Location location, Value record, fir::RecordType type) {
    for (auto &[name, componentType] : type.getTypeList()) {
      Value field = fir::FieldIndexOp::create(
          builder, location, fir::FieldType::get(builder.getContext()), name,
          type, ValueRange{});
      Value place = fir::CoordinateOp::create(builder, location,
                                              builder.getRefType(componentType),
                                              record, ValueRange{field});
      auto nested = dyn_cast<fir::RecordType>(componentType);
      if (isa<fir::BaseBoxType>(componentType)) {
        Value null = fir::factory::createUnallocatedBox(
            builder, location, componentType, ValueRange{});
        fir::StoreOp::create(builder, location, null, place);
      } else if (fir::GlobalOp value = initialValue(type, name)) {
        Value from = fir::AddrOfOp::create(builder, location,
                                           builder.getRefType(value.getType()),
                                           value.getSymbol());
        if (fir::isa_trivial(componentType))
          fir::StoreOp::create(builder, location,
                               fir::LoadOp::create(builder, location, from),
                               place);
        else
          fir::CopyOp::create(builder, location, from, place,
                              /*no_overlap=*/true);
      } else if (nested) {
        if (hasInitialValue(nested))
          fill(location, place, nested);
      } else if (auto array = dyn_cast<fir::SequenceType>(componentType)) {
        auto element = dyn_cast<fir::RecordType>(array.getEleTy());
        if (element && hasInitialValue(element))
          fillArray(location, place, array.getConstantArraySize(), element);
      }
    }
  }

  void fillArray(Location location, Value array, int64_t count,
                 fir::RecordType type) {
    Type index = builder.getIndexType();
    Value elements = builder.createConvert(
        location, builder.getRefType(fir::SequenceType::get({count}, type)),
        array);
    auto loop = fir::DoLoopOp::create(
        builder, location, builder.createIntegerConstant(location, index, 0),
        builder.createIntegerConstant(location, index, count - 1),
        builder.createIntegerConstant(location, index, 1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value place =
        fir::CoordinateOp::create(builder, location, builder.getRefType(type),
                                  elements, ValueRange{loop.getInductionVar()});
    fill(location, place, type);
  }

  ModuleOp module;
  fir::FirOpBuilder builder;
};

} // namespace

void cufort::lower::initializeObjects(ModuleOp module) {
  Initialization(module).run();
}
