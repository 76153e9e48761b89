//===- Prefetch.cpp - the next block's data -------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a load in a loop over threads, its address is computed for the block with
// the next x index, once for the first thread of the row and once for the last.
// If what lies between them is what a row reads of neighbouring elements, every
// line of it is asked for:
//
//   if (last - first == (extent - 1) * size)
//     for (line = first; line <= last; line += 64) prefetch(line)
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/Prefetch.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/fission/Recompute.h"
#include "compiler/cpu/optimise/LoopPrefetch.h"
#include "compiler/cpu/partition/StrideLoops.h"
#include "image/Image.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

/// Of a cache on every x86-64 processor.
constexpr unsigned LineBytes = 64;
/// Of each loop over threads: more streams than that the processor does not
/// follow either.
constexpr unsigned MostLoads = 4;
/// Instructions to compute an address.
constexpr unsigned MostInstructions = 24;

class Prefetcher {
public:
  explicit Prefetcher(Function &entry)
      : entry(entry), dominators(entry), loops(dominators),
        b(entry.getContext()) {}
  void run();

private:
  struct Lines {
    Value *condition, *begin, *end;
  };

  bool findLoads();
  Value *nextBlock(Value *value, Value *x, bool &depends);
  std::optional<Lines> linesOf(LoadInst &load);
  void prefetch(ArrayRef<LoadInst *> loads);

  Function &entry;
  DominatorTree dominators;
  LoopInfo loops;
  IRBuilder<> b;
  SmallVector<LoadInst *> loads;

  // Of the load at hand:
  Loop *row = nullptr, *plane = nullptr, *space = nullptr;
  DenseMap<Value *, Value *> made;
};

bool isBlockIndex(Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  if (!load)
    return false;
  APInt offset(64, 0);
  auto *argument = dyn_cast<Argument>(
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          load->getDataLayout(), offset, true));
  return argument && argument->getArgNo() == BlockArgument && offset == 0;
}

/// Where \p b stands, at the end of a block: if \p condition, asks for every
/// line between the addresses \p begin and \p end, into the cache \p locality
/// (3 is the first, 2 the second).
void askForLines(IRBuilder<> &b, Value *condition, Value *begin, Value *end,
                 unsigned locality) {
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *rest = SplitBlock(before, before->getTerminator());
  BasicBlock *iteration = BasicBlock::Create(before->getContext(), "prefetch",
                                             before->getParent(), rest);
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  b.CreateCondBr(condition, iteration, rest);
  b.SetInsertPoint(iteration);
  PHINode *line = b.CreatePHI(b.getInt64Ty(), 2, "line");
  line->addIncoming(begin, before);
  b.CreateIntrinsic(Intrinsic::prefetch, {b.getPtrTy()},
                    {b.CreateIntToPtr(line, b.getPtrTy()), b.getInt32(0),
                     b.getInt32(locality), b.getInt32(1)});
  Value *next = b.CreateNUWAdd(line, b.getInt64(LineBytes));
  line->addIncoming(next, iteration);
  b.CreateCondBr(b.CreateICmpULE(next, end), iteration, rest);
  b.SetInsertPoint(rest->getTerminator());
}

/// Loads that every block executes once per thread, in nests that do nothing
/// else over and over. Nothing where there is but one nest: without a barrier
/// blocks follow each other closely.
bool Prefetcher::findLoads() {
  unsigned nests = 0;
  for (BasicBlock &block : entry) {
    if (!isThreadLoop(*block.getTerminator(), 0))
      continue;
    ++nests;
    Loop *loop = loops.getLoopFor(&block);
    if (!loop || loop->getLoopDepth() != 3 || !loop->getSubLoops().empty() ||
        loop->getLoopLatch() != &block || !threadCounter(*loop))
      continue;
    unsigned count = 0;
    for (BasicBlock *inner : loop->blocks())
      for (Instruction &instruction : *inner)
        if (auto *load = dyn_cast<LoadInst>(&instruction);
            load && load->isSimple() && count < MostLoads &&
            !load->hasMetadata(LLVMContext::MD_invariant_load)) {
          loads.push_back(load);
          ++count;
        }
  }
  return nests > 1;
}

