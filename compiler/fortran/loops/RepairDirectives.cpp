//===- RepairDirectives.cpp - what the parser would stumble over ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/loops/RepairDirectives.h"
#include "flang/Parser/provenance.h"
#include "llvm/ADT/StringRef.h"

using namespace Fortran;

namespace {

using Text = llvm::MutableArrayRef<char>;

llvm::StringRef view(Text text) { return {text.data(), text.size()}; }

/// The parts of \p text between commas outside parentheses.
llvm::SmallVector<Text> splitAtCommas(Text text) {
  llvm::SmallVector<Text> parts;
  size_t depth = 0, start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[')
      ++depth;
    else if ((text[i] == ')' || text[i] == ']') && depth)
      --depth;
    else if (text[i] == ',' && depth == 0) {
      parts.push_back(text.slice(start, i - start));
      start = i + 1;
    }
  }
  parts.push_back(text.drop_front(start));
  return parts;
}

/// Whether \p part is an expression such as (n+31)/32. A list is one pair of
/// parentheses around everything.
bool needsSign(Text part) {
  llvm::StringRef text = view(part).trim();
  if (!text.consume_front("("))
    return false;
  size_t depth = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0)
      return i + 1 < text.size();
  }
  return false;
}

/// Moves what lies between a blank before \p position and \p position to the
/// left and writes \p sign there. The blanks between the words of a directive
/// need not be there.
bool insertBefore(Text line, size_t position, char sign) {
  for (size_t blank = position; blank-- > 0;)
    if (line[blank] == ' ') {
      std::copy(line.begin() + blank + 1, line.begin() + position,
                line.begin() + blank);
      line[position - 1] = sign;
      return true;
    }
  return false;
}

/// do() counts one loop.
void leaveOutEmptyCount(Text line) {
  llvm::StringRef text = view(line);
  size_t at = text.find("do");
  if (at == llvm::StringRef::npos)
    return;
  size_t open = text.find_first_not_of(' ', at + 2);
  size_t close = open == llvm::StringRef::npos
                     ? open
                     : text.find_first_not_of(' ', open + 1);
  if (close != llvm::StringRef::npos && text[open] == '(' && text[close] == ')')
    line[open] = line[close] = ' ';
}

void repairLine(Text line) {
  leaveOutEmptyCount(line);
  size_t open = view(line).find("<<<"), close = view(line).rfind(">>>");
  if (open == llvm::StringRef::npos || close == llvm::StringRef::npos ||
      close < open + 3)
    return;
  Text inside = line.slice(open + 3, close - open - 3);
  llvm::SmallVector<Text> parts = splitAtCommas(inside);
  // Bytes: the third of at most four, unless it is stream=.
  if (parts.size() == 4) {
    std::fill(parts[2].begin(), parts[2].end(), ' ');
    parts[2].front() = '0';
  } else if (parts.size() == 3 && !view(parts[2]).contains('=')) {
    std::fill(parts[2].data() - 1, parts[2].end(), ' ');
  }
  // <<<,>>> leaves both shapes to the compiler.
  if (parts.size() >= 2)
    for (unsigned which = 0; which < 2; ++which)
      if (view(parts[which]).trim().empty()) {
        if (!parts[which].empty())
          parts[which].front() = '*';
        else
          insertBefore(line, parts[which].data() - line.data(), '*');
      }
  for (unsigned which = 0; which < 2 && which < parts.size(); ++which)
    if (needsSign(parts[which])) {
      size_t position = parts[which].data() - line.data();
      while (line[position] == ' ')
        ++position;
      insertBefore(line, position, '+');
    }
}

} // namespace

void cufort::repairDirectives(const parser::CookedSource &source) {
  parser::CharBlock block = source.AsCharBlock();
  // The text is the source's own string and will be parsed next.
  Text text(const_cast<char *>(block.begin()), block.size());
  llvm::StringRef all = view(text);
  constexpr llvm::StringLiteral directive = "!$cuf";
  for (size_t at = all.find(directive); at != llvm::StringRef::npos;
       at = all.find(directive, at + 1)) {
    if (at > 0 && all[at - 1] != '\n')
      continue;
    size_t end = std::min(all.find('\n', at), all.size());
    repairLine(text.slice(at, end - at));
  }
}
