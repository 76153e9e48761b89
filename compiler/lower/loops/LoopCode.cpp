//===- LoopCode.cpp - the kernel of a kernel loop -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "compiler/lower/loops/LoopOutliner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cufort::lower;

/// How large a body may be that is written twice.
static constexpr unsigned MostOperationsTwice = 150;

void LoopOutliner::emitLoops() {
  SmallVector<Value, Axes> threads = kernel.threadIndices(),
                           blockIndices = kernel.blockIndices();
  for (unsigned axis = 0; axis < axes(); ++axis) {
    AxisCode &code = axisCode[axis];
    code.thread = threads[axis];
    Value start = arith::MulIOp::create(
        device, location, kernel.extend(blockIndices[axis]), code.first);
    Value end = arith::AddIOp::create(device, location, start, code.span);
    code.end = arith::MinSIOp::create(device, location, end, code.trips);
    code.base = start;
  }
  after = kernel.addBlock();
  finishCaptures();
  if (isWorthTwice()) {
    emitFullSteps();
    device.setInsertionPointToStart(after);
    return;
  }
  // From the outermost to the innermost: header, and what follows it when the
  // loop is over.
  Block *exit = after;
  Block *nextOuter = nullptr;
  for (int axis = static_cast<int>(axes()) - 1; axis >= 0; --axis) {
    AxisCode &code = axisCode[axis];
    code.header = new Block;
    kernel.kernel.getBody().getBlocks().insert(after->getIterator(),
                                               code.header);
    Value base = code.header->addArgument(kernel.i64(), location);
    code.next = new Block;
    kernel.kernel.getBody().getBlocks().insert(after->getIterator(), code.next);
    cf::BranchOp::create(device, location, code.header, ValueRange{code.base});
    device.setInsertionPointToStart(code.header);
    Block *inside = new Block;
    kernel.kernel.getBody().getBlocks().insert(code.next->getIterator(),
                                               inside);
    cf::CondBranchOp::create(device, location, kernel.less(base, code.end),
                             inside, exit);
    code.base = base;
    device.setInsertionPointToStart(code.next);
    Value further = arith::AddIOp::create(device, location, base, code.step,
                                          arith::IntegerOverflowFlags::nsw);
    cf::BranchOp::create(device, location, code.header, ValueRange{further});
    device.setInsertionPointToStart(inside);
    exit = nextOuter = code.next;
  }
  emitGuardedBody(nextOuter);
  device.setInsertionPointToStart(after);
}

void LoopOutliner::emitGuardedBody(Block *latch) {
  Value inRange;
  for (unsigned axis = 0; axis < axes(); ++axis) {
    AxisCode &code = axisCode[axis];
    Value number = arith::AddIOp::create(device, location, code.base,
                                         kernel.extend(code.thread),
                                         arith::IntegerOverflowFlags::nsw);
    Value here = kernel.less(number, code.end);
    inRange =
        inRange
            ? arith::AndIOp::create(device, location, inRange, here).getResult()
            : here;
  }
  Block *body = insertBlock(latch);
  cf::CondBranchOp::create(device, location, inRange, body, latch);
  device.setInsertionPointToStart(body);
  emitBody(loop.getRegion(), latch);
}

Block *LoopOutliner::insertBlock(Block *before) {
  Block *block = new Block;
  kernel.kernel.getBody().getBlocks().insert(before->getIterator(), block);
  return block;
}

bool LoopOutliner::isWorthTwice() {
  // A debugger stops at one copy of a line.
  if (loop->getParentOfType<ModuleOp>()->hasAttr(DebugAttribute))
    return false;
  unsigned operations = 0;
  loop.getRegion().walk([&](Operation *) { ++operations; });
  return axes() == 1 && depth == 1 && operations <= MostOperationsTwice;
}

void LoopOutliner::emitFullSteps() {
  Region copy;
  IRMapping same;
  loop.getRegion().cloneInto(&copy, same);
  AxisCode &code = axisCode[0];
  Value threads = knownThreads ? kernel.constant64(*knownThreads)
                               : kernel.extend(kernel.blockExtents()[0]);
  Block *header = insertBlock(after), *full = insertBlock(after),
        *latch = insertBlock(after), *rest = insertBlock(after);
  Value base = header->addArgument(kernel.i64(), location);
  auto flags = arith::IntegerOverflowFlags::nsw;
  SmallVector<Value> start{code.base};
  Value steps, step;
  if (reduces()) {
    // Counted beforehand, so that LLVM can unroll the loop: many loads must
    // be on their way at the same time.
    steps = countFullSteps(threads);
    step = header->addArgument(kernel.i64(), location);
    start.push_back(kernel.constant64(0));
  }
  cf::BranchOp::create(device, location, header, start);
  device.setInsertionPointToStart(header);
  Value isFull;
  if (reduces()) {
    isFull = kernel.less(step, steps);
  } else {
    Value end = arith::AddIOp::create(device, location, base, threads, flags);
    isFull = arith::CmpIOp::create(device, location, arith::CmpIPredicate::sle,
                                   end, code.end);
  }
  cf::CondBranchOp::create(device, location, isFull, full, rest);
  code.base = base;
  device.setInsertionPointToStart(full);
  emitBody(copy, latch);
  device.setInsertionPointToStart(latch);
  SmallVector<Value> further{
      arith::AddIOp::create(device, location, base, code.step, flags)};
  if (reduces())
    further.push_back(arith::AddIOp::create(device, location, step,
                                            kernel.constant64(1), flags));
  cf::BranchOp::create(device, location, header, further);
  device.setInsertionPointToStart(rest);
  emitGuardedBody(after);
}

