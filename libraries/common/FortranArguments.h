//===- FortranArguments.h - what Fortran passes -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the generated functions that the interfaces of the modules call: integers
// of any kind and character strings are descriptors, and one interface for
// scalars of the host and one for those of the device set the pointer mode.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_FORTRANARGUMENTS_H
#define CUFORT_LIBRARIES_COMMON_FORTRANARGUMENTS_H

#include <cstdint>
#include <cstring>
#include <flang/ISO_Fortran_binding.h>
#include <library_types.h>
#include <string>
#include <type_traits>

namespace cufort::libraries {

/// The value of an integer of any kind; 0 where the argument is absent.
inline int64_t integerOf(const CFI_cdesc_t *d) {
  if (!d || !d->base_addr)
    return 0;
  switch (d->elem_len) {
  case 1:
    return *static_cast<const int8_t *>(d->base_addr);
  case 2:
    return *static_cast<const int16_t *>(d->base_addr);
  case 4:
    return *static_cast<const int32_t *>(d->base_addr);
  default:
    return *static_cast<const int64_t *>(d->base_addr);
  }
}

/// Integers of any kind that a function sets, once that has returned: one, or
/// as many as an array has.
template <typename T> class SetInteger {
public:
  explicit SetInteger(const CFI_cdesc_t *d)
      : d(d), values{static_cast<T>(integerOf(d))} {}
  SetInteger(const SetInteger &) = delete;
  SetInteger &operator=(const SetInteger &) = delete;
  ~SetInteger() {
    if (d && d->base_addr && d->elem_len == 4)
      for (size_t i = 0; i < Most && (i == 0 || i < extent()); ++i)
        static_cast<int32_t *>(d->base_addr)[i] =
            static_cast<int32_t>(values[i]);
  }
  operator T *() {
    return d && d->base_addr && d->elem_len == sizeof(T)
               ? static_cast<T *>(d->base_addr)
               : values;
  }

private:
  /// The largest number of devices of a plan.
  static constexpr size_t Most = 64;

  /// Of an array of assumed size: one that is not known.
  size_t extent() const {
    size_t all = 1;
    for (int i = 0; i != d->rank; ++i)
      all *= d->dim[i].extent < 0 ? 1 : static_cast<size_t>(d->dim[i].extent);
    return all;
  }

  const CFI_cdesc_t *const d;
  T values[Most];
};

/// An optional scalar; zero where it is absent.
template <typename T> T valueOf(const T *argument) {
  return argument ? *argument : T();
}

/// A scalar of the host where its type in C may be expected: Fortran's complex
/// numbers are aligned like their parts, and NVIDIA's libraries read two parts
/// at once. Lives until the call is over.
template <typename T> class Aligned {
public:
  explicit Aligned(T *given)
      : given(given), bytes(reinterpret_cast<uintptr_t>(given)),
        isCopy(bytes % alignof(T)) {
    if (isCopy)
      std::memcpy(&copy, reinterpret_cast<const char *>(bytes), sizeof copy);
  }
  Aligned(const Aligned &) = delete;
  Aligned &operator=(const Aligned &) = delete;
  ~Aligned() {
    if constexpr (!std::is_const_v<T>)
      if (isCopy)
        std::memcpy(reinterpret_cast<char *>(bytes), &copy, sizeof copy);
  }
  operator T *() { return isCopy ? &copy : given; }

private:
  T *const given;
  /// As a number: behind a pointer to T the compiler expects T's alignment.
  const uintptr_t bytes;
  const bool isCopy;
  std::remove_const_t<T> copy;
};

/// A scalar of any type, which is read: the largest is a complex number of
/// double precision.
template <> class Aligned<const void> {
public:
  explicit Aligned(const void *given) : given(given) {
    const uintptr_t place = reinterpret_cast<uintptr_t>(given);
    // What follows a smaller one may be read within its page.
    isCopy = place % sizeof copy && place % Page <= Page - sizeof copy;
    if (isCopy)
      std::memcpy(copy, given, sizeof copy);
  }
  Aligned(const Aligned &) = delete;
  Aligned &operator=(const Aligned &) = delete;
  operator const void *() const { return isCopy ? copy : given; }

private:
  static constexpr uintptr_t Page = 4096;
  const void *const given;
  bool isCopy;
  alignas(16) char copy[16];
};

/// A scalar of the type \p type, which is written, or read and written.
template <> class Aligned<void> {
public:
  Aligned(void *given, cudaDataType type)
      : given(given), size(type == CUDA_C_64F   ? 16
                           : type == CUDA_C_32F ? 8
                                                : 0) {
    if (!size || reinterpret_cast<uintptr_t>(given) % size == 0)
      size = 0;
    else
      std::memcpy(copy, given, size);
  }
  Aligned(const Aligned &) = delete;
  Aligned &operator=(const Aligned &) = delete;
  ~Aligned() {
    if (size)
      std::memcpy(given, copy, size);
  }
  operator void *() { return size ? copy : given; }

private:
  void *const given;
  size_t size; ///< of what was copied
  alignas(16) char copy[16];
};

/// A character string as C has it, without the blanks at its end.
class Text {
public:
  explicit Text(const CFI_cdesc_t *d)
      : text(static_cast<const char *>(d->base_addr), d->elem_len) {
    text.erase(text.find_last_not_of(' ') + 1);
    text.resize(text.find('\0') == std::string::npos ? text.size()
                                                     : text.find('\0'));
  }
  const char *string() const { return text.c_str(); }

private:
  std::string text;
};

/// Sets the pointer mode of a handle for one call. A handle that is not valid
/// is left to the call.
template <typename Handle, auto Get, auto Set, auto HostMode, auto DeviceMode>
class PointerMode {
  using Value = decltype(HostMode);

public:
  static constexpr Value Host = HostMode, Device = DeviceMode;

  PointerMode(Handle handle, Value wanted) : handle(handle) {
    changed = Get(handle, &before) == 0 && before != wanted;
    if (changed)
      Set(handle, wanted);
  }
  PointerMode(const PointerMode &) = delete;
  PointerMode &operator=(const PointerMode &) = delete;
  ~PointerMode() {
    if (changed)
      Set(handle, before);
  }

private:
  const Handle handle;
  Value before = HostMode;
  bool changed;
};

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_FORTRANARGUMENTS_H
