//===- StandardForms.h - standard forms for others --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_STANDARDFORMS_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_STANDARDFORMS_H

#include "flang/Parser/provenance.h"
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace Fortran::parser {
class Messages;
struct Program;
} // namespace Fortran::parser
namespace Fortran::semantics {
class SemanticsContext;
}

namespace cufort {

/// What other compilers accept, Flang's semantics refuses, and the standard can
/// say in another way: array constructors of several numeric types, ALLOCATED
/// of a pointer, logical values compared with ==, a renaming in USE whose name
/// the module has, too, declarations of names that a module of the compiler
/// has, constants that are declared after their use, NOT() of logical values,
/// dummy arguments whose last extent is a local variable, assignments to
/// INTENT(IN) arguments, MODULE PROCEDURE of what is a procedure of no module,
/// references to functions of modules without parentheses, procedures passed to
/// C_FUNPTR arguments with IGNORE_TKR, real bounds of implied DO loops,
/// integers of other kinds as the status of EXIT, arrays of deferred shape that
/// are no more than declared, launches of kernels that ONLY leaves out,
/// names of the host in interface bodies without IMPORT, and NULL() for
/// optional arguments of generic procedures. Which of these a program has is
/// known only from the errors of its analysis; another one follows, of the
/// standard's forms, with warnings where the program is at fault.
class StandardForms {
public:
  /// Looks for such forms at the errors of an analysis of \p program that has
  /// failed. Returns whether there is one that was not there before.
  bool find(const Fortran::parser::Program &program,
            Fortran::semantics::SemanticsContext &semantics);

  /// Puts the standard's forms in the place of those that have been found.
  /// Needs a parsed program of the same text, before semantics.
  void replace(Fortran::parser::Program &program,
               Fortran::parser::Messages &messages) const;

  enum Kind {
    TypedConstructor, ///< by its first value: gets the type of that
    Associated,       ///< by the name: becomes ASSOCIATED
    Negation,         ///< by the name NOT: becomes .NOT.
    Equivalence,      ///< by the comparison: becomes .EQV. or .NEQV.
    Hidden,           ///< by the module in USE: names get others
    Earlier,          ///< by a declaration: comes before another
    AssumedSize,      ///< by a declared name: its last extent becomes *
    NoIntent,         ///< by a declared name: its INTENT(IN) is left out
    AnyProcedure,     ///< by a specific procedure: MODULE is left out
    Reference,        ///< by the name of a function: gets parentheses
    FunctionAddress,  ///< by the name of a procedure: becomes LOC of it
    RealBound,        ///< by a bound of an implied DO: becomes INT of it
    DefaultKind,      ///< by an argument of EXIT or SLEEP: becomes INT of it
    Unused,           ///< by a declared name: its declaration is left out
    Imported,         ///< by the module in USE: ONLY gets more names
    FromHost,         ///< by the name of an interface body: gets IMPORT
    Absent,           ///< by the name of a generic: NULL() are left out
  };
  struct Form {
    /// What the warning is about; Earlier: the use.
    Fortran::parser::ProvenanceRange where;
    /// TypedConstructor: integer, real or complex, and the kind.
    std::string type;
    unsigned kind = 0;
    /// Earlier: what is declared; AssumedSize: what the extent names.
    std::string name;
    /// Hidden: by the module's names, the ones that they get and the renamings.
    /// AnyProcedure: the other procedures of a generic name. Imported: the
    /// kernels. FromHost: the host's names.
    struct Other {
      std::string name;
      Fortran::parser::ProvenanceRange where;
      bool byDeclaration = false; ///< a procedure or a variable has the name
    };
    std::map<std::string, Other> others;
    /// Absent: the names of the dummy arguments.
    std::vector<std::string> dummies;
    /// Earlier: where the statement begins that this one must precede.
    const char *before = nullptr;
  };
  /// By the first character of what the kind says.
  using Forms = std::map<std::pair<Kind, const char *>, Form>;

private:
  Forms forms;
};

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_STANDARDFORMS_H
