//===- Pipeline.cpp - the passes over FIR, in one table -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Pipeline.h"
#include "compiler/lower/Passes.h"
#include "flang/Lower/Support/Verifier.h"
#include "flang/Optimizer/CodeGen/CodeGen.h"
#include "flang/Optimizer/Passes/Pipelines.h"
#include "flang/Optimizer/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace cufort::lower {

static void verifyHlfir(PassManager &passes) {
  passes.addPass(std::make_unique<Fortran::lower::VerifierPass>());
}

/// Whatever the user's level: -O3 inlines matmul, array assignments, reductions
/// and character comparison, which otherwise call the host's Fortran runtime.
static void lowerHlfir(PassManager &passes) {
  fir::createHLFIRToFIRPassPipeline(passes, fir::EnableOpenMP::None,
                                    llvm::OptimizationLevel::O3);
}

static void convertCuf(PassManager &passes) {
  passes.addPass(fir::createCUFOpConversion());
}

/// A thread's stack is small and PTX's has a fixed size: arrays whose size is
/// known at run time only come from the heap.
static void placeArrays(PassManager &passes) {
  passes.addNestedPass<func::FuncOp>(fir::createMemoryAllocationOpt(
      {/*dynamicArrayOnHeap=*/true, /*maxStackArraySize=*/~std::size_t{0}}));
}

static void optimiseFir(PassManager &passes) {
  MLIRToLLVMPassPipelineConfig config(llvm::OptimizationLevel::O3);
  config.AliasAnalysis = true;
  fir::createDefaultFIROptimizerPassPipeline(passes, config);
}

static void prepareCodegen(PassManager &passes, bool preserveDeclare) {
  fir::addBoxedProcedurePass(passes);
  // What Fortran's rules say of dummy arguments: they do not overlap.
  passes.addPass(fir::createAddAliasTags());
  passes.addNestedPass<func::FuncOp>(fir::createAbstractResultOpt());
  fir::addCodeGenRewritePass(passes, preserveDeclare);
  fir::addExternalNameConversionPass(passes, /*appendUnderscore=*/true);
  fir::addCompilerGeneratedNamesConversionPass(passes);
}

static void prepareCodegen(PassManager &passes) {
  prepareCodegen(passes, /*preserveDeclare=*/false);
}

/// Declarations stay, and become what a debugger knows of variables.
static void describeVariables(PassManager &passes) {
  prepareCodegen(passes, /*preserveDeclare=*/true);
  fir::AddDebugInfoOptions options;
  options.debugLevel = LLVM::DIEmissionKind::Full;
  passes.addPass(fir::createAddDebugInfoPass(options));
}

static void noteArguments(PassManager &passes) {
  fir::FunctionAttrOptions attributes;
  attributes.setNoCapture = true;
  attributes.setNoAlias = true;
  passes.addNestedPass<func::FuncOp>(fir::createFunctionAttr(attributes));
}

/// Lines, for diagnostics and -Minfo; the engines drop what they do not need.
static void noteLines(PassManager &passes) {
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
}

static constexpr LowerPass ours(const char *name, Stage stage,
                                std::unique_ptr<Pass> (*create)(),
                                const char *does) {
  return {{name, /*optional=*/false, does}, stage, create, nullptr};
}

static constexpr LowerPass flangs(const char *name, Stage stage,
                                  void (*add)(PassManager &),
                                  const char *does) {
  return {{name, /*optional=*/false, does}, stage, nullptr, add};
}

