//===- FlattenAddressSpaces.cpp - one address space -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/FlattenAddressSpaces.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/optimise/HostTarget.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// NVPTX's numbers.
constexpr unsigned GlobalSpace = 1, SharedSpace = 3, ConstantSpace = 4;

class Flattening {
public:
  explicit Flattening(Module &module) : module(module) {}
  void run();

private:
  Type *map(Type *type);
  Constant *map(Constant *constant);
  void flattenVariable(GlobalVariable &variable);
  void flattenSignature(Function &function);
  void flattenBody(Function &function);
  void flattenDebugPlaces(Instruction &instruction);
  void flattenCall(CallBase &call);

  Module &module;
  DenseMap<Type *, Type *> types;
  DenseMap<Constant *, Constant *> constants;
};

Type *Flattening::map(Type *type) {
  if (auto known = types.find(type); known != types.end())
    return known->second;
  Type *mapped = type;
  if (auto *pointer = dyn_cast<PointerType>(type)) {
    if (pointer->getAddressSpace() != 0)
      mapped = PointerType::get(type->getContext(), 0);
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    mapped =
        ArrayType::get(map(array->getElementType()), array->getNumElements());
  } else if (auto *vector = dyn_cast<VectorType>(type)) {
    mapped = VectorType::get(map(vector->getElementType()),
                             vector->getElementCount());
  } else if (auto *structure = dyn_cast<StructType>(type)) {
    SmallVector<Type *> fields;
    for (Type *field : structure->elements())
      fields.push_back(map(field));
    if (!structure->isOpaque() &&
        ArrayRef<Type *>(fields) != structure->elements())
      mapped =
          StructType::get(type->getContext(), fields, structure->isPacked());
  } else if (auto *function = dyn_cast<FunctionType>(type)) {
    SmallVector<Type *> parameters;
    for (Type *parameter : function->params())
      parameters.push_back(map(parameter));
    mapped = FunctionType::get(map(function->getReturnType()), parameters,
                               function->isVarArg());
  }
  types[type] = mapped;
  return mapped;
}

Constant *Flattening::map(Constant *constant) {
  if (auto known = constants.find(constant); known != constants.end())
    return known->second;
  Type *type = map(constant->getType());
  Constant *mapped = constant;
  if (isa<GlobalValue>(constant)) {
    mapped = constant;
  } else if (isa<PoisonValue>(constant)) {
    mapped = PoisonValue::get(type);
  } else if (isa<UndefValue>(constant)) {
    mapped = UndefValue::get(type);
  } else if (constant->isNullValue()) {
    mapped = Constant::getNullValue(type);
  } else if (constant->getNumOperands()) {
    SmallVector<Constant *> operands;
    bool changed = type != constant->getType();
    for (Use &operand : constant->operands()) {
      auto *old = cast<Constant>(operand.get());
      operands.push_back(map(old));
      changed |= operands.back() != old;
    }
    if (!changed) {
      mapped = constant;
    } else if (auto *expression = dyn_cast<ConstantExpr>(constant)) {
      if (expression->getOpcode() == Instruction::AddrSpaceCast)
        mapped = operands[0];
      else if (auto *gep = dyn_cast<GEPOperator>(expression))
        mapped = expression->getWithOperands(operands, type, false,
                                             map(gep->getSourceElementType()));
      else
        mapped = expression->getWithOperands(operands, type);
    } else if (isa<ConstantStruct>(constant)) {
      mapped = ConstantStruct::get(cast<StructType>(type), operands);
    } else if (isa<ConstantArray>(constant)) {
      mapped = ConstantArray::get(cast<ArrayType>(type), operands);
    } else if (isa<ConstantVector>(constant)) {
      mapped = ConstantVector::get(operands);
    }
  }
  constants[constant] = mapped;
  return mapped;
}

