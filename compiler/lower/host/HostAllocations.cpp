//===- HostAllocations.cpp - allocations of device arrays by the host -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/host/HostCopies.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

struct HostAllocations
    : public PassWrapper<HostAllocations, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostAllocations)
  StringRef getArgument() const override { return "lower-host-allocations"; }
  StringRef getDescription() const override {
    return "Prepare allocations of device arrays for Flang's cuf-convert";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    SmallVector<cuf::AllocOp> descriptors, objects;
    SmallVector<cuf::FreeOp> frees;
    SmallVector<cuf::AllocateOp> components;
    getOperation().walk([&](Operation *op) {
      if (auto alloc = dyn_cast<cuf::AllocOp>(op);
          alloc && isa<fir::BaseBoxType>(alloc.getInType()))
        descriptors.push_back(alloc);
      else if (alloc && plain(alloc.getInType()) != alloc.getInType())
        objects.push_back(alloc);
      if (auto alloc = dyn_cast<cuf::AllocOp>(op))
        countConstantExtents(alloc);
      if (auto free = dyn_cast<cuf::FreeOp>(op);
          free &&
          isa<fir::BaseBoxType>(fir::unwrapRefType(free.getDevptr().getType())))
        frees.push_back(free);
    });
    getOperation().walk([&](Operation *op) {
      // Otherwise the host's AllocatableDeallocate would be called, which
      // knows no pointers.
      if (auto deallocate = dyn_cast<cuf::DeallocateOp>(op))
        deallocate.setHasDoubleDescriptor(true);
      if (auto allocate = dyn_cast<cuf::AllocateOp>(op)) {
        if (allocate.getPinned())
          clearPinned(allocate);
        if (allocate.getBox().getDefiningOp<fir::CoordinateOp>())
          components.push_back(allocate);
      }
    });
    for (cuf::AllocateOp allocate : components)
      setAllocator(allocate);
    getOperation().walk([](fir::DeclareOp declare) {
      // A variable of another module is declared in that module's file; what
      // fails at run time is a use of it in this one.
      auto func = declare->getParentOfType<func::FuncOp>();
      if (func && declare.getMemref().getDefiningOp<fir::AddrOfOp>())
        declare->setLoc(func.getLoc());
    });
    SmallVector<fir::CallOp> moves;
    getOperation().walk([&](fir::CallOp call) {
      if (call.getCallee() &&
          call.getCallee()->getRootReference() == "_FortranAMoveAlloc")
        moves.push_back(call);
    });
    for (fir::CallOp move : moves)
      followMove(move);
    for (cuf::FreeOp free : frees) {
      endScope(free);
      free.erase();
    }
    for (cuf::AllocOp alloc : descriptors)
      moveToStack(alloc);
    for (cuf::AllocOp alloc : objects)
      allocatePlain(alloc);
  }

