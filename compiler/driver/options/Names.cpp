//===- Names.cpp - the names under which cufort is called -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/Names.h"
#include "compiler/driver/toolchain/HostToolchain.h"
#include "compiler/driver/toolchain/Toolkit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort::driver;
using llvm::StringRef;

// The release of NVIDIA's compilers whose options and macros we follow.
#define NVIDIA_MAJOR "26"
#define NVIDIA_MINOR "3"

static bool isOneOf(StringRef name, llvm::ArrayRef<StringRef> names) {
  return llvm::any_of(names, [&](StringRef each) {
    StringRef rest = name;
    return rest.consume_front(each) && (rest.empty() || rest.starts_with("-"));
  });
}

CalledAs cufort::driver::calledAs(StringRef program) {
  StringRef name = llvm::sys::path::filename(program);
  if (name == "nvcc")
    return CalledAs::Nvcc;
  return isOneOf(name, {"nvfortran", "pgfortran", "pgf90", "pgf95", "pgf77"})
             ? CalledAs::Nvfortran
             : CalledAs::Cufort;
}

/// Macros and defaults of these are Clang's, but their version is asked for.
static bool isNvc(StringRef program) {
  return isOneOf(llvm::sys::path::filename(program),
                 {"nvc", "nvc++", "pgcc", "pgc++"});
}

std::vector<std::string> cufort::driver::nvfortranMacros() {
  return {"-D__NVCOMPILER=1",
          "-D__NVCOMPILER_LLVM__=1",
          ("-D__NVCOMPILER_MAJOR__=" NVIDIA_MAJOR),
          ("-D__NVCOMPILER_MINOR__=" NVIDIA_MINOR),
          "-D__NVCOMPILER_PATCHLEVEL__=0",
          "-D__PGI=1",
          ("-D__PGIC__=" NVIDIA_MAJOR),
          ("-D__PGIC_MINOR__=" NVIDIA_MINOR),
          "-D__PGIC_PATCHLEVEL__=0",
          ("-D__PGIF90__=" NVIDIA_MAJOR),
          ("-D__PGIF90_MINOR__=" NVIDIA_MINOR),
          "-D__PGIF90_PATCHLEVEL__=0"};
}

void cufort::driver::printParts() {
  llvm::outs() << "cufort " CUFORT_VERSION "\nLLVM, Clang and Flang "
               << LLVM_VERSION_STRING << "\nTarget: " << hostTriple() << '\n';
}

void cufort::driver::printVersionAs(StringRef program) {
  llvm::raw_ostream &out = llvm::outs();
  StringRef name = llvm::sys::path::filename(program);
  const bool isFortran = calledAs(program) == CalledAs::Nvfortran;
  if (isFortran || isNvc(program)) {
    // Meson and configure scripts look for the second line's words, for C and
    // C++ Meson for Clang's name; makefiles and Spack take the only number with
    // a point for the version.
    out << '\n'
        << name << " " NVIDIA_MAJOR "." NVIDIA_MINOR
        << "-0 64-bit target on x86-64 Linux\ncufort, with the options of the "
           "NVIDIA Compilers and Tools\nThis is "
        << (isFortran ? "" : "Clang, ")
        << "not NVIDIA's compiler: cufort --version says more\n";
    return;
  }
  if (calledAs(program) == CalledAs::Nvcc) {
    // Meson takes what follows the last V for the version.
    out << "cufort " CUFORT_VERSION " (LLVM and Clang " LLVM_VERSION_STRING
           "), with the options of\n";
    printToolkitVersion(/*isNvcc=*/true);
    return;
  }
  // "flang version" is what Meson and scripts look for, "Cuda compiler driver"
  // what CMake does.
  out << "cufort " CUFORT_VERSION "\nflang version " LLVM_VERSION_STRING
         " (LLVM, Clang and Flang " LLVM_VERSION_STRING ")\nTarget: "
      << hostTriple()
      // Libtool looks for the Group's name in the first five lines of -V: how
      // to make position-independent code and how to speak to the linker.
      << "\nOptions as of Flang, and of the Portland Group's and NVIDIA's "
         "Fortran compilers\n";
  printToolkitVersion(/*isNvcc=*/false);
}
