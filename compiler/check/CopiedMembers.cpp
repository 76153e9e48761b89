//===- CopiedMembers.cpp - what becomes of private copies -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/CopiedMembers.h"
#include "compiler/check/AccessKinds.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <algorithm>

using namespace llvm;

namespace cufort::check {
namespace {

using Bytes = std::pair<uint64_t, uint64_t>; ///< begin and end

/// What happens to the bytes of a private variable.
class Uses {
public:
  explicit Uses(const MemTransferInst &first)
      : layout(first.getModule()->getDataLayout()) {}

  /// False: not all of it can be seen.
  bool follow(const AllocaInst &variable, uint64_t shift, const Value *writer,
              unsigned depth = 0) {
    constexpr unsigned MostCopies = 4;
    if (depth == MostCopies)
      return false;
    SmallVector<const Value *> work{&variable};
    while (!work.empty())
      for (const Value *at = work.pop_back_val(); const Use &use : at->uses()) {
        const auto *user = cast<Instruction>(use.getUser());
        if (isa<GetElementPtrInst>(user)) {
          work.push_back(user);
          continue;
        }
        if (user == writer || isa<LifetimeIntrinsic>(user))
          continue;
        APInt distance(64, 0);
        if (at->stripAndAccumulateConstantOffsets(
                layout, distance, /*AllowNonInbounds=*/true) != &variable)
          return false;
        const uint64_t begin = distance.getZExtValue() + shift;
        if (auto *load = dyn_cast<LoadInst>(user)) {
          if (!isCopy(*load))
            add(used, begin, load->getType());
        } else if (auto *store = dyn_cast<StoreInst>(user);
                   store && store->getPointerOperand() == at &&
                   store->getValueOperand() != at) {
          add(changed, begin, store->getValueOperand()->getType());
        } else if (auto *copy = dyn_cast<MemTransferInst>(user);
                   copy && copy->getSource() == at && copy->getDest() != at) {
          if (auto *next = dyn_cast<AllocaInst>(copy->getDest());
              next && !follow(*next, begin, copy, depth + 1))
            return false;
        } else {
          return false;
        }
      }
    return true;
  }

  /// What is used of the first \p length bytes and written by nobody else.
  std::vector<Bytes> result(uint64_t length) {
    std::sort(used.begin(), used.end());
    std::vector<Bytes> all;
    for (const auto &[begin, end] : used) {
      if (end > length || std::any_of(changed.begin(), changed.end(),
                                      [&, b = begin, e = end](Bytes other) {
                                        return b < other.second &&
                                               other.first < e;
                                      }))
        continue;
      if (!all.empty() && begin <= all.back().second)
        all.back().second = std::max(all.back().second, end);
      else
        all.push_back({begin, end});
    }
    return all;
  }

private:
  void add(std::vector<Bytes> &to, uint64_t begin, Type *type) {
    to.push_back({begin, begin + layout.getTypeStoreSize(type)});
  }

  const DataLayout &layout;
  std::vector<Bytes> used, changed;
};

} // namespace

std::vector<std::pair<uint64_t, uint64_t>> usedOf(const MemTransferInst &copy) {
  const auto *variable = dyn_cast<AllocaInst>(copy.getDest());
  const auto *length = dyn_cast<ConstantInt>(copy.getLength());
  Uses uses(copy);
  if (!variable || !length || !uses.follow(*variable, 0, &copy))
    return {};
  std::vector<Bytes> all = uses.result(length->getZExtValue());
  for (auto &[begin, end] : all)
    end -= begin;
  return all;
}

} // namespace cufort::check
