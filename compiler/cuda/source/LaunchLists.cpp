//===- LaunchLists.cpp - lists as arguments of a launch -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/source/LaunchLists.h"
#include "clang/Lex/Lexer.h"
#include <iterator>

using namespace clang;
using cufort::cuda::SourceEdit;
using llvm::StringRef;

/// The types of grid, block, bytes of shared memory and stream; that of sizes
/// has no name which is always there.
static constexpr StringRef TypeOfArgument[] = {
    "dim3", "dim3", "decltype(sizeof(0))", "cudaStream_t"};

/// The lists in \p text that are arguments between "<<<" and ">>>".
static std::vector<SourceEdit> nameLists(StringRef text,
                                         const LangOptions &options) {
  std::vector<SourceEdit> lists;
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
      lists.push_back({lexer.getCurrentBufferOffset() - token.getLength(), 0,
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

const cufort::cuda::SourceForm cufort::cuda::LaunchLists = {"<<<", nameLists};
