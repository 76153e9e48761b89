//===- CharacterData.cpp - device data of type character ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// The type behind references and boxes.
Type describedType(Type type) {
  type = fir::unwrapRefType(type);
  if (auto box = dyn_cast<fir::BaseBoxType>(type))
    type = fir::unwrapRefType(box.getEleTy());
  return type;
}

/// The character type behind references, boxes and array types; null where
/// there is another type.
fir::CharacterType characterType(Type type) {
  if (auto boxed = dyn_cast<fir::BoxCharType>(type))
    return fir::CharacterType::getUnknownLen(boxed.getContext(),
                                             boxed.getKind());
  return dyn_cast<fir::CharacterType>(
      fir::unwrapSequenceType(describedType(type)));
}

/// Flang counts one character for every element.
bool isMiscounted(Type type) {
  fir::CharacterType character = characterType(type);
  return character && character.getLen() != 1;
}

/// Flang copies as many bytes as the left side has elements from what may be
/// one character, or characters of another length.
bool isMiscounted(cuf::DataTransferOp transfer) {
  Type target = transfer.getDst().getType();
  Type source = transfer.getSrc().getType();
  auto isArray = [](Type type) {
    return isa<fir::SequenceType>(describedType(type));
  };
  return characterType(target) && characterType(source) &&
         (isMiscounted(target) || isMiscounted(source) ||
          isArray(target) != isArray(source));
}

Value constant(OpBuilder &builder, Location location, int64_t value) {
  return arith::ConstantIndexOp::create(builder, location, value);
}

struct CharacterData
    : public PassWrapper<CharacterData, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CharacterData)
  StringRef getArgument() const override { return "lower-character-data"; }
  StringRef getDescription() const override {
    return "Give device data of type character its length";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    SmallVector<cuf::DataTransferOp> transfers;
    SmallVector<cuf::AllocOp> allocations;
    SmallVector<cuf::KernelLaunchOp> launches;
    ModuleOp module = getOperation();
    module.walk([&](Operation *op) {
      if (auto transfer = dyn_cast<cuf::DataTransferOp>(op);
          transfer && isMiscounted(transfer))
        transfers.push_back(transfer);
      if (auto allocation = dyn_cast<cuf::AllocOp>(op);
          allocation && isa<fir::SequenceType>(allocation.getInType()) &&
          isMiscounted(allocation.getInType()) &&
          runsOnHost(op->getParentOfType<func::FuncOp>()))
        allocations.push_back(allocation);
      if (auto launch = dyn_cast<cuf::KernelLaunchOp>(op))
        launches.push_back(launch);
    });
    for (cuf::DataTransferOp transfer : transfers) {
      box(transfer, transfer.getSrcMutable());
      box(transfer, transfer.getDstMutable());
      // Both have it now.
      transfer.getShapeMutable().clear();
    }
    for (cuf::AllocOp allocation : allocations)
      allocateBytes(allocation);
    for (func::FuncOp func : module.getOps<func::FuncOp>())
      if (isKernel(func) && !func.isDeclaration())
        receiveValues(func);
    SymbolTable symbols(module);
    for (cuf::KernelLaunchOp launch : launches)
      if (auto kernel = symbols.lookup<func::FuncOp>(
              launch.getCallee().getRootReference().getValue()))
        sendValues(launch, kernel);
  }

