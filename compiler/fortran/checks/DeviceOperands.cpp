//===- DeviceOperands.cpp - device data in an expression ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/checks/DeviceOperands.h"

cufort::DeviceOperands::DeviceOperands(
    const Fortran::evaluate::Expr<Fortran::evaluate::SomeType> &expression)
    : Base(*this) {
  (*this)(expression);
}
