//===- DebugVariables.cpp - what debuggers know of variables --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/DebugVariables.h"
#include "compiler/common/DebugAddresses.h"
#include "compiler/common/SymbolName.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/DebugArrays.h"
#include "compiler/cpu/block/UniformVariables.h"
#include "image/Image.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace cufort::cpu {
bool hasVariables(const DISubprogram *subprogram) {
  return subprogram && subprogram->getUnit() &&
         subprogram->getUnit()->getEmissionKind() == DICompileUnit::FullDebug;
}

static bool isFortran(const DISubprogram &subprogram) {
  const DICompileUnit *unit = subprogram.getUnit();
  return unit && dwarf::isFortran(static_cast<dwarf::SourceLanguage>(
                     unit->getSourceLanguage().getUnversionedName()));
}

/// Three integers, x, y, z, as both languages call them.
static DIType *indexType(DIBuilder &builder, DISubprogram &subprogram) {
  DIType *number =
      isFortran(subprogram)
          ? builder.createBasicType("integer", 32, dwarf::DW_ATE_signed)
          : builder.createBasicType("unsigned int", 32, dwarf::DW_ATE_unsigned);
  SmallVector<Metadata *> members;
  for (auto [number_, name] : enumerate(ArrayRef{"x", "y", "z"}))
    members.push_back(builder.createMemberType(
        subprogram.getFile(), name, subprogram.getFile(), 0, 32, 32,
        32 * number_, DINode::FlagZero, number));
  return builder.createStructType(
      subprogram.getFile(), "dim3", subprogram.getFile(), 0, 96, 32,
      DINode::FlagZero, nullptr, builder.getOrCreateArray(members));
}

DILocalVariable *predefinedVariable(DISubprogram &subprogram, unsigned number,
                                    Module &module) {
  DIBuilder builder(module, /*AllowUnresolved=*/false, subprogram.getUnit());
  StringRef name = PredefinedNames[number];
  return DILocalVariable::get(
      module.getContext(), &subprogram,
      isFortran(subprogram) ? name.lower() : name.str(), subprogram.getFile(),
      subprogram.getLine(), indexType(builder, subprogram), /*Arg=*/0,
      DINode::FlagArtificial, /*AlignInBits=*/0, nullptr);
}

uint32_t firstIndex(const DISubprogram &subprogram) {
  return isFortran(subprogram) ? 1 : 0;
}

