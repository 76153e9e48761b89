//===- HostReads.cpp - device data that host code reads and writes --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the front end does not make a transfer of: conditions, bounds,
// subscripts, selectors, structure and array constructors, arguments of
// intrinsics, SOURCE=, RANDOM_NUMBER.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/host/HostCopies.h"
#include "compiler/lower/host/SectionArguments.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/HLFIR/HLFIRDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

enum class Use { None, Read, Write, Change };

/// What Flang's runtime does with the arrays whose descriptors it is given by
/// value; results are given by address.
Use useOfArrays(StringRef function) {
  if (!function.consume_front("_FortranA"))
    return Use::None;
  // Default values of derived types are written on the host.
  if (function == "RandomNumber" || function == "Initialize")
    return Use::Write;
  // Input may end early, or leave elements as they are.
  if (function == "ioInputDescriptor" || function == "ioInputDerivedType")
    return Use::Change;
  // Elements of the host are copied to the host's allocatable.
  if (function == "AllocatableAllocateSource" ||
      function == "PointerAllocateSource" || function == "Assign" ||
      function == "Destroy" || function == "ioOutputDescriptor" ||
      function == "ioOutputDerivedType" ||
      function == "PushArrayConstructorValue" ||
      function.starts_with("CharacterCompare"))
    return Use::Read;
  for (StringRef start :
       {"Adjust",   "Index",     "LenTrim", "Repeat",  "Scan",   "Trim",
        "Verify",   "All",       "Any",     "Count",   "Cshift", "Eoshift",
        "Findloc",  "IAll",      "IAny",    "IParity", "Matmul", "DotProduct",
        "Maxloc",   "Maxval",    "Minloc",  "Minval",  "Norm2",  "Pack",
        "Parity",   "Product",   "Reduce",  "Reshape", "Spread", "Sum",
        "Transfer", "Transpose", "Unpack"})
    if (function.starts_with(start) && !function.starts_with("Allocat"))
      return Use::Read;
  return Use::None;
}

/// What a function of Flang's runtime does with the scalars, most of them
/// characters, at the addresses that it is given.
Use useOfScalars(StringRef function) {
  if (!function.consume_front("_FortranA"))
    return Use::None;
  if (function.starts_with("ioInput"))
    return Use::Change;
  if (function.starts_with("CharacterCompareScalar") ||
      llvm::is_contained({"Index1", "LenTrim1", "Scan1", "Verify1",
                          "ioOutputAscii", "PushArrayConstructorSimpleScalar"},
                         function))
    return Use::Read;
  return Use::None;
}

class Accesses {
public:
  explicit Accesses(ModuleOp module)
      : module(module), builder(module, fir::getKindMapping(module)) {}

  void run() {
    SmallVector<Operation *> accesses;
    SmallVector<fir::StoreOp> stores;
    SmallPtrSet<Operation *, 8> packed;
    module.walk([&](Operation *op) {
      if (isa<hlfir::DeclareOp, hlfir::DesignateOp>(op) || !isHostCode(op))
        return;
      if (auto copyIn = dyn_cast<hlfir::CopyInOp>(op);
          copyIn && wantsPacking(copyIn)) {
        packed.insert(op);
        return accesses.push_back(op);
      }
      if (auto copyOut = dyn_cast<hlfir::CopyOutOp>(op);
          copyOut && packed.contains(copyOut.getWasCopied().getDefiningOp()))
        return accesses.push_back(op);
      auto assignment = dyn_cast<hlfir::AssignOp>(op);
      auto record = dyn_cast<cuf::DataTransferOp>(op);
      auto store = dyn_cast<fir::StoreOp>(op);
      if (store)
        stores.push_back(store);
      if ((assignment && (describesDeviceData(assignment.getLhs()) ||
                          isBetweenManagedArrays(assignment) ||
                          allocatesComponent(assignment))) ||
          (record && isRecordOfHost(record)) || freesOtherMemory(op) ||
          llvm::any_of(op->getOperands(),
                       [](Value operand) { return isDeviceData(operand); }))
        accesses.push_back(op);
    });
    for (fir::StoreOp store : stores)
      nameAllocator(store);
    for (Operation *op : accesses)
      if (auto load = dyn_cast<fir::LoadOp>(op))
        readScalar(load);
      else if (auto assignment = dyn_cast<hlfir::AssignOp>(op))
        transfer(assignment);
      else if (auto call = dyn_cast<fir::CallOp>(op))
        copyArguments(call);
      else if (auto record = dyn_cast<cuf::DataTransferOp>(op);
               record && isRecordOfHost(record))
        assign(record);
      else if (auto copy = dyn_cast<fir::CopyOp>(op))
        transferBytes(copy);
      else if (auto convert = dyn_cast<fir::ConvertOp>(op))
        copyTested(convert);
      else if (auto free = dyn_cast<fir::FreeMemOp>(op))
        freeWhereItLies(free);
      else if (auto copyIn = dyn_cast<hlfir::CopyInOp>(op))
        packSection(builder, copyIn);
      else if (auto copyOut = dyn_cast<hlfir::CopyOutOp>(op))
        unpackSection(builder, copyOut);
      else if (readsOperands(op))
        copyOperands(op);
  }

private:
  /// A scalar moves to a variable of its own and is loaded from there.
  void readScalar(fir::LoadOp load) {
    if (fir::isBoxAddress(load.getMemref().getType()) ||
        fir::isa_ref_type(load.getType()))
      return; // A descriptor that lies on the device: HostAccess refuses it.
    auto func = load->getParentOfType<func::FuncOp>();
    builder.setInsertionPointToStart(&func.getBody().front());
    Value local = fir::AllocaOp::create(builder, load.getLoc(), load.getType());
    builder.setInsertionPoint(load);
    cuf::DataTransferOp::create(
        builder, load.getLoc(), load.getMemref(), local,
        /*shape=*/Value(), transferKind(cuf::DataTransferKind::DeviceHost));
    load.getMemrefMutable().assign(local);
  }

