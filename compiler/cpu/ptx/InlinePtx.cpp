//===- InlinePtx.cpp - PTX written in C, on the host ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/ptx/InlinePtx.h"
#include "compiler/cpu/ptx/PtxArithmetic.h"
#include "compiler/cpu/ptx/PtxMatrices.h"
#include "compiler/cpu/ptx/PtxSharing.h"
#include "compiler/cpu/ptx/PtxWords.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// One inline assembly being translated. Every function that returns false or
/// null has met something unknown.
class Translation : PtxMatrices {
public:
  using PtxMatrices::PtxMatrices;

  bool run() {
    if (!takeOperands())
      return false;
    const std::string text = withoutComments(assembly.getAsmString());
    SmallVector<StringRef> statements;
    StringRef(text).split(statements, ';');
    if (!prepareFlow(statements))
      return false;
    hasBlocks = hasLabels();
    for (StringRef statement : statements)
      if (!translate(statement))
        return false;
    Function &function = *call.getFunction();
    finish();
    endFlow(function);
    return true;
  }

  /// Removes what was made before something unknown was met; what lies in
  /// blocks of its own stays, for a kernel that is refused.
  void undo() {
    for (Instruction *made : reverse(created))
      if (made->use_empty())
        made->eraseFromParent();
  }

  /// Notes everything between the instruction before the call and the call.
  void noteCreated(Instruction *before) {
    if (hasBlocks)
      return;
    BasicBlock::iterator at =
        before ? std::next(before->getIterator()) : call.getParent()->begin();
    for (; &*at != &call; ++at)
      created.push_back(&*at);
  }

private:
  //===--- statements ---===//

  bool translate(StringRef statement) {
    if (hasLabels())
      takeLabels(statement);
    statement = statement.trim();
    while (statement.consume_front("{") || statement.consume_front("}"))
      statement = statement.ltrim();
    if (statement.empty() || statement.starts_with(".reg") ||
        statement.starts_with(".pragma"))
      return true;
    if (statement.consume_front("@"))
      return guarded(statement);
    auto space = statement.find_first_of(" \t\n");
    StringRef operation = statement.substr(0, space);
    StringRef rest =
        space == StringRef::npos ? "" : statement.substr(space).trim();
    SmallVector<StringRef> words;
    operation.split(words, '.');
    // ptxas takes the type before it as well, as cuRAND's header has it.
    if (words.back() == "ftz")
      std::swap(words.back(), words[words.size() - 2]);
    return instruction(words, split(rest));
  }

  static std::string withoutComments(StringRef text) {
    std::string result;
    while (!text.empty()) {
      const size_t at = std::min(text.find("//"), text.find("/*"));
      result += text.substr(0, at);
      text = at == StringRef::npos ? "" : text.substr(at);
      if (text.consume_front("//"))
        text = text.substr(std::min(text.find('\n'), text.size()));
      else if (text.starts_with("/*"))
        text = text.substr(std::min(text.find("*/") + 2, text.size()));
    }
    return result;
  }

  /// "p add.u32 ...", after the @: in a block of its own.
  bool guarded(StringRef statement) {
    auto space = statement.find_first_of(" \t\n");
    if (space == StringRef::npos)
      return false;
    Value *condition = get(statement.substr(0, space), b.getInt1Ty());
    if (!condition)
      return false;
    if (StringRef rest = statement.substr(space).trim();
        rest.consume_front("bra.uni") || rest.consume_front("bra"))
      return branch(rest, condition);
    else if (rest == "exit")
      return exit(condition);
    const SmallVector<Value *> operandsBefore = operands;
    const StringMap<Value *> registersBefore = registers;
    Instruction *end = SplitBlockAndInsertIfThen(condition, &call, false);
    hasBlocks = true;
    BasicBlock *head = end->getParent()->getSinglePredecessor();
    b.SetInsertPoint(end);
    if (!translate(statement.substr(space)))
      return false;
    const auto merge = [&](Value *changed, Value *old) -> Value * {
      b.SetInsertPoint(head->getTerminator());
      old = old ? ptxBits(b, old, changed->getType())
                : PoisonValue::get(changed->getType());
      BasicBlock *tail = call.getParent();
      b.SetInsertPoint(tail, tail->begin());
      PHINode *both = b.CreatePHI(changed->getType(), 2);
      both->addIncoming(changed, end->getParent());
      both->addIncoming(old, head);
      return both;
    };
    for (auto [now, before] : zip(operands, operandsBefore))
      if (now != before)
        now = merge(now, before);
    for (auto &entry : registers)
      if (Value *before = registersBefore.lookup(entry.first());
          before != entry.second)
        entry.second = merge(entry.second, before);
    b.SetInsertPoint(&call);
    return true;
  }