namespace {

/// The declarations of variables in \p function.
SmallVector<DbgVariableRecord *> declarations(Function &function) {
  SmallVector<DbgVariableRecord *> found;
  for (Instruction &instruction : instructions(function))
    for (DbgVariableRecord &record :
         filterDbgVars(instruction.getDbgRecordRange()))
      if (record.isDbgDeclare())
        found.push_back(&record);
  return found;
}

bool namesAddressClass(const DIExpression &expression) {
  return is_contained(expression.getElements(), dwarf::DW_OP_xderef);
}

/// Describes every variable of \p module that a debugger of this machine can
/// find, and no others.
void rewriteGlobalDescriptions(Module &module) {
  SmallPtrSet<Metadata *, 16> present;
  for (GlobalVariable &variable : module.globals()) {
    SmallVector<DIGlobalVariableExpression *> described;
    variable.getDebugInfo(described);
    variable.eraseMetadata(LLVMContext::MD_dbg);
    for (DIGlobalVariableExpression *each : described) {
      if (namesAddressClass(*each->getExpression()))
        each = DIGlobalVariableExpression::get(
            module.getContext(), each->getVariable(),
            DIExpression::get(module.getContext(), {}));
      variable.addDebugInfo(each);
      present.insert(each);
    }
  }
  for (DICompileUnit *unit : module.debug_compile_units()) {
    SmallVector<Metadata *> kept;
    SmallPtrSet<const DIGlobalVariable *, 16> listed;
    for (DIGlobalVariableExpression *each : unit->getGlobalVariables()) {
      listed.insert(each->getVariable());
      if (present.contains(each) || each->getExpression()->isConstant())
        kept.push_back(each);
    }
    for (Metadata *each : present)
      if (auto *now = cast<DIGlobalVariableExpression>(each);
          listed.contains(now->getVariable()) && !is_contained(kept, each))
        kept.push_back(each);
    unit->replaceGlobalVariables(MDTuple::get(module.getContext(), kept));
  }
}

void declare(Value &place, DILocalVariable &variable, Instruction &at) {
  LLVMContext &context = at.getContext();
  DbgVariableRecord *record = DbgVariableRecord::createDVRDeclare(
      &place, &variable, DIExpression::get(context, {}),
      DILocation::get(context, variable.getLine(), 0, variable.getScope()));
  at.getParent()->insertDbgRecordBefore(record, at.getIterator());
}

/// What \p thread gets as arguments, as values of the registers.
SmallVector<Value *> registersOf(Function &thread, Instruction &at) {
  IRBuilder<> b(&at);
  b.SetCurrentDebugLocation(DebugLoc());
  SmallVector<Value *> values;
  auto read = [&](unsigned argument, unsigned offset) {
    for (unsigned i = 0; i < 3; ++i)
      values.push_back(b.CreateAlignedLoad(
          b.getInt32Ty(),
          b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), thread.getArg(argument),
                                       offset + 4 * i),
          Align(4)));
  };
  read(ThreadArgument, 0);
  read(BlockArgument, 0);
  read(LaunchArgument, offsetof(image::CpuLaunch, block));
  read(LaunchArgument, offsetof(image::CpuLaunch, grid));
  return values;
}

/// Whether \p value is only computed from what \p function is called with: its
/// arguments, what the arguments of an entry point to, and of a procedure the
/// record.
bool isGiven(const Value *value, const Function &function) {
  if (auto *argument = dyn_cast<Argument>(value))
    return argument->getParent() == &function;
  auto *instruction = dyn_cast<Instruction>(value);
  if (auto *load = dyn_cast_or_null<LoadInst>(instruction)) {
    auto *base = dyn_cast<Argument>(
        load->getPointerOperand()->stripInBoundsConstantOffsets());
    return base && (function.hasFnAttribute(EntryAttribute) ||
                    base->getArgNo() + 1 == function.arg_size());
  }
  return isa_and_nonnull<BinaryOperator, CastInst, GetElementPtrInst>(
             instruction) &&
         any_of(instruction->operands(), [&](const Value *operand) {
           return isGiven(operand, function);
         });
}

/// Whether a debugger misses nothing if it does not stop at \p instruction.
bool computesOnly(const Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return isa<IntrinsicInst>(call) && !call->mayWriteToMemory();
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
  return !instruction.mayWriteToMemory();
}

/// Where \p function keeps its arguments and the predefined variables.
SmallPtrSet<const Value *, 16> placesOfArguments(Function &function) {
  SmallPtrSet<const Value *, 16> places;
  for (DbgVariableRecord *record : declarations(function))
    if (record->getVariable()->getArg() ||
        record->getVariable()->isArtificial())
      places.insert(record->getAddress());
  return places;
}

/// Debuggers stop behind the code of the first line that a function has. What
/// brings arguments to their places and describes arrays, of which \p described
/// comes last, has no line, and so belongs to the line of the function.
void placePrologue(Function &function, const Instruction *described) {
  const DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return;
  BasicBlock &head = function.getEntryBlock();
  while (BasicBlock *next = head.getSingleSuccessor())
    if (next == &head || !MergeBlockIntoPredecessor(next))
      break;
  const auto first = find_if_not(head, computesOnly);
  const bool describes =
      described && described->getParent() == &head &&
      (first == head.end() || described->comesBefore(&*first));
  const auto places = placesOfArguments(function);
  auto isOfStatement = [&](const Instruction &instruction) {
    const unsigned line =
        instruction.getDebugLoc() ? instruction.getDebugLoc().getLine() : 0;
    return line && line != subprogram->getScopeLine();
  };
  for (Instruction &instruction : head) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    auto *place =
        store ? getUnderlyingObject(store->getPointerOperand()) : nullptr;
    const bool brings =
        store
            ? isa<AllocaInst>(place) &&
                  isGiven(store->getValueOperand(), function) &&
                  (places.contains(place) || !isOfStatement(instruction))
            : isa<AllocaInst, GetElementPtrInst>(instruction) ||
                  (isGiven(&instruction, function) &&
                   (isa<LoadInst>(instruction) || !isOfStatement(instruction)));
    if (!brings && !(describes && !described->comesBefore(&instruction)))
      return;
    instruction.setDebugLoc(DebugLoc());
  }
}

