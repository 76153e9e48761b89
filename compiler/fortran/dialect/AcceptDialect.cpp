//===- AcceptDialect.cpp - what other compilers accept --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/AcceptDialect.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/modules/ModuleNames.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/parsing.h"
#include "flang/Parser/tools.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>
#include <string>

using namespace Fortran;
using namespace parser::literals;

namespace {

/// A walk over the characters of one statement, outside of character literals.
class Statement {
public:
  Statement(char *begin, char *end) : at(begin), end(end) {}

  bool atEnd() const { return at == end; }
  char *position() const { return at; }
  char current() const { return atEnd() ? '\n' : *at; }

  void advance() {
    char c = *at++;
    if (c != '\'' && c != '"')
      return;
    while (!atEnd() && *at != c)
      ++at;
    if (!atEnd())
      ++at;
  }

  void skipBlanks() {
    while (!atEnd() && *at == ' ')
      ++at;
  }

  /// Goes past \p text, whose characters blanks may part, if it is next.
  bool consume(llvm::StringRef text) {
    char *start = at;
    for (char c : text) {
      skipBlanks();
      if (current() != c) {
        at = start;
        return false;
      }
      ++at;
    }
    return true;
  }

private:
  char *at, *end;
};

/// attributes(value) :: n -> value :: n
void acceptValueStatement(Statement statement) {
  char *start = statement.position();
  if (!statement.consume("attributes(value)"))
    return;
  std::fill(start, statement.position(), ' ');
  llvm::copy(llvm::StringRef("value"), start);
}

/// Leaves ALIGN= out of an ALLOCATE statement whose list \p statement is in.
void leaveOutAlignment(Statement statement) {
  int depth = 1;
  while (!statement.atEnd() && depth > 0) {
    char *start = statement.position();
    if (depth == 1 && statement.consume(",align=")) {
      while (!statement.atEnd() &&
             (depth > 1 ||
              (statement.current() != ',' && statement.current() != ')'))) {
        depth += statement.current() == '(';
        depth -= statement.current() == ')';
        statement.advance();
      }
      std::fill(start, statement.position(), ' ');
      continue;
    }
    depth += statement.current() == '(';
    depth -= statement.current() == ')';
    statement.advance();
  }
}

void acceptAlignment(Statement statement) {
  char before = ' ';
  while (!statement.atEnd()) {
    if (!llvm::isAlnum(before) && before != '_') {
      Statement list = statement;
      if (list.consume("allocate("))
        return leaveOutAlignment(list);
    }
    before = statement.current();
    statement.advance();
  }
}

/// Leaves the subscripts out behind the last name of each object of a
/// DEALLOCATE statement, which is for whole arrays.
void acceptElements(Statement statement, parser::Messages &messages) {
  // Behind a label, or a condition.
  while (llvm::isDigit(statement.current()))
    statement.advance();
  statement.skipBlanks();
  if (statement.consume("if(")) {
    for (int depth = 1; depth > 0 && !statement.atEnd(); statement.advance()) {
      depth += statement.current() == '(';
      depth -= statement.current() == ')';
    }
    statement.skipBlanks();
  }
  if (!statement.consume("deallocate("))
    return;
  char *open = nullptr, *closed = nullptr;
  bool isObject = true;
  for (int depth = 1; depth > 0 && !statement.atEnd(); statement.advance()) {
    const char c = statement.current();
    char *place = statement.position();
    isObject &= depth > 1 || c != '=';
    depth += c == '(';
    depth -= c == ')';
    if (depth == 0 || (c == ',' && depth == 1)) {
      if (isObject && closed) {
        messages.Say(
            parser::CharBlock(open, closed - open),
            "DEALLOCATE is for whole arrays; the subscripts are ignored"_warn_en_US);
        std::fill(open, closed, ' ');
      }
      open = closed = nullptr;
      isObject = true;
    } else if (c == '(' && depth == 2) {
      open = place;
    } else if (c == ')' && depth == 1) {
      closed = place + 1;
    } else if (c != ' ' && depth == 1) {
      closed = nullptr;
    }
  }
}

bool isRuntimeFunction(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"cudadevicesynchronize", "cudathreadsynchronize",
              "cudagetlasterror", "cudapeekatlasterror", "cudadevicereset",
              "cudathreadexit"},
             true)
      .Default(false);
}

bool isPredefinedVariable(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"threadidx", "blockidx", "blockdim", "griddim", "warpsize"}, true)
      .Default(false);
}

