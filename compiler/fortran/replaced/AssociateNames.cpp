//===- AssociateNames.cpp - where data with an associate name lie ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of an associate name Flang's checks know the memory attribute if it stands
// for a whole variable, not if it does for a component.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/TypedExpressions.h"
#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "llvm/ADT/STLExtras.h"

using namespace Fortran;

bool cufort::isDeviceData(const semantics::Symbol &symbol) {
  const semantics::Symbol &ultimate = symbol.GetUltimate();
  const auto *name = ultimate.detailsIf<semantics::AssocEntityDetails>();
  if (!name)
    return semantics::GetCUDADataAttr(&ultimate) ==
           common::CUDADataAttr::Device;
  if (!name->expr())
    return false;
  // A component lies where its record lies, unless only its descriptor does.
  const auto symbols = cufort::symbolsOf(*name->expr());
  if (!symbols)
    return false;
  for (const auto &each : llvm::reverse(*symbols)) {
    if (isDeviceData(*each))
      return true;
    if (semantics::GetCUDADataAttr(&each->GetUltimate()) ||
        semantics::IsAllocatableOrPointer(*each))
      return false;
  }
  return false;
}
