//===- Objects.h - making, asking and ending objects ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERDN_OBJECTS_H
#define CUFORT_LIBRARIES_CUSOLVERDN_OBJECTS_H

#include "libraries/common/Handles.h"
#include "libraries/cusolverDn/Handle.h"

namespace cufort::cusolverDn {

template <typename Object> cusolverStatus_t create(Object **result) {
  if (!result)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return statusOf(catchExhaustion([&] {
    *result = handles<Object>().make();
    return cudaSuccess;
  }));
}

template <typename Object> cusolverStatus_t destroy(Object *object) {
  return handles<Object>().destroy(object) ? CUSOLVER_STATUS_SUCCESS
                                           : CUSOLVER_STATUS_NOT_INITIALIZED;
}

template <typename Object, typename Call>
cusolverStatus_t onLive(Object *object, Call call) {
  if (!handles<Object>().isValid(object))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  return call() ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

template <typename Object, typename T, typename Owner>
cusolverStatus_t answer(Object *object, T *result, T Owner::*member) {
  return onLive(object, [&] {
    if (result)
      *result = object->*member;
    return result != nullptr;
  });
}

} // namespace cufort::cusolverDn

#endif // CUFORT_LIBRARIES_CUSOLVERDN_OBJECTS_H
