//===- Legacy.h - cuBLAS without handles ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The old interface, in C and in Fortran, is a layer on the new one, on the GPU
// as on the CPU. Letters that are no option become numbers that are none, which
// the new one refuses.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUBLAS_LEGACY_H
#define CUFORT_LIBRARIES_CUBLAS_LEGACY_H

#include "cublas_api.h"
#include "libraries/common/Blas.h"
#include <cctype>

namespace cufort::cublas {

/// One call: the thread's handle for its device, with scalars where they are.
class Legacy {
public:
  static constexpr cublasPointerMode_t Host = CUBLAS_POINTER_MODE_HOST,
                                       Device = CUBLAS_POINTER_MODE_DEVICE;

  explicit Legacy(cublasPointerMode_t scalars);
  Legacy(const Legacy &) = delete;
  Legacy &operator=(const Legacy &) = delete;
  ~Legacy();

  cublasHandle_t handle() const { return used; }
  /// What cublasGetError returns.
  void ended(cublasStatus_t status) const;

private:
  const cublasHandle_t used;
  cublasPointerMode_t before = Host;
  bool changed = false;
};

/// The calling thread's handle for its device, made at the first use. Null: it
/// cannot be made.
cublasHandle_t defaultHandle();
/// Another one, which the program does not get.
cublasHandle_t hiddenHandle();

/// The function of the host's BLAS that the program is linked with; where it is
/// linked with none (\p linked is null), the system's.
template <typename Function>
Function *hostFunction(Function *linked, const char *name) {
  return linked ? linked
                : reinterpret_cast<Function *>(libraries::blasSymbol(name));
}

inline cublasOperation_t operationOf(char letter) {
  switch (std::toupper(static_cast<unsigned char>(letter))) {
  case 'N':
    return CUBLAS_OP_N;
  case 'T':
    return CUBLAS_OP_T;
  case 'C':
    return CUBLAS_OP_C;
  }
  return static_cast<cublasOperation_t>(-1);
}
inline cublasFillMode_t fillModeOf(char letter) {
  switch (std::toupper(static_cast<unsigned char>(letter))) {
  case 'U':
    return CUBLAS_FILL_MODE_UPPER;
  case 'L':
    return CUBLAS_FILL_MODE_LOWER;
  }
  return static_cast<cublasFillMode_t>(-1);
}
inline cublasSideMode_t sideModeOf(char letter) {
  switch (std::toupper(static_cast<unsigned char>(letter))) {
  case 'L':
    return CUBLAS_SIDE_LEFT;
  case 'R':
    return CUBLAS_SIDE_RIGHT;
  }
  return static_cast<cublasSideMode_t>(-1);
}
inline cublasDiagType_t diagTypeOf(char letter) {
  switch (std::toupper(static_cast<unsigned char>(letter))) {
  case 'U':
    return CUBLAS_DIAG_UNIT;
  case 'N':
    return CUBLAS_DIAG_NON_UNIT;
  }
  return static_cast<cublasDiagType_t>(-1);
}

} // namespace cufort::cublas

#endif // CUFORT_LIBRARIES_CUBLAS_LEGACY_H
