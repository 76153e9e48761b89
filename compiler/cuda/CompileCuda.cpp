//===- CompileCuda.cpp - one CUDA C++, C++ or C source to one object ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang as a library, twice: for the device up to LLVM IR as Clang writes it,
// and for the host to the end, with the device's bitcode put between
// optimisation and code generation.
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/CompileCuda.h"
#include "compiler/check/HostAccesses.h"
#include "compiler/check/HostPlaces.h"
#include "compiler/cuda/BuiltInVariables.h"
#include "compiler/cuda/DeviceModule.h"
#include "compiler/cuda/LaunchShapes.h"
#include "compiler/cuda/LaunchStubs.h"
#include "compiler/cuda/ManagedVariables.h"
#include "compiler/cuda/SharedAlignment.h"
#include "compiler/cuda/TextureReferences.h"
#include "compiler/cuda/checks/DeviceRules.h"
#include "compiler/cuda/checks/MissingHeaders.h"
#include "compiler/cuda/checks/NvccWarnings.h"
#include "compiler/cuda/checks/OnceDiagnostics.h"
#include "compiler/cuda/checks/PtxRules.h"
#include "compiler/cuda/source/DeclarationAttributes.h"
#include "compiler/cuda/source/DefinitionAttributes.h"
#include "compiler/cuda/source/LaunchBrackets.h"
#include "compiler/cuda/source/LaunchLists.h"
#include "compiler/cuda/source/SharedQualifiers.h"
#include "compiler/lower/Lower.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/CodeGen/BackendUtil.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <optional>

using namespace clang;
using cufort::cuda::OnceDiagnostics;

namespace {

/// One run of Clang's front end, and what has to live as long as it.
class Frontend {
public:
  CompilerInstance instance;

  /// False after diagnostics.
  bool prepare(const std::vector<std::string> &arguments, const char *argv0,
               llvm::StringSet<> &said) {
    std::vector<const char *> pointers;
    pointers.reserve(arguments.size());
    for (const std::string &argument : arguments)
      pointers.push_back(argument.c_str());
    DiagnosticOptions options;
    TextDiagnosticBuffer buffer;
    DiagnosticsEngine early(DiagnosticIDs::create(), options, &buffer,
                            /*ShouldOwnClient=*/false);
    bool created = CompilerInvocation::CreateFromArgs(instance.getInvocation(),
                                                      pointers, early, argv0);
    instance.createVirtualFileSystem();
    instance.createDiagnostics(
        new OnceDiagnostics(instance.getDiagnosticOpts(), said));
    buffer.FlushDiagnostics(instance.getDiagnostics());
    return created && !instance.getDiagnostics().hasErrorOccurred();
  }

  bool run(FrontendAction &action) {
    return instance.ExecuteAction(action) &&
           !instance.getDiagnostics().hasErrorOccurred();
  }
};

constexpr std::array Forms = {&cufort::cuda::LaunchBrackets,
                              &cufort::cuda::LaunchLists,
                              &cufort::cuda::SharedQualifiers};

/// What Clang does with a source, and what it does not know: rules, and which
/// variables are managed.
template <typename Action> class Checked : public Action {
public:
  using Action::Action;
  llvm::StringSet<> managedElsewhere;

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &instance,
                                                 StringRef file) override {
    std::unique_ptr<ASTConsumer> consumer =
        Action::CreateASTConsumer(instance, file);
    if (!consumer || !instance.getLangOpts().CUDA)
      return consumer;
    consumer = cufort::cuda::attributeMembers(std::move(consumer),
                                              instance.getPreprocessor());
    return cufort::cuda::alignSharedArrays(std::move(consumer));
  }

  void ExecuteAction() override {
    CompilerInstance &instance = this->getCompilerInstance();
    instance.getCodeGenOpts().ClearASTBeforeBackend = false;
    cufort::cuda::nameMissingHeaders(instance);
    if (instance.getLangOpts().CUDA) {
      cufort::cuda::editSources(instance, Forms);
      cufort::cuda::allowAsNvcc(instance);
      cufort::cuda::attributeDefinitions(instance);
    }
    Action::ExecuteAction();
    if (instance.getDiagnostics().hasErrorOccurred())
      return;
    cufort::cuda::checkDeviceRules(instance);
    if (instance.getLangOpts().CUDA)
      managedElsewhere = cufort::cuda::managedElsewhere(instance);
  }
};

