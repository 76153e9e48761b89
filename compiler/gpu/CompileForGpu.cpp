//===- CompileForGpu.cpp - device code to PTX -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The GPU engine: LLVM's pipeline and its NVPTX code generator, with the passes
// that the table in Pipeline.cpp puts before, into and behind them.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/CompileForGpu.h"
#include "compiler/common/RegisteredAnalyses.h"
#include "compiler/gpu/LlvmOptions.h"
#include "compiler/gpu/Pipeline.h"
#include "compiler/gpu/analysis/NeededGpu.h"
#include "compiler/gpu/lowering/LineInfo.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cufort;
using cufort::gpu::GpuPipeline;

static bool usesDynamicStack(const Module &module) {
  for (const Function &function : module) {
    if (function.getIntrinsicID() == Intrinsic::stacksave)
      return true;
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block)
        if (auto *variable = dyn_cast<AllocaInst>(&instruction);
            variable && !variable->isStaticAlloca())
          return true;
  }
  return false;
}

/// Whether addresses within shared, constant and private memory may take 32
/// bits. That an offset does not carry is then known without a look at the
/// index, and becomes part of the access. LLVM 22 cannot generate code with
/// that for procedures that take structures by value, of which large ones are
/// left (StructureArguments.h), or for stacks whose size is known at run time
/// only.
static bool canTakeShortPointers(const Module &module) {
  for (const Function &function : module) {
    if (function.getCallingConv() != CallingConv::PTX_Kernel &&
        any_of(function.args(),
               [](const Argument &each) { return each.hasByValAttr(); }))
      return false;
    for (const Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        for (unsigned n = 0; n != call->arg_size(); ++n)
          if (call->isByValArgument(n))
            return false;
  }
  return !usesDynamicStack(module);
}

static Expected<std::unique_ptr<TargetMachine>>
createTarget(const Module &module, const GpuOptions &options,
             bool shortPointers) {
  const Triple &triple = module.getTargetTriple();
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return createStringError("no code generator for the GPU: " + problem);
  TargetOptions settings;
  // Operations are contracted where they allow it: Flang's and Clang's do, the
  // math library's do not, whose error-free transformations would break.
  settings.AllowFPOpFusion = FPOpFusion::Standard;
  // LLVM takes the oldest PTX version that has the architecture, which is the
  // one that most drivers understand. Few instructions came later than the
  // oldest architecture.
  unsigned version = 0; // 73 is PTX 7.3; 0: that
  if (options.architecture < 75 && module.getFunction("llvm.nvvm.activemask"))
    version = std::max(version, 62u);
  if (options.architecture < 75 && module.getFunction("llvm.nvvm.nanosleep"))
    version = std::max(version, 63u);
  if (options.architecture < 75 &&
      any_of(
          module.functions(),
          [](const Function &function) {
            return function.getName().starts_with("llvm.nvvm.wmma.");
          }))
    version = std::max(version,
                       63u); // matrices of integers; those of half came before
  // Variables whose length is known at run time only, in BLOCK constructs and
  // as results of functions.
  if (options.architecture < 87 && usesDynamicStack(module))
    version = std::max(version, 73u);
  // Sections for debuggers have differences of labels.
  if (!options.optimise &&
      module.debug_compile_units_begin() != module.debug_compile_units_end())
    version = std::max(version, 75u);
  // Newer architectures have newer versions to begin with.
  version = std::max(version, neededGpu(module).ptxVersion);
  const std::string features = version > firstPtxVersion(options.architecture)
                                   ? "+ptx" + std::to_string(version)
                                   : "";
  LlvmOption<bool> pointers("nvptx-short-ptr", shortPointers);
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, "sm_" + std::to_string(options.architecture), features, settings,
      std::nullopt, std::nullopt,
      options.optimise ? CodeGenOptLevel::Aggressive : CodeGenOptLevel::None));
  if (!machine)
    return createStringError("no code generator for sm_" +
                             Twine(options.architecture));
  return machine;
}

namespace {
/// Several files may define a template's kernel, and LLVM infers nothing of
/// what a linker may replace: not even that a parameter is only read from. For
/// as long as this lives, such kernels are this program's alone, which they are
/// since its files have been linked.
class FinalKernels {
public:
  explicit FinalKernels(Module &module) {
    for (Function &function : module)
      if (function.getCallingConv() == CallingConv::PTX_Kernel &&
          function.hasWeakODRLinkage()) {
        function.setLinkage(GlobalValue::ExternalLinkage);
        kernels.push_back(&function);
      }
  }
  ~FinalKernels() {
    for (Function *kernel : kernels)
      kernel->setLinkage(GlobalValue::WeakODRLinkage);
  }
  FinalKernels(const FinalKernels &) = delete;
  FinalKernels &operator=(const FinalKernels &) = delete;

private:
  SmallVector<Function *> kernels;
};
} // namespace

/// In LLVM's costs of instructions.
static constexpr unsigned MostUnrolled = 1 << 16;

