//===- Proofs.cpp - what a kernel accesses, said before a launch ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Proofs.h"
#include "compiler/check/Agreement.h"
#include "compiler/check/Describer.h"
#include "compiler/check/Names.h"
#include "compiler/common/RegisteredAnalyses.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cufort::check {

/// Finds out what \p made is an access to, and where. False: nobody knows.
bool Describer::describe(Access &made, Value *pointer) {
  Value *root = nullptr;
  auto distance = forms.offsetOf(pointer, root);
  if (!distance)
    return false;
  made.distance = *distance;
  const DataLayout &layout = module.getDataLayout();
  IRBuilder<> &b = forms.b;
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
    // What the host may use meanwhile is known to be so by its lack of a size.
    if (!global->hasAttribute("cufort-managed"))
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
    if (made.writes())
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
  for (Edge edge : chainTo(made.instruction->getParent(), whole))
    whole &= forms.add(edge.branch->getCondition(), edge.successor == 0,
                       edge.to(), made.deciding);
  if (whole)
    made.flags |= image::ProofWhole;
  return true;
}

void Describer::access(Instruction &at, Value *pointer, Type *type,
                       Align alignment, uint32_t flags) {
  const uint64_t bytes = module.getDataLayout().getTypeStoreSize(type);
  Access made{&at,
              flags,
              0,
              nullptr,
              nullptr,
              bytes,
              alignment.value(),
              Form{forms.b.getInt64(0), {}},
              {}};
  if (describe(made, pointer))
    accesses.push_back(std::move(made));
  else if (isa<AllocaInst>(rootOf(pointer)))
    gaps |= image::GapRest;
  else
    gaps |= flags & image::ProofWrites ? image::GapReads | image::GapWrites
                                       : image::GapReads;
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

/// Subscripts with their bounds.
void Describer::visitBounds(CallInst &mark) {
  for (unsigned i = 0; i + 2 < mark.arg_size(); i += 3) {
    auto index = forms.of(mark.getArgOperand(i)),
         lower = forms.of(mark.getArgOperand(i + 1)),
         upper = forms.of(mark.getArgOperand(i + 2));
    if (!index || !lower || !upper) {
      gaps |= image::GapRest;
      continue;
    }
    bounds.push_back({forms.add(*index, *lower, -1), mark.getParent()});
    bounds.push_back({forms.add(*upper, *index, -1), mark.getParent()});
  }
}

/// Whether \p root is the thread's own, or the kernel's arguments.
static bool isOwn(const Value *root) {
  const auto *argument = dyn_cast<Argument>(root);
  return isa<AllocaInst>(root) || (argument && argument->hasByValAttr());
}

/// A copy or fill reads or writes at \p place.
void Describer::visitRange(const Value *place, uint32_t gap) {
  const Value *root = rootOf(place);
  gaps |= isa<AllocaInst>(root) || (gap == image::GapReads && isOwn(root))
              ? image::GapRest
              : gap;
}

void Describer::visitCall(CallInst &call) {
  constexpr uint32_t Any = image::GapReads | image::GapWrites;
  Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  if (name.consume_front(image::CheckPrefix)) {
    if (name.starts_with("bounds."))
      visitBounds(call);
    else if (!name.starts_with("array.") && !name.starts_with("iteration."))
      gaps |= image::GapRest;
    return;
  }
  if (auto *copy = dyn_cast<MemTransferInst>(&call)) {
    if (isa<AllocaInst>(rootOf(copy->getDest())) &&
        isOwn(rootOf(copy->getSource())) && isa<ConstantInt>(copy->getLength()))
      return;
    visitRange(copy->getSource(), image::GapReads);
    visitRange(copy->getDest(), image::GapWrites);
    return;
  }
  if (auto *fill = dyn_cast<MemSetInst>(&call))
    return visitRange(fill->getDest(), image::GapWrites);
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    if (intrinsic->isAssumeLikeIntrinsic())
      return;
  // The engine's functions reach what they are handed, the thread's own.
  if (name.starts_with("__cufort_cpu_"))
    gaps |= image::GapOrder;
  else if (!call.doesNotAccessMemory())
    gaps |= Any | image::GapOrder;
}

void Describer::visit(Instruction &instruction) {
  switch (waits(instruction)) {
  case Wait::No:
    break;
  case Wait::Barrier:
  case Wait::BarrierAnywhere:
  case Wait::Warp:
    return; // looked at by threadsAgree
  case Wait::Other:
    gaps |= image::GapOrder;
    return;
  }
  // What other threads may know by it is not in a description, nor who is meant
  // by a scope.
  const bool isOurs = !instruction.getMetadata(BlockScopeMetadata);
  const uint32_t atomic = isOurs ? image::ProofAtomic : 0;
  if (!isOurs || instruction.isVolatile())
    gaps |= image::GapOrder;
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (load->isSimple() && forms.launchValue(load))
      return;
    if (!load->isSimple())
      gaps |= image::GapOrder;
    access(*load, load->getPointerOperand(), load->getType(), load->getAlign(),
           load->isSimple() ? 0 : atomic);
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    if (!store->isSimple())
      gaps |= image::GapOrder;
    access(*store, store->getPointerOperand(),
           store->getValueOperand()->getType(), store->getAlign(),
           image::ProofWrites | (store->isSimple() ? 0 : atomic));
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    if (isStrongerThanMonotonic(update->getOrdering()) &&
        !(update->getOrdering() == AtomicOrdering::SequentiallyConsistent &&
          isFortran(kernel)))
      gaps |= image::GapOrder;
    // Who asks again and again may wait for others: that needs fibers.
    if (!update->use_empty() && loops.getLoopFor(update->getParent()))
      gaps |= image::GapOrder;
    if (!isOurs) // as a read and a write
      access(*update, update->getPointerOperand(), update->getType(),
             update->getAlign(), 0);
    access(*update, update->getPointerOperand(), update->getType(),
           update->getAlign(), image::ProofWrites | atomic);
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    gaps |= image::GapOrder;
    if (!isOurs)
      access(*exchange, exchange->getPointerOperand(),
             exchange->getNewValOperand()->getType(), exchange->getAlign(), 0);
    access(*exchange, exchange->getPointerOperand(),
           exchange->getNewValOperand()->getType(), exchange->getAlign(),
           image::ProofWrites | atomic);
  } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
    visitCall(*call);
  } else if (isa<FenceInst>(instruction)) {
    gaps |= image::GapOrder;
  } else if (instruction.mayReadOrWriteMemory()) {
    gaps |= image::GapOrder | image::GapReads | image::GapWrites;
  } else if (instruction.isTerminator() &&
             !isa<SwitchInst, BranchInst, ReturnInst, UnreachableInst>(
                 instruction)) {
    gaps |= image::GapRest;
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

uint32_t Describer::run() {
  SmallVector<BranchInst *> divergent;
  if (!threadsAgree(kernel, tree, postTree, loops, waits, divergent))
    gaps |= image::GapParting;
  warpsPart = !divergent.empty();
  for (BranchInst *branch : divergent)
    if (!forms.add(branch->getCondition(), true, branch->getSuccessor(0),
                   warps))
      gaps |= image::GapParting;
  for (Instruction &instruction : instructions(kernel))
    visit(instruction);
  findIntervals();
  findCovers();
  return gaps;
}

/// Whether \p call leads to code that may wait or ask who calls it.
static bool callsProcedure(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return !call.isInlineAsm();
  return !callee->isIntrinsic() && !callee->isDeclaration();
}

bool Describer::canRunAsLoops(bool &asks) {
  asks = false;
  if (gaps & image::GapParting || warpsPart)
    return false;
  for (Instruction &instruction : instructions(kernel)) {
    const Wait wait = waits(instruction);
    if (wait == Wait::Warp || wait == Wait::Other)
      return false;
    if (wait != Wait::No)
      continue;
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && callsProcedure(*call))
      return false;
    if (!instruction.isAtomic() && !instruction.isVolatile())
      continue;
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      pointer = update->getPointerOperand();
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      pointer = exchange->getPointerOperand();
    if (!pointer)
      continue; // a fence
    // What threads of a block learn of each other so depends on who comes
    // first; on fibers they take turns.
    const auto *variable = dyn_cast<GlobalVariable>(rootOf(pointer));
    const bool isShared = variable && variable->getAttributes()
                                              .getAttribute("cufort-variable")
                                              .getValueAsString() == "shared";
    if (isShared && (instruction.isVolatile() || !instruction.use_empty() ||
                     !isa<AtomicRMWInst>(instruction)))
      return false;
    asks |= !instruction.use_empty() &&
            loops.getLoopFor(instruction.getParent()) != nullptr;
  }
  return true;
}

