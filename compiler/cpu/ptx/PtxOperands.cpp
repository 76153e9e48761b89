//===- PtxOperands.cpp - operands and registers of inline PTX -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/ptx/PtxOperands.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace cufort::cpu {

bool PtxOperands::takeOperands() {
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

Type *PtxOperands::outputType(unsigned output) const {
  auto *structure = dyn_cast<StructType>(call.getType());
  return structure ? structure->getElementType(output) : call.getType();
}

void PtxOperands::finish() {
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

Type *PtxOperands::typeOf(StringRef suffix) { return ptxType(b, suffix); }

Value *PtxOperands::cast(Value *value, Type *type) {
  return ptxBits(b, value, type);
}

Value *PtxOperands::wholeAddress(Value *value) {
  auto *operation = dyn_cast<Operator>(value);
  if (!operation)
    return nullptr;
  Value *first = operation->getOperand(0);
  switch (operation->getOpcode()) {
  case Instruction::Trunc:
    return first->getType()->isIntegerTy(64) ? first : nullptr;
  case Instruction::PtrToInt:
    return b.CreatePtrToInt(first, b.getInt64Ty());
  case Instruction::Add:
  case Instruction::Or:
    for (unsigned i = 0; i < 2; ++i)
      if (Value *base = wholeAddress(operation->getOperand(i)))
        return b.CreateAdd(
            base, b.CreateSExt(operation->getOperand(1 - i), b.getInt64Ty()));
    return nullptr;
  default:
    return nullptr;
  }
}

/// Whether \p variable, or a constant that has its address, is an operand in
/// \p function.
static bool isUsedIn(const Constant &variable, const Function &function) {
  return any_of(variable.users(), [&](const User *user) {
    if (const auto *instruction = dyn_cast<Instruction>(user))
      return instruction->getFunction() == &function;
    return isa<ConstantExpr>(user) && isUsedIn(*cast<Constant>(user), function);
  });
}

Value *PtxOperands::upperSharedAddress() {
  const Function &function = *call.getFunction();
  for (GlobalVariable &variable : call.getModule()->globals()) {
    if (variable.getAttributes()
                .getAttribute(VariableAttribute)
                .getValueAsString() != "shared" ||
        !isUsedIn(variable, function))
      continue;
    return b.CreateAnd(b.CreatePtrToInt(&variable, b.getInt64Ty()),
                       ~uint64_t(UINT32_MAX));
  }
  return nullptr;
}

Value *PtxOperands::address(StringRef name) {
  Value *value = get(name, nullptr);
  if (!value || value->getType()->isPointerTy())
    return value;
  if (value->getType()->isIntegerTy(32)) {
    Value *low = value;
    value = wholeAddress(low);
    if (Value *upper = value ? nullptr : upperSharedAddress())
      value = b.CreateOr(upper, b.CreateZExt(low, b.getInt64Ty()));
  }
  return value && value->getType()->isIntegerTy(64)
             ? b.CreateIntToPtr(value, b.getPtrTy())
             : nullptr;
}

Value *PtxOperands::get(StringRef name, Type *type) {
  name = name.trim();
  if (type && type->isIntegerTy(1) && name.consume_front("!")) {
    Value *value = get(name, type);
    return value ? b.CreateNot(value) : nullptr;
  }
  unsigned number;
  StringRef digits = name;
  if (digits.consume_front("$") && !digits.getAsInteger(10, number))
    return number < operands.size() && operands[number]
               ? (type ? cast(operands[number], type) : operands[number])
               : nullptr;
  if (StringRef special = name; special.consume_front("%")) {
    std::string text = "llvm.nvvm.read.ptx.sreg." + special.str();
    std::replace(text.begin(), text.end(), '_', '.');
    Intrinsic::ID id = Intrinsic::lookupIntrinsicID(text);
    if (!registers.contains(name))
      return id && type ? cast(b.CreateIntrinsic(id, ArrayRef<Type *>(),
                                                 ArrayRef<Value *>()),
                               type)
                        : nullptr;
  }
  if (Value *known = registers.lookup(name))
    return type ? cast(known, type) : known;
  if (!type)
    return nullptr;
  int64_t integer;
  if (type->isIntegerTy() && !name.rtrim('U').getAsInteger(0, integer))
    return ConstantInt::get(type, integer, /*IsSigned=*/true,
                            /*ImplicitTrunc=*/true);
  uint64_t bits;
  StringRef real = name;
  if ((real.consume_front("0f") || real.consume_front("0F")) &&
      type->isFloatTy() && !real.getAsInteger(16, bits))
    return cast(b.getInt32(bits), type);
  real = name;
  if ((real.consume_front("0d") || real.consume_front("0D")) &&
      type->isDoubleTy() && !real.getAsInteger(16, bits))
    return cast(b.getInt64(bits), type);
  double number64;
  if ((type->isFloatTy() || type->isDoubleTy()) && name.contains('.') &&
      !name.getAsDouble(number64))
    return ConstantFP::get(type, number64);
  return nullptr;
}

bool PtxOperands::set(StringRef name, Value *value) {
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

SmallVector<StringRef> PtxOperands::split(StringRef text) {
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

Value *PtxOperands::inBrackets(StringRef place) {
  if (!place.consume_front("[") || !place.consume_back("]"))
    return nullptr;
  auto [base, offset] = place.split('+');
  int64_t bytes = 0;
  if (!offset.trim().empty() && offset.trim().getAsInteger(0, bytes))
    return nullptr;
  Value *where = address(base);
  return where && bytes ? b.CreateConstGEP1_64(b.getInt8Ty(), where, bytes)
                        : where;
}

} // namespace cufort::cpu
