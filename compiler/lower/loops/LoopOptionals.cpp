//===- LoopOptionals.cpp - optional dummy arguments in kernel loops -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launch reads what the body of a loop may use: values of scalars, records,
// descriptors. Of an absent argument there is none. The body gets another
// variable of the same declaration, which is the argument where that is present
// and otherwise a place of the procedure's own, and the answer to PRESENT from
// the host.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoops.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Builder/MutableBox.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cufort::lower {

static bool isOptional(hlfir::DeclareOp declare) {
  auto attributes = declare.getFortranAttrs();
  return attributes &&
         bitEnumContainsAny(*attributes,
                            fir::FortranVariableFlagsEnum::optional);
}

namespace {

class Optional {
public:
  Optional(cuf::KernelOp loop, hlfir::DeclareOp declare)
      : loop(loop), declare(declare), location(loop.getLoc()),
        host(loop, fir::getKindMapping(loop->getParentOfType<ModuleOp>())) {}

  void run() {
    Value address = declare.getMemref();
    isPresent =
        fir::IsPresentOp::create(host, location, host.getI1Type(), address);
    answer();
    passOn();
    if (Value empty = placeWithoutArgument(address.getType()))
      substitute(
          arith::SelectOp::create(host, location, isPresent, address, empty));
  }

private:
  bool isInside(Operation *op) { return loop->isProperAncestor(op); }

  /// PRESENT in the body.
  void answer() {
    for (Value variable : {declare.getResult(0), declare.getResult(1)})
      for (Operation *user : llvm::make_early_inc_range(variable.getUsers()))
        if (auto question = dyn_cast<fir::IsPresentOp>(user);
            question && isInside(user)) {
          question.replaceAllUsesWith(isPresent);
          question.erase();
        }
  }

  /// A procedure that the body calls may ask PRESENT of its own argument.
  void passOn() {
    SmallVector<OpOperand *> uses;
    for (Value variable : {declare.getResult(0), declare.getResult(1)})
      for (OpOperand &use : variable.getUses())
        if (isInside(use.getOwner()) && isa<fir::CallOp>(use.getOwner()))
          uses.push_back(&use);
    for (OpOperand *use : uses) {
      OpBuilder body(use->getOwner());
      Value absent =
          fir::AbsentOp::create(body, location, use->get().getType());
      use->set(arith::SelectOp::create(body, location, isPresent, use->get(),
                                       absent));
    }
  }

  /// What the launch may read in place of an absent argument of \p type; null
  /// where it reads nothing, as only the address goes to the kernel.
  Value placeWithoutArgument(Type type) {
    if (auto box = dyn_cast<fir::BoxType>(type))
      return emptyDescriptor(box);
    type = fir::unwrapRefType(type);
    if (auto box = dyn_cast<fir::BoxType>(type)) {
      Value place = host.createTemporary(location, box);
      SmallVector<Value> lengths = lengthsOf(box);
      fir::StoreOp::create(
          host, location,
          fir::factory::createUnallocatedBox(host, location, box, lengths),
          place);
      return place;
    }
    if (!fir::isa_trivial(type) && !isa<fir::RecordType>(type))
      return {};
    Value place = host.createTemporary(location, type);
    if (fir::isa_trivial(type))
      fir::StoreOp::create(host, location,
                           fir::factory::createZeroValue(host, location, type),
                           place);
    return place;
  }

  Value emptyDescriptor(fir::BoxType type) {
    Type elements = fir::unwrapRefType(type.getEleTy());
    auto array = dyn_cast<fir::SequenceType>(elements);
    Value shape;
    if (array) {
      Value zero = host.createIntegerConstant(location, host.getIndexType(), 0);
      SmallVector<Value> extents(array.getDimension(), zero);
      shape = host.genShape(location, extents);
    }
    Value nothing =
        fir::ZeroOp::create(host, location, fir::ReferenceType::get(elements));
    SmallVector<Value> lengths = lengthsOf(type);
    return fir::EmboxOp::create(host, location, type, nothing, shape,
                                /*slice=*/Value(), lengths);
  }

  SmallVector<Value> lengthsOf(fir::BoxType type) {
    auto character =
        dyn_cast<fir::CharacterType>(hlfir::getFortranElementType(type));
    if (!character || character.hasConstantLen())
      return {};
    return {host.createIntegerConstant(location, host.getIndexType(), 0)};
  }

  void substitute(Value address) {
    auto copy = cast<hlfir::DeclareOp>(host.clone(*declare));
    copy.getMemrefMutable().assign(address);
    copy.getDummyScopeMutable().clear();
    copy.removeDummyArgNoAttr();
    for (unsigned index = 0; index < 2; ++index)
      declare.getResult(index).replaceUsesWithIf(
          copy.getResult(index),
          [&](OpOperand &use) { return isInside(use.getOwner()); });
  }

  cuf::KernelOp loop;
  hlfir::DeclareOp declare;
  Location location;
  fir::FirOpBuilder host;
  Value isPresent;
};

} // namespace

void separateOptionals(cuf::KernelOp loop) {
  llvm::SetVector<Operation *> optionals;
  loop.getRegion().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (auto declare = operand.getDefiningOp<hlfir::DeclareOp>();
          declare && !loop->isProperAncestor(declare) && isOptional(declare))
        optionals.insert(declare);
  });
  for (Operation *declare : optionals)
    Optional(loop, cast<hlfir::DeclareOp>(declare)).run();
}

} // namespace cufort::lower
