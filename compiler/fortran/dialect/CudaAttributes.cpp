//===- CudaAttributes.cpp - attributes in forms Flang refuses -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/CudaAttributes.h"
#include "compiler/fortran/NodeVisitor.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/parsing.h"
#include "flang/Parser/provenance.h"
#include <algorithm>
#include <string_view>

using namespace Fortran;
using common::CUDASubprogramAttrs;

namespace {

/// The attributes between the parentheses of a statement, none if one of them
/// is no attribute of procedures.
std::list<CUDASubprogramAttrs> procedureAttributes(std::string_view text) {
  std::list<CUDASubprogramAttrs> attributes;
  while (!text.empty()) {
    size_t comma = std::min(text.find(','), text.size());
    std::string_view word = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (word == "host")
      attributes.push_back(CUDASubprogramAttrs::Host);
    else if (word == "device")
      attributes.push_back(CUDASubprogramAttrs::Device);
    else if (word == "global")
      attributes.push_back(CUDASubprogramAttrs::Global);
    else if (word == "grid_global")
      attributes.push_back(CUDASubprogramAttrs::Grid_Global);
    else
      return {};
  }
  return attributes;
}

size_t skipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && text[at] == ' ')
    ++at;
  return at;
}

/// One statement of the cooked source. Its characters may be written: they are
/// the prescanner's own copy.
void readStatement(std::string_view statement,
                   cufort::AttributeStatements &found) {
  constexpr std::string_view Keyword = "attributes", Written = "device";
  const size_t start = skipBlanks(statement, 0);
  if (statement.substr(start, Keyword.size()) != Keyword)
    return;
  const size_t open = skipBlanks(statement, start + Keyword.size());
  if (open >= statement.size() || statement[open] != '(')
    return;
  const size_t close = statement.find(')', open);
  if (close == std::string_view::npos)
    return;
  std::string words(statement.substr(open + 1, close - open - 1));
  words.erase(std::remove(words.begin(), words.end(), ' '), words.end());
  // The attribute device alone parses, and may be that of a variable. With the
  // keyword of a procedure behind it this is no statement of its own.
  const size_t name = skipBlanks(statement, close + 1);
  const bool hasColons = statement.substr(name, 2) == "::";
  if (words == Written || procedureAttributes(words).empty() ||
      (!hasColons && statement.find("subroutine") != std::string_view::npos) ||
      (!hasColons && statement.find("function") != std::string_view::npos))
    return;
  // Up to the name or, with colons, their end: at least `(device)`.
  const size_t end = hasColons ? name + 2 : close + 1;
  if (end - open < Written.size() + 2)
    return;
  auto *text = const_cast<char *>(statement.data());
  std::fill(text + open, text + end, ' ');
  text[open] = '(';
  std::copy(Written.begin(), Written.end(), text + open + 1);
  text[open + 1 + Written.size()] = ')';
  found[text + start] = words;
}

class Repair {
public:
  explicit Repair(const cufort::AttributeStatements &statements)
      : statements(statements) {}

  using Nodes =
      cufort::NodeList<parser::SubroutineSubprogram, parser::FunctionSubprogram,
                       parser::InterfaceBody::Subroutine,
                       parser::InterfaceBody::Function, parser::ExecutionPart>;

  void Post(parser::SubroutineSubprogram &procedure) { move(procedure.t); }
  void Post(parser::FunctionSubprogram &procedure) { move(procedure.t); }
  void Post(parser::InterfaceBody::Subroutine &procedure) { move(procedure.t); }
  void Post(parser::InterfaceBody::Function &procedure) { move(procedure.t); }

  bool Pre(parser::ExecutionPart &) { return false; }

private:
  static parser::SpecificationPart &part(parser::SpecificationPart &part) {
    return part;
  }
  static parser::SpecificationPart &
  part(common::Indirection<parser::SpecificationPart> &part) {
    return part.value();
  }

  template <typename Procedure> void move(Procedure &procedure) {
    auto &heading = std::get<0>(procedure).statement.t;
    auto &declarations = std::get<std::list<parser::DeclarationConstruct>>(
        part(std::get<1>(procedure)).t);
    const parser::CharBlock name = std::get<parser::Name>(heading).source;
    declarations.remove_if([&](parser::DeclarationConstruct &declaration) {
      auto *specification =
          std::get_if<parser::SpecificationConstruct>(&declaration.u);
      using Other = parser::Statement<parser::OtherSpecificationStmt>;
      auto *other =
          specification ? std::get_if<Other>(&specification->u) : nullptr;
      using Attributes = common::Indirection<parser::CUDAAttributesStmt>;
      auto *attributes =
          other ? std::get_if<Attributes>(&other->statement.u) : nullptr;
      if (!attributes)
        return false;
      auto &names = std::get<std::list<parser::Name>>(attributes->value().t);
      const size_t all = names.size();
      names.remove_if(
          [&](const parser::Name &other) { return other.source == name; });
      if (names.size() == all)
        return false;
      auto known = statements.find(other->source.begin());
      std::get<0>(heading).push_back(
          parser::PrefixSpec{parser::PrefixSpec::Attributes{procedureAttributes(
              known == statements.end() ? "device" : known->second)}});
      return names.empty();
    });
  }

  const cufort::AttributeStatements &statements;
};

} // namespace

cufort::AttributeStatements
cufort::readAttributeStatements(const parser::Parsing &parsing) {
  AttributeStatements found;
  const parser::CharBlock cooked = parsing.cooked().AsCharBlock();
  std::string_view text(cooked.begin(), cooked.size());
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\n;"), text.size());
    readStatement(text.substr(0, end), found);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

void cufort::repairCudaAttributes(parser::Program &program,
                                  const AttributeStatements &statements) {
  Repair repair(statements);
  cufort::walk(program, repair);
}
