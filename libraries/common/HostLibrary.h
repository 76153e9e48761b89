//===- HostLibrary.h - an open library of the system's ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the CPU's functions rest on (OpenBLAS, FFTW) is opened when it is first
// needed: programs that do not need it run without, and a licence such as
// FFTW's (GPL) does not reach programs that are linked with cufort.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_HOSTLIBRARY_H
#define CUFORT_LIBRARIES_COMMON_HOSTLIBRARY_H

#include <atomic>

namespace cufort::libraries {

class HostLibrary {
public:
  /// \p files: its names in the order in which they are tried, up to a null;
  /// \p package: Debian's that has it, for the message that it is not there.
  constexpr HostLibrary(const char *name, const char *const *files,
                        const char *package)
      : name(name), files(files), package(package) {}

  /// Whether it can be opened; says once on standard error that it cannot.
  bool present() { return open(false); }
  /// The same without a word.
  bool presentQuietly() { return open(true); }

  /// The symbol \p symbol; null where the library or the symbol is not there
  /// (the latter is said on standard error only if \p needed).
  void *symbol(const char *symbol, bool needed = true);

  template <typename Function>
  Function *function(const char *symbolName, bool needed = true) {
    return reinterpret_cast<Function *>(symbol(symbolName, needed));
  }

private:
  void *open(bool quietly);

  const char *const name;
  const char *const *const files;
  const char *const package;
  std::atomic<void *> handle{nullptr};
  std::atomic<bool> absenceSaid{false};
};

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_HOSTLIBRARY_H
