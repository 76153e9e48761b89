//===- PtxMemory.cpp - loads, stores and copies of inline PTX -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/ptx/PtxMemory.h"
#include "compiler/check/Instrument.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cufort::cpu {

bool PtxMemory::copy(ArrayRef<StringRef> words, ArrayRef<StringRef> names) {
  if (words.size() < 3 || words[1] != "async" || words[2] == "bulk" ||
      words[2] == "mbarrier")
    return false;
  if (words[2] == "commit_group" || words[2] == "wait_group" ||
      words[2] == "wait_all")
    return true;
  uint64_t bytes;
  // A hint.
  if (has(words, "L2::cache_hint") && !names.empty())
    names = names.drop_back();
  if (names.size() < 3 || names.size() > 4 ||
      !(has(words, "shared") || has(words, "shared::cta")))
    return false;
  Value *to = inBrackets(names[0]), *from = inBrackets(names[1]);
  auto *size = dyn_cast_or_null<ConstantInt>(get(names[2], b.getInt32Ty()));
  if (!to || !from || !size)
    return false;
  bytes = size->getZExtValue();
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return false;
  Value *read = b.getInt64(bytes);
  if (names.size() == 4) {
    read = get(names[3], nullptr);
    if (read && read->getType()->isIntegerTy(1)) // whether none is read
      read = b.CreateSelect(read, b.getInt64(0), b.getInt64(bytes));
    else
      read = get(names[3], b.getInt64Ty());
  }
  if (!read)
    return false;
  if (!isa<ConstantInt>(read) ||
      bytes != cast<ConstantInt>(read)->getZExtValue())
    b.CreateMemSet(to, b.getInt8(0), bytes, Align(bytes));
  b.CreateMemCpy(to, Align(bytes), from, Align(4), read);
  return true;
}

bool PtxMemory::accessAtOnce(bool isLoad, Value *where,
                             ArrayRef<StringRef> items, Type *type) {
  const unsigned bits = type->getPrimitiveSizeInBits();
  const uint64_t all = bits * items.size();
  if (all != 8 && all != 16 && all != 32 && all != 64 && all != 128)
    return false;
  // One register of a processor; 128 bits are one of vectors.
  const bool isWide = all > 64;
  Type *part = b.getIntNTy(bits);
  Type *whole =
      isWide ? static_cast<Type *>(FixedVectorType::get(part, items.size()))
             : b.getIntNTy(all);
  if (isLoad) {
    Value *found = b.CreateAlignedLoad(whole, where, Align(all / 8), true);
    for (auto [i, item] : enumerate(items)) {
      Value *value = isWide
                         ? b.CreateExtractElement(found, i)
                         : b.CreateTrunc(b.CreateLShr(found, i * bits), part);
      if (!set(item, b.CreateBitCast(value, type)))
        return false;
    }
    return true;
  }
  Value *written = Constant::getNullValue(whole);
  for (auto [i, item] : enumerate(items)) {
    Value *value = get(item, type);
    if (!value)
      return false;
    value = b.CreateBitCast(value, part);
    written =
        isWide ? b.CreateInsertElement(written, value, i)
               : b.CreateOr(written,
                            b.CreateShl(b.CreateZExt(value, whole), i * bits));
  }
  b.CreateAlignedStore(written, where, Align(all / 8), true);
  return true;
}

bool PtxMemory::access(ArrayRef<StringRef> words, ArrayRef<StringRef> names,
                       Type *type) {
  bool isLoad = words.front() != "st";
  if (names.size() != 2)
    return false;
  StringRef place = names[isLoad ? 1 : 0], data = names[isLoad ? 0 : 1];
  Value *where = inBrackets(place);
  if (!where)
    return false;
  int64_t bytes = 0;
  SmallVector<StringRef> items = {data};
  if (data.consume_front("{") && data.consume_back("}"))
    items = split(data);
  bool isVolatile = has(words, "volatile") || has(words, "cv") ||
                    has(words, "relaxed") || has(words, "acquire") ||
                    has(words, "release");
  uint64_t size = type->getPrimitiveSizeInBits() / 8;
  if (!isLoad && has(words, "release"))
    b.CreateFence(AtomicOrdering::Release);
  if (isVolatile && items.size() > 1) {
    if (!accessAtOnce(isLoad, where, items, type))
      return false;
    items.clear();
  }
  auto note = [&](auto *made) {
    if (has(words, "cg"))
      made->setMetadata(check::PastCacheMetadata,
                        MDNode::get(made->getContext(), {}));
    return made;
  };
  for (StringRef part : items) {
    Value *at = b.CreateConstGEP1_64(b.getInt8Ty(), where, bytes);
    bytes += size;
    if (isLoad) {
      if (!set(part,
               note(b.CreateAlignedLoad(type, at, Align(size), isVolatile))))
        return false;
      continue;
    }
    Value *value = get(part, type);
    if (!value)
      return false;
    note(b.CreateAlignedStore(value, at, Align(size), isVolatile));
  }
  if (isLoad && has(words, "acquire"))
    b.CreateFence(AtomicOrdering::Acquire);
  return true;
}

} // namespace cufort::cpu
