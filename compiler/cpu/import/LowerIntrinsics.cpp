//===- LowerIntrinsics.cpp - NVVM intrinsics on the host ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/LowerIntrinsics.h"
#include "compiler/check/Instrument.h"
#include "compiler/common/PtxInstructions.h"
#include "compiler/common/SymbolName.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/Clusters.h"
#include "compiler/cpu/import/BarrierMarks.h"
#include "compiler/cpu/ptx/InlinePtx.h"
#include "compiler/cpu/ptx/PtxArithmetic.h"
#include "compiler/cpu/ptx/PtxConversion.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

//===----------------------------------------------------------------------===//
// Arithmetic and atomics
//===----------------------------------------------------------------------===//

/// What the intrinsic's name says after "llvm.nvvm.", without the suffixes for
/// flushing denormals to zero: the CPU keeps them, which is more exact.
std::string stemOf(StringRef name) {
  name.consume_front("llvm.nvvm.");
  std::string stem;
  SmallVector<StringRef> words;
  name.split(words, '.');
  for (StringRef word : words)
    if (word != "ftz") {
      if (!stem.empty())
        stem += '.';
      stem += word;
    }
  return stem;
}

/// Each four bits of \p selector choose a byte of \p low and \p high, or its
/// sign.
Value *permuteBytes(IRBuilder<> &b, Value *low, Value *high, Value *selector) {
  Type *word = b.getInt32Ty(), *two = b.getInt64Ty();
  Value *bytes = b.CreateOr(b.CreateShl(b.CreateZExt(high, two), 32),
                            b.CreateZExt(low, two));
  Value *result = b.getInt32(0);
  for (unsigned place = 0; place != 4; ++place) {
    Value *choice = b.CreateLShr(selector, 4 * place);
    Value *distance = b.CreateShl(b.CreateAnd(choice, 7), 3);
    Value *byte = b.CreateTrunc(
        b.CreateLShr(bytes, b.CreateZExt(distance, two)), b.getInt8Ty());
    Value *isSign = b.CreateIsNotNull(b.CreateAnd(choice, 8));
    Value *chosen = b.CreateSelect(isSign, b.CreateAShr(byte, 7), byte);
    result =
        b.CreateOr(result, b.CreateShl(b.CreateZExt(chosen, word), 8 * place));
  }
  return result;
}

/// Sums, products, quotients and roots. \p name is what stemOf gives, as in the
/// functions that follow; null: none of these.
Value *lowerRealArithmetic(IRBuilder<> &b, StringRef name, CallInst &call) {
  Type *type = call.getType();
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  auto root = [&] {
    return b.CreateUnaryIntrinsic(Intrinsic::sqrt, argument(0));
  };
  auto one = [&] { return ConstantFP::get(type, 1.0); };
  if (is_contained({"fma.rn.bf16", "fma.rn.bf16x2"}, name)) {
    Type *single = type->getWithNewType(b.getFloatTy());
    Value *bits = roundToBFloat(
        b, b.CreateIntrinsic(Intrinsic::fma, {single},
                             {b.CreateFPExt(argument(0), single),
                              b.CreateFPExt(argument(1), single),
                              b.CreateFPExt(argument(2), single)}));
    return b.CreateBitCast(bits, type);
  }
  if (is_contained({"fma.rn.f", "fma.rn.d", "fma.rn.f16", "fma.rn.f16x2"},
                   name))
    return b.CreateIntrinsic(Intrinsic::fma, {type},
                             {argument(0), argument(1), argument(2)});
  if (is_contained({"add.rn.f", "add.rn.d"}, name))
    return b.CreateFAdd(argument(0), argument(1));
  if (is_contained({"mul.rn.f", "mul.rn.d"}, name))
    return b.CreateFMul(argument(0), argument(1));
  if (is_contained({"div.rn.f", "div.rn.d", "div.approx.f", "div.full"}, name))
    return b.CreateFDiv(argument(0), argument(1));
  if (is_contained({"rcp.rn.f", "rcp.rn.d", "rcp.approx.f", "rcp.approx.d"},
                   name))
    return b.CreateFDiv(one(), argument(0));
  if (is_contained({"sqrt.f", "sqrt.rn.f", "sqrt.rn.d", "sqrt.approx.f"}, name))
    return root();
  if (is_contained({"rsqrt.approx.f", "rsqrt.approx.d"}, name))
    return b.CreateFDiv(one(), root());
  if (is_contained({"saturate.f", "saturate.d"}, name))
    return b.CreateMinNum(
        b.CreateMaxNum(argument(0), ConstantFP::get(type, 0.0)), one());
  return nullptr;
}

