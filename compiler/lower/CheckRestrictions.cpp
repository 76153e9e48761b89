//===- CheckRestrictions.cpp - what is legal on one side only -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Restrictions of CUDA Fortran that the front end lets pass and that would be
// a wrong result or a crash at run time.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

constexpr StringRef BuiltinVariable = "_QM__fortran_builtinsE__builtin_";

std::string userName(StringRef symbol) {
  return fir::NameUniquer::deconstruct(symbol).second.name;
}

/// What a call of the host's Fortran runtime stands for, where device code can
/// have no version of it.
StringRef hostService(StringRef name) {
  if (!name.consume_front("_FortranA"))
    return {};
  if (name.starts_with("Pause"))
    return "PAUSE";
  if (name.starts_with("ExecuteCommandLine"))
    return "execute_command_line";
  if (name.starts_with("GetCommand") || name.starts_with("ArgumentCount"))
    return "the command line";
  if (name.starts_with("GetEnv") || name.starts_with("SetEnv"))
    return "the environment";
  return {};
}

struct CheckRestrictions
    : public PassWrapper<CheckRestrictions, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckRestrictions)
  StringRef getArgument() const override { return "lower-check-restrictions"; }
  StringRef getDescription() const override {
    return "Diagnose what is legal on the other side only";
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (Operation &op : *getOperation().getBody()) {
      if (auto global = dyn_cast<fir::GlobalOp>(op))
        checkGlobal(global);
      auto func = dyn_cast<func::FuncOp>(op);
      if (!func || func.isDeclaration())
        continue;
      if (isKernel(func))
        checkDummies(func);
      func.walk([&](Operation *inner) {
        if (isHostCode(inner))
          checkHost(inner, symbols);
        else if (runsOnDevice(func))
          checkDevice(inner, symbols);
        else
          checkLoop(inner, symbols);
      });
    }
    if (!legal)
      signalPassFailure();
  }

