//===- CompileFortran.cpp - one Fortran source to one object file ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flang as a library. Its front end runs up to HLFIR; compiler/lower splits the
// module; Flang's code generation takes the host half to LLVM IR; HostObject
// makes the object file.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/CompileFortran.h"
#include "compiler/fortran/AcceptDialect.h"
#include "compiler/fortran/CheckDeviceData.h"
#include "compiler/fortran/CheckStatements.h"
#include "compiler/fortran/CheckTransfers.h"
#include "compiler/fortran/CudaAttributes.h"
#include "compiler/fortran/DefinedAssignments.h"
#include "compiler/fortran/FrontEnd.h"
#include "compiler/fortran/HostObject.h"
#include "compiler/fortran/ImpliedTargets.h"
#include "compiler/fortran/IntegerConditions.h"
#include "compiler/fortran/LocalNames.h"
#include "compiler/fortran/ModuleConstants.h"
#include "compiler/fortran/ModuleFiles.h"
#include "compiler/fortran/RepairDirectives.h"
#include "compiler/fortran/RepairKernelLoops.h"
#include "compiler/fortran/RepairParseTree.h"
#include "compiler/fortran/SharedBindings.h"
#include "compiler/fortran/Textures.h"
#include "compiler/fortran/replaced/Replaced.h"
#include "compiler/lower/Lower.h"
#include "flang/Frontend/CompilerInstance.h"
#include "flang/Frontend/CompilerInvocation.h"
#include "flang/Frontend/FrontendActions.h"
#include "flang/Frontend/TextDiagnosticBuffer.h"
#include "flang/FrontendTool/Utils.h"
#include "flang/Parser/parsing.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

using namespace Fortran::frontend;

namespace cufort {

/// Writes one stage of the pipeline for -save-temps.
template <typename Printer>
static void saveStage(const FortranJob &job, llvm::StringRef suffix,
                      Printer print) {
  if (job.saveTempsStem.empty())
    return;
  std::error_code error;
  llvm::raw_fd_ostream file(job.saveTempsStem + suffix.str(), error);
  if (error)
    llvm::errs() << "cufort: warning: cannot write '" << job.saveTempsStem
                 << suffix << "': " << error.message() << "\n";
  else
    print(file);
}

namespace {

/// Everything between the command's arguments and the finished file. The two
/// overridden steps are Flang's: one ends with HLFIR, the other starts there.
class CompileAction : public CodeGenAction {
public:
  explicit CompileAction(const FortranJob &job)
      : CodeGenAction(BackendActionTy::Backend_EmitObj), job(job) {}

  bool succeeded() const { return finished; }

private:
  bool beginSourceFileAction() override {
    llvmCtx = std::make_unique<llvm::LLVMContext>();
    mlirCtx = std::make_unique<mlir::MLIRContext>();
    loadDialects(*mlirCtx);
    if (!runPrescan())
      return false;
    const bool cuda = isCuda();
    if (cuda) {
      acceptDialectText(getInstance().getParsing());
      if (!checkStatements(getInstance().getParsing())) {
        getInstance().getParsing().messages().Emit(
            llvm::errs(), getInstance().getAllCookedSources());
        return false;
      }
    }
    repairDirectives(getInstance().getParsing().cooked());
    const AttributeStatements statements =
        readAttributeStatements(getInstance().getParsing());
    if (!runParse(/*emitMessages=*/false))
      return false;
    Fortran::parser::Program &program = *getInstance().getParsing().parseTree();
    textures.makeDeviceData(program);
    const std::vector<std::string> &moduleFolders =
        getInstance()
            .getInvocation()
            .getFortranOpts()
            .intrinsicModuleDirectories;
    if (cuda)
      acceptDialect(getInstance().getParsing(), job.managedAllocatables,
                    moduleFolders);
    repairCudaAttributes(program, statements);
    repairParseTree(program);
    separateLocalNames(program, moduleFolders);
    KernelLoopRepair kernelLoops;
    kernelLoops.beforeSemantics(program, getInstance().getParsing().messages());
    if (!analyse())
      return false;
    kernelLoops.afterSemantics();
    if (job.kind == FortranJob::SyntaxOnly)
      return finished = true;
    if (!generateRtTypeTables())
      return false;
    forgetModuleConstants(getInstance().getSemanticsContext());
    joinSharedBindings(getInstance().getSemanticsContext());
    mlir::SourceMgrDiagnosticHandler diagnostics(sources, mlirCtx.get(),
                                                 llvm::errs());
    mlirModule = lowerToHlfir(getInstance(), *mlirCtx);
    if (mlirModule)
      kernelLoops.afterLowering(getInstance().getAllCookedSources(),
                                *mlirModule);
    return static_cast<bool>(mlirModule);
  }

  bool isCuda() {
    return getInstance().getInvocation().getFrontendOpts().features.IsEnabled(
        Fortran::common::LanguageFeature::CUDA);
  }