/// The device's run: its module, and what its inline PTX asks for.
class DeviceRun : public Checked<EmitLLVMOnlyAction> {
public:
  DeviceRun(llvm::LLVMContext &context, unsigned architecture, bool isNamed)
      : Checked(&context), architecture(architecture), isNamed(isNamed) {}

  std::unique_ptr<llvm::Module> module;
  unsigned neededArchitecture = 0; ///< to compile for again, or 0

protected:
  void EndSourceFileAction() override {
    Checked::EndSourceFileAction();
    module = takeModule();
    if (module)
      neededArchitecture = cufort::cuda::checkInlinePtx(
          getCompilerInstance(), *module, architecture, isNamed);
  }

private:
  const unsigned architecture;
  const bool isNamed;
};

/// "sm_80" among \p arguments, and what is behind "sm_" as a number.
std::pair<std::string *, unsigned>
findArchitecture(std::vector<std::string> &arguments) {
  for (size_t i = 0; i + 1 < arguments.size(); ++i) {
    StringRef name = arguments[i + 1];
    unsigned number = 0;
    if (arguments[i] == "-target-cpu" && name.consume_front("sm_") &&
        !name.consumeInteger(10, number))
      return {&arguments[i + 1], number};
  }
  return {nullptr, 0};
}

class Compilation {
public:
  Compilation(const cufort::CudaJob &job, const char *argv0)
      : job(job), argv0(argv0) {}

  bool run() {
    if (job.kind == cufort::CudaJob::Preprocessed)
      return preprocess();
    if (job.kind == cufort::CudaJob::Dependencies)
      return collectDependencies();
    if (job.kind == cufort::CudaJob::SyntaxOnly) {
      bool device = job.deviceArguments.empty() || check(job.deviceArguments);
      return check(job.hostArguments) && device;
    }
    if (!job.deviceArguments.empty() && !compileDevice())
      return false;
    return compileHost();
  }

private:
  using Output = cufort::CudaJob::Output;

  std::vector<std::string> forFile(const std::vector<std::string> &arguments) {
    std::vector<std::string> all = arguments;
    all.push_back(job.input);
    return all;
  }

  /// What Clang's driver calls the file, with its options, in both runs.
  StringRef unit() {
    for (StringRef each : job.deviceArguments)
      if (each.consume_front("-cuid="))
        return each;
    return "";
  }

  bool preprocess() {
    std::vector<std::string> arguments = forFile(job.hostArguments);
    arguments.insert(arguments.end(), {"-o", job.output});
    Frontend frontend;
    PrintPreprocessedAction action;
    if (!frontend.prepare(arguments, argv0, said))
      return false;
    // The arguments are those of a compilation; without this it is the macros
    // that are printed.
    frontend.instance.getPreprocessorOutputOpts().ShowCPP = true;
    return frontend.run(action);
  }

  bool collectDependencies() {
    Frontend frontend;
    PreprocessOnlyAction action;
    return frontend.prepare(forFile(job.hostArguments), argv0, said) &&
           frontend.run(action);
  }

  bool check(const std::vector<std::string> &arguments) {
    Frontend frontend;
    Checked<SyntaxOnlyAction> action;
    return frontend.prepare(forFile(arguments), argv0, said) &&
           frontend.run(action);
  }

  bool compileDevice() {
    std::vector<std::string> arguments = forFile(job.deviceArguments);
    auto [name, architecture] = findArchitecture(arguments);
    for (unsigned needed = architecture; needed;) {
      architecture = needed;
      *name = "sm_" + std::to_string(architecture);
      device.reset();
      Frontend frontend;
      DeviceRun action(deviceContext, architecture, job.namesArchitecture);
      if (!frontend.prepare(arguments, argv0, said))
        return false;
      // Reports have the names of private arrays.
      if (job.check.any())
        frontend.instance.getCodeGenOpts().DiscardValueNames = false;
      if (!frontend.run(action))
        return false;
      device = std::move(action.module);
      needed = action.neededArchitecture;
    }
    if (!device)
      return false;
    cufort::cuda::markManagedVariables(*device);
    cufort::cuda::adaptDeviceModule(*device);
    cufort::cuda::readBuiltInVariables(*device);
    cufort::cuda::lowerReferences(*device, unit());
    if (!cufort::cuda::hasDeviceCode(*device))
      device.reset();
    return true;
  }

