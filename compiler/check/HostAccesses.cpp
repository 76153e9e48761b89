//===- HostAccesses.cpp - host code and memory of devices -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/HostAccesses.h"
#include "compiler/check/AccessKinds.h"
#include "compiler/check/Names.h"
#include "compiler/check/Sites.h"
#include "image/Check.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cufort;

namespace {

class HostAccesses {
public:
  explicit HostAccesses(Module &module)
      : module(module), sites(module, ""), builder(module.getContext()) {}

  void visit(Function &function) {
    SmallVector<Instruction *> all;
    compared.clear();
    for (Instruction &instruction : instructions(function)) {
      if (instruction.getDebugLoc() && instruction.getDebugLoc().getLine())
        all.push_back(&instruction);
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        check::findCompared(*exchange, compared);
    }
    for (Instruction *instruction : all)
      visit(*instruction);
  }

private:
  void visit(Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      access(instruction, load->getPointerOperand(), load->getType(), 0);
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      access(instruction, store->getPointerOperand(),
             store->getValueOperand()->getType(), image::SiteWrites);
    } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
      access(instruction, update->getPointerOperand(),
             update->getValOperand()->getType(), image::SiteWrites);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      access(instruction, exchange->getPointerOperand(),
             exchange->getNewValOperand()->getType(), image::SiteWrites);
    } else if (auto *set = dyn_cast<MemSetInst>(&instruction)) {
      range(instruction, set->getDest(), set->getLength(), image::SiteWrites);
    } else if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
      range(instruction, copy->getSource(), copy->getLength(), 0);
      range(instruction, copy->getDest(), copy->getLength(), image::SiteWrites);
    } else if (auto *called = dyn_cast<CallInst>(&instruction)) {
      visitCall(*called);
    }
  }

  void visitCall(CallInst &called) {
    const Function *callee = called.getCalledFunction();
    if (callee && callee->getName().starts_with("_FortranA"))
      return passArrays(called, callee->getName());
    if (!callee || called.arg_size() != 3 ||
        !called.getArgOperand(2)->getType()->isIntegerTy(64))
      return;
    Value *length = called.getArgOperand(2);
    if (callee->getName() == "memcpy" || callee->getName() == "memmove") {
      range(called, called.getArgOperand(1), length, 0);
      range(called, called.getArgOperand(0), length, image::SiteWrites);
    } else if (callee->getName() == "memset") {
      range(called, called.getArgOperand(0), length, image::SiteWrites);
    }
  }

  /// Functions of Fortran's library read and write whole arrays.
  void passArrays(CallInst &called, StringRef name) {
    name.consume_front("_FortranA");
    const bool writesFirst = name.starts_with("Assign");
    const bool reads =
        name == "ioOutputDescriptor" ||
        any_of(ArrayRef<StringRef>{"Sum",     "Product",  "Max",     "Min",
                                   "Any",     "All",      "Count",   "Dot",
                                   "Matmul",  "Norm2",    "Findloc", "IAll",
                                   "IAny",    "IParity",  "Parity",  "Reshape",
                                   "Pack",    "Unpack",   "Spread",  "Cshift",
                                   "Eoshift", "Transpose"},
               [&](StringRef each) {
                 return name.starts_with(each) && !name.starts_with("Allocat");
               });
    const bool writes = name == "ioInputDescriptor";
    if (!writesFirst && !reads && !writes)
      return;
    bool isFirst = true;
    for (Value *argument : called.args()) {
      if (isDescriptor(argument))
        array(called, argument,
              writes || (writesFirst && isFirst) ? image::SiteWrites : 0);
      isFirst = false;
    }
  }

  /// Whether \p value points to Flang's description of an array: address,
  /// bytes, version, rank, type, attribute, extra.
  static bool isDescriptor(const Value *value) {
    if (!value->getType()->isPointerTy())
      return false;
    const Type *type = nullptr;
    if (auto *local = dyn_cast<AllocaInst>(value))
      type = local->getAllocatedType();
    else if (auto *global = dyn_cast<GlobalVariable>(value))
      type = global->getValueType();
    auto *record = dyn_cast_or_null<StructType>(type);
    return record && record->getNumElements() >= 8 &&
           record->getElementType(0)->isPointerTy() &&
           record->getElementType(1)->isIntegerTy(64) &&
           record->getElementType(2)->isIntegerTy(32) &&
           record->getElementType(3)->isIntegerTy(8) &&
           record->getElementType(7)->isArrayTy();
  }

  void array(Instruction &instruction, Value *descriptor, uint32_t flags) {
    tell(instruction, image::CheckHostArrayName, {descriptor},
         sites.at(instruction, nullptr, 1, 1,
                  flags | image::SiteHost | image::SiteNoValue));
  }

  /// What no device can reach.
  static bool isOwn(const Value *address) {
    const Value *root = check::rootOf(address);
    if (auto *global = dyn_cast<GlobalVariable>(root))
      return global->isConstant() || global->isThreadLocal() ||
             global->hasPrivateLinkage();
    return isa<AllocaInst, Function>(root) ||
           (isa<Argument>(root) && cast<Argument>(root)->hasByValAttr());
  }

  void access(Instruction &instruction, Value *address, Type *type,
              uint32_t flags) {
    const TypeSize bytes = module.getDataLayout().getTypeStoreSize(type);
    if (bytes.isScalable() || !bytes)
      return;
    // Of what is read to be compared, the exchange finds out whether it holds.
    if (instruction.isAtomic() || instruction.isVolatile() ||
        compared.contains(&instruction))
      flags |= image::SiteAtomic;
    range(instruction, address, builder.getInt64(bytes.getFixedValue()), flags,
          static_cast<uint32_t>(bytes.getFixedValue()));
  }

  void range(Instruction &instruction, Value *address, Value *length,
             uint32_t flags, uint32_t bytes = 1) {
    if (isOwn(address) || address->getType() != builder.getPtrTy())
      return;
    Constant *site = sites.at(instruction, nullptr, bytes, 1,
                              flags | image::SiteHost | image::SiteNoValue,
                              check::variableName(instruction, address));
    tell(instruction, image::CheckHostName,
         {address, IRBuilder<>(&instruction)
                       .CreateZExtOrTrunc(length, builder.getInt64Ty())},
         site);
  }

  /// Calls a function of the runtime while anything is under way.
  void tell(Instruction &instruction, StringRef name,
            SmallVector<Value *> operands, Constant *site) {
    builder.SetInsertPoint(&instruction);
    LoadInst *live = builder.CreateAlignedLoad(builder.getInt32Ty(), liveWord(),
                                               Align(sizeof(uint32_t)));
    live->setAtomic(AtomicOrdering::Monotonic);
    Value *isLive = builder.CreateIsNotNull(live);
    builder.SetInsertPoint(SplitBlockAndInsertIfThen(
        isLive, &instruction, /*Unreachable=*/false,
        MDBuilder(module.getContext()).createUnlikelyBranchWeights()));
    operands.push_back(site);
    SmallVector<Type *> types;
    for (Value *operand : operands)
      types.push_back(operand->getType());
    builder.CreateCall(
        module.getOrInsertFunction(
            name, FunctionType::get(builder.getVoidTy(), types, false)),
        operands);
  }

  GlobalVariable *liveWord() {
    if (GlobalVariable *known = module.getGlobalVariable(image::CheckLiveName))
      return known;
    return new GlobalVariable(module, builder.getInt32Ty(),
                              /*isConstant=*/false,
                              GlobalValue::ExternalLinkage, nullptr,
                              image::CheckLiveName);
  }

  Module &module;
  check::Sites sites;
  IRBuilder<> builder;
  /// Reads of what the function compares and swaps.
  SmallPtrSet<const Instruction *, 4> compared;
};

} // namespace

void cufort::check::noteHostAccesses(Module &host) {
  HostAccesses accesses(host);
  SmallVector<Function *> functions;
  for (Function &function : host)
    if (!function.isDeclaration() && !isCuda(function.getName()))
      functions.push_back(&function);
  for (Function *function : functions)
    accesses.visit(*function);
}
