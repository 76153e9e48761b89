//===- ParentComponents.cpp - extended types, for debuggers ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/llvm/ParentComponents.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The component of \p type that has the name of its own type and comes first.
static DIDerivedType *parentOf(const DICompositeType &type) {
  if (type.getTag() != dwarf::DW_TAG_structure_type ||
      type.getElements().empty())
    return nullptr;
  auto *first = dyn_cast<DIDerivedType>(type.getElements()[0]);
  if (!first || first->getTag() != dwarf::DW_TAG_member ||
      first->getOffsetInBits())
    return nullptr;
  const auto *base = dyn_cast_or_null<DICompositeType>(first->getBaseType());
  return base && base->getTag() == dwarf::DW_TAG_structure_type &&
                 base->getName() == first->getName()
             ? first
             : nullptr;
}

void cufort::lower::describeParents(Module &module) {
  DebugInfoFinder finder;
  finder.processModule(module);
  DIBuilder builder(module, /*AllowUnresolved=*/false);
  for (DIType *type : finder.types()) {
    auto *extended = dyn_cast<DICompositeType>(type);
    DIDerivedType *parent = extended ? parentOf(*extended) : nullptr;
    if (!parent)
      continue;
    SmallVector<Metadata *> elements(extended->getElements().begin(),
                                     extended->getElements().end());
    elements.front() = builder.createInheritance(
        extended, parent->getBaseType(), 0, 0, DINode::FlagZero);
    extended->replaceElements(MDTuple::get(module.getContext(), elements));
  }
}
