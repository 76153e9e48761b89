/*===- cuda_stdint.h - integers of known sizes ----------------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef __cuda_stdint_h__
#define __cuda_stdint_h__

#include <stdint.h>

#endif /* __cuda_stdint_h__ */
