//===- WaitFacts.cpp - which threads come to a place, and when ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/analysis/WaitFacts.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {

/// CUDA's, and the bits of x, y and z.
static constexpr unsigned AllDimensions = 7, WarpSize = 32,
                          MaxThreadsPerBlock = 1024;
/// How far operands are followed: indices of threads and blocks have a few
/// operations, and each level may double the work.
static constexpr unsigned DeepestExpression = 8;

/// Whether \p value only goes into the thread's number in its warp, which tells
/// nothing of the dimensions that blocks have.
static bool isForLane(const Instruction &value) {
  return !value.use_empty() && all_of(value.users(), [](const User *user) {
    if (match(user, m_And(m_Value(), m_SpecificInt(WarpSize - 1))))
      return true;
    const auto *next = cast<Instruction>(user);
    return (next->getOpcode() == Instruction::Add ||
            next->getOpcode() == Instruction::Mul) &&
           isForLane(*next);
  });
}

WaitFacts::WaitFacts(Function &entry, DominatorTree &dominators)
    : entry(entry), dominators(dominators), uniformity(entry) {
  SmallVector<unsigned> starts;
  for (BasicBlock &block : entry) {
    firstPart[&block] = blockOfPart.size();
    if (&block == &entry.getEntryBlock())
      starts.push_back(0);
    blockOfPart.push_back(&block);
    for (Instruction &instruction : block) {
      if (int dimension = threadIndexDimension(&instruction);
          dimension >= 0 && !isForLane(instruction))
        dimensions |=
            dimension < RankDimension ? 1u << dimension : AllDimensions;
      if (asMark(&instruction, BarrierMark)) {
        starts.push_back(blockOfPart.size());
        blockOfPart.push_back(&block);
      }
    }
  }
  for (unsigned start : starts)
    stretches.push_back(reachedFrom(start, /*itself=*/true));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static const Value *addressOf(const Instruction &access) {
  if (const Value *pointer = getLoadStorePointerOperand(&access))
    return pointer;
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&access))
    return atomic->getPointerOperand();
  return cast<AtomicCmpXchgInst>(access).getPointerOperand();
}

static uint64_t sizeOf(const Instruction &access) {
  Type *type = access.getType();
  if (auto *store = dyn_cast<StoreInst>(&access))
    type = store->getValueOperand()->getType();
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access))
    type = exchange->getNewValOperand()->getType();
  return access.getDataLayout().getTypeStoreSize(type);
}

bool WaitFacts::isOneAddress(const Value *one, const Value *other,
                             unsigned depth) {
  if (one == other)
    return true;
  auto *a = dyn_cast<Instruction>(one), *b = dyn_cast<Instruction>(other);
  if (!a || !b || depth > DeepestExpression || isa<PHINode>(a) ||
      a->isVolatile() || a->isAtomic() || !a->isSameOperationAs(b))
    return false;
  return all_of(zip(a->operands(), b->operands()), [&](const auto &pair) {
    return isOneAddress(std::get<0>(pair), std::get<1>(pair), depth + 1);
  });
}

/// The object that \p pointer points into; adds what is known of the distance
/// to \p offset, and makes \p step a divisor of the rest of it.
static const Value *decompose(const Value *pointer, int64_t &offset,
                              uint64_t &step, const DataLayout &layout) {
  while (auto *address = dyn_cast<GEPOperator>(pointer)) {
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    if (!address->collectOffset(layout, 64, variable, constant))
      break;
    offset += constant.getSExtValue();
    for (auto &[index, size] : variable)
      step = std::gcd(step, size.abs().getZExtValue());
    pointer = address->getPointerOperand();
  }
  return pointer;
}

bool WaitFacts::mayBeOneElement(const Instruction &one,
                                const Instruction &other) {
  const uint64_t size = sizeOf(one);
  if (size != sizeOf(other))
    return false;
  const Value *pointers[] = {addressOf(one), addressOf(other)};
  if (isSharedMemory(*pointers[0]) != isSharedMemory(*pointers[1]))
    return false;
  int64_t offsets[2] = {};
  uint64_t step = 0;
  const Value *bases[2];
  for (unsigned i = 0; i < 2; ++i)
    bases[i] = decompose(pointers[i], offsets[i], step, entry.getDataLayout());
  if (!isOneAddress(bases[0], bases[1]))
    return isa<PHINode, SelectInst>(getUnderlyingObject(bases[0], 0)) ||
           isa<PHINode, SelectInst>(getUnderlyingObject(bases[1], 0));
  uint64_t distance =
      uint64_t(offsets[0] > offsets[1] ? offsets[0] - offsets[1]
                                       : offsets[1] - offsets[0]);
  if (step)
    distance = std::min(distance % step, step - distance % step) % step;
  return distance < size;
}

