//===- DefaultStream.h - handles that follow a thread's stream --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handle for which the program sets no stream works in the default stream of
// the thread that has made it (cudaforSetDefaultStream), on either engine: its
// library is told whenever that changes. A stream of another device than the
// handle's is none for it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_DEFAULTSTREAM_H
#define CUFORT_LIBRARIES_COMMON_DEFAULTSTREAM_H

#include "cuda_runtime_api.h"
#include <cstdint>
#include <type_traits>

namespace cufort::libraries {

/// A handle of any library as a number.
template <typename Handle> intptr_t numberOf(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<intptr_t>(handle);
  else
    return static_cast<intptr_t>(handle);
}
template <typename Handle> Handle handleOf(intptr_t number) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<Handle>(number);
  else
    return static_cast<Handle>(number);
}

/// How a library sets the stream of a handle, which says what library it is.
using SetStream = void (*)(intptr_t handle, cudaStream_t stream);

/// A handle that has been made.
void followDefaultStream(SetStream setStream, intptr_t handle);
/// It has a stream of its own from now on, or ends.
void leaveDefaultStream(SetStream setStream, intptr_t handle);

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_DEFAULTSTREAM_H