/// Types that a procedure declares belong to it. Where a function was copied
/// and the copy is what runs, they belong to that: of a procedure that does not
/// run debuggers read nothing.
void placeTypes(Module &module) {
  StringMap<DISubprogram *> running;
  for (Function &function : module)
    if (DISubprogram *subprogram = function.getSubprogram();
        subprogram && !function.isDeclaration())
      running.try_emplace(subprogram->getLinkageName(), subprogram);
  DebugInfoFinder finder;
  finder.processModule(module);
  for (DIType *type : finder.types()) {
    auto *scope = dyn_cast_or_null<DILocalScope>(type->getScope());
    DISubprogram *procedure = scope ? scope->getSubprogram() : nullptr;
    if (!procedure)
      continue;
    constexpr unsigned scopeOperand = 1; // DIScope::getScope()
    DISubprogram *now = running.lookup(procedure->getLinkageName());
    if (now && now != procedure)
      type->replaceOperandWith(scopeOperand, now);
  }
}

/// gdb skips what stands before a function's first statement if it takes the
/// compiler for LLVM's, which it knows by this word alone.
void nameCompiler(Module &module) {
  for (DICompileUnit *unit : module.debug_compile_units())
    if (constexpr StringRef word = "clang ";
        !unit->getProducer().starts_with(word))
      unit->replaceOperandWith(
          1, MDString::get(module.getContext(),
                           (word + "and " + unit->getProducer()).str()));
}

} // namespace

Error runForDebugger(Module &module, const CpuOptions &options) {
  if (!options.debug)
    return Error::success();
  for (Function *kernel : kernels(module))
    if (!kernel->hasFnAttribute(FibersAttribute))
      kernel->addFnAttr(FibersAttribute, "-g");
  return Error::success();
}

/// Nobody debugs the language's own headers.
static bool isOfLanguage(const DISubprogram &subprogram) {
  StringRef file = subprogram.getFilename();
  return file.starts_with("/usr/") || file.contains("/include/cufort/");
}

bool staysForDebugger(const Function &function) {
  return hasVariables(function.getSubprogram()) &&
         !function.hasFnAttribute(Attribute::AlwaysInline) &&
         !isOfLanguage(*function.getSubprogram());
}

void placeAtCallers(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    for (DbgVariableRecord &record :
         make_early_inc_range(filterDbgVars(instruction.getDbgRecordRange())))
      if (record.getDebugLoc()->getInlinedAt() &&
          isOfLanguage(*record.getVariable()->getScope()->getSubprogram()))
        record.eraseFromParent();
    const DILocation *place = instruction.getDebugLoc().get();
    while (place && place->getInlinedAt() &&
           isOfLanguage(*place->getScope()->getSubprogram()))
      place = place->getInlinedAt();
    if (place != instruction.getDebugLoc().get())
      instruction.setDebugLoc(place);
  }
}

void moveDescriptions(Function &function, Value &old, Value &now) {
  for (DbgVariableRecord *record : declarations(function))
    if (record->getAddress() == &old)
      record->replaceVariableLocationOp(0u, &now);
}

