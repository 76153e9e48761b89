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

/// Of kernel loops the procedure around is one of the host.
static bool isStatementFunction(const semantics::Symbol *symbol) {
  const auto *details =
      symbol ? symbol->detailsIf<semantics::SubprogramDetails>() : nullptr;
  return details && details->stmtFunction();
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

/// The innermost scope within \p scope that has the text at \p place, null if
/// there is none.
static const semantics::Scope *scopeAt(const parser::ProvenanceRange &place,
                                       const semantics::Scope &scope) {
  for (const semantics::Scope &inner : scope.children()) {
    if (!inner.sourceRange().empty())
      if (auto range = cufort::analysedInstance()
                           ->getAllCookedSources()
                           .GetProvenanceRange(inner.sourceRange());
          range && range->Contains(place)) {
        const semantics::Scope *innermost = scopeAt(place, inner);
        return innermost ? innermost : &inner;
      }
    // Submodules are within their modules, but their text is elsewhere.
    if (inner.IsModule() || inner.IsSubmodule())
      if (const semantics::Scope *found = scopeAt(place, inner))
        return found;
  }
  return nullptr;
}

/// The innermost scope that \p message is about, null where it has no place.
static const semantics::Scope *scopeOf(const parser::Message &message) {
  frontend::CompilerInstance &instance = *cufort::analysedInstance();
  auto range = message.GetProvenanceRange(instance.getAllCookedSources());
  if (!range)
    return nullptr;
  const semantics::Scope &all = instance.getSemanticsContext().globalScope();
  const semantics::Scope *found = scopeAt(*range, all);
  return found ? found : &all;
}

const semantics::Symbol *cufort::symbolAt(const parser::Message &message,
                                          llvm::StringRef name) {
  const semantics::Scope *scope = scopeOf(message);
  return scope && !name.empty()
             ? scope->FindSymbol(parser::CharBlock(name.data(), name.size()))
             : nullptr;
}

cufort::ModuleKernel cufort::moduleOfKernel(const parser::Message &message,
                                            const std::string &name) {
  const semantics::Scope *scope = scopeOf(message);
  for (; scope && !scope->IsGlobal(); scope = &scope->parent())
    for (const auto &[local, symbol] : *scope) {
      const auto *use = symbol->detailsIf<semantics::UseDetails>();
      if (!use)
        continue;
      const semantics::Scope &module = use->symbol().owner();
      auto found = module.find(parser::CharBlock(name));
      if (module.IsModule() && found != module.end() &&
          !found->second->attrs().test(semantics::Attr::PRIVATE) &&
          hasKernel(module, name))
        return {&module, scope};
    }
  return {};
}

/// The device procedure that \p message is about, if any.
static const semantics::Scope *
deviceProcedureOf(const parser::Message &message) {
  const semantics::Scope *scope = scopeOf(message);
  while (scope && !semantics::IsCUDADeviceContext(scope))
    scope = scope->IsGlobal() ? nullptr : &scope->parent();
  return scope;
}

/// Components without an attribute lie where the record does, which in device
/// code is on the device. Variables of the host are found after the lowering.
/// Those of a device procedure, which Flang gives an attribute that the program
/// has not written, are a thread's own and may share their storage.
static bool isOfDeviceProcedure(const parser::Message &message,
                                llvm::StringRef text) {
  const bool isActual = text.starts_with("dummy argument '") &&
                        text.ends_with("has ATTRIBUTES(DEVICE) but its "
                                       "associated actual argument has no CUDA "
                                       "data attribute");
  const bool isEquivalence =
      text.starts_with("Object '") &&
      text.ends_with("' with ATTRIBUTES(DEVICE) may not be in an equivalence "
                     "group");
  return (isActual || isEquivalence) && deviceProcedureOf(message);
}

/// The arguments of statement functions are values.
static bool isOfStatementFunction(const parser::Message &message,
                                  llvm::StringRef text) {
  auto [name, rest] = text.split("=' ");
  if (!name.consume_front("dummy argument '") ||
      !rest.starts_with("has no CUDA data attribute but its associated actual "
                        "argument has ATTRIBUTES("))
    return false;
  auto hasDummy = [name = name](const auto &pair) {
    const auto *details =
        pair.second->template detailsIf<semantics::SubprogramDetails>();
    return details && details->stmtFunction() &&
           llvm::any_of(details->dummyArgs(), [&](const auto *dummy) {
             return dummy && dummy->name().ToString() == name;
           });
  };
  for (const semantics::Scope *scope = scopeOf(message); scope;
       scope = scope->IsGlobal() ? nullptr : &scope->parent())
    if (llvm::any_of(*scope, hasDummy))
      return true;
  return false;
}

/// Device code may give its own copy of a module's device pointer a target; of
/// an allocatable the host keeps account.
static bool isModulePointer(const parser::Message &message,
                            llvm::StringRef text) {
  if (!text.ends_with("LOCATE statement is not definable"))
    return false;
  const semantics::Scope *scope = deviceProcedureOf(message);
  for (auto each = message.attachment(); scope && each;
       each = each->attachment()) {
    const std::string reason = each->ToString();
    llvm::StringRef name = reason;
    name.consume_front("because: ");
    if (!name.consume_front("'") ||
        !name.consume_back("' is a host-associated allocatable and is not "
                           "definable in a device subprogram"))
      continue;
    const semantics::Symbol *symbol =
        scope->FindSymbol(parser::CharBlock(name.data(), name.size()));
    return symbol && semantics::IsPointer(symbol->GetUltimate());
  }
  return false;
}

/// The launch says how large a shared array of assumed size is, whatever its
/// rank.
static bool isAssumedSizeShared(const parser::Message &message,
                                llvm::StringRef text) {
  if (!text.consume_front("Array '") ||
      !text.consume_back("' without ALLOCATABLE or POINTER attribute must have "
                         "explicit shape"))
    return false;
  const semantics::Scope *scope = deviceProcedureOf(message);
  const semantics::Symbol *symbol =
      scope ? scope->FindSymbol(parser::CharBlock(text.data(), text.size()))
            : nullptr;
  const auto *object =
      symbol ? symbol->detailsIf<semantics::ObjectEntityDetails>() : nullptr;
  return object && object->shape().CanBeAssumedSize() &&
         object->cudaDataAttr() == common::CUDADataAttr::Shared;
}

/// Whether the result of \p function, or of one of its specific functions, is
/// in device memory.
static bool givesDeviceData(const semantics::Symbol &function) {
  const semantics::Symbol &ultimate = function.GetUltimate();
  if (const auto *generic = ultimate.detailsIf<semantics::GenericDetails>())
    return llvm::any_of(generic->specificProcs(), [](const auto &specific) {
      return givesDeviceData(*specific);
    });
  const auto *details = ultimate.detailsIf<semantics::SubprogramDetails>();
  return details && details->isFunction() &&
         semantics::GetCUDADataAttr(&details->result()) ==
             common::CUDADataAttr::Device;
}

/// The result of a function is on the device if the function says so, which the
/// analysis of the call does not know; CheckDeviceData looks at it again.
static bool isDeviceResult(const parser::Message &message,
                           llvm::StringRef text) {
  if (!text.starts_with("dummy argument '") ||
      !text.ends_with("has ATTRIBUTES(DEVICE) but its associated actual "
                      "argument has no CUDA data attribute"))
    return false;
  const llvm::StringRef actual = sourceOf(message);
  if (!actual.ends_with(")"))
    return false;
  const semantics::Symbol *symbol =
      cufort::symbolAt(message, actual.split('(').first.rtrim().lower());
  return symbol && givesDeviceData(*symbol);
}

/// The base of \p text if that is a variable or a part of one.
static llvm::StringRef baseOf(llvm::StringRef text) {
  auto isInName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  text = text.trim();
  const llvm::StringRef base = text.take_while(isInName);
  for (text = text.drop_front(base.size()).ltrim(); !text.empty();
       text = text.ltrim()) {
    if (text.consume_front("%")) {
      text = text.ltrim().drop_while(isInName);
      continue;
    }
    if (!text.starts_with("("))
      return {};
    size_t depth = 0, end = 0;
    do
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    while (++end < text.size() && depth != 0);
    text = text.drop_front(end);
  }
  return base;
}

/// The right-hand side of a defined assignment is an argument in parentheses,
/// which have no attribute; DefinedAssignments takes them away. An associate
/// name may stand for a component that has one.
static bool isDeviceOperand(const parser::Message &message,
                            llvm::StringRef text) {
  if (!text.starts_with("dummy argument '") ||
      !text.ends_with("has ATTRIBUTES(DEVICE) but its associated actual "
                      "argument has no CUDA data attribute"))
    return false;
  const semantics::Symbol *symbol =
      cufort::symbolAt(message, baseOf(sourceOf(message)).lower());
  return symbol && cufort::isDeviceData(*symbol);
}

/// Whether \p message stands at the name of an interface body. Interfaces
/// within a device procedure declare procedures of other places; with one
/// binding name for both sides they are joined (SharedBindings).
static bool isInterfaceBody(const parser::Message &message,
                            llvm::StringRef text) {
  const bool nested = text.contains("' may not be an internal procedure of "
                                    "CUDA device subprogram '");
  if (!nested && !text.ends_with("is not compatible with an earlier definition "
                                 "(incompatible CUDA subprogram attributes)"))
    return false;
  const semantics::Scope *scope = scopeOf(message);
  const semantics::Symbol *symbol = scope ? scope->symbol() : nullptr;
  const auto *details =
      symbol ? symbol->detailsIf<semantics::SubprogramDetails>() : nullptr;
  return details && details->isInterface() && (nested || symbol->GetBindName());
}

/// Whether \p message stands in a launch: the last call that begins before it
/// has chevrons.
static bool isInLaunch(const parser::Message &message) {
  parser::AllCookedSources &sources =
      cufort::analysedInstance()->getAllCookedSources();
  auto range = message.GetProvenanceRange(sources);
  size_t offset = 0;
  const parser::SourceFile *file =
      range ? sources.allSources().GetSourceFile(range->start(), &offset)
            : nullptr;
  if (!file)
    return false;
  llvm::StringRef before(file->content().data(), offset);
  auto isInName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  size_t call = before.rfind_insensitive("call");
  while (call != llvm::StringRef::npos && call > 0 &&
         isInName(before[call - 1])) // the end of another name
    call = before.take_front(call).rfind_insensitive("call");
  return call != llvm::StringRef::npos &&
         before.drop_front(call).contains(">>>");
}

/// The procedure in whose arguments \p message stands, if that is known by its
/// name.
static const semantics::Symbol *calledAt(const parser::Message &message) {
  parser::AllCookedSources &sources =
      cufort::analysedInstance()->getAllCookedSources();
  auto range = message.GetProvenanceRange(sources);
  size_t offset = 0;
  const parser::SourceFile *file =
      range ? sources.allSources().GetSourceFile(range->start(), &offset)
            : nullptr;
  if (!file)
    return nullptr;
  llvm::StringRef before(file->content().data(), offset);
  for (size_t depth = 0; !before.empty(); before = before.drop_back()) {
    if (before.back() == ')')
      ++depth;
    else if (before.back() == '(' && depth-- == 0)
      break;
  }
  before = before.drop_back(before.empty() ? 0 : 1).rtrim();
  const size_t start =
      before.find_last_not_of("abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  // A binding may be overridden by what has other attributes.
  if (start == llvm::StringRef::npos || before[start] == '%')
    return nullptr;
  return cufort::symbolAt(message, before.drop_front(start + 1).lower());
}

/// A value has no memory yet: compiler/lower gives it some that is managed
/// where the dummy argument is. What is called through a pointer or a binding
/// is not known there.
static bool isManagedValue(const parser::Message &message,
                           llvm::StringRef text) {
  if (!text.starts_with("dummy argument '") ||
      !text.ends_with("has ATTRIBUTES(MANAGED) but its associated actual "
                      "argument has no CUDA data attribute") ||
      deviceProcedureOf(message) || isInLaunch(message))
    return false;
  const llvm::StringRef base = baseOf(sourceOf(message));
  const semantics::Symbol *symbol =
      base.empty() ? nullptr : cufort::symbolAt(message, base.lower());
  auto isProcedure = [](const semantics::Symbol &symbol) {
    const semantics::Symbol &ultimate = symbol.GetUltimate();
    return ultimate.has<semantics::SubprogramDetails>() ||
           ultimate.has<semantics::GenericDetails>();
  };
  if (symbol && !isProcedure(*symbol))
    return false;
  const semantics::Symbol *called = calledAt(message);
  return called && isProcedure(*called);
}

/// Host procedures reach pinned and managed data as any other; that a kernel
/// has no explicit interface is said of its launch.
static bool isKnownActual(const parser::Message &message,
                          llvm::StringRef name) {
  if (!name.consume_front("Actual argument '") ||
      !name.consume_back("' with CUDA data attributes should be passed via an "
                         "explicit interface"))
    return false;
  if (isInLaunch(message))
    return true;
  auto attribute = semantics::GetCUDADataAttr(cufort::symbolAt(message, name));
  return attribute == common::CUDADataAttr::Pinned ||
         attribute == common::CUDADataAttr::Managed;
}

/// Whether \p message is about a procedure for both sides: what its copy for
/// the device calls is known once ON_DEVICE() has its answer (compiler/lower).
static bool isForBothSides(const parser::Message &message) {
  const semantics::Scope *scope = deviceProcedureOf(message);
  const semantics::Symbol *symbol = scope ? scope->symbol() : nullptr;
  const auto *details =
      symbol ? symbol->detailsIf<semantics::SubprogramDetails>() : nullptr;
  return details && details->cudaSubprogramAttrs() ==
                        common::CUDASubprogramAttrs::HostDevice;
}

bool cufort::isTransfer(const parser::Message &message) {
  // The message stands at the left-hand side.
  parser::AllCookedSources &sources = analysedInstance()->getAllCookedSources();
  auto range = message.GetProvenanceRange(sources);
  size_t offset = 0;
  const parser::SourceFile *file =
      range ? sources.allSources().GetSourceFile(range->start(), &offset)
            : nullptr;
  if (!file)
    return false;
  llvm::StringRef statement(file->content().data() + offset,
                            file->bytes() - offset);
  auto [left, right] =
      statement
          .take_until([](char c) { return c == '\n' || c == ';' || c == '!'; })
          .split('=');
  bool isOnDevice = false;
  for (llvm::StringRef side : {left, right}) {
    const semantics::Symbol *symbol =
        cufort::symbolAt(message, baseOf(side).lower());
    if (!symbol)
      return false;
    auto attribute = semantics::GetCUDADataAttr(&symbol->GetUltimate());
    isOnDevice |= attribute && *attribute != common::CUDADataAttr::Pinned;
  }
  return isOnDevice && !deviceProcedureOf(message);
}

bool cufort::isInDeviceCode(const parser::Message &message) {
  return analysedInstance() && deviceProcedureOf(message);
}

bool cufort::isKernel(const std::string &name) {
  return analysedInstance() &&
         hasKernel(analysedInstance()->getSemanticsContext().globalScope(),
                   name);
}

bool cufort::isDeviceStatement(const parser::Message &message,
                               const std::string &text) {
  if (!analysedInstance())
    return false;
  if (isOfDeviceProcedure(message, text) ||
      isOfStatementFunction(message, text) || isModulePointer(message, text) ||
      isDeviceResult(message, text) || isAssumedSizeShared(message, text) ||
      isInterfaceBody(message, text) || isKnownActual(message, text) ||
      isDeviceOperand(message, text) || isManagedValue(message, text))
    return true;
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
         (hasStatementFunction(all, name) || isForBothSides(message) ||
          isStatementFunction(cufort::symbolAt(message, name)));
}
