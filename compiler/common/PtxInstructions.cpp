//===- PtxInstructions.cpp - what PTX has, and since when -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/PtxInstructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <string>

using namespace llvm;
using namespace cufort;

namespace {

constexpr StringLiteral Names =
    "abs activemask add addc alloca and applypriority atom bar barrier bfe bfi "
    "bfind bmsk bra brev brkpt brx call clusterlaunchcontrol clz cnot copysign "
    "cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence "
    "fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 "
    "lop3 mad mad24 madc mapa match max mbarrier membar min mma mov movmatrix "
    "mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu "
    "prmt rcp red redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl "
    "shl shr sin slct sqrt st stackrestore stacksave stmatrix sub subc suld "
    "suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq "
    "vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax "
    "vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 "
    "vsub4 wgmma wmma xor";

constexpr bool OneChip = true;

/// By the instruction's name and modifiers, in any order, that it has at least;
/// "*" is any name. All rows that fit count. What all supported GPUs have
/// (sm_70, PTX 6.0) has no row.
constexpr struct {
  StringLiteral words;
  PtxNeed need;
} Rows[] = {
    // Control and special registers.
    {"activemask", {0, 62}},
    {"nanosleep", {0, 63}},
    {"alloca", {0, 73}},
    {"stacksave", {0, 73}},
    {"stackrestore", {0, 73}},
    {"bmsk", {0, 76}},
    {"szext", {0, 76}},
    {"elect", {90, 80}},
    {"griddepcontrol", {90, 78}},
    {"setmaxnreg", {90, 80, OneChip}},
    {"getctarank", {90, 78}},
    {"mapa", {90, 78}},
    {"barrier.cluster", {90, 78}},
    {"* shared::cluster", {90, 78}},
    {"* shared::cta", {0, 78}},
    {"* cluster", {90, 78}},
    {"%cluster", {90, 78}},
    {"%nclusterid", {90, 78}},
    {"%is_explicit_cluster", {90, 78}},
    {"%aggr_smem_size", {90, 81}},
    {"redux", {80, 70}},
    {"redux f32", {100, 86, OneChip}},
    {"clusterlaunchcontrol", {100, 86}},
    // Arithmetic.
    {"ex2 f16", {75, 70}},
    {"ex2 f16x2", {75, 70}},
    {"ex2 bf16", {90, 78}},
    {"ex2 bf16x2", {90, 78}},
    {"tanh", {75, 70}},
    {"tanh bf16", {90, 78}},
    {"tanh bf16x2", {90, 78}},
    {"fma bf16", {80, 70}},
    {"fma bf16x2", {80, 70}},
    {"fma relu", {80, 70}},
    {"fma oob", {90, 81}},
    {"add bf16", {90, 78}},
    {"add bf16x2", {90, 78}},
    {"sub bf16", {90, 78}},
    {"sub bf16x2", {90, 78}},
    {"mul bf16", {90, 78}},
    {"mul bf16x2", {90, 78}},
    {"neg bf16", {80, 70}},
    {"neg bf16x2", {80, 70}},
    {"abs bf16", {80, 70}},
    {"abs bf16x2", {80, 70}},
    {"abs f16", {0, 65}},
    {"abs f16x2", {0, 65}},
    {"min f16", {80, 70}},
    {"min f16x2", {80, 70}},
    {"min bf16", {80, 70}},
    {"min bf16x2", {80, 70}},
    {"min NaN", {80, 70}},
    {"min xorsign", {86, 72}},
    {"min relu", {90, 80}},
    {"max f16", {80, 70}},
    {"max f16x2", {80, 70}},
    {"max bf16", {80, 70}},
    {"max bf16x2", {80, 70}},
    {"max NaN", {80, 70}},
    {"max xorsign", {86, 72}},
    {"max relu", {90, 80}},
    {"setp bf16", {90, 78}},
    {"setp bf16x2", {90, 78}},
    {"set bf16", {90, 78}},
    {"set bf16x2", {90, 78}},
    {"add f32x2", {100, 86}},
    {"sub f32x2", {100, 86}},
    {"mul f32x2", {100, 86}},
    {"fma f32x2", {100, 86}},
    // Conversions.
    {"cvt bf16", {80, 70}},
    {"cvt bf16x2", {80, 70}},
    {"cvt f16x2", {80, 70}},
    {"cvt relu", {80, 70}},
    {"cvt tf32", {80, 70}},
    {"cvt tf32 rn", {90, 78}},
    {"cvt tf32 rz", {90, 78}},
    {"cvt pack", {72, 65}},
    {"cvt e4m3x2", {89, 81}},
    {"cvt e5m2x2", {89, 81}},
    {"cvt e2m1x2", {100, 86, OneChip}},
    {"cvt e2m3x2", {100, 86, OneChip}},
    {"cvt e3m2x2", {100, 86, OneChip}},
    {"cvt ue8m0x2", {100, 86, OneChip}},
    {"cvt rs", {100, 87, OneChip}},
    // Accesses.
    {"* L2::cache_hint", {80, 74}},
    {"* L2::64B", {75, 74}},
    {"* L2::128B", {75, 74}},
    {"* L2::256B", {80, 74}},
    {"* L1::evict_normal", {0, 74}},
    {"* L1::evict_unchanged", {0, 74}},
    {"* L1::evict_first", {0, 74}},
    {"* L1::evict_last", {0, 74}},
    {"* L1::no_allocate", {0, 74}},
    {"ld v8", {100, 88}},
    {"st v8", {100, 88}},
    {"ld b128", {0, 83}},
    {"st b128", {0, 83}},
    {"mov b128", {0, 83}},
    {"ld mmio", {0, 82}},
    {"st mmio", {0, 82}},
    {"st async", {90, 81}},
    {"st bulk", {100, 86}},
    {"red async", {90, 81}},
    {"createpolicy", {80, 74}},
    {"applypriority", {80, 74}},
    {"discard", {80, 74}},
    {"prefetch tensormap", {90, 80}},
    {"tensormap", {90, 83, OneChip}},
    {"multimem", {90, 81}},
    {"isspacep param", {0, 77}},
    // Atomics and fences.
    {"atom f16x2", {0, 62}},
    {"red f16x2", {0, 62}},
    {"atom f16", {0, 63}},
    {"red f16", {0, 63}},
    {"atom b16", {0, 63}},
    {"atom bf16", {90, 78}},
    {"atom bf16x2", {90, 78}},
    {"red bf16", {90, 78}},
    {"red bf16x2", {90, 78}},
    {"atom b128", {90, 83}},
    {"atom v2", {90, 81}},
    {"atom v4", {90, 81}},
    {"atom v8", {90, 81}},
    {"red v2", {90, 81}},
    {"red v4", {90, 81}},
    {"red v8", {90, 81}},
    {"fence proxy async", {90, 80}},
    {"fence proxy tensormap::generic", {90, 83}},
    {"fence mbarrier_init", {90, 80}},
    {"fence acquire", {90, 86}},
    {"fence release", {90, 86}},
    // Copies and barriers that count.
    {"cp async", {80, 70}},
    {"cp async bulk", {90, 80}},
    {"cp reduce", {90, 80}},
    {"mbarrier", {80, 70}},
    {"mbarrier parity", {80, 71}},
    {"mbarrier try_wait", {90, 78}},
    {"mbarrier expect_tx", {90, 80}},
    {"mbarrier complete_tx", {90, 80}},
    // Matrices.
    {"wmma m32n8k16", {0, 61}},
    {"wmma m8n32k16", {0, 61}},
    {"wmma s8", {72, 63}},
    {"wmma u8", {72, 63}},
    {"wmma s4", {75, 63}},
    {"wmma u4", {75, 63}},
    {"wmma b1", {75, 63}},
    {"wmma bf16", {80, 70}},
    {"wmma tf32", {80, 70}},
    {"wmma f64", {80, 70}},
    {"ldmatrix", {75, 65}},
    {"ldmatrix b8", {100, 86, OneChip}},
    {"ldmatrix b8x16", {100, 86, OneChip}},
    {"stmatrix", {90, 78}},
    {"stmatrix b8", {100, 86, OneChip}},
    {"movmatrix", {75, 78}},
    {"mma m8n8k4", {0, 64}},
    {"mma m8n8k4 f64", {80, 70}},
    {"mma m16n8k8", {75, 65}},
    {"mma m8n8k16", {75, 65}},
    {"mma m8n8k32", {75, 65}},
    {"mma m8n8k128", {75, 65}},
    {"mma m16n8k4", {80, 70}},
    {"mma m16n8k16", {80, 70}},
    {"mma m16n8k32", {80, 70}},
    {"mma m16n8k64", {80, 70}},
    {"mma m16n8k128", {80, 70}},
    {"mma m16n8k256", {80, 70}},
    {"mma bf16", {80, 70}},
    {"mma tf32", {80, 70}},
    {"mma and", {80, 71}},
    {"mma m16n8k4 f64", {90, 78}},
    {"mma m16n8k8 f64", {90, 78}},
    {"mma m16n8k16 f64", {90, 78}},
    {"mma e4m3", {89, 84}},
    {"mma e5m2", {89, 84}},
    {"mma e4m3 f16", {89, 87}},
    {"mma e5m2 f16", {89, 87}},
    {"mma e4m3 m16n8k16", {89, 87}},
    {"mma e5m2 m16n8k16", {89, 87}},
    {"mma e2m1", {120, 87, OneChip}},
    {"mma e2m3", {120, 87, OneChip}},
    {"mma e3m2", {120, 87, OneChip}},
    {"mma block_scale", {120, 87, OneChip}},
    {"mma sp", {80, 71}},
    {"mma sp::ordered_metadata", {80, 85}},
    {"wgmma", {90, 80, OneChip}},
    {"tcgen05", {100, 86, OneChip}},
};

} // namespace

