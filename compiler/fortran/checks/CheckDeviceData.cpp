//===- CheckDeviceData.cpp - device data where the host cannot use it -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/checks/CheckDeviceData.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/TypedExpressions.h"
#include "compiler/fortran/checks/ManagedByType.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/tools.h"

using namespace Fortran;
using namespace parser::literals;
using common::CUDADataAttr;

namespace {

/// Where an object lies: its memory attribute, if any.
struct Memory {
  std::optional<CUDADataAttr> attribute;
  std::string name;
  /// A pointer, which may have taken its target from one that is elsewhere.
  bool isPointer = false;
  const semantics::Symbol *symbol = nullptr;

  bool isDevice() const {
    return attribute == CUDADataAttr::Device ||
           attribute == CUDADataAttr::Constant;
  }
  bool isHost() const {
    return !attribute || attribute == CUDADataAttr::Pinned;
  }
  bool isBoth() const {
    return attribute == CUDADataAttr::Managed ||
           attribute == CUDADataAttr::Unified;
  }
};

/// Nothing where it is not known, as for NULL().
std::optional<Memory>
memoryOf(const evaluate::Expr<evaluate::SomeType> &expression);

std::optional<Memory> memoryOf(const semantics::Symbol &symbol) {
  const semantics::Symbol &ultimate = symbol.GetUltimate();
  if (const auto *name = ultimate.detailsIf<semantics::AssocEntityDetails>())
    return name->expr() ? memoryOf(*name->expr()) : std::nullopt;
  return Memory{semantics::GetCUDADataAttr(&ultimate),
                ultimate.name().ToString(), semantics::IsPointer(ultimate),
                &ultimate};
}

std::optional<Memory>
memoryOf(const evaluate::Expr<evaluate::SomeType> &expression) {
  if (const auto *call = cufort::procedureReference(expression)) {
    const semantics::Symbol *function = call->proc().GetInterfaceSymbol();
    const semantics::Symbol *result =
        function ? semantics::FindFunctionResult(*function) : nullptr;
    return result ? memoryOf(*result) : std::nullopt;
  }
  const auto symbols = cufort::symbolsOf(expression);
  if (!symbols)
    return std::nullopt;
  // A component without an attribute of its own lies where its record lies,
  // unless it is only a descriptor there.
  for (auto it = symbols->rbegin(); it != symbols->rend(); ++it) {
    const semantics::Symbol &symbol = **it;
    std::optional<Memory> memory = memoryOf(symbol);
    if (!memory || memory->attribute ||
        semantics::IsAllocatableOrPointer(symbol))
      return memory;
  }
  return symbols->empty() ? std::nullopt : memoryOf(*symbols->front());
}

/// A scalar, a logical one included.
bool isNumber(const evaluate::Expr<evaluate::SomeType> &value) {
  const auto type = value.GetType();
  return value.Rank() == 0 && type &&
         type->category() != common::TypeCategory::Character &&
         type->category() != common::TypeCategory::Derived;
}

class Check {
public:
  Check(const parser::Program &program, semantics::SemanticsContext &semantics,
        parser::Messages &messages)
      : semantics(semantics), messages(messages),
        hostIsReached(semantics.languageFeatures().IsEnabled(
                          common::LanguageFeature::CudaUnified) ||
                      semantics.languageFeatures().IsEnabled(
                          common::LanguageFeature::CudaManaged)),
        managedByType(program) {}

  using Nodes = cufort::NodeList<
      parser::CUFKernelDoConstruct, parser::OpenACCBlockConstruct,
      parser::OpenACCCombinedConstruct, parser::OpenACCLoopConstruct,
      parser::PointerAssignmentStmt, parser::Expr, parser::CallStmt,
      parser::IoControlSpec>;

  bool Pre(const parser::CUFKernelDoConstruct &) { return false; }
  bool Pre(const parser::OpenACCBlockConstruct &) { return false; }
  bool Pre(const parser::OpenACCCombinedConstruct &) { return false; }
  bool Pre(const parser::OpenACCLoopConstruct &) { return false; }

