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
#include "compiler/check/HostAccesses.h"
#include "compiler/check/HostPlaces.h"
#include "compiler/common/DebugAddresses.h"
#include "compiler/fortran/FrontEnd.h"
#include "compiler/fortran/HostObject.h"
#include "compiler/fortran/checks/CheckDeviceData.h"
#include "compiler/fortran/checks/CheckStatements.h"
#include "compiler/fortran/checks/CheckTransfers.h"
#include "compiler/fortran/checks/NeedsCuda.h"
#include "compiler/fortran/dialect/AcceptDialect.h"
#include "compiler/fortran/dialect/AddressArguments.h"
#include "compiler/fortran/dialect/CudaAttributes.h"
#include "compiler/fortran/dialect/DefinedAssignments.h"
#include "compiler/fortran/dialect/ImpliedTargets.h"
#include "compiler/fortran/dialect/IntegerConditions.h"
#include "compiler/fortran/dialect/RepairParseTree.h"
#include "compiler/fortran/dialect/StandardForms.h"
#include "compiler/fortran/dialect/Textures.h"
#include "compiler/fortran/loops/RepairDirectives.h"
#include "compiler/fortran/loops/RepairKernelLoops.h"
#include "compiler/fortran/modules/LibraryNames.h"
#include "compiler/fortran/modules/LocalNames.h"
#include "compiler/fortran/modules/ModuleConstants.h"
#include "compiler/fortran/modules/ModuleFiles.h"
#include "compiler/fortran/modules/OwnBlasNames.h"
#include "compiler/fortran/modules/ScanModules.h"
#include "compiler/fortran/modules/SharedBindings.h"
#include "compiler/fortran/replaced/Replaced.h"
#include "compiler/lower/Lower.h"
#include "compiler/lower/PassGroups.h"
#include "flang/Frontend/CompilerInstance.h"
#include "flang/Frontend/CompilerInvocation.h"
#include "flang/Frontend/FrontendActions.h"
#include "flang/Frontend/TextDiagnosticBuffer.h"
#include "flang/FrontendTool/Utils.h"
#include "flang/Parser/parsing.h"
#include "flang/Semantics/semantics.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include <optional>

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
  CompileAction(const FortranJob &job, bool &refused)
      : CodeGenAction(BackendActionTy::Backend_EmitObj), job(job),
        refused(refused) {}

  bool succeeded() const { return finished; }

  /// Whether CUDA is off and a module that the source uses wants it on.
  bool wantsCuda() const { return needsCuda; }

