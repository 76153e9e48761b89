//===- LibraryNames.cpp - routines that a library has not -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/LibraryNames.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Parser/message.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "llvm/ADT/StringRef.h"

using namespace Fortran;
using namespace Fortran::parser::literals;

namespace {

class Finder {
public:
  Finder(semantics::SemanticsContext &context, parser::Messages &messages)
      : context(context), messages(messages) {}

  using Nodes = cufort::NodeList<parser::ProcedureDesignator>;

  void Post(const parser::ProcedureDesignator &designator) {
    const auto *name = std::get_if<parser::Name>(&designator.u);
    if (!name || !name->symbol || !isUndeclared(name->symbol->GetUltimate()))
      return;
    const std::string text = name->ToString();
    if (auto routine = cufort::absentRoutine(text)) {
      messages.Say(name->source, "%s"_err_en_US, routine->message());
      return;
    }
    for (llvm::StringRef module :
         {"cublas", "cublas_v2", "cublasxt", "cufft", "cufftxt", "curand",
          "cusolverdn", "cusparse", "cutensor_v2", "nccl"}) {
      llvm::StringRef prefix = module.split('_').first;
      if (llvm::StringRef(text).starts_with(prefix) && isUsed(module)) {
        messages.Say(
            name->source,
            "'%s' is not in the module %s, so this calls an external procedure of that name; docs/libraries.md lists what cufort has of the library (IMPLICIT NONE makes this an error)"_warn_en_US,
            name->source, module.str());
        return;
      }
    }
  }

private:
  /// An external procedure of which nothing but a reference tells, and which is
  /// not in this file.
  bool isUndeclared(const semantics::Symbol &symbol) const {
    const auto *details = symbol.detailsIf<semantics::ProcEntityDetails>();
    if (!details || details->procInterface() || semantics::IsDummy(symbol) ||
        semantics::IsPointer(symbol) ||
        symbol.attrs().test(semantics::Attr::INTRINSIC) ||
        (symbol.attrs().test(semantics::Attr::EXTERNAL) &&
         !symbol.implicitAttrs().test(semantics::Attr::EXTERNAL)))
      return false;
    auto defined = context.globalScope().find(symbol.name());
    return defined == context.globalScope().end() ||
           !defined->second->has<semantics::SubprogramDetails>();
  }

  bool isUsed(llvm::StringRef module) const {
    const semantics::Scope &scope = context.intrinsicModulesScope();
    return scope.find(parser::CharBlock(module.data(), module.size())) !=
           scope.end();
  }

  semantics::SemanticsContext &context;
  parser::Messages &messages;
};

} // namespace

void cufort::checkLibraryNames(const parser::Program &program,
                               semantics::SemanticsContext &context,
                               parser::Messages &messages) {
  Finder finder(context, messages);
  cufort::walk(program, finder);
}
