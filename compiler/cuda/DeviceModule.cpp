//===- DeviceModule.cpp - Clang's device code as the engines want it ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/DeviceModule.h"
#include "compiler/common/AtomicScope.h"
#include "compiler/common/DeviceArchitecture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

/// Clang renames a static variable when it sees that host code uses it, so that
/// the variable can be linked across files, but not where device code before
/// that has used it already.
static void joinStaticVariables(Module &device) {
  for (GlobalVariable &renamed : device.globals()) {
    auto [name, unit] = renamed.getName().split("__static__");
    if (unit.empty() || renamed.isDeclaration())
      continue;
    GlobalVariable *used = device.getNamedGlobal(name);
    if (used && used->isDeclaration() &&
        used->getAddressSpace() == renamed.getAddressSpace())
      used->replaceAllUsesWith(&renamed);
  }
}

/// Under a toolkit's headers threadIdx and the others are Clang's, which no
/// file defines. A conversion ("dim3 extent = gridDim") takes their address all
/// the same, and reads nothing there.
static void defineBuiltInVariables(Module &device) {
  for (GlobalVariable &variable : device.globals()) {
    auto *type = dyn_cast<StructType>(variable.getValueType());
    if (!variable.isDeclaration() || !type || type->isLiteral() ||
        !type->getName().starts_with("struct.__cuda_builtin_"))
      continue;
    variable.setInitializer(Constant::getNullValue(type));
    variable.setLinkage(GlobalValue::InternalLinkage);
  }
}

/// "2,2,1": what __cluster_dims__ was given, or "" where \p arguments are none.
static std::string clusterDimensions(const Value *arguments) {
  auto *list = dyn_cast<GlobalVariable>(arguments->stripPointerCasts());
  auto *numbers = list && list->hasInitializer()
                      ? dyn_cast<ConstantStruct>(list->getInitializer())
                      : nullptr;
  if (!numbers || numbers->getNumOperands() > 3)
    return "";
  std::string text;
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t extent = 1;
    if (i < numbers->getNumOperands()) {
      auto *number = dyn_cast<ConstantInt>(numbers->getOperand(i));
      if (!number)
        return "";
      extent = number->getZExtValue();
    }
    text += (i ? "," : "") + std::to_string(extent);
  }
  return text;
}

static void setScope(Function &function, StringRef scope) {
  SyncScope::ID id = function.getContext().getOrInsertSyncScopeID(scope);
  for (Instruction &instruction : instructions(function))
    if (instruction.isAtomic())
      setAtomicSyncScopeID(&instruction, id);
}

/// Clang hands no scope on for NVIDIA's GPUs: what it makes is for all threads
/// of the system. Gives the atomic operations of \p function the scope that
/// \p arguments has, in the numbers of Clang's builtins.
static void narrowAtomics(Function &function, const Value *arguments) {
  enum : uint64_t { Device = 1, Block = 2, Thread = 4 };
  auto *list = dyn_cast<GlobalVariable>(arguments->stripPointerCasts());
  auto *number = list && list->hasInitializer()
                     ? dyn_cast_or_null<ConstantInt>(
                           list->getInitializer()->getAggregateElement(0u))
                     : nullptr;
  if (!number)
    return;
  const uint64_t scope = number->getZExtValue();
  setScope(function, scope == Device                     ? "device"
                     : scope == Block || scope == Thread ? "block"
                                                         : "");
}

/// What a toolkit's headers call atomicAdd calls a wrapper of Clang's, which
/// asks for the strongest order and the widest scope. CUDA's functions have
/// neither; those of a block and of the system are others.
static void relaxWrappers(Module &device) {
  static const Regex wrapper("^_ZL[0-9]+__(i|u|f|d|ll|ull|ill|us)Atomic"
                             "(Add|And|CAS|Dec|Exch|Inc|Max|Min|Or|Xor)P");
  for (Function &function : device) {
    if (wrapper.match(function.getName()))
      setScope(function, cufort::RelaxedScope);
  }
}

/// Reads the annotations of functions (include/crt/host_defines.h): kernels
/// with __cluster_dims__ get the attribute that both engines read, and atomic
/// operations their scope; no other annotation has a meaning for device code.
static void readAnnotations(Module &device) {
  GlobalVariable *list = device.getNamedGlobal("llvm.global.annotations");
  if (!list)
    return;
  constexpr unsigned Annotated = 0, Text = 1, Arguments = 4;
  for (const Use &each :
       cast<ConstantArray>(list->getInitializer())->operands()) {
    auto *annotation = cast<ConstantStruct>(each);
    auto *function = dyn_cast<Function>(
        annotation->getOperand(Annotated)->stripPointerCasts());
    auto *text = dyn_cast<GlobalVariable>(
        annotation->getOperand(Text)->stripPointerCasts());
    auto *data = text && text->hasInitializer()
                     ? dyn_cast<ConstantDataArray>(text->getInitializer())
                     : nullptr;
    if (!function || !data)
      continue;
    const Value *arguments = annotation->getOperand(Arguments);
    if (data->getAsCString() == "cufort.atomic_scope")
      narrowAtomics(*function, arguments);
    if (data->getAsCString() != "cufort.cluster_dims")
      continue;
    if (std::string dims = clusterDimensions(arguments); !dims.empty())
      function->addFnAttr("nvvm.cluster_dim", dims);
  }
  list->eraseFromParent();
}