  /// Semantics, which writes the module files too.
  bool analyse() {
    CompilerInstance &instance = getInstance();
    AnalysedInstance analysed(instance);
    if (!runSemanticChecks() ||
        !repairModuleFiles(instance.getSemanticsContext(), textures))
      return false;
    if (!isCuda())
      return true;
    Fortran::parser::Program &program = *instance.getParsing().parseTree();
    compareIntegerConditions(program, instance.getSemanticsContext());
    passDeviceOperands(program, instance.getSemanticsContext());
    addImpliedTargets(program, instance.getSemanticsContext());
    Fortran::parser::Messages messages;
    checkTransfers(program, instance.getSemanticsContext(), messages);
    checkDeviceData(program, instance.getSemanticsContext(), messages);
    textures.check(program, instance.getSemanticsContext(), messages);
    // Before the output: this adds the notes on what to do.
    const bool failed = messages.AnyFatalError();
    messages.Emit(llvm::errs(), instance.getAllCookedSources());
    return !failed;
  }

  void executeAction() override {
    if (finished)
      return;
    CompilerInstance &instance = getInstance();
    // Our own diagnostics show the source line and a caret, as Flang's do.
    mlir::SourceMgrDiagnosticHandler diagnostics(sources, mlirCtx.get(),
                                                 llvm::errs());
    bool failed = false;
    saveStage(job, ".hlfir",
              [&](llvm::raw_ostream &os) { mlirModule->print(os); });
    std::unique_ptr<llvm::Module> device;
    bool cuda = isCuda();
    if (cuda) {
      if (job.listKernelLoops)
        (*mlirModule)
            ->setAttr(lower::ReportAttribute,
                      mlir::UnitAttr::get(mlirCtx.get()));
      device = lower::lower(*mlirModule, deviceContext, failed);
      if (failed)
        return;
    }
    saveStage(job, ".host.fir",
              [&](llvm::raw_ostream &os) { mlirModule->print(os); });
    generateLLVMIR();
    if (!llvmModule || instance.getDiagnostics().hasErrorOccurred())
      return;
    if (device)
      lower::registerDeviceCode(*llvmModule, *device);
    optimiseHostCode(*llvmModule, instance.getTargetMachine(), job.optLevel);
    if (cuda)
      lower::noteLaunchShapes(*llvmModule, device, deviceContext);
    if (device) {
      saveStage(job, ".device.ll",
                [&](llvm::raw_ostream &os) { device->print(os, nullptr); });
      lower::embedDeviceCode(*llvmModule, *device);
    }
    finished = writeHostCode(*llvmModule, instance.getTargetMachine(), job);
  }

  Textures textures;
  llvm::SourceMgr sources;
  const FortranJob &job;
  llvm::LLVMContext deviceContext;
  bool finished = false;
};

} // namespace

/// The arguments of `flang -fc1` for \p job, without the action.
static std::vector<std::string> frontendArguments(const FortranJob &job) {
  std::vector<std::string> arguments = job.frontendArgs;
  arguments.push_back("-O" + std::to_string(job.optLevel));
  if (job.kind == FortranJob::Preprocessed) {
    arguments.push_back("-E");
    arguments.push_back("-o");
    arguments.push_back(job.output);
  } else {
    arguments.push_back("-emit-obj");
  }
  arguments.push_back(job.input);
  return arguments;
}

static bool createInvocation(CompilerInstance &instance,
                             const std::vector<std::string> &arguments,
                             const char *argv0) {
  std::vector<const char *> pointers;
  pointers.reserve(arguments.size());
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  auto *buffer = new TextDiagnosticBuffer;
  clang::DiagnosticOptions options;
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options,
                                       buffer);
  bool created = CompilerInvocation::createFromArgs(
      instance.getInvocation(), pointers, diagnostics, argv0);
  buffer->flushDiagnostics(instance.getDiagnostics());
  return created && !instance.getDiagnostics().hasErrorOccurred();
}

static bool compile(const FortranJob &job, const char *argv0) {
  CompilerInstance instance;
  instance.createDiagnostics();
  if (!instance.hasDiagnostics() ||
      !createInvocation(instance, frontendArguments(job), argv0))
    return false;
  if (job.kind == FortranJob::Preprocessed) {
    bool succeeded = executeCompilerInvocation(&instance);
    instance.clearOutputFiles(/*EraseFiles=*/!succeeded);
    return succeeded;
  }
  if (job.managedAllocatables)
    instance.getInvocation().getFrontendOpts().features.Enable(
        Fortran::common::LanguageFeature::CudaManaged);
  CompileAction action(job);
  return instance.executeAction(action) && action.succeeded();
}

/// Flang reports a construct that it cannot lower by ending the process; the
/// message is the diagnostic.
static void reportFatal(void *, const char *reason, bool) {
  llvm::errs() << "cufort: error: " << reason << "\n";
}

bool compileFortran(const FortranJob &job, const char *argv0) {
  // A defect in the front end must not look like anything else, and must not
  // take the other files of the call with it.
  llvm::CrashRecoveryContext::Enable();
  llvm::ScopedFatalErrorHandler fatal(reportFatal);
  bool succeeded = false;
  llvm::CrashRecoveryContext recovery;
  if (!recovery.RunSafely([&] { succeeded = compile(job, argv0); })) {
    llvm::errs() << "cufort: error: the compiler failed on '" << job.input
                 << "'; please report this with the source file\n";
    succeeded = false;
  }
  if (!succeeded && job.output != "-")
    llvm::sys::fs::remove(job.output);
  return succeeded;
}

} // namespace cufort