/// Functions for which LLVM has an intrinsic of the same operands.
Value *lowerRealFunction(IRBuilder<> &b, StringRef name, CallInst &call) {
  auto unary = [&](Intrinsic::ID id) {
    return b.CreateUnaryIntrinsic(id, call.getArgOperand(0));
  };
  auto binary = [&](Intrinsic::ID id) {
    return b.CreateBinaryIntrinsic(id, call.getArgOperand(0),
                                   call.getArgOperand(1));
  };
  if (name.starts_with("ex2.approx"))
    return unary(Intrinsic::exp2);
  if (name.starts_with("lg2.approx"))
    return unary(Intrinsic::log2);
  if (name == "sin.approx.f")
    return unary(Intrinsic::sin);
  if (name == "cos.approx.f")
    return unary(Intrinsic::cos);
  if (name == "fabs" || name.starts_with("fabs."))
    return unary(Intrinsic::fabs);
  if (is_contained({"fmin.f", "fmin.d"}, name))
    return binary(Intrinsic::minnum);
  if (is_contained({"fmax.f", "fmax.d"}, name))
    return binary(Intrinsic::maxnum);
  if (name == "fmin.nan.f")
    return binary(Intrinsic::minimum);
  if (name == "fmax.nan.f")
    return binary(Intrinsic::maximum);
  if (is_contained({"ceil.f", "ceil.d"}, name))
    return unary(Intrinsic::ceil);
  if (is_contained({"floor.f", "floor.d"}, name))
    return unary(Intrinsic::floor);
  if (is_contained({"trunc.f", "trunc.d"}, name))
    return unary(Intrinsic::trunc);
  if (is_contained({"round.f", "round.d"}, name))
    return unary(Intrinsic::roundeven);
  return nullptr;
}

Value *lowerConversion(IRBuilder<> &b, StringRef name, CallInst &call) {
  Type *type = call.getType();
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  auto saturated = [&](Intrinsic::ID id, Value *number) {
    return b.CreateIntrinsic(id, {type, number->getType()}, {number});
  };
  auto rounded = [&] {
    return b.CreateUnaryIntrinsic(Intrinsic::roundeven, argument(0));
  };
  if (is_contained({"f2i.rz", "f2ll.rz", "d2i.rz", "d2ll.rz"}, name))
    return saturated(Intrinsic::fptosi_sat, argument(0));
  if (is_contained({"f2ui.rz", "f2ull.rz", "d2ui.rz", "d2ull.rz"}, name))
    return saturated(Intrinsic::fptoui_sat, argument(0));
  if (is_contained({"f2ui.rn", "f2ull.rn", "d2ui.rn", "d2ull.rn"}, name))
    return saturated(Intrinsic::fptoui_sat, rounded());
  if (is_contained({"f2i.rn", "f2ll.rn", "d2i.rn", "d2ll.rn"}, name))
    return saturated(Intrinsic::fptosi_sat, rounded());
  if (is_contained({"i2f.rn", "i2d.rn", "ll2f.rn", "ll2d.rn"}, name))
    return b.CreateSIToFP(argument(0), type);
  if (is_contained({"ui2f.rn", "ui2d.rn", "ull2f.rn", "ull2d.rn"}, name))
    return b.CreateUIToFP(argument(0), type);
  if (is_contained({"d2i.lo", "d2i.hi"}, name)) {
    Value *bits = b.CreateBitCast(argument(0), b.getInt64Ty());
    return b.CreateTrunc(name == "d2i.hi" ? b.CreateLShr(bits, 32) : bits,
                         type);
  }
  if (name == "lohi.i2d")
    return b.CreateBitCast(
        b.CreateOr(b.CreateZExt(argument(0), b.getInt64Ty()),
                   b.CreateShl(b.CreateZExt(argument(1), b.getInt64Ty()), 32)),
        type);
  if (name == "d2f.rn")
    return b.CreateFPTrunc(argument(0), type);
  return nullptr;
}

