//===- LinkDevice.cpp - all device code of a program in one module --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/LinkDevice.h"
#include "compiler/common/DeviceArchitecture.h"
#include "compiler/common/SourceLocation.h"
#include "compiler/common/SymbolName.h"
#include "compiler/link/CallForms.h"
#include "compiler/link/DeviceLaunches.h"
#include "compiler/link/KernelLayout.h"
#include "compiler/link/RoundingModes.h"
#include "compiler/link/ThreadState.h"
#include "image/OwnName.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;
using namespace llvm::object;
using namespace cufort;

bool cufort::isDeviceVariable(const GlobalVariable &variable) {
  constexpr unsigned Global = 1, Constant = 4;
  unsigned space = variable.getAddressSpace();
  return !variable.isDeclaration() && variable.hasExternalLinkage() &&
         (space == Global || space == Constant);
}

namespace {

/// The device code of one source file.
struct DeviceFile {
  std::string name; ///< for messages
  std::unique_ptr<Module> module;
};

class DeviceLinker {
  const ImageJob &job;
  LLVMContext &context;
  std::unique_ptr<Module> program;
  /// Which file has defined a symbol, and its form where it is a procedure.
  struct Definition {
    std::string file;
    CallForm form;
    bool isCxx;
  };
  StringMap<Definition> definitions;
  StringMap<Definition> declarations;
  /// Procedures and variables that several files of C++ define, each its own,
  /// and the second of these files.
  StringMap<std::string> repeated;

public:
  DeviceLinker(const ImageJob &job, LLVMContext &context)
      : job(job), context(context) {}

  Expected<std::vector<DeviceFile>> extract(const HostObject &object) {
    SmallVector<OffloadFile> binaries;
    if (Error failure = extractOffloadBinaries(
            object.object->getMemoryBufferRef(), binaries))
      return createStringError(
          "'" + object.name +
          "': its device code cannot be read: " + toString(std::move(failure)));
    std::vector<DeviceFile> files;
    for (const OffloadFile &file : binaries) {
      const OffloadBinary &binary = *file.getBinary();
      if (!Triple(binary.getTriple()).isNVPTX())
        continue;
      if (binary.getImageKind() != IMG_Bitcode)
        return createStringError(
            "'" + object.name +
            "': its device code is not LLVM bitcode but of "
            "the kind '" +
            getImageKindName(binary.getImageKind()) +
            "', which cannot be linked");
      auto source = job.sourceOfObject.find(object.path);
      std::string name =
          source == job.sourceOfObject.end() ? object.name : source->second;
      auto module =
          parseBitcodeFile(MemoryBufferRef(binary.getImage(), name), context);
      if (!module)
        return createStringError("'" + name +
                                 "': its device code is not bitcode of this "
                                 "version of LLVM: " +
                                 toString(module.takeError()));
      files.push_back({name, std::move(*module)});
    }
    return files;
  }

