//===- LowerMath.cpp - device mathematics on the host ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/LowerMath.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/ptx/PtxArithmetic.h"
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

/// Functions of integers.
Value *lowerInteger(IRBuilder<> &b, StringRef name, CallInst &call) {
  Type *type = call.getType();
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  auto binary = [&](Intrinsic::ID id) {
    return b.CreateBinaryIntrinsic(id, argument(0), argument(1));
  };
  auto highPart = [&](StringRef sign) {
    return ptxArithmetic(b, {"mul", "hi", sign}, type,
                         {argument(0), argument(1)});
  };
  auto zeros = [&](Intrinsic::ID id) {
    return b.CreateZExtOrTrunc(
        b.CreateBinaryIntrinsic(id, argument(0), b.getFalse()), type);
  };
  if (is_contained({"abs", "llabs"}, name))
    return b.CreateBinaryIntrinsic(Intrinsic::abs, argument(0), b.getFalse());
  if (is_contained({"min", "llmin"}, name))
    return binary(Intrinsic::smin);
  if (is_contained({"max", "llmax"}, name))
    return binary(Intrinsic::smax);
  if (is_contained({"umin", "ullmin"}, name))
    return binary(Intrinsic::umin);
  if (is_contained({"umax", "ullmax"}, name))
    return binary(Intrinsic::umax);
  if (is_contained({"mulhi", "mul64hi"}, name))
    return highPart("s");
  if (is_contained({"umulhi", "umul64hi"}, name))
    return highPart("u");
  if (is_contained({"popc", "popcll"}, name))
    return b.CreateZExtOrTrunc(
        b.CreateUnaryIntrinsic(Intrinsic::ctpop, argument(0)), type);
  if (is_contained({"clz", "clzll"}, name))
    return zeros(Intrinsic::ctlz);
  if (is_contained({"ffs", "ffsll"}, name)) {
    Value *below = zeros(Intrinsic::cttz);
    return b.CreateSelect(b.CreateIsNull(argument(0)),
                          ConstantInt::get(type, 0),
                          b.CreateAdd(below, ConstantInt::get(type, 1)));
  }
  if (is_contained({"brev", "brevll"}, name))
    return b.CreateUnaryIntrinsic(Intrinsic::bitreverse, argument(0));
  return nullptr;
}

/// What kind of number the argument is.
Value *lowerClassification(IRBuilder<> &b, StringRef name, CallInst &call) {
  Value *is = nullptr;
  if (is_contained({"isnanf", "isnand"}, name))
    is = b.CreateFCmpUNO(call.getArgOperand(0), call.getArgOperand(0));
  else if (is_contained({"isinff", "isinfd"}, name))
    is = b.createIsFPClass(call.getArgOperand(0), fcInf);
  else if (is_contained({"finitef", "isfinited"}, name))
    is = b.createIsFPClass(call.getArgOperand(0), fcFinite);
  else if (is_contained({"signbitf", "signbitd"}, name))
    is = b.createIsFPClass(call.getArgOperand(0), fcNegative);
  return is ? b.CreateZExt(is, call.getType()) : nullptr;
}

/// Arithmetic that rounds to nearest even, as the CPU's does.
Value *lowerRealArithmetic(IRBuilder<> &b, StringRef name, CallInst &call) {
  Type *type = call.getType();
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  auto root = [&] {
    return b.CreateUnaryIntrinsic(Intrinsic::sqrt, argument(0));
  };
  if (is_contained({"rsqrtf", "rsqrt", "frsqrt_rn"}, name))
    return b.CreateFDiv(ConstantFP::get(type, 1.0), root());
  if (is_contained({"frcp_rn", "drcp_rn"}, name))
    return b.CreateFDiv(ConstantFP::get(type, 1.0), argument(0));
  if (is_contained({"fsqrt_rn", "dsqrt_rn"}, name))
    return root();
  if (is_contained({"fadd_rn", "dadd_rn"}, name))
    return b.CreateFAdd(argument(0), argument(1));
  if (is_contained({"fsub_rn", "dsub_rn"}, name))
    return b.CreateFSub(argument(0), argument(1));
  if (is_contained({"fmul_rn", "dmul_rn"}, name))
    return b.CreateFMul(argument(0), argument(1));
  if (is_contained({"fdiv_rn", "ddiv_rn", "fast_fdividef", "fdividef"}, name))
    return b.CreateFDiv(argument(0), argument(1));
  if (is_contained({"fmaf_rn", "fma_rn"}, name))
    return b.CreateIntrinsic(Intrinsic::fma, {type},
                             {argument(0), argument(1), argument(2)});
  if (is_contained({"powi", "powif"}, name))
    return b.CreateIntrinsic(Intrinsic::powi, {type, argument(1)->getType()},
                             {argument(0), argument(1)});
  return nullptr;
}

Value *lowerConversion(IRBuilder<> &b, StringRef name, CallInst &call) {
  Type *type = call.getType();
  auto saturated = [&](Intrinsic::ID id, Value *number) {
    return b.CreateIntrinsic(id, {type, number->getType()}, {number});
  };
  if (is_contained(
          {"float2int_rz", "double2int_rz", "float2ll_rz", "double2ll_rz"},
          name))
    return saturated(Intrinsic::fptosi_sat, call.getArgOperand(0));
  if (is_contained(
          {"float2uint_rz", "double2uint_rz", "float2ull_rz", "double2ull_rz"},
          name))
    return saturated(Intrinsic::fptoui_sat, call.getArgOperand(0));
  if (is_contained(
          {"float2int_rn", "double2int_rn", "float2ll_rn", "double2ll_rn"},
          name))
    return saturated(
        Intrinsic::fptosi_sat,
        b.CreateUnaryIntrinsic(Intrinsic::roundeven, call.getArgOperand(0)));
  if (is_contained(
          {"int2float_rn", "int2double_rn", "ll2float_rn", "ll2double_rn"},
          name))
    return b.CreateSIToFP(call.getArgOperand(0), type);
  if (is_contained(
          {"uint2float_rn", "uint2double_rn", "ull2float_rn", "ull2double_rn"},
          name))
    return b.CreateUIToFP(call.getArgOperand(0), type);
  if (name == "float2half_rn")
    return b.CreateBitCast(
        b.CreateFPTrunc(call.getArgOperand(0), b.getHalfTy()), type);
  if (name == "half2float")
    return b.CreateFPExt(b.CreateBitCast(call.getArgOperand(0), b.getHalfTy()),
                         type);
  if (name == "double2float_rn")
    return b.CreateFPTrunc(call.getArgOperand(0), type);
  return nullptr;
}

/// Integer functions and classifications, and what is an expression.
Value *lowerSpecial(IRBuilder<> &b, StringRef name, CallInst &call) {
  for (auto lower : {lowerInteger, lowerClassification, lowerRealArithmetic,
                     lowerConversion})
    if (Value *result = lower(b, name, call))
      return result;
  return nullptr;
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
