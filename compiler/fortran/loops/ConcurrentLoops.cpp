//===- ConcurrentLoops.cpp - DO CONCURRENT as kernel loop -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/loops/ConcurrentLoops.h"

using namespace Fortran;
using namespace cufort;

namespace {

template <typename T>
parser::Statement<T> statement(parser::CharBlock source, T value) {
  parser::Statement<T> result{std::optional<long>{}, std::move(value)};
  result.source = source;
  return result;
}

parser::ScalarExpr asScalar(parser::ScalarIntExpr &&expression) {
  return parser::ScalarExpr{std::move(expression.thing.thing)};
}

/// The clauses of the directive that REDUCE localities are.
void moveReductions(std::list<parser::LocalitySpec> &localities,
                    std::list<parser::CUFReduction> &clauses) {
  for (parser::LocalitySpec &locality : localities) {
    auto *reduce = std::get_if<parser::LocalitySpec::Reduce>(&locality.u);
    if (!reduce)
      continue;
    std::list<parser::Scalar<parser::Variable>> variables;
    for (parser::Name &name : std::get<std::list<parser::Name>>(reduce->t)) {
      parser::CharBlock source = name.source;
      parser::Designator designator{parser::DataRef{parser::Name{name}}};
      designator.source = source;
      variables.emplace_back(parser::Variable{
          common::Indirection<parser::Designator>{std::move(designator)}});
    }
    clauses.emplace_back(std::make_tuple(
        std::move(std::get<parser::ReductionOperator>(reduce->t)),
        std::move(variables)));
  }
}

} // namespace

std::vector<LocalVariable> cufort::localsOf(parser::DoConstruct &loop) {
  std::vector<LocalVariable> variables;
  const auto &concurrent =
      std::get<parser::LoopControl::Concurrent>(controlOf(loop)->u);
  for (const parser::LocalitySpec &locality :
       std::get<std::list<parser::LocalitySpec>>(concurrent.t)) {
    if (const auto *local =
            std::get_if<parser::LocalitySpec::Local>(&locality.u))
      for (const parser::Name &name : local->v)
        variables.push_back({name.ToString(), /*hasValue=*/false});
    if (const auto *local =
            std::get_if<parser::LocalitySpec::LocalInit>(&locality.u))
      for (const parser::Name &name : local->v)
        variables.push_back({name.ToString(), /*hasValue=*/true});
  }
  return variables;
}

int cufort::indexCount(parser::DoConstruct &loop) {
  const auto &concurrent =
      std::get<parser::LoopControl::Concurrent>(controlOf(loop)->u);
  const auto &header = std::get<parser::ConcurrentHeader>(concurrent.t);
  return static_cast<int>(
      std::get<std::list<parser::ConcurrentControl>>(header.t).size());
}

std::optional<parser::TypeDeclarationStmt>
cufort::takeIndexDeclaration(parser::DoConstruct &loop) {
  if (!loop.IsDoConcurrent())
    return std::nullopt;
  auto &header = std::get<parser::ConcurrentHeader>(
      std::get<parser::LoopControl::Concurrent>(controlOf(loop)->u).t);
  auto &type = std::get<std::optional<parser::IntegerTypeSpec>>(header.t);
  if (!type)
    return std::nullopt;
  std::list<parser::EntityDecl> names;
  for (const auto &control :
       std::get<std::list<parser::ConcurrentControl>>(header.t))
    names.emplace_back(
        std::make_tuple(parser::Name{std::get<parser::Name>(control.t)},
                        std::optional<parser::ArraySpec>{},
                        std::optional<parser::CoarraySpec>{},
                        std::optional<parser::CharLength>{},
                        std::optional<parser::Initialization>{}));
  return parser::TypeDeclarationStmt{std::make_tuple(
      parser::DeclarationTypeSpec{parser::IntrinsicTypeSpec{std::move(*type)}},
      std::list<parser::AttrSpec>{}, std::move(names))};
}

parser::Block::iterator
cufort::enclose(parser::Block &block, parser::Block::iterator first,
                parser::Block::iterator last, parser::CharBlock source,
                parser::TypeDeclarationStmt &&declaration) {
  parser::Block body;
  auto next = std::next(last);
  body.splice(body.end(), block, first, next);
  std::list<parser::DeclarationConstruct> declarations;
  declarations.emplace_back(parser::SpecificationConstruct{
      statement(source, common::Indirection<parser::TypeDeclarationStmt>{
                            std::move(declaration)})});
  parser::SpecificationPart specification{std::make_tuple(
      std::list<parser::OpenACCDeclarativeConstruct>{},
      std::list<parser::OpenMPDeclarativeConstruct>{},
      std::list<common::Indirection<parser::CompilerDirective>>{},
      std::list<parser::Statement<common::Indirection<parser::UseStmt>>>{},
      std::list<parser::Statement<common::Indirection<parser::ImportStmt>>>{},
      parser::ImplicitPart{std::list<parser::ImplicitPartStmt>{}},
      std::move(declarations))};
  parser::BlockConstruct scope{std::make_tuple(
      statement(source, parser::BlockStmt{std::optional<parser::Name>{}}),
      parser::BlockSpecificationPart{std::move(specification)}, std::move(body),
      statement(source, parser::EndBlockStmt{std::optional<parser::Name>{}}))};
  return block.emplace(
      next, parser::ExecutableConstruct{
                common::Indirection<parser::BlockConstruct>{std::move(scope)}});
}

