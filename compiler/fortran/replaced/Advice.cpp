//===- Advice.cpp - what to do about Flang's diagnostics ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/MpiModules.h"
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
  llvm::StringRef middle = ""; ///< anywhere between
};

/// What Flang gives as the reason of a message that says nothing of devices.
struct ReasonAdvice {
  llvm::StringRef end;
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
     "subroutine that attribute and use the module that has it, or leave the "
     "chevrons out"_because_en_US},
    {"No explicit type declared for 'cuda", "'",
     "the names of the CUDA runtime are in the module cudafor: add 'use cudafor'; if it is there already, the module does not have this name"_because_en_US},
    {"Derived type '", "' not found",
     "CUDA's types are in a module: add 'use cudafor'"_because_en_US, "dim3"},
    {"Derived type 'c", "' not found",
     "CUDA's types are in a module: add 'use cudafor'"_because_en_US, "_dev"},
    {"Derived type 'cuda", "' not found",
     "CUDA's types are in a module: add 'use cudafor'"_because_en_US},
    {"Kernel launch grid parameter must be either integer or TYPE(dim3)", "",
     "the launch configuration is <<<grid, block [, bytes [, stream]]>>>; "
     "grid and block count blocks and threads as integers or dim3(x, y, z)"_because_en_US},
    {"Kernel launch block parameter must be either integer or TYPE(dim3)", "",
     "the launch configuration is <<<grid, block [, bytes [, stream]]>>>; "
     "grid and block count blocks and threads as integers or dim3(x, y, z)"_because_en_US},
    {"A kernel subprogram may not be RECURSIVE, PURE, or ELEMENTAL", "",
     "kernels are called by the host only: put the recursive or elemental part into a procedure with ATTRIBUTES(DEVICE) that the kernel calls"_because_en_US},
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
     "the size of constant memory must be known when the program is built: give the object constant extents, or the attribute DEVICE"_because_en_US},
    {"Object '",
     "' with ATTRIBUTES(CONSTANT) may not be declared in a host subprogram",
     "declare it in a module; it is then known to the procedures and "
     "kernels of that module and to those that use it"_because_en_US},
    {"Object '", "' with ATTRIBUTES(CONSTANT) must have constant array bounds",
     "the size of constant memory must be known when the program is built: give the object constant extents, or the attribute DEVICE"_because_en_US},
    {"Saved object '",
     "' in host code may not have ATTRIBUTES(DEVICE) unless allocatable",
     "declare it in a module, or make it ALLOCATABLE"_because_en_US},
    {"Object '", "' with ATTRIBUTES(PINNED) should also be allocatable",
     "page-locked memory is allocated at run time: give the object the "
     "attribute ALLOCATABLE"_because_en_US},
    {"Object '", "' with ATTRIBUTES(PINNED) may not be a pointer",
     "page-locked memory is allocated at run time: give the object the "
     "attribute ALLOCATABLE"_because_en_US},
    {"Object '",
     "' with ATTRIBUTES(PINNED) may not be declared in a device subprogram",
     "page-locked memory is the host's: declare the object in a host "
     "procedure or a module"_because_en_US},
    {"Object '",
     "' with ATTRIBUTES(UNIFIED) must be declared in a host subprogram",
     "give the object the attribute MANAGED, which modules can have, "
     "too"_because_en_US},
    {"Derived type component '", ")",
     "a component is in the same memory as its object: give the object the attribute instead"_because_en_US,
     "' may not have ATTRIBUTES("},
    {"'", "' that is not available on the device",
     "device code has INTEGER and LOGICAL of 1, 2, 4 and 8 bytes, REAL of 2, 4 "
     "and 8, and COMPLEX of two REAL of 4 or 8"_because_en_US,
     "' has intrinsic type '"},
    {"Component '",
     "' with ATTRIBUTES(DEVICE) must also be allocatable or pointer",
     "a component of fixed size is in the same memory as its object: give the object the attribute DEVICE instead, or the component the attribute ALLOCATABLE"_because_en_US},
    {"Object '", ") may not be in COMMON",
     "COMMON is host memory: put the object into a module"_because_en_US},
    {"Object '", ") may not be in an equivalence group",
     "only objects in host memory can share storage: declare separate objects, or a pointer with the same memory attribute that points to the other"_because_en_US},
    {"Actual argument ", " is on the device",
     "this intrinsic procedure works on the host's memory: assign the data to "
     "a host variable first, or compute in a kernel or a kernel "
     "loop"_because_en_US},
    {"Values in array constructor must have the same declared type when no "
     "explicit type appears",
     "",
     "the first type cannot hold the values of the others: write it before the "
     "values, [real :: 1, 2.5]"_because_en_US},
    {"POINTER= argument of ASSOCIATED() must be a pointer", "",
     "for an ALLOCATABLE variable, in device memory too, write ALLOCATED(variable)"_because_en_US},
    {"Actual argument '",
     "' with CUDA data attributes should be passed via an explicit interface",
     "the dummy argument must have the same memory attribute, which only an "
     "explicit interface can say: put the procedure into a module, or "
     "write an interface block"_because_en_US},
    {"dummy argument '",
     " but its associated actual argument has no CUDA data attribute",
     "the memory attributes of both must agree: declare the actual argument "
     "with the attribute of the dummy argument"_because_en_US},
    {"dummy argument '", ")",
     "the memory attributes of the dummy and the actual argument must agree; "
     "MANAGED data fit dummy arguments with DEVICE and those without an "
     "attribute, too"_because_en_US,
     " but its associated actual argument has ATTRIBUTES("},
    {"CUDA data attributes '", "' may not both be specified",
     "an object is in one memory only: remove one of the attributes"_because_en_US},
    {"'", "')",
     "an object is in one memory only: remove one of the attributes"_because_en_US,
     "' already has another CUDA data attribute ('"},
    {"Cannot apply CUDA data attribute to use-associated '", "'",
     "give the attribute where the module declares the "
     "variable"_because_en_US},
    {"'", "' is not an object and may not have a CUDA data attribute",
     "memory attributes are for variables; procedures are GLOBAL, DEVICE or "
     "HOST"_because_en_US},
    {"Dummy argument '", "in a device subprogram",
     "dummy arguments of device code are DEVICE (without any attribute, too), "
     "SHARED, CONSTANT, MANAGED, or have the attribute VALUE"_because_en_US},
    {"ATTRIBUTES(", ") appears more than once", "name it once"_because_en_US},
    {"ATTRIBUTES(", ")",
     "a procedure is GLOBAL, DEVICE, HOST, or HOST and DEVICE; put what a "
     "kernel and other device code share into a procedure with "
     "ATTRIBUTES(DEVICE)"_because_en_US,
     ") conflicts with earlier ATTRIBUTES("},
    {"A subroutine may not have LAUNCH_BOUNDS() or CLUSTER_DIMS() unless it "
     "has ATTRIBUTES(GLOBAL) or ATTRIBUTES(GRID_GLOBAL)",
     "",
     "they limit the launches of kernels: leave them out, or make the "
     "subroutine a kernel"_because_en_US},
    {"'",
     "' should not have the SAVE attribute or initialization in a device "
     "subprogram",
     "all threads share it, and it keeps its value from launch to launch: "
     "assign the first value in a statement of its own"_because_en_US},
    {"'", "'",
     "procedures that device code calls are procedures of a "
     "module"_because_en_US,
     "' may not be an internal procedure of CUDA device subprogram '"},
    {"!$CUF KERNEL DO", "with tightly nested outer levels of counted DO loops",
     "DO(n) needs n loops, each directly inside the one before, of the form DO variable = first, last [, step]: give a smaller n, or rewrite the loops"_because_en_US},
    {"!$CUF KERNEL DO", " indices",
     "DO(n) needs a DO CONCURRENT with n indices: give a smaller n"_because_en_US},
    {"!$CUF KERNEL DO", "loop nesting depth must be positive",
     "DO(n) says how many of the following loops run in "
     "parallel"_because_en_US},
    {"!$CUF KERNEL DO REDUCE operation is not acceptable for a variable with "
     "type ",
     "",
     "+ and * are for numbers, max and min for integers and reals, iand, ior "
     "and ieor for integers, .and., .or., .eqv. and .neqv. for "
     "logicals"_because_en_US},
    {"Statement may not appear in device code", "",
     "the threads of a kernel cannot use files, PAUSE, alternate RETURN and other facilities of the host: do this before or after the launch, or return a status in an argument"_because_en_US},
    {"No intrinsic or user-defined ASSIGNMENT(=) matches operand types REAL(",
     ")",
     "a logical value is not a number: assign merge(1.0, 0.0, condition)"_because_en_US,
     " and LOGICAL("},
    {"Assignment to constant 'warpsize' is not allowed", "",
     "threadidx, blockidx, blockdim, griddim and warpsize are read-only"_because_en_US},
};

