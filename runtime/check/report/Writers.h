//===- Writers.h - the forms of reports -------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_REPORT_WRITERS_H
#define CUFORT_RUNTIME_CHECK_REPORT_WRITERS_H

#include "runtime/check/report/Report.h"
#include <string>
#include <vector>

namespace cufort::check {

/// What \p report says in one line: "Invalid __global__ write of size 4 bytes".
std::string headline(const Report &report);
/// "thread (1,1,1) in block (2,1,1)" in the base of the place's language, or
/// the iteration; empty: not known.
std::string whoseAccess(const Place &place);
/// The line of the source that \p place is on; empty: it cannot be read.
std::string sourceLine(const Place &place);
/// \p path from the folder that the program runs in, if it is below.
std::string shown(const std::string &path);
/// "read", "write", "atomic", "barrier", "copy" or "host".
const char *name(Access access);
/// The index of a thread or block in the base of the place's language.
unsigned inItsBase(const Place &place, unsigned index);

/// In the words of NVIDIA's tools, each line with their prefix.
std::string asText(const Report &report);
/// {"reports":[...]}; docs/checking.md has the layout.
std::string asJson(const std::vector<Report> &reports);
/// SARIF 2.1.0, as GitHub's code scanning takes it.
std::string asSarif(const std::vector<Report> &reports);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_REPORT_WRITERS_H