Value *lowerInteger(IRBuilder<> &b, StringRef name, CallInst &call) {
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  StringRef sign = name.contains(".u") ? "u" : "s";
  if (name == "prmt")
    return permuteBytes(b, argument(0), argument(1), argument(2));
  if (is_contained({"mulhi.i", "mulhi.ll", "mulhi.s", "mulhi.ui", "mulhi.ull",
                    "mulhi.us"},
                   name))
    return ptxArithmetic(b, {"mul", "hi", sign}, call.getType(),
                         {argument(0), argument(1)});
  if (name.starts_with("sad."))
    return ptxArithmetic(b, {"sad", sign}, call.getType(),
                         {argument(0), argument(1), argument(2)});
  if (name.starts_with("move."))
    return argument(0);
  return nullptr;
}

Value *lowerClock(IRBuilder<> &b, StringRef name, CallInst &call) {
  if (name == "read.ptx.sreg.globaltimer") {
    FunctionCallee clock = call.getModule()->getOrInsertFunction(
        "__cufort_cpu_nanoseconds", b.getInt64Ty());
    auto *function = cast<Function>(clock.getCallee());
    function->setDoesNotThrow();
    function->setOnlyAccessesInaccessibleMemory();
    return b.CreateZExtOrTrunc(b.CreateCall(clock), call.getType());
  }
  if (is_contained({"read.ptx.sreg.clock", "read.ptx.sreg.clock64"}, name))
    return b.CreateZExtOrTrunc(b.CreateIntrinsic(Intrinsic::readcyclecounter,
                                                 ArrayRef<Type *>(),
                                                 ArrayRef<Value *>()),
                               call.getType());
  return nullptr;
}

Value *lowerArithmetic(IRBuilder<> &b, CallInst &call) {
  std::string stem = stemOf(call.getCalledFunction()->getName());
  for (auto lower : {lowerRealArithmetic, lowerRealFunction, lowerConversion,
                     lowerInteger, lowerClock})
    if (Value *result = lower(b, stem, call))
      return result;
  return nullptr;
}

