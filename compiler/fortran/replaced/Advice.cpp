//===- Advice.cpp - what to do about Flang's diagnostics ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/replaced/Replaced.h"
#include "flang/Frontend/CompilerInstance.h"
#include "flang/Parser/message.h"
#include "llvm/ADT/StringRef.h"

using namespace Fortran;
using namespace Fortran::parser::literals;

namespace {

/// A message by the text around the names in it, and its note.
struct Advice {
  llvm::StringRef start, end;
  parser::MessageFixedText note;
};

} // namespace

static constexpr Advice table[] = {
    {"'", "' may not be called in device code",
     "device code calls procedures with ATTRIBUTES(DEVICE) or "
     "ATTRIBUTES(HOST,DEVICE) only: give the procedure one of these"_because_en_US},
    {"dummy argument '",
     "' has ATTRIBUTES(DEVICE) but its associated actual argument has no "
     "CUDA data attribute",
     "the procedure expects data in device memory: give the actual "
     "argument the attribute DEVICE or MANAGED, or, if the dummy argument "
     "is a scalar, give that the attribute VALUE"_because_en_US},
    {"dummy argument '",
     "' has no CUDA data attribute but its associated actual argument has "
     "ATTRIBUTES(DEVICE)",
     "host procedures reach host memory only: assign the device data to a "
     "host variable and pass that, or give the dummy argument the "
     "attribute DEVICE"_because_en_US},
    {"dummy argument '",
     "' has no CUDA data attribute but its associated actual argument has "
     "ATTRIBUTES(CONSTANT)",
     "host procedures reach host memory only: assign the constant data to "
     "a host variable and pass that"_because_en_US},
    {"'",
     "' is a kernel subroutine and must be called with kernel launch "
     "parameters in chevrons",
     "a call of a kernel gives its launch configuration: call "
     "name<<<grid, block>>>(arguments)"_because_en_US},
    {"Kernel launch parameters in chevrons may not be used unless calling "
     "a kernel subroutine",
     "",
     "only subroutines with ATTRIBUTES(GLOBAL) are launched: give the "
     "subroutine that attribute, or leave the chevrons out"_because_en_US},
    {"Kernel launch grid parameter must be either integer or TYPE(dim3)", "",
     "the launch configuration is <<<grid, block [, bytes [, stream]]>>>; "
     "grid and block count blocks and threads as integers or dim3(x, y, z)"_because_en_US},
    {"Kernel launch block parameter must be either integer or TYPE(dim3)", "",
     "the launch configuration is <<<grid, block [, bytes [, stream]]>>>; "
     "grid and block count blocks and threads as integers or dim3(x, y, z)"_because_en_US},
    {"More than one reference to a CUDA object", "",
     "an expression of the host may name one device object, which is "
     "copied before: assign the others to host variables first, or "
     "compute it in a kernel or a kernel loop"_because_en_US},
    {"Unsupported CUDA data transfer", "",
     "an assignment copies between host and device as a whole: compute "
     "what is on the device in a kernel or a kernel loop, or copy the "
     "operands to host variables first"_because_en_US},
    {"device data not allowed in I/O statements", "",
     "assign it to a host variable and read or write that"_because_en_US},
    {"A kernel subprogram may not be RECURSIVE, PURE, or ELEMENTAL", "",
     "a kernel is an entry from the host: put what recurs or is elemental "
     "into a procedure with ATTRIBUTES(DEVICE) that the kernel calls"_because_en_US},
    {"A device subprogram may not be an internal subprogram", "",
     "make it a procedure of a module"_because_en_US},
    {"A function may not have ATTRIBUTES(GLOBAL) or "
     "ATTRIBUTES(GRID_GLOBAL)",
     "",
     "kernels are subroutines: return the result in an argument in device "
     "memory"_because_en_US},
    {"Device code may not contain an ENTRY statement", "",
     "write a procedure for each entry"_because_en_US},
    {"Object '",
     "' with ATTRIBUTES(SHARED) must be declared in a device subprogram",
     "shared memory belongs to a thread block: declare the object in the "
     "kernel or in a procedure with ATTRIBUTES(DEVICE)"_because_en_US},
    {"Object '",
     "' with ATTRIBUTES(SHARED) may not be allocatable, pointer, or target",
     "a shared array has constant extents, or the last one is * and takes "
     "the bytes that the launch gives"_because_en_US},
    {"Object '",
     "' with ATTRIBUTES(CONSTANT) may not be allocatable, pointer, or "
     "target",
     "constant memory is laid out when the program is built: give the "
     "object constant extents, or the attribute DEVICE"_because_en_US},
    {"Object '",
     "' with ATTRIBUTES(CONSTANT) may not be declared in a host subprogram",
     "declare it in a module; it is then known to the procedures and "
     "kernels of that module and to those that use it"_because_en_US},
    {"Object '", "' with ATTRIBUTES(CONSTANT) must have constant array bounds",
     "constant memory is laid out when the program is built: give the "
     "object constant extents, or the attribute DEVICE"_because_en_US},
    {"Saved object '",
     "' in host code may not have ATTRIBUTES(DEVICE) unless allocatable",
     "declare it in a module, or make it ALLOCATABLE"_because_en_US},
    {"Object '", "' with ATTRIBUTES(PINNED) must also be allocatable",
     "page-locked memory is allocated at run time: give the object the "
     "attribute ALLOCATABLE"_because_en_US},
    {"Component '",
     "' with ATTRIBUTES(DEVICE) must also be allocatable or pointer",
     "a component of fixed size lies where its object lies: give the "
     "object the attribute DEVICE instead, or the component the attribute "
     "ALLOCATABLE"_because_en_US},
    {"Object '", "' with ATTRIBUTES(DEVICE) may not be in COMMON",
     "put it into a module"_because_en_US},
    {"Object '", "' with ATTRIBUTES(CONSTANT) may not be in COMMON",
     "put it into a module"_because_en_US},
    {"Assignment to constant 'warpsize' is not allowed", "",
     "threadidx, blockidx, blockdim, griddim and warpsize are read-only"_because_en_US},
};

void cufort::addAdvice(parser::Message &message, const std::string &text) {
  if (!analysedInstance())
    return;
  for (const Advice &each : table) {
    const llvm::StringRef view(text);
    if (!view.starts_with(each.start) || !view.ends_with(each.end))
      continue;
    const std::string note = each.note.text().ToString();
    for (auto old = message.attachment(); old; old = old->attachment())
      if (old->ToString() == note)
        return;
    if (auto range = message.GetProvenanceRange(
            analysedInstance()->getAllCookedSources()))
      message.Attach(*range, each.note);
    return;
  }
}
