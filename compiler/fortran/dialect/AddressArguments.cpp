//===- AddressArguments.cpp - data as C pointers by value -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/dialect/AddressArguments.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/TypedExpressions.h"
#include "flang/Evaluate/tools.h"
#include "flang/Evaluate/traverse.h"
#include "flang/Parser/message.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"

using namespace Fortran;
using namespace Fortran::parser::literals;

namespace {

bool isCPointer(const semantics::DerivedTypeSpec *type) {
  return type && type->typeSymbol().GetUltimate().name() == "__builtin_c_ptr";
}

bool isFunctionPointer(const semantics::DerivedTypeSpec &type) {
  return type.typeSymbol().GetUltimate().name() == "__builtin_c_funptr";
}

/// Goes through all calls of an expression.
class Calls : public evaluate::AnyTraverse<Calls> {
public:
  using Base = evaluate::AnyTraverse<Calls>;
  using Base::operator();

  Calls(semantics::SemanticsContext &context, parser::Messages &messages)
      : Base(*this), context(context), messages(messages) {}

  bool operator()(const evaluate::ProcedureRef &call) const {
    const semantics::Symbol *interface = call.proc().GetInterfaceSymbol();
    const auto *details =
        interface ? interface->GetUltimate()
                        .detailsIf<semantics::SubprogramDetails>()
                  : nullptr;
    if (details) {
      // The expressions are the analysis' own.
      auto &actuals = const_cast<evaluate::ProcedureRef &>(call).arguments();
      for (std::size_t i = 0;
           i < actuals.size() && i < details->dummyArgs().size(); ++i)
        if (const semantics::Symbol *dummy = details->dummyArgs()[i];
            dummy && actuals[i])
          pass(*actuals[i], *dummy);
    }
    return Base::operator()(call);
  }

private:
  void pass(evaluate::ActualArgument &actual,
            const semantics::Symbol &dummy) const {
    const auto *object = dummy.detailsIf<semantics::ObjectEntityDetails>();
    evaluate::Expr<evaluate::SomeType> *value = actual.UnwrapExpr();
    if (!object || !value || object->ignoreTKR().empty() ||
        !dummy.attrs().test(semantics::Attr::VALUE))
      return;
    const auto type = value->GetType();
    const semantics::DeclTypeSpec *wanted = dummy.GetType();
    if (const semantics::DerivedTypeSpec *record =
            wanted ? wanted->AsDerived() : nullptr;
        record && type && type->category() == common::TypeCategory::Integer &&
        isFunctionPointer(*record)) {
      *value = asRecord(*record, std::move(*value));
      return;
    }
    if (!wanted || !isCPointer(wanted->AsDerived())) {
      if (value->Rank() > 0 && dummy.Rank() == 0 && actual.sourceLocation())
        messages.Say(
            *actual.sourceLocation(),
            "An array may not be the actual argument for '%s=', a scalar with VALUE: with IGNORE_TKR only a dummy argument of TYPE(C_PTR) takes its address"_err_en_US,
            dummy.name());
      return;
    }
    if (type && isCPointer(evaluate::GetDerivedTypeSpec(*type)))
      return;
    if (auto address = addressOf(*value))
      *value = std::move(*address);
  }

  /// The type that has \p address, of a procedure, as its only component.
  static evaluate::Expr<evaluate::SomeType>
  asRecord(const semantics::DerivedTypeSpec &type,
           evaluate::Expr<evaluate::SomeType> &&address) {
    evaluate::StructureConstructor record(type);
    record.Add(*type.typeSymbol().GetUltimate().scope()->begin()->second,
               std::move(address));
    return evaluate::AsGenericExpr(
        evaluate::Expr<evaluate::SomeDerived>{std::move(record)});
  }

  /// C_LOC, of what need not be a target.
  std::optional<evaluate::Expr<evaluate::SomeType>>
  addressOf(const evaluate::Expr<evaluate::SomeType> &value) const {
    if (const semantics::Symbol *base = cufort::firstSymbol(value);
        base && cufort::isVariable(value) &&
        !semantics::IsPointer(base->GetUltimate()))
      const_cast<semantics::Symbol &>(base->GetUltimate())
          .attrs()
          .set(semantics::Attr::TARGET);
    evaluate::ActualArguments arguments{evaluate::ActualArgument{value}};
    parser::Messages unused;
    parser::ContextualMessages discarded{&unused};
    evaluate::FoldingContext folding{context.foldingContext(), discarded};
    auto call = context.intrinsics().Probe(
        evaluate::CallCharacteristics{"__builtin_c_loc"}, arguments, folding);
    if (!call)
      return std::nullopt;
    return evaluate::AsGenericExpr(evaluate::Expr<evaluate::SomeDerived>{
        evaluate::FunctionRef<evaluate::SomeDerived>{
            evaluate::ProcedureDesignator{std::move(call->specificIntrinsic)},
            std::move(call->arguments)}});
  }

  semantics::SemanticsContext &context;
  parser::Messages &messages;
};

/// Finds the expressions that are lowered.
struct Expressions {
  explicit Expressions(Calls &calls) : calls(calls) {}

  using Nodes =
      cufort::NodeList<parser::Expr, parser::CallStmt, parser::AssignmentStmt>;

  bool Pre(const parser::Expr &expression) {
    if (expression.typedExpr && expression.typedExpr->v)
      calls(*expression.typedExpr->v);
    return true;
  }
  void Post(const parser::CallStmt &statement) {
    if (statement.typedCall)
      calls(*statement.typedCall);
  }
  void Post(const parser::AssignmentStmt &statement) {
    evaluate::GenericAssignmentWrapper *typed = statement.typedAssignment.get();
    if (!typed || !typed->v)
      return;
    calls(typed->v->lhs);
    calls(typed->v->rhs);
    if (const auto *call = std::get_if<evaluate::ProcedureRef>(&typed->v->u))
      calls(*call);
  }

  Calls &calls;
};

} // namespace

void cufort::passAddresses(const parser::Program &program,
                           semantics::SemanticsContext &context,
                           parser::Messages &messages) {
  Calls calls(context, messages);
  Expressions expressions(calls);
  cufort::walk(program, expressions);
}