private:
  void refuse(Location location, const Twine &message) {
    emitError(location) << message.str();
    legal = false;
  }

  void checkGlobal(fir::GlobalOp global) {
    if (global.getDataAttr() == cuf::DataAttribute::Shared)
      refuse(global.getLoc(),
             "shared variable '" + userName(global.getSymName()) +
                 "' may not be saved or initialised: shared memory lives as "
                 "long as the thread block; assign its first value in the "
                 "kernel");
  }

  static bool has(hlfir::DeclareOp dummy, fir::FortranVariableFlagsEnum flag) {
    auto attributes = dummy.getFortranAttrs();
    return attributes && bitEnumContainsAny(*attributes, flag);
  }

  /// What a launch can hand over (guide 3.2.4): addresses of device data, and
  /// bytes whose number is known.
  void checkDummies(func::FuncOp kernel) {
    for (BlockArgument dummy : kernel.getArguments())
      if (isa<fir::BoxProcType, FunctionType>(
              fir::unwrapRefType(dummy.getType())))
        refuse(kernel.getLoc(),
               "kernel '" + userName(kernel.getName()) +
                   "' may not have a dummy procedure or a procedure pointer as "
                   "its argument: the host does not know where procedures of "
                   "the device are; pass a number, and choose between the "
                   "procedures in the kernel");
    kernel.walk([&](hlfir::DeclareOp dummy) {
      if (!dummy.getDummyScope())
        return;
      if (has(dummy, fir::FortranVariableFlagsEnum::optional) &&
          (has(dummy, fir::FortranVariableFlagsEnum::value) ||
           isa<fir::BaseBoxType>(
               fir::unwrapRefType(dummy.getMemref().getType()))))
        refuse(dummy.getLoc(),
               "'" + nameOf(dummy) +
                   "' is OPTIONAL, but only scalars and arrays of explicit "
                   "shape or assumed size in device memory may be optional in "
                   "a kernel: write another kernel for launches without it");
      auto array = dyn_cast<fir::SequenceType>(
          hlfir::getFortranElementOrSequenceType(dummy.getResult(0).getType()));
      if (!array || !has(dummy, fir::FortranVariableFlagsEnum::value))
        return;
      if (array.hasDynamicExtents() ||
          isa<fir::CharacterType>(array.getEleTy()))
        refuse(dummy.getLoc(),
               "'" + nameOf(dummy) +
                   "' is an array with the attribute VALUE, but in a kernel "
                   "such an array must have constant extents and may not be of "
                   "type character: leave VALUE out and pass an array in "
                   "device memory");
    });
  }

  void checkHost(Operation *op, SymbolTable &symbols) {
    if (auto declare = dyn_cast<hlfir::DeclareOp>(op);
        declare && !declare->use_empty()) {
      auto address = declare.getMemref().getDefiningOp<fir::AddrOfOp>();
      StringRef symbol =
          address ? address.getSymbol().getRootReference().getValue() : "";
      if (symbol.consume_front(BuiltinVariable))
        refuse((*declare->user_begin())->getLoc(),
               "'" + symbol +
                   "' is available in device code only; the host knows the "
                   "launch configuration from its own variables");
    }
    if (auto launch = dyn_cast<cuf::KernelLaunchOp>(op);
        launch && !launch->hasAttr("callee"))
      refuse(launch.getLoc(),
             "a kernel is launched by its own name, not through a procedure "
             "pointer or a dummy procedure: choose between launches with IF or "
             "SELECT CASE");
    if (auto launch = dyn_cast<cuf::KernelLaunchOp>(op);
        launch && launch.getBytes())
      if (auto convert = launch.getBytes().getDefiningOp<fir::ConvertOp>();
          convert && isa<FloatType>(convert.getValue().getType()))
        emitWarning(launch.getLoc())
            << "the number of bytes of shared memory in a launch is a real "
               "number; its fraction is dropped";
    auto call = dyn_cast<fir::CallOp>(op);
    if (!call || !call.getCallee())
      return;
    StringRef callee = call.getCallee()->getRootReference().getValue();
    auto procedure = symbols.lookup<func::FuncOp>(callee);
    if (procedure &&
        procedureAttribute(procedure) == cuf::ProcAttribute::Device)
      refuse(call.getLoc(),
             "device procedure '" + userName(callee) +
                 "' cannot be called from host code; give it "
                 "attributes(host,device), or call it from a kernel");
  }

  void checkDevice(Operation *op, SymbolTable &symbols) {
    if (auto dispatch = dyn_cast<fir::DispatchOp>(op))
      refuse(dispatch.getLoc(),
             "the type-bound procedure '" + dispatch.getMethod() +
                 "' of a CLASS object cannot be called in device code, where "
                 "there is no dynamic dispatch; declare the object with TYPE");
    if (auto address = dyn_cast<fir::AddrOfOp>(op))
      checkVariable(address, symbols);
    if (auto shared = dyn_cast<cuf::SharedMemoryOp>(op);
        shared && fir::isRecordWithAllocatableMember(
                      fir::unwrapSequenceType(shared.getInType())))
      refuse(shared.getLoc(),
             "shared variable '" + userName(shared.getUniqName().value_or("")) +
                 "' has allocatable components, which every thread of the "
                 "block would release at its end: declare the components with "
                 "a fixed size, or as pointers");
    checkService(op);
    checkNumbers(op);
    checkDynamicType(op, symbols);
    checkModuleDescriptor(op);
  }

  /// Flang refuses variables of such types, and computes with them elsewhere.
  void checkNumbers(Operation *op) {
    auto conversion = dyn_cast<fir::ConvertOp>(op);
    if (conversion &&
        (conversion.getType().isF128() || conversion.getType().isF80()))
      refuse(op->getLoc(),
             "real numbers of more than 8 bytes are needed here, which device "
             "code does not have: use arguments of default kinds or REAL(8)");
  }

  /// In a kernel loop of a host procedure.
  void checkLoop(Operation *op, SymbolTable &symbols) {
    // Where the host's code uses cudadevice; else the front end says the same.
    if (op->getName().getStringRef().starts_with("nvvm.barrier"))
      refuse(op->getLoc(),
             "a barrier may not be called in a kernel loop, whose iterations "
             "do not know which block they run in: write a kernel, "
             "ATTRIBUTES(GLOBAL)");
    checkService(op);
    checkNumbers(op);
    checkDynamicType(op, symbols);
    Value descriptor = changedDescriptor(op);
    auto loop = op->getParentOfType<cuf::KernelOp>();
    Operation *variable = descriptor && loop ? variableOf(descriptor) : nullptr;
    if (!variable || loop->isProperAncestor(variable))
      return;
    refuse(op->getLoc(),
           "'" + nameOf(variable) +
               "' cannot be allocated, deallocated or moved in a kernel loop, "
               "whose iterations run in parallel: do that before or after the "
               "loop, or declare the variable within it (BLOCK)");
  }

  /// The address of the descriptor that an ALLOCATE, DEALLOCATE or MOVE_ALLOC
  /// with \p op changes; null for other operations.
  static Value changedDescriptor(Operation *op) {
    if (auto allocate = dyn_cast<cuf::AllocateOp>(op))
      return allocate.getBox();
    if (auto deallocate = dyn_cast<cuf::DeallocateOp>(op))
      return deallocate.getBox();
    // Where Flang writes the allocation out.
    if (auto store = dyn_cast<fir::StoreOp>(op)) {
      auto box = dyn_cast<fir::BaseBoxType>(store.getValue().getType());
      return box && isa<fir::HeapType>(box.getEleTy()) ? store.getMemref()
                                                       : Value();
    }
    StringRef name = calleeOf(op);
    return name.consume_front("_FortranA") &&
                   (name.starts_with("AllocatableAllocate") ||
                    name.starts_with("AllocatableDeallocate") ||
                    name.starts_with("PointerAllocate") ||
                    name.starts_with("PointerDeallocate") ||
                    name == "MoveAlloc")
               ? op->getOperand(0)
               : Value();
  }

  static StringRef calleeOf(Operation *op) {
    auto call = dyn_cast<fir::CallOp>(op);
    return call && call.getCallee()
               ? call.getCallee()->getRootReference().getValue()
               : StringRef();
  }

  /// The declaration that \p address, of a variable or a component, leads to.
  static Operation *variableOf(Value address) {
    while (Operation *op = address.getDefiningOp()) {
      if (isa<hlfir::DeclareOp>(op))
        return op;
      if (!isa<fir::ConvertOp, fir::ReboxOp, fir::LoadOp, fir::VolatileCastOp,
               fir::BoxAddrOp, hlfir::DesignateOp>(op))
        return nullptr;
      address = op->getOperand(0);
    }
    return nullptr;
  }

  static std::string nameOf(Operation *variable) {
    return userName(cast<hlfir::DeclareOp>(variable).getUniqName());
  }

  /// The variable of a module whose descriptor \p op changes in device code:
  /// that is the device's copy.
  void checkModuleDescriptor(Operation *op) {
    Value descriptor = changedDescriptor(op);
    Operation *variable = descriptor ? variableOf(descriptor) : nullptr;
    if (!variable || !variable->getOperand(0).getDefiningOp<fir::AddrOfOp>() ||
        isa<fir::StoreOp>(op))
      return;
    const std::string name = nameOf(variable);
    // Flang refuses ALLOCATE and DEALLOCATE.
    if (calleeOf(op) == "_FortranAMoveAlloc")
      refuse(
          op->getLoc(),
          "'" + name +
              "' is an allocatable variable of a module, which only host code "
              "can allocate or deallocate: call MOVE_ALLOC in host code");
    else if (descriptor.getDefiningOp() == variable)
      emitWarning(op->getLoc())
          << "host code does not see where pointer '" << name
          << "' of a module points after this: there it keeps the target that "
             "it had when the kernel was launched";
  }

  //===--- dynamic types ---===//

  /// Types are described on each side by itself; a descriptor that comes from
  /// the host names one of the host's.
  void checkDynamicType(Operation *op, SymbolTable &symbols) {
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      const bool asks = isTypeInquiry(op) ||
                        (isa<fir::CallOp>(op) &&
                         asksType(symbols.lookup<func::FuncOp>(calleeOf(op)),
                                  number, symbols, {}));
      Operation *variable = asks ? hostsClass(operand, op) : nullptr;
      if (variable)
        refuse(op->getLoc(),
               "the dynamic type of '" + nameOf(variable) +
                   "', which the host has set, is not known in device code: "
                   "declare the variable with TYPE instead of CLASS");
    }
  }

  static bool isTypeInquiry(Operation *op) {
    return isa<fir::SelectTypeOp>(op) ||
           llvm::is_contained({"_FortranAClassIs", "_FortranASameTypeAs",
                               "_FortranAExtendsTypeOf"},
                              calleeOf(op));
  }

  /// The polymorphic variable that \p value is, if its descriptor is the
  /// host's: a dummy argument of a kernel, a variable of a module, or whatever
  /// comes into a kernel loop from outside.
  static Operation *hostsClass(Value value, Operation *user) {
    while (auto step = value.getDefiningOp()) {
      if (!isa<fir::ConvertOp, fir::ReboxOp, fir::LoadOp>(step))
        break;
      value = step->getOperand(0);
    }
    auto declare = value.getDefiningOp<hlfir::DeclareOp>();
    if (!declare || !isa<fir::ClassType>(fir::unwrapRefType(value.getType())))
      return nullptr;
    if (auto loop = user->getParentOfType<cuf::KernelOp>())
      return loop->isProperAncestor(declare) ? nullptr : declare.getOperation();
    Value memory = declare.getMemref();
    auto func = declare->getParentOfType<func::FuncOp>();
    return memory.getDefiningOp<fir::AddrOfOp>() ||
                   (isa<BlockArgument>(memory) && isKernel(func))
               ? declare.getOperation()
               : nullptr;
  }

  /// Whether \p func, or what it calls, asks for the dynamic type of its
  /// argument \p number.
  static bool asksType(func::FuncOp func, unsigned number, SymbolTable &symbols,
                       SmallVector<Value, 4> onTheWay) {
    if (!func || func.isDeclaration() || number >= func.getNumArguments() ||
        !isa<fir::ClassType>(
            fir::unwrapRefType(func.getArgument(number).getType())) ||
        llvm::is_contained(onTheWay, func.getArgument(number)))
      return false;
    onTheWay.push_back(func.getArgument(number));
    SmallVector<Value> values{func.getArgument(number)};
    while (!values.empty())
      for (OpOperand &use : values.pop_back_val().getUses()) {
        Operation *user = use.getOwner();
        if (isTypeInquiry(user) ||
            (isa<fir::CallOp>(user) &&
             asksType(symbols.lookup<func::FuncOp>(calleeOf(user)),
                      use.getOperandNumber(), symbols, onTheWay)))
          return true;
        if (isa<hlfir::DeclareOp, fir::ConvertOp, fir::ReboxOp, fir::LoadOp>(
                user))
          llvm::append_range(values, user->getResults());
      }
    return false;
  }

  void checkService(Operation *op) {
    auto call = dyn_cast<fir::CallOp>(op);
    if (!call || !call.getCallee())
      return;
    StringRef service =
        hostService(call.getCallee()->getRootReference().getValue());
    if (!service.empty())
      refuse(call.getLoc(), service + " is not available in device code");
  }

  /// What uses the variable at \p address; null if it is only declared, as all
  /// variables of a module are in all of its procedures.
  static Operation *findUse(Operation *address) {
    for (Operation *user : address->getUsers()) {
      if (!isa<hlfir::DeclareOp, fir::VolatileCastOp, fir::ConvertOp>(user))
        return user;
      if (Operation *use = findUse(user))
        return use;
    }
    return nullptr;
  }

  /// A host variable would be read from a copy that the host never writes.
  void checkVariable(fir::AddrOfOp address, SymbolTable &symbols) {
    StringRef symbol = address.getSymbol().getRootReference().getValue();
    auto global = symbols.lookup<fir::GlobalOp>(symbol);
    if (!global || global.getDataAttr() || global.getConstant())
      return;
    auto [kind, name] = fir::NameUniquer::deconstruct(symbol);
    // Saved variables of device procedures: the front end has warned.
    if (kind != fir::NameUniquer::NameKind::VARIABLE || !name.procs.empty() ||
        symbol.starts_with(BuiltinVariable) ||
        llvm::StringRef(name.name).starts_with("."))
      return;
    Operation *use = findUse(address);
    if (!use)
      return;
    refuse(use->getLoc(),
           "host variable '" + name.name +
               "' cannot be used in device code; give it the attribute device, "
               "constant or managed, or pass it as an argument");
  }

  bool legal = true;
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createCheckRestrictions() {
  return std::make_unique<CheckRestrictions>();
}
