//===- Box.h - copies of boxes as the API says them ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_API_ARRAYS_BOX_H
#define CUFORT_RUNTIME_API_ARRAYS_BOX_H

#include "runtime/api/RuntimeApi.h"

namespace cufort {

/// The box that \p p means; offsets and widths are elements where an array
/// takes part, else bytes.
Error boxOf(Engine &engine, const cudaMemcpy3DParms &p, BoxCopy *box);

/// Whether the sides of \p box hold what is to be copied: cudaErrorInvalidValue
/// or, where slices are longer than their pitch, cudaErrorInvalidPitchValue.
Error checkSides(Engine &engine, const BoxCopy &box);

/// The way back.
Error parametersOf(Engine &engine, const BoxCopy &box, cudaMemcpy3DParms *p);

} // namespace cufort

#endif // CUFORT_RUNTIME_API_ARRAYS_BOX_H
