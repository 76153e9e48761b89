//===- HasImplicitTransfer.cpp - host expressions with device data --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces Fortran::evaluate::HasCUDAImplicitTransfer. Flang's analysis asks it
// whether an expression mixes host and device data, which may not be assigned
// to device data; it takes components of device structures for host data and
// managed data for device data. Flang's lowering then makes a copy of every
// device variable, also where there is only a component with a memory attribute
// (it crashes) or where it is large and one element is read; compiler/lower
// copies what is read.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/checks/DeviceOperands.h"
#include "compiler/fortran/replaced/Replaced.h"

using namespace Fortran::evaluate;

namespace {

/// Whether an expression names constants. Subscripts are expressions of their
/// own, and the zero of a conversion from real to complex is no operand.
class Constants : public AnyTraverse<Constants, bool> {
public:
  Constants() : AnyTraverse(*this) {}
  using AnyTraverse::operator();
  template <typename T> bool operator()(const Constant<T> &) const {
    return true;
  }
  template <int Kind>
  bool operator()(const ComplexConstructor<Kind> &number) const {
    auto imaginary =
        GetScalarConstantValue<Type<TypeCategory::Real, Kind>>(number.right());
    return (*this)(number.left()) ||
           !(imaginary && imaginary->IsZero() && !imaginary->IsNegative());
  }
  bool operator()(const Subscript &) const { return false; }
};

} // namespace

bool Fortran::evaluate::HasCUDAImplicitTransfer(
    const Expr<SomeType> &expression) {
  if (!cufort::analysedInstance())
    return false;
  cufort::DeviceOperands operands(expression);
  return !operands.onDevice().empty() &&
         (operands.readsHost() || Constants()(expression));
}
