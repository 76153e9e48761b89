//===- InlineBudget.cpp - procedures too long to copy ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/InlineBudget.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <utility>

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Of a kernel with all that is inlined into it, before anything is simplified:
/// a second's work. Kernels written by hand have a thousand or two.
constexpr double MostInstructions = 50000;
/// What is shorter is not worth a call by each thread.
constexpr double LeastInstructions = 30;

class Budget {
public:
  Budget(ArrayRef<Function *> kernels, function_ref<bool(Function &)> isInlined)
      : kernels(kernels), isInlined(isInlined) {
    for (Function *kernel : kernels)
      visit(*kernel);
  }

  SmallPtrSet<Function *, 4> choose();

private:
  struct Procedure {
    double own = 0;
    /// With what is inlined into it, and how many copies of it there are.
    double size = 0, copies = 0;
    bool isInlined = false, isAlone = false;
    SmallVector<Function *> calls; ///< one for each
  };

  void visit(Function &function);
  double measure();

  ArrayRef<Function *> kernels;
  function_ref<bool(Function &)> isInlined;
  /// Callees before their callers.
  MapVector<Function *, Procedure> procedures;
  SmallPtrSet<Function *, 16> seen;
};

/// Whether a thread that does \p instruction needs no other thread for it, nor
/// waits for one.
bool isAlone(const Instruction &instruction) {
  if (instruction.isVolatile() || instruction.isAtomic())
    return false;
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return true;
  const Function *callee = call->getCalledFunction();
  return callee && !(callee->isDeclaration() && callee->isConvergent());
}

void Budget::visit(Function &function) {
  if (!seen.insert(&function).second)
    return;
  Procedure procedure;
  procedure.isInlined = isInlined(function);
  procedure.isAlone = true;
  for (Instruction &instruction : instructions(function)) {
    ++procedure.own;
    procedure.isAlone &= isAlone(instruction);
    auto *call = dyn_cast<CallBase>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration())
      continue;
    visit(*callee);
    if (auto *known = procedures.find(callee); known != procedures.end()) {
      procedure.isAlone &= known->second.isAlone;
      procedure.calls.push_back(callee);
    }
  }
  procedures[&function] = std::move(procedure);
}

/// Fills in sizes and copies, and returns the size of the longest function that
/// is not inlined.
double Budget::measure() {
  double longest = 0;
  for (auto &[function, procedure] : procedures) {
    procedure.size = procedure.own;
    procedure.copies = 0;
    for (Function *callee : procedure.calls)
      if (const Procedure &called = procedures[callee]; called.isInlined)
        procedure.size += called.size;
    if (!procedure.isInlined)
      longest = std::max(longest, procedure.size);
  }
  for (auto &[function, procedure] : reverse(procedures)) {
    if (!procedure.isInlined)
      procedure.copies = 1;
    for (Function *callee : procedure.calls)
      procedures[callee].copies += procedure.copies;
  }
  return longest;
}

SmallPtrSet<Function *, 4> Budget::choose() {
  SmallPtrSet<Function *, 4> stay;
  while (true) {
    const double longest = measure();
    if (longest <= MostInstructions)
      return stay;
    SmallVector<std::pair<Function *, double>> candidates;
    for (auto &[function, procedure] : procedures)
      if (procedure.isInlined && procedure.isAlone && procedure.copies > 1 &&
          procedure.size >= LeastInstructions)
        candidates.push_back({function, procedure.copies});
    // The one that makes it short enough with the fewest calls; if none does,
    // the one that makes it shortest.
    Function *best = nullptr;
    std::pair<double, double> least(longest, 0);
    for (auto [candidate, copies] : candidates) {
      procedures[candidate].isInlined = false;
      const std::pair<double, double> reached(
          std::max(measure(), MostInstructions), copies);
      procedures[candidate].isInlined = true;
      if (reached < least) {
        best = candidate;
        least = reached;
      }
    }
    if (!best)
      return stay;
    procedures[best].isInlined = false;
    stay.insert(best);
  }
}

} // namespace

SmallPtrSet<Function *, 4>
proceduresBeyondBudget(ArrayRef<Function *> kernels,
                       function_ref<bool(Function &)> isInlined) {
  return Budget(kernels, isInlined).choose();
}

} // namespace cufort::cpu
