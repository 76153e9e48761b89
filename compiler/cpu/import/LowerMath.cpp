//===- LowerMath.cpp - device mathematics on the host ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/LowerMath.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// How one device function is said on the host: as an intrinsic overloaded over
/// its first operand, or as a function of libm whose name for single precision
/// ends in f.
struct Meaning {
  Intrinsic::ID intrinsic = Intrinsic::not_intrinsic;
  const char *libm = nullptr;
};

/// By the stem: the name without __nv_, fast_ and the f of single precision.
std::optional<Meaning> meaningOfStem(StringRef stem) {
  struct Row {
    StringRef stem;
    Meaning meaning;
  };
  static constexpr Row rows[] = {
      {"sin", {Intrinsic::sin}},
      {"cos", {Intrinsic::cos}},
      {"tan", {Intrinsic::tan}},
      {"asin", {Intrinsic::asin}},
      {"acos", {Intrinsic::acos}},
      {"atan", {Intrinsic::atan}},
      {"atan2", {Intrinsic::atan2}},
      {"sinh", {Intrinsic::sinh}},
      {"cosh", {Intrinsic::cosh}},
      {"tanh", {Intrinsic::tanh}},
      {"exp", {Intrinsic::exp}},
      {"exp2", {Intrinsic::exp2}},
      {"exp10", {Intrinsic::exp10}},
      {"log", {Intrinsic::log}},
      {"log2", {Intrinsic::log2}},
      {"log10", {Intrinsic::log10}},
      {"pow", {Intrinsic::pow}},
      {"sqrt", {Intrinsic::sqrt}},
      {"fabs", {Intrinsic::fabs}},
      {"floor", {Intrinsic::floor}},
      {"ceil", {Intrinsic::ceil}},
      {"trunc", {Intrinsic::trunc}},
      {"rint", {Intrinsic::rint}},
      {"nearbyint", {Intrinsic::nearbyint}},
      {"round", {Intrinsic::round}},
      {"copysign", {Intrinsic::copysign}},
      {"fmin", {Intrinsic::minnum}},
      {"fmax", {Intrinsic::maxnum}},
      {"fma", {Intrinsic::fma}},
      {"asinh", {Intrinsic::not_intrinsic, "asinh"}},
      {"acosh", {Intrinsic::not_intrinsic, "acosh"}},
      {"atanh", {Intrinsic::not_intrinsic, "atanh"}},
      {"expm1", {Intrinsic::not_intrinsic, "expm1"}},
      {"log1p", {Intrinsic::not_intrinsic, "log1p"}},
      {"logb", {Intrinsic::not_intrinsic, "logb"}},
      {"cbrt", {Intrinsic::not_intrinsic, "cbrt"}},
      {"erf", {Intrinsic::not_intrinsic, "erf"}},
      {"erfc", {Intrinsic::not_intrinsic, "erfc"}},
      {"tgamma", {Intrinsic::not_intrinsic, "tgamma"}},
      {"lgamma", {Intrinsic::not_intrinsic, "lgamma"}},
      {"hypot", {Intrinsic::not_intrinsic, "hypot"}},
      {"fdim", {Intrinsic::not_intrinsic, "fdim"}},
      {"fmod", {Intrinsic::not_intrinsic, "fmod"}},
      {"remainder", {Intrinsic::not_intrinsic, "remainder"}},
      {"nextafter", {Intrinsic::not_intrinsic, "nextafter"}},
      {"j0", {Intrinsic::not_intrinsic, "j0"}},
      {"j1", {Intrinsic::not_intrinsic, "j1"}},
      {"jn", {Intrinsic::not_intrinsic, "jn"}},
      {"y0", {Intrinsic::not_intrinsic, "y0"}},
      {"y1", {Intrinsic::not_intrinsic, "y1"}},
      {"yn", {Intrinsic::not_intrinsic, "yn"}},
      {"ldexp", {Intrinsic::not_intrinsic, "ldexp"}},
      {"scalbn", {Intrinsic::not_intrinsic, "scalbn"}},
      {"ilogb", {Intrinsic::not_intrinsic, "ilogb"}},
      {"llrint", {Intrinsic::not_intrinsic, "llrint"}},
      {"llround", {Intrinsic::not_intrinsic, "llround"}},
  };
  for (const Row &row : rows)
    if (row.stem == stem)
      return row.meaning;
  return std::nullopt;
}

