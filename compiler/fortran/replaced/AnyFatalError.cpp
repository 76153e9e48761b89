//===- AnyFatalError.cpp - diagnostics that do not apply here -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces Fortran::parser::Messages::AnyFatalError, which every step of the
// analysis asks whether to go on. Messages about what Flang cannot do but
// cufort can are taken out of the list here, before they count.
//
//===----------------------------------------------------------------------===//

#include "flang/Parser/message.h"
#include "llvm/ADT/StringRef.h"

namespace {

/// A message that does not apply, by the text around the names in it.
struct Allowed {
  llvm::StringRef start, end;
};

constexpr Allowed allowed[] = {
    // Device procedures may call themselves: compute capability 2.0 brought a
    // stack, and the CPU has one.
    {"Device subprogram '", "' cannot call itself"},
    // Only descriptors move, and those are the host's.
    {"Actual argument ",
     " associated with host intrinsic move_alloc is on the device"},
    // Pointers and scalars may be managed: the run-time library allocates them.
    {"Object '", "' with ATTRIBUTES(MANAGED) must also be allocatable, "
                 "automatic, explicit shape, or a dummy argument"},
// compiler/lower reduces and multiplies device arrays on the device.
#define INTRINSIC(name)                                                        \
  {"Actual argument ",                                                         \
   " associated with host intrinsic " name " is on the device"},
    INTRINSIC("sum") INTRINSIC("product") INTRINSIC("maxval")
        INTRINSIC("minval") INTRINSIC("maxloc") INTRINSIC("minloc")
            INTRINSIC("count") INTRINSIC("any") INTRINSIC("all")
                INTRINSIC("dot_product") INTRINSIC("matmul")
                    INTRINSIC("transpose")
#undef INTRINSIC
    // A warning: kernels print with formats, too.
    {"I/O statement might not be supported on device", ""},
};

/// Pointers of device code point to what device code reaches; that is checked
/// where they are dereferenced, as in host code.
constexpr llvm::StringRef pointerWarning[] = {
    "Pointer '", "' may not be associated in a device subprogram"};
constexpr llvm::StringRef pointerReason =
    "is a pointer and may not be associated in a device subprogram";

bool hasReason(const Fortran::parser::Message &message,
               llvm::StringRef reason) {
  for (auto each = message.attachment(); each; each = each->attachment())
    if (llvm::StringRef(each->ToString()).ends_with(reason))
      return true;
  return false;
}

bool isAllowed(const Fortran::parser::Message &message) {
  std::string text = message.ToString();
  llvm::StringRef view(text);
  if (view.starts_with(pointerWarning[0]) && view.ends_with(pointerWarning[1]))
    return true;
  if (view.ends_with(" is not definable") && hasReason(message, pointerReason))
    return true;
  // The lowering knows variables' memory, but not that of components.
  if (view.contains('%') && !view.contains("move_alloc"))
    return false;
  for (const Allowed &each : allowed)
    if (view.starts_with(each.start) && view.ends_with(each.end))
      return true;
  return false;
}

} // namespace

namespace Fortran::parser {

bool Messages::AnyFatalError(bool warningsAreErrors) const {
  // The list is the caller's own; only this member is const.
  auto &messages = const_cast<std::list<Message> &>(messages_);
  messages.remove_if(isAllowed);
  if (warningsAreErrors)
    return !messages.empty();
  for (const Message &message : messages)
    if (message.IsFatal())
      return true;
  return false;
}

} // namespace Fortran::parser
