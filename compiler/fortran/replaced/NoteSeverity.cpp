//===- NoteSeverity.cpp - notes that say that they are --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before Fortran::parser::AllSources::EmitMessage, which prints all of Flang's
// messages: what explains another message has no severity there ("x.f90:3:5:
// because: ..."), so editors, which read Clang's form, do not find it. Many of
// these notes say what to do, which "because" does not go with.
//
//===----------------------------------------------------------------------===//

#include "flang/Parser/provenance.h"
#include <optional>
#include <string>

using Fortran::parser::AllSources;
using Fortran::parser::ProvenanceRange;

#define EMIT_MESSAGE                                                           \
  "_ZNK7Fortran6parser10AllSources11EmitMessageERN4llvm11raw_"                 \
  "ostreamERKSt8optionalINS_6common8IntervalINS0_10ProvenanceEEEERKNSt7__"     \
  "cxx1112basic_stringIcSt11char_traitsIcESaIcEEESK_NS3_6ColorsEb"

// The linker leads Flang's calls here (--wrap).
void flangsEmitMessage(const AllSources *, llvm::raw_ostream &,
                       const std::optional<ProvenanceRange> &,
                       const std::string &, const std::string &,
                       llvm::raw_ostream::Colors,
                       bool) __asm__("__real_" EMIT_MESSAGE);
void emitMessage(const AllSources *, llvm::raw_ostream &,
                 const std::optional<ProvenanceRange> &, const std::string &,
                 const std::string &, llvm::raw_ostream::Colors,
                 bool) __asm__("__wrap_" EMIT_MESSAGE);

void emitMessage(const AllSources *sources, llvm::raw_ostream &os,
                 const std::optional<ProvenanceRange> &place,
                 const std::string &message, const std::string &prefix,
                 llvm::raw_ostream::Colors color, bool echoSourceLine) {
  const bool explains = prefix.empty() || prefix == "in the context: ";
  flangsEmitMessage(sources, os, place, message,
                    prefix == "because: "       ? "note: "
                    : place && explains         ? "note: " + prefix
                    : prefix == "portability: " ? "warning: " + prefix
                                                : prefix,
                    color, echoSourceLine);
}
