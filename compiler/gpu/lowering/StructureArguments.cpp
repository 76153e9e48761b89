//===- StructureArguments.cpp - structures by value -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/StructureArguments.h"
#include "compiler/gpu/CompileForGpu.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;
using namespace cufort;

namespace {

/// Of a structure that is worth it: they take registers at each call.
constexpr unsigned MostComponents = 32;

/// Of one with holes, in which LLVM would lose what a union has there.
constexpr unsigned MostWithHoles = 256;

/// A number or pointer within a structure.
struct Component {
  SmallVector<unsigned, 2> path;
  Type *type;
  uint64_t offset;
};
using Components = SmallVector<Component, 8>;

/// Adds the components of \p type, which is at \p offset; false if it has
/// others than numbers and pointers, or too many. Packed structures are not at
/// their alignment.
bool addComponents(Type *type, uint64_t offset, const DataLayout &layout,
                   SmallVectorImpl<unsigned> &path, Components &components) {
  auto add = [&](Type *part, uint64_t distance, unsigned index) {
    path.push_back(index);
    bool added =
        addComponents(part, offset + distance, layout, path, components);
    path.pop_back();
    return added;
  };
  if (auto *structure = dyn_cast<StructType>(type)) {
    if (structure->isPacked() || structure->isOpaque())
      return false;
    const StructLayout *places = layout.getStructLayout(structure);
    for (unsigned n = 0; n != structure->getNumElements(); ++n)
      if (!add(structure->getElementType(n), places->getElementOffset(n), n))
        return false;
    return true;
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    const uint64_t size = layout.getTypeAllocSize(array->getElementType());
    if (array->getNumElements() > MostWithHoles)
      return false;
    for (unsigned n = 0; n != array->getNumElements(); ++n)
      if (!add(array->getElementType(), n * size, n))
        return false;
    return true;
  }
  if (type != PointerType::get(type->getContext(), 0) && !type->isFloatTy() &&
      !type->isDoubleTy() && !type->isIntegerTy(8) && !type->isIntegerTy(16) &&
      !type->isIntegerTy(32) && !type->isIntegerTy(64))
    return false;
  components.push_back(
      {SmallVector<unsigned, 2>(path.begin(), path.end()), type, offset});
  return components.size() <= MostWithHoles;
}

/// A structure as a value.
struct ValueForm {
  Type *type = nullptr; ///< null: it stays in memory
  Components components;
};

/// Adds numbers to \p components where nothing is between them, and up to \p
/// size. A union has the type of one of its members, and others are there.
bool fillHoles(Components &components, uint64_t size, const DataLayout &layout,
               LLVMContext &context) {
  Components filled;
  uint64_t end = 0;
  auto fillTo = [&](uint64_t offset) {
    while (end < offset) {
      const uint64_t bytes = std::min<uint64_t>(
          {8, bit_floor(offset - end), commonAlignment(Align(8), end).value()});
      filled.push_back(
          {{}, Type::getIntNTy(context, unsigned(8 * bytes)), end});
      end += bytes;
    }
  };
  for (const Component &component : components) {
    fillTo(component.offset);
    filled.push_back(component);
    end += layout.getTypeStoreSize(component.type);
  }
  fillTo(size);
  const bool hasHoles = filled.size() != components.size();
  components = std::move(filled);
  return hasHoles;
}

/// That of \p type if it is a structure or array that can be a value.
ValueForm valueForm(Type *type, MaybeAlign alignment,
                    const DataLayout &layout) {
  ValueForm form;
  SmallVector<unsigned> path;
  if (!type || !type->isAggregateType() ||
      (alignment && *alignment < layout.getABITypeAlign(type)) ||
      !addComponents(type, 0, layout, path, form.components))
    return {};
  form.type = type;
  unsigned most = MostComponents;
  if (fillHoles(form.components, layout.getTypeAllocSize(type), layout,
                type->getContext())) {
    SmallVector<Type *> types;
    for (auto [n, component] : enumerate(form.components)) {
      component.path = {unsigned(n)};
      types.push_back(component.type);
    }
    form.type = StructType::get(type->getContext(), types);
    most = MostWithHoles;
  }
  if (form.components.empty() || form.components.size() > most)
    return {};
  return form;
}

/// The attributes of a value that stands for a structure, whose parameter has
/// the \p alignment of the copy.
AttributeSet valueAttributes(LLVMContext &context, Align alignment,
                             Align natural) {
  AttrBuilder attributes(context);
  if (alignment > natural)
    attributes.addStackAlignmentAttr(alignment);
  return AttributeSet::get(context, attributes);
}

/// \p list with the attributes of other parameters, of which there are \p
/// count.
AttributeList withParameters(const AttributeList &list, LLVMContext &context,
                             ArrayRef<AttributeSet> parameters) {
  return AttributeList::get(context, list.getFnAttrs(), list.getRetAttrs(),
                            parameters);
}

bool takesStructures(const Function &function) {
  if (function.isDeclaration() || function.isVarArg() ||
      function.getCallingConv() == CallingConv::PTX_Kernel ||
      any_of(function,
             [](const BasicBlock &block) { return block.hasAddressTaken(); }))
    return false;
  return any_of(function.args(), [&](const Argument &argument) {
    return argument.hasByValAttr() &&
           valueForm(argument.getParamByValType(), argument.getParamAlign(),
                     function.getDataLayout())
               .type;
  });
}

/// Whether \p call hands on structures to a function that takes values, as all
/// do whose name is not known here: in PTX the two are the same.
bool passesStructures(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (call.isInlineAsm() || (callee && callee->isDeclaration()) ||
      call.getFunctionType()->isVarArg())
    return false;
  for (unsigned n = 0; n != call.arg_size(); ++n)
    if (call.isByValArgument(n) &&
        valueForm(call.getParamByValType(n), call.getParamAlign(n),
                  call.getDataLayout())
            .type)
      return true;
  return false;
}

/// Replaces \p function by one that takes values, and writes them into
/// variables.
Function *takeValues(Function &function) {
  LLVMContext &context = function.getContext();
  const DataLayout &layout = function.getDataLayout();
  SmallVector<Type *> types;
  SmallVector<AttributeSet> attributes;
  SmallVector<ValueForm, 4> structures;
  for (Argument &argument : function.args()) {
    Type *type =
        argument.hasByValAttr() ? argument.getParamByValType() : nullptr;
    structures.push_back(valueForm(type, argument.getParamAlign(), layout));
    const bool isValue = structures.back().type;
    types.push_back(isValue ? structures.back().type : argument.getType());
    attributes.push_back(
        isValue
            ? valueAttributes(context,
                              argument.getParamAlign().value_or(
                                  layout.getABITypeAlign(type)),
                              layout.getABITypeAlign(structures.back().type))
            : function.getAttributes().getParamAttrs(argument.getArgNo()));
  }
  Function *changed = Function::Create(
      FunctionType::get(function.getReturnType(), types, /*isVarArg=*/false),
      function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(),
                                                 changed);
  changed->copyAttributesFrom(&function);
  changed->setComdat(function.getComdat());
  changed->setAttributes(
      withParameters(function.getAttributes(), context, attributes));
  changed->copyMetadata(&function, 0);
  function.setSubprogram(nullptr);
  changed->takeName(&function);
  changed->splice(changed->begin(), &function);
  IRBuilder<> builder(&*changed->getEntryBlock().getFirstInsertionPt());
  for (auto [before, argument, structure] :
       zip(function.args(), changed->args(), structures)) {
    argument.takeName(&before);
    Value *value = &argument;
    if (structure.type) {
      Type *type = structure.type;
      AllocaInst *copy = builder.CreateAlloca(type);
      copy->setAlignment(std::max(layout.getABITypeAlign(type),
                                  before.getParamAlign().value_or(Align(1))));
      for (const Component &component : structure.components)
        builder.CreateAlignedStore(
            builder.CreateExtractValue(&argument, component.path),
            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy,
                                               component.offset),
            commonAlignment(copy->getAlign(), component.offset));
      value = builder.CreateAddrSpaceCast(copy, before.getType());
    }
    before.replaceAllUsesWith(value);
  }
  function.replaceAllUsesWith(changed);
  function.eraseFromParent();
  return changed;
}

