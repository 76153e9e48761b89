//===- Dispatch.h - the vendor's library, or the CPU ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program calls (cublasDgemm_v2) jumps to a target that its first call
// decides: on a GPU the function of that name in NVIDIA's library, which is
// opened then, on the CPU ours. A process has devices of one kind only, so the
// target never changes again, and a call costs one load and one jump.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_DISPATCH_H
#define CUFORT_LIBRARIES_COMMON_DISPATCH_H

#include <atomic>
#include <climits>
#include <cstdint>
#include <initializer_list>

namespace cufort::libraries {

/// What came of the search for a function.
enum class Lead {
  Found,
  NoLibrary, ///< and no device: both are said on standard error, once
  NoFunction ///< the library has none of this name; said once
};

class VendorLibrary {
public:
  /// \p files: its names, newest first, up to a null; \p package: where it
  /// comes from, for the message that it is not there; \p withoutDevice: where
  /// there is no device, the CPU's functions are called; \p values: see
  /// valueOf.
  constexpr VendorLibrary(const char *name, const char *const *files,
                          const char *package, bool withoutDevice = false,
                          const char *const *values = nullptr)
      : name(name), files(files), package(package),
        withoutDevice(withoutDevice), values(values) {}

  /// Sets \p target to where \p function leads; \p onCpu null: nowhere there.
  template <typename Function>
  Lead lead(const char *function, std::atomic<Function> &target,
            Function onCpu) {
    void *found = nullptr;
    const Lead result = find(function, reinterpret_cast<void *>(onCpu), &found);
    if (result == Lead::Found)
      target.store(reinterpret_cast<Function>(found),
                   std::memory_order_release);
    return result;
  }

  /// Pointers 1, 2, ... stand for what the library has in its variables of the
  /// names that the constructor was given, up to a null, once it is opened.
  template <typename Pointer> Pointer valueOf(Pointer number) {
    return static_cast<Pointer>(valueOf(static_cast<void *>(number)));
  }
  void *valueOf(void *number);

private:
  Lead find(const char *function, void *onCpu, void **result);
  void *open();

  const char *const name;
  const char *const *const files;
  const char *const package;
  const bool withoutDevice;
  const char *const *const values;
  std::atomic<void *> handle{nullptr};
  std::atomic<bool> absenceSaid{false};
};

/// Whether kernels run on GPUs; makes the device's context the thread's, which
/// the vendor's library looks for. False as well where there is no device
/// (\p usable).
bool onGpu(bool *usable);

/// Opens one of \p files, without a word; null: none is there.
void *openVendorLibrary(const char *const *files);

/// Whether integers of 64 bits are such of 32.
inline bool areInts(std::initializer_list<int64_t> values) {
  for (int64_t value : values)
    if (value < INT_MIN || value > INT_MAX)
      return false;
  return true;
}

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_DISPATCH_H
