//===- DeviceOptions.h - the sub-options of -gpu= and -Mcuda= ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_DEVICEOPTIONS_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_DEVICEOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cufort::driver {

/// What the user wants of the device code.
struct DeviceOptions {
  bool gpu = true; ///< embed PTX
  bool cpu = true; ///< embed code for the CPU engine
  /// The compute capabilities asked for (80 is sm_80); empty: the default.
  std::vector<unsigned> architectures;
  bool fastMath = false;
  bool flushDenormals = false;
  bool contract = true; ///< fused multiply-add
  bool lineInfo = false;
  bool debug = false;
  bool keep = false;         ///< leave the PTX beside the output
  bool ptxInfo = false;      ///< report the resources each kernel uses
  unsigned maxRegisters = 0; ///< per thread; 0: no limit
  /// Allocatable variables of Fortran without a memory of their own are
  /// managed.
  bool managedAllocatables = false;
};

/// Applies one sub-option of the option \p option ("-gpu=" or "-Mcuda=") to
/// \p device; false after a diagnostic that names the nearest known one.
bool applyDeviceOption(llvm::StringRef option, llvm::StringRef value,
                       DeviceOptions &device);

/// -cudalib=: which of \p values, nvfortran's list, every program has anyway;
/// false after a diagnostic with \p option for those that there are not.
bool acceptLibraries(llvm::StringRef option,
                     llvm::ArrayRef<const char *> values);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_DEVICEOPTIONS_H
