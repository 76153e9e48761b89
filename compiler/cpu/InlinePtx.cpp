//===- InlinePtx.cpp - PTX written in C, on the host ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/InlinePtx.h"
#include "compiler/cpu/PtxArithmetic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// One inline assembly being translated. Every function that returns false or
/// null has met something unknown.
class Translation {
public:
  explicit Translation(CallInst &call)
      : call(call), assembly(*cast<InlineAsm>(call.getCalledOperand())),
        b(&call) {}

  bool run() {
    if (!takeOperands())
      return false;
    SmallVector<StringRef> statements;
    StringRef(assembly.getAsmString()).split(statements, ';');
    for (StringRef statement : statements)
      if (!translate(statement))
        return false;
    finish();
    return true;
  }

  /// Removes what was made before something unknown was met.
  void undo() {
    for (Instruction *made : reverse(created))
      if (made->use_empty())
        made->eraseFromParent();
  }

  /// Notes everything between the instruction before the call and the call.
  void noteCreated(Instruction *before) {
    BasicBlock::iterator at =
        before ? std::next(before->getIterator()) : call.getParent()->begin();
    for (; &*at != &call; ++at)
      created.push_back(&*at);
  }

private:
  //===--- operands ---===//

  bool takeOperands() {
    unsigned argument = 0;
    for (const InlineAsm::ConstraintInfo &each : assembly.ParseConstraints()) {
      if (each.Type == InlineAsm::isClobber)
        continue;
      if (each.isIndirect || each.Type == InlineAsm::isLabel)
        return false;
      if (each.Type == InlineAsm::isOutput) {
        operands.push_back(nullptr);
        outputs.push_back(operands.size() - 1);
        continue;
      }
      Value *value = call.getArgOperand(argument++);
      operands.push_back(value);
      if (each.hasMatchingInput() || each.Codes.empty())
        return false;
      // "0": the value that an output has before.
      unsigned number;
      if (!StringRef(each.Codes.front()).getAsInteger(10, number) &&
          number < operands.size())
        operands[number] = value;
    }
    return true;
  }

  Type *outputType(unsigned output) const {
    auto *structure = dyn_cast<StructType>(call.getType());
    return structure ? structure->getElementType(output) : call.getType();
  }

  void finish() {
    if (!call.getType()->isVoidTy()) {
      Value *result = PoisonValue::get(call.getType());
      for (auto [index, operand] : enumerate(outputs)) {
        Value *value = operands[operand];
        Type *type = outputType(index);
        value = value ? cast(value, type) : PoisonValue::get(type);
        result = call.getType()->isStructTy()
                     ? b.CreateInsertValue(result, value, index)
                     : value;
      }
      call.replaceAllUsesWith(result);
    }
    call.eraseFromParent();
  }

  //===--- types and values ---===//

  Type *typeOf(StringRef suffix) {
    return StringSwitch<Type *>(suffix)
        .Cases({"u8", "s8", "b8"}, b.getInt8Ty())
        .Cases({"u16", "s16", "b16"}, b.getInt16Ty())
        .Cases({"u32", "s32", "b32"}, b.getInt32Ty())
        .Cases({"u64", "s64", "b64"}, b.getInt64Ty())
        .Case("f32", b.getFloatTy())
        .Case("f64", b.getDoubleTy())
        .Case("pred", b.getInt1Ty())
        .Default(nullptr);
  }

  /// The bits of \p value as a \p type, cut or filled with zeros.
  Value *cast(Value *value, Type *type) {
    Type *from = value->getType();
    if (from == type)
      return value;
    if (from->isPointerTy())
      return cast(b.CreatePtrToInt(value, b.getInt64Ty()), type);
    if (type->isPointerTy())
      return b.CreateIntToPtr(cast(value, b.getInt64Ty()), type);
    if (from->isFloatingPointTy())
      return cast(
          b.CreateBitCast(value, b.getIntNTy(from->getPrimitiveSizeInBits())),
          type);
    if (type->isFloatingPointTy())
      return b.CreateBitCast(
          cast(value, b.getIntNTy(type->getPrimitiveSizeInBits())), type);
    return b.CreateZExtOrTrunc(value, type);
  }

