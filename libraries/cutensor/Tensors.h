//===- Tensors.h - cuTENSOR's objects on the CPU ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUTENSOR_TENSORS_H
#define CUFORT_LIBRARIES_CUTENSOR_TENSORS_H

#include "cutensor_functions.h"
#include "libraries/common/Handles.h"
#include "libraries/common/Perform.h"
#include <vector>

struct cutensorHandle {
  int unused = 0;
};

struct cutensorTensorDescriptor {
  std::vector<int64_t> extents, strides;
  cutensorDataType_t type = CUDA_R_32F;
};

namespace cufort::cutensor {

using namespace cufort::libraries;

/// A tensor of an operation: what each of its dimensions is called.
struct Operand {
  std::vector<int64_t> extents, strides;
  std::vector<int32_t> modes;
  cutensorOperator_t op = CUTENSOR_OP_IDENTITY;

  /// The place of a mode; -1: it has none.
  int place(int32_t mode) const {
    for (size_t i = 0; i != modes.size(); ++i)
      if (modes[i] == mode)
        return int(i);
    return -1;
  }
  bool has(int32_t mode) const { return place(mode) >= 0; }
  int64_t extentOf(int32_t mode) const {
    const int i = place(mode);
    return i < 0 ? 1 : extents[size_t(i)];
  }
  int64_t strideOf(int32_t mode) const {
    const int i = place(mode);
    return i < 0 ? 0 : strides[size_t(i)];
  }
};

enum class Kind { Permutation, Binary, Trinary, Reduction, Contraction };

} // namespace cufort::cutensor

/// D is what is written, of a permutation B. Operands that an operation has not
/// have no modes.
struct cutensorOperationDescriptor {
  cufort::cutensor::Kind kind{};
  cufort::cutensor::Operand a{}, b{}, c{}, d{};
  /// How a and b (of a binary operation a and c) are combined, and the result
  /// with c; of a reduction, its elements.
  cutensorOperator_t first = CUTENSOR_OP_ADD, second = CUTENSOR_OP_ADD;
  cutensorDataType_t type = CUDA_R_32F;
  int32_t tag = 0;
};

struct cutensorPlan {
  cutensorOperationDescriptor operation;
};

struct cutensorPlanPreference {
  cutensorAlgo_t algorithm = CUTENSOR_ALGO_DEFAULT;
  cutensorJitMode_t jit = CUTENSOR_JIT_MODE_NONE;
  cutensorCacheMode_t cache = CUTENSOR_CACHE_MODE_PEDANTIC;
  cutensorAutotuneMode_t autotune = CUTENSOR_AUTOTUNE_MODE_NONE;
  int32_t count = 4, rank = 0;
};

namespace cufort::cutensor {

inline cutensorStatus_t check(cutensorHandle_t handle, bool valid = true) {
  return !handles<cutensorHandle>().isValid(handle)
             ? CUTENSOR_STATUS_NOT_INITIALIZED
         : valid ? CUTENSOR_STATUS_SUCCESS
                 : CUTENSOR_STATUS_INVALID_VALUE;
}

inline cutensorStatus_t statusOf(Error error) {
  return error == cudaSuccess ? CUTENSOR_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation
             ? CUTENSOR_STATUS_ALLOC_FAILED
             : CUTENSOR_STATUS_EXECUTION_FAILED;
}

/// For each element of the dimensions \p modes, the first of which goes
/// fastest, where it is in \p operand.
std::vector<int64_t> offsets(const std::vector<int32_t> &modes,
                             const cutensorOperationDescriptor &operation,
                             const Operand &operand);

/// The extent of a mode of an operation, 0 if no operand has it.
int64_t extentOf(const cutensorOperationDescriptor &operation, int32_t mode);

} // namespace cufort::cutensor

#endif // CUFORT_LIBRARIES_CUTENSOR_TENSORS_H
