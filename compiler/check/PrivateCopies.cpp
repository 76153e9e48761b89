//===- PrivateCopies.cpp - copies of memory that may be unset -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/PrivateCopies.h"
#include "compiler/check/Names.h"
#include "image/Check.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cufort::check {

/// Larger variables and values are not followed: of what is copied as a whole
/// few are, and each byte costs one more of a thread's stack.
static constexpr uint64_t MostBytes = 1024, MostValueBytes = 64;

static const StoreInst *onlyStore(const LoadInst &load) {
  const auto *store = load.isSimple() && load.hasOneUse()
                          ? dyn_cast<StoreInst>(*load.user_begin())
                          : nullptr;
  return store && store->isSimple() && store->getValueOperand() == &load
             ? store
             : nullptr;
}

/// The address of a component, `getelementptr %type, ptr base, 0, component`.
static const GetElementPtrInst *componentAddress(const Value *address) {
  const auto *element = dyn_cast<GetElementPtrInst>(address);
  return element && element->getSourceElementType()->isStructTy() &&
                 element->getNumIndices() >= 2 &&
                 element->hasAllConstantIndices()
             ? element
             : nullptr;
}

bool isComponentCopy(const LoadInst &load) {
  auto partsOf = [](const LoadInst &each)
      -> std::pair<const GetElementPtrInst *, const GetElementPtrInst *> {
    const StoreInst *store = onlyStore(each);
    if (!store)
      return {nullptr, nullptr};
    const auto *from = componentAddress(each.getPointerOperand()),
               *to = componentAddress(store->getPointerOperand());
    if (!from || !to ||
        from->getSourceElementType() != to->getSourceElementType() ||
        !std::equal(from->idx_begin(), from->idx_end(), to->idx_begin(),
                    to->idx_end()))
      return {nullptr, nullptr};
    return {from, to};
  };
  if (!load.getDebugLoc() || !isFortran(*load.getFunction()))
    return false;
  const auto [from, to] = partsOf(load);
  if (!from)
    return false;
  // An assignment of one component has no other at its place in the source.
  return any_of(
      *load.getParent(), [&, from = from, to = to](const Instruction &other) {
        const auto *sibling = dyn_cast<LoadInst>(&other);
        if (!sibling || sibling == &load ||
            sibling->getDebugLoc() != load.getDebugLoc())
          return false;
        const auto [itsFrom, itsTo] = partsOf(*sibling);
        return itsFrom &&
               itsFrom->getPointerOperand() == from->getPointerOperand() &&
               itsTo->getPointerOperand() == to->getPointerOperand();
      });
}

namespace {

/// What is copied as a whole.
struct Copy {
  Instruction *at;   ///< behind it all has been copied
  Instruction *read; ///< the same, or the load
  Value *to, *from;
  uint64_t bytes;
};

/// A value that may be unset: of which bytes, as an integer; where the first of
/// them was copied from, and at which place.
struct Followed {
  Value *unset = nullptr, *address = nullptr, *place = nullptr;
};

/// What stands beside a private variable.
struct Beside {
  AllocaInst *unset; ///< a byte for each of its bytes
  AllocaInst *from;  ///< where its first byte would have been copied from
  AllocaInst *place; ///< where that was done
  std::string name;  ///< what the source calls what was copied
};

class Follower {
public:
  Follower(Function &function, Sites &sites)
      : function(function), module(*function.getParent()),
        context(function.getContext()), layout(module.getDataLayout()),
        sites(sites) {}

  void run() {
    for (Instruction &instruction : instructions(function))
      collect(instruction);
    if (copies.empty())
      return;
    findVariables();
    for (auto &[variable, beside] : variables)
      place(*variable, beside);
    for (Instruction *instruction : others)
      follow(*instruction);
    for (const Copy &copy : copies)
      follow(copy);
  }

private:
  void collect(Instruction &instruction) {
    if (instruction.getMetadata(LLVMContext::MD_nosanitize))
      return;
    if (auto *transfer = dyn_cast<MemTransferInst>(&instruction)) {
      if (auto *length = dyn_cast<ConstantInt>(transfer->getLength()))
        copies.push_back({transfer, transfer, transfer->getRawDest(),
                          transfer->getRawSource(), length->getZExtValue()});
    } else if (auto *load = dyn_cast<LoadInst>(&instruction);
               load && isComponentCopy(*load)) {
      auto *store = cast<StoreInst>(*load->user_begin());
      copies.push_back({store, load, store->getPointerOperand(),
                        load->getPointerOperand(),
                        layout.getTypeStoreSize(load->getType())});
    } else if (isa<LoadInst, StoreInst, MemSetInst, LifetimeIntrinsic>(
                   instruction)) {
      others.push_back(&instruction);
    }
  }