  Value *get(StringRef name, Type *type) {
    name = name.trim();
    unsigned number;
    StringRef digits = name;
    if (digits.consume_front("$") && !digits.getAsInteger(10, number))
      return number < operands.size() && operands[number]
                 ? cast(operands[number], type)
                 : nullptr;
    if (StringRef special = name; special.consume_front("%")) {
      std::string text = "llvm.nvvm.read.ptx.sreg." + special.str();
      std::replace(text.begin(), text.end(), '_', '.');
      Intrinsic::ID id = Intrinsic::lookupIntrinsicID(text);
      if (!registers.contains(name))
        return id ? cast(b.CreateIntrinsic(id, ArrayRef<Type *>(),
                                           ArrayRef<Value *>()),
                         type)
                  : nullptr;
    }
    if (Value *known = registers.lookup(name))
      return cast(known, type);
    int64_t integer;
    if (type->isIntegerTy() && !name.rtrim('U').getAsInteger(0, integer))
      return ConstantInt::get(type, integer, /*IsSigned=*/true,
                              /*ImplicitTrunc=*/true);
    uint64_t bits;
    StringRef real = name;
    if ((real.consume_front("0f") || real.consume_front("0F")) &&
        type->isFloatTy() && !real.getAsInteger(16, bits))
      return cast(b.getInt32(bits), type);
    return nullptr;
  }

  bool set(StringRef name, Value *value) {
    name = name.trim();
    if (!value)
      return false;
    unsigned number;
    StringRef digits = name;
    if (digits.consume_front("$")) {
      if (digits.getAsInteger(10, number) || number >= operands.size())
        return false;
      operands[number] = value;
    } else {
      registers[name] = value;
    }
    return true;
  }

  //===--- statements ---===//