/// Integer functions and classifications, and what is an expression.
Value *lowerSpecial(IRBuilder<> &b, StringRef name, CallInst &call) {
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  Type *type = call.getType();
  auto one = [&] { return ConstantFP::get(type, 1.0); };
  auto binary = [&](Intrinsic::ID id) {
    return b.CreateBinaryIntrinsic(id, argument(0), argument(1));
  };
  auto highPart = [&](bool isSigned) {
    unsigned bits = type->getIntegerBitWidth();
    Type *wide = b.getIntNTy(2 * bits);
    Value *product = b.CreateMul(b.CreateIntCast(argument(0), wide, isSigned),
                                 b.CreateIntCast(argument(1), wide, isSigned));
    return b.CreateTrunc(b.CreateLShr(product, bits), type);
  };
  return StringSwitch<function_ref<Value *()>>(name)
      .Cases({"abs", "llabs"},
             [&]() -> Value * {
               return b.CreateBinaryIntrinsic(Intrinsic::abs, argument(0),
                                              b.getFalse());
             })
      .Cases({"min", "llmin"},
             [&]() -> Value * { return binary(Intrinsic::smin); })
      .Cases({"max", "llmax"},
             [&]() -> Value * { return binary(Intrinsic::smax); })
      .Cases({"umin", "ullmin"},
             [&]() -> Value * { return binary(Intrinsic::umin); })
      .Cases({"umax", "ullmax"},
             [&]() -> Value * { return binary(Intrinsic::umax); })
      .Cases({"mulhi", "mul64hi"}, [&]() -> Value * { return highPart(true); })
      .Cases({"umulhi", "umul64hi"},
             [&]() -> Value * { return highPart(false); })
      .Cases({"popc", "popcll"},
             [&]() -> Value * {
               return b.CreateZExtOrTrunc(
                   b.CreateUnaryIntrinsic(Intrinsic::ctpop, argument(0)), type);
             })
      .Cases({"clz", "clzll"},
             [&]() -> Value * {
               return b.CreateZExtOrTrunc(
                   b.CreateBinaryIntrinsic(Intrinsic::ctlz, argument(0),
                                           b.getFalse()),
                   type);
             })
      .Cases(
          {"ffs", "ffsll"},
          [&]() -> Value * {
            Value *value = argument(0);
            Value *zeros = b.CreateZExtOrTrunc(
                b.CreateBinaryIntrinsic(Intrinsic::cttz, value, b.getFalse()),
                type);
            return b.CreateSelect(
                b.CreateIsNull(value), ConstantInt::get(type, 0),
                b.CreateAdd(zeros, ConstantInt::get(type, 1)));
          })
      .Cases({"brev", "brevll"},
             [&]() -> Value * {
               return b.CreateUnaryIntrinsic(Intrinsic::bitreverse,
                                             argument(0));
             })
      .Cases({"isnanf", "isnand"},
             [&]() -> Value * {
               return b.CreateZExt(b.CreateFCmpUNO(argument(0), argument(0)),
                                   type);
             })
      .Cases({"isinff", "isinfd"},
             [&]() -> Value * {
               return b.CreateZExt(b.createIsFPClass(argument(0), fcInf), type);
             })
      .Cases({"finitef", "isfinited"},
             [&]() -> Value * {
               return b.CreateZExt(b.createIsFPClass(argument(0), fcFinite),
                                   type);
             })
      .Cases({"signbitf", "signbitd"},
             [&]() -> Value * {
               return b.CreateZExt(b.createIsFPClass(argument(0), fcNegative),
                                   type);
             })
      .Cases({"rsqrtf", "rsqrt", "frsqrt_rn"},
             [&]() -> Value * {
               return b.CreateFDiv(
                   one(), b.CreateUnaryIntrinsic(Intrinsic::sqrt, argument(0)));
             })
      .Cases({"frcp_rn", "drcp_rn"},
             [&]() -> Value * { return b.CreateFDiv(one(), argument(0)); })
      .Cases({"fsqrt_rn", "dsqrt_rn"},
             [&]() -> Value * {
               return b.CreateUnaryIntrinsic(Intrinsic::sqrt, argument(0));
             })
      .Cases(
          {"fadd_rn", "dadd_rn"},
          [&]() -> Value * { return b.CreateFAdd(argument(0), argument(1)); })
      .Cases(
          {"fsub_rn", "dsub_rn"},
          [&]() -> Value * { return b.CreateFSub(argument(0), argument(1)); })
      .Cases(
          {"fmul_rn", "dmul_rn"},
          [&]() -> Value * { return b.CreateFMul(argument(0), argument(1)); })
      .Cases(
          {"fdiv_rn", "ddiv_rn", "fast_fdividef", "fdividef"},
          [&]() -> Value * { return b.CreateFDiv(argument(0), argument(1)); })
      .Cases({"fmaf_rn", "fma_rn"},
             [&]() -> Value * {
               return b.CreateIntrinsic(
                   Intrinsic::fma, {type},
                   {argument(0), argument(1), argument(2)});
             })
      .Cases({"powi", "powif"},
             [&]() -> Value * {
               return b.CreateIntrinsic(Intrinsic::powi,
                                        {type, argument(1)->getType()},
                                        {argument(0), argument(1)});
             })
      .Cases({"float2int_rz", "double2int_rz", "float2ll_rz", "double2ll_rz"},
             [&]() -> Value * {
               return b.CreateIntrinsic(Intrinsic::fptosi_sat,
                                        {type, argument(0)->getType()},
                                        {argument(0)});
             })
      .Cases(
          {"float2uint_rz", "double2uint_rz", "float2ull_rz", "double2ull_rz"},
          [&]() -> Value * {
            return b.CreateIntrinsic(Intrinsic::fptoui_sat,
                                     {type, argument(0)->getType()},
                                     {argument(0)});
          })
      .Cases({"float2int_rn", "double2int_rn", "float2ll_rn", "double2ll_rn"},
             [&]() -> Value * {
               Value *rounded =
                   b.CreateUnaryIntrinsic(Intrinsic::roundeven, argument(0));
               return b.CreateIntrinsic(Intrinsic::fptosi_sat,
                                        {type, argument(0)->getType()},
                                        {rounded});
             })
      .Cases({"int2float_rn", "int2double_rn", "ll2float_rn", "ll2double_rn"},
             [&]() -> Value * { return b.CreateSIToFP(argument(0), type); })
      .Cases(
          {"uint2float_rn", "uint2double_rn", "ull2float_rn", "ull2double_rn"},
          [&]() -> Value * { return b.CreateUIToFP(argument(0), type); })
      .Case("float2half_rn",
            [&]() -> Value * {
              Value *half = b.CreateFPTrunc(argument(0), b.getHalfTy());
              return b.CreateBitCast(half, type);
            })
      .Case("half2float",
            [&]() -> Value * {
              Value *half = b.CreateBitCast(argument(0), b.getHalfTy());
              return b.CreateFPExt(half, type);
            })
      .Case("double2float_rn",
            [&]() -> Value * { return b.CreateFPTrunc(argument(0), type); })
      .Default([]() -> Value * { return nullptr; })();
}