bool isDeviceIntrinsic(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"sum", "product", "maxval", "minval", "maxloc", "minloc", "count",
              "any", "all", "dot_product", "matmul", "transpose"},
             true)
      .Default(false);
}

/// Whether the prefixes of a subroutine say that it is a kernel.
bool isKernel(const std::list<parser::PrefixSpec> &prefixes) {
  return llvm::any_of(prefixes, [](const parser::PrefixSpec &prefix) {
    auto *attributes = std::get_if<parser::PrefixSpec::Attributes>(&prefix.u);
    return attributes && llvm::any_of(attributes->v, [](auto attribute) {
             return attribute == common::CUDASubprogramAttrs::Global ||
                    attribute == common::CUDASubprogramAttrs::Grid_Global;
           });
  });
}

/// The kernels of the file that are in no module.
std::set<std::string> externalKernels(const parser::Program &program) {
  std::set<std::string> kernels;
  for (const parser::ProgramUnit &unit : program.v)
    if (auto *subroutine =
            std::get_if<common::Indirection<parser::SubroutineSubprogram>>(
                &unit.u)) {
      const auto &statement = std::get<0>(subroutine->value().t).statement;
      if (isKernel(std::get<std::list<parser::PrefixSpec>>(statement.t)))
        kernels.insert(std::get<parser::Name>(statement.t).ToString());
    }
  return kernels;
}

/// The names of what a procedure launches.
struct CollectLaunches {
  using Nodes = cufort::NodeList<parser::CallStmt>;
  void Post(const parser::CallStmt &call) {
    const auto *name = std::get_if<parser::Name>(
        &std::get<parser::ProcedureDesignator>(call.call.t).u);
    if (name && call.chevrons)
      names.insert(name->ToString());
  }
  std::set<std::string> names;
};

struct Dialect {
  Dialect(parser::Messages &messages, const parser::Program &program,
          bool managedAllocatables,
          const std::vector<std::string> &moduleFolders)
      : messages(messages), kernels(externalKernels(program)),
        cudaforNames(moduleFolders, "cudafor"),
        managedAllocatables(managedAllocatables) {}

  using Nodes = cufort::NodeList<
      parser::SubroutineStmt, parser::DataComponentDefStmt, parser::UseStmt,
      parser::MainProgram, parser::Module, parser::Submodule,
      parser::FunctionSubprogram, parser::SubroutineSubprogram,
      parser::SeparateModuleSubprogram, parser::BlockConstruct, parser::IfStmt,
      parser::ActionStmt, parser::AssignmentStmt, parser::Call>;

  void Post(parser::SubroutineStmt &stmt) {
    auto &prefixes = std::get<std::list<parser::PrefixSpec>>(stmt.t);
    if (isKernel(prefixes))
      prefixes.remove_if([](const parser::PrefixSpec &prefix) {
        return std::holds_alternative<parser::PrefixSpec::Pure>(prefix.u);
      });
  }

  /// Flang's own option reaches variables only, not components.
  void Post(parser::DataComponentDefStmt &stmt) {
    auto &attributes = std::get<std::list<parser::ComponentAttrSpec>>(stmt.t);
    auto has = [&](auto is) { return llvm::any_of(attributes, is); };
    if (managedAllocatables &&
        !std::holds_alternative<parser::DeclarationTypeSpec::Class>(
            std::get<parser::DeclarationTypeSpec>(stmt.t).u) &&
        has([](const parser::ComponentAttrSpec &attribute) {
          return std::holds_alternative<parser::Allocatable>(attribute.u);
        }) &&
        !has([](const parser::ComponentAttrSpec &attribute) {
          return std::holds_alternative<common::CUDADataAttr>(attribute.u);
        }))
      attributes.emplace_back(common::CUDADataAttr::Managed);
  }

  /// use cudafor, only: dim3, threadidx
  void Post(parser::UseStmt &stmt) {
    if (stmt.moduleName.ToString() == "cudafor" && !usesCudafor.empty())
      usesCudafor.back() = true;
    auto *only = std::get_if<std::list<parser::Only>>(&stmt.u);
    if (!only || stmt.moduleName.ToString() != "cudafor")
      return;
    only->remove_if([](const parser::Only &item) {
      auto *name = std::get_if<parser::Name>(&item.u);
      auto *spec =
          std::get_if<common::Indirection<parser::GenericSpec>>(&item.u);
      if (spec)
        name = std::get_if<parser::Name>(&spec->value().u);
      return name && isPredefinedVariable(name->ToString());
    });
  }

