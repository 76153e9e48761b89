//===- Wording.cpp - Flang's messages in the words of CUDA Fortran --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a note (Advice.cpp) is not enough, because Flang's message itself says
// something else than what is wrong, another message takes its place.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Frontend/CompilerInstance.h"
#include "flang/Parser/message.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace Fortran::parser::literals;
using Fortran::parser::Message;

/// Where \p message stands, for another one in its place.
static std::optional<Fortran::parser::ProvenanceRange>
placeOf(const Message &message) {
  Fortran::frontend::CompilerInstance *instance = cufort::analysedInstance();
  return instance ? message.GetProvenanceRange(instance->getAllCookedSources())
                  : std::nullopt;
}

/// What other compilers accept is accepted where there is CUDA.
static bool hasCuda() {
  Fortran::frontend::CompilerInstance *instance = cufort::analysedInstance();
  return instance &&
         instance->getSemanticsContext().languageFeatures().IsEnabled(
             Fortran::common::LanguageFeature::CUDA);
}

static bool isPredefinedVariable(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"threadidx", "blockidx", "blockdim", "griddim", "warpsize"}, true)
      .Default(false);
}

/// threadidx and its kin are variables of device code alone, and so are its
/// procedures: in host code Flang takes them for undeclared names.
static void explainDeviceName(Message &message, llvm::StringRef name) {
  if (!(name.consume_front("No explicit type declared for '") &&
        name.consume_back("'")) &&
      !(name.consume_front("'") &&
        name.consume_back("' is not an object of derived type; it is "
                          "implicitly typed")))
    return;
  const bool variable = isPredefinedVariable(name);
  if (!variable && !name.starts_with("atomic") && !name.starts_with("__shfl"))
    return;
  auto place = placeOf(message);
  if (!place)
    return;
  if (variable)
    message = Message{
        *place,
        "'%s' is available in device code only; the host knows the launch configuration from its own variables"_err_en_US,
        name.str()};
  else
    message = Message{
        *place,
        "'%s' is a function of device code; kernel loops in host code see it with 'use cudadevice'"_err_en_US,
        name.str()};
}

/// A kernel loop is code of the device within code of the host.
static void explainInKernelLoop(Message &message, llvm::StringRef text) {
  auto place = placeOf(message);
  if (!place)
    return;
  const char *source =
      cufort::analysedInstance()->getAllCookedSources().allSources().GetSource(
          *place);
  if (text == "Statement may not appear in device code" && source &&
      llvm::StringRef(source, place->size()).starts_with_insensitive("!$cuf"))
    message = Message{
        *place,
        "a kernel loop cannot contain another: remove this directive; the inner loop then runs in each iteration of the outer one, or in parallel as well if the outer directive counts it, DO(2)"_err_en_US};
  if (llvm::StringRef name = text;
      name.consume_front("'") &&
      name.consume_back("' may not be called in device code") &&
      llvm::StringSwitch<bool>(name)
          .Cases({"syncthreads", "syncwarp", "threadfence", "threadfence_block",
                  "threadfence_system"},
                 true)
          .Default(false))
    message =
        cufort::isInDeviceCode(message)
            ? Message{*place,
                      "'%s' is not known in the body of a separate module procedure: add 'use cudadevice' where it, its submodule or its module begins"_err_en_US,
                      name.str()}
            : Message{
                  *place,
                  "'%s' may not be called in a kernel loop, whose iterations do not know which block they run in: write a kernel, ATTRIBUTES(GLOBAL)"_err_en_US,
                  name.str()};
}

/// What is no constant here may be one of the module's.
static void explainStreamKind(Message &message, llvm::StringRef text) {
  auto place = placeOf(message);
  if (text != "Must be a constant value" || !place || !hasCuda())
    return;
  const char *source =
      cufort::analysedInstance()->getAllCookedSources().allSources().GetSource(
          *place);
  if (source && llvm::StringRef(source, place->size())
                    .equals_insensitive("cuda_stream_kind"))
    message = Message{
        *place,
        "'cuda_stream_kind' is a constant of the module cudafor: add 'use cudafor'"_err_en_US};
}

