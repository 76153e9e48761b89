//===- Objects.h - objects behind handles -----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSPARSE_OBJECTS_H
#define CUFORT_LIBRARIES_CUSPARSE_OBJECTS_H

#include "libraries/cusparse/Sparse.h"

namespace cufort::cusparse {

/// Makes an object of the given members behind a handle.
template <typename Object, typename... Members>
cusparseStatus_t create(Object **result, bool valid, Members... members) {
  if (!result || !valid)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return statusOf(catchExhaustion([&] {
    Object *object = handles<Object>().make();
    if constexpr (sizeof...(members) != 0)
      *object = Object{members...};
    *result = object;
    return cudaSuccess;
  }));
}

template <typename Object> cusparseStatus_t destroy(const Object *object) {
  return handles<Object>().destroy(object) ? CUSPARSE_STATUS_SUCCESS
                                           : CUSPARSE_STATUS_INVALID_VALUE;
}

/// Calls \p call() on an object that lives.
template <typename Object, typename Call>
cusparseStatus_t on(const Object *object, Call call) {
  if (!handles<Object>().isValid(object))
    return CUSPARSE_STATUS_INVALID_VALUE;
  call();
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename To, typename From> void give(To *result, From value) {
  if (result)
    *result = static_cast<To>(value);
}

/// on, for a question whose \p answers all have a place.
template <typename Object, typename Call, typename... Answers>
cusparseStatus_t ask(const Object *object, Call call, Answers *...answers) {
  return (answers && ...) ? on(object, call) : CUSPARSE_STATUS_INVALID_VALUE;
}

inline bool isIndexType(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}
inline bool isOperation(cusparseOperation_t operation) {
  return operation == CUSPARSE_OPERATION_NON_TRANSPOSE ||
         operation == CUSPARSE_OPERATION_TRANSPOSE ||
         operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

inline bool isBase(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}

} // namespace cufort::cusparse

#endif // CUFORT_LIBRARIES_CUSPARSE_OBJECTS_H
