//===- cuda_runtime.h - CUDA C++ and the CUDA runtime API -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__)
// Forward declarations that Clang's overloads of <cmath> want to see first.
#include <__clang_cuda_math_forward_declares.h>
/* What nvcc's own header includes as well; programs rely on it. */
#include <assert.h>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>
#endif

#include "builtin_types.h"
#include "crt/host_defines.h"
#include "cuda_runtime_api.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_functions.h"

#if defined(__cplusplus)
#include "channel_descriptor.h"
#include "cufort/host_templates.h"
#endif
#if defined(__CUDA__)
#include "cufort/device_language.h"
#include "cufort/device_launches.h"
#include "surface_indirect_functions.h"
#include "texture_indirect_functions.h"

#include "cufort/texture_references.h"
#endif

#endif // __CUDA_RUNTIME_H__
