//===- Kernel.cpp - what the passes know of a kernel ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/common/SourceLocation.h"
#include "compiler/common/SymbolName.h"
#include "image/DeviceCode.h"
#include "image/Image.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace cufort::cpu {

uint32_t attributeNumber(const Function &function, StringRef attribute) {
  uint32_t number = 0;
  function.getFnAttribute(attribute).getValueAsString().getAsInteger(10,
                                                                     number);
  return number;
}

void setAttributeNumber(Function &function, StringRef attribute,
                        uint32_t number) {
  function.addFnAttr(attribute, std::to_string(number));
}

SmallVector<Function *> kernels(Module &module) {
  SmallVector<Function *> found;
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(KernelAttribute))
      found.push_back(&function);
  return found;
}

SmallVector<Function *> deviceFunctions(Module &module) {
  SmallVector<Function *> found = kernels(module);
  for (Function &function : module)
    if (!function.isDeclaration() &&
        function.hasFnAttribute(ProcedureAttribute))
      found.push_back(&function);
  return found;
}

SmallVector<Function *> entries(Module &module, StringRef entry) {
  SmallVector<Function *> found;
  for (Function *function : kernels(module))
    if (function->getFnAttribute(EntryAttribute).getValueAsString() == entry)
      found.push_back(function);
  return found;
}

StringRef kernelName(const Function &function) {
  StringRef name = function.getFnAttribute(KernelAttribute).getValueAsString();
  return name.empty() ? function.getName() : name;
}

std::array<uint32_t, 3> launchedShape(const Function &entry) {
  std::array<uint32_t, 3> shape = {};
  if (entry.hasFnAttribute(image::LoopAxesAttribute))
    shape = {0, 1, 1};
  SmallVector<StringRef, 3> extents;
  entry.getFnAttribute(ShapeAttribute).getValueAsString().split(extents, ',');
  if (extents.size() == shape.size())
    for (auto [extent, text] : zip(shape, extents))
      text.getAsInteger(10, extent);
  return shape;
}

std::array<uint32_t, 3> blockShape(const Function &entry) {
  std::array<uint32_t, 3> shape = launchedShape(entry);
  std::swap(shape[0], shape[attributeNumber(entry, AlongAttribute)]);
  return shape;
}

Instruction *endOfPrologue(Function &entry) {
  return entry.getEntryBlock().getTerminator();
}

void copyBody(Function &function, const Twine &suffix,
              ValueToValueMapTy &copies) {
  SmallVector<BasicBlock *> blocks, made;
  for (BasicBlock &block : drop_begin(function))
    blocks.push_back(&block);
  for (BasicBlock *block : blocks) {
    BasicBlock *copy = CloneBasicBlock(block, copies, suffix, &function);
    copies[block] = copy;
    made.push_back(copy);
  }
  remapInstructionsInBlocks(made, copies);
}

AllocaInst *makeBlockVariable(Function &entry, Type *type, Value *initial,
                              const Twine &name) {
  IRBuilder<> b(endOfPrologue(entry));
  AllocaInst *variable = b.CreateAlloca(type, nullptr, name);
  if (initial)
    b.CreateStore(initial, variable);
  return variable;
}

CallInst *asMark(Instruction *instruction, StringRef name) {
  auto *call = dyn_cast<CallInst>(instruction);
  if (!call || !call->getCalledFunction() ||
      call->getCalledFunction()->getName() != name)
    return nullptr;
  return call;
}

static constexpr char SharedAtomicMetadata[] = "cufort.shared";

void noteSharedAtomics(Module &module) {
  MDNode *note = MDNode::get(module.getContext(), {});
  for (Function *entry : entries(module, "block"))
    for (Instruction &instruction : instructions(*entry)) {
      Value *pointer = nullptr;
      if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
        pointer = atomic->getPointerOperand();
      else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        pointer = exchange->getPointerOperand();
      if (pointer && isSharedMemory(*pointer))
        instruction.setMetadata(SharedAtomicMetadata, note);
    }
}

void relaxSharedAtomics(Module &module) {
  for (Function *entry : entries(module, "block"))
    for (Instruction &instruction : make_early_inc_range(instructions(*entry)))
      if (instruction.hasMetadata(SharedAtomicMetadata)) {
        if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
          lowerAtomicRMWInst(atomic);
        else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
          lowerAtomicCmpXchgInst(exchange);
      }
}

static FunctionCallee indexMark(Module &module, StringRef name) {
  auto mark =
      module.getOrInsertFunction(name, Type::getInt64Ty(module.getContext()));
  auto *function = cast<Function>(mark.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return mark;
}

FunctionCallee threadRankMark(Module &module) {
  return indexMark(module, ThreadRankMark);
}

FunctionCallee laneMark(Module &module) { return indexMark(module, LaneMark); }

FunctionCallee countMark(Module &module) {
  LLVMContext &context = module.getContext();
  auto mark = module.getOrInsertFunction(CountMark, Type::getVoidTy(context),
                                         PointerType::get(context, 0),
                                         Type::getInt32Ty(context));
  auto *function = cast<Function>(mark.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setOnlyAccessesArgMemory();
  return mark;
}

void lowerCounts(Module &module) {
  Function *mark = module.getFunction(CountMark);
  if (!mark)
    return;
  for (User *user : make_early_inc_range(mark->users())) {
    auto *count = cast<CallInst>(user);
    IRBuilder<> b(count);
    Value *variable = count->getArgOperand(0);
    Value *known = b.CreateLoad(b.getInt32Ty(), variable);
    b.CreateStore(b.CreateAdd(known, count->getArgOperand(1)), variable);
    count->eraseFromParent();
  }
  mark->eraseFromParent();
}

int threadIndexDimension(const Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return -1;
  switch (callee->getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return 0;
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return 1;
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return 2;
  default:
    return callee->getName() == ThreadRankMark ? RankDimension
           : callee->getName() == LaneMark     ? LaneDimension
                                               : -1;
  }
}

Instruction *cloneForAnyThread(const Instruction &instruction) {
  Instruction *copy;
  if (const auto *either = dyn_cast<PossiblyDisjointInst>(&instruction);
      either && either->isDisjoint())
    copy =
        BinaryOperator::CreateAdd(either->getOperand(0), either->getOperand(1));
  else if (const auto *wider = dyn_cast<ZExtInst>(&instruction);
           wider && wider->hasNonNeg())
    copy = CastInst::Create(Instruction::SExt, wider->getOperand(0),
                            wider->getType());
  else
    copy = instruction.clone();
  copy->dropPoisonGeneratingFlags();
  copy->setDebugLoc(instruction.getDebugLoc());
  return copy;
}

bool isSharedMemory(const Value &pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects, nullptr, 0);
  return !objects.empty() && all_of(objects, [](const Value *object) {
    auto *load = dyn_cast<LoadInst>(object);
    if (!load)
      return false;
    APInt offset(64, 0);
    auto *workspace = dyn_cast<Argument>(
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(
            load->getDataLayout(), offset, true));
    return workspace && workspace->getArgNo() == WorkspaceArgument &&
           offset == offsetof(image::CpuWorkspace, shared);
  });
}

Error refuse(const Function &function, const Instruction *at,
             const Twine &message) {
  std::string text = at ? locationOf(*at) : "";
  if (text.empty())
    text = locationOf(function);
  bool isKernel = function.hasFnAttribute(KernelAttribute);
  text += (Twine(isKernel ? "kernel '" : "device procedure '") +
           userName(kernelName(function)) + "': " + message)
              .str();
  return createStringError(inconvertibleErrorCode(), Twine(text));
}

} // namespace cufort::cpu
