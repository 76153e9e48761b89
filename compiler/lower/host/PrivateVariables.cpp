//===- PrivateVariables.cpp - OpenMP's private variables in device memory -===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end makes every private copy as if the variable were the host's. A
// recipe (omp.private) says how copies are made, filled and freed; each belongs
// to one variable, and so to one memory.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/host/HostCopies.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "flang/Runtime/CUDA/common.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

std::string nameOf(hlfir::DeclareOp variable) {
  return fir::NameUniquer::deconstruct(variable.getUniqName()).second.name;
}

/// The declaration, within an OpenMP construct, of the copy that \p copy is.
hlfir::DeclareOp declarationOf(Value copy) {
  for (Operation *user : copy.getUsers())
    if (auto declare = dyn_cast<hlfir::DeclareOp>(user))
      return declare;
  return {};
}

struct PrivateVariables
    : public PassWrapper<PrivateVariables, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrivateVariables)
  StringRef getArgument() const override { return "lower-private-variables"; }
  StringRef getDescription() const override {
    return "Give OpenMP's private variables in device memory their memory";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cuf::CUFDialect, fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<omp::BlockArgOpenMPOpInterface> constructs;
    SmallVector<omp::ThreadprivateOp> threadprivate;
    module.walk([&](Operation *op) {
      if (auto construct = dyn_cast<omp::BlockArgOpenMPOpInterface>(op))
        constructs.push_back(construct);
      else if (auto copies = dyn_cast<omp::ThreadprivateOp>(op))
        threadprivate.push_back(copies);
      else if (auto declare = dyn_cast<hlfir::DeclareOp>(op))
        checkLocalCopy(declare);
    });
    for (omp::ThreadprivateOp copies : threadprivate)
      checkThreadprivate(copies);
    for (omp::BlockArgOpenMPOpInterface construct : constructs) {
      for (BlockArgument argument : construct.getReductionBlockArgs())
        checkReduction(argument);
      auto names = construct->getAttrOfType<ArrayAttr>("private_syms");
      for (unsigned i = 0, n = construct.numPrivateBlockArgs(); i < n; ++i)
        if (auto declare = declarationOf(construct.getPrivateBlockArgs()[i]);
            declare && declare.getDataAttr() && isHostCode(construct))
          give(construct, i, *declare.getDataAttr(),
               symbols.lookup<omp::PrivateClauseOp>(
                   cast<SymbolRefAttr>(names[i]).getRootReference()));
    }
    if (!legal)
      signalPassFailure();
  }