/// Replaces \p call by one that hands on what it finds in the structures'
/// memory.
void passValues(CallInst &call) {
  LLVMContext &context = call.getContext();
  const DataLayout &layout = call.getDataLayout();
  IRBuilder<> builder(&call);
  SmallVector<Type *> types;
  SmallVector<Value *> values;
  SmallVector<AttributeSet> attributes;
  for (unsigned n = 0; n != call.arg_size(); ++n) {
    Value *value = call.getArgOperand(n);
    AttributeSet ofValue = call.getAttributes().getParamAttrs(n);
    if (call.isByValArgument(n)) {
      Type *type = call.getParamByValType(n);
      const Align alignment =
          call.getParamAlign(n).value_or(layout.getABITypeAlign(type));
      ValueForm structure = valueForm(type, call.getParamAlign(n), layout);
      if (structure.type) {
        Value *pointer = value;
        value = PoisonValue::get(structure.type);
        for (const Component &component : structure.components)
          value = builder.CreateInsertValue(
              value,
              builder.CreateAlignedLoad(
                  component.type,
                  builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                     pointer, component.offset),
                  commonAlignment(alignment, component.offset)),
              component.path);
        ofValue = valueAttributes(context, alignment,
                                  layout.getABITypeAlign(structure.type));
      }
    }
    types.push_back(value->getType());
    values.push_back(value);
    attributes.push_back(ofValue);
  }
  SmallVector<OperandBundleDef, 1> bundles;
  call.getOperandBundlesAsDefs(bundles);
  CallInst *changed = builder.CreateCall(
      FunctionType::get(call.getType(), types, /*isVarArg=*/false),
      call.getCalledOperand(), values, bundles);
  changed->setCallingConv(call.getCallingConv());
  changed->setTailCallKind(call.getTailCallKind());
  changed->setAttributes(
      withParameters(call.getAttributes(), context, attributes));
  changed->copyMetadata(call);
  changed->takeName(&call);
  call.replaceAllUsesWith(changed);
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses
cufort::lowerStructureArguments(Module &module, ModuleAnalysisManager &manager,
                                const GpuOptions &options) {
  SetVector<Function *> changed;
  SmallVector<Function *> takers;
  SmallVector<CallInst *> calls;
  for (Function &function : module) {
    if (takesStructures(function))
      takers.push_back(&function);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && passesStructures(*call)) {
        // Its parameters have to be its caller's.
        if (call->isMustTailCall())
          return PreservedAnalyses::all();
        calls.push_back(call);
      }
  }
  if (takers.empty() && calls.empty())
    return PreservedAnalyses::all();
  for (Function *function : takers)
    changed.insert(takeValues(*function));
  for (CallInst *call : calls) {
    changed.insert(call->getFunction());
    passValues(*call);
  }
  auto &functions =
      manager.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  functions.clear();
  if (!options.optimise)
    return PreservedAnalyses::none();
  FunctionPassManager cleanUp;
  cleanUp.addPass(SROAPass(SROAOptions::PreserveCFG));
  cleanUp.addPass(InstSimplifyPass());
  for (Function *function : changed)
    cleanUp.run(*function, functions);
  functions.clear();
  return PreservedAnalyses::none();
}
