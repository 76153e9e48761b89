//===- DeviceOperands.cpp - device data in an expression ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/checks/DeviceOperands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

cufort::DeviceOperands::DeviceOperands(
    const Fortran::evaluate::Expr<Fortran::evaluate::SomeType> &expression)
    : Base(*this) {
  (*this)(expression);
}

bool cufort::DeviceArrayFunctions::operator()(
    const Fortran::evaluate::ProcedureRef &call) const {
  const auto *intrinsic = call.proc().GetSpecificIntrinsic();
  if (intrinsic && !call.IsElemental() &&
      llvm::is_contained({"matmul", "transpose", "reshape", "spread"},
                         llvm::StringRef(intrinsic->name)) &&
      llvm::any_of(call.arguments(), [](const auto &argument) {
        const auto *value = argument ? argument->UnwrapExpr() : nullptr;
        return value && (!DeviceOperands(*value).arraysOnDevice().empty() ||
                         DeviceArrayFunctions()(*value));
      }))
    return true;
  return (*this)(call.arguments());
}
