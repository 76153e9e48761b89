//===- SharedBindings.h - interfaces of one binding name --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_MODULES_SHAREDBINDINGS_H
#define CUFORT_COMPILER_FORTRAN_MODULES_SHAREDBINDINGS_H

namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// Makes interfaces host and device ones where one of them, with
/// `attributes(device)`, and another one, of the host, have the same binding
/// name: a C procedure for both sides, declared once for each. Lowering knows
/// one declaration for a name. Needs a program after semantics.
void joinSharedBindings(Fortran::semantics::SemanticsContext &context);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_MODULES_SHAREDBINDINGS_H
