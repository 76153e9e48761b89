//===- ThreadLoops.cpp - loops over the threads of a block ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/Arena.h"
#include "compiler/cpu/partition/BlockRows.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "image/Image.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cufort::cpu {

BlockShape::BlockShape(Function &entry) {
  static constexpr StringRef names[] = {"nx", "ny", "nz"};
  LLVMContext &context = entry.getContext();
  IRBuilder<> b(endOfPrologue(entry));
  MDNode *empty = MDNode::get(context, {});
  Value *threads = b.getInt64(1);
  std::array<uint32_t, 3> known = blockShape(entry);
  for (unsigned i = 0; i < 3; ++i) {
    if (known[i]) {
      extent[i] = b.getInt32(known[i]);
      threads = b.CreateMul(threads, b.getInt64(known[i]));
      continue;
    }
    LoadInst *load =
        b.CreateAlignedLoad(b.getInt32Ty(),
                            b.CreateConstInBoundsGEP1_64(
                                b.getInt8Ty(), entry.getArg(LaunchArgument),
                                offsetof(image::CpuLaunch, block) + 4 * i),
                            Align(4), names[i]);
    load->setMetadata(LLVMContext::MD_invariant_load, empty);
    load->setMetadata(LLVMContext::MD_noundef, empty);
    load->setMetadata(
        LLVMContext::MD_range,
        MDBuilder(context).createRange(APInt(32, 1), APInt(32, 1025)));
    extent[i] = load;
    threads = b.CreateMul(threads, b.CreateZExt(load, b.getInt64Ty()), "",
                          /*HasNUW=*/true, /*HasNSW=*/true);
  }
  if (entry.hasFnAttribute(BlockRowsAttribute))
    extent[0] = b.CreateMul(extent[0],
                            b.CreateAdd(entry.getArg(FurtherArgument),
                                        b.getInt32(1), "", true, true),
                            "nx.row", true, true);
  constexpr uint64_t granule = image::ArenaThreadGranule;
  roundedThreads = b.CreateAnd(b.CreateNUWAdd(threads, b.getInt64(granule - 1)),
                               ~(granule - 1), "threads");
}

static constexpr StringRef LoopNames[] = {ThreadLoopMark, "cufort.threads.y",
                                          "cufort.threads.z"};

static constexpr char WarpLoopMark[] = "cufort.warps";

static bool hasLoopProperty(const Instruction &latch, StringRef property) {
  MDNode *loop = latch.getMetadata(LLVMContext::MD_loop);
  return loop && any_of(drop_begin(loop->operands()), [&](const MDOperand &o) {
           auto *node = dyn_cast<MDNode>(o);
           auto *name = node && node->getNumOperands() == 1
                            ? dyn_cast<MDString>(node->getOperand(0))
                            : nullptr;
           return name && name->getString() == property;
         });
}

bool isThreadLoop(const Instruction &latch, unsigned dimension) {
  return hasLoopProperty(latch, LoopNames[dimension]);
}

bool isWarpLoop(const Instruction &latch) {
  return hasLoopProperty(latch, WarpLoopMark);
}

PHINode *threadCounter(Loop &loop) {
  auto phis = loop.getHeader()->phis();
  if (!loop.getLoopLatch() || range_size(phis) != 1 ||
      !phis.begin()->getType()->isIntegerTy(32))
    return nullptr;
  return &*phis.begin();
}

Value *threadExtent(Loop &loop) {
  PHINode *counter = threadCounter(loop);
  if (!counter || loop.getExitingBlock() != loop.getLoopLatch())
    return nullptr;
  auto *branch = cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare || compare->getPredicate() != CmpInst::ICMP_ULT ||
      compare->getOperand(0) !=
          counter->getIncomingValueForBlock(loop.getLoopLatch()) ||
      branch->getSuccessor(0) != loop.getHeader())
    return nullptr;
  return compare->getOperand(1);
}

