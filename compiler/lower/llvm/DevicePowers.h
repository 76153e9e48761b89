//===- DevicePowers.h - integer powers in device code -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LLVM_DEVICEPOWERS_H
#define CUFORT_COMPILER_LOWER_LLVM_DEVICEPOWERS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Transforms/DialectConversion.h"

namespace cufort::lower {

/// Patterns that turn integer**integer and real**integer(8) into calls of the
/// device library; part of createDeviceToLlvm.
void populateDevicePowerPatterns(mlir::LLVMTypeConverter &types,
                                 mlir::RewritePatternSet &patterns,
                                 mlir::PatternBenefit benefit);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LLVM_DEVICEPOWERS_H
