//===- ExecutableStack.cpp - objects with code on the stack ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/ExecutableStack.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace llvm::object;

static bool asksForIt(const Binary &file) {
  const auto *object = dyn_cast<ELFObjectFileBase>(&file);
  return object && any_of(object->sections(), [](const ELFSectionRef &section) {
           auto name = section.getName();
           if (!name) {
             consumeError(name.takeError());
             return false;
           }
           return *name == ".note.GNU-stack" &&
                  section.getFlags() & ELF::SHF_EXECINSTR;
         });
}

static bool hasSuchMember(const Archive &archive) {
  bool found = false;
  // What cannot be read is the linker's to complain about.
  Error ignored = Error::success();
  for (const Archive::Child &child : archive.children(ignored)) {
    auto member = child.getAsBinary();
    if (!member)
      consumeError(member.takeError());
    else if ((found = asksForIt(**member)))
      break;
  }
  consumeError(std::move(ignored));
  return found;
}

bool cufort::driver::needsExecutableStack(ArrayRef<std::string> inputs) {
  return any_of(inputs, [](StringRef path) {
    if (!path.ends_with(".o") && !path.ends_with(".a"))
      return false;
    auto file = createBinary(path);
    if (!file) {
      consumeError(file.takeError());
      return false;
    }
    const auto *archive = dyn_cast<Archive>(file->getBinary());
    return archive ? hasSuchMember(*archive) : asksForIt(*file->getBinary());
  });
}