void describeShared(const GlobalVariable &variable, Value &place,
                    Instruction &at) {
  DISubprogram *subprogram = at.getFunction()->getSubprogram();
  if (!hasVariables(subprogram))
    return;
  SmallVector<DIGlobalVariableExpression *> described;
  variable.getDebugInfo(described);
  for (DIGlobalVariableExpression *each : described) {
    DIGlobalVariable *global = each->getVariable();
    auto *scope = dyn_cast_or_null<DILocalScope>(global->getScope());
    if (scope && scope->getSubprogram() != subprogram)
      continue;
    auto *local = DILocalVariable::get(
        at.getContext(), scope ? scope : subprogram, global->getName(),
        global->getFile(), global->getLine(), global->getType(), /*Arg=*/0,
        DINode::FlagZero, /*AlignInBits=*/0, nullptr);
    declare(place, *local, at);
  }
}

void describePredefined(Function &function, ArrayRef<Value *> registers,
                        Instruction &at) {
  DISubprogram *subprogram = function.getSubprogram();
  if (!hasVariables(subprogram))
    return;
  StringSet<> known;
  for (DbgVariableRecord *record : declarations(function))
    if (record->getVariable()->getScope()->getSubprogram() == subprogram)
      known.insert(record->getVariable()->getName().lower());
  IRBuilder<> b(&at);
  b.SetCurrentDebugLocation(DebugLoc());
  for (auto [number, name] : enumerate(PredefinedNames)) {
    if (known.contains(name.lower()))
      continue;
    IRBuilder<> first(&*function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *place =
        first.CreateAlloca(ArrayType::get(b.getInt32Ty(), 3), nullptr, name);
    for (unsigned i = 0; i < 3; ++i) {
      Value *value = registers[3 * number + i];
      if (const uint32_t least = firstIndex(*subprogram);
          least && name.ends_with("Idx"))
        value = b.CreateAdd(value, b.getInt32(least));
      b.CreateStore(value, b.CreateConstInBoundsGEP2_32(
                               place->getAllocatedType(), place, 0, i));
    }
    declare(*place,
            *predefinedVariable(*subprogram, number, *function.getParent()),
            at);
  }
}

/// Debuggers read names from symbols, and know nothing of Clang's additions.
static void nameProcedures(Module &module) {
  for (Function &function : module)
    if (DISubprogram *subprogram = function.getSubprogram())
      if (StringRef name = subprogram->getLinkageName(),
          own = withoutUnit(name);
          own != name)
        subprogram->replaceRawLinkageName(
            MDString::get(module.getContext(), own));
}

static void keepInMemory(Module &module) {
  for (Function *thread : entries(module, "thread")) {
    Instruction &end = *endOfPrologue(*thread);
    describePredefined(*thread, registersOf(*thread, end), end);
  }
  DenseMap<const Function *, const Instruction *> described;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    described[&function] = describeArrays(function);
    keepAddresses(function);
  }
  for (Function &function : module)
    if (!function.isDeclaration())
      placePrologue(function, described.lookup(&function));
}

Error keepVariables(Module &module, const CpuOptions &options) {
  if (!options.describe)
    return Error::success();
  if (options.debug)
    keepInMemory(module);
  else
    for (Function *entry : entries(module, "block"))
      noteUniform(*entry);
  nameCompiler(module);
  placeTypes(module);
  nameProcedures(module);
  rewriteGlobalDescriptions(module);
  return Error::success();
}

void nameDebuggerScript(Module &module, StringRef script) {
  constexpr char PythonFile = 1;
  Constant *entry = ConstantDataArray::getString(
      module.getContext(), std::string(1, PythonFile) + script.str());
  auto *variable = new GlobalVariable(
      module, entry->getType(), /*isConstant=*/true,
      GlobalValue::LinkOnceODRLinkage, entry, "__cufort_debug_gdb_scripts");
  variable->setSection(".debug_gdb_scripts");
  variable->setAlignment(Align(1));
  variable->setVisibility(GlobalValue::HiddenVisibility);
  appendToUsed(module, {variable});
}

} // namespace cufort::cpu
