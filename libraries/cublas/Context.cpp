//===- Context.cpp - cuBLAS on the CPU: handles and copies ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Context.h"
#include <cctype>
#include <cstdio>

namespace cufort::cublas {

bool refuse(char letter, const char *name, std::initializer_list<Rule> rules) {
  for (const Rule &rule : rules)
    if (rule.broken) {
      std::printf(
          " ** On entry to %c%s parameter number %d had an illegal value\n",
          std::toupper(letter), name, rule.argument);
      std::fflush(stdout);
      return true;
    }
  return false;
}

namespace {

/// Sets or asks something of a handle.
template <typename Call> cublasStatus_t with(cublasHandle_t h, Call call) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return call(*h);
}

template <typename Enum, typename... Values>
bool isOneOf(Enum value, Values... values) {
  return ((value == values) || ...);
}

} // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t *h) {
  if (!h)
    return CUBLAS_STATUS_INVALID_VALUE;
  cublasStatus_t result = CUBLAS_STATUS_ALLOC_FAILED;
  catchExhaustion([&] {
    if (blasPresent()) {
      *h = handles<cublasContext>().make();
      result = CUBLAS_STATUS_SUCCESS;
    } else {
      result = CUBLAS_STATUS_NOT_INITIALIZED;
    }
    return cudaSuccess;
  });
  return result;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t h) {
  return handles<cublasContext>().destroy(h) ? CUBLAS_STATUS_SUCCESS
                                             : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t h, int *version) {
  return with(h, [&](cublasContext &) {
    if (!version)
      return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return CUBLAS_STATUS_INVALID_VALUE;
  switch (type) {
  case MAJOR_VERSION:
    *value = CUBLAS_VER_MAJOR;
    return CUBLAS_STATUS_SUCCESS;
  case MINOR_VERSION:
    *value = CUBLAS_VER_MINOR;
    return CUBLAS_STATUS_SUCCESS;
  case PATCH_LEVEL:
    *value = CUBLAS_VER_PATCH;
    return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}
size_t cublasGetCudartVersion() {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  return static_cast<size_t>(version);
}

// Work space is OpenBLAS's own.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t h, void *, size_t) {
  return with(h, [](cublasContext &) { return CUBLAS_STATUS_SUCCESS; });
}

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

cublasStatus_t cublasSetStream_v2(cublasHandle_t h, cudaStream_t stream) {
  return with(h, [=](cublasContext &c) {
    c.stream = stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}

/// A setting: what its values are, and where it is.
#define CUFORT_SETTING(Name, Type, member, isValue)                            \
  cublasStatus_t cublasGet##Name(cublasHandle_t h, Type *value) {              \
    return with(h, [=](cublasContext &c) {                                     \
      if (!value)                                                              \
        return CUBLAS_STATUS_INVALID_VALUE;                                    \
      *value = c.member;                                                       \
      return CUBLAS_STATUS_SUCCESS;                                            \
    });                                                                        \
  }                                                                            \
  CUFORT_SETTER(Name, Type, member, isValue)
#define CUFORT_SETTER(Name, Type, member, isValue)                             \
  cublasStatus_t cublasSet##Name(cublasHandle_t h, Type value) {               \
    return with(h, [=](cublasContext &c) {                                     \
      if (!(isValue))                                                          \
        return CUBLAS_STATUS_INVALID_VALUE;                                    \
      c.member = value;                                                        \
      return CUBLAS_STATUS_SUCCESS;                                            \
    });                                                                        \
  }

CUFORT_SETTING(PointerMode_v2, cublasPointerMode_t, pointerMode,
               isOneOf(value, CUBLAS_POINTER_MODE_HOST,
                       CUBLAS_POINTER_MODE_DEVICE))
CUFORT_SETTING(AtomicsMode, cublasAtomicsMode_t, atomicsMode,
               isOneOf(value, CUBLAS_ATOMICS_NOT_ALLOWED,
                       CUBLAS_ATOMICS_ALLOWED))
// How exact products may be: on the CPU they are what the types are.
CUFORT_SETTING(MathMode, cublasMath_t, mathMode,
               isOneOf(value &
                           ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION,
                       CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH,
                       CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH,
                       CUBLAS_FP32_EMULATED_BF16X9_MATH,
                       CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH))
CUFORT_SETTING(EmulationStrategy, cublasEmulationStrategy_t, emulation,
               isOneOf(value, CUBLAS_EMULATION_STRATEGY_DEFAULT,
                       CUBLAS_EMULATION_STRATEGY_PERFORMANT,
                       CUBLAS_EMULATION_STRATEGY_EAGER))
// Nothing is emulated on the CPU: products of doubles are those.
CUFORT_SETTING(EmulationSpecialValuesSupport, cudaEmulationSpecialValuesSupport,
               specialValues,
               value == CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT ||
                   (value & ~(CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_INFINITY |
                              CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NAN)) == 0)
CUFORT_SETTING(FixedPointEmulationMantissaControl, cudaEmulationMantissaControl,
               mantissaControl,
               isOneOf(value, CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC,
                       CUDA_EMULATION_MANTISSA_CONTROL_FIXED))
CUFORT_SETTING(FixedPointEmulationMaxMantissaBitCount, int, maxMantissaBitCount,
               value >= 0)
CUFORT_SETTING(FixedPointEmulationMantissaBitOffset, int, mantissaBitOffset,
               true)
CUFORT_SETTING(SmCountTarget, int, smCountTarget, value >= 0)

cublasStatus_t cublasGetStream_v2(cublasHandle_t h, cudaStream_t *stream) {
  return with(h, [=](cublasContext &c) {
    if (!stream)
      return CUBLAS_STATUS_INVALID_VALUE;
    *stream = c.stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}

// There are no messages but those on standard output and error.
cublasStatus_t cublasLoggerConfigure(int, int, int, const char *) {
  return CUBLAS_STATUS_SUCCESS;
}

static std::atomic<cublasLogCallback> Logger{nullptr};
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback userCallback) {
  Logger = userCallback;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *userCallback) {
  if (!userCallback)
    return CUBLAS_STATUS_INVALID_VALUE;
  *userCallback = Logger;
  return CUBLAS_STATUS_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Statuses
//===----------------------------------------------------------------------===//

#define CUFORT_STATUSES(X)                                                     \
  X(CUBLAS_STATUS_SUCCESS, "success")                                          \
  X(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized")          \
  X(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed")              \
  X(CUBLAS_STATUS_INVALID_VALUE,                                               \
    "an unsupported value or parameter was passed to the function")            \
  X(CUBLAS_STATUS_ARCH_MISMATCH,                                               \
    "the function requires a feature that the device has not")                 \
  X(CUBLAS_STATUS_MAPPING_ERROR, "an access to device memory space failed")    \
  X(CUBLAS_STATUS_EXECUTION_FAILED, "the function failed on the device")       \
  X(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed")              \
  X(CUBLAS_STATUS_NOT_SUPPORTED, "the requested function is not supported")    \
  X(CUBLAS_STATUS_LICENSE_ERROR, "the requested function needs a license")

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define CUFORT_CASE(Status, text)                                              \
  case Status:                                                                 \
    return #Status;
    CUFORT_STATUSES(CUFORT_CASE)
#undef CUFORT_CASE
  }
  return "CUBLAS_STATUS_UNKNOWN";
}
const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define CUFORT_CASE(Status, text)                                              \
  case Status:                                                                 \
    return text;
    CUFORT_STATUSES(CUFORT_CASE)
#undef CUFORT_CASE
  }
  return "unknown status";
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {

/// How copies are made: to or from the device; in a stream, without waiting.
struct Way {
  cudaMemcpyKind kind;
  bool asynchronous = false;
  cudaStream_t stream = nullptr;
};

cublasStatus_t copyRows(size_t width, size_t rows, const void *from,
                        size_t fromPitch, void *to, size_t toPitch, Way way) {
  const cudaError_t error =
      way.asynchronous
          ? cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, rows,
                              way.kind, way.stream)
          : cudaMemcpy2D(to, toPitch, from, fromPitch, width, rows, way.kind);
  return error == ::cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copyVector(int n, int elemSize, const void *x, int incx, void *y,
                          int incy, Way way) {
  if (elemSize <= 0 || incx <= 0 || incy <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n < 0)
    return CUBLAS_STATUS_MAPPING_ERROR;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const auto size = static_cast<size_t>(elemSize);
  if (incx == 1 && incy == 1)
    return copyRows(size * n, 1, x, size * n, y, size * n, way);
  return copyRows(size, n, x, size * incx, y, size * incy, way);
}

cublasStatus_t copyMatrix(int rows, int cols, int elemSize, const void *A,
                          int lda, void *B, int ldb, Way way) {
  if (rows < 0 || cols < 0 || elemSize <= 0 || lda <= 0 || ldb <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || cols == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (lda < rows || ldb < rows)
    return CUBLAS_STATUS_MAPPING_ERROR;
  const auto size = static_cast<size_t>(elemSize);
  return copyRows(size * rows, cols, A, size * lda, B, size * ldb, way);
}

} // namespace

#define CUFORT_COPIES(Direction, Kind)                                         \
  cublasStatus_t cublas##Direction##Vector(int n, int elemSize, const void *x, \
                                           int incx, void *y, int incy) {      \
    return copyVector(n, elemSize, x, incx, y, incy, {Kind});                  \
  }                                                                            \
  cublasStatus_t cublas##Direction##VectorAsync(                               \
      int n, int elemSize, const void *x, int incx, void *y, int incy,         \
      cudaStream_t stream) {                                                   \
    return copyVector(n, elemSize, x, incx, y, incy, {Kind, true, stream});    \
  }                                                                            \
  cublasStatus_t cublas##Direction##Matrix(int rows, int cols, int elemSize,   \
                                           const void *A, int lda, void *B,    \
                                           int ldb) {                          \
    return copyMatrix(rows, cols, elemSize, A, lda, B, ldb, {Kind});           \
  }                                                                            \
  cublasStatus_t cublas##Direction##MatrixAsync(                               \
      int rows, int cols, int elemSize, const void *A, int lda, void *B,       \
      int ldb, cudaStream_t stream) {                                          \
    return copyMatrix(rows, cols, elemSize, A, lda, B, ldb,                    \
                      {Kind, true, stream});                                   \
  }
CUFORT_COPIES(Set, cudaMemcpyHostToDevice)
CUFORT_COPIES(Get, cudaMemcpyDeviceToHost)

} // namespace cufort::cublas
