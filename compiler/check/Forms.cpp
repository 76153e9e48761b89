//===- Forms.cpp - indices as sums over threads and loops -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Forms.h"
#include "image/Image.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::check {

using image::CheckSymbolKind;

Forms::Forms(Function &kernel, Function &code, const DominatorTree &tree,
             const LoopInfo &loops)
    : b(&code.back()), kernel(kernel), arguments(code.getArg(0)),
      launch(code.getArg(1)), tree(tree), loops(loops) {
  const DataLayout &layout = kernel.getDataLayout();
  uint64_t end = 0;
  // As compiler/cpu/block/KernelEntries lays them out.
  for (Argument &parameter : kernel.args()) {
    Type *type = parameter.getType();
    const bool byValue = parameter.hasByValAttr();
    if (byValue)
      type = parameter.getParamByValType();
    Align alignment = layout.getABITypeAlign(type);
    if (byValue && parameter.getParamAlign())
      alignment = *parameter.getParamAlign();
    const uint64_t offset = alignTo(end, alignment);
    end = offset + layout.getTypeAllocSize(type);
    Value *place =
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), arguments, offset);
    launchValues[&parameter] =
        byValue ? place : b.CreateAlignedLoad(type, place, Align(1));
  }
}

//===----------------------------------------------------------------------===//
// What is the same for the whole launch
//===----------------------------------------------------------------------===//

/// Which number of image::CpuLaunch \p id reads; -1: none.
static int launchField(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return offsetof(image::CpuLaunch, grid);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return offsetof(image::CpuLaunch, grid) + 4;
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return offsetof(image::CpuLaunch, grid) + 8;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return offsetof(image::CpuLaunch, block);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return offsetof(image::CpuLaunch, block) + 4;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return offsetof(image::CpuLaunch, block) + 8;
  default:
    return -1;
  }
}

Value *Forms::launchValue(Value *value) {
  if (isa<ConstantInt, ConstantFP, ConstantPointerNull>(value))
    return value;
  if (auto found = launchValues.find(value); found != launchValues.end())
    return found->second;
  launchValues[value] = nullptr; // phis lead back here
  Value *made = computeLaunchValue(value);
  launchValues[value] = made;
  return made;
}

Value *Forms::computeLaunchValue(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return nullptr;
  if (auto *extract = dyn_cast<ExtractValueInst>(instruction)) {
    Value *whole = FindInsertedValue(extract->getAggregateOperand(),
                                     extract->getIndices());
    return whole && whole != extract ? launchValue(whole) : nullptr;
  }
  if (auto *call = dyn_cast<IntrinsicInst>(instruction)) {
    if (int field = launchField(call->getIntrinsicID()); field >= 0)
      return b.CreateAlignedLoad(
          b.getInt32Ty(),
          b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), launch, field), Align(4));
    switch (call->getIntrinsicID()) {
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
      break;
    default:
      return nullptr;
    }
  } else if (auto *load = dyn_cast<LoadInst>(instruction)) {
    // Of the kernel's arguments alone: nobody writes them.
    auto *root = dyn_cast<Argument>(
        getUnderlyingObject(load->getPointerOperand(), /*MaxLookup=*/0));
    if (!load->isSimple() || !root || !root->hasByValAttr())
      return nullptr;
  } else if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst, FreezeInst,
                  GetElementPtrInst>(instruction)) {
    return nullptr;
  }
  SmallVector<Value *> operands;
  for (Value *operand : instruction->operands()) {
    if (isa<Function>(operand)) {
      operands.push_back(operand);
      continue;
    }
    Value *there = launchValue(operand);
    if (!there)
      return nullptr;
    operands.push_back(there);
  }
  if (instruction->isIntDivRem()) {
    // It may stand under a condition; here it is always executed.
    Value *zero = b.CreateICmpEQ(operands[1],
                                 ConstantInt::get(operands[1]->getType(), 0));
    operands[1] = b.CreateSelect(
        zero, ConstantInt::get(operands[1]->getType(), 1), operands[1]);
  }
  Instruction *copy = instruction->clone();
  copy->setOperand(0, operands[0]);
  for (auto [i, operand] : enumerate(operands))
    copy->setOperand(i, operand);
  copy->dropPoisonGeneratingFlags();
  copy->dropUnknownNonDebugMetadata();
  copy->setDebugLoc(DebugLoc());
  return b.Insert(copy);
}