/// As many as a thread's registers could hold, and more. LLVM asks for each
/// load whether a loop's stores may change what it loads, 100 times.
static constexpr unsigned MostLoadsBeforeLoop = 1000;

/// Of a loop whose elements of private arrays become registers; LLVM's own
/// limit is 250. Three arrays of 16 elements that are loaded, added to and
/// copied in each iteration are 200.
static constexpr unsigned MostAccessesInLoop = 1000;

static void optimise(Module &module, TargetMachine &machine,
                     GpuPipeline &pipeline, bool fully) {
  RegisteredAnalyses analyses;
  // A thread is a lane already: what LLVM would gather in vectors of four
  // characters it has to take apart again.
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.LicmMssaOptCap = MostLoadsBeforeLoop;
  tuning.LicmMssaNoAccForPromotionCap = MostAccessesInLoop;
  // It copies what stands before a call into the predecessors, a
  // barrier as well, and threads of one warp would wait for each other at two.
  PassInstrumentationCallbacks instrumentation;
  instrumentation.registerShouldRunOptionalPassCallback(
      [](StringRef pass, const Any &) {
        return pass != "CallSiteSplittingPass";
      });
  PassBuilder builder(&machine, tuning, std::nullopt, &instrumentation);
  pipeline.addTo(builder);
  analyses.registerAnalyses(builder);
  // What the program wants unrolled, and we do, is.
  LlvmOption<unsigned> largest("pragma-unroll-threshold", MostUnrolled);
  // What two branches have in common stays in each: of a load from global
  // memory and one from shared memory it would make one from an address that is
  // chosen and generic.
  GivenLlvmOption sinking("sink-common-insts", "false");
  FinalKernels finalKernels(module);
  ModulePassManager passes =
      fully ? builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
            : builder.buildO0DefaultPipeline(OptimizationLevel::O0);
  passes.run(module, analyses.modules);
}

static Expected<std::string> generate(Module &module, TargetMachine &machine,
                                      GpuPipeline &pipeline) {
  // LLVM's default is to print the error and to end the process.
  std::string problem;
  LLVMContext &context = module.getContext();
  context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *info, void *text) {
        if (info->getSeverity() != DS_Error)
          return;
        raw_string_ostream stream(*static_cast<std::string *>(text));
        DiagnosticPrinterRawOStream printer(stream);
        info->print(printer);
      },
      &problem);
  SmallString<0> text;
  raw_svector_ostream stream(text);
  // It makes one count in bytes of a loop's counter and its addresses, and
  // ptxas, which overlaps the iterations of loops, no longer knows how many
  // there are.
  LlvmOption<bool> strengthReduction("disable-lsr", true);
  RegisterTargetPassConfigCallback ourPasses(
      [&](TargetMachine &, PassManagerBase &, TargetPassConfig *config) {
        if (machine.getOptLevel() != CodeGenOptLevel::None)
          pipeline.addTo(*config);
      });
  legacy::PassManager passes;
  bool impossible = machine.addPassesToEmitFile(passes, stream, nullptr,
                                                CodeGenFileType::AssemblyFile);
  if (!impossible)
    passes.run(module);
  context.setDiagnosticHandlerCallBack(nullptr);
  if (impossible || !problem.empty())
    return createStringError("LLVM cannot generate PTX for this program: " +
                             problem);
  if (Error failure = pipeline.takeError())
    return std::move(failure);
  return std::string(text.str());
}

static void showTimes(const GpuPipeline &pipeline, const GpuOptions &options) {
  if (options.passes.times)
    pipeline.showTimes();
}

Expected<std::unique_ptr<TargetMachine>>
cufort::createGpuTarget(const Module &module, const GpuOptions &options) {
  return createTarget(module, options, /*shortPointers=*/false);
}

Expected<std::unique_ptr<Module>>
cufort::optimiseForGpu(const Module &device, const GpuOptions &options) {
  std::unique_ptr<Module> module =
      options.optimise ? CloneModule(device) : copyForDebugger(device);
  auto machine = createGpuTarget(*module, options);
  if (!machine)
    return machine.takeError();
  module->setDataLayout((*machine)->createDataLayout());

  GpuPipeline pipeline(options, **machine);
  if (Error failure = pipeline.prepare(*module))
    return std::move(failure);
  optimise(*module, **machine, pipeline, options.optimise);
  if (Error failure = pipeline.takeError())
    return std::move(failure);
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(*module, &stream))
    return createStringError("the optimised device code is not valid: " +
                             problem);
  showTimes(pipeline, options);
  return module;
}

Expected<std::string> cufort::compileForGpu(const Module &device,
                                            const GpuOptions &options) {
  auto module = optimiseForGpu(device, options);
  if (!module)
    return module.takeError();
  auto machine = createTarget(
      **module, options, options.optimise && canTakeShortPointers(**module));
  if (!machine)
    return machine.takeError();
  (*module)->setDataLayout((*machine)->createDataLayout());
  GpuPipeline pipeline(options, **machine);
  auto ptx = generate(**module, **machine, pipeline);
  showTimes(pipeline, options);
  return ptx;
}
