//===- HostObjects.cpp - the objects that the host's linker takes ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/HostObjects.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <deque>

using namespace llvm;
using namespace llvm::object;
using namespace cufort;

static bool holdsDeviceCode(const ObjectFile &object) {
  return any_of(object.sections(), [](const SectionRef &section) {
    return ELFSectionRef(section).getType() == ELF::SHT_LLVM_OFFLOADING;
  });
}

/// The object in \p buffer if it is an ELF object, else null.
static std::unique_ptr<ObjectFile> asObject(MemoryBufferRef buffer) {
  if (identify_magic(buffer.getBuffer()) != file_magic::elf_relocatable)
    return nullptr;
  auto object = ObjectFile::createELFObjectFile(buffer);
  if (!object) {
    consumeError(object.takeError());
    return nullptr;
  }
  return std::move(*object);
}

namespace cufort {
/// Reads a linker's command line from left to right.
class HostObjectsReader {
  HostObjects result;
  std::vector<std::string> folders;
  bool preferStatic = false, wholeArchive = false;
  std::vector<std::pair<bool, bool>> pushed;
  StringSet<> defined;
  std::deque<std::string> undefined;

  struct Member {
    HostObject object;
    bool taken = false;
  };
  std::vector<Member> members;
  /// The first archive member that defines a symbol.
  StringMap<size_t> memberOfSymbol;

  void take(HostObject object) {
    for (const SymbolRef &symbol : object.object->symbols()) {
      auto flags = symbol.getFlags();
      auto name = symbol.getName();
      if (!flags || !name) {
        consumeError(flags.takeError());
        consumeError(name.takeError());
        continue;
      }
      if (!(*flags & SymbolRef::SF_Global))
        continue;
      if (!(*flags & SymbolRef::SF_Undefined))
        defined.insert(*name);
      else if (!(*flags & SymbolRef::SF_Weak))
        undefined.push_back(name->str());
    }
    result.takenObjects.push_back(std::move(object));
  }

  void readArchive(StringRef path, MemoryBufferRef buffer) {
    auto archive = Archive::create(buffer);
    if (!archive) {
      consumeError(archive.takeError());
      return;
    }
    Error problem = Error::success();
    for (const Archive::Child &child : (*archive)->children(problem)) {
      auto contents = child.getMemoryBufferRef();
      auto name = child.getName();
      if (!contents || !name) {
        consumeError(contents.takeError());
        consumeError(name.takeError());
        continue;
      }
      HostObject object;
      object.path = path.str();
      object.name = (sys::path::filename(path) + "(" + *name + ")").str();
      object.object = asObject(*contents);
      if (!object.object)
        continue;
      object.hasDeviceCode = holdsDeviceCode(*object.object);
      if (wholeArchive) {
        take(std::move(object));
        continue;
      }
      for (const SymbolRef &symbol : object.object->symbols()) {
        auto flags = symbol.getFlags();
        auto symbolName = symbol.getName();
        if (!flags || !symbolName) {
          consumeError(flags.takeError());
          consumeError(symbolName.takeError());
          continue;
        }
        if ((*flags & SymbolRef::SF_Global) &&
            !(*flags & SymbolRef::SF_Undefined))
          memberOfSymbol.try_emplace(*symbolName, members.size());
      }
      members.push_back({std::move(object), false});
    }
    consumeError(std::move(problem));
    result.archives.push_back(std::move(*archive));
  }

  void readFile(StringRef path) {
    auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (!buffer)
      return;
    MemoryBufferRef content = (*buffer)->getMemBufferRef();
    file_magic magic = identify_magic(content.getBuffer());
    if (magic == file_magic::archive) {
      readArchive(path, content);
    } else if (std::unique_ptr<ObjectFile> object = asObject(content)) {
      bool deviceCode = holdsDeviceCode(*object);
      take({path.str(), path.str(), std::move(object), deviceCode});
    } else {
      return; // a shared library or a linker script
    }
    result.buffers.push_back(std::move(*buffer));
  }

