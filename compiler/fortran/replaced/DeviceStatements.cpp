//===- DeviceStatements.cpp - statements that device code may have --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flang's check of device code knows a list of statements and refuses all
// others, which its lowering takes to the same loops and branches. What is
// inside of them is checked after the lowering (compiler/lower) and when
// linking. Pure procedures may call kernels.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Frontend/CompilerInstance.h"
#include "flang/Parser/message.h"
#include "flang/Parser/provenance.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace Fortran;

/// The source text that \p message is about, from its start on.
static llvm::StringRef sourceOf(const parser::Message &message) {
  parser::AllCookedSources &sources =
      cufort::analysedInstance()->getAllCookedSources();
  auto range = message.GetProvenanceRange(sources);
  if (!range)
    return {};
  const char *text = sources.allSources().GetSource(*range);
  return text ? llvm::StringRef(text, range->size()) : llvm::StringRef();
}

/// The first characters of \p statement without blanks, label and name.
static std::string startOf(llvm::StringRef statement) {
  std::string start;
  for (char c : statement) {
    if (c == ' ' || (start.empty() && llvm::isDigit(c)))
      continue;
    if (c == ':')
      start.clear();
    else
      start += llvm::toLower(c);
    if (c == '(' || start.size() > 80)
      break;
  }
  return start;
}

/// Whether a device procedure in \p scope has the statement function \p name.
static bool hasStatementFunction(const semantics::Scope &scope,
                                 llvm::StringRef name) {
  for (const semantics::Scope &inner : scope.children()) {
    if (semantics::IsCUDADeviceContext(&inner)) {
      auto it = inner.find(parser::CharBlock(name.data(), name.size()));
      const auto *details =
          it == inner.end()
              ? nullptr
              : it->second->detailsIf<semantics::SubprogramDetails>();
      if (details && details->stmtFunction())
        return true;
    }
    if (hasStatementFunction(inner, name))
      return true;
  }
  return false;
}

/// Whether some module in \p scope has the kernel \p name. Whether it was said
/// to be PURE is not known any more (AcceptDialect).
static bool hasKernel(const semantics::Scope &scope, llvm::StringRef name) {
  auto it = scope.find(parser::CharBlock(name.data(), name.size()));
  if (it != scope.end())
    if (const auto *details =
            it->second->detailsIf<semantics::SubprogramDetails>())
      if (details->cudaSubprogramAttrs() ==
              common::CUDASubprogramAttrs::Global ||
          details->cudaSubprogramAttrs() ==
              common::CUDASubprogramAttrs::Grid_Global)
        return true;
  return llvm::any_of(scope.children(), [&](const semantics::Scope &inner) {
    return hasKernel(inner, name);
  });
}

bool cufort::isDeviceStatement(const parser::Message &message,
                               const std::string &text) {
  if (!analysedInstance())
    return false;
  if (text == "Statement may not appear in device code") {
    const std::string start = startOf(sourceOf(message));
    for (llvm::StringRef known : {"where(", "forall(", "associate(",
                                  "selecttype(", "selectrank(", "if(", "goto("})
      if (start == known)
        return true;
    return false;
  }
  const semantics::Scope &all =
      analysedInstance()->getSemanticsContext().globalScope();
  llvm::StringRef name = text;
  if (name.consume_front("Procedure '")) {
    auto [procedure, rest] = name.split('\'');
    return rest.starts_with(" referenced in pure subprogram '") &&
           hasKernel(all, procedure);
  }
  return name.consume_front("'") &&
         name.consume_back("' may not be called in device code") &&
         hasStatementFunction(all, name);
}
