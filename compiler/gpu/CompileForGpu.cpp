//===- CompileForGpu.cpp - device code to PTX -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The GPU engine's pipeline, in order:
//
//   attributes   the options as attributes of the functions
//   pure         functions that virtual ones without a body stand for
//   masks        nameActiveLanes (ActiveMasks.h)
//   math         lowerMathIntrinsics (LowerMath.h), linkDeviceMath
//                (DeviceMath.h)
//   values       settleIndeterminateValues (compiler/common)
//   debug        debug information reduced to what was asked for
//   arrays       alignPrivateArrays (PrivateArrays.h)
//   optimise     LLVM's own pipeline with the NVPTX target's additions, and
//                with the passes of this room that its first lines list; what
//                each needs and leaves is said in its header
//   generate     LLVM's NVPTX code generator with
//                createConditionalAddressesPass (ConditionalAddresses.h),
//                createWideIndicesPass (ExtensionRematerialization.h) and
//                createTestedIndicesPass (TestedIndices.h) before it selects
//                instructions, createSignedFieldsPass (SignedFields.h) after
//                it has, createSymbolAddressesPass (SymbolAddresses.h)
//                and createLateConditionsPass (CompareRematerialization.h)
//                after it has made one of equal ones, and createLoopLayoutPass
//                (LoopLayout.h) after it has placed the blocks
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/CompileForGpu.h"
#include "compiler/common/IndeterminateValues.h"
#include "compiler/gpu/LlvmOptions.h"
#include "compiler/gpu/addressing/AddressHoisting.h"
#include "compiler/gpu/addressing/BaseAddresses.h"
#include "compiler/gpu/addressing/ConditionalAddresses.h"
#include "compiler/gpu/addressing/ConstantAddresses.h"
#include "compiler/gpu/addressing/ExtensionRematerialization.h"
#include "compiler/gpu/addressing/IndexReassociation.h"
#include "compiler/gpu/addressing/LoadOrder.h"
#include "compiler/gpu/addressing/NarrowIndices.h"
#include "compiler/gpu/addressing/PairedLoads.h"
#include "compiler/gpu/addressing/RowAddresses.h"
#include "compiler/gpu/addressing/TestedIndices.h"
#include "compiler/gpu/addressing/ThreadIndices.h"
#include "compiler/gpu/addressing/TileAddresses.h"
#include "compiler/gpu/analysis/NeededGpu.h"
#include "compiler/gpu/controlflow/BranchImpliedValues.h"
#include "compiler/gpu/controlflow/ConditionPhis.h"
#include "compiler/gpu/controlflow/DivisionSinking.h"
#include "compiler/gpu/controlflow/EqualitySums.h"
#include "compiler/gpu/controlflow/ExitMerging.h"
#include "compiler/gpu/controlflow/IfConversion.h"
#include "compiler/gpu/controlflow/JumpThreading.h"
#include "compiler/gpu/controlflow/StoreSinking.h"
#include "compiler/gpu/controlflow/SwitchLowering.h"
#include "compiler/gpu/loops/BarrierUnrolling.h"
#include "compiler/gpu/loops/ExitTests.h"
#include "compiler/gpu/loops/GridStrides.h"
#include "compiler/gpu/loops/InvariantSinking.h"
#include "compiler/gpu/loops/LoadPrefetching.h"
#include "compiler/gpu/loops/NegatedStarts.h"
#include "compiler/gpu/loops/PopulationCounts.h"
#include "compiler/gpu/loops/PredictiveCommoning.h"
#include "compiler/gpu/loops/ShiftedLimits.h"
#include "compiler/gpu/loops/StrengthReduction.h"
#include "compiler/gpu/loops/UniformUnswitching.h"
#include "compiler/gpu/loops/Unrolling.h"
#include "compiler/gpu/loops/WideReductions.h"
#include "compiler/gpu/lowering/ActiveMasks.h"
#include "compiler/gpu/lowering/AddressSpaces.h"
#include "compiler/gpu/lowering/AtomicOrderings.h"
#include "compiler/gpu/lowering/ConstantTables.h"
#include "compiler/gpu/lowering/DeviceMath.h"
#include "compiler/gpu/lowering/LineInfo.h"
#include "compiler/gpu/lowering/LowerMath.h"
#include "compiler/gpu/lowering/MathCalls.h"
#include "compiler/gpu/lowering/MatrixAddressSpaces.h"
#include "compiler/gpu/lowering/MemoryCopies.h"
#include "compiler/gpu/lowering/PrivateArrays.h"
#include "compiler/gpu/lowering/ReadOnlyParameters.h"
#include "compiler/gpu/lowering/RegisterBounds.h"
#include "compiler/gpu/lowering/StructureArguments.h"
#include "compiler/gpu/machine/CompareRematerialization.h"
#include "compiler/gpu/machine/LoopLayout.h"
#include "compiler/gpu/machine/SignedFields.h"
#include "compiler/gpu/machine/SymbolAddresses.h"
#include "compiler/gpu/peephole/AbsoluteDifferences.h"
#include "compiler/gpu/peephole/ByteConversions.h"
#include "compiler/gpu/peephole/DisjointSums.h"
#include "compiler/gpu/peephole/FusedProducts.h"
#include "compiler/gpu/peephole/MathConstants.h"
#include "compiler/gpu/peephole/Remainders.h"
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

