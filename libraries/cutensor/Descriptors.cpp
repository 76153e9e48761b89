//===- Descriptors.cpp - tensors, operations and plans --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cutensor/Tensors.h"
#include <algorithm>
#include <cstring>

// Numbers that stand for NVIDIA's (Dispatch.h).
extern "C" {
#define CUFORT_COMPUTE(name, number)                                           \
  [[gnu::visibility("default")]] const cutensorComputeDescriptor_t             \
      CUTENSOR_COMPUTE_DESC_##name =                                           \
          reinterpret_cast<cutensorComputeDescriptor_t>(uintptr_t(number));
CUFORT_COMPUTE(16F, 1)
CUFORT_COMPUTE(16BF, 2)
CUFORT_COMPUTE(TF32, 3)
CUFORT_COMPUTE(3XTF32, 4)
CUFORT_COMPUTE(32F, 5)
CUFORT_COMPUTE(64F, 6)
#undef CUFORT_COMPUTE
}

namespace cufort::cutensor {

int64_t extentOf(const cutensorOperationDescriptor &operation, int32_t mode) {
  for (const Operand *each :
       {&operation.a, &operation.b, &operation.c, &operation.d})
    if (each->has(mode))
      return each->extentOf(mode);
  return 0;
}

std::vector<int64_t> offsets(const std::vector<int32_t> &modes,
                             const cutensorOperationDescriptor &operation,
                             const Operand &operand) {
  std::vector<int64_t> all(1, 0);
  for (int32_t mode : modes) {
    const int64_t extent = extentOf(operation, mode),
                  stride = operand.strideOf(mode);
    const size_t count = all.size();
    all.resize(count * size_t(extent));
    for (int64_t i = extent; i-- > 0;)
      for (size_t k = 0; k != count; ++k)
        all[size_t(i) * count + k] = all[k] + i * stride;
  }
  return all;
}

namespace {

template <typename Object>
cutensorStatus_t make(cutensorHandle_t handle, Object **result, bool valid,
                      const Object &value = {}) {
  if (auto wrong = check(handle, result && valid))
    return wrong;
  return statusOf(catchExhaustion([&] {
    Object *object = handles<Object>().make();
    *object = value;
    *result = object;
    return cudaSuccess;
  }));
}

template <typename Object> cutensorStatus_t destroy(Object *object) {
  return !object || handles<Object>().destroy(object)
             ? CUTENSOR_STATUS_SUCCESS
             : CUTENSOR_STATUS_INVALID_VALUE;
}

bool isType(cutensorDataType_t type) {
  return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F ||
         type == CUDA_C_64F;
}
bool isComplex(cutensorDataType_t type) {
  return type == CUDA_C_32F || type == CUDA_C_64F;
}
bool isUnary(cutensorOperator_t op) {
  return op == CUTENSOR_OP_IDENTITY || op == CUTENSOR_OP_SQRT ||
         (op >= CUTENSOR_OP_RELU && op <= CUTENSOR_OP_TANH) ||
         (op >= CUTENSOR_OP_EXP && op <= CUTENSOR_OP_SOFT_SIGN);
}
bool isBinary(cutensorOperator_t op, cutensorDataType_t type) {
  return op == CUTENSOR_OP_ADD || op == CUTENSOR_OP_MUL ||
         (!isComplex(type) && (op == CUTENSOR_OP_MAX || op == CUTENSOR_OP_MIN));
}

/// What an operation is made of.
struct Part {
  Operand cutensorOperationDescriptor::*operand;
  cutensorTensorDescriptor_t tensor;
  const int32_t *modes;
  cutensorOperator_t op;
};

/// Checks the parts and makes the operation of them: each mode has one extent,
/// once in each tensor. \p fits tells what the kind of operation asks for.
template <typename Fits>
cutensorStatus_t makeOperation(cutensorHandle_t handle,
                               cutensorOperationDescriptor_t *result,
                               cutensorOperationDescriptor operation,
                               std::initializer_list<Part> parts, Fits fits) {
  if (auto wrong = check(handle, result))
    return wrong;
  bool supported = true;
  for (const Part &part : parts) {
    if (!handles<cutensorTensorDescriptor>().isValid(part.tensor) ||
        (!part.modes && !part.tensor->extents.empty()))
      return CUTENSOR_STATUS_INVALID_VALUE;
    Operand &operand = operation.*part.operand;
    operand.extents = part.tensor->extents;
    operand.strides = part.tensor->strides;
    operand.modes.assign(part.modes, part.modes + part.tensor->extents.size());
    operand.op = part.op;
    for (size_t i = 0; i != operand.modes.size(); ++i)
      if (std::count(operand.modes.begin(), operand.modes.end(),
                     operand.modes[i]) != 1 ||
          extentOf(operation, operand.modes[i]) != operand.extents[i])
        return CUTENSOR_STATUS_INVALID_VALUE;
    if (!isUnary(part.op))
      return CUTENSOR_STATUS_INVALID_VALUE;
    if (&part == parts.begin())
      operation.type = part.tensor->type;
    // All of one type; of complex numbers there are no functions.
    supported &=
        isType(part.tensor->type) && part.tensor->type == operation.type &&
        (!isComplex(operation.type) || part.op == CUTENSOR_OP_IDENTITY ||
         part.op == CUTENSOR_OP_CONJ);
  }
  if (!fits(operation))
    return CUTENSOR_STATUS_INVALID_VALUE;
  if (!supported || !isBinary(operation.first, operation.type) ||
      !isBinary(operation.second, operation.type))
    return CUTENSOR_STATUS_NOT_SUPPORTED;
  return make(handle, result, true, operation);
}

/// Whether all modes of \p part are modes of \p whole.
bool isWithin(const Operand &part, const Operand &whole) {
  return std::all_of(part.modes.begin(), part.modes.end(),
                     [&](int32_t mode) { return whole.has(mode); });
}

using Descriptor = cutensorOperationDescriptor;

} // namespace

cutensorStatus_t cutensorCreate(cutensorHandle_t *handle) {
  if (!handle)
    return CUTENSOR_STATUS_INVALID_VALUE;
  return statusOf(catchExhaustion([&] {
    *handle = handles<cutensorHandle>().make();
    return cudaSuccess;
  }));
}
cutensorStatus_t cutensorDestroy(cutensorHandle_t handle) {
  return handles<cutensorHandle>().destroy(handle)
             ? CUTENSOR_STATUS_SUCCESS
             : CUTENSOR_STATUS_NOT_INITIALIZED;
}
const char *cutensorGetErrorString(cutensorStatus_t error) {
  switch (error) {
#define CUFORT_CASE(name)                                                      \
  case CUTENSOR_STATUS_##name:                                                 \
    return "CUTENSOR_STATUS_" #name;
    CUFORT_CASE(SUCCESS)
    CUFORT_CASE(NOT_INITIALIZED)
    CUFORT_CASE(ALLOC_FAILED)
    CUFORT_CASE(INVALID_VALUE)
    CUFORT_CASE(ARCH_MISMATCH)
    CUFORT_CASE(MAPPING_ERROR)
    CUFORT_CASE(EXECUTION_FAILED)
    CUFORT_CASE(INTERNAL_ERROR)
    CUFORT_CASE(NOT_SUPPORTED)
    CUFORT_CASE(LICENSE_ERROR)
    CUFORT_CASE(CUBLAS_ERROR)
    CUFORT_CASE(CUDA_ERROR)
    CUFORT_CASE(INSUFFICIENT_WORKSPACE)
    CUFORT_CASE(INSUFFICIENT_DRIVER)
    CUFORT_CASE(IO_ERROR)
#undef CUFORT_CASE
  }
  return "<unknown>";
}
size_t cutensorGetVersion() { return CUTENSOR_VERSION; }
size_t cutensorGetCudartVersion() { return CUDART_VERSION; }
cutensorStatus_t cutensorHandleResizePlanCache(cutensorHandle_t handle,
                                               unsigned int) {
  return check(handle); // plans need no cache
}

cutensorStatus_t cutensorCreateTensorDescriptor(
    cutensorHandle_t handle, cutensorTensorDescriptor_t *result,
    unsigned int modes, const int64_t *extents, const int64_t *strides,
    cutensorDataType_t type, unsigned int) {
  if (auto wrong = check(handle, result && (extents || !modes)))
    return wrong;
  cutensorTensorDescriptor tensor;
  tensor.type = type;
  int64_t packed = 1;
  for (unsigned int i = 0; i != modes; ++i) {
    if (extents[i] < 1)
      return CUTENSOR_STATUS_INVALID_VALUE;
    tensor.extents.push_back(extents[i]);
    tensor.strides.push_back(strides ? strides[i] : packed);
    packed *= extents[i];
  }
  return make(handle, result, true, tensor);
}
cutensorStatus_t
cutensorDestroyTensorDescriptor(cutensorTensorDescriptor_t tensor) {
  return destroy(tensor);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

cutensorStatus_t
cutensorCreatePermutation(cutensorHandle_t handle,
                          cutensorOperationDescriptor_t *result,
                          cutensorTensorDescriptor_t a, const int *modeA,
                          cutensorOperator_t opA, cutensorTensorDescriptor_t b,
                          const int *modeB, cutensorComputeDescriptor_t) {
  return makeOperation(
      handle, result, {.kind = Kind::Permutation},
      {{&Descriptor::a, a, modeA, opA},
       {&Descriptor::d, b, modeB, CUTENSOR_OP_IDENTITY}},
      [](const Descriptor &all) { return isWithin(all.a, all.d); });
}

cutensorStatus_t cutensorCreateElementwiseBinary(
    cutensorHandle_t handle, cutensorOperationDescriptor_t *result,
    cutensorTensorDescriptor_t a, const int *modeA, cutensorOperator_t opA,
    cutensorTensorDescriptor_t c, const int *modeC, cutensorOperator_t opC,
    cutensorTensorDescriptor_t d, const int *modeD, cutensorOperator_t opAC,
    cutensorComputeDescriptor_t) {
  return makeOperation(handle, result, {.kind = Kind::Binary, .first = opAC},
                       {{&Descriptor::a, a, modeA, opA},
                        {&Descriptor::c, c, modeC, opC},
                        {&Descriptor::d, d, modeD, CUTENSOR_OP_IDENTITY}},
                       [](const Descriptor &all) {
                         return isWithin(all.a, all.d) &&
                                isWithin(all.c, all.d);
                       });
}

cutensorStatus_t cutensorCreateElementwiseTrinary(
    cutensorHandle_t handle, cutensorOperationDescriptor_t *result,
    cutensorTensorDescriptor_t a, const int *modeA, cutensorOperator_t opA,
    cutensorTensorDescriptor_t b, const int *modeB, cutensorOperator_t opB,
    cutensorTensorDescriptor_t c, const int *modeC, cutensorOperator_t opC,
    cutensorTensorDescriptor_t d, const int *modeD, cutensorOperator_t opAB,
    cutensorOperator_t opABC, cutensorComputeDescriptor_t) {
  return makeOperation(handle, result,
                       {.kind = Kind::Trinary, .first = opAB, .second = opABC},
                       {{&Descriptor::a, a, modeA, opA},
                        {&Descriptor::b, b, modeB, opB},
                        {&Descriptor::c, c, modeC, opC},
                        {&Descriptor::d, d, modeD, CUTENSOR_OP_IDENTITY}},
                       [](const Descriptor &all) {
                         return isWithin(all.a, all.d) &&
                                isWithin(all.b, all.d) &&
                                isWithin(all.c, all.d);
                       });
}

cutensorStatus_t cutensorCreateReduction(
    cutensorHandle_t handle, cutensorOperationDescriptor_t *result,
    cutensorTensorDescriptor_t a, const int *modeA, cutensorOperator_t opA,
    cutensorTensorDescriptor_t c, const int *modeC, cutensorOperator_t opC,
    cutensorTensorDescriptor_t d, const int *modeD, cutensorOperator_t opReduce,
    cutensorComputeDescriptor_t) {
  return makeOperation(
      handle, result, {.kind = Kind::Reduction, .first = opReduce},
      {{&Descriptor::a, a, modeA, opA},
       {&Descriptor::c, c, modeC, opC},
       {&Descriptor::d, d, modeD, CUTENSOR_OP_IDENTITY}},
      [](const Descriptor &all) {
        return isWithin(all.d, all.a) && isWithin(all.c, all.d);
      });
}

cutensorStatus_t cutensorCreateContraction(
    cutensorHandle_t handle, cutensorOperationDescriptor_t *result,
    cutensorTensorDescriptor_t a, const int *modeA, cutensorOperator_t opA,
    cutensorTensorDescriptor_t b, const int *modeB, cutensorOperator_t opB,
    cutensorTensorDescriptor_t c, const int *modeC, cutensorOperator_t opC,
    cutensorTensorDescriptor_t d, const int *modeD,
    cutensorComputeDescriptor_t) {
  return makeOperation(handle, result, {.kind = Kind::Contraction},
                       {{&Descriptor::a, a, modeA, opA},
                        {&Descriptor::b, b, modeB, opB},
                        {&Descriptor::c, c, modeC, opC},
                        {&Descriptor::d, d, modeD, CUTENSOR_OP_IDENTITY}},
                       [](const Descriptor &all) {
                         // What is summed is in both factors.
                         for (int32_t mode : all.a.modes)
                           if (!all.d.has(mode) && !all.b.has(mode))
                             return false;
                         for (int32_t mode : all.b.modes)
                           if (!all.d.has(mode) && !all.a.has(mode))
                             return false;
                         for (int32_t mode : all.d.modes)
                           if (!all.a.has(mode) && !all.b.has(mode))
                             return false;
                         return isWithin(all.c, all.d);
                       });
}

cutensorStatus_t
cutensorDestroyOperationDescriptor(cutensorOperationDescriptor_t operation) {
  return destroy(operation);
}

namespace {

/// Gives \p value to a buffer of its size.
template <typename T>
cutensorStatus_t giveTo(void *buffer, size_t size, T value) {
  if (!buffer || size < sizeof value)
    return CUTENSOR_STATUS_INVALID_VALUE;
  std::memcpy(buffer, &value, sizeof value);
  return CUTENSOR_STATUS_SUCCESS;
}
template <typename T>
cutensorStatus_t takeFrom(const void *buffer, size_t size, T &value) {
  if (!buffer || size < sizeof value)
    return CUTENSOR_STATUS_INVALID_VALUE;
  std::memcpy(&value, buffer, sizeof value);
  return CUTENSOR_STATUS_SUCCESS;
}

} // namespace

cutensorStatus_t cutensorOperationDescriptorSetAttribute(
    cutensorHandle_t handle, cutensorOperationDescriptor_t operation,
    cutensorOperationDescriptorAttribute_t attribute, const void *buffer,
    size_t size) {
  if (auto wrong = check(handle, handles<Descriptor>().isValid(operation)))
    return wrong;
  return attribute == CUTENSOR_OPERATION_DESCRIPTOR_TAG
             ? takeFrom(buffer, size, operation->tag)
             : CUTENSOR_STATUS_NOT_SUPPORTED;
}

cutensorStatus_t cutensorOperationDescriptorGetAttribute(
    cutensorHandle_t handle, cutensorOperationDescriptor_t operation,
    cutensorOperationDescriptorAttribute_t attribute, void *buffer,
    size_t size) {
  if (auto wrong = check(handle, handles<Descriptor>().isValid(operation)))
    return wrong;
  switch (attribute) {
  case CUTENSOR_OPERATION_DESCRIPTOR_TAG:
    return giveTo(buffer, size, operation->tag);
  case CUTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE:
    return giveTo(buffer, size, operation->type);
  default:
    return CUTENSOR_STATUS_NOT_SUPPORTED;
  }
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

cutensorStatus_t cutensorCreatePlanPreference(cutensorHandle_t handle,
                                              cutensorPlanPreference_t *result,
                                              cutensorAlgo_t algorithm,
                                              cutensorJitMode_t jit) {
  return make(handle, result,
              jit == CUTENSOR_JIT_MODE_NONE || jit == CUTENSOR_JIT_MODE_DEFAULT,
              {.algorithm = algorithm, .jit = jit});
}
cutensorStatus_t
cutensorDestroyPlanPreference(cutensorPlanPreference_t preference) {
  return destroy(preference);
}
cutensorStatus_t
cutensorPlanPreferenceSetAttribute(cutensorHandle_t handle,
                                   cutensorPlanPreference_t preference,
                                   cutensorPlanPreferenceAttribute_t attribute,
                                   const void *buffer, size_t size) {
  if (auto wrong =
          check(handle, handles<cutensorPlanPreference>().isValid(preference)))
    return wrong;
  switch (attribute) {
  case CUTENSOR_PLAN_PREFERENCE_AUTOTUNE_MODE:
    return takeFrom(buffer, size, preference->autotune);
  case CUTENSOR_PLAN_PREFERENCE_CACHE_MODE:
    return takeFrom(buffer, size, preference->cache);
  case CUTENSOR_PLAN_PREFERENCE_INCREMENTAL_COUNT:
    return takeFrom(buffer, size, preference->count);
  case CUTENSOR_PLAN_PREFERENCE_ALGO:
    return takeFrom(buffer, size, preference->algorithm);
  case CUTENSOR_PLAN_PREFERENCE_KERNEL_RANK:
    return takeFrom(buffer, size, preference->rank);
  case CUTENSOR_PLAN_PREFERENCE_JIT:
    return takeFrom(buffer, size, preference->jit);
  }
  return CUTENSOR_STATUS_INVALID_VALUE;
}
cutensorStatus_t
cutensorEstimateWorkspaceSize(cutensorHandle_t handle,
                              cutensorOperationDescriptor_t operation,
                              cutensorPlanPreference_t preference,
                              cutensorWorksizePreference_t, uint64_t *size) {
  if (auto wrong = check(
          handle, size && handles<Descriptor>().isValid(operation) &&
                      handles<cutensorPlanPreference>().isValid(preference)))
    return wrong;
  *size = 0;
  return CUTENSOR_STATUS_SUCCESS;
}
cutensorStatus_t cutensorCreatePlan(cutensorHandle_t handle,
                                    cutensorPlan_t *result,
                                    cutensorOperationDescriptor_t operation,
                                    cutensorPlanPreference_t preference,
                                    uint64_t) {
  if (auto wrong = check(
          handle, result && handles<Descriptor>().isValid(operation) &&
                      (!preference ||
                       handles<cutensorPlanPreference>().isValid(preference))))
    return wrong;
  return make(handle, result, true, {*operation});
}
cutensorStatus_t cutensorDestroyPlan(cutensorPlan_t plan) {
  return destroy(plan);
}
cutensorStatus_t cutensorPlanGetAttribute(cutensorHandle_t handle,
                                          cutensorPlan_t plan,
                                          cutensorPlanAttribute_t attribute,
                                          void *buffer, size_t size) {
  if (auto wrong = check(handle, handles<cutensorPlan>().isValid(plan)))
    return wrong;
  return attribute == CUTENSOR_PLAN_REQUIRED_WORKSPACE
             ? giveTo(buffer, size, uint64_t(0))
             : CUTENSOR_STATUS_NOT_SUPPORTED;
}

} // namespace cufort::cutensor
