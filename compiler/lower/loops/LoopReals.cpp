//===- LoopReals.cpp - kernel loops with real loop variables --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// do x = first, last, step runs max(0, int((last - first + step) / step))
// times. The front end makes integers of the three. Here the loop counts the
// iterations; the variable is first + iteration * step, which a sequential loop
// would reach by adding.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/LoopOutliner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cufort::lower;

/// A limit before it was made an integer, as \p type.
static Value realLimit(fir::FirOpBuilder &builder, Location location,
                       Value limit, Type type) {
  if (auto convert = limit.getDefiningOp<fir::ConvertOp>())
    limit = convert.getValue();
  return builder.createConvert(location, type, limit);
}

void LoopOutliner::countRealLoops() {
  reals.assign(depth, {});
  for (unsigned level = 0; level < depth; ++level) {
    if (!loopVariables[level])
      continue;
    auto type = dyn_cast<FloatType>(
        fir::unwrapRefType(loopVariables[level].getMemref().getType()));
    if (!type)
      continue;
    auto limit = [&](Value value) {
      return realLimit(host, location, value, type);
    };
    Value lower = limit(loop.getLowerbound()[level]);
    Value upper = limit(loop.getUpperbound()[level]);
    Value step = limit(loop.getStep()[level]);
    Value count = arith::SubFOp::create(host, location, upper, lower);
    count = arith::AddFOp::create(host, location, count, step);
    count = arith::DivFOp::create(host, location, count, step);
    // Where there is no number in the quotient, there is no iteration.
    count = host.createConvert(location, host.getI64Type(), count);
    Value last = arith::SubIOp::create(host, location, count, constant64(1));
    auto index = [&](Value value) {
      return host.createConvert(location, host.getIndexType(), value);
    };
    loop.getLowerboundMutable().slice(level, 1).assign(index(constant64(0)));
    loop.getUpperboundMutable().slice(level, 1).assign(index(last));
    loop.getStepMutable().slice(level, 1).assign(index(constant64(1)));
    reals[level] = {lower, step};
  }
}

Value LoopOutliner::realNumber(fir::FirOpBuilder &builder, unsigned level,
                               Value iteration, Type type) {
  auto here = [&](Value limit) {
    return builder.getInsertionBlock()->getParentOp() == kernel.kernel
               ? map.lookup(limit)
               : limit;
  };
  Value number = builder.createConvert(location, type, iteration);
  number =
      arith::MulFOp::create(builder, location, number, here(reals[level].step));
  return arith::AddFOp::create(builder, location, here(reals[level].lower),
                               number);
}
