//===- CheckStatements.cpp - what Flang's parser cannot explain -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/checks/CheckStatements.h"
#include "compiler/fortran/modules/ScanModules.h"
#include "flang/Parser/parsing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

using namespace Fortran;
using namespace parser::literals;

namespace {

constexpr size_t None = llvm::StringRef::npos;

/// The statement with blanks in place of what character literals hold.
std::string withoutLiterals(llvm::StringRef statement) {
  std::string text = statement.str();
  for (size_t at = 0; at < text.size(); ++at) {
    const char quote = text[at];
    if (quote != '\'' && quote != '"')
      continue;
    for (++at; at < text.size() && text[at] != quote; ++at)
      text[at] = ' ';
  }
  return text;
}

/// Without blanks, which fixed form need not have, and without a label.
std::string squeezed(llvm::StringRef text) {
  std::string squeezed;
  for (char c : text)
    if (c != ' ' && !(squeezed.empty() && llvm::isDigit(c)))
      squeezed += c;
  return squeezed;
}

/// The parts of \p text between commas outside of parentheses.
llvm::SmallVector<llvm::StringRef> splitAtCommas(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == ']';
    if (text[i] != ',' || depth > 0)
      continue;
    parts.push_back(text.slice(start, i));
    start = i + 1;
  }
  parts.push_back(text.drop_front(start));
  return parts;
}

class Checker {
public:
  explicit Checker(parser::Messages &messages) : messages(messages) {}

  bool run(llvm::StringRef source) {
    while (!source.empty()) {
      auto [statement, rest] = source.split('\n');
      source = rest;
      const std::string text = withoutLiterals(statement);
      if (llvm::StringRef(text).starts_with("!")) {
        checkDirective(statement, text);
        continue;
      }
      for (size_t start = 0; start <= text.size();) {
        const size_t end = std::min(text.find(';', start), text.size());
        const llvm::StringRef one = llvm::StringRef(text).slice(start, end);
        checkLaunch(statement.slice(start, end), one);
        checkProcedure(statement.slice(start, end), squeezed(one));
        checkDots(statement.slice(start, end), one);
        checkComponents(statement.slice(start, end), squeezed(one));
        checkAttributes(statement.slice(start, end), one);
        start = end + 1;
      }
    }
    return isRight;
  }

private:
  void error(llvm::StringRef place, parser::MessageFixedText text) {
    messages.Say(parser::CharBlock(place.data(), place.size()), text);
    isRight = false;
  }

  void checkLaunch(llvm::StringRef statement, llvm::StringRef text) {
    const size_t open = text.find("<<<");
    if (open == None)
      return;
    const std::string before = squeezed(text.take_front(open));
    const size_t close = text.find(">>>", open);
    const size_t end = close == None ? text.size() : close + 3;
    const llvm::StringRef place = statement.slice(open, end);
    if (!llvm::StringRef(before).starts_with("call") &&
        before.find(")call") == std::string::npos)
      return error(
          place,
          "<<< >>> launches a kernel, which is a subroutine: write CALL name<<<grid, block>>>(arguments)"_err_en_US);
    if (close == None)
      return error(
          place,
          "the launch configuration of a kernel ends with '>>>': call name<<<grid, block [, bytes [, stream]]>>>(arguments)"_err_en_US);
    llvm::SmallVector<llvm::StringRef> parts =
        splitAtCommas(text.slice(open + 3, close));
    if (parts.size() < 2 || parts.size() > 4 ||
        llvm::any_of(parts,
                     [](llvm::StringRef part) { return part.trim().empty(); }))
      return error(
          place,
          "a launch gives the grid and the block, and may give the bytes of dynamic shared memory and the stream: call name<<<grid, block [, bytes [, stream]]>>>(arguments)"_err_en_US);
    for (llvm::StringRef shape : {parts[0].trim(), parts[1].trim()})
      if (shape.starts_with("[") || shape.starts_with("(/"))
        error(
            place,
            "the grid and the block of a launch are integers or dim3(x, y, z) of the module cudafor, not arrays"_err_en_US);
    if (parts[1].trim() == "*")
      error(
          place,
          "only the grid of a launch may be *, which leaves it to the device: give the block as an integer or dim3(x, y, z)"_err_en_US);
  }

  /// The prefix of a subroutine or function.
  void checkProcedure(llvm::StringRef statement, llvm::StringRef squeezed) {
    auto [prefix, list] = squeezed.split("attributes(");
    auto [names, rest] = list.split(')');
    if (prefix.contains('=') || rest.starts_with("::") ||
        !(rest.contains("subroutine") || rest.contains("function")))
      return;
    for (llvm::StringRef name : splitAtCommas(names))
      if (!llvm::is_contained({"host", "device", "global", "grid_global"},
                              name)) {
        const size_t start = statement.find("attributes");
        error(
            statement.slice(start, statement.find(')', start) + 1),
            "the attributes of a procedure are GLOBAL for a kernel, GRID_GLOBAL for one whose blocks wait for each other, DEVICE, HOST, or HOST and DEVICE"_err_en_US);
      }
  }

  /// As C++ writes it. What looks like it may be an operator: blockdim.x.y
  void checkDots(llvm::StringRef statement, llvm::StringRef text) {
    for (llvm::StringRef name :
         {"threadidx.", "blockidx.", "blockdim.", "griddim."})
      for (size_t at = text.find(name); at != None;
           at = text.find(name, at + 1)) {
        const llvm::StringRef after = text.drop_front(at + name.size());
        if ((at > 0 && isNamePart(text[at - 1])) || after.empty() ||
            !llvm::StringRef("xyz").contains(after[0]) ||
            (after.size() > 1 && (isNamePart(after[1]) || after[1] == '.')))
          continue;
        error(
            statement.substr(at, name.size() + 1),
            "components are written with %: threadidx%x, blockidx%x, blockdim%x, griddim%x"_err_en_US);
      }
  }