private:
  /// A descriptor knows the length of its elements, and the runtime pads.
  static void box(cuf::DataTransferOp transfer, OpOperand &operand) {
    Value value = operand.get();
    if (isa<fir::BaseBoxType>(fir::unwrapRefType(value.getType())))
      return;
    OpBuilder builder(transfer);
    Location location = transfer.getLoc();
    SmallVector<Value> lengths;
    Value shape;
    if (isa<fir::BoxCharType>(value.getType())) {
      fir::CharacterType type = characterType(value.getType());
      auto unboxed = fir::UnboxCharOp::create(builder, location,
                                              fir::ReferenceType::get(type),
                                              builder.getIndexType(), value);
      value = unboxed.getResult(0);
      lengths.push_back(unboxed.getResult(1));
    } else if (auto declare = value.getDefiningOp<fir::DeclareOp>()) {
      shape = declare.getShape();
      if (characterType(value.getType()).hasDynamicLen())
        lengths.assign(declare.getTypeparams().begin(),
                       declare.getTypeparams().end());
    }
    Type type = fir::unwrapRefType(value.getType());
    if (auto array = dyn_cast<fir::SequenceType>(type); array && !shape)
      shape = shapeOf(builder, transfer, array);
    operand.set(fir::EmboxOp::create(builder, location, fir::BoxType::get(type),
                                     value, shape,
                                     /*slice=*/Value(), lengths));
  }

  static Value shapeOf(OpBuilder &builder, cuf::DataTransferOp transfer,
                       fir::SequenceType type) {
    if (type.hasDynamicExtents())
      return transfer.getShape();
    SmallVector<Value> extents;
    for (int64_t extent : type.getShape())
      extents.push_back(constant(builder, transfer.getLoc(), extent));
    return fir::ShapeOp::create(builder, transfer.getLoc(), extents);
  }

  static void allocateBytes(cuf::AllocOp allocation) {
    OpBuilder builder(allocation);
    Location location = allocation.getLoc();
    auto array = cast<fir::SequenceType>(allocation.getInType());
    auto character = cast<fir::CharacterType>(array.getEleTy());
    Value bytes =
        character.hasDynamicLen()
            ? toIndex(builder, location, allocation.getTypeparams().front())
            : constant(builder, location, character.getLen());
    auto times = [&](Value factor) {
      bytes = arith::MulIOp::create(builder, location, bytes, factor);
    };
    times(constant(builder, location, character.getFKind()));
    auto dynamic = allocation.getShape().begin();
    for (int64_t extent : array.getShape())
      times(extent == fir::SequenceType::getUnknownExtent()
                ? toIndex(builder, location, *dynamic++)
                : constant(builder, location, extent));
    auto type = fir::SequenceType::get({fir::SequenceType::getUnknownExtent()},
                                       builder.getI8Type());
    Value memory = cuf::AllocOp::create(
        builder, location, type, allocation.getUniqName().value_or(""),
        allocation.getBindcName().value_or(""), allocation.getDataAttrAttr(),
        /*typeparams=*/{}, bytes);
    allocation.replaceAllUsesWith(Value(fir::ConvertOp::create(
        builder, location, allocation.getType(), memory)));
    allocation.erase();
  }

  static Value toIndex(OpBuilder &builder, Location location, Value value) {
    return value.getType().isIndex()
               ? value
               : fir::ConvertOp::create(builder, location,
                                        builder.getIndexType(), value);
  }

  static bool isValue(func::FuncOp kernel, unsigned index) {
    return !kernel.getArgAttr(index, cuf::getDataAttrName());
  }

  /// The constant length of a dummy argument, or 0.
  static int64_t declaredLength(BlockArgument argument) {
    for (Operation *user : argument.getUsers())
      if (auto unbox = dyn_cast<fir::UnboxCharOp>(user))
        for (Operation *next : unbox.getResult(0).getUsers())
          if (auto converted = dyn_cast<fir::ConvertOp>(next))
            if (fir::CharacterType type = characterType(converted.getType());
                type && !type.hasDynamicLen())
              return type.getLen();
    return 0;
  }

  static Type valueType(Type boxed, int64_t length) {
    auto type = cast<fir::BoxCharType>(boxed);
    return fir::ReferenceType::get(
        fir::CharacterType::get(type.getContext(), type.getKind(), length));
  }

  static void setArgumentType(func::FuncOp kernel, unsigned index, Type type) {
    SmallVector<Type> inputs(kernel.getArgumentTypes());
    inputs[index] = type;
    kernel.setType(FunctionType::get(kernel.getContext(), inputs,
                                     kernel.getResultTypes()));
    if (!kernel.isDeclaration())
      kernel.getArgument(index).setType(type);
  }

  void receiveValues(func::FuncOp kernel) {
    for (unsigned index = 0; index < kernel.getNumArguments(); ++index) {
      BlockArgument argument = kernel.getArgument(index);
      if (!isa<fir::BoxCharType>(argument.getType()) || !isValue(kernel, index))
        continue;
      const bool onlyUnboxed =
          llvm::all_of(argument.getUsers(), llvm::IsaPred<fir::UnboxCharOp>);
      const int64_t length =
          argument.use_empty() ? 1 : declaredLength(argument);
      if (!length || !onlyUnboxed) {
        emitError(kernel.getLoc())
            << "character VALUE dummy arguments of kernels whose length is not "
               "a constant are not supported yet";
        signalPassFailure();
        return;
      }
      setArgumentType(kernel, index, valueType(argument.getType(), length));
      for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
        OpBuilder builder(user);
        Value address = fir::ConvertOp::create(
            builder, user->getLoc(), user->getResult(0).getType(), argument);
        Value count = constant(builder, user->getLoc(), length);
        user->replaceAllUsesWith(ValueRange{
            address,
            fir::ConvertOp::create(builder, user->getLoc(),
                                   user->getResult(1).getType(), count)});
        user->erase();
      }
    }
  }

  void sendValues(cuf::KernelLaunchOp launch, func::FuncOp kernel) {
    for (auto [index, argument] : llvm::enumerate(launch.getArgs())) {
      auto boxed = argument.getDefiningOp<fir::EmboxCharOp>();
      if (!boxed || !isValue(kernel, index))
        continue;
      // A kernel of another file says its length nowhere but here.
      APInt length;
      if (isa<fir::BoxCharType>(kernel.getArgumentTypes()[index])) {
        if (!matchPattern(boxed.getLen(), m_ConstantInt(&length))) {
          launch.emitError("character VALUE dummy arguments of kernels whose "
                           "length is not a constant are not supported yet");
          return signalPassFailure();
        }
        setArgumentType(
            kernel, index,
            valueType(kernel.getArgumentTypes()[index], length.getSExtValue()));
      }
      OpBuilder builder(launch);
      Value address = fir::ConvertOp::create(builder, launch.getLoc(),
                                             kernel.getArgumentTypes()[index],
                                             boxed.getMemref());
      launch.getArgsMutable()[index].set(address);
    }
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createCharacterData() {
  return std::make_unique<CharacterData>();
}