Value *Forms::launchNumber(Value *value) {
  Value *there = launchValue(value);
  if (!there)
    return nullptr;
  if (there->getType()->isPointerTy())
    return b.CreatePtrToInt(there, b.getInt64Ty());
  auto *type = dyn_cast<IntegerType>(there->getType());
  if (!type || type->getBitWidth() > 64 || type->getBitWidth() == 1)
    return nullptr;
  return b.CreateSExt(there, b.getInt64Ty());
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static bool isZero(Value *value) {
  auto *number = dyn_cast<ConstantInt>(value);
  return number && number->isZero();
}

Form Forms::add(const Form &a, const Form &c, int64_t factor) {
  Value *times = b.getInt64(factor);
  auto product = [&](Value *value) {
    return factor == 1 ? value : b.CreateMul(value, times);
  };
  Form sum = a;
  sum.constant = b.CreateAdd(a.constant, product(c.constant));
  for (auto [symbol, value] : c.terms) {
    auto *at = find_if(sum.terms,
                       [&](const auto &term) { return term.first == symbol; });
    if (at == sum.terms.end())
      sum.terms.push_back({symbol, product(value)});
    else
      at->second = b.CreateAdd(at->second, product(value));
  }
  erase_if(sum.terms, [](const auto &term) { return isZero(term.second); });
  return sum;
}

Form Forms::plus(const Form &a, int64_t number) {
  return add(a, {b.getInt64(number), {}}, 1);
}

Form Forms::scaled(const Form &form, Value *factor) {
  Form product = form;
  product.constant = b.CreateMul(form.constant, factor);
  for (auto &term : product.terms)
    term.second = b.CreateMul(term.second, factor);
  erase_if(product.terms, [](const auto &term) { return isZero(term.second); });
  return product;
}

Form Forms::symbol(CheckSymbolKind kind, const Loop *loop) {
  auto [at, isNew] =
      made.try_emplace({loop, unsigned(kind)}, unsigned(symbols.size()));
  if (isNew)
    symbols.push_back({kind, loop, {}, {}, nullptr});
  return {b.getInt64(0), {{at->second, b.getInt64(1)}}};
}

std::optional<Form> Forms::between(const Form &low, const Form &high,
                                   const Loop *loop, CheckSymbolKind kind) {
  symbols.push_back({kind, loop, low, high, nullptr});
  return Form{b.getInt64(0), {{unsigned(symbols.size() - 1), b.getInt64(1)}}};
}

void Forms::limit(const Form &form, unsigned bits, Instruction &at) {
  // What a symbol stands for has been computed in as many bits.
  if (bits < 64 && !(bits > 0 && (form.terms.empty() || isBare(form))))
    pending.push_back({form, bits, &at});
}

/// Conditions lead to values, and those here: so they are asked for last.
void Forms::resolve(const Form &form, unsigned bits, Instruction &at) {
  BasicBlock *block = at.getParent();
  Limit made{form, bits, std::nullopt, nullptr, conditionsOf(block), 0, 0};
  const Loop *loop = loops.getLoopFor(block);
  auto *branch = dyn_cast<BranchInst>(block->getTerminator());
  if (loop && loop->getHeader() == block && branch && branch->isConditional())
    for (auto [symbol, value] : form.terms) {
      if (symbols[symbol].kind != CheckSymbolKind::Iterations ||
          symbols[symbol].loop != loop)
        continue;
      // Here once more than in the loop.
      const unsigned inside = loop->contains(branch->getSuccessor(1));
      if (inside && loop->contains(branch->getSuccessor(0)))
        break;
      made.symbol = symbol;
      made.step = value;
      const size_t before = made.conditions.size();
      add(branch->getCondition(), inside == 0, branch->getSuccessor(inside),
          made.conditions);
      made.inner = made.conditions.size() - before;
    }
  limits.push_back(std::move(made));
}

void Forms::finish() {
  for (size_t i = 0; i < pending.size(); ++i) {
    const Pending each = pending[i];
    resolve(each.form, each.bits, *each.at);
  }
  pending.clear();
}

std::optional<Form> Forms::of(Value *value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  known[value] = std::nullopt; // phis lead back here
  std::optional<Form> made = compute(value);
  if (!made)
    made = unknown(value);
  known[value] = made;
  return made;
}

static std::optional<CheckSymbolKind> indexKind(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return CheckSymbolKind::ThreadX;
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return CheckSymbolKind::ThreadY;
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return CheckSymbolKind::ThreadZ;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return CheckSymbolKind::BlockX;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return CheckSymbolKind::BlockY;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return CheckSymbolKind::BlockZ;
  default:
    return std::nullopt;
  }
}