  void Post(const parser::PointerAssignmentStmt &statement) {
    const evaluate::Assignment *assignment =
        semantics::GetAssignment(statement);
    auto source =
        parser::FindSourceLocation(std::get<parser::DataRef>(statement.t));
    if (!assignment || !isHostCode(source))
      return;
    if (auto pointer = memoryOf(assignment->lhs))
      checkTarget(source, *pointer, assignment->rhs);
  }

  void Post(const parser::Expr &parsed) {
    if (!parsed.typedExpr || !parsed.typedExpr->v || !isHostCode(parsed.source))
      return;
    const auto &expression = *parsed.typedExpr->v;
    if (std::holds_alternative<parser::StructureConstructor>(parsed.u)) {
      const auto *record =
          evaluate::UnwrapExpr<evaluate::StructureConstructor>(expression);
      for (const auto &[component, value] :
           record ? record->values() : evaluate::StructureConstructorValues{})
        if (semantics::IsPointer(*component))
          if (auto pointer = memoryOf(*component))
            checkTarget(parsed.source, *pointer, value.value());
    } else if (std::holds_alternative<
                   common::Indirection<parser::FunctionReference>>(parsed.u)) {
      if (const auto *call = cufort::procedureReference(expression))
        checkReference(parsed.source, *call);
    }
  }

  void Post(const parser::CallStmt &call) {
    if (!call.typedCall || !isHostCode(call.source))
      return;
    checkReference(call.source, *call.typedCall);
    if (call.chevrons)
      checkLaunch(call.source, *call.typedCall);
  }

  void Post(const parser::IoControlSpec &control) {
    const auto *name = std::get_if<parser::Name>(&control.u);
    const auto *list = name && name->symbol
                           ? name->symbol->GetUltimate()
                                 .detailsIf<semantics::NamelistDetails>()
                           : nullptr;
    if (!list || !isHostCode(name->source))
      return;
    for (const semantics::Symbol &object : list->objects())
      if (auto memory = memoryOf(object); memory && memory->isDevice())
        messages.Say(name->source,
                     "'%s' of namelist '%s' is in device memory, which input "
                     "and output statements cannot reach; put a host variable "
                     "into the namelist and assign it to the device variable, "
                     "or the device variable to it"_err_en_US,
                     memory->name, name->ToString());
  }

  /// Results of functions, and constant data, that are declared in this file.
  void checkDeclarations(const semantics::Scope &scope) {
    if (scope.symbol() &&
        scope.symbol()->test(semantics::Symbol::Flag::ModFile))
      return;
    for (const auto &[name, symbol] : scope) {
      checkResult(*symbol);
      checkAlternateReturns(*symbol);
      // Flang says the same of subprograms.
      if (scope.kind() == semantics::Scope::Kind::MainProgram &&
          symbol->has<semantics::ObjectEntityDetails>() &&
          semantics::GetCUDADataAttr(&*symbol) == CUDADataAttr::Constant)
        messages.Say(
            name,
            "'%s' with ATTRIBUTES(CONSTANT) may not be declared in a main program: declare it in the module of the kernels that read it"_err_en_US,
            name);
    }
    for (const semantics::Scope &child : scope.children())
      checkDeclarations(child);
  }

private:
  bool isHostCode(parser::CharBlock source) const {
    // What the compiler has added itself has no place in a source file.
    return !source.empty() && semantics.allCookedSources().Find(source) &&
           !semantics::FindCUDADeviceContext(&semantics.FindScope(source));
  }

  void checkTarget(parser::CharBlock source, const Memory &pointer,
                   const evaluate::Expr<evaluate::SomeType> &expression) {
    auto target = memoryOf(expression);
    if (!target || (target->isHost() && pointer.symbol &&
                    managedByType.contains(*pointer.symbol)))
      return;
    if (pointer.isHost() && target->isDevice())
      messages.Say(source,
                   "'%s' is a pointer to host memory and cannot point to '%s', "
                   "which is in device memory; give the pointer "
                   "ATTRIBUTES(DEVICE)"_err_en_US,
                   pointer.name, target->name);
    else if (pointer.attribute == CUDADataAttr::Device && !target->attribute &&
             !hostIsReached)
      messages.Say(source,
                   "'%s' has ATTRIBUTES(DEVICE) and cannot point to '%s', "
                   "which is in host memory; give the target "
                   "ATTRIBUTES(DEVICE) or ATTRIBUTES(MANAGED)"_err_en_US,
                   pointer.name, target->name);
    else if (pointer.isBoth() && !target->attribute && target->isPointer &&
             !hostIsReached)
      messages.Say(
          source,
          "'%s' has ATTRIBUTES(MANAGED) and points to what '%s' points "
          "to, which must be managed memory; give '%s' "
          "ATTRIBUTES(MANAGED) too"_warn_en_US,
          pointer.name, target->name, target->name);
    else if (pointer.isBoth() && !target->isBoth() && !hostIsReached)
      messages.Say(source,
                   "'%s' has ATTRIBUTES(MANAGED) and cannot point to '%s', "
                   "which is not managed; give the target "
                   "ATTRIBUTES(MANAGED)"_err_en_US,
                   pointer.name, target->name);
  }

