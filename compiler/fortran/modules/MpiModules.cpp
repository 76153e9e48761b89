//===- MpiModules.cpp - the modules mpi and mpi_f08 -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/MpiModules.h"
#include "compiler/fortran/modules/MpiHeader.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using llvm::SmallString;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Modules that programs name for parts of mpi_f08.
static constexpr StringRef otherNames[] = {"mpi_f08_types",
                                           "mpi_f08_callbacks"};

/// Open MPI's extensions.
static constexpr StringRef extensionModules[] = {"mpi_ext", "mpi_f08_ext"};

/// The header's constants, from which mpi_f08 has those that are no handles.
static constexpr StringRef HeaderModule = "cufort_mpi_header";

/// What has been found out for messages.
static llvm::StringSet<> foreignModules;
static bool headerIsMissing = false;

static bool isMpiModule(StringRef name) {
  return name == "mpi" || name == "mpi_f08" || name == HeaderModule ||
         llvm::is_contained(otherNames, name) ||
         llvm::is_contained(extensionModules, name);
}

static std::string report(const Twine &text) {
  llvm::errs() << "cufort: error: " << text << "\n";
  return "";
}

static std::string executable() {
  static int anchor;
  return fs::getMainExecutable(nullptr, &anchor);
}

static std::string joined(StringRef folder, const Twine &name) {
  SmallString<256> file(folder);
  path::append(file, name);
  return file.str().str();
}

/// A file of libraries/mpi, beside the compiler.
static std::string ownFile(StringRef name) {
  const std::string compiler = executable();
  const StringRef bin = path::parent_path(compiler);
  return joined(path::parent_path(bin), "lib/cufort/mpi/" + name);
}

static std::string interfaces(StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile(ownFile(name));
  return buffer ? (*buffer)->getBuffer().str() : "";
}

namespace {

/// The source text of the modules for one header.
class Writer {
public:
  explicit Writer(const cufort::MpiHeader &header) : header(header) {}

  std::string mpi(StringRef blocks) {
    std::string out = "module mpi\ninclude 'mpif.h'\n";
    forEachBlock(blocks, [&](StringRef name, StringRef text) {
      // Functions have their types there.
      if (!header.mentions(name.lower()))
        out += text;
    });
    return out + "end module\n";
  }

  std::string mpiF08(StringRef blocks) {
    std::string constants, procedures;
    forEachBlock(blocks, [&](StringRef name, StringRef text) {
      if (name.consume_front("constant ")) {
        auto [type, constant] = name.split(' ');
        if (header.mentions(constant.lower()))
          constants += "type(MPI_" + type.str() +
                       "), parameter :: " + constant.str() + " = MPI_" +
                       type.str() + "(" + hidden(constant.lower()) + ")\n";
        return;
      }
      if (name.consume_front("large ")) {
        if (header.number("mpi_version").value_or(0) >= 4)
          procedures += text;
        return;
      }
      if (header.mentions(name.lower()))
        hidden(name.lower());
      procedures += text;
    });
    const std::string sentinels = commons();
    std::string out =
        ("module " + HeaderModule + "\ninclude 'mpif.h'\nend module\n" +
         "module mpi_f08\nuse, intrinsic :: iso_c_binding, only: " +
         "cufort_c_ptr => c_ptr\nuse " + HeaderModule)
            .str();
    for (const std::string &name : renamed)
      out += (", &\n  cufort_h_" + Twine(name) + " => " + name).str();
    out += "\nimplicit none\nprivate :: cufort_c_ptr\n";
    for (const std::string &name : renamed)
      out += "private :: cufort_h_" + name + "\n";
    out += status() + types + constants + sentinels + procedures;
    out += "end module\n";
    for (StringRef name : otherNames)
      out += ("module " + name + "\nuse mpi_f08\nend module\n").str();
    return out;
  }

  /// What the header lacks, if anything.
  std::string problem;

private:
  /// Calls \p function for the text after each line "!@ NAME".
  template <typename Function>
  void forEachBlock(StringRef all, Function function) {
    auto [first, rest] = all.split("!@");
    types = first.str();
    while (!rest.empty()) {
      StringRef block;
      std::tie(block, rest) = rest.split("!@");
      auto [name, text] = block.split('\n');
      function(name.trim(), text);
    }
  }

  /// The name under which mpi_f08 sees what the header calls \p name, where it
  /// declares that itself.
  std::string hidden(const std::string &name) {
    if (seen.insert(name).second)
      renamed.push_back(name);
    return "cufort_h_" + name;
  }

