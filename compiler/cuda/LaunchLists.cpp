//===- LaunchLists.cpp - lists as arguments of a launch -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/LaunchLists.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/MemoryBuffer.h"
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using namespace clang;
using llvm::StringRef;

/// The types of grid, block, bytes of shared memory and stream; that of sizes
/// has no name which is always there.
static constexpr StringRef TypeOfArgument[] = {
    "dim3", "dim3", "decltype(sizeof(0))", "cudaStream_t"};

namespace {
struct List {
  size_t place;
  StringRef type;
};
} // namespace

/// The lists in \p text that are arguments between "<<<" and ">>>". What macros
/// make of it is not looked at.
static std::vector<List> listsIn(StringRef text, const LangOptions &options) {
  std::vector<List> lists;
  Lexer lexer(SourceLocation(), options, text.begin(), text.begin(),
              text.end());
  int depth = -1; // of brackets between "<<<" and ">>>"; -1: outside
  unsigned argument = 0;
  bool begins = false;
  Token token;
  bool last = false;
  while (!last) {
    last = lexer.LexFromRawLexer(token);
    if (token.is(tok::lesslessless)) {
      depth = 0;
      argument = 0;
      begins = true;
      continue;
    }
    if (depth < 0)
      continue;
    if (begins && argument < std::size(TypeOfArgument) &&
        token.is(tok::l_brace))
      lists.push_back({lexer.getCurrentBufferOffset() - token.getLength(),
                       TypeOfArgument[argument]});
    begins = depth == 0 && token.is(tok::comma);
    argument += begins;
    if (token.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      ++depth;
    else if (token.isOneOf(tok::r_paren, tok::r_brace, tok::r_square))
      --depth;
    else if (depth == 0 && token.isOneOf(tok::greatergreatergreater, tok::semi))
      depth = -1;
  }
  return lists;
}

/// Whether \p file has any.
static bool rewrite(SourceManager &sources, const LangOptions &options,
                    FileEntryRef file) {
  auto buffer = sources.getMemoryBufferForFileOrNone(file);
  if (!buffer || !buffer->getBuffer().contains("<<<"))
    return false;
  StringRef text = buffer->getBuffer();
  std::vector<List> lists = listsIn(text, options);
  if (lists.empty())
    return false;
  std::string named;
  size_t done = 0;
  for (const List &list : lists) {
    named += text.slice(done, list.place);
    named += list.type;
    done = list.place;
  }
  named += text.substr(done);
  sources.overrideFileContents(file, llvm::MemoryBuffer::getMemBufferCopy(
                                         named, buffer->getBufferIdentifier()));
  return true;
}

namespace {

/// Headers, before they are entered.
class Headers : public PPCallbacks {
public:
  explicit Headers(CompilerInstance &instance) : instance(instance) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef, bool,
                          CharSourceRange, OptionalFileEntryRef file, StringRef,
                          StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind kind) override {
    if (file && !SrcMgr::isSystem(kind))
      rewrite(instance.getSourceManager(), instance.getLangOpts(), *file);
  }

private:
  CompilerInstance &instance;
};

} // namespace

void cufort::cuda::nameLaunchLists(CompilerInstance &instance) {
  SourceManager &sources = instance.getSourceManager();
  // Places in the file are numbered by its size when it was entered.
  if (auto file = sources.getFileEntryRefForID(sources.getMainFileID());
      file && rewrite(sources, instance.getLangOpts(), *file))
    sources.setMainFileID(
        sources.createFileID(*file, SourceLocation(), SrcMgr::C_User));
  instance.getPreprocessor().addPPCallbacks(
      std::make_unique<Headers>(instance));
}
