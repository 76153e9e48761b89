//===- ConstantTables.cpp - private arrays that are tables ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/ConstantTables.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace cufort;

namespace {

/// ptxas takes arrays of up to 32 words into registers and selects from them.
constexpr uint64_t MostInRegisters = 128;

/// What happens to an array whose address stays in its function.
class Accesses {
public:
  /// Whether these are all.
  bool find(AllocaInst &array) {
    const DataLayout &layout = array.getDataLayout();
    return follow(array,
                  APInt(layout.getIndexTypeSizeInBits(array.getType()), 0),
                  layout);
  }

  struct Store {
    Instruction *instruction;
    uint64_t offset;
  };
  SmallVector<Store> stores;
  SmallVector<LoadInst *> loads;
  SmallVector<Instruction *> lifetimes;

private:
  /// \p offset is that of \p address, if it is known.
  bool follow(Value &address, std::optional<APInt> offset,
              const DataLayout &layout) {
    for (User *user : address.users()) {
      auto *instruction = dyn_cast<Instruction>(user);
      if (!instruction)
        return false;
      if (instruction->isLifetimeStartOrEnd()) {
        lifetimes.push_back(instruction);
      } else if (auto *element = dyn_cast<GetElementPtrInst>(instruction)) {
        std::optional<APInt> sum = offset;
        if (sum && !element->accumulateConstantOffset(layout, *sum))
          sum.reset();
        if (element->getType()->isVectorTy() || !follow(*element, sum, layout))
          return false;
      } else if (auto *load = dyn_cast<LoadInst>(instruction)) {
        if (!load->isSimple())
          return false;
        loads.push_back(load);
      } else if (!offset || offset->isNegative() ||
                 !isStoreTo(address, *instruction)) {
        return false;
      } else {
        stores.push_back({instruction, offset->getZExtValue()});
      }
    }
    return true;
  }

  static bool isStoreTo(const Value &address, const Instruction &instruction) {
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return store->isSimple() && store->getValueOperand() != &address;
    auto *fill = dyn_cast<MemSetInst>(&instruction);
    return fill && !fill->isVolatile();
  }
};

/// What is in an array after stores of constants at constant places.
class Bytes {
public:
  explicit Bytes(uint64_t size) : bytes(size) {}

  /// Whether \p instruction puts what is known at \p offset.
  bool add(const Instruction &instruction, uint64_t offset) {
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      auto *value = dyn_cast<Constant>(store->getValueOperand());
      return value && add(*value, offset, store->getDataLayout());
    }
    auto &fill = cast<MemSetInst>(instruction);
    auto *value = dyn_cast<ConstantInt>(fill.getValue());
    auto *length = dyn_cast<ConstantInt>(fill.getLength());
    if (!value || !length || !has(offset, length->getValue().getLimitedValue()))
      return false;
    std::fill_n(bytes.begin() + offset, length->getZExtValue(),
                static_cast<uint8_t>(value->getZExtValue()));
    return true;
  }

  Constant *get(LLVMContext &context) const {
    return ConstantDataArray::get(context, bytes);
  }

private:
  bool has(uint64_t offset, uint64_t size) const {
    return size <= bytes.size() && offset <= bytes.size() - size;
  }

  bool add(const Constant &value, uint64_t offset, const DataLayout &layout) {
    Type *type = value.getType();
    if (auto *vector = dyn_cast<FixedVectorType>(type)) {
      uint64_t size = layout.getTypeStoreSize(vector->getElementType());
      if (layout.getTypeSizeInBits(vector->getElementType()) != size * 8)
        return false;
      for (unsigned n = 0; n != vector->getNumElements(); ++n) {
        Constant *element = value.getAggregateElement(n);
        if (!element || !add(*element, offset + n * size, layout))
          return false;
      }
      return true;
    }
    APInt bits;
    if (auto *number = dyn_cast<ConstantInt>(&value))
      bits = number->getValue();
    else if (auto *number = dyn_cast<ConstantFP>(&value))
      bits = number->getValueAPF().bitcastToAPInt();
    else
      return false;
    uint64_t size = layout.getTypeStoreSize(type);
    if (bits.getBitWidth() != size * 8 || !has(offset, size))
      return false;
    for (uint64_t n = 0; n != size; ++n)
      bytes[offset + n] = bits.extractBitsAsZExtValue(8, n * 8);
    return true;
  }

  SmallVector<uint8_t> bytes;
};

/// The contents of \p array whenever one of the \p accesses loads from there.
Constant *contentsOf(const AllocaInst &array, Accesses &accesses,
                     const DominatorTree &dominators) {
  auto size = array.getAllocationSize(array.getDataLayout());
  if (!size || size->isScalable() || size->getFixedValue() <= MostInRegisters ||
      accesses.stores.empty() || accesses.loads.empty())
    return nullptr;
  const BasicBlock *block = accesses.stores.front().instruction->getParent();
  if (any_of(accesses.stores, [block](const Accesses::Store &each) {
        return each.instruction->getParent() != block;
      }))
    return nullptr;
  sort(accesses.stores,
       [](const Accesses::Store &one, const Accesses::Store &other) {
         return one.instruction->comesBefore(other.instruction);
       });
  const Instruction *last = accesses.stores.back().instruction;
  if (any_of(accesses.loads, [&](const LoadInst *load) {
        return !dominators.dominates(last, load);
      }))
    return nullptr;
  Bytes bytes(size->getFixedValue());
  for (const Accesses::Store &each : accesses.stores)
    if (!bytes.add(*each.instruction, each.offset))
      return nullptr;
  return bytes.get(array.getContext());
}

struct TabulateConstants {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
    auto &functions =
        manager.getResult<FunctionAnalysisManagerModuleProxy>(module)
            .getManager();
    bool changed = false;
    for (Function &function : module) {
      SmallVector<AllocaInst *> arrays;
      for (Instruction &instruction : instructions(function))
        if (auto *array = dyn_cast<AllocaInst>(&instruction);
            array && array->isStaticAlloca())
          arrays.push_back(array);
      for (AllocaInst *array : arrays) {
        Accesses accesses;
        if (!accesses.find(*array))
          continue;
        if (Constant *contents = contentsOf(
                *array, accesses,
                functions.getResult<DominatorTreeAnalysis>(function))) {
          replace(*array, accesses, *contents);
          changed = true;
        }
      }
    }
    return afterInstructions(changed);
  }

private:
  static void replace(AllocaInst &array, const Accesses &accesses,
                      Constant &contents) {
    auto *table = new GlobalVariable(
        *array.getModule(), contents.getType(), /*isConstant=*/true,
        GlobalValue::InternalLinkage, &contents,
        array.getFunction()->getName() + ".table", nullptr,
        GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_GLOBAL);
    table->setAlignment(array.getAlign());
    for (const Accesses::Store &each : accesses.stores)
      each.instruction->eraseFromParent();
    for (Instruction *each : accesses.lifetimes)
      each->eraseFromParent();
    array.replaceAllUsesWith(
        ConstantExpr::getAddrSpaceCast(table, array.getType()));
    array.eraseFromParent();
  }
};

} // namespace

PreservedAnalyses cufort::formConstantTables(Module &module,
                                             ModuleAnalysisManager &manager,
                                             const GpuOptions &) {
  return TabulateConstants().run(module, manager);
}
