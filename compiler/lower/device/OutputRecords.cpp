//===- OutputRecords.cpp - derived types in device output -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flang's library finds the components of an object in the host's tables of
// types. Here the compiler names them.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// Whether all of \p type lies in the object itself.
bool isPlain(Type type) {
  type = fir::unwrapSequenceType(type);
  if (isa<fir::BaseBoxType>(type))
    return false;
  auto record = dyn_cast<fir::RecordType>(type);
  return !record || llvm::all_of(record.getTypeList(), [](const auto &each) {
    return isPlain(each.second);
  });
}

/// What a statement names where no procedure of the program writes objects.
constexpr StringRef EmptyTable = "_QQdefault.nonTbpDefinedIoTable";

/// Whether \p procedure has the arguments by which WRITE(FORMATTED) would give
/// it an object: (dtv, unit, iotype, v_list, iostat, iomsg).
bool mayWriteObjects(func::FuncOp procedure) {
  return !procedure ||
         (procedure.getNumArguments() == 6 &&
          isa<fir::BoxCharType>(procedure.getArgumentTypes()[2]) &&
          isa<fir::BoxCharType>(procedure.getArgumentTypes()[5]));
}

/// Whether a procedure of the program may write objects of \p type: one of the
/// type's own, or one in \p table, which the statement names.
bool mayBeWrittenByProgram(ModuleOp module, fir::RecordType type, Value table) {
  while (auto convert = table.getDefiningOp<fir::ConvertOp>())
    table = convert.getValue();
  auto known = table.getDefiningOp<fir::AddrOfOp>();
  if (!known || known.getSymbol().getRootReference() != EmptyTable)
    return true;
  auto info = module.lookupSymbol<fir::TypeInfoOp>(type.getName());
  if (info && !info.getDispatchTable().empty())
    for (auto binding :
         info.getDispatchTable().front().getOps<fir::DTEntryOp>())
      if (mayWriteObjects(module.lookupSymbol<func::FuncOp>(
              binding.getProcAttr().getRootReference())))
        return true;
  return llvm::any_of(type.getTypeList(), [&](const auto &each) {
    auto inner =
        dyn_cast<fir::RecordType>(fir::unwrapSequenceType(each.second));
    return inner && mayBeWrittenByProgram(module, inner, table);
  });
}

class Output {
public:
  Output(fir::FirOpBuilder &builder, fir::CallOp call)
      : builder(builder), location(call.getLoc()), record(call.getOperand(0)) {}

  /// The object that \p box describes.
  void describe(Value box) {
    Type type =
        fir::unwrapRefType(cast<fir::BaseBoxType>(box.getType()).getEleTy());
    auto array = dyn_cast<fir::SequenceType>(type);
    if (!array)
      return print(fir::BoxAddrOp::create(builder, location, box), type);
    SmallVector<Value> extents;
    for (unsigned at = 0; at < array.getDimension(); ++at) {
      Type index = builder.getIndexType();
      extents.push_back(fir::BoxDimsOp::create(
                            builder, location, index, index, index, box,
                            builder.createIntegerConstant(location, index, at))
                            .getResult(1));
    }
    loop(extents, [&](ArrayRef<Value> indices) {
      print(fir::ArrayCoorOp::create(builder, location,
                                     builder.getRefType(array.getEleTy()), box,
                                     Value(), Value(), indices, ValueRange()),
            array.getEleTy());
    });
  }

private:
  /// What lies at \p address.
  void print(Value address, Type type) {
    if (auto structure = dyn_cast<fir::RecordType>(type)) {
      for (auto &[name, component] : structure.getTypeList()) {
        Value field = fir::FieldIndexOp::create(
            builder, location, fir::FieldType::get(builder.getContext()), name,
            structure, ValueRange());
        print(fir::CoordinateOp::create(builder, location,
                                        builder.getRefType(component), address,
                                        ValueRange{field}),
              component);
      }
      return;
    }
    Value shape;
    if (auto array = dyn_cast<fir::SequenceType>(type)) {
      SmallVector<Value> extents;
      for (fir::SequenceType::Extent extent : array.getShape())
        extents.push_back(builder.createIntegerConstant(
            location, builder.getIndexType(), extent));
      shape = builder.genShape(location, extents);
      if (isa<fir::RecordType>(array.getEleTy()))
        return loop(extents, [&](ArrayRef<Value> indices) {
          print(fir::ArrayCoorOp::create(
                    builder, location, builder.getRefType(array.getEleTy()),
                    address, shape, Value(), indices, ValueRange()),
                array.getEleTy());
        });
    }
    Value box = fir::EmboxOp::create(builder, location, fir::BoxType::get(type),
                                     address, shape);
    Type none = fir::BoxType::get(builder.getNoneType());
    func::FuncOp function =
        builder.createFunction(location, "_FortranAioOutputDescriptor",
                               builder.getFunctionType({record.getType(), none},
                                                       {builder.getI1Type()}));
    fir::CallOp::create(
        builder, location, function,
        ValueRange{record, builder.createConvert(location, none, box)});
  }

  /// \p body for the indices of each element, the first fastest.
  void loop(ArrayRef<Value> extents,
            llvm::function_ref<void(ArrayRef<Value>)> body) {
    OpBuilder::InsertionGuard guard(builder);
    Value one =
        builder.createIntegerConstant(location, builder.getIndexType(), 1);
    SmallVector<Value> indices(extents.size());
    for (size_t at = extents.size(); at-- > 0;) {
      auto loop =
          fir::DoLoopOp::create(builder, location, one, extents[at], one);
      indices[at] = loop.getInductionVar();
      builder.setInsertionPointToStart(loop.getBody());
    }
    body(indices);
  }

  fir::FirOpBuilder &builder;
  Location location;
  Value record;
};

struct OutputRecords
    : public PassWrapper<OutputRecords, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutputRecords)
  StringRef getArgument() const override { return "lower-output-records"; }
  StringRef getDescription() const override {
    return "Write objects of derived type by their components";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    SmallVector<fir::CallOp> calls;
    getOperation().walk([&](fir::CallOp call) {
      auto func = call->getParentOfType<func::FuncOp>();
      if (call.getCallee() && func && runsOnDevice(func) &&
          call.getCallee()->getRootReference() ==
              "_FortranAioOutputDerivedType")
        calls.push_back(call);
    });
    fir::FirOpBuilder builder(getOperation(),
                              fir::getKindMapping(getOperation()));
    for (fir::CallOp call : calls) {
      Value box = call.getOperand(1);
      while (auto convert = box.getDefiningOp<fir::ConvertOp>())
        box = convert.getValue();
      auto type = dyn_cast<fir::BoxType>(box.getType());
      auto array = type ? dyn_cast<fir::SequenceType>(type.unwrapInnerType())
                        : fir::SequenceType();
      Type object =
          type ? fir::unwrapSequenceType(fir::unwrapRefType(type.getEleTy()))
               : Type();
      auto structure = dyn_cast_or_null<fir::RecordType>(object);
      if (!structure || !isPlain(structure) ||
          (array && array.hasUnknownShape()) ||
          mayBeWrittenByProgram(getOperation(), structure, call.getOperand(2)))
        continue;
      builder.setInsertionPoint(call);
      Output(builder, call).describe(box);
      call.getResult(0).replaceAllUsesWith(
          builder.createBool(call.getLoc(), true));
      call.erase();
    }
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createOutputRecords() {
  return std::make_unique<OutputRecords>();
}
