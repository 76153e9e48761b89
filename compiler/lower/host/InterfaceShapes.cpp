//===- InterfaceShapes.cpp - interfaces that say assumed shape ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interface body may say assumed shape of an array that the external
// procedure declares with explicit shape. Fortran's rules forbid it, and no
// compiler sees both; nvfortran passes the address of an array in either case,
// so that such programs work with it. Here the first is a descriptor and the
// second an address. Each external procedure therefore tells, in a global of
// its name, which arguments it takes as addresses, and a caller whose interface
// says otherwise asks. A procedure of another compiler has no such global and
// gets what its interface says.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

/// How many arguments the bits of a global tell about; others are what the
/// interface says.
static constexpr unsigned maxArguments = 64;

/// Empty for what is no external procedure of Fortran's.
static std::string externalName(StringRef symbol) {
  if (!symbol.starts_with("_QP"))
    return {};
  return fir::NameUniquer::deconstruct(symbol).second.name;
}

/// An array of assumed shape; characters have lengths besides, which both
/// sides pass in their own way.
static bool isDescriptor(Type type) {
  auto box = dyn_cast<fir::BoxType>(type);
  if (!box)
    return false;
  auto array = dyn_cast<fir::SequenceType>(box.getEleTy());
  return array && !array.hasUnknownShape() &&
         !isa<fir::CharacterType>(array.getEleTy());
}

static bool isAddress(Type type) {
  auto reference = dyn_cast<fir::ReferenceType>(type);
  return reference && isa<fir::SequenceType>(reference.getEleTy());
}

static uint64_t argumentsThat(func::FuncOp procedure, bool (*are)(Type)) {
  uint64_t mask = 0;
  const ArrayRef<Type> types = procedure.getArgumentTypes();
  for (unsigned i = 0; i < types.size() && i < maxArguments; ++i)
    if (are(types[i]))
      mask |= uint64_t(1) << i;
  return mask;
}

namespace {

struct InterfaceShapes
    : public PassWrapper<InterfaceShapes, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InterfaceShapes)
  StringRef getArgument() const override { return "lower-interface-shapes"; }
  StringRef getDescription() const override {
    return "Pass addresses where external procedures expect them";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<fir::FIROpsDialect, LLVM::LLVMDialect, arith::ArithDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto procedure :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (!procedure.isDeclaration() && !cufort::lower::isKernel(procedure))
        if (std::string name = externalName(procedure.getName()); !name.empty())
          if (uint64_t mask = argumentsThat(procedure, isAddress))
            note(procedure, name, mask);
    SmallVector<fir::CallOp> calls;
    module.walk([&](fir::CallOp call) {
      if (func::FuncOp callee = declared(call))
        if (argumentsThat(callee, isDescriptor))
          calls.push_back(call);
    });
    for (fir::CallOp call : calls)
      ask(call);
  }