void numberAccesses(Function &kernel) {
  LLVMContext &context = kernel.getContext();
  uint32_t number = 0;
  for (Instruction &instruction : instructions(kernel)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    if ((!load || !load->isSimple()) && (!store || !store->isSimple()))
      continue;
    if (isa<AllocaInst>(load ? load->getPointerOperand()
                             : store->getPointerOperand()))
      continue;
    instruction.setMetadata(
        NumberMetadata,
        MDNode::get(context, ConstantAsMetadata::get(ConstantInt::get(
                                 Type::getInt32Ty(context), number))));
    if (++number == image::CheckProof::MostNumbers)
      return;
  }
}

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
  bool isWhole = false;
  {
    Describer describer(*copy, *code, waits);
    isWhole = describer.run() == 0;
    if (bool asks; describer.canRunAsLoops(asks))
      kernel.addFnAttr(LoopsAttribute, asks ? "asks" : "");
    proof = describer.write(*code);
  }
  copy->eraseFromParent();
  auto *global = new GlobalVariable(
      module, proof->getType(), /*isConstant=*/true,
      GlobalValue::ExternalLinkage, proof, kernel.getName() + ".check.proof");
  kernel.addFnAttr(isWhole ? ProofAttribute : PartProofAttribute,
                   global->getName());
  return isWhole;
}

void useInPart(Function &kernel) {
  if (Attribute proof = kernel.getFnAttribute(ProofAttribute);
      proof.isValid()) {
    kernel.removeFnAttr(ProofAttribute);
    kernel.addFnAttr(PartProofAttribute, proof.getValueAsString());
  }
}

} // namespace cufort::check
