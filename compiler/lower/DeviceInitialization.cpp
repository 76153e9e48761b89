//===- DeviceInitialization.cpp - initial values of allocated objects -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceInitialization.h"
#include "compiler/lower/DeviceAttributes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/MutableBox.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Support/InternalNames.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// In device/allocation.c.
constexpr char InitializeFunction[] = "__cufort_initialize";

class Initialization {
public:
  explicit Initialization(ModuleOp module)
      : module(module), builder(module, fir::getKindMapping(module)) {}

  bool run() {
    SmallVector<std::pair<Operation *, Value>> allocations;
    module.walk([&](Operation *op) {
      Value object = allocated(op);
      auto func = op->getParentOfType<func::FuncOp>();
      if (object && func && runsOnDevice(func))
        allocations.push_back({op, object});
    });
    for (auto [op, object] : allocations)
      if (!initialize(*op, object))
        return false;
    return true;
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

  bool initialize(Operation &op, Value object) {
    auto box = dyn_cast<fir::BaseBoxType>(fir::unwrapRefType(object.getType()));
    auto type = box ? dyn_cast<fir::RecordType>(
                          fir::unwrapSequenceType(box.unwrapInnerType()))
                    : fir::RecordType();
    if (!type || !hasInitialValue(type))
      return true;
    Location location = op.getLoc();
    builder.setInsertionPointAfter(&op);
    Value values = builder.createTemporary(location, type);
    if (!fill(location, values, type)) {
      emitError(location)
          << "ALLOCATE of objects whose components are arrays of a derived "
             "type with initial values is not supported in device code";
      return false;
    }
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
    return true;
  }

  bool fill(Location location, Value record, fir::RecordType type) {
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
        if (hasInitialValue(nested) && !fill(location, place, nested))
          return false;
      } else if (auto element = dyn_cast<fir::RecordType>(
                     fir::unwrapSequenceType(componentType));
                 element && hasInitialValue(element)) {
        return false;
      }
    }
    return true;
  }

  ModuleOp module;
  fir::FirOpBuilder builder;
};

} // namespace

bool cufort::lower::initializeAllocations(ModuleOp module) {
  return Initialization(module).run();
}
