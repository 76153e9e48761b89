//===- ByteConversions.cpp - parts of integers to reals -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/peephole/ByteConversions.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// The first of \p count bytes of a register, above it zeros: each of four
/// digits says which byte of the register, or of a zero (4), goes there.
static unsigned selectorOf(unsigned firstByte, unsigned count) {
  unsigned selector = 0x4444;
  for (unsigned byte = 0; byte < count; ++byte)
    selector += (firstByte + byte - 4) << (4 * byte);
  return selector & 0xffff;
}

namespace {
struct Part {
  Value *whole = nullptr;
  unsigned firstByte = 0, count = 0;
};
} // namespace

/// Which bytes of which register \p value is; count is 0 if it is nothing of
/// the kind, or all of one.
static Part partOf(Value *value) {
  Value *shifted = value, *whole;
  uint64_t mask = 0, bits = 0;
  unsigned count;
  if (value->getType()->isIntegerTy(8) || value->getType()->isIntegerTy(16)) {
    count = value->getType()->getIntegerBitWidth() / 8;
    if (!match(value, m_Trunc(m_Value(shifted))))
      return {};
  } else if (match(value, m_And(m_Value(shifted), m_ConstantInt(mask)))) {
    if (mask != 0xff && mask != 0xffff)
      return {};
    count = mask == 0xff ? 1 : 2;
  } else {
    count = 0;
  }
  if (!shifted->getType()->isIntegerTy(32))
    return {};
  if (!match(shifted, m_LShr(m_Value(whole), m_ConstantInt(bits)))) {
    whole = shifted;
    bits = 0;
  }
  if (bits % 8 || bits > 24)
    return {};
  unsigned left = 4 - unsigned(bits) / 8;
  return {whole, unsigned(bits) / 8, count ? std::min(count, left) : left};
}

/// Those of the conversions in \p function, by their registers.
using PartsOfRegisters =
    MapVector<Value *, SmallVector<std::pair<Instruction *, Part>, 4>>;

static PartsOfRegisters partsIn(Function &function) {
  PartsOfRegisters found;
  for (Instruction &conversion : instructions(function)) {
    if (!isa<UIToFPInst>(conversion) || !conversion.getType()->isFloatTy())
      continue;
    Part part = partOf(conversion.getOperand(0));
    if (part.count == 1 || part.count == 2)
      found[part.whole].push_back({&conversion, part});
  }
  return found;
}

PreservedAnalyses cufort::convertBytesByPermutation(Function &function,
                                                    FunctionAnalysisManager &) {
  bool changed = false;
  for (auto &[whole, parts] : partsIn(function))
    for (auto &[conversion, part] : parts) {
      if (parts.size() > 1 && part.firstByte > 0)
        continue;
      IRBuilder<> b(conversion);
      conversion->setOperand(
          0, b.CreateIntrinsic(
                 Intrinsic::nvvm_prmt,
                 {whole, b.getInt32(0),
                  b.getInt32(selectorOf(part.firstByte, part.count))}));
      changed = true;
    }
  return afterInstructions(changed);
}
