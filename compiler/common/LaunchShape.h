//===- LaunchShape.h - what a kernel reads of its launch --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_LAUNCHSHAPE_H
#define CUFORT_COMPILER_COMMON_LAUNCHSHAPE_H

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace cufort {

/// Whether \p call reads blockDim or gridDim: what all threads of a launch find
/// alike.
inline bool readsLaunchShape(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return true;
  default:
    return false;
  }
}

/// Whether \p call reads blockIdx: what all threads of a block find alike.
inline bool readsBlockIndex(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return true;
  default:
    return false;
  }
}

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_LAUNCHSHAPE_H
