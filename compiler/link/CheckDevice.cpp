//===- CheckDevice.cpp - what the engines could not compile ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/CheckDevice.h"
#include "compiler/common/SourceLocation.h"
#include "compiler/common/SymbolName.h"
#include "compiler/link/KernelLayout.h"
#include "image/Check.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cufort;

/// Functions that both engines bring with them.
static bool isProvided(const Function &function) {
  StringRef name = function.getName();
  return function.isIntrinsic() || name.starts_with("__nv_") ||
         name.starts_with(image::CheckPrefix) || name == "__nvvm_reflect" ||
         name == "vprintf" || name == "malloc" || name == "free" ||
         name == "__assertfail" || name == "cudaGraphSetConditional";
}

/// Calls of procedures that set the rounding mode, or ask for exceptions.
static bool isOfEnvironment(const Function &function) {
  return function.getIntrinsicID() == Intrinsic::set_rounding ||
         is_contained({"fetestexcept", "feclearexcept", "feraiseexcept"},
                      function.getName());
}

/// The Fortran construct behind a function of Flang's host runtime, or "".
static StringRef constructOf(StringRef function) {
  if (!function.consume_front("_FortranA"))
    return "";
  if (function.starts_with("io"))
    return "input and output";
  if (function.starts_with("Allocatable") || function.starts_with("Pointer"))
    return "allocation of arrays";
  if (function.starts_with("Random"))
    return "random_number";
  if (function.starts_with("Destroy") || function.starts_with("Initialize") ||
      function.starts_with("Finalize"))
    return "default values or release of an object that is polymorphic, or "
           "whose "
           "type has FINAL procedures or polymorphic components";
  if (function.starts_with("Reduce") || function.starts_with("CppReduce"))
    return "REDUCE of characters, or of complex numbers by a function with "
           "VALUE arguments";
  if (function.starts_with("Stop") || function.starts_with("ErrorStop") ||
      function.starts_with("ProgramEnd"))
    return "stop";
  if (function.starts_with("Character"))
    return "operations on character strings";
  return "a procedure of Fortran's host library";
}

namespace {
class Checker {
  DenseSet<const Function *> visited;
  /// The procedures from the kernel down to the one being looked at.
  std::vector<const Function *> path;

  std::string route() const {
    std::string text =
        "device code of '" + userName(path.front()->getName()) + "'";
    for (const Function *function : ArrayRef(path).drop_front())
      text += " (through '" + userName(function->getName()) + "')";
    return text;
  }

  Error checkCall(const Function &callee, const Instruction &call) {
    if (isOfEnvironment(callee))
      return createStringError(
          locationOf(call) + route() +
          " sets the rounding mode or handles exceptions, which devices do not "
          "have: they round to nearest, or as ROUND= of IEEE_RINT and IEEE_INT "
          "and functions such as __dadd_ru say");
    if (isProvided(callee))
      return Error::success();
    if (callee.isDeclaration()) {
      StringRef construct = constructOf(callee.getName());
      return createStringError(
          locationOf(call) + route() + " calls '" + userName(callee.getName()) +
          "', which has no device version" +
          (construct.empty() ? "" : " (" + construct + ")"));
    }
    return visit(callee);
  }

public:
  Error visit(const Function &function) {
    if (!visited.insert(&function).second)
      return Error::success();
    path.push_back(&function);
    for (const Instruction &instruction : instructions(function)) {
      // A reference that is no call, too: both are needed at run time.
      for (const Value *operand : instruction.operand_values()) {
        const Value *object = getUnderlyingObject(operand);
        if (const auto *callee = dyn_cast<Function>(object)) {
          if (Error failure = checkCall(*callee, instruction))
            return failure;
        } else if (const auto *variable = dyn_cast<GlobalVariable>(object)) {
          if (Error failure = checkVariable(*variable, instruction))
            return failure;
        }
      }
    }
    path.pop_back();
    return Error::success();
  }

private:
  Error checkVariable(const GlobalVariable &variable,
                      const Instruction &instruction) {
    constexpr unsigned Shared = 3;
    if (!variable.isDeclaration() || variable.getAddressSpace() == Shared)
      return Error::success();
    return createStringError(locationOf(instruction) + route() + " uses '" +
                             userName(variable.getName()) +
                             "', which no file of the program defines as a "
                             "device variable");
  }
};
} // namespace

/// PTX knows letters, digits, '_' and '$' in names.
static Error checkName(const GlobalValue &value) {
  for (char c : value.getName())
    if (!isAlnum(c) && c != '_' && c != '$')
      return createStringError("'" + value.getName() +
                               "': the name of a kernel or device variable "
                               "can have letters, digits, '_' and '$' only");
  return Error::success();
}

/// What every device has for a block, as variables of fixed size.
static Error checkShared(const Function &kernel) {
  // More is there for dynamic shared memory only.
  constexpr uint32_t Limit = 48 * 1024;
  const uint32_t bytes = layoutOf(kernel).staticSharedBytes;
  if (bytes <= Limit)
    return Error::success();
  return createStringError(
      locationOf(kernel) + "kernel '" + userName(kernel.getName()) + "' has " +
      Twine(bytes) +
      " bytes of shared memory in variables of fixed size, and at most " +
      Twine(Limit) +
      " (48 KB) are possible; arrays of assumed size (in C "
      "extern), whose size the launch gives, may be larger");
}

/// What a launch carries.
static Error checkParameters(const Function &kernel) {
  constexpr uint32_t Limit = MostParameterBytes;
  const uint32_t bytes = layoutOf(kernel).parameterBytes;
  if (bytes <= Limit)
    return Error::success();
  return createStringError(locationOf(kernel) + "the arguments of kernel '" +
                           userName(kernel.getName()) + "' have " +
                           Twine(bytes) + " bytes together, and at most " +
                           Twine(Limit) +
                           " are possible; pass what is large as a "
                           "device variable, not by value");
}

/// What every device has for the program.
static Error checkConstants(const Module &device) {
  constexpr unsigned Constant = 4;
  // The size of the constant space, in the PTX manual.
  constexpr uint64_t Limit = 64 * 1024;
  uint64_t bytes = 0, most = 0;
  StringRef largest;
  for (const GlobalVariable &variable : device.globals()) {
    if (variable.getAddressSpace() != Constant || variable.isDeclaration())
      continue;
    const uint64_t size =
        device.getDataLayout().getTypeAllocSize(variable.getValueType());
    bytes += size;
    if (size > most)
      most = size, largest = variable.getName();
  }
  if (bytes <= Limit)
    return Error::success();
  return createStringError(
      "the constant variables of the program have " + Twine(bytes) +
      " bytes together, " + Twine(most) + " of them in '" + userName(largest) +
      "', and at most " + Twine(Limit) +
      " (64 KB) are possible; give what is large the attribute DEVICE");
}

Error cufort::checkDevice(const Module &device) {
  if (Error failure = checkConstants(device))
    return failure;
  Checker checker;
  for (const Function &function : device) {
    if (function.isDeclaration() ||
        function.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    if (Error failure = checkName(function))
      return failure;
    if (Error failure = checker.visit(function))
      return failure;
    if (Error failure = checkShared(function))
      return failure;
    if (Error failure = checkParameters(function))
      return failure;
  }
  for (const GlobalVariable &variable : device.globals())
    if (!variable.isDeclaration() && !variable.hasLocalLinkage())
      if (Error failure = checkName(variable))
        return failure;
  return Error::success();
}
