//===- ModuleConstants.cpp - constants of intrinsic modules ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/ModuleConstants.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include <vector>

using namespace Fortran::semantics;

namespace cufort {

/// Only of numbers and only scalars: every reference to such a constant is
/// folded, while an element of a constant array needs the array.
static bool isFoldedConstant(const Symbol &symbol) {
  if (!symbol.has<UseDetails>())
    return false;
  const Symbol &ultimate = symbol.GetUltimate();
  const DeclTypeSpec *type = ultimate.GetType();
  return IsNamedConstant(ultimate) && ultimate.Rank() == 0 && type &&
         type->category() == DeclTypeSpec::Numeric &&
         ultimate.owner().parent().IsIntrinsicModules();
}

static void forgetIn(Scope &scope) {
  std::vector<SourceName> names;
  for (const auto &[name, symbol] : scope)
    if (isFoldedConstant(*symbol))
      names.push_back(name);
  for (const SourceName &name : names)
    scope.erase(name);
  for (Scope &child : scope.children())
    forgetIn(child);
}

void forgetModuleConstants(SemanticsContext &context) {
  for (Scope &child : context.globalScope().children())
    if (!child.IsIntrinsicModules())
      forgetIn(child);
}

} // namespace cufort
