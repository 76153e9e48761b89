//===- KernelLoopDependences.cpp - arrays that iterations share -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether parallel execution is legal is the program's responsibility; what is
// wrong for certain is an error all the same. Only assignments that every
// iteration executes count, also in sequential loops inside, and only
// subscripts of the forms i, i + 1, 3, and what is the same in all iterations:
// a test in the body may well keep iterations apart (red and black points,
// say).
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cufort::lower {
namespace {

/// Operations within one another in a subscript or a loop's limit: programs
/// have a dozen at most, and what is deeper is not analysed.
constexpr unsigned MostDepth = 30;
/// The same of a value that is assigned, which is often a longer expression.
constexpr unsigned MostValueDepth = 60;

/// A subscript: a variable plus a constant, or a constant.
struct Subscript {
  /// Of the parallel loop whose variable it is; -1 for what all iterations have
  /// in common.
  int level = -1;
  /// Of what all iterations have in common, the variable if there is one.
  hlfir::DeclareOp variable;
  int64_t offset = 0;
  /// Whether it has one of these forms; otherwise nothing but the level is
  /// known.
  bool isExact = true;
};

/// An element, a section or a whole array: the variable, the components on the
/// way, and the subscripts.
struct Place {
  hlfir::DeclareOp variable;
  SmallVector<StringRef> components;
  SmallVector<Subscript> subscripts;
  bool isSection = false;

  bool isOfSameArray(const Place &other) const {
    return variable == other.variable && components == other.components &&
           subscripts.size() == other.subscripts.size();
  }
};

/// How a value differs between iterations.
enum class Variation { None, Unknown, Certain };

class DependenceCheck {
public:
  explicit DependenceCheck(cuf::KernelOp loop)
      : loop(loop), variables(loopVariables(loop)), parallel(variables.size()) {
    for (unsigned level = 0; level < variables.size(); ++level)
      parallel[level] = !isOneIteration(level);
  }

  LogicalResult run() { return check(loop.getRegion().front()); }

private:
  LogicalResult check(Block &block) {
    bool failed = false;
    for (Operation &op : block)
      if (auto assign = dyn_cast<hlfir::AssignOp>(op))
        failed |= mlir::failed(check(assign));
      else if (auto inner = dyn_cast<fir::DoLoopOp>(op))
        failed |= mlir::failed(check(*inner.getBody()));
    return failure(failed);
  }

  LogicalResult check(hlfir::AssignOp assign) {
    std::optional<Place> written = placeOf(assign.getLhs());
    if (!written)
      return success();
    LogicalResult result = success();
    if (!written->isSection)
      loop.getRegion().walk([&](fir::LoadOp load) {
        if (failed(result))
          return;
        std::optional<Place> read = placeOf(load.getMemref());
        if (read && !read->isSection && read->isOfSameArray(*written))
          result = compare(assign, *written, load, *read);
      });
    return failed(result) ? result : checkShared(assign, *written);
  }

  LogicalResult compare(hlfir::AssignOp assign, const Place &written,
                        fir::LoadOp load, const Place &read) {
    bool apart = false;
    for (auto [w, r] : llvm::zip(written.subscripts, read.subscripts)) {
      if (w.level != r.level || w.variable != r.variable || !w.isExact ||
          !r.isExact)
        return success();
      if (w.offset == r.offset)
        continue;
      std::optional<int64_t> step = w.level >= 0 && parallel[w.level]
                                        ? constantValue(loop.getStep()[w.level])
                                        : std::nullopt;
      if (!step || (w.offset - r.offset) % *step)
        return success();
      apart = true;
    }
    if (apart) {
      InFlightDiagnostic error =
          emitError(assign.getLoc())
          << "an iteration of the kernel loop assigns an element of '"
          << nameOf(written)
          << "' that another one reads, but iterations run in parallel and in "
             "any order; read from a second array";
      error.attachNote(load.getLoc())
          << "'" << nameOf(written) << "' is read here";
      return failure();
    }
    if (levelsThatShare(written).none() || !dependsOn(assign.getRhs(), load, 0))
      return success();
    return emitError(assign.getLoc())
           << "all iterations of the kernel loop change the same element of '"
           << nameOf(written)
           << "', but they run in parallel; sum in a scalar, which is "
              "recognised as a reduction";
  }

  /// All may give a flag the same value; of different ones any may remain.
  LogicalResult checkShared(hlfir::AssignOp assign, const Place &written) {
    llvm::SmallBitVector levels = levelsThatShare(written);
    // Data of the host are refused for what they are (LoopCaptures).
    if (levels.none() ||
        (written.components.empty() && !isInDeviceMemory(written.variable)))
      return success();
    const std::string which = (written.isSection ? "the same elements of '"
                                                 : "the same element of '") +
                              nameOf(written) + "'";
    const hlfir::DeclareOp variable = variables[levels.find_first()];
    const std::string loops =
        variable ? " over '" + variableName(variable).str() + "'" : "";
    if (variation(assign.getRhs(), levels, 0) != Variation::Certain) {
      emitWarning(assign.getLoc())
          << "all iterations of the kernel loop" << loops << " assign " << which
          << ", which is right only if all give it the same value";
      return success();
    }
    return emitError(assign.getLoc())
           << "iterations of the kernel loop" << loops
           << " run in parallel and all assign " << which
           << ", which would have the value of an arbitrary one: use a "
              "reduction of a scalar, or an element for each iteration";
  }

  /// The parallel loops whose iterations all have the place in common.
  llvm::SmallBitVector levelsThatShare(const Place &place) const {
    llvm::SmallBitVector levels = parallel;
    for (const Subscript &subscript : place.subscripts)
      if (subscript.level >= 0)
        levels.reset(subscript.level);
    return levels;
  }

  static bool dependsOn(Value value, fir::LoadOp load, unsigned depth) {
    Operation *op = value.getDefiningOp();
    if (!op || depth > MostValueDepth)
      return false;
    return op == load || llvm::any_of(op->getOperands(), [&](Value operand) {
             return dependsOn(operand, load, depth + 1);
           });
  }

  static std::string nameOf(const Place &place) {
    std::string text = variableName(place.variable).str();
    for (StringRef component : place.components)
      text += "%" + component.str();
    return text;
  }

  //===--- places ---===//

  /// Nothing for scalars, for what is not known well enough, and for what
  /// belongs to the iteration (BLOCK, ASSOCIATE).
  std::optional<Place> placeOf(Value address) {
    Place place;
    place.isSection = isArray(address.getType());
    while (true) {
      Operation *op = address.getDefiningOp();
      if (auto load = dyn_cast_or_null<fir::LoadOp>(op)) {
        address = load.getMemref();
      } else if (auto part = dyn_cast_or_null<hlfir::DesignateOp>(op)) {
        if (!addSubscripts(part, place))
          return std::nullopt;
        if (part.getComponent())
          place.components.insert(place.components.begin(),
                                  *part.getComponent());
        address = part.getMemref();
      } else if (auto declare = dyn_cast_or_null<hlfir::DeclareOp>(op)) {
        place.variable = declare;
        bool isKnown = place.isSection || !place.subscripts.empty();
        return isKnown && !loop->isProperAncestor(op)
                   ? std::optional<Place>(std::move(place))
                   : std::nullopt;
      } else {
        return std::nullopt;
      }
    }
  }

  static bool isArray(Type type) {
    return isa<fir::SequenceType>(hlfir::getFortranElementOrSequenceType(type));
  }

  bool addSubscripts(hlfir::DesignateOp part, Place &place) {
    SmallVector<Subscript> subscripts;
    auto index = part.getIndices().begin();
    for (bool isTriplet : part.getIsTriplet()) {
      if (isTriplet) {
        for (int i = 0; i < 3; ++i)
          if (!isCommon(*index++, 0))
            return false;
        continue;
      }
      std::optional<Subscript> subscript = subscriptOf(*index++);
      if (!subscript)
        return false;
      subscripts.push_back(*subscript);
    }
    place.subscripts.insert(place.subscripts.begin(), subscripts.begin(),
                            subscripts.end());
    return true;
  }

  std::optional<Subscript> subscriptOf(Value value) {
    while (auto convert = value.getDefiningOp<fir::ConvertOp>())
      value = convert.getValue();
    if (std::optional<int64_t> known = constantValue(value))
      return Subscript{-1, {}, *known};
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast_or_null<fir::LoadOp>(op)) {
      auto declare = load.getMemref().getDefiningOp<hlfir::DeclareOp>();
      auto it = llvm::find(variables, declare);
      if (declare && it != variables.end())
        return Subscript{static_cast<int>(it - variables.begin()), {}, 0};
      if (declare && isCommon(value, 0))
        return Subscript{-1, declare, 0};
    }
    if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
      bool minus = isa<arith::SubIOp>(op);
      Value a = op->getOperand(0), b = op->getOperand(1);
      if (!minus && constantValue(a))
        std::swap(a, b);
      std::optional<int64_t> distance = constantValue(b);
      std::optional<Subscript> origin =
          distance ? subscriptOf(a) : std::nullopt;
      if (origin) {
        origin->offset += minus ? -*distance : *distance;
        return origin;
      }
    }
    if (isCommon(value, 0))
      return Subscript{-1, {}, 0, /*isExact=*/false};
    return std::nullopt;
  }

  bool isOneIteration(unsigned level) {
    auto first = subscriptOf(loop.getLowerbound()[level]),
         last = subscriptOf(loop.getUpperbound()[level]);
    return first && last && first->isExact && last->isExact &&
           first->variable == last->variable && first->offset == last->offset;
  }

  //===--- what iterations have in common ---===//

  /// Whether \p value is the same in all iterations, or runs through the same
  /// values in each.
  bool isCommon(Value value, unsigned depth) {
    if (!loop.getRegion().isAncestor(value.getParentRegion()))
      return true;
    Operation *op = value.getDefiningOp();
    if (depth > MostDepth)
      return false;
    if (!op)
      return isCommonLoop(
          dyn_cast<fir::DoLoopOp>(value.getParentBlock()->getParentOp()),
          depth);
    if (auto load = dyn_cast<fir::LoadOp>(op))
      return isCommonMemory(load.getMemref(), load, depth);
    return isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return isCommon(operand, depth + 1);
           });
  }

  bool isCommonLoop(fir::DoLoopOp inner, unsigned depth) {
    return inner && isCommon(inner.getLowerBound(), depth + 1) &&
           isCommon(inner.getUpperBound(), depth + 1) &&
           isCommon(inner.getStep(), depth + 1);
  }

  /// Whether what \p load finds at \p address is the same in all iterations.
  bool isCommonMemory(Value address, fir::LoadOp load, unsigned depth) {
    if (auto part = address.getDefiningOp<hlfir::DesignateOp>())
      return depth < MostDepth &&
             llvm::all_of(
                 part.getIndices(),
                 [&](Value index) { return isCommon(index, depth + 1); }) &&
             isCommonMemory(part.getMemref(), load, depth + 1);
    if (auto descriptor = address.getDefiningOp<fir::LoadOp>())
      return depth < MostDepth && isOnlyRead(address) &&
             isCommonMemory(descriptor.getMemref(), descriptor, depth + 1);
    auto declare = address.getDefiningOp<hlfir::DeclareOp>();
    if (!declare || loop->isProperAncestor(declare) ||
        llvm::is_contained(variables, declare))
      return false;
    if (llvm::all_of(declare->getResults(), isOnlyReadIn(loop)))
      return true;
    // The variable of a sequential loop.
    for (auto inner = load->getParentOfType<fir::DoLoopOp>(); inner;
         inner = inner->getParentOfType<fir::DoLoopOp>())
      for (auto store : inner.getBody()->getOps<fir::StoreOp>())
        if (store.getMemref().getDefiningOp() == declare &&
            llvm::is_contained(inner.getBody()->getArguments(),
                               store.getValue()))
          return isCommonLoop(inner, depth);
    return false;
  }

  bool isOnlyRead(Value address) { return isOnlyReadIn(loop)(address); }

  /// Whether nothing in \p loop but loads uses an address.
  static std::function<bool(Value)> isOnlyReadIn(cuf::KernelOp loop) {
    return [loop](Value address) mutable {
      return llvm::all_of(address.getUses(), [&](OpOperand &use) {
        Operation *user = use.getOwner();
        if (!loop->isProperAncestor(user) || isa<fir::LoadOp>(user))
          return true;
        if (auto assign = dyn_cast<hlfir::AssignOp>(user))
          return use.getOperandNumber() == 0;
        return isa<hlfir::DesignateOp>(user) &&
               isOnlyReadIn(loop)(user->getResult(0));
      });
    };
  }

  Variation variation(Value value, const llvm::SmallBitVector &levels,
                      unsigned depth) {
    // An address stands for what is there.
    Operation *op = value.getDefiningOp();
    if (auto declare = dyn_cast_or_null<hlfir::DeclareOp>(op))
      return variation(declare, levels, depth);
    if (isCommon(value, 0))
      return Variation::None;
    if (depth > MostDepth)
      return Variation::Unknown;
    if (!op) {
      auto argument = cast<BlockArgument>(value);
      bool isParallel = argument.getOwner()->getParentOp() == loop;
      return isParallel && levels[argument.getArgNumber()] ? Variation::Certain
                                                           : Variation::Unknown;
    }
    // The indices of elementwise expressions are no operation's results.
    auto isWithin = [op](Value operand) {
      Operation *source = operand.getDefiningOp();
      return source ? op->isProperAncestor(source)
                    : op->isAncestor(operand.getParentBlock()->getParentOp());
    };
    Variation most = Variation::Unknown;
    op->walk([&](Operation *inside) {
      for (Value operand : inside->getOperands())
        if (inside == op || !isWithin(operand))
          most = std::max(most, variation(operand, levels, depth + 1));
    });
    return most;
  }

  /// Of a variable: what the loop assigns to it.
  Variation variation(hlfir::DeclareOp declare,
                      const llvm::SmallBitVector &levels, unsigned depth) {
    if (auto it = llvm::find(variables, declare); it != variables.end())
      return levels[it - variables.begin()] ? Variation::Certain
                                            : Variation::None;
    Variation most = Variation::Unknown;
    for (Operation *user : declare->getUsers())
      if (auto assign = dyn_cast<hlfir::AssignOp>(user);
          assign && loop->isProperAncestor(assign) &&
          assign.getLhs().getDefiningOp() == declare)
        most = std::max(most, variation(assign.getRhs(), levels, depth + 1));
    return most;
  }

  cuf::KernelOp loop;
  SmallVector<hlfir::DeclareOp> variables;
  /// The loops that may have several iterations.
  llvm::SmallBitVector parallel;
};

} // namespace

SmallVector<hlfir::DeclareOp> loopVariables(cuf::KernelOp loop) {
  SmallVector<hlfir::DeclareOp> variables;
  for (BlockArgument number : loop.getRegion().front().getArguments()) {
    hlfir::DeclareOp found;
    for (Operation *user : number.getUsers()) {
      auto convert = dyn_cast<fir::ConvertOp>(user);
      Value stored = convert ? convert.getResult() : Value(number);
      for (Operation *last : stored.getUsers())
        if (auto store = dyn_cast<fir::StoreOp>(last);
            store && store.getValue() == stored && !found)
          found = store.getMemref().getDefiningOp<hlfir::DeclareOp>();
    }
    variables.push_back(found);
  }
  return variables;
}

LogicalResult checkDependences(cuf::KernelOp loop) {
  return DependenceCheck(loop).run();
}

} // namespace cufort::lower