  static AllocaInst *variableAt(Value *address) {
    return dyn_cast<AllocaInst>(const_cast<Value *>(rootOf(address)));
  }

  /// Whether the address points to what other threads may see.
  static bool isShared(const Value *address) {
    const Value *root = rootOf(address);
    if (auto *global = dyn_cast<GlobalVariable>(root))
      return !global->isConstant();
    if (auto *argument = dyn_cast<Argument>(root))
      return !argument->hasByValAttr();
    return !isa<AllocaInst, Constant>(root);
  }

  uint64_t sizeOf(const AllocaInst &variable) const {
    const auto size = variable.getAllocationSize(layout);
    return size && !size->isScalable() ? size->getFixedValue() : 0;
  }

  /// Whether all that is done with \p variable is seen here.
  bool canFollow(AllocaInst &variable) const {
    const uint64_t size = sizeOf(variable);
    if (!variable.isStaticAlloca() || !size || size > MostBytes)
      return false;
    SmallVector<Value *> work{&variable};
    while (!work.empty()) {
      Value *address = work.pop_back_val();
      for (User *user : address->users()) {
        if (isa<GetElementPtrInst>(user)) {
          work.push_back(user);
          continue;
        }
        if (!isAccess(*cast<Instruction>(user), address))
          return false;
      }
    }
    return true;
  }

  bool isAccess(Instruction &user, const Value *address) const {
    if (auto *load = dyn_cast<LoadInst>(&user))
      return load->isSimple() &&
             layout.getTypeStoreSize(load->getType()) <= MostValueBytes;
    if (auto *store = dyn_cast<StoreInst>(&user))
      return store->isSimple() && store->getValueOperand() != address;
    if (auto *range = dyn_cast<MemIntrinsic>(&user))
      return isa<ConstantInt>(range->getLength()) && !range->isVolatile();
    if (isa<LifetimeIntrinsic>(user))
      return true;
    auto *call = dyn_cast<CallInst>(&user);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName().starts_with(image::CheckPrefix);
  }

  /// The variables that get what may be unset, from memory or from each other.
  void findVariables() {
    for (bool changed = true; changed;) {
      changed = false;
      auto add = [&](Value *address, const std::string &name) {
        AllocaInst *variable = variableAt(address);
        if (!variable || variables.count(variable) || !canFollow(*variable))
          return;
        variables.insert({variable, {nullptr, nullptr, nullptr, name}});
        changed = true;
      };
      for (const Copy &copy : copies) {
        if (isShared(copy.from))
          add(copy.to, variableName(*copy.read, copy.from));
        else if (const Beside *source = besideOf(copy.from))
          add(copy.to, std::string(source->name));
      }
      for (Instruction *instruction : others)
        if (auto *store = dyn_cast<StoreInst>(instruction))
          if (const LoadInst *load = origin(store->getValueOperand()))
            if (const Beside *source =
                    besideOf(const_cast<Value *>(load->getPointerOperand())))
              add(store->getPointerOperand(), std::string(source->name));
    }
  }

  Beside *besideOf(Value *address) {
    AllocaInst *variable = variableAt(address);
    auto found = variable ? variables.find(variable) : variables.end();
    return found == variables.end() ? nullptr : &found->second;
  }

  /// The load that \p value, or the structure that it is part of, comes from.
  static const LoadInst *origin(const Value *value) {
    while (auto *part = dyn_cast<ExtractValueInst>(value))
      value = part->getAggregateOperand();
    return dyn_cast<LoadInst>(value);
  }

  template <typename Made> Made *own(Made *made) {
    made->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(context, {}));
    return made;
  }

  void place(AllocaInst &variable, Beside &beside) {
    // The variable itself need not be among the first instructions.
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> b(&entry, entry.begin());
    beside.unset =
        b.CreateAlloca(ArrayType::get(b.getInt8Ty(), sizeOf(variable)));
    beside.from = b.CreateAlloca(b.getPtrTy());
    beside.place = b.CreateAlloca(b.getPtrTy());
    b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    Value *null = ConstantPointerNull::get(b.getPtrTy());
    own(b.CreateMemSet(beside.unset, b.getInt8(0), sizeOf(variable), Align(1)));
    own(b.CreateStore(null, beside.from));
    own(b.CreateStore(null, beside.place));
  }

