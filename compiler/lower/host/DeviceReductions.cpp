//===- DeviceReductions.cpp - reductions of device arrays -----------------===//
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

namespace {

/// The whole array to one value: without a dimension, or along the only one.
template <typename Op> bool isWhole(Op reduction, Value array) {
  return !reduction.getDim() || hlfir::Entity{array}.getRank() == 1;
}

/// Whether kernels can read a mask: an array of logical values.
bool isReadable(Value mask) {
  hlfir::Entity entity{mask};
  return entity.isVariable() && entity.isArray() && isReachedByKernels(mask) &&
         isa<fir::LogicalType>(entity.getFortranElementType());
}

} // namespace

bool IntrinsicRewriter::callReduction() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](hlfir::SumOp sum) { return reduce(sum, "sum", "irc"); })
      .Case([&](hlfir::ProductOp product) {
        return reduce(product, "product", "irc");
      })
      .Case([&](hlfir::MaxvalOp max) { return reduce(max, "maxval", "ir"); })
      .Case([&](hlfir::MinvalOp min) { return reduce(min, "minval", "ir"); })
      .Case([&](hlfir::MaxlocOp max) { return locate(max, "maxloc"); })
      .Case([&](hlfir::MinlocOp min) { return locate(min, "minloc"); })
      .Case([&](hlfir::CountOp count) { return reduceMask(count); })
      .Case([&](hlfir::AnyOp any) { return reduceMask(any); })
      .Case([&](hlfir::AllOp all) { return reduceMask(all); })
      .Case([&](hlfir::DotProductOp dot) { return multiplyVectors(dot); })
      .Case([&](fir::CallOp) { return norm() || normAlong(); })
      .Default(false);
}

template <typename Op>
bool IntrinsicRewriter::reduce(Op reduction, StringRef name,
                               StringRef categories) {
  std::string kind;
  Value mask = reduction.getMask();
  if ((mask && !isReadable(mask)) ||
      !hasKernel(reduction.getArray(), categories, kind))
    return false;
  const StringRef with = mask ? "masked_" : "_";
  if (!isWhole(reduction, reduction.getArray()))
    return reduceAlong(reduction, (name + "along" + with + kind).str());
  builder.setInsertionPoint(op);
  Value result = builder.createTemporary(location, op->getResult(0).getType());
  SmallVector<Value> arguments = {raw(result), box(reduction.getArray())};
  if (mask)
    arguments.push_back(box(mask));
  call(mask ? "__cufort_reduce_masked" : "__cufort_reduce", {}, arguments,
       (name + with + kind).str());
  replace(fir::LoadOp::create(builder, location, result));
  return true;
}

/// Along one of several dimensions, of which the others' extents are the
/// result's: it must be known.
template <typename Op>
bool IntrinsicRewriter::reduceAlong(Op reduction, const std::string &kernel) {
  hlfir::Entity array{reduction.getArray()};
  auto dim = dimension(reduction.getDim(), array.getRank());
  if (!dim)
    return false;
  builder.setInsertionPoint(op);
  SmallVector<hlfir::Entity> operands = {array};
  if (Value mask = reduction.getMask())
    operands.push_back(hlfir::Entity{mask});
  produce(operands.size() == 2 ? "__cufort_reduce_along_masked"
                               : "__cufort_reduce_along",
          extentsWithout(array, *dim), operands, kernel, number(*dim));
  return true;
}

template <typename Op> bool IntrinsicRewriter::reduceMask(Op reduction) {
  std::string kind;
  Value mask = reduction.getMask();
  if (!hasKernel(mask, "l", kind))
    return false;
  constexpr bool isAll = std::is_same_v<Op, hlfir::AllOp>,
                 isCount = std::is_same_v<Op, hlfir::CountOp>;
  if (!isWhole(reduction, mask)) {
    hlfir::Entity array{mask};
    auto dim = dimension(reduction.getDim(), array.getRank());
    if (!dim)
      return false;
    builder.setInsertionPoint(op);
    Value more[] = {number(*dim), number(isCount ? 0 : isAll ? 2 : 1)};
    produce("__cufort_count_along", extentsWithout(array, *dim), {array},
            "countalong_l", more);
    return true;
  }
  builder.setInsertionPoint(op);
  SmallVector<Value> arguments = {box(mask),
                                  builder.createBool(location, isAll)};
  Value count = call("__cufort_count", {builder.getI64Type()}, arguments,
                     "count_" + kind);
  if constexpr (!isCount)
    count = arith::CmpIOp::create(
        builder, location,
        isAll ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne, count,
        builder.createIntegerConstant(location, count.getType(), 0));
  replace(builder.createConvert(location, op->getResult(0).getType(), count));
  return true;
}

