//===- DeviceOperands.h - device data in an expression ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_CHECKS_DEVICEOPERANDS_H
#define CUFORT_COMPILER_FORTRAN_CHECKS_DEVICEOPERANDS_H

#include "flang/Evaluate/tools.h"
#include "flang/Evaluate/traverse.h"
#include "flang/Semantics/tools.h"

namespace cufort {

/// The variables that an expression of the host reads, by memory. Subscripts
/// and arguments of functions are expressions of their own, but for those of
/// elemental intrinsic functions, which are operations by another spelling. A
/// component lies where its base lies unless it has a memory attribute itself.
class DeviceOperands
    : public Fortran::evaluate::AnyTraverse<DeviceOperands, bool> {
  using Base = Fortran::evaluate::AnyTraverse<DeviceOperands, bool>;
  using Symbol = Fortran::semantics::Symbol;

public:
  explicit DeviceOperands(
      const Fortran::evaluate::Expr<Fortran::evaluate::SomeType> &expression);
  using Base::operator();

  bool operator()(const Symbol &symbol) const { return note(symbol); }
  bool operator()(const Fortran::evaluate::Component &component) const {
    const Symbol &last = component.GetLastSymbol();
    return Fortran::semantics::HasCUDAAttr(last.GetUltimate())
               ? note(last)
               : (*this)(component.base());
  }
  bool operator()(const Fortran::evaluate::ArrayRef &element) const {
    return (*this)(element.base());
  }
  bool operator()(const Fortran::evaluate::DescriptorInquiry &) const {
    return false;
  }
  bool operator()(const Fortran::evaluate::ProcedureRef &call) const {
    return call.proc().GetSpecificIntrinsic() && call.IsElemental() &&
           (*this)(call.arguments());
  }
  template <typename T>
  bool operator()(const Fortran::evaluate::Designator<T> &variable) const {
    const bool outer = isArray;
    isArray = variable.Rank() > 0;
    (*this)(variable.u);
    isArray = outer;
    return false;
  }

  /// In memory that the host cannot reach, each once.
  const Fortran::semantics::UnorderedSymbolSet &onDevice() const {
    return device;
  }
  /// Those of them that the expression names as arrays, in part or as a whole.
  const Fortran::semantics::UnorderedSymbolSet &arraysOnDevice() const {
    return arrays;
  }
  /// Anything else.
  bool readsHost() const { return host; }
  /// Whether the expression names an array that kernels do not reach.
  bool readsHostArrays() const { return hostArrays; }

private:
  bool note(const Symbol &symbol) const {
    using Fortran::common::CUDADataAttr;
    auto attribute = Fortran::semantics::GetCUDADataAttr(
        &Fortran::semantics::GetAssociationRoot(symbol));
    if (attribute && (*attribute == CUDADataAttr::Device ||
                      *attribute == CUDADataAttr::Constant)) {
      device.insert(symbol);
      if (isArray)
        arrays.insert(symbol);
    } else {
      host = true;
      hostArrays =
          hostArrays ||
          (isArray && !(attribute && (*attribute == CUDADataAttr::Managed ||
                                      *attribute == CUDADataAttr::Unified)));
    }
    return false;
  }

  mutable Fortran::semantics::UnorderedSymbolSet device, arrays;
  mutable bool host = false, hostArrays = false, isArray = false;
};

/// Whether an expression names matmul, transpose, reshape or spread of data in
/// device memory: those that NVIDIA's module cutensorex has for expressions of
/// such arrays.
class DeviceArrayFunctions
    : public Fortran::evaluate::AnyTraverse<DeviceArrayFunctions, bool> {
  using Base = Fortran::evaluate::AnyTraverse<DeviceArrayFunctions, bool>;

public:
  DeviceArrayFunctions() : Base(*this) {}
  using Base::operator();

  bool operator()(const Fortran::evaluate::ProcedureRef &call) const;
};

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_CHECKS_DEVICEOPERANDS_H