  void checkReference(parser::CharBlock source,
                      const evaluate::ProcedureRef &call) {
    const evaluate::ProcedureDesignator &procedure = call.proc();
    if (const auto *intrinsic = procedure.GetSpecificIntrinsic()) {
      if (intrinsic->name == "move_alloc")
        checkMove(source, call.arguments());
      return;
    }
    const semantics::Symbol *symbol = procedure.GetSymbol();
    if (!symbol)
      return;
    const semantics::Symbol *known = procedure.GetInterfaceSymbol();
    // Of procedures of the same file Flang knows the interface nevertheless.
    const auto *entity =
        symbol->GetUltimate().detailsIf<semantics::ProcEntityDetails>();
    if (!known || (entity && !entity->procInterface()) ||
        symbol->GetUltimate().owner().IsGlobal())
      return checkImplicit(source, call, *symbol);
    checkFunctionActuals(source, call, *known);
    checkAllocations(source, call, *known);
    const semantics::Symbol *result = semantics::FindFunctionResult(*known);
    if (!result || (!procedure.GetComponent() && !semantics::IsDummy(*symbol) &&
                    !semantics::IsProcedurePointer(*symbol)))
      return;
    if (auto memory = memoryOf(*result); memory && memory->isDevice())
      messages.Say(source,
                   "a function whose result is in device memory can only be "
                   "called by its name, not through a dummy procedure, a "
                   "procedure pointer or a polymorphic object; call a "
                   "subroutine with a pointer argument instead"_err_en_US);
  }

  /// A kernel that is known by its name alone gets the addresses of device data
  /// and the values of host scalars, which programs for nvfortran rely on.
  void checkLaunch(parser::CharBlock source,
                   const evaluate::ProcedureRef &call) {
    const semantics::Symbol *symbol = call.proc().GetSymbol();
    const auto *external =
        symbol ? symbol->GetUltimate().detailsIf<semantics::ProcEntityDetails>()
               : nullptr;
    if (!external || external->procInterface())
      return;
    // Where the front end does not know that it is a procedure, it has said so.
    if (symbol->attrs().test(semantics::Attr::EXTERNAL) &&
        !symbol->implicitAttrs().test(semantics::Attr::EXTERNAL))
      messages.Say(source,
                   "'%s' has no explicit interface here; it is assumed to be a "
                   "kernel that takes device data by address and host scalars "
                   "by value: put it into a module, or write an interface "
                   "block"_warn_en_US,
                   symbol->name());
    // The expressions are the analysis' own.
    for (auto &actual :
         const_cast<evaluate::ProcedureRef &>(call).arguments()) {
      const auto *value = actual ? actual->UnwrapExpr() : nullptr;
      auto memory = value ? memoryOf(*value) : std::nullopt;
      const bool isHost = !memory || memory->isHost();
      if (value && isHost && isNumber(*value))
        actual->set_isPercentVal();
      else if (isHost && !hostIsReached)
        messages.Say(
            source,
            "'%s' has no explicit interface here, so the kernel gets the address of each array, but %s is in host memory: put the kernel into a module, or write an interface block"_err_en_US,
            symbol->name(),
            memory ? "'" + memory->name + "'"
                   : std::string("the value of an expression"));
    }
  }