static void addLoopProperty(Instruction &latch, MDNode *property) {
  LLVMContext &context = latch.getContext();
  SmallVector<Metadata *> properties{nullptr};
  if (MDNode *known = latch.getMetadata(LLVMContext::MD_loop))
    append_range(properties, drop_begin(known->operands()));
  properties.push_back(property);
  MDNode *loop = MDNode::getDistinct(context, properties);
  loop->replaceOperandWith(0, loop);
  latch.setMetadata(LLVMContext::MD_loop, loop);
}

void addLoopProperty(Instruction &latch, StringRef property) {
  LLVMContext &context = latch.getContext();
  addLoopProperty(latch,
                  MDNode::get(context, {MDString::get(context, property)}));
}

void addLoopProperty(Instruction &latch, StringRef property, unsigned number) {
  LLVMContext &context = latch.getContext();
  Metadata *value = ConstantAsMetadata::get(
      ConstantInt::get(Type::getInt32Ty(context), number));
  addLoopProperty(
      latch, MDNode::get(context, {MDString::get(context, property), value}));
}

static bool isPlain(Loop &loop, unsigned mostInstructions) {
  BasicBlock *before = loop.getLoopPredecessor();
  if (!before || !before->getSingleSuccessor() || !threadExtent(loop) ||
      !loop.getExitBlock())
    return false;
  unsigned count = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (++count > mostInstructions)
        return false;
      if (any_of(instruction.users(), [&](User *user) {
            return !loop.contains(cast<Instruction>(user));
          }))
        return false;
    }
  return loop.getExitBlock()->phis().empty();
}

void forEachPlainThreadLoop(Function &entry, unsigned mostInstructions,
                            function_ref<void(Loop &, LoopInfo &)> change) {
  SmallVector<Instruction *> latches;
  for (BasicBlock &block : entry)
    if (isThreadLoop(*block.getTerminator(), 0) &&
        !isWarpLoop(*block.getTerminator()))
      latches.push_back(block.getTerminator());
  for (Instruction *latch : latches) {
    DominatorTree dominators(entry);
    LoopInfo loops(dominators);
    Loop *loop = loops.getLoopFor(latch->getParent());
    if (loop && loop->getLoopLatch() == latch->getParent() &&
        isPlain(*loop, mostInstructions))
      change(*loop, loops);
  }
}

/// Whether only \p body uses \p variable.
static bool isPrivate(AllocaInst &variable,
                      const SmallPtrSetImpl<BasicBlock *> &body) {
  return !variable.hasMetadata(ArenaMetadata) &&
         all_of(variable.users(), [&](User *user) {
           return isa<LifetimeIntrinsic>(user) ||
                  body.contains(cast<Instruction>(user)->getParent());
         });
}

SmallSetVector<AllocaInst *, 8>
privateVariables(ArrayRef<BasicBlock *> blocks) {
  SmallPtrSet<BasicBlock *, 16> body(blocks.begin(), blocks.end());
  SmallSetVector<AllocaInst *, 8> found;
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block)
      for (Value *operand : instruction.operands())
        if (auto *variable = dyn_cast<AllocaInst>(operand);
            variable && !body.contains(variable->getParent()) &&
            isPrivate(*variable, body))
          found.insert(variable);
  return found;
}

