//===- Replaced.h - functions of Flang's that give way ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_REPLACED_REPLACED_H
#define CUFORT_COMPILER_FORTRAN_REPLACED_REPLACED_H

#include <optional>
#include <string>

namespace Fortran::frontend {
class CompilerInstance;
}
namespace Fortran::parser {
class Message;
}
namespace Fortran::semantics {
class Scope;
class Symbol;
} // namespace Fortran::semantics
namespace llvm {
class StringRef;
}

namespace cufort {

/// Names the compilation that is being analysed on this thread, which the
/// replaced functions are not told, for as long as the object lives.
class AnalysedInstance {
public:
  explicit AnalysedInstance(Fortran::frontend::CompilerInstance &instance);
  ~AnalysedInstance();
  AnalysedInstance(const AnalysedInstance &) = delete;
  AnalysedInstance &operator=(const AnalysedInstance &) = delete;
};

/// The compilation that AnalysedInstance names, null outside of the analysis.
Fortran::frontend::CompilerInstance *analysedInstance();

/// What \p name stands for where \p message is, null if it is not known.
const Fortran::semantics::Symbol *
symbolAt(const Fortran::parser::Message &message, llvm::StringRef name);

/// Whether \p symbol, or what it is an associate name for, is in device memory.
bool isDeviceData(const Fortran::semantics::Symbol &symbol);

/// Whether \p message, of the given \p text, refuses in device code what the
/// rest of this compiler can do there: WHERE, FORALL, ASSOCIATE, SELECT TYPE,
/// SELECT RANK, the arithmetic IF and the computed GOTO, statement functions.
bool isDeviceStatement(const Fortran::parser::Message &message,
                       const std::string &text);

/// Whether \p message is about an assignment of one variable or section to
/// another, at least one of them in device memory.
bool isTransfer(const Fortran::parser::Message &message);

/// Whether \p message is about device code.
bool isInDeviceCode(const Fortran::parser::Message &message);

/// The name of what the launch at \p place is of; empty if it is not a launch.
std::string launchedAt(const Fortran::parser::ProvenanceRange &place);

/// A kernel of a module, and the scope that has other names of that module.
struct ModuleKernel {
  const Fortran::semantics::Scope *module = nullptr, *user = nullptr;
};

/// The public kernel \p name of a module of which the scope that \p message is
/// in, or one around it, has other names; null if there is none.
ModuleKernel moduleOfKernel(const Fortran::parser::Message &message,
                            const std::string &name);

/// Whether some module of the program has the kernel \p name.
bool isKernel(const std::string &name);

/// Gives the attributes of module procedures in interface bodies to their
/// separate definitions (MODULE PROCEDURE in a submodule), which Flang forgets.
/// Makes the functions of IEEE_ARITHMETIC and what C_ASSOCIATED stands for
/// callable on both sides. Between the resolution of names and the checks.
void inheritAttributes();

/// Puts another message in the place of \p message where Flang's words say
/// something else than what is wrong.
void reword(Fortran::parser::Message &message);

/// Makes a warning of \p message where other compilers accept what it is about,
/// and what it means is clear.
void accept(Fortran::parser::Message &message);

/// A routine of NVIDIA's libraries that cufort's have not, as NVIDIA writes it.
struct LibraryRoutine {
  std::string name, library;
  /// The release of CUDA that removed it, and what does its work since; empty:
  /// CUDA has it.
  std::string release, instead;

  /// What a program that names it is told.
  std::string message() const;
};
/// The one called \p name in any case of letters, if it is such a routine.
std::optional<LibraryRoutine> absentRoutine(llvm::StringRef name);

/// Adds to \p message, of the given \p text, the note that says what to do
/// about it, where Flang's words leave that open.
void addAdvice(Fortran::parser::Message &message, const std::string &text);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_REPLACED_REPLACED_H
