/*===- cudart_platform.h - what the runtime API has here ------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Nothing that other platforms lack: EGL is not there. */
#ifndef __CUDART_PLATFORM_H__
#define __CUDART_PLATFORM_H__
#endif /* __CUDART_PLATFORM_H__ */