int cufort::splitConcurrent(parser::DoConstruct &loop,
                            std::list<parser::CUFReduction> &clauses) {
  auto &concurrent =
      std::get<parser::LoopControl::Concurrent>(controlOf(loop)->u);
  moveReductions(std::get<std::list<parser::LocalitySpec>>(concurrent.t),
                 clauses);
  auto header = std::move(std::get<parser::ConcurrentHeader>(concurrent.t));
  auto &controls = std::get<std::list<parser::ConcurrentControl>>(header.t);
  auto &mask = std::get<std::optional<parser::ScalarLogicalExpr>>(header.t);
  auto &head = std::get<parser::Statement<parser::NonLabelDoStmt>>(loop.t);
  parser::CharBlock source = head.source;
  parser::Block body = std::move(bodyOf(loop));
  if (mask) {
    parser::IfConstruct branch{std::make_tuple(
        statement(source,
                  parser::IfThenStmt{std::make_tuple(
                      std::optional<parser::Name>{}, std::move(*mask))}),
        std::move(body), std::list<parser::IfConstruct::ElseIfBlock>{},
        std::optional<parser::IfConstruct::ElseBlock>{},
        statement(source, parser::EndIfStmt{std::optional<parser::Name>{}}))};
    body = parser::Block{};
    body.emplace_back(parser::ExecutableConstruct{
        common::Indirection<parser::IfConstruct>{std::move(branch)}});
  }
  int depth = static_cast<int>(controls.size());
  for (auto it = controls.rbegin(); it != controls.rend(); ++it) {
    std::optional<parser::ScalarExpr> step;
    if (auto &given = std::get<std::optional<parser::ScalarIntExpr>>(it->t))
      step = asScalar(std::move(*given));
    parser::LoopControl control{parser::LoopControl::Bounds{
        parser::ScalarName{parser::Name{std::get<parser::Name>(it->t)}},
        asScalar(std::move(std::get<1>(it->t))),
        asScalar(std::move(std::get<2>(it->t))), std::move(step)}};
    if (std::next(it) == controls.rend()) {
      controlOf(loop) = std::move(control);
      bodyOf(loop) = std::move(body);
      break;
    }
    parser::DoConstruct inner{std::make_tuple(
        statement(source, parser::NonLabelDoStmt{std::make_tuple(
                              std::optional<parser::Name>{},
                              std::optional<parser::Label>{},
                              std::optional{std::move(control)})}),
        std::move(body),
        statement(source, parser::EndDoStmt{std::optional<parser::Name>{}}))};
    body = parser::Block{};
    body.emplace_back(parser::ExecutableConstruct{
        common::Indirection<parser::DoConstruct>{std::move(inner)}});
  }
  return depth;
}

parser::DoConstruct *cufort::loopWithin(parser::DoConstruct &loop) {
  parser::DoConstruct *found = nullptr;
  for (parser::ExecutionPartConstruct &construct : bodyOf(loop))
    if (auto *inner = parser::Unwrap<parser::DoConstruct>(construct)) {
      if (found)
        return nullptr;
      found = inner;
    }
  return found;
}

int cufort::splitConcurrent(parser::DoConstruct &loop, int depth,
                            std::list<parser::CUFReduction> &clauses,
                            ConcurrentParts &parts) {
  parser::DoConstruct *innermost = &loop;
  int count = 1;
  if (loop.IsDoConcurrent()) {
    parts.isAny = true;
    for (LocalVariable &variable : localsOf(loop))
      parts.locals.push_back(std::move(variable));
    if (auto declaration = takeIndexDeclaration(loop))
      parts.declarations.push_back(std::move(*declaration));
    const auto &header = std::get<parser::ConcurrentHeader>(
        std::get<parser::LoopControl::Concurrent>(controlOf(loop)->u).t);
    const bool isMasked =
        std::get<std::optional<parser::ScalarLogicalExpr>>(header.t)
            .has_value();
    count = splitConcurrent(loop, clauses);
    if (isMasked)
      return count;
    for (int i = 1; i < count; ++i)
      innermost = loopWithin(*innermost);
  }
  parser::DoConstruct *inner = count < depth ? loopWithin(*innermost) : nullptr;
  return inner ? count + splitConcurrent(*inner, depth - count, clauses, parts)
               : count;
}