private:
  /// The external procedure that is called, if this file only declares it.
  func::FuncOp declared(fir::CallOp call) {
    if (!call.getCallee())
      return {};
    auto callee = getOperation().lookupSymbol<func::FuncOp>(*call.getCallee());
    if (!callee || !callee.isDeclaration() ||
        externalName(callee.getName()).empty())
      return {};
    return callee;
  }

  LLVM::GlobalOp global(Location location, StringRef procedure,
                        LLVM::Linkage linkage, Attribute value) {
    const std::string name = ("__cufort_addresses." + procedure).str();
    if (auto there = getOperation().lookupSymbol<LLVM::GlobalOp>(name))
      return there;
    auto builder = OpBuilder::atBlockEnd(getOperation().getBody());
    return LLVM::GlobalOp::create(builder, location, builder.getI64Type(),
                                  /*isConstant=*/true, linkage, name, value);
  }

  void note(func::FuncOp procedure, StringRef name, uint64_t mask) {
    Builder builder(&getContext());
    global(procedure.getLoc(), name, LLVM::Linkage::External,
           builder.getI64IntegerAttr(static_cast<int64_t>(mask)));
  }

  /// The mask of the procedure, 0 where it has told none.
  Value mask(fir::FirOpBuilder &builder, Location location,
             func::FuncOp callee) {
    auto known = global(location, externalName(callee.getName()),
                        LLVM::Linkage::ExternWeak, {});
    Value where = LLVM::AddressOfOp::create(builder, location, known);
    Value null = LLVM::ZeroOp::create(builder, location, where.getType());
    Value told = LLVM::ICmpOp::create(builder, location,
                                      LLVM::ICmpPredicate::ne, where, null);
    return builder.genIfOp(location, {builder.getI64Type()}, told, true)
        .genThen([&] {
          Value load = LLVM::LoadOp::create(builder, location,
                                            builder.getI64Type(), where);
          fir::ResultOp::create(builder, location, load);
        })
        .genElse([&] {
          Value none =
              builder.createIntegerConstant(location, builder.getI64Type(), 0);
          fir::ResultOp::create(builder, location, none);
        })
        .getResults()
        .front();
  }

  /// Replaces the call by one that passes addresses, each the array's or its
  /// descriptor's.
  void ask(fir::CallOp call) {
    func::FuncOp callee = declared(call);
    fir::FirOpBuilder builder(call, fir::getKindMapping(getOperation()));
    const Location location = call.getLoc();
    const Type address = builder.getRefType(builder.getI8Type());
    const uint64_t descriptors = argumentsThat(callee, isDescriptor);
    Value addresses = mask(builder, location, callee);

    SmallVector<Value> arguments(call.getArgOperands());
    SmallVector<Type> types(callee.getArgumentTypes());
    for (unsigned i = 0; i < arguments.size() && i < maxArguments; ++i) {
      Value array = arguments[i];
      if (!(descriptors >> i & 1) || !isa<fir::BoxType>(array.getType()))
        continue;
      Value bit =
          builder.createIntegerConstant(location, builder.getI64Type(),
                                        static_cast<int64_t>(uint64_t(1) << i));
      Value zero =
          builder.createIntegerConstant(location, builder.getI64Type(), 0);
      Value taken = arith::AndIOp::create(builder, location, addresses, bit);
      Value isTaken = arith::CmpIOp::create(
          builder, location, arith::CmpIPredicate::ne, taken, zero);
      Value memory = builder.createTemporary(location, array.getType());
      auto choose = [&] {
        builder.createStoreWithConvert(location, array, memory);
        Value base = builder.createConvert(
            location, address,
            fir::BoxAddrOp::create(builder, location, array));
        Value descriptor = builder.createConvert(location, address, memory);
        return Value(arith::SelectOp::create(builder, location, isTaken, base,
                                             descriptor));
      };
      arguments[i] = callee.getArgAttr(i, fir::getOptionalAttrName())
                         ? whereThere(builder, location, array, address, choose)
                         : choose();
      types[i] = address;
    }

    const auto before = FunctionType::get(
        &getContext(), callee.getArgumentTypes(), callee.getResultTypes());
    const auto after =
        FunctionType::get(&getContext(), types, callee.getResultTypes());
    Value procedure =
        fir::AddrOfOp::create(builder, location, before, call.getCalleeAttr());
    arguments.insert(arguments.begin(),
                     builder.createConvert(location, after, procedure));
    auto changed = fir::CallOp::create(builder, location, SymbolRefAttr(),
                                       SmallVector<Type>(call.getResultTypes()),
                                       arguments);
    changed.setFastmathAttr(call.getFastmathAttr());
    call.replaceAllUsesWith(changed);
    call.erase();
  }

  /// Null for an argument that is absent.
  static Value whereThere(fir::FirOpBuilder &builder, Location location,
                          Value array, Type address,
                          llvm::function_ref<Value()> choose) {
    Value there =
        fir::IsPresentOp::create(builder, location, builder.getI1Type(), array);
    return builder.genIfOp(location, {address}, there, true)
        .genThen([&] { fir::ResultOp::create(builder, location, choose()); })
        .genElse([&] {
          Value none = builder.createNullConstant(location, address);
          fir::ResultOp::create(builder, location, none);
        })
        .getResults()
        .front();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createInterfaceShapes() {
  return std::make_unique<InterfaceShapes>();
}