/// What the file was compiled for ("sm_80", "sm_90a"), 0 without functions.
static unsigned architectureOf(const Module &device) {
  unsigned highest = 0;
  for (const Function &function : device) {
    StringRef name = function.getFnAttribute("target-cpu").getValueAsString();
    unsigned architecture = 0;
    if (name.consume_front("sm_") && !name.consumeInteger(10, architecture))
      highest = std::max(highest, architecture);
  }
  return highest;
}

/// Clang emits what only host code mentions in the order in which it lies in
/// memory, which another run of the compiler does not have.
static void orderVariables(Module &device) {
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &each : device.globals())
    if (each.isDiscardableIfUnused() && !each.hasPrivateLinkage())
      variables.push_back(&each);
  sort(variables, [](const GlobalVariable *a, const GlobalVariable *b) {
    return a->getName() < b->getName();
  });
  for (GlobalVariable *each : variables) {
    each->removeFromParent();
    device.insertGlobalVariable(each);
  }
}

void cufort::cuda::adaptDeviceModule(Module &device) {
  orderVariables(device);
  joinStaticVariables(device);
  defineBuiltInVariables(device);
  readAnnotations(device);
  relaxWrappers(device);
  const unsigned architecture = architectureOf(device);
  for (Function &function : device)
    for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu",
                                "frame-pointer", "stack-protector-buffer-size",
                                "no-trapping-math", "uniform-work-group-size"})
      function.removeFnAttr(attribute);
  // Clang takes everything for convergent that it does not know.
  for (Function &function : device)
    if (function.isDeclaration() &&
        (function.getName().starts_with("__nv_") ||
         is_contained({"malloc", "free", "vprintf", "__assertfail",
                       "cudaGraphSetConditional"},
                      function.getName())))
      function.removeFnAttr(Attribute::Convergent);
  // Kernels and variables are kept by what they are.
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *list = device.getNamedGlobal(name))
      list->eraseFromParent();
  // Flags of one front end that the other one's modules do not have, or have
  // with another value, would stop the device link.
  if (NamedMDNode *flags = device.getModuleFlagsMetadata()) {
    SmallVector<MDNode *> kept;
    for (MDNode *flag : flags->operands()) {
      auto *name = dyn_cast<MDString>(flag->getOperand(1));
      if (name && is_contained({"Debug Info Version", "Dwarf Version"},
                               name->getString()))
        kept.push_back(flag);
    }
    flags->clearOperands();
    for (MDNode *flag : kept)
      flags->addOperand(flag);
  }
  if (architecture)
    device.addModuleFlag(Module::Max, ArchitectureFlag, architecture);
}

/// Writes \p unit into the entry of \p shadow, if it has one.
static bool markEntry(GlobalVariable &shadow, uint64_t unit) {
  constexpr unsigned Size = 6, Data = 7;
  for (User *user : shadow.users()) {
    auto *entry = dyn_cast<ConstantStruct>(user);
    if (!entry || entry->getNumOperands() <= Data || !entry->hasOneUse() ||
        entry->getOperand(Size)->isNullValue())
      continue;
    auto *holder = dyn_cast<GlobalVariable>(*entry->user_begin());
    if (!holder || !holder->getSection().contains("offload_entries"))
      continue;
    SmallVector<Constant *> fields;
    for (Use &field : entry->operands())
      fields.push_back(cast<Constant>(field));
    fields[Data] = ConstantInt::get(fields[Data]->getType(), unit);
    holder->setInitializer(ConstantStruct::get(entry->getType(), fields));
    return true;
  }
  return false;
}

void cufort::cuda::separateShadows(Module &host, Module &device,
                                   StringRef unit) {
  const uint64_t number = unit.empty() ? 0 : xxh3_64bits(unit);
  bool anyMarked = false;
  for (const GlobalVariable &variable : device.globals()) {
    GlobalVariable *shadow = host.getNamedGlobal(variable.getName());
    if (!shadow || variable.isDeclaration() || shadow->isDeclaration() ||
        !shadow->hasExternalLinkage())
      continue;
    shadow->setLinkage(GlobalValue::WeakAnyLinkage);
    if (!number || !variable.hasExternalLinkage() ||
        !markEntry(*shadow, number))
      continue;
    // Other files find it by its name still, if it is the only one.
    std::string name = shadow->getName().str();
    shadow->setLinkage(GlobalValue::InternalLinkage);
    shadow->setName(name + ".own");
    GlobalAlias::create(shadow->getValueType(), shadow->getAddressSpace(),
                        GlobalValue::WeakAnyLinkage, name, shadow, &host);
    anyMarked = true;
  }
  if (!anyMarked)
    return;
  LLVMContext &context = device.getContext();
  device.getOrInsertNamedMetadata(UnitMetadata)
      ->addOperand(MDNode::get(
          context, MDString::get(context, utohexstr(number, true))));
}

bool cufort::cuda::hasDeviceCode(const Module &device) {
  return any_of(device.global_values(), [](const GlobalValue &value) {
    return !value.isDeclaration();
  });
}
