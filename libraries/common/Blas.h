//===- Blas.h - the system's BLAS and LAPACK --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenBLAS, or whatever BLAS and LAPACK the system has, opened when it is first
// needed (HostLibrary.h), and called as Fortran calls it:
//
//   blas<double, "gemm">('N', 'T', m, n, k, alpha, a, lda, b, ldb, beta, c,
//   ldc)
//
// is DGEMM with all arguments by address; integers are ints.
//
// OpenBLAS has threads of its own. A routine for a whole team (Team.h) holds a
// BlasThreads with the team's number of threads while it calls OpenBLAS from
// its leading thread; one that shares many small problems among the team's
// threads holds one with the number one. A call that is made by a single thread
// and small (BlasSmall) holds none: OpenBLAS does not share it either.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_BLAS_H
#define CUFORT_LIBRARIES_COMMON_BLAS_H

#include <atomic>
#include <complex>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace cufort::libraries {

/// Whether there is a BLAS; says once on standard error that there is none,
/// unless \p quietly.
bool blasPresent(bool quietly = false);
/// The same of LAPACK.
bool lapackPresent();

/// A symbol of BLAS or of LAPACK ("dgemm_", "cblas_zdotc_sub"). Null where it
/// is not there, which is said unless \p optional.
void *blasSymbol(const char *name, bool optional = false);

/// While one lives, OpenBLAS uses \p threads threads for a call; afterwards, as
/// many as before, so that calls of the program's own are what they were. Of
/// several at the same time the smallest number is valid.
class BlasThreads {
public:
  explicit BlasThreads(unsigned threads);
  BlasThreads(const BlasThreads &) = delete;
  BlasThreads &operator=(const BlasThreads &) = delete;
  ~BlasThreads();

private:
  const bool serial;
};

/// Products of sizes up to which OpenBLAS uses one thread: m*n*k of a product
/// of matrices, m*n of one with a vector, n of vectors.
namespace BlasSmall {
constexpr double Level3 = 262144, Level2 = 9216, Level1 = 10000;
} // namespace BlasSmall

namespace detail {

/// A name as an argument of a template.
template <size_t N> struct Name {
  consteval Name(const char (&text)[N]) {
    for (size_t i = 0; i != N; ++i)
      characters[i] = text[i];
  }
  char characters[N];
};

template <typename T>
constexpr char Letter = std::is_same_v<T, float>                 ? 's'
                        : std::is_same_v<T, double>              ? 'd'
                        : std::is_same_v<T, std::complex<float>> ? 'c'
                                                                 : 'z';

/// The symbol \p Prefix \p Routine _, looked up at its first use.
template <char Prefix, Name Routine> void *fortranSymbol() {
  static std::atomic<void *> found{nullptr};
  void *symbol = found.load(std::memory_order_acquire);
  if (symbol)
    return symbol;
  constexpr size_t Length = sizeof(Routine.characters) - 1;
  char name[Length + 3] = {Prefix};
  char *next = name + (Prefix != 0);
  for (size_t i = 0; i != Length; ++i)
    *next++ = Routine.characters[i];
  *next++ = '_';
  *next = 0;
  symbol = blasSymbol(name);
  found.store(symbol, std::memory_order_release);
  return symbol;
}

/// An argument by address.
template <typename T> const T *address(const T &value) { return &value; }
template <typename T> T *address(T *pointer) { return pointer; }
template <typename T> using Address = decltype(address(std::declval<T>()));

template <typename Result, typename... Passed>
Result callFortran(void *symbol, Passed... passed) {
  // The lengths of strings follow all arguments. Up to eight letters come.
  constexpr size_t Strings =
      (size_t(std::is_same_v<std::remove_cv_t<std::remove_pointer_t<Passed>>,
                             char>) +
       ... + 0);
  if constexpr (Strings == 0)
    return reinterpret_cast<Result (*)(Passed...)>(symbol)(passed...);
  else if constexpr (Strings == 1)
    return reinterpret_cast<Result (*)(Passed..., size_t)>(symbol)(passed...,
                                                                   1);
  else if constexpr (Strings == 2)
    return reinterpret_cast<Result (*)(Passed..., size_t, size_t)>(symbol)(
        passed..., 1, 1);
  else
    return reinterpret_cast<Result (*)(Passed..., size_t, size_t, size_t,
                                       size_t)>(symbol)(passed..., 1, 1, 1, 1);
}

} // namespace detail

/// Calls the routine of T's letter. Values are passed by address, pointers as
/// they are; a character is a string of one. A routine that is not there, which
/// is said, is called at address zero and so fails the device.
template <typename T, detail::Name Routine, typename Result = void,
          typename... Arguments>
Result blas(const Arguments &...arguments) {
  return detail::callFortran<Result>(
      detail::fortranSymbol<detail::Letter<T>, Routine>(),
      detail::address(arguments)...);
}

/// The same by the whole name: fortran<"izamax", int>(n, x, incx).
template <detail::Name Routine, typename Result = void, typename... Arguments>
Result fortran(const Arguments &...arguments) {
  return detail::callFortran<Result>(detail::fortranSymbol<0, Routine>(),
                                     detail::address(arguments)...);
}

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_BLAS_H
