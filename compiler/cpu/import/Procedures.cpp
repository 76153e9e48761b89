//===- Procedures.cpp - device procedures that stay functions -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/Procedures.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/DebugVariables.h"
#include "compiler/cpu/block/FiberWaits.h"
#include "compiler/cpu/import/LowerIntrinsics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
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

bool isSharedVariable(const GlobalVariable &variable) {
  return variable.getAttributes()
             .getAttribute(VariableAttribute)
             .getValueAsString() == "shared";
}

/// What the threads of a block or a warp do together, in the user's words. With
/// \p debug procedures are not inlined that would be otherwise, and where a
/// volatile access goes is not known there.
StringRef collective(const Instruction &instruction, bool debug) {
  // Perhaps it is asked again and again what another thread does.
  if (debug && instruction.isAtomic() && instruction.mayReadFromMemory() &&
      !isa<FenceInst>(instruction) && !instruction.use_empty())
    return "an atomic operation";
  if (const Value *pointer = getLoadStorePointerOperand(&instruction)) {
    auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer, 0));

    return instruction.isVolatile() &&
                   (debug || (variable && isSharedVariable(*variable)))
               ? "a volatile access to shared memory"
               : "";
  }
  auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return "";
  if (callee->getName() == GridBarrierProcedure)
    return "a barrier of the grid";
  if (callee->getName().starts_with("llvm.nvvm.barrier"))
    return "a barrier";
  // Clang calls everything so that it does not know; what a procedure with a
  // body does is seen in the body.
  return callee->isDeclaration() && callee->isConvergent() ? "a warp operation"
                                                           : "";
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
  Separation(Module &module, bool debug)
      : module(module), context(module.getContext()), debug(debug) {}
  void run();

private:
  void moveToFibers();
  Value *voteCounters();
  SmallVector<Function *> predefinedRegisters();
  void collect(Function &procedure);
  Function *addRecord(Function &procedure);
  void readRecord(Function &procedure);
  void passRecord(Function &caller);
  Value *field(IRBuilder<> &b, Value *record, unsigned index) {
    return b.CreateStructGEP(recordType, record, index);
  }

  Module &module;
  LLVMContext &context;
  const bool debug; ///< every procedure has the predefined variables
  SmallVector<Function *> procedures;
  /// What the record holds: special registers, then shared variables.
  SetVector<Function *> registers;
  SetVector<GlobalVariable *> variables;
  StructType *recordType = nullptr;
  GlobalVariable *counters = nullptr; ///< of votes in procedures
};

/// What the threads wait for each other at in \p procedure, if anything.
static StringRef collectiveIn(Function &procedure, bool debug) {
  for (Instruction &instruction : instructions(procedure))
    if (StringRef what = collective(instruction, debug); !what.empty())
      return what;
  return "";
}

/// The procedures that \p kernel may reach: those that it names, also in the
/// initial values of variables, and behind a pointer each whose address is
/// anywhere.
static SmallSetVector<Function *, 16>
reachedFrom(Function &kernel, ArrayRef<Function *> procedures) {
  SmallSetVector<Function *, 16> reached;
  SmallPtrSet<Constant *, 16> seen;
  auto name = [&](Value *value) {
    SmallVector<Constant *> work;
    if (auto *constant = dyn_cast<Constant>(value))
      work.push_back(constant);
    while (!work.empty()) {
      Constant *constant = work.pop_back_val();
      if (auto *function = dyn_cast<Function>(constant)) {
        if (!function->isDeclaration())
          reached.insert(function);
      } else if (seen.insert(constant).second) {
        for (Value *part : constant->operands())
          work.push_back(cast<Constant>(part));
      }
    }
  };
  auto nameAnyByPointer = [&] {
    for (Function *procedure : procedures)
      if (procedure->hasAddressTaken())
        reached.insert(procedure);
  };
  auto look = [&](Function &function) {
    for (Instruction &instruction : instructions(function)) {
      for (Value *operand : instruction.operands())
        name(operand);
      auto *call = dyn_cast<CallBase>(&instruction);
      if (call && !call->isInlineAsm() &&
          !isa<Function>(call->getCalledOperand()->stripPointerCasts()))
        nameAnyByPointer();
    }
  };
  look(kernel);
  for (unsigned i = 0; i < reached.size(); ++i)
    look(*reached[i]);
  return reached;
}