Value *lowerAtomic(IRBuilder<> &b, CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.nvvm.atomic."))
    return nullptr;
  StringRef operation = name.split('.').first;
  Value *address = call.getArgOperand(0);
  auto order = AtomicOrdering::SequentiallyConsistent;
  if (operation == "cas") {
    Value *pair = b.CreateAtomicCmpXchg(address, call.getArgOperand(1),
                                        call.getArgOperand(2), MaybeAlign(),
                                        order, order);
    return b.CreateExtractValue(pair, 0);
  }
  bool isFloat = call.getType()->isFloatingPointTy();
  auto how =
      StringSwitch<AtomicRMWInst::BinOp>(operation)
          .Case("add", isFloat ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
          .Case("and", AtomicRMWInst::And)
          .Case("or", AtomicRMWInst::Or)
          .Case("xor", AtomicRMWInst::Xor)
          .Case("exch", AtomicRMWInst::Xchg)
          .Case("max", AtomicRMWInst::Max)
          .Case("min", AtomicRMWInst::Min)
          .Case("inc", AtomicRMWInst::UIncWrap)
          .Case("dec", AtomicRMWInst::UDecWrap)
          .Default(AtomicRMWInst::BAD_BINOP);
  if (how == AtomicRMWInst::BAD_BINOP)
    return nullptr;
  return b.CreateAtomicRMW(how, address, call.getArgOperand(1), MaybeAlign(),
                           order);
}

/// A GPU's conversion to an integer gives the nearest one where the number has
/// none, C++ leaves that open, and programs count on the GPU. Those to 8 and 16
/// bits take the low bits of one to more, on both.
bool saturateConversion(Instruction &instruction) {
  if (!isa<FPToSIInst, FPToUIInst>(instruction) ||
      instruction.getType()->getScalarSizeInBits() < 32)
    return false;
  IRBuilder<> b(&instruction);
  Value *number = instruction.getOperand(0);
  instruction.replaceAllUsesWith(
      b.CreateIntrinsic(isa<FPToSIInst>(instruction) ? Intrinsic::fptosi_sat
                                                     : Intrinsic::fptoui_sat,
                        {instruction.getType(), number->getType()}, {number}));
  instruction.eraseFromParent();
  return true;
}

/// Scopes narrower than the system mean nothing to a CPU.
void widenScope(Instruction &instruction) {
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    atomic->setSyncScopeID(SyncScope::System);
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    exchange->setSyncScopeID(SyncScope::System);
  else if (auto *fence = dyn_cast<FenceInst>(&instruction))
    fence->setSyncScopeID(SyncScope::System);
  else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (load->isAtomic())
      load->setAtomic(load->getOrdering(), SyncScope::System);
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    if (store->isAtomic())
      store->setAtomic(store->getOrdering(), SyncScope::System);
  }
}

//===----------------------------------------------------------------------===//
// What cannot be done
//===----------------------------------------------------------------------===//

/// The construct in the user's words, by the intrinsic's name.
std::string describeIntrinsic(StringRef intrinsic) {
  StringRef what =
      StringSwitch<StringRef>(intrinsic)
          .StartsWith("llvm.nvvm.redux", "a warp reduction")
          .StartsWith("llvm.nvvm.elect", "an election in a warp")
          .StartsWith("llvm.nvvm.barrier.cta.red",
                      "a vote at a barrier of part of a block")
          .StartsWith("llvm.nvvm.barrier.cta",
                      "a barrier of part of a block, in a device procedure "
                      "that is recursive or called through a pointer,")
          .StartsWith("llvm.nvvm.barrier.cluster",
                      "a barrier of a cluster, in a device procedure that is "
                      "recursive or called through a pointer,")
          .StartsWith("llvm.nvvm.getctarank",
                      "the place in its cluster of a block that memory is of")
          .StartsWith("llvm.nvvm.read.ptx.sreg",
                      "a block's place in its cluster, in a device procedure "
                      "that is recursive or called through a pointer,")
          .StartsWith("llvm.nvvm.mbarrier", "a barrier object")
          .StartsWith("llvm.nvvm.cp.async", "an asynchronous copy")
          .StartsWith("llvm.nvvm.wmma", "a tensor core operation")
          .StartsWith("llvm.nvvm.mma", "a tensor core operation")
          .StartsWith("llvm.nvvm.tex", "a texture access")
          .Default("the intrinsic");
  return (what + " ('" + intrinsic + "')").str();
}

std::string refusedPtx(StringRef text) {
  std::string unknown;
  forEachPtxStatement(text, [&](const PtxStatement &each) {
    if (unknown.empty() && !isPtxInstruction(each.instruction))
      unknown = each.instruction.split('.').first;
  });
  return unknown.empty()
             ? ("inline PTX is not supported on the CPU: \"" + text + "\"")
                   .str()
             : "PTX has no instruction '" + unknown + "'";
}

bool isCallOfHostFunction(StringRef name) {
  static constexpr StringRef known[] = {"malloc", "free", "memcpy", "memset",
                                        "memmove"};
  // The runtime's own, for what kernels print.
  return is_contained(known, name) || name.starts_with("__cufort_cpu_");
}

/// Hints, and what the barriers of a cluster do on their own.
bool hasNoEffect(StringRef name, CallInst &call) {
  return name.starts_with("llvm.nvvm.nanosleep") ||
         name.starts_with("llvm.nvvm.prefetch") || arrivesAtCluster(call);
}