  /// Flang's analysis takes all results of functions for host data; that
  /// message is left out where the function's name stands for one that is not
  /// (replaced/DeviceStatements).
  void checkFunctionActuals(parser::CharBlock source,
                            const evaluate::ProcedureRef &call,
                            const semantics::Symbol &procedure) {
    const auto *details =
        procedure.GetUltimate().detailsIf<semantics::SubprogramDetails>();
    if (!details)
      return;
    const evaluate::ActualArguments &actuals = call.arguments();
    const auto &dummies = details->dummyArgs();
    // The object of a type-bound procedure comes first in both.
    for (size_t i = 0; i < std::min(actuals.size(), dummies.size()); ++i) {
      if (!dummies[i] || !dummies[i]->has<semantics::ObjectEntityDetails>() ||
          semantics::IsValue(*dummies[i]) || !actuals[i] ||
          !actuals[i]->UnwrapExpr())
        continue;
      const auto *function =
          cufort::procedureReference(*actuals[i]->UnwrapExpr());
      if (!function || function->proc().GetSpecificIntrinsic())
        continue;
      auto dummy = memoryOf(*dummies[i]);
      auto actual = memoryOf(*actuals[i]->UnwrapExpr());
      if (dummy && actual && dummy->isDevice() && actual->isHost() &&
          !hostIsReached)
        messages.Say(source,
                     "dummy argument '%s=' has ATTRIBUTES(DEVICE) but the "
                     "function that gives its actual argument has a result in "
                     "host memory; give the result the attribute DEVICE, or "
                     "assign it to a device variable first"_err_en_US,
                     dummy->name);
      else if (dummy && actual && dummy->isHost() && actual->isDevice())
        messages.Say(source,
                     "dummy argument '%s=' has no CUDA data attribute but the "
                     "function that gives its actual argument has a result in "
                     "device memory; assign it to a host variable first, or "
                     "give the dummy argument the attribute DEVICE"_err_en_US,
                     dummy->name);
    }
  }

  /// What a procedure deallocates, it deallocates as its dummy argument says.
  void checkAllocations(parser::CharBlock source,
                        const evaluate::ProcedureRef &call,
                        const semantics::Symbol &procedure) {
    const auto *details =
        procedure.GetUltimate().detailsIf<semantics::SubprogramDetails>();
    if (!details || hostIsReached)
      return;
    const evaluate::ActualArguments &actuals = call.arguments();
    const auto &dummies = details->dummyArgs();
    for (size_t i = 0; i < std::min(actuals.size(), dummies.size()); ++i) {
      if (!dummies[i] || !semantics::IsAllocatable(*dummies[i]) ||
          semantics::IsIntentIn(*dummies[i]) || !actuals[i] ||
          !actuals[i]->UnwrapExpr())
        continue;
      auto dummy = memoryOf(*dummies[i]);
      auto actual = memoryOf(*actuals[i]->UnwrapExpr());
      if (dummy && actual && !dummy->attribute &&
          (actual->attribute == CUDADataAttr::Pinned || actual->isBoth()))
        messages.Say(
            source,
            "'%s' has ATTRIBUTES(%s), but the ALLOCATABLE dummy argument '%s=' does not: if the procedure allocates it, it is in ordinary memory, and if it deallocates '%s', the program may fail"_warn_en_US,
            actual->name, actual->isBoth() ? "MANAGED" : "PINNED", dummy->name,
            actual->name);
    }
  }

  /// Only the descriptors move: what was allocated keeps its place.
  void checkMove(parser::CharBlock source,
                 const evaluate::ActualArguments &arguments) {
    const auto memory = [&](size_t i) {
      return i < arguments.size() && arguments[i] && arguments[i]->UnwrapExpr()
                 ? memoryOf(*arguments[i]->UnwrapExpr())
                 : std::nullopt;
    };
    auto from = memory(0), to = memory(1);
    if (from && to && from->attribute != to->attribute)
      messages.Say(
          source,
          "FROM= and TO= of move_alloc must have the same memory attribute: MOVE_ALLOC does not copy data from one memory to another; allocate '%s' and assign '%s' to it"_err_en_US,
          to->name, from->name);
  }