/// What \p value is in the next block for the thread (\p x, 0, 0), computed at
/// b; null if that is not known. Sets \p depends if the block's index matters.
Value *Prefetcher::nextBlock(Value *value, Value *x, bool &depends) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return value;
  if (Value *known = made.lookup(value))
    return known;
  if (isBlockIndex(value)) {
    depends = true;
    return made[value] =
               b.CreateAdd(value, ConstantInt::get(value->getType(), 1));
  }
  if (value == threadCounter(*row))
    return x;
  if (value == threadCounter(*plane) || value == threadCounter(*space))
    return ConstantInt::get(value->getType(), 0);
  if (instruction->getParent() == &entry.getEntryBlock() &&
      !isPureArithmetic(*instruction))
    return value;
  if (!isPureArithmetic(*instruction) || made.size() > MostInstructions)
    return nullptr;
  Instruction *copy = instruction->clone();
  for (Use &operand : copy->operands()) {
    Value *other = nextBlock(operand.get(), x, depends);
    if (!other) {
      copy->deleteValue();
      return nullptr;
    }
    operand.set(other);
  }
  copy->dropPoisonGeneratingFlags();
  b.Insert(copy);
  return made[value] = copy;
}

/// What \p load reads in the next block, known at the end of the block before
/// the loops over threads; nothing if that cannot be told.
std::optional<Prefetcher::Lines> Prefetcher::linesOf(LoadInst &load) {
  row = loops.getLoopFor(load.getParent());
  plane = row->getParentLoop();
  space = plane->getParentLoop();
  BasicBlock *before = space->getLoopPreheader();
  Value *extent = threadExtent(*row);
  if (!before || !extent || !threadCounter(*plane) || !threadCounter(*space))
    return std::nullopt;
  b.SetInsertPoint(before->getTerminator());
  bool depends = false;
  auto address = [&](Value *x) -> Value * {
    made.clear();
    Value *there = nextBlock(load.getPointerOperand(), x, depends);
    return there ? b.CreatePtrToInt(there, b.getInt64Ty()) : nullptr;
  };
  Value *begin = address(b.getInt32(0));
  if (!begin || !depends)
    return std::nullopt;
  Value *last = b.CreateSub(extent, b.getInt32(1));
  Value *end = address(last);
  uint64_t size = load.getDataLayout().getTypeStoreSize(load.getType());
  Value *isRow = b.CreateICmpEQ(
      b.CreateSub(end, begin),
      b.CreateMul(b.CreateZExt(last, b.getInt64Ty()), b.getInt64(size)));
  return Lines{isRow, begin, end};
}

/// Rows of \p loads, of one nest, that follow each other in memory are asked
/// for as one: the processor sees a stream of lines where one instruction asks
/// for them, block after block, and goes on with it by itself. With an
/// instruction for each row it does not.
void Prefetcher::prefetch(ArrayRef<LoadInst *> loads) {
  SmallVector<Lines> rows;
  for (LoadInst *load : loads)
    if (std::optional<Lines> lines = linesOf(*load))
      rows.push_back(*lines);
  for (size_t i = rows.size(); i-- > 1;) {
    Lines &one = rows[i - 1], &next = rows[i];
    Value *follows =
        b.CreateAnd(b.CreateAnd(one.condition, next.condition),
                    b.CreateICmpULE(b.CreateSub(next.begin, one.end),
                                    b.getInt64(LineBytes)));
    one.end = b.CreateSelect(follows, next.end, one.end);
    next.condition = b.CreateAnd(next.condition, b.CreateNot(follows));
  }
  for (Lines &lines : rows)
    askForLines(b, lines.condition, lines.begin, lines.end, 3);
}

void Prefetcher::run() {
  if (!findLoads())
    return;
  for (size_t i = 0, end; i < loads.size(); i = end) {
    dominators.recalculate(entry);
    loops.releaseMemory();
    loops.analyze(dominators);
    Loop *nest = loops.getLoopFor(loads[i]->getParent());
    for (end = i; end < loads.size() &&
                  loops.getLoopFor(loads[end]->getParent()) == nest;)
      ++end;
    prefetch(ArrayRef(loads).slice(i, end - i));
  }
}