private:
  bool beginSourceFileAction() override {
    llvmCtx = std::make_unique<llvm::LLVMContext>();
    mlirCtx = std::make_unique<mlir::MLIRContext>();
    loadDialects(*mlirCtx);
    if (!runPrescan() || !checkText())
      return false;
    repairDirectives(getInstance().getParsing().cooked());
    const AttributeStatements statements =
        readAttributeStatements(getInstance().getParsing());
    // Each analysis takes what has been said of the text with it.
    Fortran::parser::Messages &messages = getInstance().getParsing().messages();
    Fortran::parser::Messages ofText;
    ofText.Copy(messages);
    std::optional<KernelLoopRepair> kernelLoops;
    // What is not standard is known from the errors of an analysis.
    for (int rounds = 0;; ++rounds) {
      kernelLoops.emplace();
      if (rounds > 0)
        messages.Copy(ofText);
      if (!parse(statements, *kernelLoops))
        return false;
      AnalysedInstance analysed(getInstance());
      if (performSemantics())
        break;
      if (rounds == MostRounds ||
          !forms.find(*getInstance().getParsing().parseTree(),
                      getInstance().getSemanticsContext())) {
        reportFatalSemanticErrors();
        return false;
      }
    }
    if (!checkSemantics())
      return false;
    kernelLoops->afterSemantics();
    // CUDA's rules are checked when it is lowered, too.
    if (job.kind == FortranJob::SyntaxOnly && !isCuda())
      return finished = !groups.anyFailed();
    if (!generateRtTypeTables())
      return false;
    forgetModuleConstants(getInstance().getSemanticsContext());
    joinSharedBindings(getInstance().getSemanticsContext());
    mlir::SourceMgrDiagnosticHandler diagnostics(sources, mlirCtx.get(),
                                                 llvm::errs());
    mlirModule = lowerToHlfir(getInstance(), *mlirCtx, groups);
    if (mlirModule)
      kernelLoops->afterLowering(getInstance().getAllCookedSources(),
                                 *mlirModule);
    return static_cast<bool>(mlirModule);
  }

  /// What can be said before the source is parsed.
  bool checkText() {
    Fortran::parser::Parsing &parsing = getInstance().getParsing();
    if (isEnabled(Fortran::common::LanguageFeature::OpenACC) &&
        !checkNoOpenACC(parsing)) {
      // Nothing else: its directives are part of the text.
    } else if (isCuda()) {
      acceptDialectText(parsing);
      if (checkStatements(parsing))
        return true;
    } else {
      needsCuda = usesCudaModule(parsing, moduleFileFolders());
      if (needsCuda)
        return false;
      if (checkCudaIsOff(parsing))
        return true;
    }
    parsing.messages().Emit(llvm::errs(), getInstance().getAllCookedSources());
    return false;
  }

  std::vector<std::string> moduleFileFolders() {
    CompilerInvocation &invocation = getInstance().getInvocation();
    std::vector<std::string> folders = {invocation.getModuleDir(), "."};
    for (const std::vector<std::string> &more :
         {invocation.getFortranOpts().searchDirectories,
          invocation.getPreprocessorOpts().searchDirectoriesFromDashI})
      folders.insert(folders.end(), more.begin(), more.end());
    return folders;
  }

  /// To the parse tree that semantics gets.
  bool parse(const AttributeStatements &statements,
             KernelLoopRepair &kernelLoops) {
    if (!runParse(/*emitMessages=*/false))
      return false;
    Fortran::parser::Parsing &parsing = getInstance().getParsing();
    Fortran::parser::Program &program = *parsing.parseTree();
    forms.replace(program, parsing.messages());
    textures = Textures();
    textures.makeDeviceData(program);
    const std::vector<std::string> &moduleFolders =
        getInstance()
            .getInvocation()
            .getFortranOpts()
            .intrinsicModuleDirectories;
    if (isCuda())
      acceptDialect(parsing, job.managedAllocatables, moduleFolders);
    hideOwnBlasNames(program, moduleFolders);
    repairCudaAttributes(program, statements);
    repairParseTree(program);
    separateLocalNames(program, moduleFolders);
    kernelLoops.beforeSemantics(program, parsing.messages());
    return true;
  }

  bool isCuda() { return isEnabled(Fortran::common::LanguageFeature::CUDA); }

  bool isEnabled(Fortran::common::LanguageFeature feature) {
    return getInstance().getInvocation().getFrontendOpts().features.IsEnabled(
        feature);
  }

  /// Semantics, which writes the module files too. Says nothing; false if there
  /// are errors.
  bool performSemantics() {
    CompilerInstance &instance = getInstance();
    Fortran::semantics::SemanticsContext &context =
        instance.createNewSemanticsContext();
    context.messages().Annex(std::move(instance.getParsing().messages()));
    context.set_debugModuleWriter(instance.getInvocation().getDebugModuleDir());
    instance.setSemantics(std::make_unique<Fortran::semantics::Semantics>(
        context, *instance.getParsing().parseTree()));
    instance.getSemantics().set_hermeticModuleFileOutput(
        instance.getInvocation().getHermeticModuleFileOutput());
    instance.getSemantics().Perform();
    return !instance.getSemantics().AnyFatalError();
  }

  /// What Flang's semantics leaves open.
  bool checkSemantics() {
    CompilerInstance &instance = getInstance();
    AnalysedInstance analysed(instance);
    instance.getSemantics().EmitMessages(instance.getSemaOutputStream());
    if (!repairModuleFiles(instance.getSemanticsContext(), textures))
      return false;
    Fortran::parser::Program &program = *instance.getParsing().parseTree();
    addImpliedTargets(program, instance.getSemanticsContext());
    Fortran::parser::Messages messages;
    passAddresses(program, instance.getSemanticsContext(), messages);
    if (!messages.empty()) {
      // Nothing that could be lowered.
      messages.Emit(llvm::errs(), instance.getAllCookedSources());
      return false;
    }
    compareIntegerConditions(program, instance.getSemanticsContext());
    if (!isCuda())
      return true;
    passDeviceOperands(program, instance.getSemanticsContext());
    checkTransfers(program, instance.getSemanticsContext(), messages);
    checkLibraryNames(program, instance.getSemanticsContext(), messages);
    checkDeviceData(program, instance.getSemanticsContext(), messages);
    textures.check(program, instance.getSemanticsContext(), messages);
    // Before the output: this adds the notes on what to do.
    if (messages.AnyFatalError())
      noteErrors(messages);
    messages.Emit(llvm::errs(), instance.getAllCookedSources());
    return true;
  }

  /// The lowering goes on for the sake of its own.
  void noteErrors(Fortran::parser::Messages &messages) {
    Fortran::parser::AllCookedSources &cooked =
        getInstance().getAllCookedSources();
    refused = true;
    for (const Fortran::parser::Message &message : messages.messages()) {
      auto range = message.GetProvenanceRange(cooked);
      auto place = range && message.IsFatal()
                       ? cooked.allSources().GetSourcePosition(range->start())
                       : std::nullopt;
      if (place)
        groups.noteError(*place->path, place->line);
    }
  }

  void executeAction() override {
    if (finished)
      return;
    CompilerInstance &instance = getInstance();
    // Our own diagnostics show the source line and a caret, as Flang's do.
    mlir::SourceMgrDiagnosticHandler diagnostics(sources, mlirCtx.get(),
                                                 llvm::errs());
    saveStage(job, ".hlfir",
              [&](llvm::raw_ostream &os) { mlirModule->print(os); });
    std::unique_ptr<llvm::Module> device;
    bool cuda = isCuda();
    if (cuda) {
      if (job.listKernelLoops)
        (*mlirModule)
            ->setAttr(lower::ReportAttribute,
                      mlir::UnitAttr::get(mlirCtx.get()));
      if (job.check.any())
        (*mlirModule)
            ->setAttr(lower::CheckAttribute,
                      mlir::UnitAttr::get(mlirCtx.get()));
      if (job.debugDevice)
        (*mlirModule)
            ->setAttr(lower::DebugAttribute,
                      mlir::UnitAttr::get(mlirCtx.get()));
      if (job.describeDevice)
        (*mlirModule)
            ->setAttr(lower::DescribeAttribute,
                      mlir::UnitAttr::get(mlirCtx.get()));
      device = lower::lower(*mlirModule, deviceContext, groups);
    }
    if (groups.anyFailed())
      return;
    if (job.kind == FortranJob::SyntaxOnly) {
      finished = true;
      return;
    }
    saveStage(job, ".host.fir",
              [&](llvm::raw_ostream &os) { mlirModule->print(os); });
    generateLLVMIR();
    if (!llvmModule || instance.getDiagnostics().hasErrorOccurred())
      return;
    lower::allowUnsignedOverflow(*llvmModule);
    if (cuda && job.debugDevice)
      for (llvm::Function &function : *llvmModule)
        keepAddresses(function);
    if (device)
      lower::registerDeviceCode(*llvmModule, *device);
    if (job.check.any())
      check::noteHostPlaces(*llvmModule);
    if (job.check.race)
      check::noteHostAccesses(*llvmModule);
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

  /// How often a program is analysed once more for what is not standard.
  static constexpr int MostRounds = 10;

  StandardForms forms;
  Textures textures;
  llvm::SourceMgr sources;
  const FortranJob &job;
  bool &refused;
  llvm::LLVMContext deviceContext;
  lower::PassGroups groups{job.passes};
  bool needsCuda = false;
  bool finished = false;
};

