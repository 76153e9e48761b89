//===- Arena.cpp - per-thread values in memory ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/Arena.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "image/Image.h"

using namespace llvm;

namespace cufort::cpu {

bool hasPrivateVariables(Function &entry) {
  return any_of(entry.getEntryBlock(), [](Instruction &instruction) {
    return isa<AllocaInst>(instruction) &&
           !instruction.hasMetadata(ArenaMetadata);
  });
}
namespace {

/// Of a block's variables on the stack, in all. Threads of a worker have small
/// stacks, and 1024 threads need 4 bytes each for one value.
constexpr uint64_t MostStackBytes = 8192;

Type *storedType(Type *type) {
  return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

} // namespace

/// Where the number of threads is known: as a variable of the block, which
/// LLVM can keep in registers, if there is room.
AllocaInst *Arena::reserveOnStack(uint64_t bytesPerThread, const Twine &name) {
  auto *threads = dyn_cast<ConstantInt>(shape.roundedThreads);
  if (!threads || !onStack)
    return nullptr;
  uint64_t bytes = bytesPerThread * threads->getZExtValue();
  uint64_t taken = 0;
  for (Instruction &instruction : entry.getEntryBlock())
    if (auto *other = dyn_cast<AllocaInst>(&instruction);
        other && other->hasMetadata(ArenaMetadata))
      taken += other->getAllocationSize(entry.getDataLayout())->getFixedValue();
  if (taken + bytes > MostStackBytes)
    return nullptr;
  IRBuilder<> b(endOfPrologue(entry));
  AllocaInst *variable =
      b.CreateAlloca(ArrayType::get(b.getInt8Ty(), bytes), nullptr, name);
  variable->setAlignment(Align(64));
  variable->setMetadata(ArenaMetadata, MDNode::get(entry.getContext(), {}));
  return variable;
}

Value *Arena::reserve(uint64_t bytesPerThread, const Twine &name) {
  if (AllocaInst *variable = reserveOnStack(bytesPerThread, name))
    return variable;
  IRBuilder<> b(endOfPrologue(entry));
  if (!arena) {
    LoadInst *load =
        b.CreateAlignedLoad(b.getPtrTy(),
                            b.CreateConstInBoundsGEP1_64(
                                b.getInt8Ty(), entry.getArg(WorkspaceArgument),
                                offsetof(image::CpuWorkspace, arena)),
                            Align(8), "arena");
    MDNode *empty = MDNode::get(entry.getContext(), {});
    load->setMetadata(LLVMContext::MD_invariant_load, empty);
    arena = load;
  }
  uint32_t offset = attributeNumber(entry, ArenaAttribute);
  setAttributeNumber(entry, ArenaAttribute, offset + bytesPerThread);
  return b.CreateInBoundsGEP(
      b.getInt8Ty(), arena,
      b.CreateMul(shape.roundedThreads, b.getInt64(offset)), name);
}

Arena::Slot Arena::make(Type *type, const Twine &name) {
  uint64_t size = entry.getDataLayout().getTypeAllocSize(storedType(type));
  return {type, reserve(size, name)};
}

Value *Arena::address(IRBuilder<> &b, const Slot &slot, Value *rank) {
  return b.CreateInBoundsGEP(storedType(slot.type), slot.base, rank);
}

Value *Arena::load(IRBuilder<> &b, const Slot &slot, Value *rank) {
  Type *type = storedType(slot.type);
  Value *value = b.CreateLoad(type, address(b, slot, rank));
  return type == slot.type ? value : b.CreateTrunc(value, slot.type);
}

void Arena::store(IRBuilder<> &b, const Slot &slot, Value *rank, Value *value) {
  Type *type = storedType(slot.type);
  if (type != slot.type)
    value = b.CreateZExt(value, type);
  b.CreateStore(value, address(b, slot, rank));
}

} // namespace cufort::cpu
