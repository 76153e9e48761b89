//===- Clusters.cpp - clusters of blocks on the CPU -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/Clusters.h"
#include "compiler/cpu/Kernel.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

constexpr Intrinsic::ID BlockIndex[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                        Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                        Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
constexpr Intrinsic::ID GridSize[] = {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                      Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                      Intrinsic::nvvm_read_ptx_sreg_nctaid_z};

class Cluster {
public:
  Cluster(IRBuilder<> &b, const Function &kernel) : b(b) {
    SmallVector<StringRef, 3> words;
    StringRef text =
        kernel.getFnAttribute("nvvm.cluster_dim").getValueAsString();
    text.split(words, ',', -1, /*KeepEmpty=*/false);
    for (auto [word, size] : zip_first(words, sizes))
      (void)word.getAsInteger(10, size);
  }

  Value *read(Intrinsic::ID id) {
    switch (id) {
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x:
      return b.getInt32(sizes[0]);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y:
      return b.getInt32(sizes[1]);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z:
      return b.getInt32(sizes[2]);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank:
      return b.getInt32(sizes[0] * sizes[1] * sizes[2]);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_x:
      return within(0);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_y:
      return within(1);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_z:
      return within(2);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank:
      return b.CreateAdd(
          within(0),
          b.CreateMul(b.getInt32(sizes[0]),
                      b.CreateAdd(within(1), b.CreateMul(b.getInt32(sizes[1]),
                                                         within(2)))));
    case Intrinsic::nvvm_read_ptx_sreg_clusterid_x:
      return number(BlockIndex, 0);
    case Intrinsic::nvvm_read_ptx_sreg_clusterid_y:
      return number(BlockIndex, 1);
    case Intrinsic::nvvm_read_ptx_sreg_clusterid_z:
      return number(BlockIndex, 2);
    case Intrinsic::nvvm_read_ptx_sreg_nclusterid_x:
      return number(GridSize, 0);
    case Intrinsic::nvvm_read_ptx_sreg_nclusterid_y:
      return number(GridSize, 1);
    case Intrinsic::nvvm_read_ptx_sreg_nclusterid_z:
      return number(GridSize, 2);
    default:
      return nullptr;
    }
  }

private:
  Value *within(unsigned dimension) {
    return b.CreateURem(
        b.CreateIntrinsic(b.getInt32Ty(), BlockIndex[dimension], {}),
        b.getInt32(sizes[dimension]));
  }
  /// Of clusters, in the place of blocks.
  Value *number(const Intrinsic::ID (&blocks)[3], unsigned dimension) {
    return b.CreateUDiv(
        b.CreateIntrinsic(b.getInt32Ty(), blocks[dimension], {}),
        b.getInt32(sizes[dimension]));
  }

  IRBuilder<> &b;
  unsigned sizes[3] = {1, 1, 1};
};

} // namespace

Value *lowerClusters(IRBuilder<> &b, CallInst &call) {
  const Function &kernel = *call.getFunction();
  return kernel.hasFnAttribute(KernelAttribute)
             ? Cluster(b, kernel).read(call.getIntrinsicID())
             : nullptr;
}

} // namespace cufort::cpu