/// For Flang they are variables of a module of the host.
static void explainReadOnly(Message &message, llvm::StringRef text) {
  if (!text.ends_with(" is not definable"))
    return;
  for (auto each = message.attachment(); each; each = each->attachment()) {
    const std::string reason = each->ToString();
    llvm::StringRef name(reason);
    name.consume_front("because: ");
    if (!name.consume_front("'") ||
        !name.consume_back("' is a host variable and is not definable in a "
                           "device subprogram") ||
        !isPredefinedVariable(name))
      continue;
    if (auto place = placeOf(message))
      message = Message{
          *place,
          "'%s' cannot be changed: threadidx, blockidx, blockdim, griddim and warpsize are read-only"_err_en_US,
          name.str()};
    return;
  }
}

/// The module's procedures have names of Flang's own by then.
static void explainExceptions(Message &message, llvm::StringRef text) {
  llvm::StringRef name = text;
  const bool specific = name.consume_front("'ieee_exceptions$") &&
                        name.consume_back("' may not be called in device code");
  const bool generic =
      !specific &&
      name.consume_front("No specific subroutine of generic 'ieee_") &&
      llvm::StringSwitch<bool>(name.split('\'').first)
          .Cases({"get_flag", "set_flag", "get_halting_mode",
                  "set_halting_mode", "get_status", "set_status"},
                 true)
          .Default(false) &&
      cufort::isInDeviceCode(message);
  if (!specific && !generic)
    return;
  if (auto place = placeOf(message))
    message = Message{
        *place,
        "floating-point exceptions cannot be handled in device code, where none are recorded: look at the numbers themselves (IEEE_IS_NAN, IEEE_IS_FINITE)"_err_en_US};
}

/// As with the exceptions.
static void explainRounding(Message &message, llvm::StringRef text) {
  if (text != "No specific subroutine of generic 'ieee_get_rounding_mode' "
              "matches the actual arguments" &&
      text != "No specific subroutine of generic 'ieee_set_rounding_mode' "
              "matches the actual arguments")
    return;
  auto place = placeOf(message);
  if (place && cufort::isInDeviceCode(message))
    message = Message{
        *place,
        "device code has no rounding mode, which is always to nearest: ROUND= of IEEE_RINT and IEEE_INT and functions such as __dadd_ru round otherwise"_err_en_US};
}

/// Flang lists every form of a generic function, which are fifteen where there
/// is one for each type, with all that is wrong with each.
static void explainRuntime(Message &message, llvm::StringRef name) {
  if (!name.consume_front("No specific function of generic '") ||
      !name.consume_back("' matches the actual arguments") ||
      !name.starts_with("cuda"))
    return;
  auto place = placeOf(message);
  if (!place)
    return;
  if (cufort::isInDeviceCode(message))
    message = Message{
        *place,
        "'%s' may not be called in device code: the functions of the CUDA runtime are for host code, before or after the launch"_err_en_US,
        name.str()};
  else if (name.starts_with("cudamalloc"))
    message = Message{
        *place,
        "'%s' takes an ALLOCATABLE array in the memory that it allocates (DEVICE, MANAGED or PINNED; the sizes are elements), or a TYPE(C_DEVPTR), TYPE(C_PTR) or TYPE(cudaPitchedPtr) where it has such a form (bytes); see its forms in the module cudafor"_err_en_US,
        name.str()};
  else if (name.starts_with("cudafree"))
    message = Message{
        *place,
        "'%s' takes memory that the runtime has allocated: an ALLOCATABLE array with the attribute DEVICE, MANAGED or PINNED, or a TYPE(C_DEVPTR) or TYPE(C_PTR); see its forms in the module cudafor"_err_en_US,
        name.str()};
}

/// Other compilers take an element of any array for the first of those that
/// follow it; which they do where the array has no gaps.
static void acceptElement(Message &message, llvm::StringRef name) {
  if (!message.IsFatal() || !name.consume_front("Element of "))
    return;
  const bool ofPointer = name.consume_front("pointer ");
  if ((!ofPointer && !name.consume_front("assumed-shape ")) ||
      !name.consume_front(
          "array may not be associated with a dummy argument '") ||
      !name.consume_back("' array"))
    return;
  name.consume_back("=");
  if (auto place = placeOf(message))
    message = Message{
        *place,
        "an element of %s array is passed for the array '%s': this is right only if the elements after it are contiguous"_warn_en_US,
        ofPointer ? "a pointer" : "an assumed-shape", name.str()};
}

/// ImpliedTargets makes it one.
static void acceptAddress(Message &message, llvm::StringRef text) {
  if (!message.IsFatal() ||
      text != "C_LOC() argument must be a data pointer or target")
    return;
  if (auto place = placeOf(message))
    message = Message{
        *place,
        "C_LOC() of a variable without the TARGET attribute; it is treated as a target"_warn_en_US};
}