  /// Whether the front end makes a transfer of an assignment between records of
  /// the host, because the right side mentions device data. Their components
  /// would not be copied.
  static bool isRecordOfHost(cuf::DataTransferOp transfer) {
    Value target = transfer.getDst();
    return hasDeviceComponents(transfer, target.getType()) &&
           !isDeviceData(target) && !isDeviceData(transfer.getSrc());
  }

  void assign(cuf::DataTransferOp transfer) {
    builder.setInsertionPoint(transfer);
    hlfir::AssignOp::create(builder, transfer.getLoc(), transfer.getSrc(),
                            transfer.getDst(),
                            fir::isBoxAddress(transfer.getDst().getType()));
    transfer.erase();
  }

  /// An array of managed memory as a whole. Kernels may still write it.
  static bool isWholeManagedArray(Value value) {
    if (!isa<fir::SequenceType>(
            hlfir::getFortranElementOrSequenceType(value.getType())))
      return false;
    if (auto memory = fir::isBoxAddress(value.getType())
                          ? memoryDescribedBy(value)
                          : memoryOf(value);
        !memory || !isReachedByBoth(*memory))
      return false;
    if (auto load = value.getDefiningOp<fir::LoadOp>())
      value = load.getMemref();
    if (auto part = value.getDefiningOp<hlfir::DesignateOp>())
      return part.getComponent() && part.getIndices().empty() &&
             !part.getComplexPart();
    return value.getDefiningOp<hlfir::DeclareOp>() != nullptr;
  }

  /// Whether \p assignment copies the bytes of one managed array to another,
  /// which is a transfer as the one to an array of the host is.
  static bool isBetweenManagedArrays(hlfir::AssignOp assignment) {
    Type left = hlfir::getFortranElementType(assignment.getLhs().getType());
    Type right = hlfir::getFortranElementType(assignment.getRhs().getType());
    return left == right &&
           !assignment.mustKeepLhsLengthInAllocatableAssignment() &&
           !fir::isPolymorphicType(assignment.getLhs().getType()) &&
           !fir::isPolymorphicType(assignment.getRhs().getType()) &&
           !fir::isRecordWithAllocatableMember(left) &&
           isWholeManagedArray(assignment.getLhs()) &&
           isWholeManagedArray(assignment.getRhs());
  }

  /// An assignment that the front end holds to be the host's.
  void transfer(hlfir::AssignOp assignment) {
    Location location = assignment.getLoc();
    nameAllocator(assignment);
    if (isBetweenManagedArrays(assignment)) {
      builder.setInsertionPoint(assignment);
      cuf::DataTransferOp::create(
          builder, location, assignment.getRhs(), assignment.getLhs(),
          /*shape=*/Value(), transferKind(cuf::DataTransferKind::DeviceDevice));
      assignment.erase();
      return;
    }
    bool toDevice = isDeviceData(assignment.getLhs()) ||
                    describesDeviceData(assignment.getLhs());
    Value source = assignment.getRhs();
    hlfir::Entity value{source};
    if (!toDevice) {
      readOperand(assignment, assignment.getRhsMutable());
      return;
    }
    builder.setInsertionPoint(assignment);
    hlfir::AssociateOp place;
    bool fromDevice = isDeviceData(source);
    if (value.isValue()) {
      place = hlfir::genAssociateExpr(location, builder, value, value.getType(),
                                      ".transfer");
      source = place.getBase();
    }
    cuf::DataTransferOp::create(
        builder, location, source, assignment.getLhs(),
        /*shape=*/place ? place.getShape() : Value(),
        transferKind(fromDevice ? cuf::DataTransferKind::DeviceDevice
                                : cuf::DataTransferKind::HostDevice));
    if (place)
      hlfir::EndAssociateOp::create(builder, location, place);
    assignment.erase();
  }

