//===- IndexChecks.cpp - declared bounds, for the checkers ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In LLVM IR nothing is left of the bounds of arrays. With --check, calls say
// them: one before each element that is read or written,
//
//   __cufort_cpu_check_bounds.RANK.NAME.ACCESS(index, lower, upper, ...)
//
// and one where an array gets its name,
//
//   __cufort_cpu_check_array.RANK.NAME(address, bytes of an element,
//                                      lower, extent, bytes from one to the
//                                      next or 0, ...)
//
// and one where an iteration of a kernel loop begins,
//
//   __cufort_cpu_check_iteration.LEVEL.NAME(number)
//
// where ACCESS is "r" or "w" and the bytes of the element. compiler/check makes
// of them what the runtime knows.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "image/Check.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

/// What is known of one dimension; an extent without a value is not known.
struct Dimension {
  Value lower, extent, stride;
};

class Marker {
  ModuleOp module;
  OpBuilder builder;
  Location location;

public:
  Marker(ModuleOp module, Operation *at)
      : module(module), builder(at), location(at->getLoc()) {}

  OpBuilder &at() { return builder; }

  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, location, value, 64);
  }
  Value asNumber(Value value) {
    return fir::ConvertOp::create(builder, location, builder.getI64Type(),
                                  value);
  }

  void call(StringRef what, unsigned rank, StringRef name,
            ArrayRef<Value> operands) {
    const std::string symbol =
        (cufort::image::CheckPrefix + what + "." + Twine(rank) + "." + name)
            .str();
    auto callee = module.lookupSymbol<func::FuncOp>(symbol);
    if (!callee) {
      SmallVector<Type> types;
      for (Value operand : operands)
        types.push_back(operand.getType());
      OpBuilder atStart = OpBuilder::atBlockEnd(module.getBody());
      callee = func::FuncOp::create(
          atStart, location, symbol,
          FunctionType::get(module.getContext(), types, {}));
      callee.setPrivate();
    }
    func::CallOp::create(builder, location, callee, operands);
  }

  /// The bounds that \p shape gives an array of \p rank dimensions in \p
  /// memory; empty: none are known.
  SmallVector<Dimension> dimensions(Value shape, Value memory, unsigned rank) {
    SmallVector<Dimension> all(rank);
    Operation *made = shape ? shape.getDefiningOp() : nullptr;
    if (auto extents = dyn_cast_or_null<fir::ShapeOp>(made)) {
      for (auto [d, extent] : llvm::enumerate(extents.getExtents()))
        if (d < rank)
          all[d].extent = extent;
    } else if (auto both = dyn_cast_or_null<fir::ShapeShiftOp>(made)) {
      for (unsigned d = 0; d < rank && 2 * d + 1 < both.getPairs().size();
           ++d) {
        all[d].lower = both.getPairs()[2 * d];
        all[d].extent = both.getPairs()[2 * d + 1];
      }
    } else if (auto shift = dyn_cast_or_null<fir::ShiftOp>(made)) {
      for (auto [d, lower] : llvm::enumerate(shift.getOrigins()))
        if (d < rank)
          all[d].lower = lower;
    } else if (shape) {
      return {};
    }
    const bool isBox = isa<fir::BaseBoxType>(memory.getType());
    for (unsigned d = 0; d < rank; ++d) {
      if (all[d].extent && isUnknown(all[d].extent))
        all[d].extent = {};
      else if (isBox) {
        Value at = arith::ConstantIndexOp::create(builder, location, d);
        Type index = builder.getIndexType();
        auto read = fir::BoxDimsOp::create(builder, location, index, index,
                                           index, memory, at);
        if (!all[d].extent)
          all[d].extent = read.getResult(1);
        all[d].stride = read.getResult(2);
      }
    }
    return all;
  }

  /// The subscripts of the whole array that those of \p element, of a section
  /// of it, are; empty: it has other ranks.
  SmallVector<Value> inWhole(fir::ArrayCoorOp element, fir::SliceOp slice) {
    SmallVector<Dimension> counted = dimensions(
        element.getShape(), element.getMemref(), element.getIndices().size());
    SmallVector<Value> all;
    unsigned d = 0;
    for (unsigned i = 0; i + 2 < slice.getTriples().size(); i += 3) {
      Value first = asNumber(slice.getTriples()[i]);
      if (slice.getTriples()[i + 1].getDefiningOp<fir::UndefOp>()) {
        all.push_back(first); // a subscript alone
        continue;
      }
      if (d == counted.size())
        return {};
      Value index = asNumber(element.getIndices()[d]);
      Value lower = counted[d].lower ? asNumber(counted[d].lower) : number(1);
      Value step = asNumber(slice.getTriples()[i + 2]);
      Value distance = arith::MulIOp::create(
          builder, location,
          arith::SubIOp::create(builder, location, index, lower), step);
      all.push_back(arith::AddIOp::create(builder, location, first, distance));
      ++d;
    }
    return d == counted.size() ? all : SmallVector<Value>();
  }

