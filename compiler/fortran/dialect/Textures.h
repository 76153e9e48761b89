//===- Textures.h - data that is only read ----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_TEXTURES_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_TEXTURES_H

#include <string>
#include <vector>

namespace Fortran::parser {
class Messages;
struct Name;
struct Program;
} // namespace Fortran::parser
namespace Fortran::semantics {
class Scope;
class SemanticsContext;
} // namespace Fortran::semantics

namespace cufort {

/// The variables and components with ATTRIBUTES(TEXTURE). They are read like
/// any device data, and for Flang, which refuses the attribute, they are such;
/// what is their own is that nothing may be written through them.
class Textures {
public:
  /// Notes the textures that \p program declares and makes them device data.
  /// Needs a parsed program, before semantics.
  void makeDeviceData(Fortran::parser::Program &program);

  /// Reports assignments to textures, input into them, and textures as actual
  /// arguments of dummies that are INTENT(OUT) or INTENT(INOUT), in host and in
  /// device code. Needs finished semantics of the same program.
  void check(const Fortran::parser::Program &program,
             Fortran::semantics::SemanticsContext &semantics,
             Fortran::parser::Messages &messages) const;

  /// The lines by which the module file of \p module tells the compilations
  /// that read it which of its names are textures; comments for Flang.
  std::vector<std::string>
  linesOfModule(const Fortran::semantics::Scope &module) const;

private:
  std::vector<const Fortran::parser::Name *> declared;
};

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_TEXTURES_H
