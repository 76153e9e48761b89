//===- LaneLoops.cpp - what many threads do one after the other -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/block/WaitLoops.h"
#include "compiler/cpu/simd/LaneCode.h"
#include "compiler/cpu/simd/VectorMath.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace cufort::cpu {

/// How many copies for single lanes a body may have.
static constexpr unsigned MostLaneCopies = 512;

void LaneCode::countLaneCopies() {
  unsigned count = 0;
  for (Instruction &instruction : instructions(*body.function)) {
    auto *update = dyn_cast<AtomicRMWInst>(&instruction);
    bool isApart = update && update->use_empty();
    if (Value *address = getLoadStorePointerOperand(&instruction)) {
      int64_t size = static_cast<int64_t>(
          layout.getTypeAllocSize(getLoadStoreType(&instruction)));
      std::optional<int64_t> step = shapes.stride(address);
      isApart = step != 0 && step != size;
    }
    if (isApart)
      count += lanes * rows;
  }
  hasLaneCopies = count <= MostLaneCopies;
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Adds what all lanes add to a variable of the block.
void LaneCode::emitCount(CallInst &count, unsigned row) {
  Value *amounts = vector(count.getArgOperand(1), row);
  if (mask)
    amounts = b.CreateSelect(mask, amounts,
                             Constant::getNullValue(amounts->getType()));
  b.CreateCall(count.getCalledFunction(), {scalar(count.getArgOperand(0), row),
                                           b.CreateAddReduce(amounts)});
}

/// Atomic updates whose results nobody reads, one after the other; if all lanes
/// come along without asking each.
void LaneCode::emitUpdates(AtomicRMWInst &update, unsigned row) {
  if (!hasLaneCopies) {
    emitLaneByLane(update, row);
    return;
  }
  Value *addresses = vector(update.getPointerOperand(), row);
  Value *values = vector(update.getValOperand(), row);
  BasicBlock *done = nullptr;
  if (mask) {
    auto block = [&](const Twine &name) {
      return BasicBlock::Create(into.getContext(), name, &into, after);
    };
    BasicBlock *all = block("update.all"), *some = block("update.some");
    done = block("update.done");
    Type *bits = b.getIntNTy(lanes);
    b.CreateCondBr(b.CreateICmpEQ(b.CreateBitCast(mask, bits),
                                  Constant::getAllOnesValue(bits)),
                   all, some);
    b.SetInsertPoint(some);
    emitLaneByLane(update, row);
    b.CreateBr(done);
    b.SetInsertPoint(all);
  }
  for (unsigned lane = 0; lane < lanes; ++lane) {
    auto *copy = cast<AtomicRMWInst>(update.clone());
    copy->setOperand(0, b.CreateExtractElement(addresses, lane));
    copy->setOperand(1, b.CreateExtractElement(values, lane));
    b.Insert(copy);
  }
  if (done) {
    b.CreateBr(done);
    b.SetInsertPoint(done);
  }
}

//===----------------------------------------------------------------------===//
// Loops over lanes
//===----------------------------------------------------------------------===//

/// i1 is kept as i8, as elsewhere in memory.
static Type *typeInMemory(Type *type) {
  return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

/// An array of an element of \p type for each lane; vectors are stored there
/// whole. Nothing in it is needed any longer when the next loop begins.
AllocaInst *LaneCode::placeFor(Type *type, unsigned number) {
  type = typeInMemory(type);
  AllocaInst *&place = places[{type, number}];
  if (!place) {
    IRBuilder<> first(&into.getEntryBlock(), into.getEntryBlock().begin());
    place = first.CreateAlloca(ArrayType::get(type, lanes), nullptr, "lanes");
    place->setAlignment(
        layout.getABITypeAlign(FixedVectorType::get(type, lanes)));
  }
  return place;
}

/// What an instruction other than the loop's own has for \p lane; in \p place
/// if neither all lanes have the same nor it grows evenly.
Value *LaneCode::operandInLane(Value *operand, unsigned row, Value *lane,
                               AllocaInst *place) {
  Type *type = operand->getType();
  if (place) {
    Type *inMemory = typeInMemory(type);
    Value *value =
        b.CreateLoad(inMemory, b.CreateInBoundsGEP(inMemory, place, lane));
    return type->isIntegerTy(1) ? b.CreateTrunc(value, type) : value;
  }
  Value *first = scalar(operand, row);
  int64_t step = *shapes.stride(operand);
  if (step == 0)
    return first;
  if (type->isPointerTy())
    return b.CreateGEP(b.getInt8Ty(), first,
                       b.CreateMul(lane, b.getInt64(step)));
  Value *number = b.CreateZExtOrTrunc(lane, type);
  return b.CreateAdd(
      first, b.CreateMul(number, ConstantInt::get(type, step, true, true)));
}

static bool isNoValueOfThreads(const Value *operand) {
  return isa<Constant, MetadataAsValue, BasicBlock>(operand);
}

struct LaneCode::LaneLoop {
  /// What of one instruction is used outside; of a structure each member.
  struct Output {
    Instruction *instruction;
    SmallVector<Type *> types;
    SmallVector<AllocaInst *> places;
  };

  LaneLoop(ArrayRef<Instruction *> instructions, unsigned row)
      : instructions(instructions), row(row) {}

  bool contains(const Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction && is_contained(instructions, instruction);
  }

  ArrayRef<Instruction *> instructions;
  unsigned row;
  DenseMap<Type *, unsigned> placesUsed;
  /// In memory; null: the same or evenly growing from lane to lane.
  DenseMap<Value *, AllocaInst *> inputs;
  AllocaInst *mask = nullptr;
  SmallVector<Output> outputs;
  PHINode *lane = nullptr;
  BasicBlock *next = nullptr, *done = nullptr;
};

AllocaInst *LaneCode::newPlace(LaneLoop &loop, Type *type) {
  return placeFor(type, loop.placesUsed[typeInMemory(type)]++);
}

/// Stores the vectors that the loop reads element by element.
void LaneCode::storeInputs(LaneLoop &loop) {
  auto store = [&](Value *values, AllocaInst *place) {
    if (values->getType()->getScalarType()->isIntegerTy(1))
      values = b.CreateZExt(values, vectorType(b.getInt8Ty()));
    b.CreateStore(values, place);
  };
  for (Instruction *instruction : loop.instructions)
    for (Value *operand : instruction->operands()) {
      if (isNoValueOfThreads(operand) || loop.inputs.contains(operand) ||
          loop.contains(operand))
        continue;
      AllocaInst *&place = loop.inputs[operand];
      if (shapes.stride(operand))
        continue;
      place = newPlace(loop, operand->getType());
      store(vector(operand, loop.row), place);
    }
  if (mask) {
    loop.mask = newPlace(loop, b.getInt1Ty());
    store(mask, loop.mask);
  }
}

void LaneCode::findOutputs(LaneLoop &loop) {
  for (Instruction *instruction : loop.instructions) {
    if (instruction->getType()->isVoidTy() ||
        (loop.instructions.size() > 1 &&
         all_of(instruction->users(),
                [&](User *user) { return loop.contains(user); })))
      continue;
    LaneLoop::Output &output = loop.outputs.emplace_back();
    output.instruction = instruction;
    if (auto *structure = dyn_cast<StructType>(instruction->getType()))
      append_range(output.types, structure->elements());
    else
      output.types.push_back(instruction->getType());
    for (Type *type : output.types)
      output.places.push_back(newPlace(loop, type));
  }
}

/// Up to where a lane that comes along has something to do.
void LaneCode::beginLane(LaneLoop &loop) {
  BasicBlock *before = b.GetInsertBlock();
  auto block = [&](const Twine &name) {
    return BasicBlock::Create(into.getContext(), name, &into, after);
  };
  BasicBlock *iteration = block("lane"), *work = block("lane.work");
  loop.next = block("lane.next");
  loop.done = block("lane.done");
  b.CreateBr(iteration);
  b.SetInsertPoint(iteration);
  loop.lane = b.CreatePHI(b.getInt64Ty(), 2, "lane");
  loop.lane->addIncoming(b.getInt64(0), before);
  if (loop.mask)
    b.CreateCondBr(
        b.CreateIsNotNull(b.CreateLoad(
            b.getInt8Ty(),
            b.CreateInBoundsGEP(b.getInt8Ty(), loop.mask, loop.lane))),
        work, loop.next);
  else
    b.CreateBr(work);
  b.SetInsertPoint(work);
}

/// The instructions for one lane, and where their values go.
void LaneCode::emitLane(LaneLoop &loop) {
  DenseMap<Value *, Value *> made;
  for (Instruction *instruction : loop.instructions) {
    Instruction *copy = instruction->clone();
    for (Use &operand : copy->operands()) {
      Value *value = operand.get();
      if (isNoValueOfThreads(value))
        continue;
      Value *&here = made[value];
      if (!here)
        here = operandInLane(value, loop.row, loop.lane,
                             loop.inputs.lookup(value));
      operand.set(here);
    }
    b.SetCurrentDebugLocation(instruction->getDebugLoc());
    b.Insert(copy);
    made[instruction] = copy;
  }
  for (const LaneLoop::Output &output : loop.outputs)
    for (auto [i, place] : enumerate(output.places)) {
      Value *value = made[output.instruction];
      if (output.instruction->getType()->isStructTy())
        value = b.CreateExtractValue(value, i);
      Type *inMemory = typeInMemory(output.types[i]);
      if (output.types[i]->isIntegerTy(1))
        value = b.CreateZExt(value, inMemory);
      b.CreateStore(value, b.CreateInBoundsGEP(inMemory, place, loop.lane));
    }
}

void LaneCode::endLane(LaneLoop &loop) {
  b.CreateBr(loop.next);
  b.SetInsertPoint(loop.next);
  Value *following = b.CreateAdd(loop.lane, b.getInt64(1), "", true, true);
  loop.lane->addIncoming(following, loop.next);
  // Copies of its iteration would gain nothing, and all that is not a vector
  // becomes such a loop.
  addLoopProperty(*b.CreateCondBr(b.CreateICmpULT(following, b.getInt64(lanes)),
                                  loop.lane->getParent(), loop.done),
                  "llvm.loop.unroll.disable");
  b.SetInsertPoint(loop.done);
}

/// Behind the loop: what the lanes have left becomes vectors again.
void LaneCode::loadOutputs(const LaneLoop &loop) {
  for (const LaneLoop::Output &output : loop.outputs) {
    Value *result = nullptr;
    for (auto [i, place] : enumerate(output.places)) {
      Type *type = output.types[i];
      Value *values = b.CreateLoad(vectorType(typeInMemory(type)), place);
      if (type->isIntegerTy(1))
        values = b.CreateTrunc(values, vectorType(type));
      if (!output.instruction->getType()->isStructTy()) {
        result = values;
        break;
      }
      if (!result)
        result = PoisonValue::get(vectorType(output.instruction->getType()));
      result = b.CreateInsertValue(result, values, i);
    }
    vectors[output.instruction].push_back(result);
  }
}

/// A loop over the lanes that come along, for what vectors cannot do. Each goes
/// through all of \p instructions, which follow each other in a block, on its
/// own. Leaves their values in vectors.
void LaneCode::emitLaneLoop(ArrayRef<Instruction *> instructions,
                            unsigned row) {
  LaneLoop loop(instructions, row);
  storeInputs(loop);
  findOutputs(loop);
  beginLane(loop);
  emitLane(loop);
  endLane(loop);
  loadOutputs(loop);
}

Value *LaneCode::emitLaneByLane(Instruction &instruction, unsigned row) {
  emitLaneLoop({&instruction}, row);
  auto found = vectors.find(&instruction);
  // emitInstruction keeps the value.
  return found == vectors.end() ? nullptr : found->second.pop_back_val();
}

/// Whether a lane may go through \p instruction and its like, one after the
/// other, before the next lane does: calls of the runtime, which do nothing
/// that other lanes of a warp in step wait for.
bool LaneCode::mayShareLaneLoop(Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && !callee->isIntrinsic() &&
         !callee->getName().starts_with("cufort.") && !isYield(*call) &&
         !isVectorMath(*call) &&
         (call->getType()->isVoidTy() || !shapes.stride(call));
}

/// Emits what may share a loop over the lanes with \p first, and what stands
/// between and only computes from what was there before; returns what follows.
BasicBlock::iterator LaneCode::emitInOneLoop(BasicBlock::iterator first) {
  SmallVector<Instruction *> calls, between;
  BasicBlock::iterator at = first, end = first;
  for (; !at->isTerminator(); ++at) {
    if (mayShareLaneLoop(*at)) {
      calls.push_back(&*at);
      end = std::next(at);
      continue;
    }
    if (at->mayReadOrWriteMemory() || at->mayHaveSideEffects() ||
        any_of(at->operands(),
               [&](Value *operand) { return is_contained(calls, operand); }))
      break;
    between.push_back(&*at);
  }
  for (Instruction *instruction : between) {
    if (!instruction->comesBefore(&*end))
      break;
    b.SetCurrentDebugLocation(instruction->getDebugLoc());
    emitInstruction(*instruction);
  }
  b.SetCurrentDebugLocation(first->getDebugLoc());
  for (unsigned row = 0; row < rows; ++row)
    emitLaneLoop(calls, row);
  return end;
}

} // namespace cufort::cpu
