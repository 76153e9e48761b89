//===- KernelLoopFlow.cpp - read before it is assigned --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variables that are assigned on all paths to a place, and, as programs
// assign under a condition what they read under the same one, those that are
// assigned where further conditions hold:
//
//   if (mode /= 1) t = b(i)        assigned if mode /= 1
//   do l = 1, n
//     if (l > 1) a(l) = t          assigned if l is not the first
//     t = c(l)
//   end do
//   do l = 1, n                    assigned if the loop has an iteration
//
// A condition is forgotten as soon as something that it reads changes.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoopFlow.h"
#include "compiler/lower/loops/KernelLoopConditions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;

namespace cufort::lower {

namespace {

/// A variable is assigned wherever this holds.
struct Guard {
  unsigned variable;
  /// All of them.
  SmallVector<Condition> conditions;
  /// Or that it is not the first iteration of this loop, or, outside of it,
  /// that a loop with the same limits has an iteration.
  fir::DoLoopOp notFirst, trips;
  unsigned number = 0;
};

/// What is known at one place of the iteration.
struct State {
  /// Assigned on all paths, on some, and on some in which the sequential loops
  /// around are in their first iteration.
  llvm::BitVector assigned, maybe, maybeAtFirst;
  /// Read on some path before anything is assigned.
  llvm::BitVector readBefore;
  SmallVector<Condition> facts;
  SmallVector<Guard> guards;

  void join(const State &other) {
    assigned &= other.assigned;
    maybe |= other.maybe;
    maybeAtFirst |= other.maybeAtFirst;
    readBefore |= other.readBefore;
  }
};

class IterationFlow {
public:
  IterationFlow(cuf::KernelOp kernel, const Accesses &accesses, unsigned count)
      : kernel(kernel), accesses(accesses), variables(loopVariables(kernel)),
        result(count), firstReads(count) {}

  SmallVector<VariableFlow> run() {
    State state;
    for (llvm::BitVector *bits : {&state.assigned, &state.maybe,
                                  &state.maybeAtFirst, &state.readBefore})
      bits->resize(result.size());
    flow(kernel.getRegion(), state);
    return std::move(result);
  }

private:
  //===--- conditions ---===//

  /// What \p op, without the operations in it, may change, is forgotten.
  void forget(State &state, Operation &op) {
    if (state.facts.empty() && state.guards.empty())
      return;
    if (isa<fir::LoadOp, hlfir::DeclareOp, hlfir::DesignateOp>(op) ||
        op.getNumRegions() > 0 || isMemoryEffectFree(&op))
      return;
    auto changes = [&](fir::LoadOp load) { return mayChange(op, load); };
    llvm::erase_if(state.facts, [&](const Condition &fact) {
      return readsAny(fact.value, changes);
    });
    llvm::erase_if(state.guards, [&](Guard &guard) {
      if (fir::DoLoopOp trips = guard.trips)
        for (Value limit :
             {trips.getLowerBound(), trips.getUpperBound(), trips.getStep()})
          if (readsAny(limit, changes))
            return true;
      return llvm::any_of(guard.conditions, [&](const Condition &condition) {
        return readsAny(condition.value, changes);
      });
    });
  }

  void forgetAll(State &state, Operation *op) {
    op->walk([&](Operation *inside) { forget(state, *inside); });
  }

  /// Scalars are known by their numbers; of arrays it takes the variable.
  bool mayChange(Operation &op, fir::LoadOp load) const {
    auto written = accesses.find(&op), read = accesses.find(load);
    if (written != accesses.end() && !isa<fir::CallOp>(op))
      return read != accesses.end() &&
             llvm::any_of(written->second, [&](Access access) {
               return access.kind != Access::Read &&
                      access.variable == read->second.front().variable;
             });
    if (read != accesses.end())
      return isa<fir::CallOp>(op) && written != accesses.end() &&
             llvm::any_of(written->second, [&](Access access) {
               return access.variable == read->second.front().variable;
             });
    Value target;
    if (auto assign = dyn_cast<hlfir::AssignOp>(op))
      target = assign.getLhs();
    else if (auto store = dyn_cast<fir::StoreOp>(op))
      target = store.getMemref();
    hlfir::DeclareOp a = target ? rootOf(target) : hlfir::DeclareOp(),
                     b = rootOf(load.getMemref());
    return !a || !b || a == b || isAliased(a) || isAliased(b);
  }

  static hlfir::DeclareOp rootOf(Value address) {
    for (Operation *op = address.getDefiningOp(); op;
         op = op->getNumOperands() ? op->getOperand(0).getDefiningOp()
                                   : nullptr)
      if (auto declare = dyn_cast<hlfir::DeclareOp>(op))
        return declare;
    return {};
  }

  static bool isAliased(hlfir::DeclareOp declare) {
    auto flags = declare.getFortranAttrs();
    return flags && bitEnumContainsAny(
                        *flags, fir::FortranVariableFlagsEnum::pointer |
                                    fir::FortranVariableFlagsEnum::target);
  }