  //===--- call cudaProfilerStop() ---===//
  // A function of cudafor whose status nobody wants. Where the module is not
  // used, the name is an external subroutine's.

  bool Pre(parser::MainProgram &) { return enterUnit(); }
  bool Pre(parser::Module &) { return enterUnit(); }
  bool Pre(parser::Submodule &) { return enterUnit(); }
  bool Pre(parser::FunctionSubprogram &) { return enterUnit(); }
  bool Pre(parser::SubroutineSubprogram &) { return enterUnit(); }
  bool Pre(parser::SeparateModuleSubprogram &) { return enterUnit(); }
  bool Pre(parser::BlockConstruct &) { return enterUnit(); }
  void Post(parser::MainProgram &program) { leave(program); }
  void Post(parser::Module &) { usesCudafor.pop_back(); }
  void Post(parser::Submodule &) { usesCudafor.pop_back(); }
  void Post(parser::FunctionSubprogram &function) { leave(function); }
  void Post(parser::SubroutineSubprogram &subroutine) { leave(subroutine); }
  void Post(parser::SeparateModuleSubprogram &) { usesCudafor.pop_back(); }
  void Post(parser::BlockConstruct &) { usesCudafor.pop_back(); }

  // The statement would become an IF statement, which these cannot hold.
  bool Pre(parser::IfStmt &) { return isInIf = true; }
  void Post(parser::IfStmt &) { isInIf = false; }

  void Post(parser::ActionStmt &stmt) {
    auto *call = std::get_if<common::Indirection<parser::CallStmt>>(&stmt.u);
    auto *name =
        call ? std::get_if<parser::Name>(
                   &std::get<parser::ProcedureDesignator>(call->value().call.t)
                        .u)
             : nullptr;
    if (!name || isInIf || call->value().chevrons || !usesCudafor.back() ||
        !llvm::StringRef(name->ToString()).starts_with("cuda") ||
        !cudaforNames.contains(name->ToString()))
      return;
    messages.Say(
        name->source,
        "%s is a function, and its status is ignored here: write istat = %s(...)"_warn_en_US,
        name->source, name->source);
    stmt = conditionOf(std::move(call->value()));
  }

  /// istat = cudaDeviceSynchronize
  void Post(parser::AssignmentStmt &stmt) {
    auto &value = std::get<parser::Expr>(stmt.t);
    auto *designator =
        std::get_if<common::Indirection<parser::Designator>>(&value.u);
    auto *reference = designator
                          ? std::get_if<parser::DataRef>(&designator->value().u)
                          : nullptr;
    auto *name = reference ? std::get_if<parser::Name>(&reference->u) : nullptr;
    if (!name || !isRuntimeFunction(name->ToString()))
      return;
    messages.Say(name->source,
                 "a function reference needs parentheses: %s()"_warn_en_US,
                 name->source);
    parser::FunctionReference call{
        parser::Call{parser::ProcedureDesignator{parser::Name{*name}},
                     std::list<parser::ActualArgSpec>{}}};
    call.source = value.source;
    value.u = common::Indirection<parser::FunctionReference>{std::move(call)};
  }

  void Post(parser::Call &call) {
    auto *name = std::get_if<parser::Name>(
        &std::get<parser::ProcedureDesignator>(call.t).u);
    if (name && name->ToString() == "c_f_pointer")
      makeShape(std::get<std::list<parser::ActualArgSpec>>(call.t));
    if (!name || !isDeviceIntrinsic(name->ToString()))
      return;
    std::get<std::list<parser::ActualArgSpec>>(call.t).remove_if(
        [](const parser::ActualArgSpec &argument) {
          const auto &keyword =
              std::get<std::optional<parser::Keyword>>(argument.t);
          return keyword && keyword->v.ToString() == "stream";
        });
  }

private:
  bool enterUnit() {
    usesCudafor.push_back(!usesCudafor.empty() && usesCudafor.back());
    return true;
  }

