//===- CheckTransfers.cpp - device data in assignments of the host --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/checks/CheckTransfers.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/TypedExpressions.h"
#include "compiler/fortran/checks/DeviceOperands.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/semantics.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <vector>

using namespace Fortran;
using namespace parser::literals;

namespace {

class Check {
public:
  Check(const semantics::SemanticsContext &semantics,
        parser::Messages &messages)
      : semantics(semantics), messages(messages) {}

  using Nodes = cufort::NodeList<
      parser::CUFKernelDoConstruct, parser::OpenACCBlockConstruct,
      parser::OpenACCCombinedConstruct, parser::OpenACCLoopConstruct,
      parser::UseStmt, parser::AssignmentStmt, parser::CallStmt>;

  // What these run on the device is no transfer.
  bool Pre(const parser::CUFKernelDoConstruct &) { return false; }
  bool Pre(const parser::OpenACCBlockConstruct &) { return false; }
  bool Pre(const parser::OpenACCCombinedConstruct &) { return false; }
  bool Pre(const parser::OpenACCLoopConstruct &) { return false; }

  void Post(const parser::UseStmt &use) {
    if (use.moduleName.ToString() == "cutensorex")
      users.insert(&semantics.FindScope(use.moduleName.source));
  }

  void Post(const parser::AssignmentStmt &statement) {
    auto source = std::get<parser::Variable>(statement.t).GetSource();
    const semantics::Scope &scope = semantics.FindScope(source);
    const evaluate::Assignment *assignment =
        semantics::GetAssignment(statement);
    if (!assignment || semantics::FindCUDADeviceContext(&scope))
      return;
    // Scalars cost one copy each, and nobody expects the device to compute.
    cufort::DeviceOperands operands(assignment->rhs);
    if (isForDevice(*assignment, operands, scope))
      return;
    if ((assignment->lhs.Rank() > 0 || !operands.arraysOnDevice().empty()) &&
        mixesMemories(*assignment))
      messages.Say(
          source,
          "the host evaluates this expression, which reads device data, but the result goes to device data: compute it on the device in a kernel or a kernel loop (!$CUF KERNEL DO), or copy the operands to host variables first"_err_en_US);
    std::vector<parser::CharBlock> names;
    for (const semantics::Symbol &array : operands.arraysOnDevice())
      names.push_back(array.name());
    if (names.size() < 2)
      return;
    std::sort(names.begin(), names.end());
    messages.Say(
        source,
        "'%s' and '%s' are both arrays in device memory, and an expression in host code may contain only one: compute it on the device in a kernel loop (!$CUF KERNEL DO), or assign all but one to host arrays first"_err_en_US,
        names[0], names[1]);
  }

  /// FPTR= of c_f_pointer may be a device allocatable (guide 4.4); Flang's
  /// analysis wants a pointer (replaced/AnyFatalError).
  void Post(const parser::CallStmt &call) {
    if (!call.typedCall)
      return;
    const auto *intrinsic = call.typedCall->proc().GetSpecificIntrinsic();
    const evaluate::ActualArguments &arguments = call.typedCall->arguments();
    if (!intrinsic ||
        intrinsic->name.find("c_f_pointer") == std::string::npos ||
        arguments.size() < 2 || !arguments[1] || !arguments[1]->UnwrapExpr())
      return;
    const semantics::Symbol *pointer =
        cufort::lastSymbol(*arguments[1]->UnwrapExpr());
    if (pointer && (semantics::IsPointer(*pointer) ||
                    (semantics::IsAllocatable(*pointer) &&
                     semantics::GetCUDADataAttr(&pointer->GetUltimate()) ==
                         common::CUDADataAttr::Device)))
      return;
    messages.Say(call.source,
                 "FPTR= of c_f_pointer must be a POINTER, or an ALLOCATABLE "
                 "with ATTRIBUTES(DEVICE)"_err_en_US);
  }

private:
  /// Whether compiler/lower computes the right side on the device: an
  /// expression of arrays there that names one of cutensorex's functions, or
  /// stands where that module is used.
  bool isForDevice(const evaluate::Assignment &assignment,
                   const cufort::DeviceOperands &operands,
                   const semantics::Scope &scope) const {
    if (assignment.lhs.Rank() == 0 || assignment.rhs.Rank() == 0 ||
        !isInDeviceMemory(assignment.lhs) || operands.readsHostArrays())
      return false;
    if (cufort::DeviceArrayFunctions()(assignment.rhs))
      return true;
    for (const semantics::Scope *each = &scope; !each->IsTopLevel();
         each = &each->parent())
      if (users.contains(each))
        return !operands.arraysOnDevice().empty();
    return false;
  }

  /// The host writes to managed data as to its own.
  static bool
  isInDeviceMemory(const evaluate::Expr<evaluate::SomeType> &variable) {
    return evaluate::HasCUDADeviceAttrs(variable) &&
           evaluate::GetNbOfCUDAManagedOrUnifiedSymbols(variable) == 0;
  }

  /// Flang's test for what it calls an unsupported transfer, also of scalars
  /// and within OpenACC constructs (replaced/AnyFatalError).
  static bool mixesMemories(const evaluate::Assignment &assignment) {
    return isInDeviceMemory(assignment.lhs) &&
           evaluate::HasCUDAImplicitTransfer(assignment.rhs);
  }

  const semantics::SemanticsContext &semantics;
  parser::Messages &messages;
  /// Of cutensorex.
  llvm::SmallPtrSet<const semantics::Scope *, 4> users;
};

} // namespace

void cufort::checkTransfers(const parser::Program &program,
                            const semantics::SemanticsContext &semantics,
                            parser::Messages &messages) {
  Check check(semantics, messages);
  cufort::walk(program, check);
}