// From HLFIR as Flang's lowering leaves it to the host's half in FIR and the
// device's half in the LLVM dialect. Passes.h says what each pass of ours needs
// and leaves.
// clang-format off
static constexpr LowerPass Passes[] = {
    ours("lower-private-variables", Stage::PrivateVariables, createPrivateVariables, "place OpenMP's private variables in device, managed or pinned memory"),
    ours("lower-check-restrictions", Stage::Restrictions, createCheckRestrictions, "diagnose what is allowed only in host code, or only in device code"),
    // Host code works on copies of the device's data.
    ours("lower-ordered-assignments", Stage::DeviceData, createOrderedAssignments, "copy device data that WHERE, FORALL and vector subscripts of the host use"),
    ours("lower-device-expressions", Stage::DeviceData, createDeviceExpressions, "compute expressions of device arrays on the device"),
    ours("lower-device-intrinsics", Stage::DeviceData, createDeviceIntrinsics, "compute array intrinsics of device arrays on the device"),
    ours("lower-transfer-expressions", Stage::DeviceData, createTransferExpressions, "copy device arrays that expressions of the host read"),
    ours("lower-repair-transfers", Stage::DeviceData, createRepairTransfers, "give transfers with a conversion an address on both sides"),
    ours("lower-host-reads", Stage::DeviceData, createHostReads, "copy device data that the host reads outside of transfers"),
    ours("lower-device-assignments", Stage::DeviceData, createDeviceAssignments, "assign in device code without allocating for the host"),
    ours("lower-repair-atomics", Stage::DeviceData, createRepairAtomics, "give atomics CUDA's results and ordering"),
    ours("lower-repair-constructors", Stage::DeviceData, createRepairConstructors, "construct derived types without the host's runtime"),
    ours("lower-host-output", Stage::DeviceData, createHostOutput, "call the functions in output lists before the output statements begin"),
    ours("lower-host-access", Stage::HostAccess, createHostAccess, "diagnose accesses of host code to device memory"),
    // Files without CUDA.
    ours("lower-default-bounds", Stage::PlainFortran, createDefaultBounds, "give what CSHIFT and EOSHIFT shift lower bounds of one"),
    ours("lower-large-locals", Stage::PlainFortran, createLargeLocals, "place large local variables of the host on the heap"),
    ours("lower-interface-shapes", Stage::PlainFortran, createInterfaceShapes, "pass addresses where external procedures expect them"),
    flangs("flang-verification", Stage::Verification, verifyHlfir, "verify HLFIR"),
    // Both halves together.
    ours("lower-outline-kernel-loops", Stage::KernelLoops, createOutlineKernelLoops, "make kernels and launches of kernel loops"),
    ours("lower-value-records", Stage::HlfirToFir, createValueRecords, "pass records to kernels by their bytes"),
    ours("lower-managed-arguments", Stage::HlfirToFir, createManagedArguments, "place values for managed dummy arguments in managed memory"),
    ours("lower-shared-as-local", Stage::HlfirToFir, createSharedAsLocal, "treat shared arrays as local ones, which alias analysis knows"),
    ours("lower-overlapping-assignments", Stage::HlfirToFir, createOverlappingAssignments, "assign short overlapping arrays through a copy of the thread's"),
    ours("lower-default-bounds", Stage::HlfirToFir, createDefaultBounds, "give what CSHIFT and EOSHIFT shift lower bounds of one"),
    flangs("flang-hlfir-to-fir", Stage::HlfirToFir, lowerHlfir, "lower HLFIR to FIR"),
    ours("lower-local-as-shared", Stage::HlfirToFir, createLocalAsShared, "turn these arrays back into shared ones"),
    ours("lower-output-records", Stage::HlfirToFir, createOutputRecords, "write derived types component by component in device code"),
    ours("lower-check-supported", Stage::Supported, createCheckSupported, "diagnose what cannot be lowered"),
    ours("lower-character-data", Stage::Characters, createCharacterData, "give character data of the device its length"),
    // The device's half.
    ours("lower-on-device-is-true", Stage::DeviceSelection, createOnDeviceIsTrue, "fold on_device() to true"),
    ours("lower-select-device-code", Stage::DeviceSelection, createSelectDeviceCode, "keep what runs on the device and what that refers to"),
    ours("lower-thread-temporaries", Stage::DeviceSelection, createThreadTemporaries, "place short temporary arrays in the procedure's frame"),
    ours("lower-predefined-variables", Stage::DeviceSelection, createPredefinedVariables, "read threadidx and the like from the special registers"),
    ours("lower-shared-memory", Stage::DeviceSelection, createSharedMemory, "make globals of shared variables"),
    ours("lower-index-checks", Stage::DeviceChecks, createIndexChecks, "with --check: record the bounds of arrays"),
    flangs("flang-device-cuf", Stage::DeviceCode, convertCuf, "lower the operations of CUDA Fortran to FIR"),
    flangs("flang-device-arrays", Stage::DeviceCode, placeArrays, "place arrays whose size is known at run time on the heap"),
    ours("lower-allocation-checks", Stage::DeviceCode, createAllocationChecks, "end the program where an allocation fails"),
    flangs("flang-device-fir", Stage::DeviceCode, optimiseFir, "optimise FIR, and lower its loops to branches"),
    flangs("flang-device-codegen", Stage::DeviceNames, prepareCodegen, "prepare code generation"),
    flangs("flang-device-debug", Stage::DeviceDebug, describeVariables, "with -g, instead: the same, and describe variables"),
    ours("lower-kernel-parameters", Stage::DeviceLlvm, createKernelParameters, "mark what kernels get by value"),
    flangs("flang-device-arguments", Stage::DeviceLlvm, noteArguments, "give dummy arguments LLVM's attributes"),
    ours("lower-device-to-llvm", Stage::DeviceLlvm, createDeviceToLlvm, "lower FIR to the LLVM dialect"),
    flangs("flang-device-lines", Stage::DeviceLlvm, noteLines, "add line tables"),
    // The host's half.
    ours("lower-on-device-is-false", Stage::HostCode, createOnDeviceIsFalse, "fold on_device() to false"),
    ours("lower-launch-to-runtime", Stage::HostCode, createLaunchToRuntime, "turn launches into calls of the runtime"),
    ours("lower-host-records", Stage::HostCode, createHostRecords, "transfer and copy records with device components"),
    ours("lower-host-allocations", Stage::HostCode, createHostAllocations, "place descriptors of device arrays on the host's stack"),
    flangs("flang-host-cuf", Stage::HostCode, convertCuf, "lower the operations of CUDA Fortran to calls of the runtime"),
    ours("lower-device-addresses", Stage::HostCode, createDeviceAddresses, "ask for addresses of device variables where they are used"),
    ours("lower-select-host-code", Stage::HostCode, createSelectHostCode, "keep what runs on the host"),
    ours("lower-large-locals", Stage::HostCode, createLargeLocals, "place large local variables of the host on the heap"),
    ours("lower-interface-shapes", Stage::HostCode, createInterfaceShapes, "pass addresses where external procedures expect them"),
};
// clang-format on

llvm::ArrayRef<LowerPass> lowerPasses() { return Passes; }

const char *stageName(Stage stage) {
  switch (stage) {
  case Stage::PrivateVariables:
  case Stage::Restrictions:
  case Stage::DeviceData:
  case Stage::HostAccess:
    return "device data in host code";
  case Stage::PlainFortran:
    return "instead of these, files without CUDA";
  case Stage::Verification:
  case Stage::KernelLoops:
  case Stage::HlfirToFir:
  case Stage::Supported:
  case Stage::Characters:
    return "HLFIR to FIR";
  case Stage::DeviceSelection:
  case Stage::DeviceChecks:
  case Stage::DeviceCode:
  case Stage::DeviceNames:
  case Stage::DeviceDebug:
  case Stage::DeviceLlvm:
    return "the device's half";
  case Stage::HostCode:
    return "the host's half";
  }
  llvm_unreachable("a stage of which nobody knows");
}

void registerLowerPasses() {
  llvm::StringSet<> known; // some run at two places
  for (const LowerPass &pass : Passes)
    if (pass.create && known.insert(pass.name).second)
      registerPass(pass.create);
}

} // namespace cufort::lower