/// Adds \p factor times \p value, of 32 bits or more, to \p distance, so far as
/// that matters modulo powers of two up to 2**32; false where the index of
/// threads is not one number.
bool WaitFacts::addTerm(const Value *value, int64_t factor, Distance &distance,
                        unsigned depth) {
  const APInt *number;
  const Value *one, *other;
  if (int dimension = threadIndexDimension(value); dimension >= 0) {
    distance.perThread += factor;
    return dimension == RankDimension || dimensions == 1u << dimension;
  }
  if (match(value, m_APInt(number)) && number->getSignificantBits() <= 32) {
    distance.constant += factor * number->getSExtValue();
    return true;
  }
  // Of shifts: larger factors would leave 64 bits.
  constexpr unsigned MostBits = 32, MostDepth = DeepestExpression;
  auto add = [&](const Value *term, int64_t times) {
    return addTerm(term, factor * times, distance, depth + 1);
  };
  if (value->getType()->getScalarSizeInBits() >= MostBits &&
      depth < MostDepth && factor < int64_t(1) << MostBits) {
    if (match(value, m_AddLike(m_Value(one), m_Value(other))))
      return add(one, 1) && add(other, 1);
    if (match(value, m_Shl(m_Value(one), m_APInt(number))) &&
        number->ult(MostBits))
      return add(one, int64_t(1) << number->getZExtValue());
    if (match(value, m_Mul(m_Value(one), m_APInt(number))) &&
        number->isStrictlyPositive() && number->isIntN(MostBits - 1))
      return add(one, number->getSExtValue());
    if (match(value, m_ZExtOrSExt(m_Value(one))) &&
        one->getType()->getScalarSizeInBits() >= MostBits)
      return add(one, 1);
  }
  distance.step = std::gcd(distance.step, uint64_t(factor));
  return true;
}

