//===- ManagedByType.h - records that the front end makes managed -*- C++ -*-=//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects of types with device components get the attribute MANAGED from the
// front end. What the host allocates of them is in managed memory, but they are
// records of the host all the same, which pointers to such types may point to.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_CHECKS_MANAGEDBYTYPE_H
#define CUFORT_COMPILER_FORTRAN_CHECKS_MANAGEDBYTYPE_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/symbol.h"
#include <set>

namespace cufort {

class ManagedByType {
public:
  explicit ManagedByType(const Fortran::parser::Program &program);

  /// Whether \p object has the attribute MANAGED of its type alone: the program
  /// does not say it. Of other files' objects that is not known, and taken so.
  bool contains(const Fortran::semantics::Symbol &object) const;

private:
  std::set<const Fortran::semantics::Symbol *> said;
};

} // namespace cufort

#endif