static constexpr ReasonAdvice reasons[] = {
    {"' has ATTRIBUTES(CONSTANT) and is not definable in a device subprogram",
     "device code reads constant data only: assign it in host code before the "
     "launch, or give it the attribute DEVICE"_because_en_US},
    {"' is a host variable and is not definable in a device subprogram",
     "give the variable the attribute DEVICE or MANAGED, or pass it as an "
     "argument"_because_en_US},
    {"' is a host-associated allocatable and is not definable in a device "
     "subprogram",
     "only host code can allocate the allocatable variables of modules: allocate it before the launch, or use a POINTER with ATTRIBUTES(DEVICE)"_because_en_US},
    {"' is not device or managed or shared data and is not definable in a "
     "device subprogram",
     "give the variable the attribute DEVICE or MANAGED, or pass it as an "
     "argument"_because_en_US},
};

/// Modules that other compilers bring with the CUDA libraries.
static bool isLibraryModule(llvm::StringRef name) {
  for (llvm::StringRef each :
       {"cublaslt", "cublasmp", "cufftmp", "cusolver", "cusolvermp",
        "cusolver_common", "cusolversp", "cusolverrf", "cusolvermg", "cutensor",
        "nvshmem", "nvtx_mod", "nvlamath", "nvlamath_ilp64", "cal"})
    if (name.equals_insensitive(each))
      return true;
  return false;
}

