//===- OutputFile.cpp - files that appear whole or not at all -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/OutputFile.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>
#include <set>
#include <unistd.h>

using namespace cufort::driver;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

//===----------------------------------------------------------------------===//
// What has to go when the process ends early
//===----------------------------------------------------------------------===//

/// The folder of this run, for the signal handler: a plain array because that
/// is all a signal handler may look at.
static char folderOnSignal[4096];

/// Temporary names that exist now, for exit() called inside a library.
static std::set<std::string> &unfinished() {
  static auto *names = new std::set<std::string>;
  return *names;
}

static void removeUnfinished() {
  for (const std::string &each : unfinished())
    fs::remove(each);
  unfinished().clear();
  if (folderOnSignal[0])
    fs::remove_directories(folderOnSignal);
}

static void interrupted() {
  llvm::sys::RunInterruptHandlers(); // removes the files
  if (folderOnSignal[0])
    ::rmdir(folderOnSignal);
  ::_exit(130);
}

static void watch(const std::string &name) {
  static bool registered = false;
  if (!registered) {
    registered = true;
    std::atexit(removeUnfinished);
    llvm::sys::SetInterruptFunction(interrupted);
  }
  unfinished().insert(name);
  llvm::sys::RemoveFileOnSignal(name);
}

static void forget(const std::string &name) {
  unfinished().erase(name);
  llvm::sys::DontRemoveFileOnSignal(name);
}

void cufort::driver::leaveOutputsToParent() {
  for (const std::string &each : unfinished())
    llvm::sys::DontRemoveFileOnSignal(each);
  unfinished().clear();
  folderOnSignal[0] = 0;
}

//===----------------------------------------------------------------------===//
// Output files
//===----------------------------------------------------------------------===//

llvm::Expected<OutputFile> OutputFile::create(StringRef path) {
  OutputFile file;
  file.finalPath = path.str();
  if (path == "-") {
    file.temporaryPath = "-";
    return file;
  }
  fs::file_status status;
  if (!fs::status(path, status) &&
      status.type() != fs::file_type::regular_file) {
    if (fs::is_directory(status))
      return failure("cannot write '" + path + "': it is a folder");
    file.temporaryPath = file.finalPath;
    return file;
  }
  llvm::SmallString<256> temporary;
  // The suffix stays, because tools choose their format by it.
  llvm::SmallString<256> model(path);
  StringRef suffix = llvm::sys::path::extension(path);
  llvm::sys::path::replace_extension(model, "");
  model += "-%%%%%%%%.tmp";
  model += suffix;
  if (std::error_code code =
          fs::createUniqueFile(model, temporary, fs::all_read | fs::all_write))
    return failure("cannot write '" + path + "': " + code.message());
  file.temporaryPath = temporary.str().str();
  watch(file.temporaryPath);
  return file;
}

OutputFile::OutputFile(OutputFile &&other)
    : finalPath(std::move(other.finalPath)),
      temporaryPath(std::move(other.temporaryPath)) {
  other.finalPath.clear();
  other.temporaryPath.clear();
}

OutputFile::~OutputFile() {
  if (temporaryPath.empty() || temporaryPath == finalPath)
    return;
  fs::remove(temporaryPath);
  forget(temporaryPath);
}

llvm::Error OutputFile::keep() {
  if (temporaryPath == finalPath)
    return llvm::Error::success();
  if (std::error_code code = fs::rename(temporaryPath, finalPath))
    return failure("cannot write '" + finalPath + "': " + code.message());
  forget(temporaryPath);
  temporaryPath.clear();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The temporary folder
//===----------------------------------------------------------------------===//

llvm::Expected<TemporaryFolder> TemporaryFolder::create() {
  TemporaryFolder result;
  llvm::SmallString<256> folder;
  if (std::error_code code = fs::createUniqueDirectory("cufort", folder))
    return failure("cannot make a temporary folder: " + code.message());
  result.folder = folder.str().str();
  if (result.folder.size() < sizeof folderOnSignal)
    result.folder.copy(folderOnSignal, result.folder.size());
  return result;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other)
    : folder(std::move(other.folder)) {
  other.folder.clear();
}

TemporaryFolder::~TemporaryFolder() {
  if (folder.empty())
    return;
  for (auto name = unfinished().lower_bound(folder);
       name != unfinished().end() && StringRef(*name).starts_with(folder);) {
    llvm::sys::DontRemoveFileOnSignal(*name);
    name = unfinished().erase(name);
  }
  fs::remove_directories(folder);
  folderOnSignal[0] = 0;
}

std::string TemporaryFolder::file(StringRef name) const {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  std::string file = path.str().str();
  watch(file);
  return file;
}