template <typename Op>
bool IntrinsicRewriter::locate(Op search, StringRef name) {
  std::string kind;
  Value mask = search.getMask();
  if (search.getBack() || (mask && !isReadable(mask)) ||
      !hasKernel(search.getArray(), "ir", kind))
    return false;
  if (!isWhole(search, search.getArray()))
    return locateAlong(search, (name + "along_" + kind).str());
  builder.setInsertionPoint(op);
  hlfir::Entity array{search.getArray()};
  Type element = hlfir::getFortranElementType(op->getResult(0).getType());
  int64_t rank = array.getRank();
  bool isScalar = !isa<hlfir::ExprType>(op->getResult(0).getType());
  Value result = builder.createTemporary(
      location, isScalar ? element : fir::SequenceType::get({rank}, element));
  SmallVector<Value> arguments = {
      raw(result), number(element.getIntOrFloatBitWidth() / 8), box(array)};
  if (mask)
    arguments.push_back(box(mask));
  call(mask ? "__cufort_locate_masked" : "__cufort_locate", {}, arguments,
       (name + (mask ? "masked_" : "_") + kind).str());
  if (isScalar) {
    replace(fir::LoadOp::create(builder, location, result));
    return true;
  }
  auto subscripts = hlfir::DeclareOp::create(
      builder, location, result, ".subscripts",
      builder.genShape(location, ArrayRef<Value>{index(rank)}));
  replace(hlfir::AsExprOp::create(builder, location, subscripts.getBase()));
  return true;
}

template <typename Op>
bool IntrinsicRewriter::locateAlong(Op search, const std::string &kernel) {
  hlfir::Entity array{search.getArray()};
  auto dim = dimension(search.getDim(), array.getRank());
  const unsigned bits = hlfir::getFortranElementType(op->getResult(0).getType())
                            .getIntOrFloatBitWidth();
  if (!dim || (bits != 32 && bits != 64))
    return false;
  builder.setInsertionPoint(op);
  Value mask = search.getMask();
  if (mask)
    mask = box(mask);
  else
    mask = fir::AbsentOp::create(builder, location,
                                 fir::BoxType::get(builder.getNoneType()));
  Value more[] = {mask, number(*dim)};
  produce("__cufort_locate_along", extentsWithout(array, *dim), {array}, kernel,
          more);
  return true;
}

bool IntrinsicRewriter::multiplyVectors(hlfir::DotProductOp dot) {
  std::string left, right;
  if (!hasKernel(dot.getLhs(), "irc", left) ||
      !hasKernel(dot.getRhs(), "irc", right) || left != right || left == "i1" ||
      left == "i2")
    return false;
  builder.setInsertionPoint(op);
  Value result = builder.createTemporary(location, dot.getType());
  SmallVector<Value> arguments = {raw(result), box(dot.getLhs()),
                                  box(dot.getRhs())};
  call("__cufort_dot_product", {}, arguments, "dot_" + left);
  replace(fir::LoadOp::create(builder, location, result));
  return true;
}

/// NORM2 of a whole array.
bool IntrinsicRewriter::norm() {
  Value array = arrayOfCall(op);
  if (!array || op->getNumResults() != 1)
    return false;
  std::string kind =
      kernelEnding(hlfir::getFortranElementType(array.getType()));
  if (kind != "r4" && kind != "r8")
    return false;
  builder.setInsertionPoint(op);
  Value result = builder.createTemporary(location, op->getResult(0).getType());
  SmallVector<Value> arguments = {raw(result), box(array)};
  call("__cufort_reduce", {}, arguments, "norm_" + kind);
  replace(fir::LoadOp::create(builder, location, result));
  return true;
}

/// NORM2 along a dimension.
bool IntrinsicRewriter::normAlong() {
  Value value = arrayOfCall(op);
  if (!value || !isCallOf(op, "_FortranANorm2Dim"))
    return false;
  hlfir::Entity array{value};
  std::string kind = kernelEnding(array.getFortranElementType());
  auto dim = dimension(op->getOperand(2), array.getRank());
  SmallVector<fir::BoxDimsOp> sizes;
  hlfir::AsExprOp result = resultOfCall(sizes);
  if (!result || !dim || (kind != "r4" && kind != "r8"))
    return false;
  builder.setInsertionPoint(op);
  produceForCall(result, sizes, "__cufort_reduce_along",
                 extentsWithout(array, *dim), array, "normalong_" + kind, *dim);
  return true;
}
