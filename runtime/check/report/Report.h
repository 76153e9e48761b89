//===- Report.h - what the checkers found -----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checkers call report() as often as they find something. Each pair of
// source places is said once, with how often it was met. The text goes to
// standard error, the file that CUFORT_CHECK_REPORT names is written when the
// program ends, however it ends.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_REPORT_REPORT_H
#define CUFORT_RUNTIME_CHECK_REPORT_REPORT_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cufort::check {

enum class Kind : uint8_t { Race, Memory, Init, Sync, Leak };

/// What was done at a place. Allocate, Free and Launch are statements of the
/// host; so is Host, which reads or writes the memory itself.
enum class Access : uint8_t {
  Read,
  Write,
  Atomic,
  Barrier,
  Copy,
  Host,
  Allocate,
  Free,
  Launch,
};

enum class Space : uint8_t { Unknown, Global, Shared, Local, Constant, Host };

/// One access, or a statement that has to do with one. What is not known stays
/// as it is here.
struct Place {
  std::string file = {};
  unsigned line = 0, column = 0; ///< from 1; 0: not known
  Access access = Access::Read;
  Space space = Space::Unknown;
  unsigned bytes = 0;        ///< of one access
  std::string variable = {}; ///< "s", as the source has it
  std::string shape = {};    ///< "s(256)", "a(0:n)" with numbers, "t[16][17]"
  std::string element = {};  ///< "s(17)" or "s[16]", in the language's base
  bool hasThread = false;    ///< whether the two that follow are known
  unsigned thread[3] = {0, 0, 0}; ///< from 0 in any language
  unsigned block[3] = {0, 0, 0};
  bool fortran = false; ///< counts from 1 in reports
  /// The iteration of a kernel loop, by the loops' variables, beside thread and
  /// block; empty: it is none, or not known.
  std::vector<std::pair<std::string, int64_t>> iteration = {};
};

/// What a checker says. The first place is where the fault was noticed.
struct Report {
  Kind kind = Kind::Memory;
  /// A short name that does not change, as "race-shared", "out-of-bounds",
  /// "use-after-free", "uninitialized", "divergent-barrier".
  const char *rule = "";
  std::string kernel = {}; ///< as the source has it; empty: none was running
  std::vector<Place> places = {};
  /// The headline, in the words of NVIDIA's tools; empty: it is made of kind,
  /// rule and places.
  std::string title = {};
  /// Sentences about the address and whatever else is known, without the
  /// prefix: "Access to 0x7f... is out of bounds".
  std::vector<std::string> details = {};
  /// What is likely missing; empty: not known.
  std::string hint = {};
  uint64_t count = 1; ///< occurrences that this call stands for
};

/// Any thread may call it, signal handlers may not. Reports that are suppressed
/// or beyond the limit are counted only. Returns what countAgain asks for.
size_t report(const Report &report);
/// The same has happened once more.
void countAgain(size_t reported);

/// Whether reports of \p kernel are wanted (CUFORT_CHECK_KERNEL): accesses of
/// others need not be looked at.
bool kernelIsWanted(const char *kernel);

/// The program is one that was built with --check, with these checkers, and
/// reports are on from here: called by the image's constructor or the first
/// launch, as often as one likes.
void start();

/// The program runs on a GPU, where nothing is checked: says so.
void runUnchecked();

/// The name of \p kernel (procedureName's) as it stands in the source: that of
/// a module procedure without the module, that of C++ without types.
std::string plainName(const std::string &kernel);

/// Prints the summary and writes the report files, once; whether there was any
/// report. Called when the program ends.
bool finish();

/// The same where the program is to end with \p status and no handler of exit
/// will run any more. Returns with what it has to end.
int finishWith(int status);

/// The same in a handler of a signal that ends the program: as well as it can
/// be done there.
bool finishInSignal();

/// How many reports there are so far.
uint64_t reports();

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_REPORT_REPORT_H
