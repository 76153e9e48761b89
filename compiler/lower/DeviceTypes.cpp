//===- DeviceTypes.cpp - dynamic types in device code ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceTypes.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

static std::string descriptorOf(Type type) {
  return fir::NameUniquer::getTypeDescriptorName(
      cast<fir::RecordType>(type).getName());
}

void cufort::lower::describeTypes(ModuleOp module) {
  OpBuilder builder(module.getContext());
  Type word = builder.getI64Type();
  SmallVector<fir::TypeInfoOp> infos(module.getOps<fir::TypeInfoOp>());
  for (fir::TypeInfoOp info : infos) {
    const std::string name = descriptorOf(info.getType());
    if (Operation *old = module.lookupSymbol(name))
      old->erase();
    Location loc = info.getLoc();
    builder.setInsertionPointToEnd(module.getBody());
    auto global = fir::GlobalOp::create(builder, loc, name, /*isConstant=*/true,
                                        /*isTarget=*/false, word, Attribute(),
                                        builder.getStringAttr("linkonce_odr"));
    builder.createBlock(&global.getRegion());
    Value parent;
    if (std::optional<Type> type = info.getParentType()) {
      Value address = fir::AddrOfOp::create(
          builder, loc, fir::ReferenceType::get(word),
          SymbolRefAttr::get(builder.getContext(), descriptorOf(*type)));
      parent = fir::ConvertOp::create(builder, loc, word, address);
    } else {
      parent =
          arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
    }
    fir::HasValueOp::create(builder, loc, parent);
    for (Region *region :
         {&info.getDispatchTable(), &info.getComponentInfo()}) {
      region->dropAllReferences();
      region->getBlocks().clear();
    }
  }
}