  /// Default values of a structure come from a constant of the host.
  void transferBytes(fir::CopyOp copy) {
    bool fromDevice = isDeviceData(copy.getSource());
    bool toDevice = isDeviceData(copy.getDestination());
    builder.setInsertionPoint(copy);
    cuf::DataTransferOp::create(
        builder, copy.getLoc(), copy.getSource(), copy.getDestination(),
        /*shape=*/Value(),
        transferKind(!toDevice    ? cuf::DataTransferKind::DeviceHost
                     : fromDevice ? cuf::DataTransferKind::DeviceDevice
                                  : cuf::DataTransferKind::HostDevice));
    copy.erase();
  }

  /// An allocatable argument with INTENT(OUT) is deallocated on entry, a result
  /// by the caller: the front end takes both for the host's.
  static bool freesOtherMemory(Operation *op) {
    auto free = dyn_cast<fir::FreeMemOp>(op);
    return free && memoryOf(free.getHeapref());
  }

  void freeWhereItLies(fir::FreeMemOp free) {
    builder.setInsertionPoint(free);
    SmallVector<Value> arguments = {
        rawAddress(builder, free.getLoc(), free.getHeapref()),
        builder.createIntegerConstant(
            free.getLoc(), builder.getI32Type(),
            memoryType(*memoryOf(free.getHeapref())))};
    addSourceLine(builder, free.getLoc(), arguments);
    callRuntime(builder, free.getLoc(), "_FortranACUFMemFree", {}, arguments);
    free.erase();
  }

  /// The descriptor that such an argument has then must tell ALLOCATE where to;
  /// a module variable's is also the device's.
  void nameAllocator(fir::StoreOp store) {
    auto empty = store.getValue().getDefiningOp<fir::EmboxOp>();
    if (!empty || empty.getAllocatorIdx() ||
        !isa<fir::HeapType>(empty.getMemref().getType()) ||
        !empty.getMemref().getDefiningOp<fir::ZeroOp>())
      return;
    auto memory = memoryDescribedBy(store.getMemref());
    if (!memory)
      return;
    empty.setAllocatorIdx(allocatorOf(*memory));
    builder.setInsertionPointAfter(store);
    SmallVector<Value> arguments = {
        rawAddress(builder, store.getLoc(), store.getMemref())};
    addSourceLine(builder, store.getLoc(), arguments);
    callRuntime(builder, store.getLoc(), "_FortranACUFDescriptorMoved", {},
                arguments);
  }

  /// Whether \p assignment may allocate a managed or pinned component.
  static bool allocatesComponent(hlfir::AssignOp assignment) {
    Value left = assignment.getLhs();
    auto part = left.getDefiningOp<hlfir::DesignateOp>();
    if (!part || !part.getComponent() || !assignment.isAllocatableAssignment())
      return false;
    auto memory = memoryDescribedBy(left);
    return memory && *memory != cuf::DataAttribute::Device;
  }

  /// Nothing but an ALLOCATE statement has told the descriptor where to.
  void nameAllocator(hlfir::AssignOp assignment) {
    if (!allocatesComponent(assignment))
      return;
    Location location = assignment.getLoc();
    Value left = assignment.getLhs();
    builder.setInsertionPoint(assignment);
    Value data = fir::BoxAddrOp::create(
        builder, location, fir::LoadOp::create(builder, location, left));
    builder.genIfThen(location, builder.genIsNullAddr(location, data))
        .genThen([&] {
          setAllocator(builder, location, left, *memoryDescribedBy(left));
        })
        .end();
  }

  void copyArguments(fir::CallOp call) {
    if (!call.getCallee())
      return;
    StringRef name = call.getCallee()->getRootReference().getValue();
    if (Use use = useOfScalars(name); use != Use::None)
      copyScalars(call, use);
    Use use = useOfArrays(name);
    if (use == Use::None)
      return;
    for (OpOperand &operand : call->getOpOperands())
      if (isa<fir::BaseBoxType>(operand.get().getType()) &&
          isDeviceData(operand.get())) {
        builder.setInsertionPoint(call);
        Value box = described(operand.get());
        HostCopy copy = copyToHost(builder, call.getLoc(), hlfir::Entity{box},
                                   use != Use::Write);
        operand.set(
            asType(builder, call.getLoc(), copy, operand.get().getType()));
        builder.setInsertionPointAfter(call);
        if (use != Use::Read)
          copyToDevice(builder, call.getLoc(), hlfir::Entity{box}, copy);
        fir::FreeMemOp::create(builder, call.getLoc(), copy.memory);
      }
  }

