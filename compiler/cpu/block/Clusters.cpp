//===- Clusters.cpp - clusters of blocks on the CPU -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/Clusters.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "image/Image.h"
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

constexpr Intrinsic::ID ClusterSize[] = {
    Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x,
    Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y,
    Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z};

class Cluster {
public:
  Cluster(IRBuilder<> &b, const Function &kernel) : b(b) {
    SmallVector<StringRef, 3> words;
    Attribute given = kernel.getFnAttribute("nvvm.cluster_dim");
    if (!given.isValid())
      return;
    given.getValueAsString().split(words, ',', -1, /*KeepEmpty=*/false);
    sizes = {1, 1, 1};
    for (auto [word, size] : zip_first(words, sizes))
      (void)word.getAsInteger(10, size);
  }

  Value *read(CallInst &call) {
    switch (call.getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x:
      return known(call, 0);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y:
      return known(call, 1);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z:
      return known(call, 2);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank:
      return b.CreateMul(b.CreateMul(size(0), size(1)), size(2));
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_x:
      return within(0);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_y:
      return within(1);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_z:
      return within(2);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank:
      return b.CreateAdd(
          within(0),
          b.CreateMul(size(0),
                      b.CreateAdd(within(1), b.CreateMul(size(1), within(2)))));
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
    case Intrinsic::nvvm_mapa:
      return sharedOf(call.getArgOperand(0), call.getArgOperand(1));
    default:
      return nullptr;
    }
  }

private:
  /// What \p call, which asks for it, is replaced by: cpu-entry knows where a
  /// launch's shape is.
  Value *known(CallInst &call, unsigned dimension) {
    if (sizes[dimension])
      return b.getInt32(sizes[dimension]);
    return &call;
  }
  Value *size(unsigned dimension) {
    if (sizes[dimension])
      return b.getInt32(sizes[dimension]);
    return b.CreateIntrinsic(b.getInt32Ty(), ClusterSize[dimension], {});
  }
  Value *within(unsigned dimension) {
    return b.CreateURem(
        b.CreateIntrinsic(b.getInt32Ty(), BlockIndex[dimension], {}),
        size(dimension));
  }
  /// Of clusters, in the place of blocks.
  Value *number(const Intrinsic::ID (&blocks)[3], unsigned dimension) {
    return b.CreateUDiv(
        b.CreateIntrinsic(b.getInt32Ty(), blocks[dimension], {}),
        size(dimension));
  }
  Value *sharedOf(Value *address, Value *rank) {
    FunctionCallee function =
        b.GetInsertBlock()->getModule()->getOrInsertFunction(
            image::ClusterSharedFunction, address->getType(),
            address->getType(), rank->getType());
    auto *callee = cast<Function>(function.getCallee());
    callee->setDoesNotAccessMemory();
    callee->setDoesNotThrow();
    callee->setWillReturn();
    return b.CreateCall(function, {address, rank});
  }

  IRBuilder<> &b;
  std::array<unsigned, 3> sizes{}; ///< zeros: the launch's
};

} // namespace

Value *lowerClusters(IRBuilder<> &b, CallInst &call) {
  const Function &kernel = *call.getFunction();
  return kernel.hasFnAttribute(KernelAttribute) ? Cluster(b, kernel).read(call)
                                                : nullptr;
}

bool arrivesAtCluster(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cluster_arrive:
  case Intrinsic::nvvm_barrier_cluster_arrive_aligned:
  case Intrinsic::nvvm_barrier_cluster_arrive_relaxed:
  case Intrinsic::nvvm_barrier_cluster_arrive_relaxed_aligned:
    return true;
  default:
    return false;
  }
}

} // namespace cufort::cpu
