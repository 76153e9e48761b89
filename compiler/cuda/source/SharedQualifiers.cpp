//===- SharedQualifiers.cpp - __device__ __shared__ -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/source/SharedQualifiers.h"
#include "clang/Lex/Lexer.h"
#include <optional>

using namespace clang;
using cufort::cuda::SourceEdit;
using llvm::StringRef;

/// As many spaces as the word has letters: places in messages stay.
static constexpr StringRef Spaces = "          ";
static_assert(Spaces.size() == StringRef("__device__").size());

static std::vector<SourceEdit> leaveOutDevice(StringRef text,
                                              const LangOptions &options) {
  std::vector<SourceEdit> edits;
  Lexer lexer(SourceLocation(), options, text.begin(), text.begin(),
              text.end());
  // Of the specifiers of one declaration.
  std::optional<size_t> device;
  bool isShared = false;
  Token token;
  bool last = false;
  while (!last) {
    last = lexer.LexFromRawLexer(token);
    const size_t place = lexer.getCurrentBufferOffset() - token.getLength();
    StringRef word =
        token.is(tok::raw_identifier) ? token.getRawIdentifier() : StringRef();
    if (word == "__device__")
      device = place;
    else if (word == "__shared__")
      isShared = true;
    else if (word != "static" && word != "extern" && word != "const" &&
             word != "volatile") {
      device.reset();
      isShared = false;
    }
    if (device && isShared) {
      edits.push_back({*device, Spaces.size(), Spaces});
      device.reset();
    }
  }
  return edits;
}

const cufort::cuda::SourceForm cufort::cuda::SharedQualifiers = {
    "__shared__", leaveOutDevice};