//===----------------------------------------------------------------------===//
// In loops that a block makes together
//===----------------------------------------------------------------------===//

/// How many iterations ahead: for a row at once, for a row thread by thread.
constexpr unsigned IterationsAhead = 2, ThreadIterationsAhead = 3;
/// The largest row, in instructions, that is written out for a line.
constexpr unsigned MostInRow = 32;

/// Before each row of threads in an iteration of a loop made by
/// cpu-stride-loops, the row's part of a later iteration is asked for.
class IterationPrefetcher {
public:
  explicit IterationPrefetcher(Function &entry)
      : entry(entry), dominators(entry), loops(dominators),
        b(entry.getContext()) {}
  void run();

private:
  Value *later(Value *value, Value *x, unsigned ahead);
  Value *addressOf(LoadInst &load, Value *x, unsigned ahead);
  void askThread(Value *pays, Value *begin, unsigned threads);
  void prefetch(LoadInst &load);

  Function &entry;
  DominatorTree dominators;
  LoopInfo loops;
  IRBuilder<> b;

  // Of the load at hand:
  Loop *row = nullptr, *iterations = nullptr;
  bool depends = false;
  DenseMap<Value *, Value *> made;
};

/// What \p value will be \p ahead iterations later for the thread whose index
/// is \p x; null if that is not known.
Value *IterationPrefetcher::later(Value *value, Value *x, unsigned ahead) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !iterations->contains(instruction))
    return value;
  if (value == threadCounter(*row))
    return x;
  if (Value *known = made.lookup(value))
    return known;
  if (auto *phi = dyn_cast<PHINode>(value)) {
    Value *step = nullptr;
    if (phi->getParent() != iterations->getHeader())
      return row->contains(phi) ? nullptr : value;
    if (!iterations->getLoopLatch() ||
        !match(phi->getIncomingValueForBlock(iterations->getLoopLatch()),
               m_c_Add(m_Specific(phi), m_Value(step))))
      return nullptr;
    step = later(step, x, ahead);
    depends = true;
    return step ? made[value] = b.CreateAdd(
                      phi, b.CreateMul(
                               step, ConstantInt::get(step->getType(), ahead)))
                : nullptr;
  }
  if (!isPureArithmetic(*instruction) || made.size() > MostInstructions)
    return nullptr;
  Instruction *copy = instruction->clone();
  for (Use &operand : copy->operands()) {
    Value *other = later(operand.get(), x, ahead);
    if (!other) {
      copy->deleteValue();
      return nullptr;
    }
    operand.set(other);
  }
  copy->dropPoisonGeneratingFlags();
  b.Insert(copy);
  return made[value] = copy;
}

Value *IterationPrefetcher::addressOf(LoadInst &load, Value *x,
                                      unsigned ahead) {
  made.clear();
  Value *address = later(load.getPointerOperand(), x, ahead);
  return address ? b.CreatePtrToInt(address, b.getInt64Ty()) : nullptr;
}

/// Whether \p row is not made vector code: it has atomic operations.
bool staysScalar(const Loop &row) {
  return row.isInnermost() &&
         !isWarpLoop(*row.getLoopLatch()->getTerminator()) &&
         any_of(row.blocks(), [](BasicBlock *block) {
           return any_of(*block, [](Instruction &instruction) {
             return isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction);
           });
         });
}