  static SmallVector<StringRef> split(StringRef text) {
    SmallVector<StringRef> parts;
    size_t begin = 0;
    int depth = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
      char c = i < text.size() ? text[i] : ',';
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      if (c == ',' && (depth == 0 || i == text.size())) {
        parts.push_back(text.slice(begin, i).trim());
        begin = i + 1;
      }
    }
    if (parts.size() == 1 && parts.front().empty())
      parts.clear();
    return parts;
  }

  bool translate(StringRef statement) {
    statement = statement.trim();
    while (statement.consume_front("{") || statement.consume_front("}"))
      statement = statement.ltrim();
    if (statement.empty() || statement.starts_with(".reg") ||
        statement.starts_with("//"))
      return true;
    auto space = statement.find_first_of(" \t\n");
    StringRef operation = statement.substr(0, space);
    StringRef rest =
        space == StringRef::npos ? "" : statement.substr(space).trim();
    SmallVector<StringRef> words;
    operation.split(words, '.');
    return instruction(words, split(rest));
  }

  bool has(ArrayRef<StringRef> words, StringRef word) const {
    return is_contained(words, word);
  }

  bool instruction(ArrayRef<StringRef> words, ArrayRef<StringRef> names) {
    StringRef name = words.front();
    Type *type = words.size() > 1 ? typeOf(words.back()) : nullptr;
    if (name == "ld" || name == "ldu" || name == "st")
      return type && access(words, names, type);
    if (name == "membar" || name == "fence") {
      b.CreateIntrinsic(Intrinsic::nvvm_membar_gl, ArrayRef<Type *>(),
                        ArrayRef<Value *>());
      return true;
    }
    if (name == "bar" || name == "barrier") {
      if (names.size() != 1 || !has(words, "sync"))
        return false;
      Value *which = get(names[0], b.getInt32Ty());
      if (!which)
        return false;
      b.CreateIntrinsic(has(words, "warp")
                            ? Intrinsic::nvvm_bar_warp_sync
                            : Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                        ArrayRef<Type *>(), {which});
      return true;
    }
    // Hints.
    if (name == "prefetch" || name == "prefetchu" || name == "pmevent" ||
        name == "nanosleep" || name == "discard" || name == "applypriority")
      return true;
    if (names.empty())
      return false;
    if (name == "setp" || name == "set")
      return words.size() > 2 && typeOf(words.back()) && names.size() == 3 &&
             set(names[0], compare(words[1], words.back(), names));
    if (name == "cvt")
      return words.size() > 2 && names.size() == 2 &&
             set(names[0], convert(words, names[1]));
    if (name == "cvta")
      return names.size() == 2 && set(names[0], get(names[1], b.getInt64Ty()));
    if (name.starts_with("v") && names.size() == 4) {
      SmallVector<Value *, 3> values;
      for (StringRef each : names.drop_front()) {
        values.push_back(get(each, b.getInt32Ty()));
        if (!values.back())
          return false;
      }
      return set(names[0], ptxArithmeticOnParts(b, words, values));
    }
    if (name == "activemask")
      return set(names[0],
                 b.CreateIntrinsic(Intrinsic::nvvm_activemask,
                                   ArrayRef<Type *>(), ArrayRef<Value *>()));
    if (!type)
      return false;
    SmallVector<Value *, 4> values;
    for (StringRef each : names.drop_front()) {
      Type *wanted = name == "selp" && values.size() == 2     ? b.getInt1Ty()
                     : isPtxShift(name) && values.size() == 1 ? b.getInt32Ty()
                                                              : type;
      values.push_back(get(each, wanted));
      if (!values.back())
        return false;
    }
    return set(names[0], ptxArithmetic(b, words, type, values));
  }

  /// Loads and stores, of vectors of two and four as well.
  bool access(ArrayRef<StringRef> words, ArrayRef<StringRef> names,
              Type *type) {
    bool isLoad = words.front() != "st";
    if (names.size() != 2)
      return false;
    StringRef place = names[isLoad ? 1 : 0], data = names[isLoad ? 0 : 1];
    if (!place.consume_front("[") || !place.consume_back("]"))
      return false;
    auto [base, offset] = place.split('+');
    int64_t bytes = 0;
    if (!offset.trim().empty() && offset.trim().getAsInteger(0, bytes))
      return false;
    Value *address = get(base, b.getPtrTy());
    if (!address)
      return false;
    SmallVector<StringRef> parts = {data};
    if (data.consume_front("{") && data.consume_back("}"))
      parts = split(data);
    bool isVolatile = has(words, "volatile") || has(words, "cv") ||
                      has(words, "relaxed") || has(words, "acquire") ||
                      has(words, "release");
    uint64_t size = type->getPrimitiveSizeInBits() / 8;
    for (StringRef part : parts) {
      Value *at = b.CreateConstGEP1_64(b.getInt8Ty(), address, bytes);
      bytes += size;
      if (isLoad) {
        if (!set(part, b.CreateAlignedLoad(type, at, Align(size), isVolatile)))
          return false;
        continue;
      }
      Value *value = get(part, type);
      if (!value)
        return false;
      b.CreateAlignedStore(value, at, Align(size), isVolatile);
    }
    return true;
  }

  Value *compare(StringRef how, StringRef suffix, ArrayRef<StringRef> names) {
    Type *type = typeOf(suffix);
    Value *x = get(names[1], type), *y = get(names[2], type);
    if (!x || !y)
      return nullptr;
    bool isSigned = suffix.starts_with("s");
    auto predicate =
        type->isFloatingPointTy()
            ? StringSwitch<CmpInst::Predicate>(how)
                  .Case("eq", CmpInst::FCMP_OEQ)
                  .Case("ne", CmpInst::FCMP_ONE)
                  .Case("lt", CmpInst::FCMP_OLT)
                  .Case("le", CmpInst::FCMP_OLE)
                  .Case("gt", CmpInst::FCMP_OGT)
                  .Case("ge", CmpInst::FCMP_OGE)
                  .Default(CmpInst::BAD_FCMP_PREDICATE)
            : StringSwitch<CmpInst::Predicate>(how)
                  .Case("eq", CmpInst::ICMP_EQ)
                  .Case("ne", CmpInst::ICMP_NE)
                  .Cases({"lt", "lo"},
                         isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
                  .Cases({"le", "ls"},
                         isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                  .Cases({"gt", "hi"},
                         isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
                  .Cases({"ge", "hs"},
                         isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                  .Default(CmpInst::BAD_ICMP_PREDICATE);
    if (predicate == CmpInst::BAD_FCMP_PREDICATE ||
        predicate == CmpInst::BAD_ICMP_PREDICATE)
      return nullptr;
    return b.CreateCmp(predicate, x, y);
  }

  Value *convert(ArrayRef<StringRef> words, StringRef name) {
    StringRef toName = words[words.size() - 2], fromName = words.back();
    Type *to = typeOf(toName), *from = typeOf(fromName);
    Value *value = to && from ? get(name, from) : nullptr;
    if (!value || has(words, "sat"))
      return nullptr;
    bool fromSigned = fromName.starts_with("s"),
         toSigned = toName.starts_with("s");
    if (from->isIntegerTy() && to->isIntegerTy())
      return b.CreateIntCast(value, to, fromSigned);
    if (from->isIntegerTy())
      return has(words, "rn") ? (fromSigned ? b.CreateSIToFP(value, to)
                                            : b.CreateUIToFP(value, to))
                              : nullptr;
    if (to->isFloatingPointTy())
      return b.CreateFPCast(value, to);
    if (has(words, "rni"))
      value = b.CreateUnaryIntrinsic(Intrinsic::roundeven, value);
    else if (has(words, "rmi"))
      value = b.CreateUnaryIntrinsic(Intrinsic::floor, value);
    else if (has(words, "rpi"))
      value = b.CreateUnaryIntrinsic(Intrinsic::ceil, value);
    else if (!has(words, "rzi"))
      return nullptr;
    return b.CreateIntrinsic(toSigned ? Intrinsic::fptosi_sat
                                      : Intrinsic::fptoui_sat,
                             {to, from}, {value});
  }

  CallInst &call;
  const InlineAsm &assembly;
  IRBuilder<> b;
  /// By number: outputs, whose value comes during the translation, and inputs.
  SmallVector<Value *> operands;
  SmallVector<unsigned> outputs;
  StringMap<Value *> registers;
  SmallVector<Instruction *> created;
};

} // namespace

void translateInlinePtx(Function &function) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->isInlineAsm())
      calls.push_back(call);
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
