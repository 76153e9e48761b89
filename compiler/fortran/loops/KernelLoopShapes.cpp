//===- KernelLoopShapes.cpp - dim3 in kernel loops ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/loops/KernelLoopShapes.h"
#include "compiler/fortran/NodeVisitor.h"
#include "flang/Parser/tools.h"
#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace Fortran;

namespace {

using Sizes = std::list<parser::CUFKernelDoConstruct::StarOrExpr>;

/// `variable%x` and its kin, where `variable` stands.
parser::CUFKernelDoConstruct::StarOrExpr component(const parser::Name &variable,
                                                   int number) {
  static constexpr char names[] = "xyz";
  parser::Name base{variable.source};
  parser::Name part{parser::CharBlock(names + number, 1)};
  parser::Designator designator{
      parser::DataRef{common::Indirection<parser::StructureComponent>{
          parser::StructureComponent{parser::DataRef{std::move(base)},
                                     std::move(part)}}}};
  designator.source = variable.source;
  parser::Expr expression{
      common::Indirection<parser::Designator>{std::move(designator)}};
  expression.source = variable.source;
  return parser::CUFKernelDoConstruct::StarOrExpr{
      std::optional<parser::ScalarIntExpr>{
          parser::ScalarIntExpr{parser::Integer{
              common::Indirection<parser::Expr>{std::move(expression)}}}}};
}

class Split {
public:
  using Nodes =
      cufort::NodeList<parser::MainProgram, parser::Module, parser::Submodule,
                       parser::SubroutineSubprogram, parser::FunctionSubprogram,
                       parser::InterfaceBlock, parser::DerivedTypeDef,
                       parser::TypeDeclarationStmt,
                       parser::CUFKernelDoConstruct>;

  bool Pre(parser::MainProgram &) { return enter(); }
  void Post(parser::MainProgram &) { scopes.pop_back(); }
  bool Pre(parser::Module &) { return enter(); }
  void Post(parser::Module &) { scopes.pop_back(); }
  bool Pre(parser::Submodule &) { return enter(); }
  void Post(parser::Submodule &) { scopes.pop_back(); }
  bool Pre(parser::SubroutineSubprogram &) { return enter(); }
  void Post(parser::SubroutineSubprogram &) { scopes.pop_back(); }
  bool Pre(parser::FunctionSubprogram &) { return enter(); }
  void Post(parser::FunctionSubprogram &) { scopes.pop_back(); }
  bool Pre(parser::InterfaceBlock &) { return false; }
  bool Pre(parser::DerivedTypeDef &) { return false; }

  void Post(parser::TypeDeclarationStmt &declaration) {
    if (scopes.empty())
      return;
    const auto &type = std::get<parser::DeclarationTypeSpec>(declaration.t);
    auto *derived = std::get_if<parser::DeclarationTypeSpec::Type>(&type.u);
    const bool isDim3 =
        derived && std::get<parser::Name>(derived->v.t).ToString() == "dim3";
    for (const auto &entity :
         std::get<std::list<parser::EntityDecl>>(declaration.t))
      scopes.back()[std::get<parser::ObjectName>(entity.t).ToString()] = isDim3;
  }

  void Post(parser::CUFKernelDoConstruct &kernel) {
    auto &directive =
        std::get<parser::CUFKernelDoConstruct::Directive>(kernel.t);
    auto &launch = std::get<
        std::optional<parser::CUFKernelDoConstruct::LaunchConfiguration>>(
        directive.t);
    if (!launch)
      return;
    const int loops = std::min(cufort::kernelLoopDepth(directive), 3);
    split(std::get<0>(launch->t), loops);
    split(std::get<1>(launch->t), loops);
  }

private:
  bool enter() {
    scopes.emplace_back();
    return true;
  }

  bool isDim3(const std::string &name) const {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
      if (auto known = scope->find(name); known != scope->end())
        return known->second;
    return false;
  }

  /// dim3(x, y, z), which is a reference to a function until names are known.
  static bool splitConstructor(Sizes &sizes, int loops) {
    auto *reference =
        parser::Unwrap<parser::FunctionReference>(*sizes.front().v);
    if (!reference)
      return false;
    parser::Call &call = const_cast<parser::Call &>(reference->v);
    const auto *name = std::get_if<parser::Name>(
        &std::get<parser::ProcedureDesignator>(call.t).u);
    auto &arguments = std::get<std::list<parser::ActualArgSpec>>(call.t);
    if (!name || name->ToString() != "dim3" || arguments.size() != 3)
      return false;
    Sizes extents;
    for (parser::ActualArgSpec &argument : arguments) {
      auto *value = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(argument.t).u);
      if (!value || std::get<std::optional<parser::Keyword>>(argument.t))
        return false;
      if (static_cast<int>(extents.size()) < loops)
        extents.emplace_back(std::optional<parser::ScalarIntExpr>{
            parser::ScalarIntExpr{parser::Integer{std::move(*value)}}});
    }
    sizes = std::move(extents);
    return true;
  }

  void split(Sizes &sizes, int loops) const {
    if (sizes.size() != 1 || !sizes.front().v || splitConstructor(sizes, loops))
      return;
    const auto *found = parser::Unwrap<parser::Name>(*sizes.front().v);
    if (!found || !isDim3(found->ToString()))
      return;
    const parser::Name variable{found->source};
    sizes.clear();
    for (int i = 0; i < loops; ++i)
      sizes.push_back(component(variable, i));
  }

  /// The variables of the program units around, the innermost last: whether
  /// they are of type(dim3).
  std::vector<std::map<std::string, bool>> scopes;
};

} // namespace

int cufort::kernelLoopDepth(
    const parser::CUFKernelDoConstruct::Directive &directive) {
  const auto &number =
      std::get<std::optional<parser::ScalarIntConstantExpr>>(directive.t);
  const auto *value =
      number ? parser::Unwrap<parser::IntLiteralConstant>(*number) : nullptr;
  if (!value)
    return 1;
  std::string digits = std::get<parser::CharBlock>(value->t).ToString();
  return digits.size() == 1 && digits[0] > '0' ? digits[0] - '0' : 1;
}

void cufort::splitKernelLoopShapes(parser::Program &program) {
  Split split;
  cufort::walk(program, split);
}