  void learn(State &state, ArrayRef<Condition> terms) {
    state.facts.append(terms.begin(), terms.end());
    useGuards(state, {});
  }

  /// Notes as assigned what the guards say, also of the first iteration of
  /// \p entered.
  static void useGuards(State &state, fir::DoLoopOp entered) {
    for (Guard &guard : state.guards) {
      bool holds = guard.notFirst
                       ? llvm::any_of(state.facts,
                                      [&](Condition fact) {
                                        return isNotFirst(fact, guard.notFirst);
                                      })
                   : guard.trips
                       ? entered && haveSameLimits(guard.trips, entered)
                       : areKnown(state, guard.conditions, {});
      if (holds)
        state.assigned.set(guard.variable);
    }
  }

  /// Whether all \p conditions hold, in iterations of \p loop that others
  /// follow if there is one.
  static bool areKnown(const State &state, ArrayRef<Condition> conditions,
                       fir::DoLoopOp loop) {
    return llvm::all_of(conditions, [&](Condition condition) {
      return (loop && holdsBeforeLast(condition, loop)) ||
             llvm::any_of(state.facts, [&](Condition fact) {
               return implies(fact, condition);
             });
    });
  }

  void addGuard(State &state, Guard guard) {
    guard.number = ++guards;
    state.guards.push_back(std::move(guard));
  }

  //===--- the flow ---===//

  void flow(Region &region, State &state) {
    if (region.empty())
      return;
    if (region.hasOneBlock())
      return flow(region.front(), state);
    // How often its blocks run is not known.
    ++conditional;
    flowGraph(region, state);
    --conditional;
  }

  void flowGraph(Region &region, State &state) {
    llvm::ReversePostOrderTraversal<Block *> order(&region.front());
    llvm::DenseMap<Block *, unsigned> numbers;
    for (Block *block : order)
      numbers.insert({block, numbers.size()});
    llvm::DenseMap<Block *, State> after;
    auto before = [&](Block *block) {
      if (block->isEntryBlock())
        return state;
      std::optional<State> joined;
      for (Block *each : block->getPredecessors()) {
        auto it = after.find(each);
        if (it == after.end() ||
            (numbers[each] >= numbers[block] && isNextIteration(*each)))
          continue;
        if (joined)
          joined->join(it->second);
        else
          joined = it->second;
      }
      if (!joined)
        joined = state;
      Block *only = block->getSinglePredecessor();
      if (!only) {
        joined->facts.clear();
        joined->guards.clear();
      } else if (auto jump = dyn_cast<cf::CondBranchOp>(only->getTerminator());
                 jump && jump.getTrueDest() != jump.getFalseDest()) {
        learn(*joined,
              termsOf(jump.getCondition(), jump.getTrueDest() == block));
      }
      return *joined;
    };
    const bool wasNoting = std::exchange(noting, false);
    for (bool changed = true; changed;) {
      changed = false;
      for (Block *block : order) {
        State next = before(block);
        flow(*block, next);
        auto it = after.find(block);
        if (it != after.end() && it->second.assigned == next.assigned &&
            it->second.maybe == next.maybe &&
            it->second.readBefore == next.readBefore &&
            it->second.guards.size() == next.guards.size())
          continue;
        after[block] = std::move(next);
        changed = true;
      }
    }
    noting = wasNoting;
    std::optional<State> end;
    for (Block *block : order) {
      State next = before(block);
      flow(*block, next);
      if (block->getNumSuccessors())
        continue;
      if (end)
        end->join(next);
      else
        end = std::move(next);
    }
    if (!end)
      return;
    end->facts.clear();
    end->guards.clear();
    state = std::move(*end);
  }

  /// A body with jumps contains the parallel loops once more; the way back to
  /// their heads sets their variables, and is not taken.
  bool isNextIteration(Block &block) {
    return llvm::any_of(block.getOps<fir::StoreOp>(), [&](fir::StoreOp store) {
      auto declare = store.getMemref().getDefiningOp<hlfir::DeclareOp>();
      return declare && llvm::is_contained(variables, declare);
    });
  }

  void flow(Block &block, State &state) {
    for (Operation &op : block) {
      if (auto branch = dyn_cast<fir::IfOp>(op))
        flowIf(branch, state);
      else if (auto loop = dyn_cast<fir::DoLoopOp>(op))
        flowLoop(loop, state);
      else if (op.getNumRegions() > 0)
        flowInto(op, state);
      forget(state, op);
      auto it = accesses.find(&op);
      if (it == accesses.end())
        continue;
      for (Access access : it->second)
        if (access.kind != Access::Write)
          read(access, op, state);
      for (Access access : it->second)
        if (access.kind != Access::Read)
          write(access, state);
    }
  }

