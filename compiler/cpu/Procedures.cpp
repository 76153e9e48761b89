//===- Procedures.cpp - device procedures that stay functions -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/Procedures.h"
#include "compiler/cpu/Kernel.h"
#include "compiler/cpu/WarpOperations.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Reads where the thread is; the rest of the special registers (clocks) are
/// the same everywhere.
bool readsPlace(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  StringRef name = call->getCalledFunction()->getName();
  return name.consume_front("llvm.nvvm.read.ptx.sreg.") &&
         !name.starts_with("clock") && !name.starts_with("globaltimer") &&
         !name.starts_with("warpsize");
}

/// What the threads of a block or a warp do together, in the user's words.
StringRef collective(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return "";
  if (callee->getName() == GridBarrierProcedure ||
      callee->getName().starts_with("llvm.nvvm.barrier"))
    return "a barrier";
  // Clang calls everything so that it does not know; what a procedure with a
  // body does is seen in the body.
  return callee->isDeclaration() && callee->isConvergent()
             ? "what the threads of a warp do together"
             : "";
}

bool isSharedVariable(const GlobalVariable &variable) {
  return variable.getAttributes()
             .getAttribute(VariableAttribute)
             .getValueAsString() == "shared";
}

/// A call of a procedure that stays: by name, or through a pointer.
bool callsProcedure(const CallBase &call) {
  if (call.isInlineAsm())
    return false;
  auto *callee =
      dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return !callee || callee->hasFnAttribute(ProcedureAttribute);
}

class Separation {
public:
  explicit Separation(Module &module)
      : module(module), context(module.getContext()) {}
  Error run();

private:
  Error check(Function &procedure);
  void collect(Function &procedure);
  Function *addRecord(Function &procedure);
  void readRecord(Function &procedure);
  void passRecord(Function &caller);
  Value *field(IRBuilder<> &b, Value *record, unsigned index) {
    return b.CreateStructGEP(recordType, record, index);
  }

  Module &module;
  LLVMContext &context;
  SmallVector<Function *> procedures;
  /// What the record holds: special registers, then shared variables.
  SetVector<Function *> registers;
  SetVector<GlobalVariable *> variables;
  StructType *recordType = nullptr;
};

Error Separation::check(Function &procedure) {
  for (Instruction &instruction : instructions(procedure)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    if (StringRef what = collective(*call); !what.empty())
      return refuse(procedure, call,
                    what + " is not supported on the CPU in a device "
                           "procedure that is recursive or called through a "
                           "pointer: move it to the kernel");
  }
  return Error::success();
}

void Separation::collect(Function &procedure) {
  for (Instruction &instruction : instructions(procedure)) {
    if (readsPlace(instruction))
      registers.insert(cast<CallBase>(instruction).getCalledFunction());
    for (Value *operand : instruction.operands())
      if (auto *variable = dyn_cast<GlobalVariable>(operand);
          variable && isSharedVariable(*variable))
        variables.insert(variable);
  }
}

/// The same procedure with the record as its last parameter.
Function *Separation::addRecord(Function &procedure) {
  FunctionType *type = procedure.getFunctionType();
  SmallVector<Type *> parameters(type->params());
  parameters.push_back(PointerType::get(context, 0));
  auto *twin = Function::Create(
      FunctionType::get(type->getReturnType(), parameters, type->isVarArg()),
      procedure.getLinkage(), "", &module);
  twin->copyAttributesFrom(&procedure);
  twin->removeFnAttr(Attribute::Memory);
  twin->takeName(&procedure);
  twin->setSubprogram(procedure.getSubprogram());
  procedure.setSubprogram(nullptr);
  twin->splice(twin->begin(), &procedure);
  for (auto [old, argument] : zip(procedure.args(), twin->args())) {
    old.replaceAllUsesWith(&argument);
    argument.takeName(&old);
  }
  twin->getArg(type->getNumParams())->setName("place");
  procedure.replaceAllUsesWith(twin);
  procedure.eraseFromParent();
  return twin;
}

