//===- WholeFile.cpp - objects with device code of their own --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/WholeFile.h"
#include "image/Image.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/xxhash.h"
#include <cstddef>
#include <cstring>
#include <vector>

using namespace llvm;
using namespace llvm::object;
using cufort::image::OffloadEntry;

/// The section of what host code says of its kernels and variables.
static constexpr char Entries[] = "llvm_offload_entries";
/// Its name in an object with an image of its own, before a number.
static constexpr char OwnEntries[] = "cufort_entries_";

/// Adds the host's copies of device variables that the entries in \p relocated
/// name to \p shadows, as far as other files could see them.
static Error collectShadows(const SectionRef &relocations,
                            const SectionRef &relocated,
                            std::vector<std::string> &shadows) {
  auto contents = relocated.getContents();
  if (!contents)
    return contents.takeError();
  for (const RelocationRef &relocation : relocations.relocations()) {
    const uint64_t entry =
        relocation.getOffset() / sizeof(OffloadEntry) * sizeof(OffloadEntry);
    if (relocation.getOffset() - entry != offsetof(OffloadEntry, address) ||
        entry + sizeof(OffloadEntry) > contents->size())
      continue;
    uint64_t size;
    std::memcpy(&size, contents->data() + entry + offsetof(OffloadEntry, size),
                sizeof(size));
    auto flags = relocation.getSymbol()->getFlags();
    if (!flags)
      return flags.takeError();
    auto section = relocation.getSymbol()->getSection();
    if (!section)
      return section.takeError();
    // Kernels have no size; templates' variables, in groups, are one in all
    // files.
    if (!size || !(*flags & BasicSymbolRef::SF_Global) ||
        *flags & BasicSymbolRef::SF_Undefined ||
        ELFSectionRef(**section).getFlags() & ELF::SHF_GROUP)
      continue;
    auto name = relocation.getSymbol()->getName();
    if (!name)
      return name.takeError();
    shadows.push_back(name->str());
  }
  return Error::success();
}

static Expected<std::vector<std::string>> shadowsIn(const std::string &path) {
  auto file = ObjectFile::createObjectFile(path);
  if (!file)
    return file.takeError();
  const ObjectFile &object = *file->getBinary();
  std::vector<std::string> shadows;
  for (const SectionRef &section : object.sections()) {
    auto relocated = section.getRelocatedSection();
    if (!relocated)
      return relocated.takeError();
    if (*relocated == object.section_end())
      continue;
    auto name = (*relocated)->getName();
    if (!name)
      return name.takeError();
    if (*name == Entries)
      if (Error failure = collectShadows(section, **relocated, shadows))
        return std::move(failure);
  }
  return shadows;
}

static Error run(StringRef tool, const std::vector<std::string> &arguments) {
  auto path = sys::findProgramByName(tool);
  if (!path)
    return createStringError("'-rdc=false' takes '" + tool +
                             "' of the binutils, which is not in PATH");
  std::vector<StringRef> argv{*path};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::string problem;
  if (sys::ExecuteAndWait(*path, argv, std::nullopt, {}, /*SecondsToWait=*/0,
                          /*MemoryLimit=*/0, &problem))
    return createStringError("'" + *path + "' failed" +
                             (problem.empty() ? "" : ": " + problem));
  return Error::success();
}

Error cufort::driver::joinWithImage(const std::string &object,
                                    const std::string &image,
                                    const std::string &source) {
  auto shadows = shadowsIn(object);
  if (!shadows)
    return shadows.takeError();
  auto content = MemoryBuffer::getFile(object);
  if (!content)
    return createStringError("cannot read '" + object +
                             "': " + content.getError().message());
  const std::string own =
      OwnEntries + utohexstr(xxh3_64bits((*content)->getBuffer()) ^
                             xxh3_64bits(StringRef(source)));
  const std::string joined = image + ".joined.o";
  // Nothing that the image defines is for others.
  if (Error failure =
          run("objcopy", {"--keep-global-symbol=cufort.none", image}))
    return failure;
  if (Error failure = run("ld", {"-r", "-o", joined, object, image}))
    return failure;
  // The device code is in the image now, and the entries are for it alone.
  std::vector<std::string> arguments{
      "--remove-section=.llvm.offloading",
      "--rename-section=" + std::string(Entries) + "=" + own,
      "--redefine-sym=__start_" + std::string(Entries) + "=__start_" + own,
      "--redefine-sym=__stop_" + std::string(Entries) + "=__stop_" + own};
  for (const std::string &shadow : *shadows)
    arguments.push_back("--localize-symbol=" + shadow);
  arguments.insert(arguments.end(), {joined, object});
  Error failure = run("objcopy", arguments);
  sys::fs::remove(joined);
  return failure;
}

bool cufort::driver::hasOwnImage(const std::string &object) {
  auto file = ObjectFile::createObjectFile(object);
  if (!file) {
    consumeError(file.takeError());
    return false;
  }
  return any_of(file->getBinary()->sections(), [](const SectionRef &section) {
    auto name = section.getName();
    if (!name)
      consumeError(name.takeError());
    return name && name->starts_with(OwnEntries);
  });
}

Error cufort::driver::writeEmptyObject(const std::string &object,
                                       const std::string &path) {
  return run("objcopy",
             {"--strip-all", "--only-section=.note.GNU-stack", object, path});
}
