//===- FindDeviceContext.cpp - device code around a generic reference -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces Fortran::semantics::FindCUDADeviceContext. Flang checks the actual
// arguments of each specific procedure of a generic without a scope, and then
// holds every reference to be host code: literals, expressions and function
// results in device code fit no specific procedure. For operators it gives the
// scope of the module that declares them, which another one may use. In both
// cases the scope around the expression being analysed decides here.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Frontend/CompilerInstance.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"

using namespace Fortran;

static thread_local frontend::CompilerInstance *analysed = nullptr;

cufort::AnalysedInstance::AnalysedInstance(
    frontend::CompilerInstance &instance) {
  analysed = &instance;
}

cufort::AnalysedInstance::~AnalysedInstance() { analysed = nullptr; }

frontend::CompilerInstance *cufort::analysedInstance() { return analysed; }

/// Whether \p scope is the body of a separate module procedure that its
/// interface makes device code. It inherits the attributes later
/// (InheritAttributes); that it knows the predefined variables is decided where
/// it begins.
static bool isBodyOfDeviceInterface(const semantics::Scope &scope) {
  const semantics::Symbol *symbol = scope.symbol();
  const auto *body =
      symbol ? symbol->detailsIf<semantics::SubprogramDetails>() : nullptr;
  const semantics::Symbol *interface = body ? body->moduleInterface() : nullptr;
  const auto *known =
      interface ? interface->detailsIf<semantics::SubprogramDetails>()
                : nullptr;
  return known && known->cudaSubprogramAttrs() &&
         *known->cudaSubprogramAttrs() != common::CUDASubprogramAttrs::Host;
}

static const semantics::Scope *findAround(const semantics::Scope *scope) {
  for (; scope && !scope->IsGlobal(); scope = &scope->parent())
    if (semantics::IsCUDADeviceContext(scope) ||
        isBodyOfDeviceInterface(*scope))
      return scope;
  return nullptr;
}

namespace Fortran::semantics {

const Scope *FindCUDADeviceContext(const Scope *scope) {
  if (const Scope *found = findAround(scope))
    return found;
  if (!analysed)
    return nullptr;
  SemanticsContext &context = analysed->getSemanticsContext();
  parser::CharBlock statement = context.foldingContext().messages().at();
  if (statement.empty())
    return nullptr;
  const Scope &inner = context.FindScope(statement);
  if (scope && !scope->IsModule() && !scope->Contains(inner))
    return nullptr;
  // The declaration of a procedure is checked at its name.
  if (inner.symbol() && inner.symbol()->name().begin() == statement.begin())
    return nullptr;
  return findAround(&inner);
}

} // namespace Fortran::semantics