/// Where threads wait for each other in procedures they do so on fibers, and so
/// do the kernels that may call these.
void Separation::moveToFibers() {
  SmallMapVector<Function *, StringRef, 4> collectives;
  for (Function *procedure : procedures)
    if (StringRef what = collectiveIn(*procedure, debug); !what.empty())
      collectives[procedure] = what;
  if (collectives.empty())
    return;
  for (Function *kernel : kernels(module))
    for (Function *procedure : reachedFrom(*kernel, procedures))
      if (StringRef what = collectives.lookup(procedure); !what.empty()) {
        kernel->addFnAttr(FibersAttribute,
                          (what + " in a device procedure that is recursive "
                                  "or called through a pointer")
                              .str());
        break;
      }
  uint32_t place = 0;
  for (auto &[procedure, what] : collectives) {
    markCollectives(*procedure);
    place = waitOnFiber(*procedure, [&] { return voteCounters(); }, place);
  }
  // What was found out about them was found out about a GPU's instructions.
  AttributeMask untrue;
  for (auto kind : {Attribute::Memory, Attribute::NoSync, Attribute::WillReturn,
                    Attribute::MustProgress})
    untrue.addAttribute(kind);
  SmallVector<Function *> changed(procedures);
  changed.append(kernels(module));
  for (Function *function : changed) {
    function->removeFnAttrs(untrue);
    for (Instruction &instruction : instructions(*function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && callsProcedure(*call))
        call->removeFnAttrs(untrue);
  }
}

Value *Separation::voteCounters() {
  if (!counters) {
    Type *i32 = Type::getInt32Ty(context);
    auto *type = ArrayType::get(i32, VoteCounterBytes / 4);
    counters = new GlobalVariable(
        module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
        PoisonValue::get(type), "cufort.procedure.votes");
    counters->setAlignment(Align(8));
    AttributeSet attributes = AttributeSet::get(
        context, {Attribute::get(context, VariableAttribute, "shared")});
    counters->setAttributes(attributes);
  }
  return counters;
}

/// What describePredefined asks for.
SmallVector<Function *> Separation::predefinedRegisters() {
  SmallVector<Function *> found;
  for (Intrinsic::ID id : {Intrinsic::nvvm_read_ptx_sreg_tid_x,
                           Intrinsic::nvvm_read_ptx_sreg_tid_y,
                           Intrinsic::nvvm_read_ptx_sreg_tid_z,
                           Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                           Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                           Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
                           Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                           Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                           Intrinsic::nvvm_read_ptx_sreg_ntid_z,
                           Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                           Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                           Intrinsic::nvvm_read_ptx_sreg_nctaid_z})
    found.push_back(Intrinsic::getOrInsertDeclaration(&module, id));
  return found;
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
  if (debug) {
    SmallVector<Value *> predefined;
    for (Function *reading : predefinedRegisters())
      predefined.push_back(values[reading]);
    describePredefined(procedure, predefined, *b.GetInsertPoint());
    for (GlobalVariable *variable : variables)
      describeShared(*variable, *values[variable], *b.GetInsertPoint());
  }
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

void Separation::run() {
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(KernelAttribute))
      procedures.push_back(&function);
  SmallVector<Function *> callers = kernels(module);
  for (Function *procedure : procedures) {
    procedure->addFnAttr(ProcedureAttribute);
    // In a vector's lanes there is no call of it.
    procedure->addFnAttr(Attribute::NoInline);
  }
  moveToFibers();
  if (!procedures.empty()) {
    SmallVector<Constant *> shared;
    for (GlobalVariable &variable : module.globals())
      if (isSharedVariable(variable))
        shared.push_back(&variable);
    convertUsersOfConstantsToInstructions(shared);
  }
  if (debug && !procedures.empty())
    for (Function *reading : predefinedRegisters())
      registers.insert(reading);
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
}

} // namespace

Error separateProcedures(Module &module, const CpuOptions &options) {
  Separation(module, options.debug).run();
  return Error::success();
}

} // namespace cufort::cpu
