//===- DeviceIntrinsics.cpp - array intrinsics of device arrays -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/host/DeviceIntrinsics.h"
#include "compiler/lower/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cufort::lower;

std::string cufort::lower::kernelEnding(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isUnsigned() || integer.getWidth() > 64
               ? ""
               : "i" + std::to_string(integer.getWidth() / 8);
  if (auto logical = dyn_cast<fir::LogicalType>(type))
    return "l" + std::to_string(logical.getFKind());
  if (type.isF32() || type.isF64())
    return "r" + std::to_string(type.getIntOrFloatBitWidth() / 8);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::string part = kernelEnding(complex.getElementType());
    return part.empty() || part[0] != 'r' ? "" : "c" + part.substr(1);
  }
  return "";
}

bool cufort::lower::isCallOf(Operation *op, StringRef name) {
  auto call = dyn_cast<fir::CallOp>(op);
  return call && call.getCallee() &&
         call.getCallee()->getRootReference() == name;
}

Value cufort::lower::arrayOfCall(Operation *op) {
  unsigned place = 0;
  if (isCallOf(op, "_FortranANorm2Dim") || isCallOf(op, "_FortranASpread"))
    place = 1;
  else if (!isCallOf(op, "_FortranARandomNumber") &&
           !isCallOf(op, "_FortranANorm2_4") &&
           !isCallOf(op, "_FortranANorm2_8"))
    return {};
  Value array = op->getOperand(place);
  while (auto convert = array.getDefiningOp<fir::ConvertOp>()) {
    if (!isa<fir::BaseBoxType>(convert.getValue().getType()))
      break;
    array = convert.getValue();
  }
  const bool isArray = isa<fir::SequenceType>(
      hlfir::getFortranElementOrSequenceType(array.getType()));
  return isArray && isReachedByKernels(array) ? array : Value();
}

void IntrinsicRewriter::copyOperands() {
  for (OpOperand &operand : op->getOpOperands()) {
    hlfir::Entity entity{operand.get()};
    if (!entity.isVariable() || !entity.isArray() ||
        !isDeviceData(operand.get()))
      continue;
    builder.setInsertionPoint(op);
    HostCopy copy = copyToHost(builder, location, entity);
    operand.set(copy.variable);
    freeAfterUse(builder, op, copy);
  }
}

bool IntrinsicRewriter::hasKernel(Value array, StringRef categories,
                                  std::string &kind) {
  hlfir::Entity entity{array};
  if (!entity.isVariable() || !isReachedByKernels(array))
    return false;
  kind = kernelEnding(entity.getFortranElementType());
  return !kind.empty() && categories.contains(kind[0]);
}

SmallVector<Value> IntrinsicRewriter::extentsWithout(hlfir::Entity array,
                                                     int64_t dim) {
  SmallVector<Value> extents;
  for (int64_t i = 0; i != array.getRank(); ++i)
    if (i + 1 != dim)
      extents.push_back(hlfir::genExtent(location, builder, array, i));
  return extents;
}

std::optional<int64_t> IntrinsicRewriter::dimension(Value value, int64_t rank) {
  std::optional<int64_t> dim = fir::getIntIfConstant(value);
  return dim && *dim >= 1 && *dim <= rank ? dim : std::nullopt;
}

hlfir::AsExprOp
IntrinsicRewriter::resultOfCall(SmallVectorImpl<fir::BoxDimsOp> &sizes) {
  // The runtime allocates the result behind a descriptor, which is loaded once.
  Value place = op->getOperand(0);
  while (auto convert = place.getDefiningOp<fir::ConvertOp>())
    place = convert.getValue();
  SmallVector<Operation *> pending;
  for (Operation *user : place.getUsers())
    if (isa<fir::LoadOp>(user) && user->getBlock() == op->getBlock() &&
        op->isBeforeInBlock(user))
      pending.push_back(user);
  if (pending.size() != 1)
    return {};
  hlfir::AsExprOp result;
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val()->getUsers()) {
      if (isa<fir::BoxAddrOp, fir::ConvertOp, hlfir::DeclareOp>(user)) {
        pending.push_back(user);
      } else if (auto value = dyn_cast<hlfir::AsExprOp>(user)) {
        if (result && result != value)
          return {};
        result = value;
      } else if (auto size = dyn_cast<fir::BoxDimsOp>(user)) {
        if (!fir::getIntIfConstant(size.getDim()))
          return {};
        sizes.push_back(size);
      } else {
        return {};
      }
    }
  return result;
}