  bool instruction(ArrayRef<StringRef> words, ArrayRef<StringRef> names) {
    StringRef name = words.front();
    Type *type = words.size() > 1 ? typeOf(words.back()) : nullptr;
    if (name == "bra")
      return names.size() == 1 && branch(names[0], nullptr);
    if (name == "exit")
      return exit(nullptr);
    if (name == "ld" || name == "ldu" || name == "st")
      return type && access(words, names, type);
    if (name == "membar" || name == "fence")
      return intrinsic(Intrinsic::nvvm_membar_gl);
    if (name == "bar" || name == "barrier")
      return barrier(words, names);
    if (hasNoEffect(name))
      return true;
    if (name == "trap")
      return intrinsic(Intrinsic::trap);
    if (name == "cp")
      return copy(words, names);
    if (names.empty())
      return false;
    if (name == "atom" || name == "red")
      return type && atomic(words, names, type);
    if (name == "shfl" || name == "vote" || name == "match" || name == "redux")
      return warp(words, names);
    if (name == "mma") {
      hasBlocks = true;
      return multiply(words, names);
    }
    if (name == "ldmatrix")
      return loadMatrices(words, names);
    if (name == "stmatrix")
      return storeMatrices(words, names);
    if (name == "movmatrix")
      return transposeMatrix(words, names);
    return computation(words, names, type);
  }

  /// What has its result in the first operand and touches nothing else.
  bool computation(ArrayRef<StringRef> words, ArrayRef<StringRef> names,
                   Type *type) {
    StringRef name = words.front();
    if (name == "setp")
      return predicates(words, names);
    if (name == "set")
      return comparison(words, names);
    if (name == "cvt" && words.size() > 2)
      return conversion(words, names);
    if (name == "mov" && names.size() == 2 && type &&
        (names[0].starts_with("{") || names[1].starts_with("{")))
      return parts(names[0], names[1], type);
    if (name == "cvta")
      return names.size() == 2 && set(names[0], get(names[1], b.getInt64Ty()));
    if (name.starts_with("v") && names.size() == 4)
      return arithmeticOnParts(words, names);
    if (name == "activemask")
      return set(names[0],
                 b.CreateIntrinsic(Intrinsic::nvvm_activemask,
                                   ArrayRef<Type *>(), ArrayRef<Value *>()));
    return type && arithmetic(words, names, type);
  }

  /// Hints, and griddepcontrol: grids of a stream do not overlap.
  static bool hasNoEffect(StringRef name) {
    return name == "griddepcontrol" || name == "prefetch" ||
           name == "prefetchu" || name == "pmevent" || name == "nanosleep" ||
           name == "discard" || name == "applypriority";
  }

  bool intrinsic(Intrinsic::ID id, ArrayRef<Value *> arguments = {}) {
    b.CreateIntrinsic(id, ArrayRef<Type *>(), arguments);
    return true;
  }

  bool barrier(ArrayRef<StringRef> words, ArrayRef<StringRef> names) {
    bool arrives = has(words, "arrive");
    if (names.size() < (arrives ? 2 : 1) || names.size() > 2 ||
        arrives == has(words, "sync"))
      return false;
    Value *which = get(names[0], b.getInt32Ty());
    if (!which)
      return false;
    if (names.size() == 2 && !has(words, "warp")) {
      Value *threads = get(names[1], b.getInt32Ty());
      return threads &&
             intrinsic(arrives
                           ? Intrinsic::nvvm_barrier_cta_arrive_aligned_count
                           : Intrinsic::nvvm_barrier_cta_sync_aligned_count,
                       {which, threads});
    }
    return intrinsic(has(words, "warp") ? Intrinsic::nvvm_bar_warp_sync
                     : words.front() == "bar" || has(words, "aligned")
                         ? Intrinsic::nvvm_barrier_cta_sync_aligned_all
                         : Intrinsic::nvvm_barrier_cta_sync_all,
                     {which});
  }

