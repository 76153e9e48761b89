//===- DeviceTypes.cpp - derived types in device code ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/device/DeviceTypes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

std::string cufort::lower::descriptorName(fir::RecordType type) {
  return fir::NameUniquer::getTypeDescriptorName(type.getName());
}

static bool isAllocatable(Type type) {
  auto box = dyn_cast<fir::BaseBoxType>(type);
  return box && isa<fir::HeapType>(box.getEleTy());
}

bool cufort::lower::ownsMemory(fir::RecordType type) {
  return llvm::any_of(type.getTypeList(), [](auto &component) {
    auto nested =
        dyn_cast<fir::RecordType>(fir::unwrapSequenceType(component.second));
    return isAllocatable(component.second) || (nested && ownsMemory(nested));
  });
}

namespace {

/// As in device/types.h.
enum Count : int64_t { PlainValues = 0, OwningObjects = -1 };

/// The type of the objects that \p component is or holds; null for numbers and
/// the like.
fir::RecordType structureIn(Type component) {
  if (auto box = dyn_cast<fir::BaseBoxType>(component))
    component = box.unwrapInnerType();
  // CLASS(*) says nothing.
  return component
             ? dyn_cast<fir::RecordType>(fir::unwrapSequenceType(component))
             : fir::RecordType();
}

/// The components that have memory to be freed with the object: those that are
/// allocatable, and objects with such components.
SmallVector<std::pair<std::string, Type>> ownersIn(fir::RecordType type) {
  SmallVector<std::pair<std::string, Type>> owners;
  for (auto &[name, component] : type.getTypeList()) {
    auto nested = dyn_cast<fir::RecordType>(fir::unwrapSequenceType(component));
    if (isAllocatable(component) ||
        (nested && cufort::lower::ownsMemory(nested)))
      owners.push_back({name, component});
  }
  return owners;
}

/// The words of one type.
class Words {
public:
  Words(ModuleOp module, Location loc, fir::RecordType type)
      : builder(module, fir::getKindMapping(module)), loc(loc), type(type) {
    builder.setInsertionPointToEnd(module.getBody());
  }

  void write(fir::RecordType parent) {
    constexpr int64_t Head = 3, Each = 3;
    // The types to describe, each with the place of its words.
    llvm::MapVector<Type, int64_t> places;
    int64_t end = 0;
    auto place = [&](fir::RecordType described) {
      if (places.insert({described, end}).second)
        end += Head + Each * int64_t(ownersIn(described).size());
    };
    place(type);
    for (size_t i = 0; i < places.size(); ++i)
      for (auto &[name, component] :
           ownersIn(cast<fir::RecordType>(places.getArrayRef()[i].first)))
        if (fir::RecordType inner = structureIn(component);
            inner && cufort::lower::ownsMemory(inner))
          place(inner);

    auto array = fir::SequenceType::get({end}, builder.getI64Type());
    auto global = fir::GlobalOp::create(
        builder, loc, cufort::lower::descriptorName(type), /*isConstant=*/true,
        /*isTarget=*/false, array, Attribute(),
        builder.getStringAttr("linkonce_odr"));
    builder.createBlock(&global.getRegion());
    words = fir::UndefOp::create(builder, loc, array);
    for (auto &[each, start] : places) {
      auto described = cast<fir::RecordType>(each);
      auto owners = ownersIn(described);
      add(addressOf(described == type ? parent : fir::RecordType()));
      add(bytesOf(described));
      add(number(int64_t(owners.size())));
      for (auto &[name, component] : owners) {
        fir::RecordType inner = structureIn(component);
        const bool owns = inner && cufort::lower::ownsMemory(inner);
        auto elements = dyn_cast<fir::SequenceType>(component);
        add(offset(described, name, component));
        add(number(!owns                      ? PlainValues
                   : isAllocatable(component) ? OwningObjects
                   : elements ? int64_t(elements.getConstantArraySize())
                              : 1));
        add(number(owns ? places[inner] - start : 0));
      }
    }
    fir::HasValueOp::create(builder, loc, words);
  }

private:
  Value number(int64_t value) {
    return builder.createIntegerConstant(loc, builder.getI64Type(), value);
  }

  Value addressOf(fir::RecordType described) {
    if (!described)
      return number(0);
    Value address = fir::AddrOfOp::create(
        builder, loc, builder.getRefType(builder.getI64Type()),
        builder.getSymbolRefAttr(cufort::lower::descriptorName(described)));
    return builder.createConvert(loc, builder.getI64Type(), address);
  }

  /// Where a second object would be if the first were at zero.
  Value bytesOf(fir::RecordType described) {
    Type two = fir::SequenceType::get({2}, described);
    Value zero = fir::ZeroOp::create(builder, loc, builder.getRefType(two));
    Value second =
        fir::CoordinateOp::create(builder, loc, builder.getRefType(described),
                                  zero, ValueRange{number(1)});
    return builder.createConvert(loc, builder.getI64Type(), second);
  }

  Value offset(fir::RecordType described, StringRef name, Type component) {
    Value zero =
        fir::ZeroOp::create(builder, loc, builder.getRefType(described));
    Value field = fir::FieldIndexOp::create(
        builder, loc, fir::FieldType::get(builder.getContext()), name,
        described, ValueRange{});
    Value place = fir::CoordinateOp::create(
        builder, loc, builder.getRefType(component), zero, ValueRange{field});
    return builder.createConvert(loc, builder.getI64Type(), place);
  }

  void add(Value value) {
    words = fir::InsertValueOp::create(
        builder, loc, words.getType(), words, value,
        builder.getArrayAttr(builder.getIndexAttr(written++)));
  }

  fir::FirOpBuilder builder;
  Location loc;
  fir::RecordType type;
  Value words;
  int64_t written = 0;
};

} // namespace

void cufort::lower::describeTypes(ModuleOp module) {
  SmallVector<fir::TypeInfoOp> infos(module.getOps<fir::TypeInfoOp>());
  for (fir::TypeInfoOp info : infos) {
    auto type = cast<fir::RecordType>(info.getType());
    if (Operation *old = module.lookupSymbol(descriptorName(type)))
      old->erase();
    std::optional<Type> parent = info.getParentType();
    Words(module, info.getLoc(), type)
        .write(parent ? cast<fir::RecordType>(*parent) : fir::RecordType());
    for (Region *region :
         {&info.getDispatchTable(), &info.getComponentInfo()}) {
      region->dropAllReferences();
      region->getBlocks().clear();
    }
  }
}