private:
  void refuse(Location location, const Twine &message) {
    emitError(location) << message.str();
    legal = false;
  }

  static bool isOfDevice(hlfir::DeclareOp declare) {
    return declare && declare.getDataAttr() && isHostCode(declare) &&
           *declare.getDataAttr() != cuf::DataAttribute::Pinned &&
           *declare.getDataAttr() != cuf::DataAttribute::Managed;
  }

  /// Partial results and their combination are the host's.
  void checkReduction(BlockArgument argument) {
    if (auto declare = declarationOf(argument); isOfDevice(declare))
      refuse(argument.getOwner()->getParentOp()->getLoc(),
             "'" + nameOf(declare) +
                 "' is in device memory and cannot be the variable of an "
                 "OpenMP reduction, which the host computes: reduce to a "
                 "variable of the host");
  }

  /// A module's variable lies on each device once. Its threads know nothing of
  /// OpenMP's; the front end declares all variables of a module everywhere.
  void checkThreadprivate(omp::ThreadprivateOp copies) {
    auto func = copies->getParentOfType<func::FuncOp>();
    if (func && runsOnDevice(func)) {
      for (Operation *user : copies->getUsers())
        if (auto declare = dyn_cast<hlfir::DeclareOp>(user);
            declare && !declare->use_empty())
          refuse((*declare->user_begin())->getLoc(),
                 "'" + nameOf(declare) +
                     "' is THREADPRIVATE and cannot be used in device code, "
                     "which does not know the host's thread: pass it as an "
                     "argument");
      copies.replaceAllUsesWith(copies.getSymAddr());
      return copies.erase();
    }
    hlfir::DeclareOp declare = declarationOf(copies.getTlsAddr());
    if (!func || !declare || !declare.getDataAttr())
      return;
    if (isa<fir::BaseBoxType>(fir::unwrapRefType(copies.getType()))) {
      // Copies of main programs' variables do not know it.
      fir::FirOpBuilder builder(getOperation(),
                                fir::getKindMapping(getOperation()));
      builder.setInsertionPointAfter(copies);
      return setAllocator(builder, copies.getLoc(), copies.getTlsAddr(),
                          *declare.getDataAttr());
    }
    if (isOfDevice(declare) && reported.insert(declare.getUniqName()).second)
      refuse(copies.getLoc(),
             "'" + nameOf(declare) +
                 "' is in device memory, where variables are not "
                 "THREADPRIVATE: make it allocatable, and each thread can "
                 "allocate its own");
  }

  /// Constructs without recipes make their copies where they stand.
  void checkLocalCopy(hlfir::DeclareOp declare) {
    auto copy = declare.getMemref().getDefiningOp<fir::AllocaOp>();
    if (copy && copy.getPinned() && isOfDevice(declare))
      refuse(declare.getLoc(),
             "'" + nameOf(declare) +
                 "' is in device memory and private in a construct of OpenMP "
                 "for which there are no private copies there: declare it in "
                 "a BLOCK within the construct, or make it private in "
                 "PARALLEL, DO or TASK");
  }

  /// Lets the copies that \p construct makes of its variable \p number by
  /// \p recipe lie in \p memory.
  void give(omp::BlockArgOpenMPOpInterface construct, unsigned number,
            cuf::DataAttribute memory, omp::PrivateClauseOp recipe) {
    fir::FirOpBuilder builder(getOperation(),
                              fir::getKindMapping(getOperation()));
    BlockArgument copy = construct.getPrivateBlockArgs()[number];
    if (given.insert(recipe).second) {
      if (!isPossible(recipe, memory))
        return refuse(
            construct->getLoc(),
            "'" + nameOf(declarationOf(copy)) +
                "' has data in device memory and cannot be private in an "
                "OpenMP construct, as its type has default values, or "
                "components to be copied, or a length that is known "
                "at run time: declare it in a BLOCK within the "
                "construct");
      if (!isa<fir::BaseBoxType>(recipe.getType()))
        describe(builder, recipe);
      allocate(builder, recipe, memory);
    }
    if (fir::unwrapRefType(copy.getType()) != recipe.getType())
      passDescriptor(builder, construct, number, recipe.getType());
  }

  static bool ownsMemory(omp::PrivateClauseOp recipe) {
    return fir::isRecordWithAllocatableMember(
        hlfir::getFortranElementType(recipe.getType()));
  }

  /// Whether the host can do what \p recipe does beside allocating and freeing:
  /// objects of the host with components in device memory are managed data.
  static bool isPossible(omp::PrivateClauseOp recipe,
                         cuf::DataAttribute memory) {
    if (isa<fir::BoxCharType>(recipe.getType()) ||
        (ownsMemory(recipe) && !recipe.getCopyRegion().empty()))
      return false;
    if (memory != cuf::DataAttribute::Device)
      return recipe.getInitRegion().empty() ||
             recipe.getInitRegion().hasOneBlock();
    return !recipe.walk([](fir::CallOp) { return WalkResult::interrupt(); })
                .wasInterrupted();
  }

  /// A scalar, which would lie on the stack, is given a descriptor, and its
  /// recipe the way in which arrays are allocated, copied and freed.
  void describe(fir::FirOpBuilder &builder, omp::PrivateClauseOp recipe) {
    Location location = recipe.getLoc();
    Type type = recipe.getType();
    Type box = fir::BoxType::get(type), place = fir::ReferenceType::get(box);
    recipe.setType(box);
    const auto begin = [&](Region &region, unsigned arguments) {
      region.getBlocks().clear();
      SmallVector<Type> types(arguments, place);
      builder.createBlock(&region, region.end(), types,
                          SmallVector<Location>(arguments, location));
      return region.getArguments();
    };
    Region first;
    first.takeBody(recipe.getInitRegion());
    auto places = begin(recipe.getInitRegion(), 2);
    Value memory = fir::AllocMemOp::create(builder, location, type);
    if (!first.empty()) {
      Type reference = first.getArgument(0).getType();
      Value original = fir::LoadOp::create(builder, location, places[0]);
      IRMapping values;
      values.map(
          first.getArgument(0),
          fir::BoxAddrOp::create(builder, location, reference, original));
      values.map(first.getArgument(1),
                 builder.createConvert(location, reference, memory));
      for (Operation &op : first.front().without_terminator())
        builder.clone(op, values);
    }
    fir::StoreOp::create(builder, location,
                         fir::EmboxOp::create(builder, location, box, memory),
                         places[1]);
    omp::YieldOp::create(builder, location, ValueRange{places[1]});
    if (!recipe.getCopyRegion().empty()) {
      places = begin(recipe.getCopyRegion(), 2);
      transfer(builder, location, places[0], places[1]);
      omp::YieldOp::create(builder, location, ValueRange{places[1]});
    }
    places = begin(recipe.getDeallocRegion(), 1);
    Value copy = fir::LoadOp::create(builder, location, places[0]);
    fir::FreeMemOp::create(builder, location,
                           fir::BoxAddrOp::create(builder, location,
                                                  fir::HeapType::get(type),
                                                  copy));
    omp::YieldOp::create(builder, location, ValueRange{});
  }

  /// What the descriptor at \p from describes to what that at \p to does. A
  /// cuf.data_transfer is lowered in procedures only.
  static void transfer(fir::FirOpBuilder &builder, Location location,
                       Value from, Value to) {
    Type descriptor =
        builder.getRefType(fir::BoxType::get(builder.getNoneType()));
    SmallVector<Value> arguments = {
        builder.createConvert(location, descriptor, to),
        builder.createConvert(location, descriptor, from),
        builder.createIntegerConstant(location, builder.getI32Type(),
                                      kDeviceToDevice)};
    addSourceLine(builder, location, arguments);
    callRuntime(builder, location, "_FortranACUFDataTransferDescDesc", {},
                arguments);
  }

  /// Has \p construct hand the descriptor of its scalar \p number on.
  static void passDescriptor(fir::FirOpBuilder &builder,
                             omp::BlockArgOpenMPOpInterface construct,
                             unsigned number, Type box) {
    Location location = construct->getLoc();
    OpOperand &original = construct->getOpOperand(
        construct.getPrivateVars().getBeginOperandIndex() + number);
    builder.setInsertionPoint(construct);
    Value place = builder.createTemporary(location, box);
    fir::StoreOp::create(
        builder, location,
        fir::EmboxOp::create(builder, location, box, original.get()), place);
    original.set(place);
    BlockArgument copy = construct.getPrivateBlockArgs()[number];
    Type type = copy.getType();
    copy.setType(place.getType());
    for (OpOperand &use : llvm::make_early_inc_range(copy.getUses())) {
      builder.setInsertionPoint(use.getOwner());
      use.set(
          fir::BoxAddrOp::create(builder, location, type,
                                 fir::LoadOp::create(builder, location, copy)));
    }
  }

  /// Replaces what \p recipe does in the host's memory.
  static void allocate(fir::FirOpBuilder &builder, omp::PrivateClauseOp recipe,
                       cuf::DataAttribute memory) {
    SmallVector<fir::AllocMemOp> allocations;
    SmallVector<fir::FreeMemOp> releases;
    SmallVector<hlfir::AssignOp> copies;
    recipe.walk([&](Operation *op) {
      if (auto allocation = dyn_cast<fir::AllocMemOp>(op))
        allocations.push_back(allocation);
      else if (auto release = dyn_cast<fir::FreeMemOp>(op))
        releases.push_back(release);
      else if (auto copy = dyn_cast<hlfir::AssignOp>(op))
        copies.push_back(copy);
    });
    const auto callWithPlace = [&](Location location, StringRef name,
                                   TypeRange results, Value first) {
      SmallVector<Value> arguments = {
          first, builder.createIntegerConstant(location, builder.getI32Type(),
                                               memoryType(memory))};
      addSourceLine(builder, location, arguments);
      return callRuntime(builder, location, name, results, arguments);
    };
    for (fir::AllocMemOp allocation : allocations) {
      builder.setInsertionPoint(allocation);
      Value address = callWithPlace(
          allocation.getLoc(), "_FortranACUFMemAlloc",
          fir::LLVMPointerType::get(builder.getI8Type()),
          bytesOf(builder, allocation, recipe.getInitRegion().getArgument(0)));
      allocation.replaceAllUsesWith(builder.createConvert(
          allocation.getLoc(), allocation.getType(), address));
      allocation.erase();
    }
    for (fir::FreeMemOp release : releases) {
      builder.setInsertionPoint(release);
      if (ownsMemory(recipe))
        callRuntime(
            builder, release.getLoc(), "_FortranADestroy", {},
            builder.createConvert(
                release.getLoc(), fir::BoxType::get(builder.getNoneType()),
                fir::LoadOp::create(builder, release.getLoc(),
                                    recipe.getDeallocRegion().getArgument(0))));
      callWithPlace(
          release.getLoc(), "_FortranACUFMemFree", {},
          rawAddress(builder, release.getLoc(), release.getHeapref()));
      release.erase();
    }
    if (memory != cuf::DataAttribute::Pinned)
      for (hlfir::AssignOp copy : copies) {
        builder.setInsertionPoint(copy);
        transfer(builder, copy.getLoc(), recipe.getCopyRegion().getArgument(0),
                 recipe.getCopyRegion().getArgument(1));
        copy.erase();
      }
    // What the program allocates in the construct is to lie there, too.
    auto box = cast<fir::BaseBoxType>(recipe.getType());
    if (isa<fir::HeapType, fir::PointerType>(box.getEleTy())) {
      Operation *end = recipe.getInitRegion().back().getTerminator();
      builder.setInsertionPoint(end);
      setAllocator(builder, end->getLoc(), end->getOperand(0), memory);
    }
  }

  /// The size of a copy of what the descriptor at \p original describes.
  static Value bytesOf(fir::FirOpBuilder &builder, fir::AllocMemOp allocation,
                       Value original) {
    Location location = allocation.getLoc();
    Type i64 = builder.getI64Type();
    Value box = fir::LoadOp::create(builder, location, original);
    Value bytes = fir::BoxEleSizeOp::create(builder, location, i64, box);
    auto array = dyn_cast<fir::SequenceType>(allocation.getAllocatedType());
    for (unsigned i = 0, n = array ? array.getDimension() : 0; i < n; ++i) {
      Type index = builder.getIndexType();
      auto dimension = fir::BoxDimsOp::create(
          builder, location, index, index, index, box,
          builder.createIntegerConstant(location, index, i));
      bytes = arith::MulIOp::create(
          builder, location, bytes,
          builder.createConvert(location, i64, dimension.getResult(1)));
    }
    return bytes;
  }

  bool legal = true;
  llvm::DenseSet<Operation *> given;
  llvm::StringSet<> reported;
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createPrivateVariables() {
  return std::make_unique<PrivateVariables>();
}
