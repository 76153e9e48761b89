//===- CallForms.h - how two languages pass the same values -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device procedure that one language defines and the other calls. In the code
// of Clang and of Flang some values have different forms: C's bool is one bit,
// Fortran's logical(c_bool) a byte; a complex number is the address of a copy
// in C and two numbers in Fortran.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_CALLFORMS_H
#define CUFORT_COMPILER_LINK_CALLFORMS_H

#include "llvm/IR/Function.h"

namespace cufort {

/// How a function is called. Null where it is a variable.
struct CallForm {
  llvm::FunctionType *type = nullptr;
  llvm::AttributeList attributes;
};

CallForm callForm(const llvm::GlobalValue &value);

/// Whether callers of the form \p one can call a function of the form \p other
/// as it is: structures may have different names.
bool isSameForm(const CallForm &one, const CallForm &other);

/// Whether the two forms pass the same values, in whatever way.
bool canConvert(const CallForm &one, const CallForm &other);

/// Gives the symbol of \p function to a function of another form, for which
/// canConvert is true. Defined, that one calls \p function; if \p function is a
/// declaration, it becomes what calls the symbol.
void convertTo(llvm::Function &function, const CallForm &form);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_CALLFORMS_H