static std::string withoutComments(StringRef text) {
  std::string result = text.str();
  const auto blank = [&](size_t begin, size_t end) {
    std::fill(result.begin() + begin,
              result.begin() + std::min(end, result.size()), ' ');
  };
  for (size_t i = 0; i + 1 < result.size(); ++i) {
    if (result[i] != '/')
      continue;
    if (result[i + 1] == '/')
      blank(i, std::min(result.find('\n', i), result.size()));
    else if (result[i + 1] == '*')
      blank(i, std::min(result.find("*/", i + 2), result.size() - 2) + 2);
  }
  return result;
}

/// "name:" off \p statement.
static void dropLabels(StringRef &statement) {
  for (;;) {
    const size_t colon = statement.find(':');
    const size_t end = statement.find_first_of(" \t\n\r,[{.@");
    // "${:uid}" is a number of LLVM's; "a::b" is no label.
    if (colon == StringRef::npos || colon > end ||
        statement.substr(colon).starts_with("::"))
      return;
    statement = statement.substr(colon + 1).ltrim();
  }
}

void cufort::forEachPtxStatement(
    StringRef text, function_ref<void(const PtxStatement &)> visit) {
  std::string plain = withoutComments(text);
  // What LLVM replaces: letters, for names.
  for (size_t at = 0; (at = plain.find("${:", at)) != std::string::npos;)
    for (; at < plain.size() && plain[at] != '}'; ++at)
      plain[at] = 'u';
  for (char &c : plain)
    if (c == '\t' || c == '\r' || c == '\n')
      c = ' ';
  SmallVector<StringRef> statements;
  StringRef(plain).split(statements, ';');
  for (StringRef statement : statements) {
    statement = statement.trim();
    for (;;) {
      const StringRef before = statement;
      dropLabels(statement);
      while (statement.consume_front("{") || statement.consume_front("}"))
        statement = statement.ltrim();
      if (statement == before)
        break;
    }
    if (statement.consume_front("@")) {
      const size_t end = statement.find(' ');
      statement = end == StringRef::npos ? "" : statement.substr(end).ltrim();
    }
    if (statement.empty() || !isAlpha(statement.front()))
      continue;
    const StringRef instruction =
        statement.take_until([](char c) { return c == ' ' || c == '{'; });
    const size_t offset = instruction.data() - plain.data();
    visit({text.substr(offset, instruction.size()),
           statement.substr(instruction.size()), offset});
  }
}

