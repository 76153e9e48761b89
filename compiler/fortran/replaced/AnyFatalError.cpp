//===- AnyFatalError.cpp - diagnostics that do not apply here -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces Fortran::parser::Messages::AnyFatalError, which every step of the
// analysis asks whether to go on. Messages about what Flang cannot do but
// cufort can are taken out of the list here, before they count; some get words
// that name the rule.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Parser/message.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace Fortran::parser::literals;

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
    // Descriptors of device data have strides, which kernels follow.
    {"actual argument associated with assumed shape/rank device dummy argument",
     " known to be discontiguous on its first dimension"},
    {"actual argument associated with assumed shape/rank device dummy argument",
     " known to be contiguous on its first dimension"},
    // CheckTransfers says the same, of data that is not managed, and of what is
    // no allocatable in device memory.
    {"More than one reference to a CUDA object", "ment"},
    {"Unsupported CUDA data transfer", ""},
    {"Actual argument associated with POINTER dummy argument 'fptr=' must also "
     "be POINTER",
     ""},
// These ask for properties of the type or the descriptor.
#define INTRINSIC(name)                                                        \
  {"Actual argument ",                                                         \
   " associated with host intrinsic " name " is on the device"},
    INTRINSIC("rank") INTRINSIC("is_contiguous") INTRINSIC("storage_size")
        INTRINSIC("bit_size") INTRINSIC("digits") INTRINSIC("epsilon")
            INTRINSIC("huge") INTRINSIC("maxexponent") INTRINSIC("minexponent")
                INTRINSIC("precision") INTRINSIC("radix") INTRINSIC("range")
                    INTRINSIC("tiny") INTRINSIC("len")
#undef INTRINSIC
    // compiler/lower finds host data in device code, and says what to do; local
    // arrays of BLOCK constructs and records of device components are none.
    {"Host array '", "' cannot be present in device context"},
    // compiler/lower copies the items of output lists before the statement.
    {"device data not allowed in I/O statements", ""},
    // AddressArguments says the same of what is no C pointer, and passes the
    // address to those.
    {"Array actual argument may not be associated with IGNORE_TKR(R) scalar "
     "dummy argument '",
     "=' with VALUE attribute"},
    // A warning; constant data may be passed to device procedures.
    {"Dummy argument '",
     "' may not have ATTRIBUTES(CONSTANT) in a device subprogram"},
    // A warning: kernels print with formats, too.
    {"I/O statement might not be supported on device", ""},
};

/// What compiler/lower computes on the device or, as all elemental functions,
/// from copies on the host.
constexpr llvm::StringRef functions[] = {
    // On the device, where it can.
    "all", "any", "count", "dot_product", "matmul", "maxloc", "maxval",
    "minloc", "minval", "product", "sum", "transpose",
    // Of arrays.
    "cshift", "eoshift", "findloc", "iall", "iany", "iparity", "norm2", "pack",
    "parity", "random_number", "reduce", "repeat", "reshape", "spread",
    "transfer", "trim", "unpack",
    // Elemental.
    "abs", "achar", "acos", "acosd", "acosh", "acospi", "adjustl", "adjustr",
    "aimag", "aint", "anint", "asin", "asind", "asinh", "asinpi", "atan",
    "atan2", "atan2d", "atan2pi", "atand", "atanh", "atanpi", "bessel_j0",
    "bessel_j1", "bessel_jn", "bessel_y0", "bessel_y1", "bessel_yn", "bge",
    "bgt", "ble", "blt", "btest", "ceiling", "char", "cmplx", "conjg", "cos",
    "cosd", "cosh", "cospi", "dble", "dfloat", "dim", "dprod", "dreal",
    "dshiftl", "dshiftr", "erf", "erfc", "erfc_scaled", "exp", "exponent",
    "float", "floor", "fraction", "gamma", "hypot", "iachar", "iand", "ibclr",
    "ibits", "ibset", "ichar", "ieor", "ifix", "index", "int", "int2", "int8",
    "ior", "ishft", "ishftc", "isnan", "leadz", "len_trim", "lge", "lgt", "lle",
    "llt", "log", "log10", "log_gamma", "logical", "maskl", "maskr", "max",
    "merge", "merge_bits", "min", "mod", "modulo", "nearest", "nint", "not",
    "out_of_range", "popcnt", "poppar", "real", "rrspacing", "scale", "scan",
    "set_exponent", "shifta", "shiftl", "shiftr", "sign", "sin", "sind", "sinh",
    "sinpi", "sngl", "spacing", "sqrt", "tan", "tand", "tanh", "tanpi",
    "trailz", "verify"};

bool isFunctionOfDeviceData(llvm::StringRef text) {
  return text.consume_front("Actual argument ") &&
         text.consume_back(" is on the device") &&
         llvm::is_contained(
             functions, text.split(" associated with host intrinsic ").second);
}

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
  if ((view.ends_with(" is not definable") ||
       view.ends_with(" may not appear in NULLIFY")) &&
      hasReason(message, pointerReason))
    return true;
  for (const Allowed &each : allowed)
    if (view.starts_with(each.start) && view.ends_with(each.end))
      return true;
  return isFunctionOfDeviceData(view) ||
         cufort::isDeviceStatement(message, text);
}

} // namespace

namespace Fortran::parser {

bool Messages::AnyFatalError(bool warningsAreErrors) const {
  cufort::inheritAttributes();
  // The list is the caller's own; only this member is const.
  auto &messages = const_cast<std::list<Message> &>(messages_);
  messages.remove_if(isAllowed);
  for (Message &message : messages) {
    cufort::reword(message);
    cufort::accept(message);
    cufort::addAdvice(message, message.ToString());
  }
  if (warningsAreErrors)
    return !messages.empty();
  for (const Message &message : messages)
    if (message.IsFatal())
      return true;
  return false;
}

} // namespace Fortran::parser
