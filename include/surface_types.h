/*===- surface_types.h - what surfaces are made of ------------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef __SURFACE_TYPES_H__
#define __SURFACE_TYPES_H__

#include "texture_types.h"

enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

#endif /* __SURFACE_TYPES_H__ */
