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
// device code as on the host; their interfaces say nothing of device data.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Frontend/CompilerInstance.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"

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

static void allowArithmetic(Scope &modules) {
  auto found = modules.find(Fortran::parser::CharBlock("ieee_arithmetic", 15));
  Scope *module = found == modules.end() ? nullptr : found->second->scope();
  if (!module)
    return;
  for (auto &[name, symbol] : *module)
    if (auto *details = symbol->detailsIf<SubprogramDetails>();
        details && details->isFunction() && !details->cudaSubprogramAttrs())
      details->set_cudaSubprogramAttrs(
          Fortran::common::CUDASubprogramAttrs::HostDevice);
}

void cufort::inheritAttributes() {
  if (!analysedInstance())
    return;
  SemanticsContext &context = analysedInstance()->getSemanticsContext();
  inheritWithin(context.globalScope());
  allowArithmetic(context.intrinsicModulesScope());
}
