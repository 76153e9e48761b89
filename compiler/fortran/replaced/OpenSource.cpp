//===- OpenSource.cpp - directives of another name ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In place of Flang's function, which reads a source file. Ours makes !dir$ of
// !pgi$, a word of the same length, in what has been read: which comments are
// directives is settled within the prescanner. And it reads a file of cufort's
// in the place of one of Open MPI's, which mpif.h includes.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/MpiModules.h"
#include "flang/Parser/source.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

static void renameDirectives(char *text, std::size_t size) {
  const llvm::StringRef all(text, size);
  const llvm::StringRef blanks(" \t");
  for (std::size_t found = all.find('$'); found != llvm::StringRef::npos;
       found = all.find('$', found + 1)) {
    // The comment's first character and three letters.
    if (found < 4 || !all.substr(found - 3, 3).equals_insensitive("pgi") ||
        found + 1 >= size || !blanks.contains(text[found + 1]))
      continue;
    const std::size_t start = found - 4;
    const std::size_t newline = all.rfind('\n', start);
    const std::size_t line = newline == llvm::StringRef::npos ? 0 : newline + 1;
    const bool isFixed =
        start == line && llvm::StringRef("cC*").contains(text[start]);
    const bool isFree =
        text[start] == '!' && all.slice(line, start).trim(blanks).empty();
    if (isFixed || isFree)
      std::memcpy(text + start + 1, "dir", 3);
  }
}

bool Fortran::parser::SourceFile::Open(std::string path,
                                       llvm::raw_ostream &error) {
  Close();
  path_ = path;
  auto text = llvm::WritableMemoryBuffer::getFile(cufort::mpiIncludeFile(path));
  if (!text) {
    error << "Could not open '" << path << "': " << text.getError().message();
    return false;
  }
  buf_ = std::move(*text);
  ReadFile();
  renameDirectives(buf_->getBufferStart(), buf_end_);
  return true;
}