/// Hands the options down to the functions, where the passes look for them.
static void applyOptions(Module &module, const GpuOptions &options) {
  if (options.flushDenormals)
    module.addModuleFlag(Module::Override, "nvvm-reflect-ftz", 1);
  for (Function &function : module) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    if (function.isDeclaration())
      continue;
    if (options.flushDenormals)
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    if (options.maxRegisters &&
        function.getCallingConv() == CallingConv::PTX_Kernel)
      function.addFnAttr("nvvm.maxnreg", std::to_string(options.maxRegisters));
    if (!options.fastMath && options.contract)
      continue;
    for (Instruction &instruction : instructions(function)) {
      if (!isa<FPMathOperator>(instruction))
        continue;
      // What nvcc's --use_fast_math allows: approximate operations in single
      // precision, but neither reassociation nor the absence of infinities and
      // NaNs.
      if (options.fastMath && instruction.getType()->isFloatTy()) {
        instruction.setHasApproxFunc(true);
        instruction.setHasAllowReciprocal(true);
      }
      if (!options.contract)
        instruction.setHasAllowContract(false);
    }
  }
}

/// What C++ has in tables of virtual functions where there is none: a GPU has
/// no library that it would be in.
static void definePureFunctions(Module &module) {
  for (StringRef name : {"__cxa_pure_virtual", "__cxa_deleted_virtual"}) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration())
      continue;
    function->setLinkage(GlobalValue::InternalLinkage);
    IRBuilder<> b(BasicBlock::Create(module.getContext(), "", function));
    b.CreateIntrinsic(Intrinsic::trap, {});
    b.CreateUnreachable();
  }
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
/// copied in each turn are 200.
static constexpr unsigned MostAccessesInLoop = 1000;

