//===- HostObjects.h - the objects that the host's linker takes -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_HOSTOBJECTS_H
#define CUFORT_COMPILER_LINK_HOSTOBJECTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace cufort {

/// An object file of the link, or a member of an archive.
struct HostObject {
  std::string path; ///< of the object or the archive
  std::string name; ///< for messages: "a.o", "libx.a(b.o)"
  std::unique_ptr<llvm::object::ObjectFile> object;
  bool hasDeviceCode = false;
};

/// The inputs of one host link, sorted as its linker sorts them.
class HostObjects {
public:
  /// Reads the objects and archives that \p linkerArguments (the arguments of
  /// ld, lld, gold or mold) name, looking for -l as the linker does. Shared
  /// libraries bring no device code: they have images of their own. Files that
  /// are missing or broken are the host linker's to complain of, unless they
  /// hold device code.
  static HostObjects read(llvm::ArrayRef<std::string> linkerArguments);

  /// Objects given as such and members of archives that the host's linker
  /// takes, in its order.
  const std::vector<HostObject> &taken() const { return takenObjects; }

  /// Members that the host's linker leaves out but that hold device code.
  std::vector<HostObject> &left() { return leftObjects; }

private:
  friend class HostObjectsReader;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::vector<std::unique_ptr<llvm::object::Archive>> archives;
  std::vector<HostObject> takenObjects, leftObjects;
};

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_HOSTOBJECTS_H