void IntrinsicRewriter::produceForCall(hlfir::AsExprOp result,
                                       ArrayRef<fir::BoxDimsOp> sizes,
                                       StringRef entry, ArrayRef<Value> extents,
                                       hlfir::Entity array,
                                       const std::string &kernel, int64_t dim) {
  // Nobody fills the descriptor any more.
  for (fir::BoxDimsOp size : sizes) {
    const auto which = size_t(*fir::getIntIfConstant(size.getDim()));
    size.getResult(0).replaceAllUsesWith(index(1));
    size.getResult(1).replaceAllUsesWith(extents[which]);
  }
  Operation *runtimeCall = op;
  op = result;
  produce(entry, extents, {array}, kernel, number(dim));
  runtimeCall->erase();
}

void IntrinsicRewriter::produce(StringRef entry, ArrayRef<Value> extents,
                                ArrayRef<hlfir::Entity> operands,
                                const std::string &kernel,
                                ArrayRef<Value> more) {
  auto type = cast<hlfir::ExprType>(op->getResult(0).getType());
  Type sequence =
      fir::SequenceType::get(type.getShape(), type.getElementType());
  hlfir::AssociateOp hostCopy;
  cuf::DataTransferOp transfer;
  bool onDevice = isOnlyTransferred(hostCopy, transfer);
  Value shape = builder.genShape(location, extents);
  Value memory;
  Value destination = onDevice ? destinationOf(transfer, type) : Value();
  if (destination) {
    memory = builder.createConvert(location, builder.getRefType(sequence),
                                   resultMemory(destination,
                                                builder.getRefType(sequence),
                                                shape, operands));
  } else if (onDevice) {
    SmallVector<Value> sizes;
    for (auto [i, extent] : llvm::enumerate(extents))
      if (type.getShape()[i] == hlfir::ExprType::getUnknownExtent())
        sizes.push_back(extent);
    auto device = cuf::DataAttributeAttr::get(builder.getContext(),
                                              cuf::DataAttribute::Device);
    memory = cuf::AllocOp::create(builder, location, sequence, ".device_result",
                                  "", device,
                                  /*typeparams=*/ValueRange{}, sizes);
  } else {
    memory =
        builder.createHeapTemporary(location, sequence, ".result", extents);
  }
  auto result =
      hlfir::DeclareOp::create(builder, location, memory, ".result", shape);
  SmallVector<Value> arguments = {box(result.getBase()),
                                  builder.createBool(location, onDevice)};
  for (hlfir::Entity operand : operands)
    arguments.push_back(box(operand));
  arguments.append(more.begin(), more.end());
  call(entry, {}, arguments, kernel);
  if (!onDevice) {
    replace(hlfir::AsExprOp::create(builder, location, result.getBase(),
                                    builder.createBool(location, true)));
    return;
  }
  transfer.getSrcMutable().assign(result.getBase());
  transfer.setTransferKind(cuf::DataTransferKind::DeviceDevice);
  if (destination) {
    transferFrom(result.getBase(), destination, transfer);
  } else {
    builder.setInsertionPointAfter(transfer);
    cuf::FreeOp::create(builder, location, memory,
                        cuf::DataAttributeAttr::get(
                            builder.getContext(), cuf::DataAttribute::Device));
  }
  // An operation that uses two results is among the users twice.
  llvm::SmallSetVector<Operation *, 4> ends;
  for (Operation *user : hostCopy->getUsers())
    if (user != transfer)
      ends.insert(user);
  for (Operation *end : ends)
    end->erase();
  hostCopy.erase();
  for (Operation *user :
       llvm::make_early_inc_range(op->getResult(0).getUsers())) {
    if (isa<hlfir::ShapeOfOp>(user))
      user->replaceAllUsesWith(ValueRange{shape});
    user->erase();
  }
  op->erase();
}

Value IntrinsicRewriter::destinationOf(cuf::DataTransferOp transfer,
                                       hlfir::ExprType type) {
  Value variable = transfer.getDst();
  if (!hlfir::isFortranEntity(variable) ||
      !DominanceInfo().properlyDominates(variable, op))
    return {};
  hlfir::Entity destination{variable};
  if (destination.getRank() != static_cast<int>(type.getRank()) ||
      destination.getFortranElementType() != type.getElementType())
    return {};
  return box(
      hlfir::derefPointersAndAllocatables(location, builder, destination));
}