/// Modules that systems have for other compilers.
static bool isModuleOfPackage(llvm::StringRef name) {
  for (llvm::StringRef each : {"hdf5", "h5lt", "netcdf"})
    if (name.equals_insensitive(each))
      return true;
  return false;
}

namespace {
struct AbsentRoutine {
  llvm::StringLiteral lower, name, library, release, instead;
};
} // namespace
static constexpr AbsentRoutine absentRoutines[] = {
#include "absent_routines.inc"
};

std::optional<cufort::LibraryRoutine>
cufort::absentRoutine(llvm::StringRef name) {
  for (const AbsentRoutine &each : absentRoutines)
    if (each.lower.equals_insensitive(name))
      return LibraryRoutine{each.name.str(), each.library.str(),
                            each.release.str(), each.instead.str()};
  return std::nullopt;
}

std::string cufort::LibraryRoutine::message() const {
  if (release.empty())
    return "cufort does not have the routine " + name + " of " + library +
           "; docs/libraries.md lists what it has";
  return library + " lacks " + name + " since CUDA " + release + "; " +
         instead + " does its work";
}

/// The library whose routines begin as \p name does.
static llvm::StringRef libraryOf(llvm::StringRef name) {
  for (llvm::StringRef each :
       {"cublasLt", "cublasXt", "cublas", "cufft", "curand", "cusolverDn",
        "cusolverSp", "cusolverRf", "cusolverMg", "cusparse", "cutensor",
        "nccl"})
    if (name.starts_with_insensitive(each))
      return each;
  return "";
}

