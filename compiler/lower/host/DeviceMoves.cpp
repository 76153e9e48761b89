//===- DeviceMoves.cpp - device arrays in other shapes --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/host/DeviceIntrinsics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cufort::lower;

/// The ending of the name of a kernel that only moves elements: their size
/// matters, a complex number is two reals. Empty if there is none.
static std::string sizeEnding(Type type) {
  const std::string kind = kernelEnding(type);
  if (kind.empty())
    return "";
  const int bytes = (kind[1] - '0') * (kind[0] == 'c' ? 2 : 1);
  return bytes == 16 ? "c8" : "i" + std::to_string(bytes);
}

bool IntrinsicRewriter::callMove() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](hlfir::MatmulOp product) { return multiply(product); })
      .Case([&](hlfir::TransposeOp change) { return transpose(change); })
      .Case([&](hlfir::ReshapeOp change) { return reshape(change); })
      .Case([&](fir::CallOp) { return fill() || spread(); })
      .Default(false);
}

bool IntrinsicRewriter::multiply(hlfir::MatmulOp product) {
  std::string left, right;
  if (!hasKernel(product.getLhs(), "irc", left) ||
      !hasKernel(product.getRhs(), "irc", right) || left != right ||
      left == "i1" || left == "i2")
    return false;
  builder.setInsertionPoint(op);
  hlfir::Entity a{product.getLhs()}, b{product.getRhs()};
  SmallVector<Value> extents;
  if (a.getRank() == 2)
    extents.push_back(hlfir::genExtent(location, builder, a, 0));
  if (b.getRank() == 2)
    extents.push_back(hlfir::genExtent(location, builder, b, 1));
  produce("__cufort_matmul", extents, {a, b}, "matmul_" + left);
  return true;
}

bool IntrinsicRewriter::transpose(hlfir::TransposeOp change) {
  hlfir::Entity array{change.getArray()};
  const std::string kind = sizeEnding(array.getFortranElementType());
  if (!array.isVariable() || !isReachedByKernels(array) || kind.empty())
    return false;
  builder.setInsertionPoint(op);
  SmallVector<Value> extents = {hlfir::genExtent(location, builder, array, 1),
                                hlfir::genExtent(location, builder, array, 0)};
  produce("__cufort_transpose", extents, {array}, "transpose_" + kind);
  return true;
}

/// Without PAD. SHAPE and ORDER are the host's.
bool IntrinsicRewriter::reshape(hlfir::ReshapeOp change) {
  hlfir::Entity array{change.getArray()};
  const std::string kind = sizeEnding(array.getFortranElementType());
  if (change.getPad() || !array.isVariable() || !isReachedByKernels(array) ||
      kind.empty() || isDeviceData(change.getShape()) ||
      (change.getOrder() && isDeviceData(change.getOrder())))
    return false;
  builder.setInsertionPoint(op);
  const int64_t rank = hlfir::Entity{op->getResult(0)}.getRank();
  // Calls use(i, integer) for the elements of a vector.
  const auto forEach = [&](Value vector, Type type, auto use) {
    hlfir::Entity entity{vector};
    hlfir::AssociateOp associate;
    if (!entity.isVariable()) {
      associate = hlfir::genAssociateExpr(location, builder, entity,
                                          entity.getType(), ".vector");
      entity = hlfir::Entity{associate.getBase()};
    }
    for (int64_t i = 0; i != rank; ++i)
      use(i, builder.createConvert(
                 location, type,
                 hlfir::loadElementAt(location, builder, entity,
                                      ValueRange{index(i + 1)})));
    if (associate)
      hlfir::EndAssociateOp::create(builder, location, associate);
  };
  SmallVector<Value> extents;
  forEach(change.getShape(), builder.getIndexType(), [&](int64_t, Value n) {
    extents.push_back(arith::MaxSIOp::create(builder, location, n, index(0)));
  });
  Value order;
  if (change.getOrder()) {
    Type integer = builder.getI64Type();
    order = builder.createTemporary(location,
                                    fir::SequenceType::get({rank}, integer));
    forEach(change.getOrder(), integer, [&](int64_t i, Value n) {
      Value place = fir::CoordinateOp::create(builder, location,
                                              builder.getRefType(integer),
                                              order, ValueRange{index(i)});
      fir::StoreOp::create(builder, location, n, place);
    });
    order = raw(order);
  } else {
    order = fir::ZeroOp::create(builder, location,
                                fir::LLVMPointerType::get(builder.getI8Type()));
  }
  produce("__cufort_reshape", extents, {array}, "permute_" + kind, order);
  return true;
}

bool IntrinsicRewriter::spread() {
  Value value = arrayOfCall(op);
  if (!value || !isCallOf(op, "_FortranASpread"))
    return false;
  hlfir::Entity array{value};
  const std::string kind = sizeEnding(array.getFortranElementType());
  auto dim = dimension(op->getOperand(2), array.getRank() + 1);
  SmallVector<fir::BoxDimsOp> sizes;
  hlfir::AsExprOp result = resultOfCall(sizes);
  if (!result || !dim || kind.empty())
    return false;
  builder.setInsertionPoint(op);
  Value copies = arith::MaxSIOp::create(
      builder, location,
      builder.createConvert(location, builder.getIndexType(),
                            op->getOperand(3)),
      index(0));
  SmallVector<Value> extents = extentsWithout(array, 0);
  extents.insert(extents.begin() + (*dim - 1), copies);
  produceForCall(result, sizes, "__cufort_spread", extents, array,
                 "spread_" + kind, *dim);
  return true;
}

/// RANDOM_NUMBER of REAL(4) or REAL(8); other kinds come from the host.
bool IntrinsicRewriter::fill() {
  Value array = arrayOfCall(op);
  if (!array || !isCallOf(op, "_FortranARandomNumber"))
    return false;
  std::string kind =
      kernelEnding(hlfir::getFortranElementType(array.getType()));
  if (kind.empty() || kind[0] != 'r')
    return false;
  builder.setInsertionPoint(op);
  SmallVector<Value> arguments = {array};
  call("__cufort_random_number", {}, arguments, "random_" + kind);
  op->erase();
  return true;
}