  int number(StringRef constant) {
    auto value = header.number(constant);
    if (!value)
      problem = "it has no number for " + constant.upper();
    return value.value_or(0);
  }

  std::string status() {
    const int size = number("mpi_status_size");
    const int places[] = {number("mpi_source"), number("mpi_tag"),
                          number("mpi_error")};
    const char *names[] = {"MPI_SOURCE", "MPI_TAG", "MPI_ERROR"};
    std::string out = "type, bind(c) :: MPI_Status\n";
    for (int i = 1; i <= size; ++i) {
      std::string name;
      for (int j = 0; j < 3; ++j)
        if (places[j] == i)
          name = names[j];
      out += name.empty()
                 ? "integer, private :: cufort_" + std::to_string(i) + "\n"
                 : "integer :: " + name + "\n";
    }
    return out + "end type\n";
  }

  /// Variables whose addresses have a meaning lie in common blocks that the
  /// library knows; in mpi_f08 those of statuses have another type.
  std::string commons() {
    std::string out;
    for (const cufort::MpiHeader::Common &common : header.commons()) {
      std::string list;
      for (const std::string &name : common.variables) {
        hidden(name);
        StringRef rest = name;
        const bool known = rest.consume_front("mpi_");
        if (known && (rest == "bottom" || rest == "in_place" ||
                      rest == "buffer_automatic"))
          out += "integer :: " + name + "\n";
        else if (known && (rest == "unweighted" || rest == "weights_empty" ||
                           rest == "errcodes_ignore"))
          out += "integer :: " + name + "(1)\n";
        else if (known && rest == "argv_null")
          out += "character :: " + name + "(1)\n";
        else if (known && rest == "argvs_null")
          out += "character :: " + name + "(1, 1)\n";
        else if (known && rest == "status_ignore")
          out += "type(MPI_Status) :: " + name + "\n";
        else if (known && rest == "statuses_ignore")
          out += "type(MPI_Status) :: " + name + "(1)\n";
        else
          problem = "its common block /" + common.block +
                    "/ has the unknown variable " + StringRef(name).upper();
        list += (list.empty() ? "" : ", ") + name;
      }
      out += "common /" + common.block + "/ " + list + "\n";
    }
    return out;
  }

  const cufort::MpiHeader &header;
  std::string types;
  std::vector<std::string> renamed;
  llvm::StringSet<> seen;
};

} // namespace

/// Where what is made once is kept; empty: nowhere.
static std::string cacheFolder() {
  if (auto chosen = llvm::sys::Process::GetEnv("CUFORT_CACHE_DIR");
      chosen && !chosen->empty())
    return *chosen == "none" ? "" : *chosen;
  SmallString<256> folder;
  if (!path::cache_directory(folder))
    return "";
  return joined(folder, "cufort");
}

static bool write(const std::string &file, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream out(file, error);
  out << text;
  out.close();
  return !error && !out.has_error();
}

/// Lets a second process of this compiler make the module files in \p folder.
static bool compileModules(const std::string &folder,
                           const cufort::MpiHeader &header) {
  const std::string compiler = executable();
  const std::string include = path::parent_path(header.path()).str();
  const std::string log = joined(folder, "messages");
  const std::string first = joined(folder, "mpi.f90"),
                    second = joined(folder, "mpi_f08.f90");
  // Of two forms with one binding name each has a warning, which would hide
  // what is wrong.
  const StringRef arguments[] = {compiler,      "-fsyntax-only", "-w",
                                 "-module-dir", folder,          "-I",
                                 include,       first,           second};
  const std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log),
                                                StringRef(log)};
  std::string problem;
  if (!llvm::sys::ExecuteAndWait(compiler, arguments, std::nullopt, redirects,
                                 0, 0, &problem))
    return true;
  report("cannot make the modules 'mpi' and 'mpi_f08' from '" + header.path() +
         "'");
  if (auto messages = llvm::MemoryBuffer::getFile(log))
    llvm::errs() << (*messages)->getBuffer().take_front(4000);
  llvm::errs() << problem;
  return false;
}

/// Makes the modules in \p folder, which exists.
static bool makeModules(const std::string &folder,
                        const cufort::MpiHeader &header, StringRef mpi,
                        StringRef mpiF08) {
  if (write(joined(folder, "mpi.f90"), mpi) &&
      write(joined(folder, "mpi_f08.f90"), mpiF08))
    return compileModules(folder, header);
  report("cannot write to '" + folder + "'");
  return false;
}