template <typename Text>
static void attach(parser::Message &message, const Text &advice,
                   const std::string &note) {
  for (auto old = message.attachment(); old; old = old->attachment())
    if (old->ToString() == note)
      return;
  if (auto range = message.GetProvenanceRange(
          cufort::analysedInstance()->getAllCookedSources()))
    message.Attach(*range, advice);
}
static void attach(parser::Message &message,
                   const parser::MessageFormattedText &advice) {
  attach(message, advice, advice.string());
}
/// As it stands: its % is one of Fortran's.
static void attach(parser::Message &message,
                   const parser::MessageFixedText &advice) {
  attach(message, advice, advice.text().ToString());
}

void cufort::addAdvice(parser::Message &message, const std::string &text) {
  if (!analysedInstance())
    return;
  const llvm::StringRef view(text);
  if (llvm::StringRef rest = view;
      rest.consume_front("Cannot parse module file for module '")) {
    llvm::StringRef name = rest.take_until([](char c) { return c == '\''; });
    if (isLibraryModule(name))
      attach(message,
             "this module of the CUDA libraries is not part of cufort: "
             "compile a module of that name with interfaces for what the "
             "program calls, and link the library"_because_en_US);
    else if (lacksMpiHeader(name))
      attach(
          message,
          "cufort makes MPI's modules from the header mpif.h, which is in no folder named by -I: compile with MPI's wrapper (OMPI_FC=cufort mpifort, MPICH_FC=cufort mpifort)"_because_en_US);
    else if (isModuleOfPackage(name) || isForeignModule(name))
      attach(
          message,
          "the modules in packages are in gfortran's format, which no other compiler reads: compile the module's source with cufort, or call the library's C functions through interfaces with BIND(C)"_because_en_US);
    return;
  }
  if (llvm::StringRef name = view;
      (name.consume_front("No explicit type declared for '") ||
       (name.consume_front("'") && name.contains("' not found in module '")))) {
    name = name.take_until([](char c) { return c == '\''; });
    if (const auto routine = absentRoutine(name)) {
      attach(message, parser::MessageFormattedText("%s"_because_en_US,
                                                   routine->message()));
      return;
    }
    if (llvm::StringRef library = libraryOf(name); !library.empty()) {
      attach(message,
             parser::MessageFormattedText(
                 "cufort has no routine %s of %s in the modules that are "
                 "used here; docs/libraries.md lists what it has"_because_en_US,
                 name.str(), library.str()));
      return;
    }
  }
  if (view.starts_with_insensitive("No explicit type declared for 'acc_") ||
      view.ends_with("' not found in module 'openacc'")) {
    attach(
        message,
        "OpenACC directives are comments here, and the module openacc has only the routines that make sense without them: put calls of others between #ifdef _OPENACC and #endif"_because_en_US);
    return;
  }
  if (llvm::StringRef name = view;
      name.consume_front("'") &&
      name.consume_back("' may not be called in device code") &&
      isKernel(name.str())) {
    attach(message,
           "kernels are launched by host code: put what a kernel and other "
           "device code share into a procedure with "
           "ATTRIBUTES(DEVICE)"_because_en_US);
    return;
  }
  if (llvm::StringRef name = view;
      name.consume_front("'cuda") &&
      name.consume_back("' may not be called in device code")) {
    attach(message,
           "the functions of the CUDA runtime are for host code: call them "
           "before or after the launch"_because_en_US);
    return;
  }
  if (view.contains("TYPE(__builtin_dim3)") ||
      view.contains("'__builtin_dim3'")) {
    attach(message,
           "threadidx, blockidx, blockdim and griddim have the components x, y "
           "and z: threadidx%x"_because_en_US);
    return;
  }
  for (const Advice &each : table)
    if (view.starts_with(each.start) && view.ends_with(each.end) &&
        view.contains(each.middle)) {
      attach(message, each.note);
      return;
    }
  for (auto reason = message.attachment(); reason;
       reason = reason->attachment())
    for (const ReasonAdvice &each : reasons)
      if (llvm::StringRef(reason->ToString()).ends_with(each.end)) {
        attach(message, each.note);
        return;
      }
}