  /// The operands behind the first, as \p type; empty: one is unknown.
  SmallVector<Value *, 4> sources(ArrayRef<StringRef> names, Type *type) {
    SmallVector<Value *, 4> values;
    for (StringRef each : names.drop_front()) {
      values.push_back(type ? get(each, type) : nullptr);
      if (!values.back())
        return {};
    }
    return values;
  }

  bool conversion(ArrayRef<StringRef> words, ArrayRef<StringRef> names) {
    SmallVector<Value *, 4> values = sources(names, typeOf(words.back()));
    return !values.empty() && values.size() <= 2 &&
           set(names[0], ptxConversion(b, words, values));
  }

  /// vadd4.u32.u32.u32 and its like.
  bool arithmeticOnParts(ArrayRef<StringRef> words, ArrayRef<StringRef> names) {
    SmallVector<Value *, 4> values = sources(names, b.getInt32Ty());
    return !values.empty() &&
           set(names[0], ptxArithmeticOnParts(b, words, values));
  }

  /// The type of source operand \p number of an instruction on \p type, where
  /// it is not the same.
  Type *sourceType(ArrayRef<StringRef> words, unsigned number, Type *type) {
    StringRef name = words.front();
    if (name == "selp" && number == 2)
      return b.getInt1Ty();
    if (isPtxCount(name, number))
      return b.getInt32Ty();
    if (name == "slct" && words.size() == 3)
      return typeOf(words[number == 2 ? 2 : 1]);
    if (number == 2 && type->isIntegerTy() && has(words, "wide"))
      return b.getIntNTy(2 * type->getIntegerBitWidth());
    return type;
  }

  bool arithmetic(ArrayRef<StringRef> words, ArrayRef<StringRef> names,
                  Type *type) {
    SmallVector<Value *, 4> values;
    for (StringRef each : names.drop_front()) {
      Type *wanted = sourceType(words, values.size(), type);
      values.push_back(wanted ? get(each, wanted) : nullptr);
      if (!values.back())
        return false;
    }
    if (words.front() == "slct" && !values.empty())
      type = values.front()->getType();
    Value *result = ptxWithCarry(b, words, type, values, carry);
    if (!result)
      result = ptxWordOperation(b, words, type, values);
    if (!result)
      result = ptxArithmetic(b, words, type, values);
    return set(names[0], result);
  }

  /// "p|q": two results.
  bool setBoth(StringRef names, Value *first, Value *second) {
    auto [one, other] = names.split('|');
    return set(one, first) && (other.trim().empty() || set(other, second));
  }

  bool atomic(ArrayRef<StringRef> words, ArrayRef<StringRef> names,
              Type *type) {
    bool hasResult = words.front() == "atom";
    if (names.size() < (hasResult ? 3u : 2u))
      return false;
    StringRef place = names[hasResult];
    SmallVector<Value *, 2> values;
    for (StringRef each : names.drop_front(hasResult + 1)) {
      values.push_back(get(each, type));
      if (!values.back())
        return false;
    }
    Value *where = inBrackets(place);
    Value *before = where ? ptxAtomic(b, words, type, where, values) : nullptr;
    return before && (!hasResult || set(names[0], before));
  }

  bool warp(ArrayRef<StringRef> words, ArrayRef<StringRef> names) {
    SmallVector<Value *, 4> values;
    for (StringRef each : names.drop_front()) {
      Type *wanted = ptxWarpOperandType(b, words, values.size());
      if (!wanted)
        wanted = typeOf(words.back());
      values.push_back(wanted ? get(each, wanted) : nullptr);
      if (!values.back())
        return false;
    }
    bool isPair = names[0].contains('|');
    Value *result = ptxWarpOperation(b, words, values, isPair);
    if (!result || !isPair)
      return set(names[0], result);
    return setBoth(names[0], b.CreateExtractValue(result, 0),
                   b.CreateExtractValue(result, 1));
  }