/// A call of a function that is neither an intrinsic nor one of the kernel's
/// procedures.
Error checkPlainCall(Function &kernel, CallInst &call) {
  Function *callee = call.getCalledFunction();
  StringRef name = callee->getName();
  if (name == VoteMark || name == BarrierMark || isWarpOperation(call))
    return Error::success();
  // Of device/cpu/barriers.c: a thread waits for the others in a loop.
  if (name == image::YieldFunction && kernel.hasFnAttribute(KernelAttribute))
    kernel.addFnAttr(FibersAttribute, "a barrier that counts");
  if (isCallOfHostFunction(name) || callee->doesNotAccessMemory())
    return Error::success();
  return refuse(kernel, &call,
                "the device procedure '" + userName(name) +
                    "' is not available on the CPU");
}

Error lowerIntrinsic(Function &kernel, CallInst &call,
                     const CpuOptions &options) {
  StringRef name = call.getCalledFunction()->getName();
  IRBuilder<> b(&call);
  if (isa<FPMathOperator>(call))
    b.setFastMathFlags(call.getFastMathFlags());
  const bool isOfBlock = options.check.any() && name.contains(".cta");
  if (name.starts_with("llvm.nvvm.membar.") ||
      name.starts_with("llvm.nvvm.fence.")) {
    FenceInst *fence = b.CreateFence(AtomicOrdering::SequentiallyConsistent);
    if (isOfBlock)
      check::setBlockScope(*fence);
    call.eraseFromParent();
    return Error::success();
  }
  if (hasNoEffect(name, call)) {
    call.eraseFromParent();
    return Error::success();
  }
  Value *result = lowerArithmetic(b, call);
  if (!result)
    result = lowerClusters(b, call);
  if (!result)
    result = lowerAtomic(b, call);
  if (auto *atomic = dyn_cast_or_null<Instruction>(result);
      atomic && isOfBlock && atomic->isAtomic())
    check::setBlockScope(*atomic);
  if (result == &call)
    return Error::success();
  if (result && result->getType() == call.getType()) {
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
    return Error::success();
  }
  // The indices of threads and blocks are left for the loops over them.
  if (name.starts_with("llvm.nvvm.read.ptx.sreg.") && !name.contains("cluster"))
    return Error::success();
  return refuse(kernel, &call,
                describeIntrinsic(name) + " is not supported on the CPU yet");
}

Error lowerCall(Function &kernel, CallBase &call, const CpuOptions &options) {
  if (call.isInlineAsm())
    return refuse(
        kernel, &call,
        refusedPtx(cast<InlineAsm>(call.getCalledOperand())->getAsmString()));
  if (call.hasFnAttr(ProcedureAttribute))
    return Error::success();
  Function *callee = call.getCalledFunction();
  auto *plain = dyn_cast<CallInst>(&call);
  if (!callee || !plain)
    return refuse(kernel, &call, "a call that cannot be resolved");
  if (lowerCollective(*plain) || lowerPartBarrier(*plain))
    return Error::success();
  if (!callee->isIntrinsic())
    return checkPlainCall(kernel, *plain);
  return callee->getName().starts_with("llvm.nvvm.")
             ? lowerIntrinsic(kernel, *plain, options)
             : Error::success();
}

Error lowerIn(Function &kernel, const CpuOptions &options) {
  translateInlinePtx(kernel);
  for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
    if (saturateConversion(instruction))
      continue;
    if (options.check.any())
      check::noteScope(instruction);
    widenScope(instruction);
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Error error = lowerCall(kernel, *call, options))
        return error;
  }
  return Error::success();
}

} // namespace

void markCollectives(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      lowerCollective(*call);
}

Error lowerIntrinsics(Module &module, const CpuOptions &options) {
  for (Function *kernel : deviceFunctions(module))
    if (Error error = lowerIn(*kernel, options))
      return error;
  return Error::success();
}

} // namespace cufort::cpu
