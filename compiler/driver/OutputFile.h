//===- OutputFile.h - files that appear whole or not at all -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OUTPUTFILE_H
#define CUFORT_COMPILER_DRIVER_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cufort::driver {

/// A file that is written under a temporary name beside its final place and
/// gets its own name when it is complete. It disappears when this object does,
/// when the process is killed by a signal, and when a library calls exit(),
/// unless keep() was called.
class OutputFile {
public:
  /// \p path is the final name; "-" and devices are written to directly.
  static llvm::Expected<OutputFile> create(llvm::StringRef path);

  OutputFile(OutputFile &&other);
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  /// Where to write.
  const std::string &temporary() const { return temporaryPath; }

  /// Gives the file its name.
  llvm::Error keep();

private:
  OutputFile() = default;
  std::string finalPath, temporaryPath;
};

/// For a child process: outputs that exist now are its parent's affair.
void leaveOutputsToParent();

/// A private folder for files that lie between the phases; it goes with all
/// that is in it.
class TemporaryFolder {
public:
  static llvm::Expected<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder &&other);
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();

  const std::string &path() const { return folder; }
  /// The path of a file called \p name in this folder, removed on a signal.
  std::string file(llvm::StringRef name) const;

private:
  TemporaryFolder() = default;
  std::string folder;
};

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OUTPUTFILE_H