std::pair<BasicBlock *, BasicBlock *> copyThreadLoop(Loop &loop,
                                                     Value *condition,
                                                     StringRef name,
                                                     StringRef nameOfCopy) {
  BasicBlock *before = loop.getLoopPredecessor();
  LLVMContext &context = before->getContext();
  ValueToValueMapTy values;
  // What both loops used would no longer be private to either.
  for (AllocaInst *variable : privateVariables(loop.getBlocks())) {
    Instruction *copy = variable->clone();
    copy->insertAfter(variable->getIterator());
    values[variable] = copy;
  }
  SmallVector<BasicBlock *> copies;
  for (BasicBlock *block : loop.blocks()) {
    BasicBlock *copy =
        CloneBasicBlock(block, values, nameOfCopy.substr(nameOfCopy.rfind('.')),
                        block->getParent());
    values[block] = copy;
    copies.push_back(copy);
  }
  remapInstructionsInBlocks(copies, values);
  Instruction *latch =
      cast<BasicBlock>(values[loop.getLoopLatch()])->getTerminator();
  if (MDNode *properties = latch->getMetadata(LLVMContext::MD_loop)) {
    SmallVector<Metadata *> same{nullptr};
    append_range(same, drop_begin(properties->operands()));
    MDNode *own = MDNode::getDistinct(context, same);
    own->replaceOperandWith(0, own);
    latch->setMetadata(LLVMContext::MD_loop, own);
  }
  auto enter = [&](BasicBlock *header, StringRef nameOfBlock) {
    BasicBlock *block =
        BasicBlock::Create(context, nameOfBlock, before->getParent(), header);
    IRBuilder<>(block).CreateBr(header);
    for (PHINode &phi : header->phis())
      phi.replaceIncomingBlockWith(before, block);
    return block;
  };
  BasicBlock *own = enter(loop.getHeader(), name),
             *copied =
                 enter(cast<BasicBlock>(values[loop.getHeader()]), nameOfCopy);
  Instruction *jump = before->getTerminator();
  IRBuilder<>(jump).CreateCondBr(condition, own, copied);
  jump->eraseFromParent();
  return {own, copied};
}

ThreadLoops::ThreadLoops(Function &entry, const BlockShape &shape,
                         const Twine &name) {
  LLVMContext &context = entry.getContext();
  IRBuilder<> b(context);
  static constexpr StringRef axes[] = {".x", ".y", ".z"};
  BasicBlock *head[3], *ends[3];
  PHINode *counter[3];
  before = BasicBlock::Create(context, name + ".before", &entry);
  for (int i = 2; i >= 0; --i)
    head[i] = BasicBlock::Create(context, name + axes[i], &entry);
  for (int i = 0; i <= 2; ++i)
    ends[i] = BasicBlock::Create(context, name + axes[i] + ".next", &entry);
  after = BasicBlock::Create(context, name + ".after", &entry);

  b.SetInsertPoint(before);
  b.CreateBr(head[2]);
  Value *row = nullptr;
  for (int i = 2; i >= 0; --i) {
    b.SetInsertPoint(head[i]);
    counter[i] = b.CreatePHI(b.getInt32Ty(), 2, Twine("thread") + axes[i]);
    counter[i]->addIncoming(b.getInt32(0), i == 2 ? before : head[i + 1]);
    index[i] = counter[i];
    if (i == 1) {
      row =
          b.CreateAdd(b.CreateMul(counter[2], shape.extent[1], "", true, true),
                      counter[1], "", true, true);
      row = b.CreateZExt(b.CreateMul(row, shape.extent[0], "row", true, true),
                         b.getInt64Ty());
    }
    if (i == 0) {
      index[RankDimension] = b.CreateAdd(
          row, b.CreateZExt(counter[0], b.getInt64Ty()), "rank", true, true);
      cast<Instruction>(index[RankDimension])
          ->setMetadata(RankMetadata, MDNode::get(context, {}));
      b.CreateBr(ends[0]);
    } else {
      b.CreateBr(head[i - 1]);
    }
  }
  for (int i = 0; i <= 2; ++i) {
    b.SetInsertPoint(ends[i]);
    Value *next = b.CreateAdd(counter[i], b.getInt32(1), "", true, true);
    counter[i]->addIncoming(next, ends[i]);
    b.CreateCondBr(b.CreateICmpULT(next, shape.extent[i]), head[i],
                   i == 2 ? after : ends[i + 1]);
    addLoopProperty(*ends[i]->getTerminator(),
                    MDNode::get(context, MDString::get(context, LoopNames[i])));
  }
  begin = head[0];
  latch = ends[0];
  headOfY = head[1];
  nextOfY = ends[1];
  extentOfX = shape.extent[0];
}