private:
  /// The last extent of an assumed-size array.
  static bool isUnknown(Value extent) {
    Operation *made = extent.getDefiningOp();
    while (auto convert = dyn_cast_or_null<fir::ConvertOp>(made))
      made = convert.getValue().getDefiningOp();
    if (!made || isa<fir::UndefOp, fir::AssumedSizeExtentOp>(made))
      return made != nullptr;
    auto constant = dyn_cast<arith::ConstantOp>(made);
    auto value =
        constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    return value && value.getInt() < 0;
  }
};

/// The component that \p element is, "" if it is none.
std::string componentOf(fir::CoordinateOp element) {
  Type type = fir::unwrapPassByRefType(element.getBaseType());
  std::string name;
  for (auto index : element.getIndices()) {
    auto record = dyn_cast<fir::RecordType>(type);
    auto field = dyn_cast<IntegerAttr>(index);
    if (!record || !field)
      return "";
    const auto &part = record.getTypeList()[field.getInt()];
    name += (name.empty() ? "" : "%") + part.first;
    type = part.second;
  }
  return name;
}

/// Under what name \p memory is declared, with the components that lead there:
/// "a%b"; "" if it is not.
std::string nameOf(Value memory) {
  while (memory) {
    Operation *made = memory.getDefiningOp();
    if (auto declare = dyn_cast_or_null<fir::DeclareOp>(made)) {
      const std::string name =
          fir::NameUniquer::deconstruct(declare.getUniqName()).second.name;
      if (!name.empty() && name.find('.') == std::string::npos)
        return name;
      memory = declare.getMemref();
    } else if (auto convert = dyn_cast_or_null<fir::ConvertOp>(made)) {
      memory = convert.getValue();
    } else if (auto rebox = dyn_cast_or_null<fir::ReboxOp>(made)) {
      memory = rebox.getBox();
    } else if (auto embox = dyn_cast_or_null<fir::EmboxOp>(made)) {
      memory = embox.getMemref();
    } else if (auto address = dyn_cast_or_null<fir::BoxAddrOp>(made)) {
      memory = address.getVal();
    } else if (auto load = dyn_cast_or_null<fir::LoadOp>(made)) {
      memory = load.getMemref();
    } else if (auto part = dyn_cast_or_null<fir::CoordinateOp>(made)) {
      const std::string component = componentOf(part);
      Value whole = part.getRef();
      if (auto element = whole.getDefiningOp<fir::ArrayCoorOp>())
        whole = element.getMemref();
      const std::string name = component.empty() ? "" : nameOf(whole);
      return name.empty() ? "" : (Twine(name) + "%" + component).str();
    } else {
      return "";
    }
  }
  return "";
}

/// An array of which \c slice is a section; without one, all of it.
struct Section {
  Value memory, shape;
  fir::SliceOp slice;
};

/// What \p element is an element of.
Section sectionOf(fir::ArrayCoorOp element) {
  Value memory = element.getMemref();
  Operation *made = memory.getDefiningOp();
  while (isa_and_nonnull<fir::ConvertOp, fir::BoxAddrOp>(made)) {
    memory = made->getOperand(0);
    made = memory.getDefiningOp();
  }
  Section section;
  Value slice;
  if (auto embox = dyn_cast_or_null<fir::EmboxOp>(made)) {
    section = {embox.getMemref(), embox.getShape(), {}};
    slice = embox.getSlice();
  } else if (auto rebox = dyn_cast_or_null<fir::ReboxOp>(made)) {
    section = {rebox.getBox(), rebox.getShape(), {}};
    slice = rebox.getSlice();
  }
  if (slice)
    section.slice = slice.getDefiningOp<fir::SliceOp>();
  // A component of each element is another array.
  if (section.slice && section.slice.getFields().empty())
    return section;
  return {element.getMemref(), element.getShape(), {}};
}

/// Of an element of an intrinsic type; 0: of another.
unsigned bytesOf(Type element) {
  if (element.isIntOrFloat())
    return (element.getIntOrFloatBitWidth() + 7) / 8;
  if (auto complex = dyn_cast<ComplexType>(element))
    return complex.getElementType().getIntOrFloatBitWidth() / 4;
  if (auto logical = dyn_cast<fir::LogicalType>(element))
    return logical.getFKind();
  return 0;
}

/// Whether \p element is read or written, and not only named.
bool isAccessed(fir::ArrayCoorOp element) {
  return llvm::any_of(element->getUsers(), [&](Operation *user) {
    if (isa<fir::LoadOp>(user))
      return true;
    if (auto store = dyn_cast<fir::StoreOp>(user))
      return store.getMemref() == element.getResult();
    // Atomic operations take the address in another form.
    auto convert = dyn_cast<fir::ConvertOp>(user);
    return convert && !isa<fir::BaseBoxType>(convert.getType());
  });
}