  /// The procedure may be known, though its interface is not explicit.
  void checkImplicit(parser::CharBlock source,
                     const evaluate::ProcedureRef &call,
                     const semantics::Symbol &symbol) {
    const semantics::Scope &global = semantics.globalScope();
    auto found = global.find(symbol.name());
    const auto *procedure =
        found == global.end() ? nullptr
                              : found->second->GetUltimate()
                                    .detailsIf<semantics::SubprogramDetails>();
    if (!procedure) {
      const std::string called = symbol.name().ToString();
      if (called.compare(0, 4, "cuda") == 0 &&
          semantics::IsFunction(symbol.GetUltimate()))
        messages.Say(
            source,
            "'%s' is not declared, so its result has the implicit type, which is not that of the CUDA runtime's function: add 'use cudafor'"_warn_en_US,
            called);
      for (const char *name : {"syncthreads", "syncwarp", "threadfence",
                               "threadfence_block", "threadfence_system"})
        if (symbol.name() == name)
          messages.Say(source,
                       "'%s' is a procedure of device code: call it in a "
                       "kernel or in a procedure with ATTRIBUTES(DEVICE); host "
                       "code waits for kernels with "
                       "cudaDeviceSynchronize()"_err_en_US,
                       symbol.name());
      return;
    }
    const evaluate::ActualArguments &actuals = call.arguments();
    const auto &dummies = procedure->dummyArgs();
    for (size_t i = 0; i < std::min(actuals.size(), dummies.size()); ++i) {
      if (!dummies[i] || !actuals[i] || !actuals[i]->UnwrapExpr())
        continue;
      auto actual = memoryOf(*actuals[i]->UnwrapExpr());
      auto dummy = memoryOf(*dummies[i]);
      if (!actual || !dummy ||
          !dummies[i]->has<semantics::ObjectEntityDetails>())
        continue;
      if (actual->isDevice() && dummy->isHost())
        messages.Say(source,
                     "dummy argument '%s=' has no CUDA data attribute but its "
                     "associated "
                     "actual argument has ATTRIBUTES(%s)"_err_en_US,
                     dummy->name,
                     actual->attribute == CUDADataAttr::Device ? "DEVICE"
                                                               : "CONSTANT");
      else if (dummy->isDevice() && !actual->attribute && !hostIsReached)
        messages.Say(
            source,
            "dummy argument '%s=' has ATTRIBUTES(DEVICE) but its associated "
            "actual argument has no CUDA data attribute"_err_en_US,
            dummy->name);
    }
  }

  void checkResult(const semantics::Symbol &function) {
    const auto *details = function.detailsIf<semantics::SubprogramDetails>();
    if (!details || !details->isFunction() || details->stmtFunction() ||
        (details->cudaSubprogramAttrs() &&
         *details->cudaSubprogramAttrs() != common::CUDASubprogramAttrs::Host))
      return;
    const semantics::Symbol &result = details->result();
    if (semantics::GetCUDADataAttr(&result) != CUDADataAttr::Device ||
        semantics::IsAllocatableOrPointer(result))
      return;
    messages.Say(
        result.name(),
        "The result of a host function may be in device memory only if "
        "it is a POINTER or ALLOCATABLE; give '%s' one of these "
        "attributes, or write a subroutine with a device "
        "argument"_err_en_US,
        result.name());
  }

  void checkAlternateReturns(const semantics::Symbol &kernel) {
    const auto *details = kernel.detailsIf<semantics::SubprogramDetails>();
    if (!details || !details->cudaSubprogramAttrs() ||
        (*details->cudaSubprogramAttrs() !=
             common::CUDASubprogramAttrs::Global &&
         *details->cudaSubprogramAttrs() !=
             common::CUDASubprogramAttrs::Grid_Global))
      return;
    for (const semantics::Symbol *dummy : details->dummyArgs())
      if (!dummy) {
        messages.Say(kernel.name(),
                     "Kernel '%s' may not have an alternate return: a launch "
                     "does not wait for its threads; return a status in an "
                     "argument in device memory"_err_en_US,
                     kernel.name());
        return;
      }
  }

  semantics::SemanticsContext &semantics;
  parser::Messages &messages;
  /// Whether memory without an attribute may be managed memory.
  bool hostIsReached;
  const cufort::ManagedByType managedByType;
};

} // namespace

void cufort::checkDeviceData(const parser::Program &program,
                             semantics::SemanticsContext &semantics,
                             parser::Messages &messages) {
  Check check(program, semantics, messages);
  check.checkDeclarations(semantics.globalScope());
  cufort::walk(program, check);
}
