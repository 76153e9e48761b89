//===- Proofs.cpp - what a kernel accesses, said before a launch ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Proofs.h"
#include "compiler/check/Accesses.h"
#include "compiler/check/Agreement.h"
#include "compiler/check/Forms.h"
#include "compiler/check/Names.h"
#include "compiler/common/RegisteredAnalyses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cufort::check {
namespace {

class Describer {
public:
  Describer(Function &kernel, Function &code,
            function_ref<Wait(Instruction &)> waits)
      : kernel(kernel), module(*kernel.getParent()), waits(waits), tree(kernel),
        postTree(kernel), loops(tree), forms(kernel, code, tree, loops) {}

  /// Whether all of the kernel could be said.
  bool run();
  /// Makes the constant.
  Constant *write(Function &code);

private:
  bool visit(Instruction &instruction);
  bool visitCall(CallInst &call);
  bool access(Instruction &at, Value *pointer, uint64_t bytes, Align alignment,
              uint32_t flags);
  std::vector<Edge> chainTo(BasicBlock *block, bool &whole);
  void findIntervals();
  void findCovers();
  template <typename Visit> void untilBarrier(Instruction *start, Visit visit);

  uint32_t numberOf(Value *value);
  void put(const Form &form);
  void put(ArrayRef<Condition> all);

