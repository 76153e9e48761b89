//===- InputFiles.cpp - the files of the command line ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/InputFiles.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace cufort::driver;
using llvm::StringRef;

namespace {
enum class FileKind {
  Fortran,
  PreprocessedFortran,
  FixedFortran,
  PreprocessedFixedFortran,
  Cuf,
  PreprocessedCuf,
  CudaCxx,
  Cxx,
  C,
  Linkable,
  Unknown,
};
} // namespace

static FileKind kindOf(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  // Versioned shared libraries: libm.so.6.
  if (path.contains(".so."))
    return FileKind::Linkable;
  return llvm::StringSwitch<FileKind>(extension)
      .Cases({".f90", ".f95", ".f03", ".f08", ".f18"}, FileKind::Fortran)
      .Cases({".F90", ".F95", ".F03", ".F08", ".F18"},
             FileKind::PreprocessedFortran)
      .Cases({".f", ".for", ".ftn", ".f77"}, FileKind::FixedFortran)
      .Cases({".F", ".FOR", ".fpp", ".FPP", ".FTN", ".F77"},
             FileKind::PreprocessedFixedFortran)
      .Case(".cuf", FileKind::Cuf)
      .Case(".CUF", FileKind::PreprocessedCuf)
      .Case(".cu", FileKind::CudaCxx)
      .Cases({".cpp", ".cc", ".cxx", ".C", ".c++", ".CPP", ".cp"},
             FileKind::Cxx)
      .Case(".c", FileKind::C)
      .Cases({".o", ".a", ".so", ".obj", ".lo"}, FileKind::Linkable)
      .Default(FileKind::Unknown);
}

static FileKind kindOfLanguage(StringRef language) {
  return llvm::StringSwitch<FileKind>(language)
      .Case("f95", FileKind::Fortran)
      .Cases({"f95-cpp-input", "f77-cpp-input"}, FileKind::PreprocessedFortran)
      .Case("f77", FileKind::FixedFortran)
      .Case("cuda", FileKind::Cuf)
      .Case("cu", FileKind::CudaCxx)
      .Case("c++", FileKind::Cxx)
      .Case("c", FileKind::C)
      .Default(FileKind::Unknown);
}

bool cufort::driver::isLanguage(StringRef name) {
  return name == "none" || kindOfLanguage(name) != FileKind::Unknown;
}

static Source sourceOf(StringRef path, FileKind kind) {
  Source source;
  source.path = path.str();
  source.language = kind == FileKind::CudaCxx ? Source::CudaCxx
                    : kind == FileKind::Cxx   ? Source::Cxx
                    : kind == FileKind::C     ? Source::C
                                              : Source::Fortran;
  source.cuda = kind == FileKind::Cuf || kind == FileKind::PreprocessedCuf;
  source.preprocess = kind == FileKind::PreprocessedFortran ||
                      kind == FileKind::PreprocessedFixedFortran ||
                      kind == FileKind::PreprocessedCuf;
  source.fixedForm = kind == FileKind::FixedFortran ||
                     kind == FileKind::PreprocessedFixedFortran;
  return source;
}

bool cufort::driver::exists(StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status))
    return error("'" + path + "': " +
                 (code == std::errc::no_such_file_or_directory
                      ? "no such file"
                      : code.message()));
  if (llvm::sys::fs::is_directory(status))
    return error("'" + path + "' is a folder, not a file");
  return true;
}

/// Whether \p path can be read and is no binary file, of which a front end
/// would report every character.
static bool isText(StringRef path) {
  // What a pipe holds can be read once only.
  if (!llvm::sys::fs::is_regular_file(path))
    return true;
  auto file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return error("cannot read '" + path +
                 "': " + llvm::toString(file.takeError()));
  char start[4096];
  auto read = llvm::sys::fs::readNativeFile(*file, start);
  llvm::sys::fs::closeFile(*file);
  if (!read)
    return error("cannot read '" + path +
                 "': " + llvm::toString(read.takeError()));
  if (StringRef(start, *read).contains('\0'))
    return error("'" + path +
                 "' is not a text file: it cannot be a source in any language");
  return true;
}

bool cufort::driver::addFile(CommandLine &line, StringRef path,
                             StringRef language) {
  FileKind kind = language.empty() || language == "none"
                      ? kindOf(path)
                      : kindOfLanguage(language);
  switch (kind) {
  case FileKind::Unknown:
    if (!exists(path))
      return false;
    return error(
        "'" + path +
        "': cannot tell the kind of file from its suffix; cufort "
        "takes .cuf .CUF .f90 .F90 .f .F .cu .cpp .c .o .a .so and the "
        "like");
  case FileKind::Linkable:
    if (!exists(path))
      return false;
    line.linkInputs.push_back({LinkInput::Argument, 0, {path.str()}});
    return true;
  default:
    if (!exists(path) || !isText(path))
      return false;
    line.linkInputs.push_back({LinkInput::SourceFile, line.sources.size(), {}});
    line.sources.push_back(sourceOf(path, kind));
    return true;
  }
}
