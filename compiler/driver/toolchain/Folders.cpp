//===- Folders.cpp - where LLVM and our own tree are
//--------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/HostToolchain.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include <dlfcn.h>

using llvm::StringRef;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

/// A folder of LLVM's programs has the resource folder beside it.
static bool holdsLlvm(StringRef folder) {
  llvm::SmallString<256> resources(folder);
  path::append(resources, "..", "lib", "clang");
  path::append(resources, llvm::Twine(CLANG_VERSION_MAJOR));
  return fs::is_directory(resources);
}

/// The programs beside the shared library that holds Clang's driver.
static std::string programsBesideLibrary() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&clang::getClangFullVersion),
              &info) ||
      !info.dli_fname)
    return "";
  for (bool resolve : {false, true}) {
    llvm::SmallString<256> folder(info.dli_fname);
    if (resolve && fs::real_path(info.dli_fname, folder))
      continue;
    path::remove_filename(folder);
    path::append(folder, "..", "bin");
    if (holdsLlvm(folder)) {
      path::remove_dots(folder, /*remove_dot_dot=*/true);
      return folder.str().str();
    }
  }
  return "";
}

static std::string programsInPath() {
  for (const char *name : {"flang-22", "clang-22", "flang", "clang"}) {
    llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(name);
    llvm::SmallString<256> real;
    if (!program || fs::real_path(*program, real))
      continue;
    path::remove_filename(real);
    if (holdsLlvm(real))
      return real.str().str();
  }
  return "";
}

std::string cufort::driver::llvmProgramFolder() {
  static const std::string folder = [] {
    if (std::string beside = programsBesideLibrary(); !beside.empty())
      return beside;
    if (holdsLlvm(CUFORT_LLVM_PROGRAMS))
      return std::string(CUFORT_LLVM_PROGRAMS);
    return programsInPath();
  }();
  return folder;
}

std::string cufort::driver::ownFolder(StringRef name) {
  static int anchor;
  static const std::string executable = fs::getMainExecutable(nullptr, &anchor);
  llvm::SmallString<256> folder(executable);
  path::remove_filename(folder);
  if (name != "bin") {
    path::remove_filename(folder);
    path::append(folder, name);
  }
  return folder.str().str();
}

std::string cufort::driver::hostTriple() {
  return llvm::sys::getDefaultTargetTriple();
}