  Function &kernel;
  Module &module;
  function_ref<Wait(Instruction &)> waits;
  DominatorTree tree;
  PostDominatorTree postTree;
  LoopInfo loops;
  Forms forms;
  std::vector<Access> accesses;
  std::vector<std::pair<Form, BasicBlock *>> bounds;
  MapVector<GlobalVariable *, unsigned> shared;
  std::vector<std::pair<unsigned, unsigned>> pairs;
  struct Cover {
    unsigned write;
    bool own;
    std::vector<Condition> conditions;
  };
  std::vector<std::vector<Cover>> covers; ///< by access
  std::vector<Condition> warps; ///< in which the threads of a warp agree
  MapVector<Value *, uint32_t> values;
  std::vector<uint32_t> words;
};

bool Describer::access(Instruction &at, Value *pointer, uint64_t bytes,
                       Align alignment, uint32_t flags) {
  Value *root = nullptr;
  auto distance = forms.offsetOf(pointer, root);
  if (!distance)
    return false;
  const DataLayout &layout = module.getDataLayout();
  IRBuilder<> &b = forms.b;
  Access made{&at,       flags, 0, nullptr, nullptr, bytes, alignment.value(),
              *distance, {}};
  if (auto *local = dyn_cast<AllocaInst>(root)) {
    auto size = local->getAllocationSize(layout);
    if (!size || size->isScalable())
      return false;
    made.flags |= image::ProofPrivate;
    made.address = b.getInt64(0);
    made.size = b.getInt64(size->getFixedValue());
  } else if (auto *global = dyn_cast<GlobalVariable>(root)) {
    if (!global->getValueType()->isSized() || global->isDeclaration())
      return false;
    const uint64_t size = layout.getTypeAllocSize(global->getValueType());
    if (!size)
      return false;
    made.size = b.getInt64(size);
    if (global->getAttributes()
            .getAttribute("cufort-variable")
            .getValueAsString() == "shared") {
      made.flags |= image::ProofShared;
      made.object =
          shared.insert({global, unsigned(shared.size())}).first->second;
      made.address = b.getInt64(0);
    } else {
      made.address = b.CreatePtrToInt(global, b.getInt64Ty());
    }
  } else if (auto *argument = dyn_cast<Argument>(root);
             argument && argument->hasByValAttr()) {
    if (flags & image::ProofWrites)
      return false;
    made.flags |= image::ProofPrivate;
    made.address = b.getInt64(0);
    made.size =
        b.getInt64(layout.getTypeAllocSize(argument->getParamByValType()));
  } else if (Value *address = forms.launchNumber(root)) {
    made.address = address;
  } else {
    return false;
  }
  bool whole = true;
  for (Edge edge : chainTo(at.getParent(), whole))
    whole &= forms.add(edge.branch->getCondition(), edge.successor == 0,
                       edge.to(), made.deciding);
  if (whole)
    made.flags |= image::ProofWhole;
  accesses.push_back(std::move(made));
  return true;
}

/// The branches that decide whether \p block is executed, the first of them
/// first. \p whole becomes false if others do as well.
std::vector<Edge> Describer::chainTo(BasicBlock *block, bool &whole) {
  std::vector<Edge> chain;
  BasicBlock *current = block;
  for (auto *node = tree.getNode(block)->getIDom(); node;
       node = node->getIDom()) {
    BasicBlock *from = node->getBlock();
    if (postTree.dominates(current, from)) {
      // A loop around it is left at its head alone: else iterations may be
      // missing.
      continue;
    }
    auto *branch = dyn_cast<BranchInst>(from->getTerminator());
    bool found = false;
    if (branch && branch->isConditional())
      for (unsigned i = 0; i < 2 && !found; ++i) {
        Edge edge{branch, i};
        if (tree.dominates(BasicBlockEdge(from, edge.to()), block) &&
            postTree.dominates(current, edge.to())) {
          chain.push_back(edge);
          found = true;
        }
      }
    whole &= found;
    current = from;
  }
  for (const Loop *loop = loops.getLoopFor(block); loop;
       loop = loop->getParentLoop())
    whole &= loop->getExitingBlock() == loop->getHeader();
  std::reverse(chain.begin(), chain.end());
  return chain;
}

bool Describer::visitCall(CallInst &call) {
  Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  StringRef name = callee->getName();
  if (name.consume_front(image::CheckPrefix)) {
    if (!name.starts_with("bounds."))
      return name.starts_with("array.") || name.starts_with("iteration.");
    for (unsigned i = 0; i + 2 < call.arg_size(); i += 3) {
      auto index = forms.of(call.getArgOperand(i)),
           lower = forms.of(call.getArgOperand(i + 1)),
           upper = forms.of(call.getArgOperand(i + 2));
      if (!index || !lower || !upper)
        return false;
      bounds.push_back({forms.add(*index, *lower, -1), call.getParent()});
      bounds.push_back({forms.add(*upper, *index, -1), call.getParent()});
    }
    return true;
  }
  if (auto *copy = dyn_cast<MemTransferInst>(&call))
    return isa<AllocaInst>(rootOf(copy->getDest())) &&
           isa<AllocaInst, Argument>(rootOf(copy->getSource())) &&
           isa<ConstantInt>(copy->getLength());
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    if (intrinsic->isAssumeLikeIntrinsic())
      return true;
  return call.doesNotAccessMemory();
}

bool Describer::visit(Instruction &instruction) {
  const DataLayout &layout = module.getDataLayout();
  switch (waits(instruction)) {
  case Wait::No:
    break;
  case Wait::Barrier:
  case Wait::Warp:
    return true; // looked at by threadsAgree
  case Wait::Other:
    return false;
  }
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && (forms.launchValue(load) ||
                                access(*load, load->getPointerOperand(),
                                       layout.getTypeStoreSize(load->getType()),
                                       load->getAlign(), 0));
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return store->isSimple() &&
           access(*store, store->getPointerOperand(),
                  layout.getTypeStoreSize(store->getValueOperand()->getType()),
                  store->getAlign(), image::ProofWrites);
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    const bool orders =
        isStrongerThanMonotonic(update->getOrdering()) &&
        !(update->getOrdering() == AtomicOrdering::SequentiallyConsistent &&
          isFortran(kernel));
    return !update->isVolatile() && !orders &&
           !update->getMetadata(BlockScopeMetadata) &&
           access(*update, update->getPointerOperand(),
                  layout.getTypeStoreSize(update->getType()),
                  update->getAlign(), image::ProofWrites | image::ProofAtomic);
  }
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return visitCall(*call);
  if (isa<SwitchInst, BranchInst, ReturnInst, UnreachableInst>(instruction))
    return true;
  return !instruction.mayReadOrWriteMemory() && !instruction.isTerminator();
}

/// Calls \p visit for what a thread may execute from \p start on without a
/// barrier; blocks are visited once, the first also up to \p start again.
template <typename Visit>
void Describer::untilBarrier(Instruction *start, Visit visit) {
  SmallVector<Instruction *> work{start};
  SmallPtrSet<BasicBlock *, 16> seen;
  while (!work.empty()) {
    Instruction *at = work.pop_back_val();
    for (; at; at = at->getNextNode()) {
      visit(*at);
      if (waits(*at) == Wait::Barrier)
        break;
      if (!at->isTerminator())
        continue;
      for (BasicBlock *next : successors(at->getParent()))
        if (seen.insert(next).second)
          work.push_back(&next->front());
    }
  }
}