std::string cufort::launchedAt(const Fortran::parser::ProvenanceRange &place) {
  const char *source =
      cufort::analysedInstance()->getAllCookedSources().allSources().GetSource(
          place);
  llvm::StringRef call(source ? source : "", source ? place.size() : 0);
  if (!call.consume_front_insensitive("call") || !call.contains("<<<"))
    return {};
  return call.ltrim()
      .take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
      .lower();
}

/// The external procedure \p name, if it is known by its name alone.
static Fortran::semantics::Symbol *externalNamed(const std::string &name) {
  auto &global =
      cufort::analysedInstance()->getSemanticsContext().globalScope();
  auto found = global.find(Fortran::parser::CharBlock(name));
  return found == global.end() ? nullptr : &*found->second;
}

/// Kernels of other languages whose interfaces do not say that they are some.
static bool acceptInterface(Message &message, const std::string &name) {
  const auto *known = cufort::symbolAt(message, name);
  auto *symbol =
      known ? const_cast<Fortran::semantics::Symbol *>(&known->GetUltimate())
            : nullptr;
  auto *interface =
      symbol ? symbol->detailsIf<Fortran::semantics::SubprogramDetails>()
             : nullptr;
  if (!interface || !interface->isInterface() || interface->isFunction() ||
      interface->cudaSubprogramAttrs() || !symbol->GetBindName())
    return false;
  interface->set_cudaSubprogramAttrs(
      Fortran::common::CUDASubprogramAttrs::Global);
  message = Message{
      *placeOf(message),
      "'%s' is launched as a kernel, but its interface does not say that it is one: write ATTRIBUTES(GLOBAL) SUBROUTINE there"_warn_en_US,
      name};
  return true;
}

/// Other compilers take what is launched for a kernel. Of those in the same
/// file Flang knows the arguments, others get addresses (CheckDeviceData).
static void acceptKernel(Message &message, llvm::StringRef text) {
  const bool fits = text != "If the procedure's interface were explicit, this "
                            "reference would be in error";
  const bool known = text.starts_with("References to the procedure '") &&
                     text.ends_with("' require an explicit interface");
  if (fits && !known &&
      text != "Kernel launch parameters in chevrons may not be used unless "
              "calling a kernel subroutine")
    return;
  auto place = placeOf(message);
  const std::string name =
      place && hasCuda() ? cufort::launchedAt(*place) : std::string();
  if (name.empty())
    return;
  if (fits && !known && message.IsFatal() && acceptInterface(message, name))
    return;
  // StandardForms takes it from there.
  if (fits && !known && message.IsFatal() &&
      cufort::moduleOfKernel(message, name).module)
    return;
  Fortran::semantics::Symbol *symbol = externalNamed(name);
  if (!symbol)
    return;
  if (!fits) {
    message.set_severity(Fortran::parser::Severity::Error);
  } else if (known && message.IsFatal() && cufort::isKernel(name)) {
    message = Message{
        *place,
        "kernel '%s' has no explicit interface here; the kernel of that name in this file is launched: put it into a module"_warn_en_US,
        name};
  } else if (auto *external =
                 symbol->detailsIf<Fortran::semantics::ProcEntityDetails>();
             external && !external->procInterface() && message.IsFatal()) {
    external->set_isCUDAKernel();
    message = Message{
        *place,
        "'%s' has no explicit interface here; it is assumed to be a kernel that takes device data by address and host scalars by value: put it into a module, or write an interface block"_warn_en_US,
        name};
  }
}

/// Other compilers copy the elements that both sides have, and so does the
/// runtime.
static void acceptShapes(Message &message, llvm::StringRef text) {
  auto place = placeOf(message);
  if (place && message.IsFatal() && hasCuda() &&
      text.starts_with("Dimension ") &&
      text.contains(" of left-hand side has extent ") &&
      cufort::isTransfer(message))
    message = Message{
        *place,
        "the two sides of this transfer have different shapes; only as many elements are copied as the smaller side has: %s"_warn_en_US,
        text.str()};
}

void cufort::reword(Message &message) {
  const std::string text = message.ToString();
  explainDeviceName(message, text);
  explainInKernelLoop(message, text);
  explainStreamKind(message, text);
  explainReadOnly(message, text);
  explainExceptions(message, text);
  explainRounding(message, text);
  explainRuntime(message, text);
  acceptElement(message, text);
  acceptAddress(message, text);
  acceptKernel(message, text);
  acceptShapes(message, text);
}