Value LoopOutliner::countFullSteps(Value threads) {
  AxisCode &code = axisCode[0];
  Value distance = arith::SubIOp::create(
      device, location,
      arith::SubIOp::create(device, location, code.end, code.base), threads);
  Value zero = kernel.constant64(0);
  Value isNone = kernel.less(distance, zero);
  Value steps = arith::DivUIOp::create(
      device, location,
      arith::MaxSIOp::create(device, location, distance, zero), code.step);
  steps = arith::AddIOp::create(device, location, steps, kernel.constant64(1));
  return arith::SelectOp::create(device, location, isNone, zero, steps);
}

void LoopOutliner::defineNumbers(Block &start) {
  for (unsigned level = 0; level < depth; ++level) {
    BlockArgument number = start.getArgument(level);
    unsigned inner = depth - 1 - level;
    Value lower = bringNumber(lowers[level], loop.getLowerbound()[level]);
    Value step = bringNumber(steps[level], loop.getStep()[level]);
    Value base, thread;
    if (depth > Axes && inner + 1 >= Axes) {
      base = collapsedNumber(level);
    } else {
      base = axisCode[inner].base;
      thread = axisCode[inner].thread;
    }
    // lower + step * base is the same in all threads of the block; from
    // there on nothing overflows in the loop variable's own type.
    Value scaled = arith::MulIOp::create(device, location, base, step);
    Value origin = arith::AddIOp::create(device, location, lower, scaled);
    defineNumber(number, level, origin, step, thread);
  }
}

void LoopOutliner::defineNumber(BlockArgument number, unsigned level,
                                Value origin, Value step, Value thread) {
  auto inType = [&](Type type) {
    Value value = device.createConvert(location, type, origin);
    if (!thread)
      return value;
    Type integer = type.isIndex() ? Type(device.getI64Type()) : type;
    auto flags = arith::IntegerOverflowFlags::nsw;
    Value offset = device.createConvert(location, integer, thread);
    Value factor = device.createConvert(location, integer, step);
    if (constantValue(factor) != 1)
      offset = arith::MulIOp::create(device, location, offset, factor, flags);
    value = device.createConvert(location, integer, value);
    value = arith::AddIOp::create(device, location, value, offset, flags);
    return device.createConvert(location, type, value);
  };
  for (OpOperand &use : llvm::make_early_inc_range(number.getUses())) {
    auto convert = dyn_cast<fir::ConvertOp>(use.getOwner());
    if (!convert)
      continue;
    Type type = convert.getType();
    Value value;
    if (isa<IntegerType>(type))
      value = inType(type);
    else if (isa<FloatType>(type) && reals[level].lower)
      value = realNumber(device, level, inType(device.getI64Type()), type);
    if (!value)
      continue;
    convert.replaceAllUsesWith(value);
    convert.erase();
  }
  if (!number.use_empty())
    number.replaceAllUsesWith(inType(number.getType()));
}

Value LoopOutliner::bringNumber(Value wide, Value original) {
  if (std::optional<int64_t> known = constantValue(original))
    return kernel.constant64(*known);
  if (!map.contains(wide))
    map.map(wide, kernel.addParameter(wide));
  return map.lookup(wide);
}

Value LoopOutliner::collapsedNumber(unsigned level) {
  AxisCode &code = axisCode[Axes - 1];
  Value number = arith::AddIOp::create(device, location, code.base,
                                       kernel.extend(code.thread));
  for (unsigned inner = depth - Axes; inner > level; --inner)
    number = arith::DivSIOp::create(device, location, number, count(inner));
  if (level > 0)
    number = arith::RemSIOp::create(device, location, number, count(level));
  return number;
}

Value LoopOutliner::count(unsigned level) {
  if (!map.contains(counts[level]))
    map.map(counts[level], kernel.addParameter(counts[level]));
  return map.lookup(counts[level]);
}

