//===- PtxSharing.cpp - PTX's operations between threads ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/ptx/PtxSharing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cufort::cpu {

AtomicOrdering ptxOrdering(ArrayRef<StringRef> words) {
  if (is_contained(words, "acq_rel"))
    return AtomicOrdering::AcquireRelease;
  if (is_contained(words, "acquire"))
    return AtomicOrdering::Acquire;
  if (is_contained(words, "release"))
    return AtomicOrdering::Release;
  return AtomicOrdering::Monotonic;
}

Value *ptxAtomic(IRBuilder<> &b, ArrayRef<StringRef> words, Type *type,
                 Value *address, ArrayRef<Value *> v) {
  using Operation = AtomicRMWInst::BinOp;
  if (words.size() < 3 || type->isVectorTy() || is_contained(words, "v2") ||
      is_contained(words, "v4"))
    return nullptr;
  bool isReal = type->isFloatingPointTy();
  bool isSigned = words.back().starts_with("s");
  AtomicOrdering ordering = ptxOrdering(words);
  StringRef what = words[words.size() - 2];
  if (what == "noftz" && words.size() > 3)
    what = words[words.size() - 3];
  if (what == "cas" && v.size() == 2 && !isReal) {
    AtomicOrdering failing =
        ordering == AtomicOrdering::Release          ? AtomicOrdering::Monotonic
        : ordering == AtomicOrdering::AcquireRelease ? AtomicOrdering::Acquire
                                                     : ordering;
    Value *both = b.CreateAtomicCmpXchg(address, v[0], v[1], MaybeAlign(),
                                        ordering, failing);
    return b.CreateExtractValue(both, 0);
  }
  auto operation = StringSwitch<Operation>(what)
                       .Case("add", isReal ? Operation::FAdd : Operation::Add)
                       .Case("exch", Operation::Xchg)
                       .Case("min", isReal     ? Operation::FMin
                                    : isSigned ? Operation::Min
                                               : Operation::UMin)
                       .Case("max", isReal     ? Operation::FMax
                                    : isSigned ? Operation::Max
                                               : Operation::UMax)
                       .Case("and", Operation::And)
                       .Case("or", Operation::Or)
                       .Case("xor", Operation::Xor)
                       .Case("inc", Operation::UIncWrap)
                       .Case("dec", Operation::UDecWrap)
                       .Default(Operation::BAD_BINOP);
  if (operation == Operation::BAD_BINOP || v.size() != 1)
    return nullptr;
  return b.CreateAtomicRMW(operation, address, v[0], MaybeAlign(), ordering);
}

Type *ptxWarpOperandType(IRBuilder<> &b, ArrayRef<StringRef> words,
                         unsigned operand) {
  if (words.front() == "vote" && operand == 0)
    return b.getInt1Ty();
  if (words.front() == "match" && operand == 0)
    return nullptr;
  return b.getInt32Ty();
}

Value *ptxWarpOperation(IRBuilder<> &b, ArrayRef<StringRef> words,
                        ArrayRef<Value *> v, bool wantsPredicate) {
  auto call = [&](Intrinsic::ID id, ArrayRef<Value *> operands) -> Value * {
    return id == Intrinsic::not_intrinsic
               ? nullptr
               : b.CreateIntrinsic(id, ArrayRef<Type *>(), operands);
  };
  StringRef name = words.front();
  // NVIDIA's assembler takes vote.ballot.sync for vote.sync.ballot.
  bool sync = is_contained(words, "sync");
  StringRef how = words.size() < 3             ? ""
                  : sync && words[1] == "sync" ? words[2]
                                               : words[1];
  if (name == "shfl" && sync && v.size() == 4) {
    auto id =
        StringSwitch<Intrinsic::ID>(how)
            .Case("idx", wantsPredicate ? Intrinsic::nvvm_shfl_sync_idx_i32p
                                        : Intrinsic::nvvm_shfl_sync_idx_i32)
            .Case("up", wantsPredicate ? Intrinsic::nvvm_shfl_sync_up_i32p
                                       : Intrinsic::nvvm_shfl_sync_up_i32)
            .Case("down", wantsPredicate ? Intrinsic::nvvm_shfl_sync_down_i32p
                                         : Intrinsic::nvvm_shfl_sync_down_i32)
            .Case("bfly", wantsPredicate ? Intrinsic::nvvm_shfl_sync_bfly_i32p
                                         : Intrinsic::nvvm_shfl_sync_bfly_i32)
            .Default(Intrinsic::not_intrinsic);
    return call(id, {v[3], v[0], v[1], v[2]});
  }
  if (name == "match" && words.size() > 2 && v.size() == 2) {
    bool isWide = words.back() == "b64", all = words[1] == "all";
    if (all != wantsPredicate || words[2] != "sync")
      return nullptr;
    return call(all ? (isWide ? Intrinsic::nvvm_match_all_sync_i64p
                              : Intrinsic::nvvm_match_all_sync_i32p)
                    : (isWide ? Intrinsic::nvvm_match_any_sync_i64
                              : Intrinsic::nvvm_match_any_sync_i32),
                {v[1], v[0]});
  }
  if (wantsPredicate)
    return nullptr;
  if (name == "vote" && sync && v.size() == 2)
    return call(StringSwitch<Intrinsic::ID>(how)
                    .Case("all", Intrinsic::nvvm_vote_all_sync)
                    .Case("any", Intrinsic::nvvm_vote_any_sync)
                    .Case("uni", Intrinsic::nvvm_vote_uni_sync)
                    .Case("ballot", Intrinsic::nvvm_vote_ballot_sync)
                    .Default(Intrinsic::not_intrinsic),
                {v[1], v[0]});
  if (name == "vote" && v.size() == 1)
    return call(StringSwitch<Intrinsic::ID>(how)
                    .Case("all", Intrinsic::nvvm_vote_all)
                    .Case("any", Intrinsic::nvvm_vote_any)
                    .Case("uni", Intrinsic::nvvm_vote_uni)
                    .Case("ballot", Intrinsic::nvvm_vote_ballot)
                    .Default(Intrinsic::not_intrinsic),
                {v[0]});
  if (name == "redux" && sync && v.size() == 2) {
    bool isSigned = words.back() == "s32";
    return call(StringSwitch<Intrinsic::ID>(how)
                    .Case("add", Intrinsic::nvvm_redux_sync_add)
                    .Case("and", Intrinsic::nvvm_redux_sync_and)
                    .Case("or", Intrinsic::nvvm_redux_sync_or)
                    .Case("xor", Intrinsic::nvvm_redux_sync_xor)
                    .Case("min", isSigned ? Intrinsic::nvvm_redux_sync_min
                                          : Intrinsic::nvvm_redux_sync_umin)
                    .Case("max", isSigned ? Intrinsic::nvvm_redux_sync_max
                                          : Intrinsic::nvvm_redux_sync_umax)
                    .Default(Intrinsic::not_intrinsic),
                {v[0], v[1]});
  }
  return nullptr;
}

} // namespace cufort::cpu