/// Reads the source as far as its statements are known.
class ScanAction : public PrescanAction {
public:
  explicit ScanAction(SourceModules &modules) : modules(modules) {}

private:
  void executeAction() override {
    modules = scanModules(getInstance().getParsing());
  }

  SourceModules &modules;
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

/// Compiles \p job; \p wantsCuda becomes whether that has been left because
/// CUDA is off.
static bool compileOnce(const FortranJob &job, const char *argv0,
                        bool &wantsCuda, bool &refused) {
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
  if (job.kind == FortranJob::ModuleScan) {
    ScanAction action(*job.modules);
    return instance.executeAction(action) &&
           !instance.getDiagnostics().hasErrorOccurred();
  }
  if (job.managedAllocatables)
    instance.getInvocation().getFrontendOpts().features.Enable(
        Fortran::common::LanguageFeature::CudaManaged);
  CompileAction action(job, refused);
  const bool succeeded = instance.executeAction(action) && action.succeeded();
  wantsCuda = action.wantsCuda();
  if (succeeded && job.modules)
    *job.modules = scanModules(instance.getParsing());
  return succeeded;
}

static bool compile(const FortranJob &job, const char *argv0, bool &refused) {
  bool wantsCuda = false;
  const bool succeeded = compileOnce(job, argv0, wantsCuda, refused);
  if (!wantsCuda)
    return succeeded;
  // As with -cuda.
  FortranJob cuda = job;
  cuda.frontendArgs.insert(cuda.frontendArgs.end(), {"-x", "cuda", "-D_CUDA"});
  return compileOnce(cuda, argv0, wantsCuda, refused);
}

/// Flang reports a construct that it cannot lower by ending the process; the
/// message is the diagnostic.
static void reportFatal(void *refused, const char *reason, bool) {
  // After a diagnostic, which says more.
  if (!*static_cast<bool *>(refused) && llvm::StringRef(reason) != "aborting")
    llvm::errs() << "cufort: error: " << reason << "\n";
}

bool compileFortran(const FortranJob &job, const char *argv0) {
  // A defect in the front end must not look like anything else, and must not
  // take the other files of the call with it.
  llvm::CrashRecoveryContext::Enable();
  // What has been refused and is lowered for the sake of other errors may be
  // too much for the lowering.
  bool refused = false, succeeded = false;
  llvm::ScopedFatalErrorHandler fatal(reportFatal, &refused);
  llvm::CrashRecoveryContext recovery;
  if (!recovery.RunSafely([&] { succeeded = compile(job, argv0, refused); })) {
    if (!refused)
      llvm::errs() << "cufort: error: the compiler failed on '" << job.input
                   << "'; please report this with the source file\n";
    succeeded = false;
  }
  if (!succeeded && job.output != "-")
    llvm::sys::fs::remove(job.output);
  return succeeded;
}

} // namespace cufort
