//===- Library.cpp - objects to a static library --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/Library.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/link/BuildImage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Path.h"

using namespace cufort;
using namespace cufort::driver;
using llvm::StringRef;

bool cufort::driver::writeLibrary(const CommandLine &line,
                                  llvm::ArrayRef<std::string> objects,
                                  const std::string &output) {
  if (line.dryRun)
    return true;
  std::vector<llvm::NewArchiveMember> members;
  // The names of sources outlive the members, which refer to them.
  std::vector<std::string> names(line.linkInputs.size());
  for (auto [input, name] : llvm::zip(line.linkInputs, names)) {
    bool compiled = input.kind == LinkInput::SourceFile;
    StringRef path = compiled ? objects[input.index] : input.text.front();
    if (!compiled && !path.ends_with(".o"))
      return error("'-lib': '" + path +
                   "' is not an object file; a static library contains object "
                   "files only");
    name = compiled
               ? (llvm::sys::path::stem(line.sources[input.index].path) + ".o")
                     .str()
               : llvm::sys::path::filename(path).str();
    auto member = llvm::NewArchiveMember::getFile(path, /*Deterministic=*/true);
    if (!member)
      return error(member.takeError());
    member->MemberName = name;
    members.push_back(std::move(*member));
  }
  if (llvm::Error failure = llvm::writeArchive(
          output, members, llvm::SymtabWritingMode::NormalSymtab,
          llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false))
    return error(std::move(failure));
  return true;
}

bool cufort::driver::isMpiLibrary(const LinkInput &input) {
  if (input.kind != LinkInput::Argument || input.text.empty())
    return false;
  StringRef name = input.text.back();
  if (!name.consume_front("-l")) {
    name = llvm::sys::path::filename(name);
    if (!name.consume_front("lib") ||
        !(name.contains(".so") || name.ends_with(".a")))
      return false;
  }
  return name.starts_with("mpi") || name.starts_with("fmpich");
}

static bool isDeviceLink(StringRef path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  return llvm::any_of(file->getBinary()->symbols(),
                      [](const llvm::object::SymbolRef &symbol) {
                        auto name = symbol.getName();
                        if (name)
                          return *name == LinkedDeviceCodeSymbol;
                        llvm::consumeError(name.takeError());
                        return false;
                      });
}

bool cufort::driver::hasLinkedDeviceCode(const CommandLine &line) {
  return llvm::any_of(line.linkInputs, [](const LinkInput &input) {
    return input.kind == LinkInput::Argument && input.text.size() == 1 &&
           StringRef(input.text.front()).ends_with(".o") &&
           isDeviceLink(input.text.front());
  });
}