  bool compileHost() {
    Frontend frontend;
    Checked<EmitLLVMOnlyAction> action(&hostContext);
    if (!frontend.prepare(forFile(job.hostArguments), argv0, said))
      return false;
    // Optimisation waits until managed variables are where they belong.
    CodeGenOptions &options = frontend.instance.getCodeGenOpts();
    const bool optimise = !options.DisableLLVMPasses;
    options.DisableLLVMPasses = true;
    if (!frontend.run(action))
      return false;
    std::unique_ptr<llvm::Module> host = action.takeModule();
    if (!host ||
        !cufort::cuda::useManagedVariables(*host, action.managedElsewhere))
      return false;
    if (job.check.any())
      cufort::check::noteHostPlaces(*host);
    if (job.check.race)
      cufort::check::noteHostAccesses(*host);
    if (optimise)
      generate(frontend.instance, *host, Backend_EmitNothing, nullptr, true);
    if (!cufort::cuda::leavesBuiltInVariables(*host))
      return false;
    cufort::cuda::joinLaunchStubs(*host);
    cufort::cuda::nameReferences(*host, unit());
    save(*host, ".host.ll");
    if (device) {
      cufort::cuda::separateShadows(*host, *device,
                                    job.sharesVariables ? "" : unit());
      cufort::cuda::noteLaunchShapes(*host, *device);
      save(*device, ".device.ll");
      cufort::lower::embedDeviceCode(*host, *device);
    }
    return write(frontend.instance, *host);
  }

  void generate(CompilerInstance &instance, llvm::Module &host,
                BackendAction action,
                std::unique_ptr<llvm::raw_pwrite_stream> output,
                bool optimise) {
    CodeGenOptions options = instance.getCodeGenOpts();
    options.DisableLLVMPasses = !optimise;
    emitBackendOutput(instance, options,
                      instance.getTarget().getDataLayoutString(), &host, action,
                      instance.getVirtualFileSystemPtr(), std::move(output));
  }

  /// Generates code for the optimised module \p host.
  bool write(CompilerInstance &instance, llvm::Module &host) {
    auto action = job.kind == Output::Assembly  ? Backend_EmitAssembly
                  : job.kind == Output::LlvmIr  ? Backend_EmitLL
                  : job.kind == Output::Bitcode ? Backend_EmitBC
                                                : Backend_EmitObj;
    std::error_code error;
    auto file = std::make_unique<llvm::raw_fd_ostream>(job.output, error);
    if (error) {
      llvm::errs() << "cufort: error: cannot write '" << job.output
                   << "': " << error.message() << "\n";
      return false;
    }
    generate(instance, host, action, std::move(file), false);
    return !instance.getDiagnostics().hasErrorOccurred();
  }

  void save(const llvm::Module &module, llvm::StringRef suffix) {
    if (job.saveTempsStem.empty())
      return;
    std::error_code error;
    llvm::raw_fd_ostream file(job.saveTempsStem + suffix.str(), error);
    if (error)
      llvm::errs() << "cufort: warning: cannot write '" << job.saveTempsStem
                   << suffix << "': " << error.message() << "\n";
    else
      module.print(file, nullptr);
  }

  const cufort::CudaJob &job;
  const char *argv0;
  llvm::StringSet<> said;
  // The modules are destroyed before their contexts.
  llvm::LLVMContext deviceContext, hostContext;
  std::unique_ptr<llvm::Module> device;
};

} // namespace

bool cufort::compileCuda(const CudaJob &job, const char *argv0) {
  llvm::CrashRecoveryContext::Enable();
  bool succeeded = false;
  llvm::CrashRecoveryContext recovery;
  if (!recovery.RunSafely([&] { succeeded = Compilation(job, argv0).run(); })) {
    llvm::errs() << "cufort: error: the compiler failed on '" << job.input
                 << "'; please report this with the source file\n";
    succeeded = false;
  }
  if (!succeeded && job.output != "-")
    llvm::sys::fs::remove(job.output);
  return succeeded;
}
