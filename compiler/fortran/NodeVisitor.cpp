//===- NodeVisitor.cpp - the one walk over the parse tree -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/NodeVisitor.h"
#include "flang/Parser/parse-tree-visitor.h"

using namespace cufort;
using namespace Fortran;

bool NodeVisitor::enter(const char *kind, void *node) {
  for (const NodeHandler &handler : handlers)
    if (handler.kind == kind)
      return !handler.pre || handler.pre(visitor, node);
  return true;
}

void NodeVisitor::leave(const char *kind, void *node) {
  for (const NodeHandler &handler : handlers)
    if (handler.kind == kind && handler.post)
      handler.post(visitor, node);
}

template <typename Tree>
void cufort::walkNodes(Tree &tree, NodeVisitor &visitor) {
  parser::Walk(tree, visitor);
}

// What passes start from.
#define CUFORT_WALK(...)                                                       \
  template void cufort::walkNodes(__VA_ARGS__ &, NodeVisitor &)
CUFORT_WALK(common::Indirection<parser::SpecificationPart>);
CUFORT_WALK(parser::AssignmentStmt);
CUFORT_WALK(parser::Block);
CUFORT_WALK(parser::DataRef);
CUFORT_WALK(parser::DoConstruct);
CUFORT_WALK(parser::ExecutionPart);
CUFORT_WALK(parser::ExecutionPartConstruct);
CUFORT_WALK(parser::FunctionStmt);
CUFORT_WALK(parser::FunctionSubprogram);
CUFORT_WALK(parser::InterfaceBody);
CUFORT_WALK(parser::LoopControl);
CUFORT_WALK(parser::ProcedureDesignator);
CUFORT_WALK(parser::Program);
CUFORT_WALK(parser::SpecificationExpr);
CUFORT_WALK(parser::SpecificationPart);
CUFORT_WALK(parser::SubroutineStmt);
CUFORT_WALK(parser::SubroutineSubprogram);
CUFORT_WALK(std::list<parser::DeclarationConstruct>);
CUFORT_WALK(std::list<parser::InternalSubprogram>);
CUFORT_WALK(std::list<parser::ModuleSubprogram>);
CUFORT_WALK(std::optional<parser::SpecificationExpr>);
#undef CUFORT_WALK
