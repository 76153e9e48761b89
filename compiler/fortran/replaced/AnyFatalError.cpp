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

bool isAllowed(const Fortran::parser::Message &message) {
  std::string text = message.ToString();
  // The lowering knows variables' memory, but not that of components.
  if (llvm::StringRef(text).contains('%'))
    return false;
  for (const Allowed &each : allowed)
    if (llvm::StringRef(text).starts_with(each.start) &&
        llvm::StringRef(text).ends_with(each.end))
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