bool WaitFacts::isOwnElement(const Instruction &one, const Instruction &other) {
  Distance distances[2];
  const Value *bases[2];
  const Instruction *accesses[] = {&one, &other};
  for (auto [access, base, distance] : zip(accesses, bases, distances)) {
    base = addressOf(*access);
    while (auto *address = dyn_cast<GEPOperator>(base)) {
      SmallMapVector<Value *, APInt, 4> variable;
      APInt constant(64, 0);
      if (!address->collectOffset(entry.getDataLayout(), 64, variable,
                                  constant))
        return false;
      distance.constant += constant.getSExtValue();
      for (auto &[index, size] : variable)
        if (!size.isStrictlyPositive() || !size.isIntN(31) ||
            !addTerm(index, size.getSExtValue(), distance))
          return false;
      base = address->getPointerOperand();
    }
  }
  const auto &[a, b] = distances;
  if (a.perThread != b.perThread || a.perThread < int64_t(sizeOf(one)) ||
      sizeOf(one) != sizeOf(other) || !isOneAddress(bases[0], bases[1]) ||
      !uniformity.isUniform(*bases[0]))
    return false;
  // What is left is a multiple of a power of two, also where numbers of 32
  // bits wrap around.
  const uint64_t step = std::gcd(std::gcd(a.step, b.step), uint64_t(1) << 32);
  return (a.constant - b.constant) % int64_t(step) == 0 &&
         std::min(threadsAt(one), threadsAt(other)) * a.perThread <= step;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

unsigned WaitFacts::stretchPart(const Instruction &place) {
  unsigned part = firstPart[place.getParent()];
  for (const Instruction &before : *place.getParent()) {
    if (&before == &place)
      break;
    part += asMark(const_cast<Instruction *>(&before), BarrierMark) != nullptr;
  }
  return part;
}

/// The parts to which a thread comes from \p part without a barrier, \p part
/// among them if \p itself.
BitVector WaitFacts::reachedFrom(unsigned part, bool itself) {
  BitVector reached(blockOfPart.size());
  SmallVector<unsigned> work{part};
  if (itself)
    reached.set(part);
  while (!work.empty()) {
    unsigned from = work.pop_back_val();
    const BasicBlock *block = blockOfPart[from];
    if (from + 1 < blockOfPart.size() && blockOfPart[from + 1] == block)
      continue; // ends at a barrier
    for (const BasicBlock *next : successors(block))
      if (unsigned to = firstPart.lookup(next); !reached.test(to)) {
        reached.set(to);
        work.push_back(to);
      }
  }
  return reached;
}

bool WaitFacts::isInOneStretch(const Instruction &one,
                               const Instruction &other) {
  const unsigned a = stretchPart(one), b = stretchPart(other);
  return any_of(stretches, [&](const BitVector &stretch) {
    return stretch.test(a) && stretch.test(b);
  });
}

bool WaitFacts::comesTo(const Instruction &from, const Instruction &to) {
  const unsigned part = stretchPart(from), end = stretchPart(to);
  return (part == end && from.comesBefore(&to)) ||
         reachedFrom(part, /*itself=*/false).test(end);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Which dimensions of the thread index tell values of \p value apart, as bits;
/// 0 if that is not clear.
unsigned WaitFacts::dimensionsOf(const Value *value, unsigned depth) {
  if (int dimension = threadIndexDimension(value); dimension >= 0)
    return dimension < RankDimension ? 1u << dimension : AllDimensions;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > DeepestExpression)
    return 0;
  switch (instruction->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::Or:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
    break;
  default:
    return 0;
  }
  unsigned found = 0;
  for (const Value *operand : instruction->operands()) {
    if (isa<Constant>(operand) || uniformity.isUniform(*operand))
      continue;
    unsigned part = dimensionsOf(operand, depth + 1);
    if (!part)
      return 0;
    found |= part;
  }
  return found;
}

void WaitFacts::addFacts(Value *condition, bool isTrue, Facts &facts) {
  Value *one, *other;
  if (match(condition, m_Not(m_Value(one))))
    return addFacts(one, !isTrue, facts);
  if (isTrue ? match(condition, m_LogicalAnd(m_Value(one), m_Value(other)))
             : match(condition, m_LogicalOr(m_Value(one), m_Value(other)))) {
    addFacts(one, isTrue, facts);
    addFacts(other, isTrue, facts);
    return;
  }
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare)
    return;
  one = compare->getOperand(0);
  other = compare->getOperand(1);
  CmpInst::Predicate predicate =
      isTrue ? compare->getPredicate() : compare->getInversePredicate();
  if (isa<Constant>(one) || uniformity.isUniform(*one)) {
    std::swap(one, other);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  if (!isa<Constant>(other) && !uniformity.isUniform(*other))
    return;
  if (predicate == CmpInst::ICMP_EQ)
    facts.push_back({one, other, true});
  else if (predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_SLT)
    facts.push_back({one, other, false});
}

WaitFacts::Facts WaitFacts::factsAt(const Instruction &place) {
  Facts facts;
  const BasicBlock *block = place.getParent();
  for (auto *node = dominators.getNode(block); node; node = node->getIDom()) {
    const auto *branch =
        dyn_cast<BranchInst>(node->getBlock()->getTerminator());
    if (!branch || !branch->isConditional() || node->getBlock() == block)
      continue;
    for (unsigned edge : {0u, 1u})
      if (dominators.dominates(
              BasicBlockEdge(node->getBlock(), branch->getSuccessor(edge)),
              block))
        addFacts(branch->getCondition(), edge == 0, facts);
  }
  return facts;
}

/// How many threads of a block come to \p place at most.
uint64_t WaitFacts::threadsAt(const Instruction &place) {
  uint64_t threads = MaxThreadsPerBlock;
  StringRef most = entry.getFnAttribute("nvvm.maxntid").getValueAsString();
  if (uint64_t number; !most.getAsInteger(10, number))
    threads = std::min(threads, number);
  for (const Fact &fact : factsAt(place))
    if (const APInt *number; !fact.equal && match(fact.number, m_APInt(number)))
      if (int dimension = threadIndexDimension(fact.value);
          dimension >= 0 && !number->isNegative())
        threads = std::min(threads, number->getLimitedValue());
  return threads;
}

/// Whether one thread at most fulfils \p facts.
bool WaitFacts::coverThread(const Facts &facts) {
  unsigned covered = 0;
  for (const Fact &fact : facts)
    if (fact.equal)
      covered |= dimensionsOf(fact.value);
  return dimensions && (covered & dimensions) == dimensions;
}

bool WaitFacts::isOneThread(const Instruction &one, const Instruction &other) {
  const Facts others = factsAt(other);
  Facts common;
  for (const Fact &fact : factsAt(one))
    if (any_of(others, [&](const Fact &same) {
          return fact.equal == same.equal &&
                 isOneAddress(fact.value, same.value) &&
                 isOneAddress(fact.number, same.number);
        }))
      common.push_back(fact);
  return coverThread(common);
}

bool WaitFacts::isFirstThread(const Instruction &place) {
  Facts facts = factsAt(place);
  erase_if(facts,
           [](const Fact &fact) { return !match(fact.number, m_Zero()); });
  return coverThread(facts);
}

/// The number of the only warp that comes to \p place.
std::optional<uint64_t> WaitFacts::warpAt(const Instruction &place) {
  for (const Fact &fact : factsAt(place)) {
    const APInt *number;
    Value *thread;
    if (!match(fact.number, m_APInt(number)) || number->isNegative())
      continue;
    const uint64_t value = number->getLimitedValue();
    if ((dimensionsOf(fact.value) & dimensions) == dimensions && dimensions) {
      if (fact.equal)
        return value / WarpSize;
      if (value <= WarpSize)
        return 0;
    }
    if (fact.equal &&
        (match(fact.value, m_LShr(m_Value(thread), m_SpecificInt(5))) ||
         match(fact.value, m_UDiv(m_Value(thread), m_SpecificInt(32)))) &&
        (dimensionsOf(thread) & dimensions) == dimensions)
      return value;
  }
  return std::nullopt;
}

bool WaitFacts::isOneWarp(const Instruction &one, const Instruction &other) {
  std::optional<uint64_t> a = warpAt(one), b = warpAt(other);
  return a && b && *a == *b;
}

} // namespace cufort::cpu