/// A quotient, a remainder, or a shift or mask that is one.
static bool isDivision(Instruction &instruction) {
  return instruction.isIntDivRem() ||
         match(&instruction, m_LShr(m_Value(), m_ConstantInt())) ||
         match(&instruction, m_AShr(m_Value(), m_ConstantInt())) ||
         match(&instruction, m_And(m_Value(), m_LowBitMask()));
}

std::optional<Form> Forms::compute(Value *value) {
  auto *type = dyn_cast<IntegerType>(value->getType());
  if (!type || type->getBitWidth() > 64 || type->getBitWidth() == 1)
    return std::nullopt;
  if (Value *number = launchNumber(value))
    return Form{number, {}};
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return std::nullopt;
  if (auto *call = dyn_cast<IntrinsicInst>(instruction))
    if (auto kind = indexKind(call->getIntrinsicID()))
      return symbol(*kind, nullptr);
  if (auto *phi = dyn_cast<PHINode>(instruction))
    return ofPhi(*phi);
  if (auto *choice = dyn_cast<SelectInst>(instruction);
      choice && !match(value, m_MaxOrMin(m_Value(), m_Value())))
    return either({choice->getTrueValue(), choice->getFalseValue()});
  Value *x, *y;
  if (match(value, m_SMin(m_Value(x), m_Value(y))))
    return extreme(*instruction, x, y, CheckSymbolKind::Least);
  if (match(value, m_SMax(m_Value(x), m_Value(y))))
    return extreme(*instruction, x, y, CheckSymbolKind::Most);
  if (isDivision(*instruction))
    if (auto made = divided(*instruction))
      return made;
  ConstantInt *number;
  if (match(value, m_And(m_Value(), m_ConstantInt(number))) &&
      !number->isNegative())
    return between({b.getInt64(0), {}},
                   {b.getInt64(number->getSExtValue()), {}}, nullptr,
                   CheckSymbolKind::Between);
  auto first = instruction->getNumOperands() ? of(instruction->getOperand(0))
                                             : std::nullopt;
  if (!first)
    return std::nullopt;
  return instruction->getNumOperands() == 2 ? binary(*instruction, *first)
                                            : converted(*instruction, *first);
}

/// The smaller or larger of \p x and \p y, which \p at computes.
std::optional<Form> Forms::extreme(Instruction &at, Value *x, Value *y,
                                   CheckSymbolKind kind) {
  auto first = of(x), second = of(y);
  if (!first || !second)
    return std::nullopt;
  const unsigned bits = at.getType()->getIntegerBitWidth();
  limit(*first, bits, at);
  limit(*second, bits, at);
  return between(*first, *second, nullptr, kind);
}

/// \p form, in as many bits as \p conversion has.
std::optional<Form> Forms::converted(Instruction &conversion,
                                     const Form &form) {
  auto bitsBefore = [&] {
    return conversion.getOperand(0)->getType()->getIntegerBitWidth();
  };
  switch (conversion.getOpcode()) {
  case Instruction::Freeze:
    return form;
  case Instruction::Trunc:
    // Its low bits may be any number.
    if (isUnknown(form))
      return std::nullopt;
    if (!form.terms.empty())
      pending.push_back(
          {form, conversion.getType()->getIntegerBitWidth(), &conversion});
    return form;
  case Instruction::SExt:
    limit(form, bitsBefore(), conversion);
    return form;
  case Instruction::ZExt:
    limit(form, bitsBefore(), conversion);
    if (isFromData(form))
      return between(form, {b.getInt64(bitsBefore()), {}}, nullptr,
                     CheckSymbolKind::Unsigned);
    // Not negative either: it would be another number.
    limit(form, 0, conversion);
    return form;
  default:
    return std::nullopt;
  }
}

