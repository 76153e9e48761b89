//===- LaunchShapes.cpp - block shapes known from launches ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kernel<<<grid, block>>>(...) is, in host code,
//
//   if (__cudaPushCallConfiguration(grid, block, ...) == 0) stub(...)
//
// where the stub, perhaps inlined, calls cudaLaunchKernel with its own address.
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/LaunchShapes.h"
#include "image/DeviceCode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

/// The operands of __cudaPushCallConfiguration: dim3 is 64 and 32 bits.
enum PushOperand : unsigned { BlockXY = 2, BlockZ = 3, PushOperands = 6 };

/// What the offload entries say: the kernels' names by their stubs.
using KernelNames = DenseMap<const Value *, StringRef>;

KernelNames kernelNames(const Module &host) {
  KernelNames names;
  for (const GlobalVariable &entry : host.globals()) {
    if (entry.getSection() != "llvm_offload_entries" || !entry.hasInitializer())
      continue;
    constexpr unsigned Address = 4, Name = 5;
    const Constant *row = entry.getInitializer();
    const Constant *stub = row->getAggregateElement(Address);
    const Constant *text = row->getAggregateElement(Name);
    if (!stub || !text || !isa<Function>(stub->stripPointerCasts()))
      continue;
    const auto *variable = dyn_cast<GlobalVariable>(text->stripPointerCasts());
    const auto *data =
        variable && variable->hasInitializer()
            ? dyn_cast<ConstantDataSequential>(variable->getInitializer())
            : nullptr;
    if (data && data->isCString())
      names[stub->stripPointerCasts()] = data->getAsCString();
  }
  return names;
}

const Function *calledBy(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

/// The kernel that \p instruction launches; empty: none that is known.
StringRef launchedBy(const Instruction &instruction, const KernelNames &names) {
  const Function *callee = calledBy(instruction);
  if (!callee)
    return "";
  if (callee->getName() == "cudaLaunchKernel" ||
      callee->getName() == "cudaLaunchKernel_ptsz")
    return names.lookup(
        cast<CallBase>(instruction).getArgOperand(0)->stripPointerCasts());
  return names.lookup(callee);
}

/// How many basic blocks from a push on are looked at for its launch.
constexpr unsigned MostBlocks = 32;

/// The kernels that are launched next after \p push, on all ways on from it:
/// branches that push the same configuration have one push after optimisation.
SetVector<StringRef> kernelsAfter(const CallBase &push,
                                  const KernelNames &names) {
  SetVector<StringRef> kernels;
  // A push that may throw ends its block. The launch is near: what comes after
  // a loop of launches, say, must not be gone through first.
  SmallVector<std::pair<const BasicBlock *, BasicBlock::const_iterator>>
      starts = {{push.getParent(), std::next(push.getIterator())}};
  SmallPtrSet<const BasicBlock *, 16> seen;
  for (unsigned i = 0; i < starts.size() && i < MostBlocks; ++i) {
    auto [block, at] = starts[i];
    bool isOver = false;
    for (; at != block->end() && !isOver; ++at) {
      StringRef name = launchedBy(*at, names);
      if (!name.empty())
        kernels.insert(name);
      isOver = !name.empty() || calledBy(*at) == push.getCalledFunction();
    }
    if (isOver)
      continue;
    for (const BasicBlock *next : successors(block))
      if (seen.insert(next).second)
        starts.emplace_back(next, next->begin());
  }
  return kernels;
}

} // namespace

void cufort::cuda::noteLaunchShapes(const Module &host, Module &device) {
  const Function *push = host.getFunction("__cudaPushCallConfiguration");
  if (!push)
    return;
  KernelNames names = kernelNames(host);
  LLVMContext &context = device.getContext();
  Type *i32 = Type::getInt32Ty(context);
  for (const Function &function : host)
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block) {
        if (calledBy(instruction) != push)
          continue;
        const auto &call = cast<CallBase>(instruction);
        if (call.arg_size() != PushOperands)
          continue;
        const auto *xy = dyn_cast<ConstantInt>(call.getArgOperand(BlockXY));
        const auto *z = dyn_cast<ConstantInt>(call.getArgOperand(BlockZ));
        if (!xy || !z)
          continue;
        uint64_t both = xy->getZExtValue();
        for (StringRef name : kernelsAfter(call, names)) {
          SmallVector<Metadata *, 4> shape{MDString::get(context, name)};
          for (uint64_t extent :
               {both & 0xffffffff, both >> 32, z->getZExtValue()})
            shape.push_back(
                ConstantAsMetadata::get(ConstantInt::get(i32, extent)));
          device.getOrInsertNamedMetadata(image::LaunchesMetadata)
              ->addOperand(MDNode::get(context, shape));
        }
      }
}