  Error link(DeviceFile file) {
    if (Error failure = checkClashes(file))
      return failure;
    std::string problem;
    context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo *info, void *text) {
          if (info->getSeverity() != DS_Error)
            return;
          raw_string_ostream stream(*static_cast<std::string *>(text));
          DiagnosticPrinterRawOStream printer(stream);
          info->print(printer);
        },
        &problem);
    bool failed = false;
    if (!program) {
      program = std::move(file.module);
      program->setModuleIdentifier(job.programName);
    } else {
      failed = Linker::linkModules(*program, std::move(file.module));
    }
    context.setDiagnosticHandlerCallBack(nullptr);
    if (failed)
      return createStringError("cannot link the device code of '" + file.name +
                               "': " + problem);
    return Error::success();
  }

  /// The symbols that are used and not defined: functions and variables, but
  /// not dynamic shared memory, which has no definition.
  StringSet<> undefined() const {
    StringSet<> names;
    constexpr unsigned Shared = 3;
    if (program)
      for (const GlobalValue &value : program->global_values())
        if (value.isDeclaration() && !value.use_empty() &&
            value.getAddressSpace() != Shared &&
            !value.getName().starts_with("llvm.") &&
            !value.getName().starts_with("__nv_"))
          names.insert(value.getName());
    return names;
  }

  /// Members of archives that the host does not need but device code does.
  Error linkMissing(std::vector<HostObject> &members) {
    std::vector<std::vector<DeviceFile>> left;
    if (undefined().empty())
      return Error::success();
    for (const HostObject &member : members) {
      auto files = extract(member);
      if (!files)
        return files.takeError();
      left.push_back(std::move(*files));
    }
    for (bool changed = true; changed;) {
      changed = false;
      StringSet<> missing = undefined();
      for (std::vector<DeviceFile> &files : left) {
        bool wanted = any_of(files, [&](const DeviceFile &file) {
          return any_of(
              file.module->global_values(), [&](const GlobalValue &value) {
                return !value.isDeclaration() && !value.hasLocalLinkage() &&
                       missing.contains(value.getName());
              });
        });
        if (!wanted)
          continue;
        for (DeviceFile &file : files)
          if (Error failure = link(std::move(file)))
            return failure;
        files.clear();
        changed = true;
      }
    }
    return Error::success();
  }

  /// Flang says of calls of input and output that they touch what their
  /// arguments point to and nothing else. That is true of its own library on
  /// the host, which keeps its state to itself; ours reaches records through
  /// the statement.
  static void forgetMemoryEffects(Function &callee) {
    for (User *user : callee.users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledOperand() == &callee)
        call->removeFnAttr(Attribute::Memory);
  }

  void nameLaunchedKernels() { cufort::nameLaunchedKernels(*program); }

  /// What Fortran's own procedures need on a device.
  Error linkLibrary() {
    std::string path = job.deviceFolder + "/fortran.bc";
    if (undefined().empty() || !sys::fs::exists(path))
      return Error::success();
    auto buffer = MemoryBuffer::getFile(path);
    if (!buffer)
      return createStringError("cannot read '" + path +
                               "': " + buffer.getError().message());
    auto library = parseBitcodeFile(**buffer, context);
    if (!library)
      return createStringError("'" + path + "' is no LLVM bitcode: " +
                               toString(library.takeError()));
    (*library)->setTargetTriple(program->getTargetTriple());
    (*library)->setDataLayout(program->getDataLayout());
    for (Function &function : **library) {
      // What differs from the program's own functions would keep LLVM from
      // inlining.
      for (StringRef attribute :
           {"target-cpu", "target-features", "no-builtins"})
        function.removeFnAttr(attribute);
      Function *wanted = program->getFunction(function.getName());
      if (wanted)
        forgetMemoryEffects(*wanted);
      if (wanted && !function.isDeclaration() && wanted->isDeclaration() &&
          wanted->getFunctionType() != function.getFunctionType())
        return createStringError("the device library's '" + function.getName() +
                                 "' has other arguments than the program "
                                 "calls it with");
    }
    if (Linker::linkModules(*program, std::move(*library),
                            Linker::LinkOnlyNeeded))
      return createStringError("cannot link '" + path + "'");
    return Error::success();
  }

  Error placeState() { return placeThreadState(*program); }

  /// Flang does not say so: code that contains what the lanes of a warp or the
  /// threads of a block do together must not become dependent on more
  /// conditions.
  void markConvergent() {
    auto isConvergent = [](const Instruction &instruction) {
      auto *call = dyn_cast<CallBase>(&instruction);
      return call && call->isConvergent();
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (Function &function : *program)
        if (!function.isConvergent() &&
            any_of(instructions(function), isConvergent)) {
          function.setConvergent();
          changed = true;
        }
    }
  }

  /// Variables that several files may define, which templates, inline
  /// variables, static members of class templates and Fortran's with BIND(C)
  /// are: there is one now, and the host knows it by its name. Tables of
  /// virtual functions are not initialised from outside.
  void keepSharedVariables() {
    for (GlobalVariable &variable : program->globals())
      if (!variable.isDeclaration() && variable.isExternallyInitialized() &&
          (variable.hasLinkOnceLinkage() || variable.hasWeakLinkage())) {
        variable.setLinkage(GlobalValue::ExternalLinkage);
        variable.setComdat(nullptr);
      }
  }

  std::unique_ptr<Module> finish() {
    placeRounding(*program);
    markConvergent();
    keepSharedVariables();
    internalizeModule(*program, [](const GlobalValue &value) {
      if (const auto *function = dyn_cast<Function>(&value))
        return function->getCallingConv() == CallingConv::PTX_Kernel;
      const auto *variable = dyn_cast<GlobalVariable>(&value);
      return variable && isDeviceVariable(*variable);
    });
    ModuleAnalysisManager analyses;
    PassBuilder builder;
    builder.registerModuleAnalyses(analyses);
    FunctionAnalysisManager functions;
    builder.registerFunctionAnalyses(functions);
    analyses.registerPass(
        [&] { return FunctionAnalysisManagerModuleProxy(functions); });
    GlobalDCEPass().run(*program, analyses);
    return std::move(program);
  }

  bool empty() const { return !program; }

