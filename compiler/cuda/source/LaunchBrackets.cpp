//===- LaunchBrackets.cpp - launches that editors have formatted ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/source/LaunchBrackets.h"
#include "clang/Lex/Lexer.h"
#include <optional>
#include <utility>

using namespace clang;
using cufort::cuda::SourceEdit;
using llvm::StringRef;

namespace {

/// Tokens that together are a bracket of three characters.
struct Bracket {
  size_t begin = 0, end = 0;
  unsigned angles = 0;
};

} // namespace

static unsigned anglesOf(const Token &token, bool opening) {
  if (opening)
    return token.is(tok::less) ? 1 : token.is(tok::lessless) ? 2 : 0;
  return token.is(tok::greater) ? 1 : token.is(tok::greatergreater) ? 2 : 0;
}

static std::vector<SourceEdit> closeGaps(StringRef text,
                                         const LangOptions &options) {
  std::vector<SourceEdit> edits;
  const auto join = [&](const Bracket &bracket, StringRef whole) {
    // The first edit writes the bracket, the others take its characters out of
    // their places, so that blanks, lines and comments between them stay.
    edits.push_back({bracket.begin, 0, whole});
    for (size_t at = bracket.begin; at != bracket.end; ++at)
      if (text[at] == whole.front())
        edits.push_back({at, 1, ""});
  };
  Lexer lexer(SourceLocation(), options, text.begin(), text.begin(),
              text.end());
  std::optional<Bracket> open;
  Bracket run;             // of angles that are to be one bracket
  int depth = -1;          // of other brackets in a launch; -1: outside
  bool isOperator = false; // operator<< <int>
  Token token;
  bool last = false;
  while (!last) {
    last = lexer.LexFromRawLexer(token);
    const size_t end = lexer.getCurrentBufferOffset(),
                 place = end - token.getLength();
    const unsigned angles =
        depth > 0 ? 0 : anglesOf(token, /*opening=*/depth < 0);
    if (angles && !isOperator) {
      if (!run.angles)
        run.begin = place;
      run.angles += angles;
      run.end = end;
      continue;
    }
    isOperator =
        token.is(tok::raw_identifier) && token.getRawIdentifier() == "operator";
    isOperator |= angles != 0;
    const bool isBracket = std::exchange(run.angles, 0) == 3;
    // No expression has "a << <"; what closes it stands before the arguments.
    if (isBracket && depth < 0) {
      open = run;
      depth = 0;
    } else if (token.is(tok::lesslessless)) {
      open.reset();
      depth = 0;
      continue;
    }
    if (depth < 0)
      continue;
    const bool closes = token.is(tok::greatergreatergreater);
    if (depth == 0 && (closes || token.is(tok::semi) ||
                       (isBracket && token.is(tok::l_paren) &&
                        place > run.begin && text[run.begin] == '>'))) {
      if (open && token.isNot(tok::semi))
        join(*open, "<<<");
      if (token.is(tok::l_paren))
        join(run, ">>>");
      open.reset();
      depth = -1;
    } else if (token.isOneOf(tok::l_paren, tok::l_brace, tok::l_square)) {
      ++depth;
    } else if (token.isOneOf(tok::r_paren, tok::r_brace, tok::r_square)) {
      --depth;
    }
  }
  return edits;
}

const cufort::cuda::SourceForm cufort::cuda::LaunchBrackets = {
    "<<", closeGaps,
    "blanks within the brackets of a launch: CUDA has '<<<' and '>>>' in one "
    "piece"};