/// Makes the variable's twin in address space 0. Its initialiser follows when
/// all variables have their twins.
void Flattening::flattenVariable(GlobalVariable &variable) {
  unsigned space = variable.getAddressSpace();
  // What a program can name is written from the host; what the compiler made
  // for itself (strings, tables) is constant.
  bool own = variable.isConstant() && variable.hasGlobalUnnamedAddr();
  auto *twin = new GlobalVariable(module, map(variable.getValueType()), own,
                                  variable.getLinkage(), nullptr, "", &variable,
                                  variable.getThreadLocalMode(), 0u,
                                  variable.isExternallyInitialized());
  twin->copyAttributesFrom(&variable);
  twin->setConstant(own);
  twin->setSection("");
  SmallVector<std::pair<unsigned, MDNode *>> metadata;
  variable.getAllMetadata(metadata);
  for (auto &[kind, node] : metadata)
    twin->addMetadata(kind, *node);
  twin->takeName(&variable);
  if (space == SharedSpace)
    twin->addAttribute(VariableAttribute, "shared");
  else if ((space == GlobalSpace || space == ConstantSpace) && !own)
    twin->addAttribute(VariableAttribute, "device");
  if (space == ConstantSpace)
    twin->addAttribute(ConstantAttribute);
  constants[&variable] = twin;
}

void Flattening::flattenSignature(Function &function) {
  auto *type = cast<FunctionType>(map(function.getFunctionType()));
  if (type == function.getFunctionType())
    return;
  if (function.isIntrinsic()) {
    SmallVector<Type *> overloads;
    if (Intrinsic::getIntrinsicSignature(function.getIntrinsicID(), type,
                                         overloads)) {
      constants[&function] = Intrinsic::getOrInsertDeclaration(
          &module, function.getIntrinsicID(), overloads);
      return;
    }
  }
  Function *twin = Function::Create(type, function.getLinkage(), "", &module);
  twin->copyAttributesFrom(&function);
  twin->takeName(&function);
  twin->setSubprogram(function.getSubprogram());
  twin->splice(twin->begin(), &function);
  for (auto [old, argument] : zip(function.args(), twin->args())) {
    old.mutateType(argument.getType());
    old.replaceAllUsesWith(&argument);
    argument.takeName(&old);
  }
  constants[&function] = twin;
}

/// What debuggers are told of places that are constants.
void Flattening::flattenDebugPlaces(Instruction &instruction) {
  for (DbgVariableRecord &record :
       filterDbgVars(instruction.getDbgRecordRange()))
    for (Value *place : to_vector(record.location_ops()))
      if (auto *constant = dyn_cast<Constant>(place);
          constant && !isa<PoisonValue>(constant))
        if (Constant *mapped = map(constant); mapped != constant)
          record.replaceVariableLocationOp(constant, mapped);
}

void Flattening::flattenCall(CallBase &call) {
  call.mutateFunctionType(cast<FunctionType>(map(call.getFunctionType())));
  AttributeList attributes = call.getAttributes();
  for (unsigned i = 0; i < call.arg_size(); ++i)
    for (Attribute::AttrKind kind :
         {Attribute::ByVal, Attribute::ElementType, Attribute::StructRet})
      if (Attribute attribute = attributes.getParamAttr(i, kind);
          attribute.isValid() && attribute.getValueAsType())
        attributes = attributes.replaceAttributeTypeAtIndex(
            module.getContext(), AttributeList::FirstArgIndex + i, kind,
            map(attribute.getValueAsType()));
  call.setAttributes(attributes);
}

