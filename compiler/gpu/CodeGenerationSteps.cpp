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
};

void finish(Run &run, StringRef broken) {
  if (!broken.empty() && run.problem.empty())
    run.problem = ("internal error: the pass '" + run.pass.name +
                   "' left invalid code: " + broken)
                      .str();
}

template <typename Code> void show(const Run &run, const Code &code) {
  if (!run.options.isPrinted(run.pass.name))
    return;
  errs() << "; after " << run.pass.name << '\n';
  code.print(errs());
}

class BeforeFunction final : public FunctionPass {
public:
  static char ID;
  explicit BeforeFunction(std::shared_ptr<Run> run)
      : FunctionPass(ID), state(std::move(run)) {}
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
  }
  bool runOnFunction(Function &) override {
    state->start = Clock::now();
    return false;
  }

private:
  std::shared_ptr<Run> state;
};

class BehindFunction final : public FunctionPass {
public:
  static char ID;
  explicit BehindFunction(std::shared_ptr<Run> run)
      : FunctionPass(ID), state(std::move(run)) {}
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
  }
  bool runOnFunction(Function &function) override {
    state->time += Clock::now() - state->start;
    show(*state, function);
    std::string broken;
    raw_string_ostream stream(broken);
    verifyFunction(function, &stream);
    finish(*state, broken);
    return false;
  }

private:
  std::shared_ptr<Run> state;
};

class BeforeMachine final : public MachineFunctionPass {
public:
  static char ID;
  explicit BeforeMachine(std::shared_ptr<Run> run)
      : MachineFunctionPass(ID), state(std::move(run)) {}
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(MachineFunction &function) override {
    // LLVM's own passes for PTX leave some that its verifier does not know.
    state->wasValid = state->options.verifyMachineCode &&
                      function.verify(this, nullptr, &nulls(),
                                      /*AbortOnError=*/false);
    state->start = Clock::now();
    return false;
  }

private:
  std::shared_ptr<Run> state;
};

class BehindMachine final : public MachineFunctionPass {
public:
  static char ID;
  explicit BehindMachine(std::shared_ptr<Run> run)
      : MachineFunctionPass(ID), state(std::move(run)) {}
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(MachineFunction &function) override {
    state->time += Clock::now() - state->start;
    show(*state, function);
    if (!state->wasValid)
      return false;
    std::string broken;
    raw_string_ostream stream(broken);
    function.verify(this, nullptr, &stream, /*AbortOnError=*/false);
    finish(*state, broken);
    return false;
  }

private:
  std::shared_ptr<Run> state;
};

char BeforeFunction::ID = 0;
char BehindFunction::ID = 0;
char BeforeMachine::ID = 0;
char BehindMachine::ID = 0;
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
    config.insertPass(place, (*step)());
    config.insertPass(place, behind);
  };
  auto addMachine = [&](AnalysisID place) {
    add(place, new BeforeMachine(run), new BehindMachine(run));
  };
  switch (pass.place) {
  case Place::AfterSelection:
    return addMachine(&EarlyTailDuplicateLegacyID);
  case Place::MachineCse:
    return addMachine(&MachineCSELegacyID);
  case Place::BlockPlacement:
    return addMachine(&MachineBlockPlacementID);
  default:
    // The pass has no other name.
    std::unique_ptr<Pass> prepare(createCodeGenPrepareLegacyPass());
    add(prepare->getPassID(), new BeforeFunction(run), new BehindFunction(run));
  }
}