  void read(Access access, Operation &op, State &state) {
    const unsigned variable = access.variable;
    if (state.assigned.test(variable))
      return;
    if (noting)
      result[variable].needsValue = true;
    // What is passed may be INTENT(OUT); it gets the value in any case.
    if (access.kind == Access::Passed)
      return;
    if (noting && !result[variable].exposed)
      result[variable].exposed = &op;
    const llvm::BitVector &before =
        conditional ? state.maybe : state.maybeAtFirst;
    if (before.test(variable))
      return;
    state.readBefore.set(variable);
    if (!firstReads[variable])
      firstReads[variable] = &op;
  }

  void write(Access access, State &state) {
    const unsigned variable = access.variable;
    if (noting && access.kind == Access::Write &&
        state.readBefore.test(variable) && !result[variable].carried)
      result[variable].carried = firstReads[variable];
    state.assigned.set(variable);
    state.maybe.set(variable);
    state.maybeAtFirst.set(variable);
  }

  void flowIf(fir::IfOp branch, State &state) {
    const unsigned last = guards;
    State then = state, otherwise = state;
    learn(then, termsOf(branch.getCondition(), true));
    learn(otherwise, termsOf(branch.getCondition(), false));
    conditional += loops > 0;
    flow(branch.getThenRegion(), then);
    flow(branch.getElseRegion(), otherwise);
    conditional -= loops > 0;
    const llvm::BitVector assigned = state.assigned;
    for (bool side : {true, false}) {
      State &here = side ? then : otherwise, &there = side ? otherwise : then;
      SmallVector<Condition> terms = termsOf(branch.getCondition(), side);
      if (terms.empty())
        continue;
      for (unsigned variable : here.assigned.set_bits())
        if (!there.assigned.test(variable))
          addGuard(state, {variable, terms, {}, {}});
      for (Guard &guard : here.guards) {
        if (guard.number <= last || guard.notFirst || guard.trips)
          continue;
        Guard both = guard;
        both.conditions.append(terms);
        addGuard(state, std::move(both));
      }
    }
    forgetAll(state, branch);
    std::swap(state.assigned, then.assigned);
    state.assigned &= otherwise.assigned;
    for (State *side : {&then, &otherwise}) {
      state.maybe |= side->maybe;
      state.maybeAtFirst |= side->maybeAtFirst;
      state.readBefore |= side->readBefore;
    }
  }

  void flowLoop(fir::DoLoopOp loop, State &state) {
    State inside = state;
    enterLoop(loop, inside);
    useGuards(inside, loop);
    ++loops;
    // What an iteration that others follow has assigned at its end.
    const bool wasNoting = std::exchange(noting, false);
    State end = inside;
    flow(loop.getRegion(), end);
    noting = wasNoting;
    for (Guard &guard : end.guards)
      if (!guard.notFirst && !guard.trips &&
          areKnown(end, guard.conditions, loop))
        end.assigned.set(guard.variable);
    for (unsigned variable : end.assigned.set_bits())
      if (!inside.assigned.test(variable))
        addGuard(inside, {variable, {}, loop, {}});
    flow(loop.getRegion(), inside);
    --loops;
    for (unsigned variable : inside.assigned.set_bits())
      if (!state.assigned.test(variable))
        addGuard(state, {variable, {}, {}, loop});
    leaveLoop(loop, inside, state);
    if (hasIteration(loop))
      state.assigned |= inside.assigned;
  }

  static bool hasIteration(fir::DoLoopOp loop) {
    auto lower = constantValue(loop.getLowerBound()),
         upper = constantValue(loop.getUpperBound()),
         step = constantValue(loop.getStep());
    return lower && upper && step &&
           (*step > 0 ? *lower <= *upper : *lower >= *upper);
  }

  /// Regions that may run any number of times, or not at all.
  void flowInto(Operation &op, State &state) {
    State outside = state;
    ++loops;
    ++conditional;
    for (Region &region : op.getRegions()) {
      State inside = outside;
      enterLoop(&op, inside);
      flow(region, inside);
      leaveLoop(&op, inside, state);
    }
    --conditional;
    --loops;
  }

  void enterLoop(Operation *loop, State &inside) {
    forgetAll(inside, loop);
    loop->walk([&](Operation *op) {
      if (auto it = accesses.find(op); it != accesses.end())
        for (Access access : it->second)
          if (access.kind != Access::Read)
            inside.maybe.set(access.variable);
    });
  }

  void leaveLoop(Operation *loop, const State &inside, State &state) {
    state.maybe |= inside.maybe;
    state.maybeAtFirst |= inside.maybeAtFirst;
    state.readBefore |= inside.readBefore;
    forgetAll(state, loop);
  }

  cuf::KernelOp kernel;
  const Accesses &accesses;
  SmallVector<hlfir::DeclareOp> variables;
  SmallVector<VariableFlow> result;
  SmallVector<Operation *> firstReads;
  bool noting = true;
  /// How many sequential loops, and conditions in them, are around.
  unsigned loops = 0, conditional = 0;
  unsigned guards = 0;
};

} // namespace

SmallVector<VariableFlow> followIteration(cuf::KernelOp kernel,
                                          const Accesses &accesses,
                                          unsigned count) {
  return IterationFlow(kernel, accesses, count).run();
}

} // namespace cufort::lower
