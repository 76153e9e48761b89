//===- HostCode.h - host code that uses device memory -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_HOSTCODE_H
#define CUFORT_RUNTIME_CHECK_HOSTCODE_H

namespace cufort::check {

/// Host code at \p instruction has touched device memory at \p address, which
/// ends the program: reports it and does not return. For the handler of the
/// signal.
[[noreturn]] void endForHostAccess(const void *instruction, const void *address,
                                   bool writes);

/// The program gets a signal that will end it.
void noteFatalSignal();

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_HOSTCODE_H