struct IndexChecks : public PassWrapper<IndexChecks, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(IndexChecks)
  StringRef getArgument() const override { return "lower-index-checks"; }
  StringRef getDescription() const override {
    return "Say the bounds of arrays in device code (--check)";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<fir::FIROpsDialect, func::FuncDialect, arith::ArithDialect>();
  }

  void runOnOperation() override {
    SmallVector<fir::ArrayCoorOp> elements;
    SmallVector<fir::DeclareOp> arrays;
    SmallVector<fir::StoreOp> iterations;
    getOperation().walk([&](Operation *op) {
      if (auto element = dyn_cast<fir::ArrayCoorOp>(op))
        elements.push_back(element);
      else if (auto declare = dyn_cast<fir::DeclareOp>(op))
        arrays.push_back(declare);
      else if (op->hasAttr(cufort::lower::IterationAttribute))
        iterations.push_back(cast<fir::StoreOp>(op));
    });
    for (fir::ArrayCoorOp element : elements)
      sayBounds(element);
    for (fir::DeclareOp declare : arrays)
      sayArray(declare);
    for (fir::StoreOp store : iterations)
      sayIteration(store);
  }

private:
  void sayBounds(fir::ArrayCoorOp element) {
    if (element.getSlice() || !isAccessed(element))
      return;
    const std::string name = nameOf(element.getMemref());
    const Section section = sectionOf(element);
    fir::SliceOp slice = section.slice;
    const unsigned rank =
        slice ? slice.getTriples().size() / 3 : element.getIndices().size();
    if (name.empty() || !rank)
      return;
    Marker marker(getOperation(), element);
    SmallVector<Dimension> dimensions =
        marker.dimensions(section.shape, section.memory, rank);
    if (dimensions.empty())
      return;
    SmallVector<Value> subscripts = slice
                                        ? marker.inWhole(element, slice)
                                        : llvm::to_vector(element.getIndices());
    if (subscripts.size() != rank)
      return;
    OpBuilder &b = marker.at();
    SmallVector<Value> operands;
    for (auto [index, dimension] : llvm::zip(subscripts, dimensions)) {
      Value number = marker.asNumber(index);
      Value lower =
          dimension.lower ? marker.asNumber(dimension.lower) : marker.number(1);
      Value upper = marker.number(INT64_MAX);
      if (dimension.extent)
        upper = arith::AddIOp::create(
            b, element.getLoc(), lower,
            arith::SubIOp::create(b, element.getLoc(),
                                  marker.asNumber(dimension.extent),
                                  marker.number(1)));
      operands.append({number, lower, upper});
    }
    const bool writes = llvm::any_of(element->getUsers(), [&](Operation *user) {
      auto store = dyn_cast<fir::StoreOp>(user);
      return store && store.getMemref() == element.getResult();
    });
    Type type = fir::unwrapRefType(element.getType());
    marker.call("bounds", rank,
                name + (writes ? ".w" : ".r") + std::to_string(bytesOf(type)),
                operands);
  }

  void sayIteration(fir::StoreOp store) {
    const std::string name = nameOf(store.getMemref());
    auto level = dyn_cast_or_null<IntegerAttr>(
        store->removeAttr(cufort::lower::IterationAttribute));
    if (name.empty() || !level || !isa<IntegerType>(store.getValue().getType()))
      return;
    Marker marker(getOperation(), store);
    marker.call("iteration", static_cast<unsigned>(level.getInt()), name,
                marker.asNumber(store.getValue()));
  }

  void sayArray(fir::DeclareOp declare) {
    const auto [kind, parts] =
        fir::NameUniquer::deconstruct(declare.getUniqName());
    // Named constants may be those of a module that devices do not have.
    if (kind == fir::NameUniquer::NameKind::CONSTANT)
      return;
    const std::string &name = parts.name;
    Value memory = declare.getMemref();
    // Descriptors of allocatables and pointers may change.
    if (name.empty() || name.find('.') != std::string::npos ||
        !declare->getParentOfType<func::FuncOp>() ||
        isa_and_nonnull<fir::AllocaOp>(memory.getDefiningOp()))
      return;
    auto array =
        dyn_cast<fir::SequenceType>(fir::unwrapPassByRefType(memory.getType()));
    if (!array)
      return;
    const unsigned bytes = bytesOf(array.getEleTy());
    if (!bytes)
      return;
    const unsigned rank = array.getDimension();
    Marker marker(getOperation(), declare);
    marker.at().setInsertionPointAfter(declare);
    SmallVector<Dimension> dimensions =
        marker.dimensions(declare.getShape(), memory, rank);
    if (dimensions.empty())
      return;
    OpBuilder &b = marker.at();
    Location location = declare.getLoc();
    Value address = memory;
    if (auto box = dyn_cast<fir::BaseBoxType>(memory.getType()))
      address = fir::BoxAddrOp::create(b, location,
                                       fir::ReferenceType::get(array), memory);
    Type bytesType = fir::ReferenceType::get(b.getI8Type());
    SmallVector<Value> operands = {
        fir::ConvertOp::create(b, location, bytesType, address),
        marker.number(bytes)};
    for (const Dimension &dimension : dimensions)
      operands.append({dimension.lower ? marker.asNumber(dimension.lower)
                                       : marker.number(1),
                       dimension.extent ? marker.asNumber(dimension.extent)
                                        : marker.number(-1),
                       dimension.stride ? marker.asNumber(dimension.stride)
                                        : marker.number(0)});
    marker.call("array", rank, name, operands);
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createIndexChecks() {
  return std::make_unique<IndexChecks>();
}