void Describer::findIntervals() {
  DenseMap<Instruction *, unsigned> numbers;
  for (auto [i, each] : enumerate(accesses))
    if (each.isShared())
      numbers[each.instruction] = i;
  SmallVector<Instruction *> starts{&kernel.getEntryBlock().front()};
  for (Instruction &instruction : instructions(kernel))
    if (waits(instruction) == Wait::Barrier)
      starts.push_back(instruction.getNextNode());
  SetVector<std::pair<unsigned, unsigned>> found;
  for (Instruction *start : starts) {
    SetVector<unsigned> together;
    untilBarrier(start, [&](Instruction &at) {
      if (auto number = numbers.find(&at); number != numbers.end())
        together.insert(number->second);
    });
    for (unsigned a : together)
      for (unsigned c : together)
        if (a <= c && accesses[a].object == accesses[c].object &&
            (accesses[a].writes() || accesses[c].writes()))
          found.insert({a, c});
  }
  pairs.assign(found.begin(), found.end());
}

/// For each read of shared memory, writes that come before it in any case.
void Describer::findCovers() {
  covers.resize(accesses.size());
  for (auto [r, read] : enumerate(accesses)) {
    if (!read.isShared() ||
        (read.writes() && !(read.flags & image::ProofAtomic)))
      continue;
    BasicBlock *at = read.instruction->getParent();
    for (auto [w, write] : enumerate(accesses)) {
      if (!write.isShared() || !write.writes() || write.object != read.object ||
          write.flags & image::ProofAtomic)
        continue;
      bool whole = true;
      std::vector<Edge> chain = chainTo(write.instruction->getParent(), whole);
      // What decides about both is decided.
      erase_if(chain, [&](const Edge &edge) {
        return tree.dominates(BasicBlockEdge(edge.from(), edge.to()), at);
      });
      Instruction *first =
          chain.empty() ? write.instruction : chain.front().branch;
      if (!whole || !tree.dominates(first, read.instruction))
        continue;
      std::vector<Condition> conditions;
      for (const Edge &edge : chain)
        whole &= forms.add(edge.branch->getCondition(), edge.successor == 0,
                           edge.to(), conditions);
      bool sameInterval = false;
      untilBarrier(write.instruction->getNextNode(), [&](Instruction &each) {
        sameInterval |= &each == read.instruction;
      });
      if (!whole || (sameInterval && !chain.empty()))
        continue;
      covers[r].push_back({unsigned(w), sameInterval, std::move(conditions)});
    }
  }
}

bool Describer::run() {
  SmallVector<BranchInst *> parting;
  if (!threadsAgree(kernel, tree, postTree, loops, waits, parting))
    return false;
  for (BranchInst *branch : parting)
    if (!forms.add(branch->getCondition(), true, branch->getSuccessor(0),
                   warps))
      return false;
  for (Instruction &instruction : instructions(kernel))
    if (!visit(instruction))
      return false;
  findIntervals();
  findCovers();
  return true;
}

uint32_t Describer::numberOf(Value *value) {
  return values.insert({value, uint32_t(values.size())}).first->second;
}

void Describer::put(const Form &form) {
  words.push_back(numberOf(form.constant));
  words.push_back(form.terms.size());
  for (auto [symbol, value] : form.terms) {
    words.push_back(symbol);
    words.push_back(numberOf(value));
  }
}

void Describer::put(ArrayRef<Condition> all) {
  words.push_back(all.size());
  for (const Condition &each : all) {
    words.push_back(each.comparison);
    put(each);
  }
}

