//===- CodeGenerationSteps.cpp - our passes in the code generator ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/CodeGenerationSteps.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cufort;
using namespace cufort::gpu;

namespace {
using Clock = std::chrono::steady_clock;

/// What the passes before and behind one of ours share.
struct Run {
  const GpuPass &pass;
  const PassOptions &options;
  PassTime &time;
  std::string &problem;
  Clock::time_point start;
  bool wasValid = false; ///< the machine code before ours

  template <typename Code> void stop(const Code &code) {
    time += Clock::now() - start;
    if (!options.isPrinted(pass.name))
      return;
    errs() << "; after " << pass.name << '\n';
    code.print(errs());
  }
  void report(StringRef broken) {
    if (!broken.empty() && problem.empty())
      problem = ("internal error: the pass '" + pass.name +
                 "' left invalid code: " + broken)
                    .str();
  }
};

void startFunction(Run &run, Function &) { run.start = Clock::now(); }

void stopFunction(Run &run, Function &function) {
  run.stop(function);
  std::string broken;
  raw_string_ostream stream(broken);
  verifyFunction(function, &stream);
  run.report(broken);
}

/// LLVM's own passes for PTX leave some machine code that its verifier does not
/// know, so it has to be valid before.
bool isValid(Pass &pass, MachineFunction &function, raw_ostream &stream) {
  return function.verify(&pass, nullptr, &stream, /*AbortOnError=*/false);
}

void startMachine(Run &run, MachineFunction &function, Pass &pass) {
  run.wasValid =
      run.options.verifyMachineCode && isValid(pass, function, nulls());
  run.start = Clock::now();
}

void stopMachine(Run &run, MachineFunction &function, Pass &pass) {
  run.stop(function);
  std::string broken;
  raw_string_ostream stream(broken);
  if (run.wasValid && !isValid(pass, function, stream))
    run.report(broken);
}

/// A pass over LLVM IR that changes nothing and calls \p Do.
template <void (*Do)(Run &, Function &)>
class FunctionHook final : public FunctionPass {
public:
  static inline char ID = 0;
  explicit FunctionHook(std::shared_ptr<Run> run)
      : FunctionPass(ID), state(std::move(run)) {}
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
  }
  bool runOnFunction(Function &function) override {
    Do(*state, function);
    return false;
  }

private:
  std::shared_ptr<Run> state;
};

/// The same over machine code.
template <void (*Do)(Run &, MachineFunction &, Pass &)>
class MachineHook final : public MachineFunctionPass {
public:
  static inline char ID = 0;
  explicit MachineHook(std::shared_ptr<Run> run)
      : MachineFunctionPass(ID), state(std::move(run)) {}
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(MachineFunction &function) override {
    Do(*state, function, *this);
    return false;
  }

private:
  std::shared_ptr<Run> state;
};
} // namespace

void gpu::addCodeGenerationStep(const GpuPass &pass, const PassOptions &options,
                                PassTime &time, std::string &problem,
                                TargetPassConfig &config) {
  const auto *step = std::get_if<CodeGenerationStep>(&pass.step);
  if (!step)
    return;
  auto run =
      std::make_shared<Run>(Run{pass, options, time, problem, {}, false});
  auto add = [&](AnalysisID place, Pass *before, Pass *behind) {
    config.insertPass(place, before);
    (*step)([&](FunctionPass *ours) { config.insertPass(place, ours); });
    config.insertPass(place, behind);
  };
  auto addMachine = [&](AnalysisID place) {
    add(place, new MachineHook<startMachine>(run),
        new MachineHook<stopMachine>(run));
  };
  switch (pass.place) {
  case Place::AfterSelection:
    return addMachine(&EarlyTailDuplicateLegacyID);
  case Place::MachineCse:
    return addMachine(&MachineCSELegacyID);
  default:
    // The pass has no other name.
    std::unique_ptr<Pass> prepare(createCodeGenPrepareLegacyPass());
    add(prepare->getPassID(), new FunctionHook<startFunction>(run),
        new FunctionHook<stopFunction>(run));
  }
}