bool cufort::isPtxInstruction(StringRef instruction) {
  static const StringSet<> known = [] {
    StringSet<> names;
    SmallVector<StringRef> all;
    Names.split(all, ' ');
    for (StringRef each : all)
      names.insert(each);
    return names;
  }();
  const StringRef name = instruction.split('.').first;
  return known.contains(name) ||
         !all_of(name, [](char c) { return isLower(c) || isDigit(c); });
}

PtxNeed cufort::ptxNeed(const PtxStatement &statement) {
  SmallVector<StringRef> words;
  statement.instruction.split(words, '.');
  PtxNeed need;
  for (const auto &row : Rows) {
    bool fits;
    if (row.words.starts_with("%")) {
      fits = statement.operands.contains(row.words);
    } else {
      SmallVector<StringRef> wanted;
      SplitString(row.words, wanted, " .");
      fits = (wanted[0] == "*" || wanted[0] == words[0]) &&
             all_of(drop_begin(wanted), [&](StringRef word) {
               return is_contained(drop_begin(words), word);
             });
    }
    if (!fits)
      continue;
    need.version = std::max(need.version, row.need.version);
    need.isOfOneChip |= row.need.isOfOneChip;
    need.architecture = std::max(need.architecture, row.need.architecture);
  }
  return need;
}