Constant *Describer::write(Function &code) {
  // Conditions may make further symbols and limits: first all of them.
  std::vector<std::vector<Condition>> ofAccesses, ofBounds;
  for (const Access &each : accesses)
    ofAccesses.push_back(forms.conditionsOf(each.instruction->getParent()));
  for (auto &[form, block] : bounds)
    ofBounds.push_back(forms.conditionsOf(block));
  forms.finish();
  const Form zero{forms.b.getInt64(0), {}};
  words.push_back(forms.symbols.size());
  for (const Forms::Symbol &each : forms.symbols) {
    // What all threads of a block have in common between two barriers: whoever
    // has come to an access passes a barrier before the value changes.
    bool constant = each.kind == image::CheckSymbolKind::BlockBetween;
    for (const Access &access : accesses)
      if (constant && access.isShared() &&
          each.loop->contains(access.instruction))
        untilBarrier(access.instruction->getNextNode(), [&](Instruction &at) {
          constant &= &at != &each.loop->getHeader()->front();
        });
    words.push_back(unsigned(each.kind));
    words.push_back(constant ? image::ProofConstantInInterval : 0);
    put(each.low.value_or(zero));
    put(each.high.value_or(zero));
    auto load = find_if(accesses, [&](const Access &access) {
      return access.instruction == each.load;
    });
    words.push_back(each.load && load != accesses.end()
                        ? unsigned(load - accesses.begin())
                        : image::CheckProof::NoValue);
  }
  words.push_back(forms.limits.size());
  for (const Forms::Limit &each : forms.limits) {
    put(each.form);
    words.push_back(each.bits);
    words.push_back(each.symbol ? *each.symbol + 1 : 0);
    words.push_back(numberOf(each.step ? each.step : zero.constant));
    words.push_back(each.inner);
    words.push_back(each.comparison);
    put(each.conditions);
  }
  words.push_back(accesses.size());
  for (auto [i, each] : enumerate(accesses)) {
    words.push_back(each.flags);
    words.push_back(each.object);
    words.push_back(numberOf(each.address));
    words.push_back(each.size ? numberOf(each.size)
                              : image::CheckProof::NoValue);
    words.push_back(each.bytes);
    words.push_back(each.alignment);
    put(each.distance);
    put(ofAccesses[i]);
    put(each.deciding);
  }
  words.push_back(bounds.size());
  for (auto [i, each] : enumerate(bounds)) {
    put(each.first);
    put(ofBounds[i]);
  }
  words.push_back(pairs.size());
  for (auto [a, c] : pairs) {
    words.push_back(a);
    words.push_back(c);
  }
  words.push_back(count_if(accesses, [](const Access &each) {
    return each.isShared() &&
           (!each.writes() || each.flags & image::ProofAtomic);
  }));
  for (auto [i, each] : enumerate(accesses)) {
    if (!each.isShared() ||
        (each.writes() && !(each.flags & image::ProofAtomic)))
      continue;
    words.push_back(i);
    words.push_back(covers[i].size());
    for (const Cover &cover : covers[i]) {
      words.push_back(cover.write);
      words.push_back(cover.own);
      put(cover.conditions);
    }
  }
  put(warps);

  IRBuilder<> &b = forms.b;
  for (auto [value, number] : values)
    b.CreateAlignedStore(
        value,
        b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), code.getArg(2), number),
        Align(8));
  b.CreateRetVoid();
  Constant *list = ConstantDataArray::get(module.getContext(), words);
  auto *table = new GlobalVariable(module, list->getType(), /*isConstant=*/true,
                                   GlobalValue::PrivateLinkage, list,
                                   ".check.proof.words");
  return ConstantStruct::getAnon(
      {b.getInt32(values.size()), b.getInt32(words.size()), table, &code});
}

} // namespace

bool describeAccesses(Function &kernel,
                      function_ref<Wait(Instruction &)> waits) {
  Module &module = *kernel.getParent();
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&kernel, map);
  PassBuilder builder;
  RegisteredAnalyses analyses;
  analyses.registerAnalyses(builder);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.run(*copy, analyses.functions);
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0);
  auto *code =
      Function::Create(FunctionType::get(Type::getVoidTy(context),
                                         {pointer, pointer, pointer}, false),
                       GlobalValue::InternalLinkage,
                       kernel.getName() + ".check.values", &module);
  code->setDoesNotThrow();
  BasicBlock::Create(context, "", code);
  Constant *proof = nullptr;
  {
    Describer describer(*copy, *code, waits);
    if (describer.run())
      proof = describer.write(*code);
  }
  copy->eraseFromParent();
  if (!proof) {
    code->eraseFromParent();
    return false;
  }
  auto *global = new GlobalVariable(
      module, proof->getType(), /*isConstant=*/true,
      GlobalValue::ExternalLinkage, proof, kernel.getName() + ".check.proof");
  kernel.addFnAttr(ProofAttribute, global->getName());
  return true;
}

} // namespace cufort::check