private:
  /// What tells the variables of \p module from those of other files.
  static std::string takeUnit(Module &module) {
    NamedMDNode *unit = module.getNamedMetadata(UnitMetadata);
    if (!unit)
      return "";
    std::string digits =
        cast<MDString>(unit->getOperand(0)->getOperand(0))->getString().str();
    unit->eraseFromParent();
    return digits;
  }

  Error checkClashes(const DeviceFile &file) {
    const bool isCxx = file.module->getModuleFlag(ArchitectureFlag);
    const std::string unit = takeUnit(*file.module);
    SmallVector<GlobalValue *> renamed;
    SmallVector<std::pair<Function *, CallForm>> converted;
    for (GlobalValue &value : file.module->global_values()) {
      if (value.hasLocalLinkage() || value.isDiscardableIfUnused() ||
          value.isWeakForLinker() || value.getName().starts_with("llvm."))
        continue;
      auto *function = dyn_cast<Function>(&value);
      CallForm form = callForm(value);
      auto known = definitions.find(value.getName());
      auto declared = declarations.find(value.getName());
      if (value.isDeclaration()) {
        if (value.use_empty() || (function && function->isIntrinsic()))
          continue;
        const auto &one = known != definitions.end() ? known : declared;
        const bool isKnown = known != definitions.end();
        if (function && (isKnown || declared != declarations.end()) &&
            !isSameForm(one->second.form, form)) {
          if (canConvert(one->second.form, form))
            converted.push_back({function, one->second.form});
          else if (isKnown)
            return mismatch(locationOfUse(*function), value.getName(),
                            file.name, known->second.file);
        }
        if (auto also = repeated.find(value.getName()); also != repeated.end())
          return clash("", value.getName(), known->second.file, also->second);
        declarations.try_emplace(value.getName(),
                                 Definition{file.name, form, isCxx});
        continue;
      }
      if (known != definitions.end()) {
        // As nvcc has it without -rdc=true: a procedure or variable of device
        // code belongs to its file, and headers may define it in several.
        const bool isOwn = isCxx && known->second.isCxx;
        if (!function && isOwn && unit.empty())
          return clash("", value.getName(), known->second.file, file.name,
                       "; a variable of one file alone is 'static'");
        if (!isOwn || (function && isKernel(*function)) ||
            declared != declarations.end())
          return clash(function ? locationOf(*function) : "", value.getName(),
                       known->second.file, file.name);
        repeated.try_emplace(value.getName(), file.name);
        if (!function) {
          renamed.push_back(&value);
          value.setName(image::ownName(value.getName().str(), unit));
          continue;
        }
        function->setComdat(nullptr);
        function->setLinkage(GlobalValue::InternalLinkage);
        continue;
      }
      if (function && declared != declarations.end() &&
          !isSameForm(declared->second.form, form)) {
        if (!canConvert(declared->second.form, form))
          return mismatch(locationOf(*function), value.getName(),
                          declared->second.file, file.name);
        form = declared->second.form;
        converted.push_back({function, form});
      }
      definitions.try_emplace(value.getName(),
                              Definition{file.name, form, isCxx});
    }
    for (const auto &[function, form] : converted)
      convertTo(*function, form);
    return separateUsers(renamed, file.name);
  }

  /// Functions that all files have in common otherwise, inline ones and those
  /// of templates, are the file's own if they come to \p variables of its own.
  Error separateUsers(ArrayRef<GlobalValue *> variables,
                      const std::string &file) const {
    SmallVector<Value *> work(variables.begin(), variables.end());
    SmallPtrSet<Value *, 16> seen;
    while (!work.empty())
      for (User *user : work.pop_back_val()->users()) {
        Value *next = user;
        if (auto *instruction = dyn_cast<Instruction>(user))
          next = instruction->getFunction();
        if (!seen.insert(next).second)
          continue;
        work.push_back(next);
        auto *function = dyn_cast<Function>(next);
        if (!function || !function->isWeakForLinker())
          continue;
        if (isKernel(*function)) {
          const Function *known = program->getFunction(function->getName());
          if (!known || known->isDeclaration())
            continue;
          return createStringError(
              locationOf(*function) + "the kernel '" +
              userName(function->getName()) + "' of '" + file +
              "' is defined in another file as well, but each file has its own "
              "copy of device variables that it uses: compile the files with "
              "'-rdc=false'");
        }
        function->setComdat(nullptr);
        function->setLinkage(GlobalValue::InternalLinkage);
      }
    return Error::success();
  }

  static Error clash(const std::string &place, StringRef symbol,
                     const std::string &one, const std::string &other,
                     StringRef advice = "") {
    return createStringError(place + "device symbol '" + userName(symbol) +
                             "' is defined both in '" + one + "' and in '" +
                             other + "'" + advice);
  }

  static Error mismatch(const std::string &place, StringRef symbol,
                        const std::string &caller, const std::string &definer) {
    return createStringError(place + "device code in '" + caller + "' calls '" +
                             userName(symbol) +
                             "' with other arguments than those with which '" +
                             definer + "' defines it");
  }
};

} // namespace

Expected<std::unique_ptr<Module>> cufort::linkDevice(HostObjects &objects,
                                                     const ImageJob &job,
                                                     LLVMContext &context) {
  DeviceLinker linker(job, context);
  for (const HostObject &object : objects.taken()) {
    if (!object.hasDeviceCode)
      continue;
    auto files = linker.extract(object);
    if (!files)
      return files.takeError();
    for (DeviceFile &file : *files)
      if (Error failure = linker.link(std::move(file)))
        return std::move(failure);
  }
  if (linker.empty())
    return nullptr;
  if (Error failure = linker.linkMissing(objects.left()))
    return std::move(failure);
  linker.nameLaunchedKernels();
  if (Error failure = linker.linkLibrary())
    return std::move(failure);
  if (Error failure = linker.placeState())
    return std::move(failure);
  return linker.finish();
}
