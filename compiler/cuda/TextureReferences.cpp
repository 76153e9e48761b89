//===- TextureReferences.cpp - texture<> and surface<> variables ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/TextureReferences.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

/// True of the annotations that make a variable a texture or surface of the
/// kind that the driver binds.
static bool isReferenceAnnotation(const MDNode *annotation) {
  return any_of(annotation->operands(), [](const MDOperand &operand) {
    auto *name = dyn_cast_or_null<MDString>(operand);
    return name &&
           (name->getString() == "texture" || name->getString() == "surface");
  });
}

static std::string uniqueName(StringRef name, StringRef unit) {
  return (name + "__reference__" + unit).str();
}

static void readHandles(Function &intrinsic) {
  for (User *user : make_early_inc_range(intrinsic.users())) {
    auto *handle = cast<CallInst>(user);
    IRBuilder<> builder(handle);
    handle->replaceAllUsesWith(
        builder.CreateLoad(handle->getType(), handle->getArgOperand(0)));
    handle->eraseFromParent();
  }
}

void cufort::cuda::lowerReferences(Module &device, StringRef unit) {
  for (Function &function : make_early_inc_range(device)) {
    if (function.getIntrinsicID() != Intrinsic::nvvm_texsurf_handle_internal)
      continue;
    readHandles(function);
    function.eraseFromParent();
  }
  NamedMDNode *annotations = device.getNamedMetadata("nvvm.annotations");
  if (!annotations)
    return;
  SmallVector<MDNode *> kept;
  for (MDNode *annotation : annotations->operands()) {
    if (!isReferenceAnnotation(annotation)) {
      kept.push_back(annotation);
      continue;
    }
    auto *variable =
        mdconst::dyn_extract<GlobalVariable>(annotation->getOperand(0));
    if (!variable || !variable->hasInitializer())
      continue;
    variable->setInitializer(Constant::getNullValue(variable->getValueType()));
    if (variable->hasLocalLinkage()) {
      variable->setName(uniqueName(variable->getName(), unit));
      variable->setLinkage(GlobalValue::ExternalLinkage);
    }
  }
  annotations->clearOperands();
  for (MDNode *annotation : kept)
    annotations->addOperand(annotation);
}

void cufort::cuda::nameReferences(Module &host, StringRef unit) {
  // __tgt_offload_entry: where flags, address and name are, and the flags of
  // surfaces and textures.
  constexpr unsigned Flags = 3, Address = 4, Name = 5;
  constexpr uint64_t KindMask = 7, Surface = 2, Texture = 3;
  for (GlobalVariable &entry : make_early_inc_range(host.globals())) {
    if (!entry.getName().starts_with(".offloading.entry.") ||
        !entry.hasInitializer())
      continue;
    auto *fields = dyn_cast<ConstantStruct>(entry.getInitializer());
    auto *flags = fields && fields->getNumOperands() > Name
                      ? dyn_cast<ConstantInt>(fields->getOperand(Flags))
                      : nullptr;
    if (!flags ||
        !is_contained({Surface, Texture}, flags->getZExtValue() & KindMask))
      continue;
    auto *variable = dyn_cast<GlobalVariable>(
        fields->getOperand(Address)->stripPointerCasts());
    auto *name = dyn_cast<GlobalVariable>(fields->getOperand(Name));
    if (!variable || !variable->hasLocalLinkage() || !name)
      continue;
    Constant *text = ConstantDataArray::getString(
        host.getContext(), uniqueName(variable->getName(), unit));
    auto *unique = new GlobalVariable(host, text->getType(), true,
                                      name->getLinkage(), text);
    unique->copyAttributesFrom(name);
    name->replaceAllUsesWith(unique);
    unique->takeName(name);
    name->eraseFromParent();
  }
}
