//===- InheritAttributes.cpp - attributes that procedures have unsaid -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A separate module procedure has the characteristics of its interface body,
// and with MODULE PROCEDURE nothing of its own to say about them. The functions
// of IEEE_ARITHMETIC are no procedures at all but computed where they stand, in
// device code as on the host; their interfaces say nothing of device data. The
// functions of ISO_C_BINDING that are no intrinsics of Flang's are for both
// sides, too.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Frontend/CompilerInstance.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace Fortran::semantics;

static void inherit(SubprogramDetails &procedure) {
  const Symbol *symbol = procedure.moduleInterface();
  const auto *interface =
      symbol ? symbol->detailsIf<SubprogramDetails>() : nullptr;
  if (!interface || !interface->cudaSubprogramAttrs() ||
      procedure.cudaSubprogramAttrs())
    return;
  procedure.set_cudaSubprogramAttrs(*interface->cudaSubprogramAttrs());
  procedure.cudaLaunchBounds() = interface->cudaLaunchBounds();
  procedure.cudaClusterDims() = interface->cudaClusterDims();
}

static void inheritWithin(Scope &scope) {
  for (Scope &inner : scope.children()) {
    if (Symbol *symbol = inner.symbol())
      if (auto *details = symbol->detailsIf<SubprogramDetails>())
        inherit(*details);
    if (inner.IsModule() || inner.IsSubmodule())
      inheritWithin(inner);
  }
}

/// Lets device code call functions of the module \p name: those of \p only, or
/// all.
static void shareFunctions(Scope &modules, llvm::StringRef name,
                           llvm::ArrayRef<llvm::StringRef> only = {}) {
  auto found =
      modules.find(Fortran::parser::CharBlock(name.data(), name.size()));
  Scope *module = found == modules.end() ? nullptr : found->second->scope();
  if (!module)
    return;
  for (auto &[called, symbol] : *module) {
    llvm::StringRef function(called.begin(), called.size());
    if (auto *details = symbol->detailsIf<SubprogramDetails>();
        details && details->isFunction() && !details->cudaSubprogramAttrs() &&
        (only.empty() || llvm::is_contained(only, function)))
      details->set_cudaSubprogramAttrs(
          Fortran::common::CUDASubprogramAttrs::HostDevice);
  }
}

void cufort::inheritAttributes() {
  if (!analysedInstance())
    return;
  SemanticsContext &context = analysedInstance()->getSemanticsContext();
  inheritWithin(context.globalScope());
  Scope &modules = context.intrinsicModulesScope();
  shareFunctions(modules, "ieee_arithmetic");
  shareFunctions(modules, "__fortran_builtins",
                 {"c_associated_c_ptr", "c_associated_c_funptr"});
}
