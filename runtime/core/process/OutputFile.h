//===- OutputFile.h - files that the runtime writes -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_PROCESS_OUTPUTFILE_H
#define CUFORT_RUNTIME_CORE_PROCESS_OUTPUTFILE_H

#include <string>
#include <string_view>

namespace cufort {

/// The name of a file that an environment variable gives as \p pattern: %p
/// becomes the process's number, %q{NAME} an environment variable, %% one sign,
/// as in NVIDIA's tools. Without any, the rank of an MPI program comes before
/// the suffix.
std::string outputFileName(const std::string &pattern);

/// \p text as a string of JSON. Bytes that are not UTF-8 are taken for Latin-1.
std::string jsonString(std::string_view text);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_PROCESS_OUTPUTFILE_H