  /// The addresses of characters come without their lengths, which the variable
  /// that they are taken from has.
  void copyScalars(fir::CallOp call, Use use) {
    for (OpOperand &operand : call->getOpOperands()) {
      Value variable = operand.get();
      if (!fir::isa_ref_type(variable.getType()) || !isDeviceData(variable))
        continue;
      while (isa_and_nonnull<fir::ConvertOp, fir::UnboxCharOp, fir::BoxAddrOp>(
          variable.getDefiningOp()))
        variable = variable.getDefiningOp()->getOperand(0);
      if (!hlfir::isFortranVariableType(variable.getType()))
        continue;
      builder.setInsertionPoint(call);
      HostCopy copy =
          copyToHost(builder, call.getLoc(), hlfir::Entity{variable});
      operand.set(builder.createConvert(call.getLoc(), operand.get().getType(),
                                        copy.memory));
      builder.setInsertionPointAfter(call);
      if (use == Use::Change)
        copyToDevice(builder, call.getLoc(), hlfir::Entity{variable}, copy);
      fir::FreeMemOp::create(builder, call.getLoc(), copy.memory);
    }
  }

  /// LEN_TRIM is a loop over the characters.
  void copyTested(fir::ConvertOp convert) {
    auto array =
        dyn_cast<fir::SequenceType>(fir::unwrapRefType(convert.getType()));
    Operation *loop = convert->getParentOfType<fir::IterWhileOp>();
    Value variable = convert.getValue();
    if (!loop || !array || !isa<fir::CharacterType>(array.getEleTy()))
      return;
    while (isa_and_nonnull<fir::ConvertOp, fir::UnboxCharOp, fir::BoxAddrOp>(
        variable.getDefiningOp()))
      variable = variable.getDefiningOp()->getOperand(0);
    if (!hlfir::isFortranVariableType(variable.getType()) ||
        loop->isAncestor(variable.getParentRegion()->getParentOp()))
      return;
    builder.setInsertionPoint(loop);
    HostCopy copy =
        copyToHost(builder, loop->getLoc(), hlfir::Entity{variable});
    convert.getValueMutable().assign(copy.memory);
    builder.setInsertionPointAfter(loop);
    fir::FreeMemOp::create(builder, loop->getLoc(), copy.memory);
  }

  /// The descriptor before it was made one of no type for a call.
  static Value described(Value box) {
    while (auto convert = box.getDefiningOp<fir::ConvertOp>())
      if (isa<fir::BaseBoxType>(convert.getValue().getType()))
        box = convert.getValue();
      else
        break;
    return box;
  }

  /// Whether \p op computes from the elements of its operands.
  static bool readsOperands(Operation *op) {
    return isa_and_nonnull<hlfir::hlfirDialect>(op->getDialect()) &&
           !isa<hlfir::DeclareOp, hlfir::DesignateOp, hlfir::NoReassocOp,
                hlfir::ParentComponentOp, hlfir::GetExtentOp,
                hlfir::GetLengthOp, hlfir::ShapeOfOp, hlfir::NullOp,
                hlfir::DestroyOp, hlfir::YieldOp>(op);
  }

  void copyOperands(Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      readOperand(op, operand);
  }

  void readOperand(Operation *op, OpOperand &operand) {
    if (!isDeviceData(operand.get()) ||
        fir::isBoxAddress(operand.get().getType()))
      return;
    builder.setInsertionPoint(op);
    HostCopy copy =
        copyToHost(builder, op->getLoc(), hlfir::Entity{operand.get()});
    operand.set(asType(builder, op->getLoc(), copy, operand.get().getType()));
    freeAfterUse(builder, op, copy);
  }

  cuf::DataTransferKindAttr transferKind(cuf::DataTransferKind kind) {
    return cuf::DataTransferKindAttr::get(module.getContext(), kind);
  }

  ModuleOp module;
  fir::FirOpBuilder builder;
};

struct HostReads : public PassWrapper<HostReads, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostReads)
  StringRef getArgument() const override { return "lower-host-reads"; }
  StringRef getDescription() const override {
    return "Copy the device data that host code reads";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, cuf::CUFDialect, func::FuncDialect,
                    hlfir::hlfirDialect>();
  }
  void runOnOperation() override { Accesses(getOperation()).run(); }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createHostReads() {
  return std::make_unique<HostReads>();
}
