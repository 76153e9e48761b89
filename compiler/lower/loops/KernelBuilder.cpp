//===- KernelBuilder.cpp - a kernel while it is being made ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace cufort::lower;

Value KernelBuilder::addParameter(Value argument, Type type,
                                  bool isDeviceData) {
  arguments.push_back(argument);
  deviceData.push_back(isDeviceData);
  return entry->addArgument(type, location);
}

void KernelBuilder::finish() {
  kernel.setFunctionType(
      builder.getFunctionType(entry->getArgumentTypes(), {}));
  for (unsigned index = 0; index < deviceData.size(); ++index)
    if (deviceData[index])
      kernel.setArgAttr(index, cuf::getDataAttrName(),
                        cuf::DataAttributeAttr::get(
                            builder.getContext(), cuf::DataAttribute::Device));
}

SmallVector<Value, Axes> KernelBuilder::threadIndices() {
  return readRegisters<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp,
                       NVVM::ThreadIdZOp>();
}

SmallVector<Value, Axes> KernelBuilder::blockIndices() {
  return readRegisters<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>();
}

SmallVector<Value, Axes> KernelBuilder::blockExtents() {
  return readRegisters<NVVM::BlockDimXOp, NVVM::BlockDimYOp,
                       NVVM::BlockDimZOp>();
}

SmallVector<Value, Axes> KernelBuilder::gridExtents() {
  return readRegisters<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>();
}

Value KernelBuilder::linear(ArrayRef<Value> indices, ArrayRef<Value> extents) {
  Value result = indices[Axes - 1];
  for (int axis = Axes - 2; axis >= 0; --axis) {
    result = arith::MulIOp::create(builder, location, result, extents[axis]);
    result = arith::AddIOp::create(builder, location, result, indices[axis]);
  }
  return result;
}

Value KernelBuilder::element(Value array, Value extent, Value index) {
  auto type =
      cast<fir::SequenceType>(fir::unwrapRefType(array.getType())).getEleTy();
  Type indexType = builder.getIndexType();
  Value shape = fir::ShapeOp::create(
      builder, location, builder.createConvert(location, indexType, extent));
  Value one = builder.createIntegerConstant(location, indexType, 1);
  Value position = arith::AddIOp::create(
      builder, location, builder.createConvert(location, indexType, index),
      one);
  return fir::ArrayCoorOp::create(
      builder, location, builder.getRefType(type), array, shape,
      /*slice=*/Value(), ValueRange{position}, ValueRange{});
}

Block *KernelBuilder::addBlock() {
  Block *block = new Block;
  kernel.getBody().push_back(block);
  return block;
}

Value KernelBuilder::less(Value a, Value b) {
  return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt, a,
                               b);
}

SmallVector<Value> KernelBuilder::reduceBlock(ArrayRef<Partial> partials,
                                              Value thread, Value threads,
                                              std::optional<int64_t> known) {
  const int64_t places = known.value_or(MaxThreads);
  Value extent = constant64(places);
  SmallVector<Value> arrays, mine;
  if (!sharedArrays.empty())
    barrier(); // the results before have been read
  for (auto [number, partial] : llvm::enumerate(partials)) {
    arrays.push_back(sharedArray(partial.value.getType(), places, number));
    mine.push_back(element(arrays.back(), extent, thread));
    fir::StoreOp::create(builder, location, partial.value, mine.back());
  }
  barrier();
  if (places == 1)
    return mine;
  Block *header = addBlock(), *round = addBlock(), *finished = addBlock();
  Value half = header->addArgument(builder.getI32Type(), location);
  cf::BranchOp::create(
      builder, location, header,
      ValueRange{constant32(int64_t(llvm::bit_floor(uint64_t(places - 1))))});
  builder.setInsertionPointToStart(header);
  cf::CondBranchOp::create(builder, location, less(constant32(0), half), round,
                           finished);
  builder.setInsertionPointToStart(round);
  Value other = arith::AddIOp::create(builder, location, thread, half);
  Value takes = arith::AndIOp::create(builder, location, less(thread, half),
                                      less(other, threads));
  emitIf(takes, [&] {
    for (auto [number, partial] : llvm::enumerate(partials)) {
      Value a = fir::LoadOp::create(builder, location, mine[number]);
      Value b = fir::LoadOp::create(builder, location,
                                    element(arrays[number], extent, other));
      Value both =
          createCombination(builder, location, partial.reduction, a, b);
      fir::StoreOp::create(builder, location, both, mine[number]);
    }
  });
  barrier();
  Value next = arith::ShRUIOp::create(builder, location, half, constant32(1));
  cf::BranchOp::create(builder, location, header, ValueRange{next});
  builder.setInsertionPointToStart(finished);
  return mine;
}

Value KernelBuilder::sharedArray(Type type, int64_t places, unsigned number) {
  auto [it, isNew] = sharedArrays.try_emplace({type, number}, Value());
  if (isNew) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    std::string name = "partial" + std::to_string(sharedArrays.size());
    auto array = cuf::SharedMemoryOp::create(
        builder, location, fir::SequenceType::get({places}, type), name, name);
    it->second = array.getPtr();
  }
  return it->second;
}