  void readLibrary(StringRef name) {
    std::vector<std::string> candidates;
    if (name.consume_front(":"))
      candidates.push_back(name.str());
    else if (preferStatic)
      candidates.push_back(("lib" + name + ".a").str());
    else
      candidates = {("lib" + name + ".so").str(), ("lib" + name + ".a").str()};
    for (const std::string &folder : folders)
      for (const std::string &candidate : candidates) {
        SmallString<256> path(folder);
        sys::path::append(path, candidate);
        if (sys::fs::exists(path))
          return readFile(path);
      }
  }

  /// True for an option whose value is the next argument.
  static bool takesValue(StringRef option) {
    static constexpr StringRef options[] = {
        "-o",         "-m",     "-z",      "-T",          "-h",
        "-e",         "-rpath", "-soname", "-y",          "-b",
        "-A",         "-R",     "-F",      "-f",          "-G",
        "-a",         "-Map",   "-plugin", "-plugin-opt", "-dynamic-linker",
        "-rpath-link"};
    if (option.starts_with("--"))
      option = option.drop_front();
    return is_contained(options, option);
  }

public:
  HostObjects read(ArrayRef<std::string> arguments) {
    for (const std::string &argument : arguments)
      if (StringRef(argument).starts_with("-L") && argument.size() > 2)
        folders.push_back(argument.substr(2));
    for (size_t i = 0; i < arguments.size(); ++i) {
      StringRef argument = arguments[i];
      bool hasNext = i + 1 < arguments.size();
      if (!argument.starts_with("-")) {
        readFile(argument);
      } else if (argument == "-l" && hasNext) {
        readLibrary(arguments[++i]);
      } else if (argument.starts_with("-l")) {
        readLibrary(argument.drop_front(2));
      } else if (argument == "-L" && hasNext) {
        folders.push_back(arguments[++i]);
      } else if ((argument == "-u" || argument == "--undefined") && hasNext) {
        undefined.push_back(arguments[++i]);
      } else if (argument.starts_with("--undefined=")) {
        undefined.push_back(argument.split('=').second.str());
      } else if (takesValue(argument)) {
        ++i;
      } else if (argument == "-Bstatic" || argument == "-static" ||
                 argument == "-dn" || argument == "-non_shared") {
        preferStatic = true;
      } else if (argument == "-Bdynamic" || argument == "-dy" ||
                 argument == "-call_shared") {
        preferStatic = false;
      } else if (argument == "--whole-archive" ||
                 argument == "-whole-archive") {
        wholeArchive = true;
      } else if (argument == "--no-whole-archive" ||
                 argument == "-no-whole-archive") {
        wholeArchive = false;
      } else if (argument == "--push-state") {
        pushed.emplace_back(preferStatic, wholeArchive);
      } else if (argument == "--pop-state" && !pushed.empty()) {
        std::tie(preferStatic, wholeArchive) = pushed.back();
        pushed.pop_back();
      }
    }
    takeMembers();
    for (Member &member : members)
      if (!member.taken && member.object.hasDeviceCode)
        result.leftObjects.push_back(std::move(member.object));
    return std::move(result);
  }

private:
  /// Archives are searched as lld does: whatever is undefined may come from any
  /// of them. ld looks only to the right; where it finds a symbol, so do we.
  void takeMembers() {
    while (!undefined.empty()) {
      std::string symbol = std::move(undefined.front());
      undefined.pop_front();
      if (defined.contains(symbol))
        continue;
      auto found = memberOfSymbol.find(symbol);
      if (found == memberOfSymbol.end())
        continue;
      Member &member = members[found->second];
      if (member.taken)
        continue;
      member.taken = true;
      take(std::move(member.object));
    }
  }
};
} // namespace cufort

HostObjects HostObjects::read(ArrayRef<std::string> linkerArguments) {
  return HostObjectsReader().read(linkerArguments);
}