private:
  /// A type of the same size as \p type whose size cuf-convert can tell: that
  /// of a procedure pointer has one only later, as every address. What a
  /// descriptor points to does not count; if it has procedure pointers,
  /// cuf-convert would settle its form without them.
  static Type plain(Type type) {
    MLIRContext *context = type.getContext();
    if (isa<fir::BoxProcType>(type))
      return fir::ReferenceType::get(IntegerType::get(context, 8));
    if (auto box = dyn_cast<fir::BaseBoxType>(type)) {
      Type target = box.getEleTy();
      if (Type pointee = fir::dyn_cast_ptrEleTy(target))
        target = pointee;
      auto array = dyn_cast<fir::SequenceType>(target);
      if (!isa<fir::RecordType>(array ? array.getEleTy() : target))
        return type;
      Type any = anyRecord(context);
      return fir::BoxType::get(
          array ? fir::SequenceType::get(array.getShape(), any) : any);
    }
    if (auto array = dyn_cast<fir::SequenceType>(type)) {
      Type element = plain(array.getEleTy());
      return element == array.getEleTy()
                 ? type
                 : fir::SequenceType::get(array.getShape(), element);
    }
    auto record = dyn_cast<fir::RecordType>(type);
    if (!record)
      return type;
    SmallVector<fir::RecordType::TypePair> components;
    bool isPlain = true;
    for (const auto &[name, component] : record.getTypeList()) {
      components.emplace_back(name, plain(component));
      isPlain &= components.back().second == component;
    }
    if (isPlain)
      return type;
    auto other = fir::RecordType::get(type.getContext(),
                                      (record.getName() + ".plain").str());
    if (!other.isFinalized())
      other.finalize({}, components);
    return other;
  }

  /// What stands for all derived types that a descriptor may be of.
  static Type anyRecord(MLIRContext *context) {
    auto any = fir::RecordType::get(context, "any.plain");
    if (!any.isFinalized())
      any.finalize({}, {});
    return any;
  }

  static void allocatePlain(cuf::AllocOp alloc) {
    OpBuilder builder(alloc);
    Value memory = cuf::AllocOp::create(
        builder, alloc.getLoc(), plain(alloc.getInType()),
        alloc.getUniqName().value_or(""), alloc.getBindcName().value_or(""),
        alloc.getDataAttrAttr(), alloc.getTypeparams(), alloc.getShape());
    alloc.replaceAllUsesWith(Value(fir::ConvertOp::create(
        builder, alloc.getLoc(), alloc.getType(), memory)));
    alloc.erase();
  }

  /// The deallocation of an array at the end of its scope, which \p free ends,
  /// has an entry of its own: it forgives what a deallocate statement does not.
  /// Flang makes it of the same operations as `if (allocated(a))
  /// deallocate(a)`.
  void endScope(cuf::FreeOp free) {
    auto allocated = dyn_cast_or_null<fir::IfOp>(free->getPrevNode());
    if (!allocated)
      return;
    auto deallocate =
        dyn_cast<cuf::DeallocateOp>(allocated.getThenRegion().front().front());
    if (!deallocate || deallocate.getBox() != free.getDevptr() ||
        deallocate.getHasStat() || !deallocate.use_empty())
      return;
    Location location = deallocate.getLoc();
    fir::FirOpBuilder builder(deallocate, fir::getKindMapping(getOperation()));
    SmallVector<Value> arguments = {
        rawAddress(builder, location, deallocate.getBox())};
    addSourceLine(builder, location, arguments);
    callRuntime(builder, location, "_FortranACUFAllocatableEnd", {}, arguments);
    deallocate.erase();
  }

  /// cuf-convert takes the product of the extents that are operands for the
  /// number of elements of an automatic array; others are in its type.
  static void countConstantExtents(cuf::AllocOp alloc) {
    auto array = dyn_cast<fir::SequenceType>(alloc.getInType());
    if (!array || alloc.getShape().empty() || !isHostCode(alloc))
      return;
    int64_t elements = 1;
    for (int64_t extent : array.getShape())
      if (extent != fir::SequenceType::getUnknownExtent())
        elements *= extent;
    if (elements == 1)
      return;
    OpBuilder builder(alloc);
    Location location = alloc.getLoc();
    OpOperand &first = alloc.getShapeMutable()[0];
    Value factor = arith::ConstantOp::create(
        builder, location,
        builder.getIntegerAttr(first.get().getType(), elements));
    first.set(arith::MulIOp::create(builder, location, first.get(), factor));
  }

  /// move_alloc is the host runtime's, which knows nothing of the device's
  /// copies of module variables' descriptors.
  void followMove(fir::CallOp move) {
    Location location = move.getLoc();
    fir::FirOpBuilder builder(getOperation(),
                              fir::getKindMapping(getOperation()));
    builder.setInsertionPointAfter(move);
    for (Value descriptor : {move.getOperand(0), move.getOperand(1)}) {
      auto convert = descriptor.getDefiningOp<fir::ConvertOp>();
      auto declare = convert
                         ? convert.getValue().getDefiningOp<fir::DeclareOp>()
                         : fir::DeclareOp();
      if (!declare || !declare.getDataAttr())
        continue;
      Type i32 = builder.getI32Type();
      Value file = fir::factory::locationToFilename(builder, location);
      Value line = fir::factory::locationToLineNo(builder, location, i32);
      constexpr StringRef name = "_FortranACUFDescriptorMoved";
      func::FuncOp entry = builder.getNamedFunction(name);
      if (!entry)
        entry = builder.createFunction(
            location, name,
            builder.getFunctionType({descriptor.getType(), file.getType(), i32},
                                    {}));
      fir::CallOp::create(builder, location, entry,
                          ValueRange{descriptor, file, line});
    }
  }

  /// The descriptor of a component knows its memory only where the component is
  /// a device's and was initialised at run time, not in variables that have
  /// their first values in the program file; those in managed memory, which is
  /// initialised from the device's code, do not know their type either.
  void setAllocator(cuf::AllocateOp allocate) {
    fir::FirOpBuilder builder(getOperation(),
                              fir::getKindMapping(getOperation()));
    builder.setInsertionPoint(allocate);
    cufort::lower::setAllocator(
        builder, allocate.getLoc(), allocate.getBox(),
        allocate.getDataAttr().value_or(cuf::DataAttribute::Device));
  }

  /// The runtime sets the first byte of the PINNED= variable only.
  static void clearPinned(cuf::AllocateOp allocate) {
    OpBuilder builder(allocate);
    Location location = allocate.getLoc();
    Type type = fir::unwrapRefType(allocate.getPinned().getType());
    Value no = arith::ConstantIntOp::create(builder, location, 0, 1);
    no = fir::ConvertOp::create(builder, location, type, no);
    fir::StoreOp::create(builder, location, no, allocate.getPinned());
  }

  static void moveToStack(cuf::AllocOp alloc) {
    // Of the thread, where OpenMP's threads execute the BLOCK that declares it.
    fir::FirOpBuilder builder(
        alloc, fir::getKindMapping(alloc->getParentOfType<ModuleOp>()));
    builder.setInsertionPointToStart(builder.getAllocaBlock());
    Value local = fir::AllocaOp::create(
        builder, alloc.getLoc(), alloc.getInType(),
        alloc.getUniqName().value_or(""), alloc.getBindcName().value_or(""));
    alloc.replaceAllUsesWith(local);
    alloc.erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createHostAllocations() {
  return std::make_unique<HostAllocations>();
}
