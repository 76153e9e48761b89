//===- Arena.cpp - per-thread values in memory ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/Arena.h"
#include "compiler/cpu/Kernel.h"
#include "image/Image.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

Type *storedType(Type *type) {
  return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

} // namespace

Value *Arena::reserve(uint64_t bytesPerThread, const Twine &name) {
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
