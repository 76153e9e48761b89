//===- Elements.h - complex numbers of C as those of C++ --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_ELEMENTS_H
#define CUFORT_LIBRARIES_COMMON_ELEMENTS_H

#include "cuComplex.h"
#include <complex>
#include <type_traits>

namespace cufort::libraries {

/// The real type of T's precision.
template <typename T> struct RealOf {
  using Type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using Type = T;
};
template <typename T> using Real = typename RealOf<T>::Type;
template <typename T> constexpr bool IsComplex = !std::is_same_v<T, Real<T>>;

template <typename T> T conjugate(T x) {
  if constexpr (IsComplex<T>)
    return {x.real(), -x.imag()};
  else
    return x;
}

/// An argument of a routine as the CPU's functions take it: complex numbers of
/// the interface are those of C++, and all else is as it is.
template <typename T> T elements(T argument) { return argument; }

#define CUFORT_ELEMENTS(Complex, Number)                                       \
  inline std::complex<Number> *elements(Complex *array) {                      \
    return reinterpret_cast<std::complex<Number> *>(array);                    \
  }                                                                            \
  inline const std::complex<Number> *elements(const Complex *array) {          \
    return reinterpret_cast<const std::complex<Number> *>(array);              \
  }                                                                            \
  inline std::complex<Number> *const *elements(Complex *const *arrays) {       \
    return reinterpret_cast<std::complex<Number> *const *>(arrays);            \
  }                                                                            \
  inline const std::complex<Number> *const *elements(                          \
      const Complex *const *arrays) {                                          \
    return reinterpret_cast<const std::complex<Number> *const *>(arrays);      \
  }
CUFORT_ELEMENTS(cuComplex, float)
CUFORT_ELEMENTS(cuDoubleComplex, double)
#undef CUFORT_ELEMENTS

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_ELEMENTS_H