void Flattening::flattenBody(Function &function) {
  SmallVector<Instruction *> casts;
  for (Instruction &instruction : instructions(function)) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (load->getPointerAddressSpace() == ConstantSpace)
        load->setMetadata(LLVMContext::MD_invariant_load,
                          MDNode::get(module.getContext(), {}));
    if (isa<AddrSpaceCastInst>(instruction))
      casts.push_back(&instruction);
  }
  for (Instruction &instruction : instructions(function)) {
    flattenDebugPlaces(instruction);
    for (Use &operand : instruction.operands())
      if (auto *constant = dyn_cast<Constant>(operand.get()))
        operand.set(map(constant));
    instruction.mutateType(map(instruction.getType()));
    if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction)) {
      gep->setSourceElementType(map(gep->getSourceElementType()));
      gep->setResultElementType(map(gep->getResultElementType()));
    } else if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
      alloca->setAllocatedType(map(alloca->getAllocatedType()));
    } else if (auto *call = dyn_cast<CallBase>(&instruction)) {
      flattenCall(*call);
    }
  }
  for (Instruction *cast : casts) {
    cast->replaceAllUsesWith(cast->getOperand(0));
    cast->eraseFromParent();
  }
}

void Flattening::run() {
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() != 0 ||
        map(variable.getValueType()) != variable.getValueType())
      variables.push_back(&variable);
  for (GlobalVariable *variable : variables)
    flattenVariable(*variable);

  SmallVector<Function *> functions;
  for (Function &function : module)
    functions.push_back(&function);
  for (Function *function : functions)
    flattenSignature(*function);
  for (GlobalVariable &variable : module.globals()) {
    auto twin = constants.find(&variable);
    if (twin != constants.end() && twin->second != &variable) {
      auto *flat = cast<GlobalVariable>(twin->second);
      if (variable.hasInitializer())
        flat->setInitializer(map(variable.getInitializer()));
    } else if (variable.hasInitializer() &&
               !is_contained(variables, &variable)) {
      variable.setInitializer(map(variable.getInitializer()));
    }
  }
  SmallVector<Function *> bodies;
  for (Function &function : module)
    if (!function.isDeclaration())
      bodies.push_back(&function);
  for (Function *function : bodies)
    flattenBody(*function);

  for (GlobalVariable *variable : variables) {
    variable->replaceAllUsesWith(PoisonValue::get(variable->getType()));
    variable->eraseFromParent();
  }
  for (Function *function : functions) {
    auto twin = constants.find(function);
    if (twin != constants.end() && twin->second != function) {
      function->replaceAllUsesWith(PoisonValue::get(function->getType()));
      function->eraseFromParent();
    }
  }
}

} // namespace

/// The annotations of variables become attributes.
static void noteManaged(Module &module) {
  const NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations");
  if (!annotations)
    return;
  for (const MDNode *node : annotations->operands()) {
    if (node->getNumOperands() < 2)
      continue;
    auto *variable =
        mdconst::dyn_extract_or_null<GlobalVariable>(node->getOperand(0));
    const auto *what = dyn_cast_or_null<MDString>(node->getOperand(1));
    if (variable && what && what->getString() == "managed")
      variable->addAttribute(ManagedAttribute);
  }
}

Error flattenAddressSpaces(Module &module, const CpuOptions &) {
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *list = module.getNamedGlobal(name))
      list->eraseFromParent();
  noteManaged(module);
  for (StringRef name : {"nvvm.annotations", "nvvmir.version",
                         "llvm.module.flags", "opencl.ocl.version"})
    if (NamedMDNode *node = module.getNamedMetadata(name))
      if (name != "llvm.module.flags")
        node->eraseFromParent();
  for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }

  Flattening(module).run();

  for (Function &function : module) {
    if (function.getCallingConv() == CallingConv::PTX_Kernel &&
        !function.isDeclaration()) {
      function.addFnAttr(KernelAttribute, function.getName());
      if (function.isVarArg() || !function.getReturnType()->isVoidTy())
        return refuse(function, nullptr, "a kernel returns nothing");
    }
    function.setCallingConv(CallingConv::C);
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    function.removeFnAttr("tune-cpu");
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->setCallingConv(CallingConv::C);
  }
  useHostTarget(module);
  return Error::success();
}

} // namespace cufort::cpu