  /// setp.lt.and.s32 p|q, a, b, c: the comparison, and with c; q is of the
  /// opposite.
  bool predicates(ArrayRef<StringRef> words, ArrayRef<StringRef> names) {
    Type *type = words.size() > 2 ? typeOf(words.back()) : nullptr;
    if (!type || type->isVectorTy() || names.size() < 3 || names.size() > 4)
      return false;
    Value *x = get(names[1], type), *y = get(names[2], type);
    Value *holds =
        x && y ? ptxComparison(b, words[1], words.back().starts_with("s"), x, y)
               : nullptr;
    if (!holds)
      return false;
    Value *fails = b.CreateNot(holds);
    if (names.size() == 4) {
      Value *with = get(names[3], b.getInt1Ty());
      if (!with)
        return false;
      for (Value **each : {&holds, &fails}) {
        if (has(words, "and"))
          *each = b.CreateAnd(*each, with);
        else if (has(words, "or"))
          *each = b.CreateOr(*each, with);
        else if (has(words, "xor"))
          *each = b.CreateXor(*each, with);
        else
          return false;
      }
    }
    return setBoth(names[0], holds, fails);
  }

  /// set.lt.u32.f32: all ones, or one.
  bool comparison(ArrayRef<StringRef> words, ArrayRef<StringRef> names) {
    if (words.size() != 4 || names.size() != 3)
      return false;
    Type *to = typeOf(words[2]), *from = typeOf(words[3]);
    if (!to || !from || from->isVectorTy())
      return false;
    Value *x = get(names[1], from), *y = get(names[2], from);
    Value *holds =
        x && y ? ptxComparison(b, words[1], words[3].starts_with("s"), x, y)
               : nullptr;
    return holds &&
           set(names[0], to->isIntegerTy() ? b.CreateSExt(holds, to)
                                           : b.CreateUIToFP(holds, to));
  }

  /// mov.b64 d, {a, b} and mov.b64 {a, b}, d.
  bool parts(StringRef to, StringRef from, Type *type) {
    bool packs = from.consume_front("{");
    StringRef list = packs ? from : to;
    if (!packs && !list.consume_front("{"))
      return false;
    if (!list.consume_back("}"))
      return false;
    SmallVector<StringRef> each = split(list);
    unsigned bits = type->getPrimitiveSizeInBits();
    if (each.size() < 2 || bits % each.size())
      return false;
    Type *whole = b.getIntNTy(bits), *part = b.getIntNTy(bits / each.size());
    Value *value = packs ? ConstantInt::get(whole, 0) : get(from, whole);
    for (auto [i, name] : enumerate(each)) {
      uint64_t shift = i * part->getIntegerBitWidth();
      if (!value)
        return false;
      if (!packs) {
        if (name.trim() != "_" &&
            !set(name, b.CreateTrunc(b.CreateLShr(value, shift), part)))
          return false;
        continue;
      }
      Value *one = get(name, part);
      value =
          one ? b.CreateOr(value, b.CreateShl(b.CreateZExt(one, whole), shift))
              : nullptr;
    }
    return value && (!packs || set(to, value));
  }

  bool hasBlocks = false;
  SmallVector<Instruction *> created;
};

} // namespace

/// Variables become values, so that it can be seen where addresses come from.
static void promoteVariables(Function &function) {
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && isAllocaPromotable(variable))
      variables.push_back(variable);
  DominatorTree tree(function);
  PromoteMemToReg(variables, tree);
}

void translateInlinePtx(Function &function) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->isInlineAsm())
      calls.push_back(call);
  if (calls.empty())
    return;
  promoteVariables(function);
  for (CallInst *call : calls) {
    Instruction *before = call->getPrevNode();
    Translation translation(*call);
    if (translation.run())
      continue;
    translation.noteCreated(before);
    translation.undo();
  }
}

} // namespace cufort::cpu