static void optimise(Module &module, TargetMachine &machine, bool fully) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  // A thread is a lane already: what LLVM would gather in vectors of four
  // characters it has to take apart again.
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.LicmMssaOptCap = MostLoadsBeforeLoop;
  tuning.LicmMssaNoAccForPromotionCap = MostAccessesInLoop;
  // It copies what stands before a call into the ways that lead there, a
  // barrier as well, and threads of one warp would wait for each other at two.
  PassInstrumentationCallbacks instrumentation;
  instrumentation.registerShouldRunOptionalPassCallback(
      [](StringRef pass, const Any &) {
        return pass != "CallSiteSplittingPass";
      });
  PassBuilder builder(&machine, tuning, std::nullopt, &instrumentation);
  passStructuresInRegisters(builder);
  if (fully) {
    tabulateConstants(builder);
    inferMemory(builder);
    useKnownSums(builder);
    computeExactConstants(builder);
    expandCopies(builder);
    countStrides(builder);
    loadAhead(builder);
    repeatBarrierLoops(builder);
    countBitsAtOnce(builder);
    carryLoads(builder);
    joinStores(builder);
    findUnwrittenParameters(builder);
    separateUniformLoops(builder);
    unrollForGpu(builder);
    carryAddresses(builder);
    divideWhereNeeded(builder);
    separateShortCases(builder);
    selectAfterAlternatives(builder);
    takeDecidedBranches(builder);
    takeDecidedValues(builder);
    leaveAtOneBranch(builder);
    numberConditions(builder);
    placeMatrices(builder);
    sumInWholeRegisters(builder);
    restoreRemainders(builder);
    restoreSums(builder);
    restoreLimits(builder);
    computeDistances(builder);
    readBlockSizesFirst(builder);
    loadFieldsTogether(builder);
    carryConstantAddresses(builder);
    shareAddresses(builder);
    chainRowAddresses(builder);
    shareTileAddresses(builder);
    sumIndices(builder);
    keepIndicesNarrow(builder);
    computeAddressesEarly(builder);
    orderLoads(builder);
    computeInvariantsLate(builder);
    fuseOwnProducts(builder);
    convertBytesByPermutation(builder);
    boundRegisters(builder);
    countByNext(builder);
  }
  orderAtomics(builder);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  // What the program wants unrolled, and we do, is.
  LlvmOption<unsigned> largest("pragma-unroll-threshold", MostUnrolled);
  // What two ways have in common stays in each: of a load from global memory
  // and one from shared memory it would make one from an address that is chosen
  // and generic.
  GivenLlvmOption sinking("sink-common-insts", "false");
  FinalKernels finalKernels(module);
  ModulePassManager passes =
      fully ? builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
            : builder.buildO0DefaultPipeline(OptimizationLevel::O0);
  passes.run(module, modules);
}

static Expected<std::string> generate(Module &module, TargetMachine &machine) {
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
  // ptxas, which overlaps the turns of loops, no longer knows how many there
  // are.
  LlvmOption<bool> strengthReduction("disable-lsr", true);
  RegisterTargetPassConfigCallback afterLlvmsPasses(
      [&](TargetMachine &, PassManagerBase &, TargetPassConfig *passes) {
        if (machine.getOptLevel() == CodeGenOptLevel::None)
          return;
        std::unique_ptr<Pass> last(createCodeGenPrepareLegacyPass());
        passes->insertPass(last->getPassID(), createConditionalAddressesPass());
        passes->insertPass(last->getPassID(), createWideIndicesPass());
        passes->insertPass(last->getPassID(), createTestedIndicesPass());
        passes->insertPass(last->getPassID(), createNegatedStartsPass());
        passes->insertPass(&EarlyTailDuplicateLegacyID,
                           createSignedFieldsPass());
        passes->insertPass(&MachineCSELegacyID, createSymbolAddressesPass());
        passes->insertPass(&MachineCSELegacyID, createLateConditionsPass());
        passes->insertPass(&MachineBlockPlacementID, createLoopLayoutPass());
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
  return std::string(text.str());
}

Expected<std::unique_ptr<Module>>
cufort::optimiseForGpu(const Module &device, const GpuOptions &options) {
  std::unique_ptr<Module> module = CloneModule(device);
  auto machine = createTarget(*module, options, /*shortPointers=*/false);
  if (!machine)
    return machine.takeError();
  module->setDataLayout((*machine)->createDataLayout());

  applyOptions(*module, options);
  definePureFunctions(*module);
  nameActiveLanes(*module);
  lowerMathIntrinsics(*module);
  if (Error failure = linkDeviceMath(*module, options))
    return std::move(failure);
  settleIndeterminateValues(*module);
  if (!options.optimise) {
    // Everything, for a debugger.
  } else if (options.lineInfo)
    keepLineDirectives(*module);
  else
    StripDebugInfo(*module);
  if (options.optimise) {
    alignPrivateArrays(*module);
    shareMathCalls(*module, **machine);
  }
  optimise(*module, **machine, options.optimise);

  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(*module, &stream))
    return createStringError("the optimised device code is not valid: " +
                             problem);
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
  return generate(**module, **machine);
}
