//===- ModuleParts.cpp - parts of a module at the same time ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/ModuleParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cstdlib>
#include <mutex>

using namespace llvm;

namespace cufort {
namespace {

/// More parts than most machines have cores would only be on their way longer.
constexpr uint64_t MostParts = 32;

using Bitcode = SmallVector<char, 0>;

Bitcode bitcodeOf(const Module &module) {
  Bitcode bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  return bitcode;
}

std::unique_ptr<Module> read(const Bitcode &bitcode, LLVMContext &context) {
  return cantFail(getLazyBitcodeModule(
      MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), "part"),
      context));
}

/// Parts find each other's definitions by name: gives every internal one that
/// has none a name, and the rest of \p prefix. Returns the new names with what
/// their linkage was.
std::vector<std::pair<std::string, GlobalValue::LinkageTypes>>
shareLocals(Module &module, StringRef prefix) {
  std::vector<std::pair<std::string, GlobalValue::LinkageTypes>> locals;
  for (GlobalValue &value : module.global_values()) {
    if (!value.hasLocalLinkage())
      continue;
    GlobalValue::LinkageTypes before = value.getLinkage();
    if (value.hasName())
      value.setName(prefix + value.getName());
    else
      value.setName(prefix + "unnamed");
    value.setLinkage(GlobalValue::ExternalLinkage);
    value.setVisibility(GlobalValue::HiddenVisibility);
    locals.emplace_back(value.getName().str(), before);
  }
  return locals;
}

/// What is said in one context goes to another, by one thread at a time.
class Forwarded final : public DiagnosticHandler {
public:
  Forwarded(LLVMContext &to, std::mutex &mutex) : to(to), mutex(mutex) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    std::lock_guard<std::mutex> lock(mutex);
    to.diagnose(info);
    return true;
  }

private:
  LLVMContext &to;
  std::mutex &mutex;
};

/// Leaves of \p module the functions \p names alone, and of its variables the
/// content of constants, which LLVM may look at, or everything.
void reduceTo(Module &module, const StringSet<> &names, bool keepVariables) {
  for (Function &function : module) {
    if (names.contains(function.getName()))
      continue;
    function.setIsMaterializable(false);
    if (function.isDeclaration())
      continue;
    function.deleteBody();
    function.clearMetadata();
    function.setComdat(nullptr);
  }
  cantFail(module.materializeAll());
  if (keepVariables)
    return;
  // Debuggers are told of variables where these are defined.
  for (DICompileUnit *unit : module.debug_compile_units())
    unit->replaceGlobalVariables(MDTuple::get(module.getContext(), {}));
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    variable.eraseMetadata(LLVMContext::MD_dbg);
    if (variable.isDeclaration())
      continue;
    if (variable.hasAppendingLinkage()) {
      variable.eraseFromParent();
      continue;
    }
    variable.setComdat(nullptr);
    variable.setLinkage(GlobalValue::AvailableExternallyLinkage);
    if (variable.isConstant())
      continue;
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setInitializer(nullptr);
  }
}

/// Calls \p work for each of \p parts on threads of their own.
void onThreads(Module &module, ArrayRef<ModulePart> parts,
               bool firstHasVariables,
               function_ref<void(Module &, unsigned)> work) {
  const Bitcode whole = bitcodeOf(module);
  std::vector<StringSet<>> names(parts.size());
  for (auto [set, part] : zip(names, parts))
    for (Function *function : part)
      set.insert(function->getName());
  std::mutex mutex;
  std::atomic<bool> failed = false;
  DefaultThreadPool threads(hardware_concurrency(parts.size()));
  for (unsigned n = 0; n != parts.size(); ++n)
    threads.async([&, n] {
      CrashRecoveryContext recovery;
      bool done = recovery.RunSafely([&] {
        LLVMContext context;
        context.setDiagnosticHandler(
            std::make_unique<Forwarded>(module.getContext(), mutex));
        std::unique_ptr<Module> part = read(whole, context);
        reduceTo(*part, names[n], firstHasVariables && n == 0);
        work(*part, n);
      });
      if (!done)
        failed = true;
    });
  threads.wait();
  // Whoever recovers from what has happened in LLVM waits on this thread.
  if (failed)
    std::abort();
}

/// Puts the functions \p names of \p part in place of those in \p module.
void takeBack(Module &module, ArrayRef<std::string> names,
              const Bitcode &bitcode) {
  for (StringRef name : names) {
    Function *function = module.getFunction(name);
    function->deleteBody();
    function->clearMetadata();
  }
  auto part = cantFail(parseBitcodeFile(
      MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), "part"),
      module.getContext()));
  // What is said of the module as a whole it says itself.
  for (NamedMDNode &list : make_early_inc_range(part->named_metadata()))
    if (list.getName() != "llvm.dbg.cu")
      part->eraseNamedMetadata(&list);
  if (Linker::linkModules(module, std::move(part)))
    report_fatal_error("parts of a module do not fit together");
}

} // namespace

ModulePart definedFunctions(Module &module) {
  ModulePart functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  return functions;
}

std::vector<ModulePart> divide(ArrayRef<Function *> functions, uint64_t least) {
  uint64_t instructions = 0;
  for (Function *function : functions)
    instructions += function->getInstructionCount();
  const uint64_t enough = std::max(least, instructions / MostParts + 1);
  std::vector<ModulePart> parts(1);
  uint64_t inPart = 0;
  for (Function *function : functions) {
    if (inPart >= enough) {
      parts.emplace_back();
      inPart = 0;
    }
    parts.back().push_back(function);
    inPart += function->getInstructionCount();
  }
  return parts;
}

void rewriteParts(Module &module, ArrayRef<ModulePart> parts,
                  function_ref<void(Module &, unsigned)> work) {
  if (parts.size() < 2)
    return work(module, 0);
  const auto locals = shareLocals(module, "");
  std::vector<std::vector<std::string>> names(parts.size());
  for (auto [list, part] : zip(names, parts))
    for (Function *function : part)
      list.push_back(function->getName().str());
  std::vector<Bitcode> made(parts.size());
  onThreads(module, parts, /*firstHasVariables=*/false,
            [&](Module &part, unsigned number) {
              work(part, number);
              for (GlobalVariable &variable :
                   make_early_inc_range(part.globals())) {
                if (variable.hasAppendingLinkage()) {
                  variable.eraseFromParent();
                } else if (variable.hasAvailableExternallyLinkage()) {
                  variable.setLinkage(GlobalValue::ExternalLinkage);
                  variable.setInitializer(nullptr);
                }
              }
              made[number] = bitcodeOf(part);
            });
  for (auto [list, bitcode] : zip(names, made))
    takeBack(module, list, bitcode);
  for (const auto &[name, linkage] : locals)
    if (GlobalValue *value = module.getNamedValue(name))
      value->setLinkage(linkage);
  // Also those that work has done away with.
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

void emitParts(Module &module, ArrayRef<ModulePart> parts,
               function_ref<void(Module &, unsigned)> work) {
  if (parts.size() < 2)
    return work(module, 0);
  // The host's symbols may have the same names.
  shareLocals(module, "cufort.part.");
  onThreads(module, parts, /*firstHasVariables=*/true, work);
}

} // namespace cufort