Value *lowerByStem(IRBuilder<> &b, StringRef name, CallInst &call) {
  Type *type = call.getType();
  Type *operandType =
      call.arg_empty() ? type : call.getArgOperand(0)->getType();
  for (const Use &argument : call.args())
    if (argument->getType()->isFloatingPointTy())
      operandType = argument->getType();
  if (!operandType->isFloatTy() && !operandType->isDoubleTy())
    return nullptr;
  StringRef stem = name;
  stem.consume_front("fast_");
  auto meaning = meaningOfStem(stem);
  if (!meaning && operandType->isFloatTy() && stem.consume_back("f"))
    meaning = meaningOfStem(stem);
  if (!meaning)
    return nullptr;
  SmallVector<Value *> arguments(call.args());
  if (meaning->intrinsic) {
    return b.CreateIntrinsic(meaning->intrinsic, {operandType}, arguments);
  }
  std::string symbol = meaning->libm;
  if (operandType->isFloatTy())
    symbol += 'f';
  Module &module = *call.getModule();
  auto callee = module.getOrInsertFunction(symbol, call.getFunctionType());
  if (auto *function = dyn_cast<Function>(callee.getCallee())) {
    // Device code knows no errno.
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    function->addFnAttr(Attribute::NoCallback);
  }
  return b.CreateCall(callee, arguments);
}

/// sincos(x, ptr, ptr): two results through pointers.
bool lowerSinCos(IRBuilder<> &b, StringRef name, CallInst &call) {
  name.consume_front("fast_");
  if ((name != "sincos" && name != "sincosf") || call.arg_size() != 3)
    return false;
  Value *x = call.getArgOperand(0);
  b.CreateStore(b.CreateUnaryIntrinsic(Intrinsic::sin, x),
                call.getArgOperand(1));
  b.CreateStore(b.CreateUnaryIntrinsic(Intrinsic::cos, x),
                call.getArgOperand(2));
  return true;
}

} // namespace

Error lowerMath(Module &module, const CpuOptions &) {
  for (Function *kernel : deviceFunctions(module)) {
    for (Instruction &instruction :
         make_early_inc_range(instructions(*kernel))) {
      auto *call = dyn_cast<CallInst>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      StringRef name = callee ? callee->getName() : "";
      if (!name.consume_front("__nv_"))
        continue;
      IRBuilder<> b(call);
      if (isa<FPMathOperator>(call))
        b.setFastMathFlags(call->getFastMathFlags());
      if (lowerSinCos(b, name, *call)) {
        call->eraseFromParent();
        continue;
      }
      Value *result = lowerSpecial(b, name, *call);
      if (!result)
        result = lowerByStem(b, name, *call);
      if (!result || result->getType() != call->getType())
        return refuse(*kernel, call,
                      "the device function '" + callee->getName() +
                          "' is not supported on the CPU yet");
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
  }
  return Error::success();
}

} // namespace cufort::cpu