void Separation::readRecord(Function &procedure) {
  Value *record = procedure.getArg(procedure.arg_size() - 1);
  IRBuilder<> b(&*procedure.getEntryBlock().getFirstInsertionPt());
  MapVector<Value *, Value *> values;
  unsigned index = 0;
  for (Function *reading : registers)
    values[reading] =
        b.CreateLoad(reading->getReturnType(), field(b, record, index++));
  for (GlobalVariable *variable : variables)
    values[variable] = b.CreateLoad(b.getPtrTy(), field(b, record, index++),
                                    variable->getName());
  for (Instruction &instruction :
       make_early_inc_range(instructions(procedure))) {
    if (readsPlace(instruction)) {
      auto &call = cast<CallBase>(instruction);
      call.replaceAllUsesWith(values[call.getCalledFunction()]);
      call.eraseFromParent();
      continue;
    }
    for (Use &operand : instruction.operands())
      if (auto known = values.find(operand.get());
          known != values.end() && isa<GlobalVariable>(operand.get()))
        operand.set(known->second);
  }
}

void Separation::passRecord(Function &caller) {
  const bool isKernel = caller.hasFnAttribute(KernelAttribute);
  AllocaInst *own = nullptr;
  for (Instruction &instruction : make_early_inc_range(instructions(caller))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !callsProcedure(*call))
      continue;
    IRBuilder<> b(call);
    Value *record = nullptr;
    if (!isKernel) {
      record = caller.getArg(caller.arg_size() - 1);
    } else {
      if (!own)
        own = IRBuilder<>(&*caller.getEntryBlock().getFirstInsertionPt())
                  .CreateAlloca(recordType, nullptr, "place");
      record = own;
      unsigned index = 0;
      for (Function *reading : registers)
        b.CreateStore(b.CreateCall(reading), field(b, record, index++));
      for (GlobalVariable *variable : variables)
        b.CreateStore(variable, field(b, record, index++));
    }
    FunctionType *type = call->getFunctionType();
    SmallVector<Type *> parameters(type->params());
    parameters.push_back(PointerType::get(context, 0));
    SmallVector<Value *> arguments(call->args());
    arguments.push_back(record);
    CallInst *twin = b.CreateCall(
        FunctionType::get(type->getReturnType(), parameters, type->isVarArg()),
        call->getCalledOperand(), arguments);
    twin->setAttributes(call->getAttributes());
    twin->removeFnAttr(Attribute::Memory);
    twin->setDebugLoc(call->getDebugLoc());
    twin->takeName(call);
    call->replaceAllUsesWith(twin);
    call->eraseFromParent();
  }
}

Error Separation::run() {
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(KernelAttribute))
      procedures.push_back(&function);
  SmallVector<Function *> callers = kernels(module);
  for (Function *procedure : procedures) {
    procedure->addFnAttr(ProcedureAttribute);
    // In a vector's lanes there is no call of it.
    procedure->addFnAttr(Attribute::NoInline);
    if (Error error = check(*procedure))
      return error;
  }
  if (!procedures.empty()) {
    SmallVector<Constant *> shared;
    for (GlobalVariable &variable : module.globals())
      if (isSharedVariable(variable))
        shared.push_back(&variable);
    convertUsersOfConstantsToInstructions(shared);
  }
  for (Function *procedure : procedures)
    collect(*procedure);
  if (!registers.empty() || !variables.empty()) {
    SmallVector<Type *> fields;
    for (Function *reading : registers)
      fields.push_back(reading->getReturnType());
    fields.append(variables.size(), PointerType::get(context, 0));
    recordType = StructType::get(context, fields);
    for (Function *&procedure : procedures)
      procedure = addRecord(*procedure);
    for (Function *procedure : procedures)
      readRecord(*procedure);
    for (Function *kernel : callers)
      passRecord(*kernel);
    for (Function *procedure : procedures)
      passRecord(*procedure);
  }
  callers.append(procedures);
  for (Function *caller : callers)
    for (Instruction &instruction : instructions(*caller))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && callsProcedure(*call))
        call->addFnAttr(Attribute::get(context, ProcedureAttribute));
  return Error::success();
}

} // namespace

Error separateProcedures(Module &module, const CpuOptions &) {
  return Separation(module).run();
}

} // namespace cufort::cpu