/// Every thread whose index is a multiple of \p threads asks for the line that
/// its neighbours and it read of what lies at \p begin, if \p pays. Spread over
/// the row, the requests do not wait for each other.
void IterationPrefetcher::askThread(Value *pays, Value *begin,
                                    unsigned threads) {
  PHINode *x = threadCounter(*row);
  Value *start = x->getIncomingValueForBlock(row->getLoopPredecessor());
  Instruction *work = &*row->getHeader()->getFirstInsertionPt();
  unsigned instructions = 0;
  for (BasicBlock *block : row->blocks())
    instructions += block->size();
  if (instructions <= MostInRow) // then the condition is known
    addLoopProperty(*row->getLoopLatch()->getTerminator(),
                    "llvm.loop.unroll.count", threads);
  auto number = [&](uint64_t n) { return ConstantInt::get(x->getType(), n); };
  b.SetInsertPoint(work);
  Value *asks = b.CreateAnd(
      pays, b.CreateICmpEQ(b.CreateAnd(x, number(threads - 1)), number(0)));
  b.SetInsertPoint(SplitBlockAndInsertIfThen(asks, work->getIterator(), false));
  Value *bytes =
      b.CreateMul(b.CreateZExt(b.CreateSub(x, start), b.getInt64Ty()),
                  b.getInt64(LineBytes / threads));
  b.CreateIntrinsic(Intrinsic::prefetch, {b.getPtrTy()},
                    {b.CreateIntToPtr(b.CreateAdd(begin, bytes), b.getPtrTy()),
                     b.getInt32(0), b.getInt32(2), b.getInt32(1)});
}

void IterationPrefetcher::prefetch(LoadInst &load) {
  row = loops.getLoopFor(load.getParent());
  iterations = strideLoopAround(*row);
  BasicBlock *before = row->getLoopPredecessor();
  Value *extent = threadExtent(*row);
  if (!iterations || !before || !extent ||
      before->getSingleSuccessor() != row->getHeader())
    return;
  b.SetInsertPoint(before->getTerminator());
  Value *start = threadCounter(*row)->getIncomingValueForBlock(before);
  depends = false;
  uint64_t size = load.getDataLayout().getTypeStoreSize(load.getType());
  bool byThread = staysScalar(*row) && isPowerOf2_64(size) && size < LineBytes;
  unsigned ahead = byThread ? ThreadIterationsAhead : IterationsAhead;
  Value *begin = addressOf(load, start, ahead);
  if (!begin || !depends)
    return;
  Value *now = addressOf(load, start, 0);
  Value *end = addressOf(load, b.CreateSub(extent, b.getInt32(1)), ahead);
  Value *bytes =
      b.CreateMul(b.CreateZExt(b.CreateSub(extent, start), b.getInt64Ty()),
                  b.getInt64(size));
  // Rows that follow each other in memory are the processor's own business: it
  // reads ahead of them with more lines at a time than a program can ask for.
  Value *pays =
      b.CreateAnd(b.CreateICmpULT(b.CreateSub(end, begin), bytes),
                  b.CreateICmpNE(b.CreateSub(begin, now),
                                 b.CreateMul(bytes, b.getInt64(ahead))));
  // Into the second cache: more lines can be in flight to it than to the
  // first, and little is done in an iteration while they are.
  if (byThread)
    askThread(pays, begin, LineBytes / size);
  else
    askForLines(b, pays, begin, end, 2);
}

void IterationPrefetcher::run() {
  SmallVector<LoadInst *> loads;
  for (BasicBlock *exiting : strideLoops(entry)) {
    Loop *around = loops.getLoopFor(exiting);
    if (!around)
      continue;
    unsigned count = 0;
    for (BasicBlock *block : around->blocks())
      for (Instruction &instruction : *block)
        if (auto *load = dyn_cast<LoadInst>(&instruction);
            load && load->isSimple() && count < MostLoads &&
            strideLoopAround(*loops.getLoopFor(block)) == around &&
            isDoneInEachIteration(*load, *loops.getLoopFor(block),
                                  dominators)) {
          loads.push_back(load);
          ++count;
        }
  }
  for (LoadInst *load : loads) {
    dominators.recalculate(entry);
    loops.releaseMemory();
    loops.analyze(dominators);
    prefetch(*load);
  }
}

} // namespace

Error prefetchPieces(Module &module, const CpuOptions &options) {
  if (options.optLevel >= 2)
    for (Function *entry : entries(module, "block")) {
      Prefetcher(*entry).run();
      IterationPrefetcher(*entry).run();
    }
  return Error::success();
}

} // namespace cufort::cpu