static std::string nameOf(StringRef texts) {
  llvm::SHA256 hash;
  hash.update(texts);
  // Another compiler may write other module files.
  fs::file_status status;
  if (!fs::status(executable(), status))
    hash.update(
        std::to_string(status.getSize()) + "," +
        std::to_string(
            status.getLastModificationTime().time_since_epoch().count()));
  return llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 24);
}

/// Of the header's folder, if the library has extensions.
static bool hasExtensions(const cufort::MpiHeader &header) {
  return fs::exists(joined(path::parent_path(header.path()), "mpif-ext.h"));
}

static std::string extensions() {
  std::string out;
  for (StringRef name : extensionModules)
    out += ("module " + name + "\n" + interfaces((name + ".inc").str()) +
            "end module\n")
               .str();
  return out;
}

static std::string modulesOf(const cufort::MpiHeader &header) {
  const std::string blocks = interfaces("mpi.inc"),
                    blocksF08 = interfaces("mpi_f08.inc");
  if (blocks.empty() || blocksF08.empty())
    return report("the interfaces of MPI are missing: '" + ownFile("mpi.inc") +
                  "'");
  Writer writer(header), writerF08(header);
  const std::string mpi = writer.mpi(blocks),
                    f08 = writerF08.mpiF08(blocksF08) +
                          (hasExtensions(header) ? extensions() : "");
  if (!writerF08.problem.empty())
    return report("cannot make the module 'mpi_f08' from '" + header.path() +
                  "': " + writerF08.problem);

  std::string cache = cacheFolder();
  if (!cache.empty())
    cache = joined(cache, "mpi");
  const std::string name = nameOf(header.path() + header.text() + mpi + f08);
  std::string place = cache.empty() ? "" : joined(cache, name);
  if (!place.empty() && fs::is_directory(place))
    return place;

  // Another process may do the same at the same time: the first one's stays.
  SmallString<256> temporary;
  const bool isKept =
      !cache.empty() && !fs::create_directories(cache) &&
      !fs::createUniqueDirectory(joined(cache, name), temporary);
  if (!isKept && fs::createUniqueDirectory("cufort-mpi", temporary))
    return report("cannot make a folder for the modules of MPI");
  if (!makeModules(temporary.str().str(), header, mpi, f08)) {
    fs::remove_directories(temporary);
    return "";
  }
  if (!isKept)
    return temporary.str().str();
  if (fs::rename(temporary, place))
    fs::remove_directories(temporary);
  return fs::is_directory(place) ? place
                                 : report("cannot make '" + place + "'");
}

std::string cufort::mpiIncludeFile(const std::string &file) {
  if (path::filename(file) != "mpif-sizeof.h")
    return file;
  std::string own = ownFile("mpif-sizeof.h");
  return fs::exists(own) ? own : file;
}

bool cufort::isOwnModuleFile(StringRef file) {
  auto handle = fs::openNativeFileForRead(file);
  if (!handle) {
    llvm::consumeError(handle.takeError());
    return true; // Whoever opens it says why.
  }
  char start[16] = {};
  auto size = fs::readNativeFile(*handle, llvm::MutableArrayRef<char>(start));
  fs::closeFile(*handle);
  if (!size) {
    llvm::consumeError(size.takeError());
    return true;
  }
  StringRef text(start, *size);
  text.consume_front("\xef\xbb\xbf"); // a byte order mark
  return text.starts_with("!mod$");
}

void cufort::noteForeignModule(StringRef name) { foreignModules.insert(name); }

bool cufort::isForeignModule(StringRef name) {
  return foreignModules.contains(name);
}

bool cufort::lacksMpiHeader(StringRef name) {
  return isMpiModule(name) && headerIsMissing;
}

std::string cufort::mpiModuleFolder(StringRef name,
                                    const std::list<std::string> &folders) {
  if (!name.consume_back(".mod") || !isMpiModule(name))
    return "";
  auto header = MpiHeader::find(folders);
  if (!header)
    return report(llvm::toString(header.takeError()));
  headerIsMissing = !*header;
  if (!*header ||
      (llvm::is_contained(extensionModules, name) && !hasExtensions(**header)))
    return "";
  // The analysis asks several times.
  static llvm::StringMap<std::string> known;
  auto [place, isNew] = known.try_emplace((*header)->path());
  if (isNew)
    place->second = modulesOf(**header);
  return place->second;
}
