//===- ComponentReductions.cpp - reduce(+: record%x) ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/loops/ComponentReductions.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/lower/loops/KernelLoops.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRAttr.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/provenance.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <string>
#include <vector>

using namespace Fortran;

namespace {

/// The variables of one directive's clauses as written, without blanks and
/// subscripts; empty where it is a name.
using Clauses = std::vector<std::string>;

struct Directives {
  using Nodes = cufort::NodeList<parser::CUFKernelDoConstruct::Directive>;

  void Post(const parser::CUFKernelDoConstruct::Directive &directive) {
    Clauses clauses;
    bool any = false;
    for (const parser::CUFReduction &reduction :
         std::get<std::list<parser::CUFReduction>>(directive.t))
      for (const auto &variable :
           std::get<std::list<parser::Scalar<parser::Variable>>>(reduction.t)) {
        clauses.push_back(component(variable.thing));
        any |= !clauses.back().empty();
      }
    if (!any)
      return;
    if (auto place = sources.GetSourcePositionRange(directive.source))
      byLine[static_cast<unsigned>(place->first.line)] = std::move(clauses);
  }

  static std::string component(const parser::Variable &variable) {
    std::string text;
    int depth = 0;
    const parser::CharBlock source = variable.GetSource();
    for (const char *c = source.begin(); c != source.end(); ++c) {
      depth -= *c == ')';
      if (depth == 0 && *c != ' ' && *c != ')' && *c != '(')
        text += *c;
      depth += *c == '(';
    }
    const bool isName =
        source.ToString().find_first_of("%(") == std::string::npos;
    return isName ? std::string() : text;
  }

  const parser::AllCookedSources &sources;
  std::map<unsigned, Clauses> byLine;
};

} // namespace

static void note(cuf::KernelOp loop, const Clauses &clauses) {
  mlir::ArrayAttr all = *loop.getReduceAttrs();
  llvm::SmallVector<mlir::Attribute> names;
  llvm::SmallVector<mlir::NamedAttribute> components;
  for (auto [attribute, component] : llvm::zip(all, clauses))
    if (component.empty())
      names.push_back(attribute);
    else
      components.push_back(
          {mlir::StringAttr::get(loop.getContext(), component), attribute});
  loop.setReduceAttrsAttr(mlir::ArrayAttr::get(loop.getContext(), names));
  loop->setAttr(cufort::lower::ComponentReductionsAttribute,
                mlir::DictionaryAttr::get(loop.getContext(), components));
}

void cufort::noteComponentReductions(const parser::Program &program,
                                     const parser::AllCookedSources &sources,
                                     mlir::ModuleOp module) {
  Directives directives{sources, {}};
  cufort::walk(program, directives);
  if (directives.byLine.empty())
    return;
  module.walk([&](cuf::KernelOp loop) {
    auto place = loop.getLoc()->findInstanceOf<mlir::FileLineColLoc>();
    auto found = place ? directives.byLine.find(place.getLine())
                       : directives.byLine.end();
    auto attributes = loop.getReduceAttrs();
    if (found != directives.byLine.end() && attributes &&
        attributes->size() == found->second.size() &&
        attributes->size() != loop.getReduceOperands().size())
      note(loop, found->second);
  });
}