Value IntrinsicRewriter::resultMemory(Value destination, Type address,
                                      Value shape,
                                      ArrayRef<hlfir::Entity> operands) {
  auto wanted = hlfir::DeclareOp::create(
      builder, location, builder.createNullConstant(location, address),
      ".wanted", shape);
  SmallVector<Value> arguments = {destination, box(wanted.getBase()),
                                  box(operands.front()), box(operands.back())};
  addSourceLine(builder, location, arguments);
  return callRuntime(builder, location, "__cufort_result",
                     fir::LLVMPointerType::get(builder.getI8Type()), arguments);
}

void IntrinsicRewriter::transferFrom(Value result, Value destination,
                                     cuf::DataTransferOp transfer) {
  builder.setInsertionPoint(transfer);
  SmallVector<Value> arguments = {destination, box(result)};
  addSourceLine(builder, location, arguments);
  Value elsewhere =
      callRuntime(builder, location, "__cufort_result_is_elsewhere",
                  builder.getI1Type(), arguments);
  auto copy = fir::IfOp::create(builder, location, elsewhere,
                                /*withElseRegion=*/false);
  transfer->moveBefore(copy.getThenRegion().front().getTerminator());
  builder.setInsertionPointAfter(transfer);
  arguments = {box(result)};
  addSourceLine(builder, location, arguments);
  callRuntime(builder, location, "__cufort_free_result", {}, arguments);
}

bool IntrinsicRewriter::isOnlyTransferred(hlfir::AssociateOp &hostCopy,
                                          cuf::DataTransferOp &transfer) {
  for (Operation *user : op->getResult(0).getUsers()) {
    if (isa<hlfir::ShapeOfOp, hlfir::DestroyOp>(user))
      continue;
    if (hostCopy || !(hostCopy = dyn_cast<hlfir::AssociateOp>(user)))
      return false;
  }
  if (!hostCopy)
    return false;
  for (Operation *user : hostCopy->getUsers()) {
    if (isa<hlfir::EndAssociateOp>(user))
      continue;
    if (transfer || !(transfer = dyn_cast<cuf::DataTransferOp>(user)) ||
        transfer.getTransferKind() != cuf::DataTransferKind::HostDevice ||
        transfer.getSrc() != hostCopy.getBase())
      return false;
  }
  return bool(transfer);
}

Value IntrinsicRewriter::call(StringRef entry, TypeRange results,
                              SmallVectorImpl<Value> &arguments,
                              const std::string &kernel) {
  addSourceLine(builder, location, arguments);
  auto type = FunctionType::get(builder.getContext(), {}, {});
  std::string name = "__cufort_" + kernel;
  if (!builder.getNamedFunction(name))
    builder.createFunction(location, name, type);
  arguments.push_back(raw(fir::AddrOfOp::create(
      builder, location, type, builder.getSymbolRefAttr(name))));
  return callRuntime(builder, location, entry, results, arguments);
}

namespace {

struct DeviceIntrinsics
    : public PassWrapper<DeviceIntrinsics, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceIntrinsics)
  StringRef getArgument() const override { return "lower-device-intrinsics"; }
  StringRef getDescription() const override {
    return "Compute array intrinsics of device arrays on the device";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cuf::CUFDialect, fir::FIROpsDialect,
                    func::FuncDialect, hlfir::hlfirDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> intrinsics;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (procedureAttribute(func) != cuf::ProcAttribute::Host)
        continue;
      func.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (isa<cuf::KernelOp>(op))
          return WalkResult::skip(); // Device code.
        if (arrayOfCall(op) ||
            (isa<hlfir::SumOp, hlfir::ProductOp, hlfir::MaxvalOp,
                 hlfir::MinvalOp, hlfir::MaxlocOp, hlfir::MinlocOp,
                 hlfir::CountOp, hlfir::AnyOp, hlfir::AllOp,
                 hlfir::DotProductOp, hlfir::MatmulOp, hlfir::TransposeOp,
                 hlfir::ReshapeOp>(op) &&
             llvm::any_of(op->getOperands(), [](Value operand) {
               return isReachedByKernels(operand) || isDeviceData(operand);
             })))
          intrinsics.push_back(op);
        return WalkResult::advance();
      });
    }
    fir::FirOpBuilder builder(getOperation(),
                              fir::getKindMapping(getOperation()));
    for (Operation *op : intrinsics) {
      // What these need is copied later.
      const bool isCall = isa<fir::CallOp, hlfir::ReshapeOp>(op);
      IntrinsicRewriter rewriter(builder, op);
      if (!rewriter.callKernel() && !isCall)
        rewriter.copyOperands();
    }
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createDeviceIntrinsics() {
  return std::make_unique<DeviceIntrinsics>();
}