  static bool isNamePart(char c) {
    return llvm::isAlnum(c) || c == '_' || c == '%' || c == '$';
  }

  /// The chevrons and the clauses of a kernel loop's directive.
  void checkDirective(llvm::StringRef statement, llvm::StringRef text) {
    const std::string packed = squeezed(text);
    if (!llvm::StringRef(packed).starts_with("!$cuf"))
      return;
    if (!llvm::StringRef(packed).starts_with("!$cufkerneldo"))
      return error(
          statement.rtrim(),
          "the directive before a loop is !$cuf kernel do [(n)] [<<<grid, block [, bytes] [, stream]>>>] [reduce(operation: variables)]"_err_en_US);
    const size_t first = text.find("<<<"), close = text.find(">>>");
    if (first != None && close != None && first < close) {
      auto parts = splitAtCommas(text.slice(first + 3, close));
      if (parts.size() > 4)
        return error(
            statement.slice(first, close + 3),
            "a kernel loop has at most four arguments in chevrons: !$cuf kernel do <<<grid, block [, bytes] [, stream]>>>; of several extents each is a list in parentheses: <<<(2, 3), (32, 4)>>>"_err_en_US);
      // A grid or a block that is left out is a star.
      if (parts.size() < 2 ||
          llvm::any_of(parts,
                       [](llvm::StringRef part) {
                         return part.trim().ends_with("=");
                       }) ||
          llvm::any_of(llvm::drop_begin(parts, 2), [](llvm::StringRef part) {
            return part.trim().empty();
          }))
        return error(
            statement.slice(first, close + 3),
            "the chevrons of a kernel loop give the grid and the block, each of which may be *, and may give a stream: !$cuf kernel do <<<grid, block [, bytes] [, stream]>>>"_err_en_US);
      llvm::StringRef clauses = text.drop_front(close + 3).trim();
      if (!clauses.empty() && !clauses.starts_with("redu"))
        return error(
            statement.drop_front(close + 3).trim(),
            "a kernel loop has no other clause than REDUCE(operation: variables)"_err_en_US);
    }
    size_t at = close == None ? 0 : close;
    while ((at = text.find("redu", at)) != None) {
      const size_t open = text.find('(', at), colon = text.find(':', at);
      const llvm::StringRef clause =
          text.slice(at, std::min(open, text.size())).trim();
      if ((clause != "reduce" && clause != "reduction") || open == None ||
          colon == None || colon < open)
        return error(
            statement.drop_front(at).rtrim(),
            "a kernel loop's reductions are named by REDUCE(operation: variables), with +, *, max, min, iand, ior, ieor, .and., .or., .eqv. or .neqv. as the operation"_err_en_US);
      if (!isOperation(squeezed(text.slice(open + 1, colon))))
        return error(
            statement.slice(open + 1, colon),
            "REDUCE has the operations +, *, max, min, iand, ior, ieor, .and., .or., .eqv. and .neqv."_err_en_US);
      at = std::min(text.find(')', colon), text.size());
    }
  }

  static bool isOperation(llvm::StringRef name) {
    return llvm::StringSwitch<bool>(name)
        .Cases({"+", "*", "max", "min", "iand", "ior", "ieor"}, true)
        .Cases({".and.", ".or.", ".eqv.", ".neqv."}, true)
        .Default(false);
  }

  /// real, host :: x
  void checkAttributes(llvm::StringRef statement, llvm::StringRef text) {
    const size_t end = text.find("::");
    if (end == None || text.take_front(end).contains("<<<"))
      return;
    llvm::SmallVector<llvm::StringRef> parts =
        splitAtCommas(text.take_front(end));
    for (llvm::StringRef part : llvm::drop_begin(parts))
      if (part.trim() == "host")
        error(
            statement.substr(part.trim().data() - text.data(), 4),
            "HOST is an attribute of procedures: data without a memory attribute are in host memory"_err_en_US);
  }

  /// Between TYPE name and END TYPE.
  void checkComponents(llvm::StringRef statement, llvm::StringRef squeezed) {
    if (squeezed.starts_with("endtype"))
      isType = false;
    else if (squeezed.consume_front("type") &&
             (squeezed.starts_with("::") || squeezed.starts_with(",") ||
              squeezed.find_first_of("(=%:") == None) &&
             !squeezed.empty() && !squeezed.starts_with("is("))
      isType = true;
    else if (isType && squeezed.starts_with("attributes("))
      error(
          statement.trim(),
          "a derived type has no ATTRIBUTES statements: give the component its attribute where it is declared (REAL, DEVICE, ALLOCATABLE :: name(:))"_err_en_US);
  }

  parser::Messages &messages;
  bool isRight = true, isType = false;
};

} // namespace

bool cufort::checkStatements(parser::Parsing &parsing) {
  parser::CharBlock text = parsing.cooked().AsCharBlock();
  return Checker(parsing.messages())
      .run(llvm::StringRef(text.begin(), text.size()));
}

bool cufort::checkNoOpenACC(parser::Parsing &parsing) {
  llvm::StringRef rest = cookedText(parsing);
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    rest = next;
    line = line.ltrim();
    // With the option the prescanner leaves these as they are.
    if (!line.starts_with("!$acc"))
      continue;
    line = line.rtrim();
    parsing.messages().Say(
        parser::CharBlock(line.begin(), line.end()),
        "OpenACC's directives are not supported: without -acc they are comments, and the loops that they stand before run on the host"_err_en_US);
    return false;
  }
  return true;
}
