//===- DeviceInfo.h - the devices of this machine, as text ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_DEVICEINFO_H
#define CUFORT_RUNTIME_CORE_DEVICEINFO_H

#include <string>

namespace cufort {

/// Appends all devices of this machine, whatever CUFORT_DEVICE says, and
/// whether programs can use them: in the layout of pgaccelinfo, or as JSON.
/// Returns whether a GPU can be used. To be called in a process that uses no
/// device otherwise.
bool describeMachine(std::string &text, bool json);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_DEVICEINFO_H