/// An operation whose first operand is \p left.
std::optional<Form> Forms::binary(Instruction &operation, const Form &left) {
  auto right = of(operation.getOperand(1));
  // A sum with any number need not fit; another number stands for it.
  if (!right || (operation.getType()->getIntegerBitWidth() < 64 &&
                 (isUnknown(left) || isUnknown(*right))))
    return std::nullopt;
  switch (operation.getOpcode()) {
  case Instruction::Add:
    return add(left, *right, 1);
  case Instruction::Sub:
    return add(left, *right, -1);
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(operation).isDisjoint())
      return add(left, *right, 1);
    return std::nullopt;
  case Instruction::Mul:
    if (right->terms.empty())
      return scaled(left, right->constant);
    if (left.terms.empty())
      return scaled(*right, left.constant);
    return std::nullopt;
  case Instruction::Shl:
    if (auto *by = dyn_cast<ConstantInt>(operation.getOperand(1));
        by && by->getValue().ult(63))
      return scaled(left, b.getInt64(int64_t(1) << by->getZExtValue()));
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<Form> Forms::ofPhi(PHINode &phi) {
  const Loop *loop = loops.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent()) {
    SmallVector<Value *> values(phi.incoming_values());
    return either(values);
  }
  if (!loop->getLoopLatch() || phi.getNumIncomingValues() != 2)
    return std::nullopt;
  BasicBlock *latch = loop->getLoopLatch();
  Value *next = phi.getIncomingValueForBlock(latch);
  Value *first = phi.getIncomingValue(phi.getIncomingBlock(0) == latch ? 1 : 0);
  auto start = of(first);
  if (!start || (phi.getType()->getIntegerBitWidth() < 64 && isUnknown(*start)))
    return std::nullopt;
  Value *step;
  if (match(next, m_c_Add(m_Specific(&phi), m_Value(step)))) {
    if (Value *each = launchNumber(step))
      return add(*start,
                 scaled(symbol(CheckSymbolKind::Iterations, loop), each), 1);
    return std::nullopt;
  }
  if (match(next, m_Sub(m_Specific(&phi), m_Value(step)))) {
    if (Value *each = launchNumber(step))
      return add(
          *start,
          scaled(symbol(CheckSymbolKind::Iterations, loop), b.CreateNeg(each)),
          1);
    return std::nullopt;
  }
  // A distance that is halved from iteration to iteration; all threads agree on
  // it.
  const APInt *by;
  if (start->terms.empty() &&
      (match(next, m_SDiv(m_Specific(&phi), m_APInt(by))) ||
       match(next, m_LShr(m_Specific(&phi), m_APInt(by))) ||
       match(next, m_AShr(m_Specific(&phi), m_APInt(by)))) &&
      by->isStrictlyPositive())
    return between({b.getInt64(0), {}}, *start, loop,
                   CheckSymbolKind::BlockBetween);
  // One that is doubled.
  auto *from = dyn_cast<ConstantInt>(first);
  auto *times = dyn_cast<BinaryOperator>(next);
  if (from && from->getValue().isStrictlyPositive() && times &&
      (match(next, m_Shl(m_Specific(&phi), m_APInt(by))) ||
       match(next, m_Mul(m_Specific(&phi), m_APInt(by)))) &&
      by->isStrictlyPositive() && times->hasNoSignedWrap())
    return between(
        *start, {b.getInt64(maxIntN(phi.getType()->getIntegerBitWidth())), {}},
        loop, CheckSymbolKind::BlockBetween);
  return std::nullopt;
}

std::optional<Form> Forms::offsetOf(Value *pointer, Value *&root) {
  const DataLayout &layout = kernel.getDataLayout();
  Form sum{b.getInt64(0), {}};
  while (true) {
    if (isa<AddrSpaceCastOperator>(pointer)) {
      pointer = cast<Operator>(pointer)->getOperand(0);
      continue;
    }
    auto *step = dyn_cast<GEPOperator>(pointer);
    if (!step || launchValue(pointer))
      break;
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    if (!step->collectOffset(layout, 64, variable, constant))
      return std::nullopt;
    sum = plus(sum, constant.getSExtValue());
    for (auto &[index, scale] : variable) {
      auto form = of(index);
      if (!form)
        return std::nullopt;
      // A GEP takes its index as a number with a sign.
      if (auto *at = dyn_cast<Instruction>(index))
        limit(*form, index->getType()->getIntegerBitWidth(), *at);
      sum = add(sum, scaled(*form, b.getInt64(scale.getSExtValue())), 1);
    }
    pointer = step->getPointerOperand();
  }
  root = pointer;
  return sum;
}

} // namespace cufort::check