void ThreadLoops::replaceThreadIndex(ArrayRef<BasicBlock *> blocks) {
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : make_early_inc_range(*block)) {
      int dimension = threadIndexDimension(&instruction);
      if (dimension < 0)
        continue;
      instruction.replaceAllUsesWith(index[dimension]);
      instruction.eraseFromParent();
    }
}

static bool communicates(const Instruction &instruction) {
  if (instruction.isAtomic() || instruction.isVolatile())
    return true;
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call) && !call->doesNotAccessMemory();
}

/// Whether \p instruction writes to volatile memory what was computed, just
/// before, from another element there: old programs so sum up a warp's elements
/// in global memory, too.
static bool takesFromNeighbour(Instruction &instruction) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  if (!store || !store->isVolatile())
    return false;
  const Value *place = store->getPointerOperand();
  SmallVector<const Value *> work{store->getValueOperand()};
  SmallPtrSet<const Value *, 8> seen;
  while (!work.empty()) {
    auto *found = dyn_cast<Instruction>(work.pop_back_val());
    if (!found || found->getParent() != store->getParent() ||
        isa<PHINode>(found) || !seen.insert(found).second)
      continue;
    auto *load = dyn_cast<LoadInst>(found);
    if (load && load->isVolatile() && load->getPointerOperand() != place &&
        getUnderlyingObject(load->getPointerOperand(), 0) ==
            getUnderlyingObject(place, 0))
      return true;
    if (!load)
      append_range(work, found->operand_values());
  }
  return false;
}

bool ThreadLoops::keepWarpsTogether(ArrayRef<BasicBlock *> blocks) {
  auto isVolatileShared = [](Instruction &instruction) {
    Value *pointer = getLoadStorePointerOperand(&instruction);
    return pointer && instruction.isVolatile() && isSharedMemory(*pointer);
  };
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block)
      if (isWarpOperation(instruction) || isVolatileShared(instruction) ||
          takesFromNeighbour(instruction)) {
        LLVMContext &context = before->getContext();
        addLoopProperty(
            *latch->getTerminator(),
            MDNode::get(context, MDString::get(context, WarpLoopMark)));
        return true;
      }
  return false;
}

/// Whether \p instruction may access a stack variable, which the threads share,
/// one after the other.
static bool accessesStack(const Instruction &instruction) {
  SmallVector<const Value *, 4> objects;
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    for (const Use &argument : call->args())
      if (argument->getType()->isPointerTy())
        getUnderlyingObjects(argument, objects, nullptr, 0);
  } else if (const Value *pointer = getLoadStorePointerOperand(&instruction))
    getUnderlyingObjects(pointer, objects, nullptr, 0);
  return any_of(objects, [](const Value *object) {
    auto *variable = dyn_cast<AllocaInst>(object);
    return variable && !variable->hasMetadata(ArenaMetadata);
  });
}

void ThreadLoops::markParallel(ArrayRef<BasicBlock *> blocks) {
  LLVMContext &context = before->getContext();
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block)
      if (communicates(instruction))
        return;
  MDNode *group = MDNode::getDistinct(context, {});
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block)
      if (instruction.mayReadOrWriteMemory() && !accessesStack(instruction))
        instruction.setMetadata(LLVMContext::MD_access_group, group);
  MDNode *accesses = MDNode::get(
      context, {MDString::get(context, "llvm.loop.parallel_accesses"), group});
  addLoopProperty(*latch->getTerminator(), accesses);
  addLoopProperty(
      *latch->getTerminator(),
      MDNode::get(context, {MDString::get(context, "llvm.loop.mustprogress")}));
}

} // namespace cufort::cpu