  /// How far \p address is from the beginning of its variable, of which \p
  /// bytes are accessed there; the beginning itself if they are not all in it.
  Value *distance(IRBuilder<> &b, Value *address, uint64_t bytes) {
    AllocaInst *variable = variableAt(address);
    const uint64_t size = sizeOf(*variable);
    APInt offset(64, 0);
    if (address->stripAndAccumulateConstantOffsets(
            layout, offset, /*AllowNonInbounds=*/true) == variable)
      return b.getInt64(offset.isNonNegative() && bytes <= size &&
                                offset.getZExtValue() <= size - bytes
                            ? offset.getZExtValue()
                            : 0);
    Value *known = b.CreateSub(b.CreatePtrToInt(address, b.getInt64Ty()),
                               b.CreatePtrToInt(variable, b.getInt64Ty()));
    Value *isInside =
        b.CreateICmpULE(known, b.getInt64(size - std::min(size, bytes)));
    return b.CreateSelect(isInside, known, b.getInt64(0));
  }

  Value *unsetAt(IRBuilder<> &b, const Beside &beside, Value *distance) {
    return b.CreateGEP(b.getInt8Ty(), beside.unset, distance);
  }

  CallInst *call(IRBuilder<> &b, StringRef name, ArrayRef<Value *> operands) {
    SmallVector<Type *> types;
    for (Value *operand : operands)
      types.push_back(operand->getType());
    FunctionCallee callee = module.getOrInsertFunction(
        (image::CheckPrefix + name).str(),
        FunctionType::get(b.getVoidTy(), types, /*isVarArg=*/false));
    auto *called = cast<Function>(callee.getCallee());
    called->setDoesNotThrow();
    called->setWillReturn();
    called->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
    for (Argument &argument : called->args())
      if (argument.getType()->isPointerTy())
        argument.addAttr(
            Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
    return b.CreateCall(callee, operands);
  }

  Constant *siteOf(Instruction &instruction, uint64_t bytes, StringRef name) {
    return sites.at(instruction, nullptr, static_cast<uint32_t>(bytes), 1,
                    image::SiteNoValue, name);
  }

  void follow(const Copy &copy) {
    IRBuilder<> b(copy.at->getNextNode());
    Beside *to = besideOf(copy.to), *from = besideOf(copy.from);
    Value *bytes = b.getInt64(copy.bytes);
    if (!to) {
      if (!isShared(copy.to))
        return;
      if (from)
        call(b, "copied_private",
             {copy.to, unsetAt(b, *from, distance(b, copy.from, copy.bytes)),
              bytes});
      else if (isShared(copy.from))
        call(b, "copied", {copy.to, copy.from, bytes});
      return;
    }
    if (copy.bytes > sizeOf(*variableAt(copy.to)))
      return;
    Value *at = distance(b, copy.to, copy.bytes);
    Value *unset = unsetAt(b, *to, at);
    if (from && copy.bytes <= sizeOf(*variableAt(copy.from))) {
      Value *there = distance(b, copy.from, copy.bytes);
      own(b.CreateMemCpy(unset, Align(1), unsetAt(b, *from, there), Align(1),
                         copy.bytes));
      Value *begin = own(b.CreateLoad(b.getPtrTy(), from->from));
      own(b.CreateStore(
          b.CreateGEP(b.getInt8Ty(), begin, b.CreateSub(there, at)), to->from));
      own(b.CreateStore(own(b.CreateLoad(b.getPtrTy(), from->place)),
                        to->place));
    } else if (isShared(copy.from)) {
      call(b, "unset", {unset, copy.from, bytes});
      own(b.CreateStore(b.CreateGEP(b.getInt8Ty(), copy.from, b.CreateNeg(at)),
                        to->from));
      own(b.CreateStore(siteOf(*copy.at, copy.bytes, to->name), to->place));
    } else {
      own(b.CreateMemSet(unset, b.getInt8(0), copy.bytes, Align(1)));
    }
  }

  void follow(Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      if (besideOf(load->getPointerOperand()))
        tellUses(*load);
      return;
    }
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      followStore(*store);
      return;
    }
    if (auto *set = dyn_cast<MemSetInst>(&instruction)) {
      Beside *beside = besideOf(set->getRawDest());
      if (!beside)
        return;
      const uint64_t bytes =
          cast<ConstantInt>(set->getLength())->getZExtValue();
      if (bytes > sizeOf(*variableAt(set->getRawDest())))
        return;
      IRBuilder<> b(set);
      own(b.CreateMemSet(
          unsetAt(b, *beside, distance(b, set->getRawDest(), bytes)),
          b.getInt8(0), bytes, Align(1)));
      return;
    }
    // A variable that comes to life is not looked at until it is written.
    if (instruction.getOpcode() != Instruction::Call ||
        cast<IntrinsicInst>(instruction).getIntrinsicID() !=
            Intrinsic::lifetime_start)
      return;
    Value *address =
        cast<CallInst>(instruction)
            .getArgOperand(cast<CallInst>(instruction).arg_size() - 1);
    if (Beside *beside = besideOf(address)) {
      IRBuilder<> b(&instruction);
      own(b.CreateMemSet(beside->unset, b.getInt8(0),
                         sizeOf(*variableAt(address)), Align(1)));
    }
  }

  void followStore(StoreInst &store) {
    Beside *to = besideOf(store.getPointerOperand());
    if (!to)
      return;
    Value *value = store.getValueOperand();
    const uint64_t bytes = layout.getTypeStoreSize(value->getType());
    IRBuilder<> b(&store);
    Value *at = distance(b, store.getPointerOperand(), bytes);
    Value *place = unsetAt(b, *to, at);
    const Followed followed = follow(value);
    if (!followed.unset) {
      own(b.CreateMemSet(place, b.getInt8(0), bytes, Align(1)));
      return;
    }
    own(b.CreateAlignedStore(followed.unset, place, Align(1)));
    Value *isUnset = b.CreateIsNotNull(followed.unset);
    auto keep = [&](AllocaInst *slot, Value *value) {
      Value *before = own(b.CreateLoad(b.getPtrTy(), slot));
      own(b.CreateStore(b.CreateSelect(isUnset, value, before), slot));
    };
    keep(to->from,
         b.CreateGEP(b.getInt8Ty(), followed.address, b.CreateNeg(at)));
    keep(to->place, followed.place);
  }

  /// What is known of \p value; nothing: it is set.
  Followed follow(Value *value) {
    auto known = values.find(value);
    if (known != values.end())
      return known->second;
    Followed result;
    if (auto *load = dyn_cast<LoadInst>(value)) {
      const Beside *beside = besideOf(load->getPointerOperand());
      const uint64_t bytes = layout.getTypeStoreSize(load->getType());
      if (beside && bytes <= sizeOf(*variableAt(load->getPointerOperand()))) {
        IRBuilder<> b(load);
        Value *at = distance(b, load->getPointerOperand(), bytes);
        result.unset = own(b.CreateAlignedLoad(
            b.getIntNTy(8 * bytes), unsetAt(b, *beside, at), Align(1)));
        Value *begin = own(b.CreateLoad(b.getPtrTy(), beside->from));
        result.address = b.CreateGEP(b.getInt8Ty(), begin, at);
        result.place = own(b.CreateLoad(b.getPtrTy(), beside->place));
      }
    } else if (auto *part = dyn_cast<ExtractValueInst>(value)) {
      result = follow(part->getAggregateOperand());
      if (result.unset) {
        IRBuilder<> b(part);
        const uint64_t bytes = layout.getTypeStoreSize(part->getType());
        const uint64_t at = offsetOf(*part);
        Value *shifted = b.CreateLShr(result.unset, at * 8);
        result.unset = b.CreateTrunc(shifted, b.getIntNTy(8 * bytes));
        result.address =
            b.CreateConstGEP1_64(b.getInt8Ty(), result.address, at);
      }
    }
    values[value] = result;
    return result;
  }

  uint64_t offsetOf(const ExtractValueInst &part) const {
    SmallVector<Value *> indices{
        ConstantInt::get(Type::getInt32Ty(context), 0)};
    for (unsigned index : part.indices())
      indices.push_back(ConstantInt::get(Type::getInt32Ty(context), index));
    return layout.getIndexedOffsetInType(part.getAggregateOperand()->getType(),
                                         indices);
  }

  /// Tells the runtime where \p value, or a part of it, is used otherwise than
  /// to be copied on.
  void tellUses(Instruction &value) {
    bool isUsed = false;
    for (User *user : make_early_inc_range(value.users())) {
      if (auto *part = dyn_cast<ExtractValueInst>(user))
        tellUses(*part);
      else if (auto *store = dyn_cast<StoreInst>(user))
        isUsed |= store->getPointerOperand() == &value;
      else
        isUsed |= !isa<PHINode, SelectInst, InsertValueInst, FreezeInst>(user);
    }
    if (!isUsed)
      return;
    const Followed followed = follow(&value);
    if (!followed.unset)
      return;
    const Beside *beside =
        besideOf(const_cast<Value *>(origin(&value)->getPointerOperand()));
    IRBuilder<> b(value.getNextNode());
    call(b, "unset_use",
         {b.CreateZExt(b.CreateIsNotNull(followed.unset), b.getInt32Ty()),
          followed.address,
          siteOf(value, layout.getTypeStoreSize(value.getType()), beside->name),
          followed.place});
  }

  Function &function;
  Module &module;
  LLVMContext &context;
  const DataLayout &layout;
  Sites &sites;
  std::vector<Copy> copies;
  std::vector<Instruction *> others;
  MapVector<AllocaInst *, Beside> variables;
  DenseMap<Value *, Followed> values;
};

} // namespace

void followCopies(Function &function, Sites &sites) {
  Follower(function, sites).run();
}

} // namespace cufort::check