void LoopOutliner::limitRepeatedLoops() {
  Region &region = loop.getRegion();
  if (region.hasOneBlock())
    return;
  for (hlfir::DeclareOp variable : loopVariables) {
    if (!variable)
      continue;
    Value number;
    for (auto store : region.front().getOps<fir::StoreOp>())
      if (!number && store.getMemref() == variable.getResult(0))
        number = store.getValue();
    if (!number)
      continue;
    for (Block &block : region)
      limitLoop(block, variable, number);
  }
}

void LoopOutliner::limitLoop(Block &block, hlfir::DeclareOp variable,
                             Value number) {
  auto jump = dyn_cast<cf::BranchOp>(block.getTerminator());
  auto set = jump ? dyn_cast_or_null<fir::StoreOp>(jump->getPrevNode())
                  : fir::StoreOp();
  auto count =
      set ? dyn_cast_or_null<fir::StoreOp>(set->getPrevNode()) : fir::StoreOp();
  if (!count || set.getMemref() != variable.getResult(0) ||
      !count.getMemref().getDefiningOp<fir::AllocaOp>())
    return;
  auto head = dyn_cast<fir::LoadOp>(jump.getDest()->front());
  if (!head || head.getMemref() != count.getMemref())
    return;
  OpBuilder builder(set);
  Type type = count.getValue().getType();
  Value one = arith::ConstantOp::create(builder, location,
                                        builder.getIntegerAttr(type, 1));
  fir::StoreOp::create(builder, location, one, count.getMemref());
  fir::StoreOp::create(builder, location, number, set.getMemref());
  set.erase();
  count.erase();
}

void LoopOutliner::finishCaptures() {
  Region &region = loop.getRegion();
  // A place for each thread, not for each iteration.
  SmallVector<fir::AllocaOp> locals;
  region.walk([&](fir::AllocaOp local) {
    if (local->getNumOperands() == 0)
      locals.push_back(local);
  });
  for (fir::AllocaOp local : locals)
    local->moveBefore(kernel.entry, kernel.entry->begin());
  for (auto &[from, to] : map.getValueMap())
    replaceInside(from, to);
}

void LoopOutliner::emitBody(Region &region, Block *latch) {
  Block &start = region.front();
  defineNumbers(start);
  for (auto [value, local] : firstValues)
    fir::StoreOp::create(device, location, value, local);
  SmallVector<Operation *> ends;
  for (Block &block : region)
    if (isa<fir::FirEndOp>(block.getTerminator()))
      ends.push_back(block.getTerminator());
  for (Operation *end : ends) {
    OpBuilder builder(end);
    cf::BranchOp::create(builder, end->getLoc(), latch);
    end->erase();
  }
  // The first block continues the guard's, the others follow it.
  start.eraseArguments(0, start.getNumArguments());
  Block *body = device.getInsertionBlock();
  body->getOperations().splice(body->end(), start.getOperations());
  start.erase();
  if (!region.empty())
    kernel.kernel.getBody().getBlocks().splice(
        latch->getIterator(), region.getBlocks(), region.begin(), region.end());
}

void LoopOutliner::replaceInside(Value from, Value to) {
  from.replaceUsesWithIf(to, [&](OpOperand &use) {
    return loop->isProperAncestor(use.getOwner());
  });
}

void LoopOutliner::emitPartialResults() {
  if (!reduces())
    return;
  SmallVector<Value, Axes> extents = kernel.blockExtents(),
                           grid = kernel.gridExtents();
  Value thread = kernel.linear(kernel.threadIndices(), extents);
  Value threads = arith::MulIOp::create(
      device, location,
      arith::MulIOp::create(device, location, extents[0], extents[1]),
      extents[2]);
  if (knownThreads)
    threads = kernel.constant32(*knownThreads);
  Value blockIndex = kernel.linear(kernel.blockIndices(), grid);
  Value blockCount = arith::MulIOp::create(
      device, location,
      arith::MulIOp::create(device, location, grid[0], grid[1]), grid[2]);
  Value isFirst = arith::CmpIOp::create(
      device, location, arith::CmpIPredicate::eq, thread, kernel.constant32(0));
  for (MutableArrayRef<ReducedVariable> group : groups(knownThreads)) {
    SmallVector<KernelBuilder::Partial> partials;
    SmallVector<Value> targets;
    for (ReducedVariable &reduced : group) {
      reduced.argument = kernel.arguments.size();
      targets.push_back(
          kernel.addParameter(Value(), partialType(reduced.type), true));
      Value value = fir::LoadOp::create(device, location, reduced.local);
      partials.push_back({reduced.variable.reduction, value});
    }
    SmallVector<Value> results =
        kernel.reduceBlock(partials, thread, threads, knownThreads);
    kernel.emitIf(isFirst, [&] {
      for (auto [result, target] : llvm::zip(results, targets)) {
        Value total = fir::LoadOp::create(device, location, result);
        fir::StoreOp::create(device, location, total,
                             kernel.element(target, blockCount, blockIndex));
      }
    });
  }
}