  /// c_f_pointer(address, pointer, 100): what is one number becomes an array,
  /// and what is an array stays what it is.
  void makeShape(std::list<parser::ActualArgSpec> &arguments) {
    unsigned position = 0;
    for (parser::ActualArgSpec &argument : arguments) {
      const auto &keyword =
          std::get<std::optional<parser::Keyword>>(argument.t);
      auto *shape = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(argument.t).u);
      const bool isShape =
          keyword ? keyword->v.ToString() == "shape" : position == 2;
      ++position;
      if (!isShape || !shape ||
          std::holds_alternative<parser::ArrayConstructor>(shape->value().u))
        continue;
      const parser::CharBlock source = shape->value().source;
      if (parser::Unwrap<parser::IntLiteralConstant>(shape->value()))
        messages.Say(
            source, "the shape of a pointer is an array: write [%s]"_warn_en_US,
            source);
      std::list<parser::AcValue> values;
      values.emplace_back(
          common::Indirection<parser::Expr>{std::move(shape->value())});
      parser::Expr array{
          parser::ArrayConstructor{parser::AcSpec{std::make_tuple(
              std::optional<parser::TypeSpec>{}, std::move(values))}}};
      array.source = source;
      *shape = common::Indirection<parser::Expr>{std::move(array)};
    }
  }

  /// external k, where the kernel k is in the same file: without the statement
  /// a launch finds it, and with it which arguments go by value.
  template <typename Procedure> void leave(Procedure &procedure) {
    usesCudafor.pop_back();
    if (kernels.empty())
      return;
    CollectLaunches launches;
    cufort::walk(std::get<parser::ExecutionPart>(procedure.t), launches);
    auto isLaunched = [&](const parser::Name &name) {
      const std::string text = name.ToString();
      return kernels.count(text) && launches.names.count(text);
    };
    auto &part = std::get<parser::SpecificationPart>(procedure.t);
    std::get<std::list<parser::DeclarationConstruct>>(part.t).remove_if(
        [&](parser::DeclarationConstruct &declaration) {
          auto *external = parser::Unwrap<parser::ExternalStmt>(declaration);
          if (!external)
            return false;
          auto &names = const_cast<std::list<parser::Name> &>(external->v);
          names.remove_if(isLaunched);
          return names.empty();
        });
  }

  /// if (function(...) == 0) continue
  static parser::ActionStmt conditionOf(parser::CallStmt &&call) {
    static constexpr char zero[] = "0";
    const parser::CharBlock source = call.source;
    parser::FunctionReference reference{std::move(call.call)};
    reference.source = source;
    parser::Expr function{
        common::Indirection<parser::FunctionReference>{std::move(reference)}};
    function.source = source;
    parser::Expr number{parser::LiteralConstant{parser::IntLiteralConstant{
        parser::CharBlock(zero, 1), std::optional<parser::KindParam>{}}}};
    number.source = parser::CharBlock(zero, 1);
    parser::Expr condition{
        parser::Expr::EQ{common::Indirection<parser::Expr>{std::move(function)},
                         common::Indirection<parser::Expr>{std::move(number)}}};
    condition.source = source;
    parser::UnlabeledStatement<parser::ActionStmt> nothing{
        parser::ActionStmt{parser::ContinueStmt{}}};
    nothing.source = source;
    return parser::ActionStmt{
        common::Indirection<parser::IfStmt>{parser::IfStmt{
            parser::Scalar{parser::Logical{
                common::Indirection<parser::Expr>{std::move(condition)}}},
            std::move(nothing)}}};
  }

  parser::Messages &messages;
  std::set<std::string> kernels;
  cufort::ModuleNames cudaforNames;
  bool managedAllocatables;
  /// For the program unit, and each that it is in.
  std::vector<bool> usesCudafor;
  bool isInIf = false;
};

} // namespace

void cufort::acceptDialectText(parser::Parsing &parsing) {
  // The text is the parser's own, and read only from here on.
  parser::CharBlock text = parsing.cooked().AsCharBlock();
  char *begin = const_cast<char *>(text.begin());
  char *end = const_cast<char *>(text.end());
  while (begin != end) {
    char *newline = std::find(begin, end, '\n');
    Statement statement(begin, newline);
    statement.skipBlanks();
    acceptValueStatement(statement);
    acceptAlignment(statement);
    acceptElements(statement, parsing.messages());
    begin = newline == end ? end : newline + 1;
  }
}

void cufort::acceptDialect(parser::Parsing &parsing, bool managedAllocatables,
                           const std::vector<std::string> &moduleFolders) {
  parser::Program &program = *parsing.parseTree();
  Dialect dialect(parsing.messages(), program, managedAllocatables,
                  moduleFolders);
  cufort::walk(program, dialect);
}
