//===- Sites.cpp - places that the checkers speak of ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Sites.h"
#include "compiler/check/Describer.h"
#include "compiler/check/Names.h"
#include "compiler/common/SymbolName.h"
#include "image/Check.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace cufort::check {

/// That a report shows of an array: as many as Fortran had before 2008.
constexpr unsigned MostDimensions = 7;

/// include/cufort, from lib/cufort/device.
static std::string headerFolder(StringRef deviceFolder) {
  if (deviceFolder.empty())
    return "";
  SmallString<256> path = deviceFolder;
  sys::path::append(path, "../../../include", "cufort", "");
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

Sites::Sites(Module &module, const std::string &deviceFolder)
    : module(module), context(module.getContext()),
      ownFolder(headerFolder(deviceFolder)) {
  Type *pointer = PointerType::get(context, 0);
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  siteType = StructType::get(context, {pointer, pointer, pointer, pointer, i32,
                                       i32, i32, i32, i32, i32, i32});
  variableType =
      StructType::get(context, {pointer, pointer, i64, i32, i32,
                                ArrayType::get(i64, MostDimensions), i32, i32});
}

Constant *Sites::text(StringRef text) {
  Constant *&known = texts[text];
  if (!known) {
    Constant *bytes = ConstantDataArray::getString(context, text);
    auto *global =
        new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                           GlobalValue::PrivateLinkage, bytes, ".check.text");
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    known = global;
  }
  return known;
}

/// Whether a place in \p path is not the user's but a header's of the language.
bool Sites::isOwn(StringRef path) const {
  SmallString<256> plain = path;
  sys::path::remove_dots(plain, /*remove_dot_dot=*/true);
  return path.contains("/lib/clang/") || path.contains("/include/cufort/") ||
         path.starts_with("/usr/include/") ||
         (!ownFolder.empty() && plain.starts_with(ownFolder)) ||
         path.ends_with("cuda_builtins.h");
}

static std::string pathOf(const DILocation &place) {
  StringRef name = place.getFilename();
  if (sys::path::is_absolute(name) || place.getDirectory().empty())
    return name.str();
  return (place.getDirectory() + "/" + name).str();
}

/// \p type as an array: the elements' type, and the extents, outermost first.
static Type *elementsOf(Type *type, SmallVectorImpl<uint64_t> &extents) {
  while (auto *array = dyn_cast<ArrayType>(type)) {
    extents.push_back(array->getNumElements());
    type = array->getElementType();
  }
  return type;
}

Constant *Sites::variable(Value &value) {
  auto [known, isNew] = variables.try_emplace(&value, nullptr);
  if (!isNew)
    return known->second;
  std::string name = nameOf(value);
  auto *global = dyn_cast<GlobalVariable>(&value);
  auto *local = dyn_cast<AllocaInst>(&value);
  Type *type = global ? global->getValueType() : local->getAllocatedType();
  const DataLayout &layout = module.getDataLayout();
  SmallVector<uint64_t> extents;
  Type *element = elementsOf(type, extents);
  uint64_t bytes = type->isSized() ? layout.getTypeAllocSize(type) : 0;
  if (local) {
    auto size = local->getAllocationSize(layout);
    bytes = size && !size->isScalable() ? size->getFixedValue() : 0;
  }
  const bool fortran = global ? global->getName().starts_with("_Q")
                              : isFortran(*local->getFunction());
  // Flang's arrays have the last subscript outermost, as C's have the first.
  if (fortran)
    std::reverse(extents.begin(), extents.end());
  const bool isShared = global && global->getAttributes()
                                          .getAttribute("cufort-variable")
                                          .getValueAsString() == "shared";
  IRBuilder<> b(context);
  SmallVector<Constant *> numbers;
  for (unsigned i = 0; i < MostDimensions; ++i)
    numbers.push_back(b.getInt64(i < extents.size() ? extents[i] : 0));
  Constant *nowhere = ConstantPointerNull::get(b.getPtrTy());
  Constant *record = ConstantStruct::get(
      variableType,
      {text(name), global && !isShared ? global : nowhere, b.getInt64(bytes),
       b.getInt32(element->isSized() ? layout.getTypeAllocSize(element) : 1),
       b.getInt32(std::min<size_t>(extents.size(), MostDimensions)),
       ConstantArray::get(ArrayType::get(b.getInt64Ty(), MostDimensions),
                          numbers),
       b.getInt32(fortran), b.getInt32(global && global->isConstant())});
  auto *made = new GlobalVariable(module, variableType, /*isConstant=*/true,
                                  GlobalValue::PrivateLinkage, record,
                                  ".check.variable");
  return variables[&value] = made;
}

Constant *Sites::at(const Instruction &instruction, const Value *pointer,
                    uint32_t bytes, uint32_t alignment, uint32_t flags,
                    StringRef givenName) {
  std::string file, procedure;
  unsigned line = 0, column = 0;
  bool isInHeader = false;
  if (const DILocation *place = instruction.getDebugLoc()) {
    while (isOwn(pathOf(*place)) && place->getInlinedAt()) {
      place = place->getInlinedAt();
      isInHeader = true;
    }
    file = pathOf(*place);
    line = place->getLine();
    column = place->getColumn();
    if (const DISubprogram *program = place->getScope()->getSubprogram())
      procedure = program->getLinkageName().empty()
                      ? program->getName().str()
                      : program->getLinkageName().str();
  }
  if (procedure.empty())
    procedure = instruction.getFunction()->getName().str();
  if (isFortran(*instruction.getFunction()))
    flags |= image::SiteFortran;
  IRBuilder<> b(context);
  Constant *described = ConstantPointerNull::get(b.getPtrTy());
  std::string name = isInHeader ? "" : givenName.str();
  if (pointer) {
    name = variableName(instruction, pointer);
    const Value *root = rootOf(pointer);
    if (isa<GlobalVariable, AllocaInst>(root))
      described = variable(*const_cast<Value *>(root));
  }
  uint64_t access = 0;
  if (MDNode *number = instruction.getMetadata(NumberMetadata))
    access =
        1 +
        mdconst::extract<ConstantInt>(number->getOperand(0))->getZExtValue();
  Constant *record = ConstantStruct::get(
      siteType,
      {text(file), text(procedure), text(name), described, b.getInt32(line),
       b.getInt32(column), b.getInt32(bytes), b.getInt32(alignment),
       b.getInt32(flags), b.getInt32(0), b.getInt32(access)});
  return new GlobalVariable(module, siteType, /*isConstant=*/false,
                            GlobalValue::PrivateLinkage, record, ".check.site");
}

/// What kernels write beyond an array is reported, but written nevertheless:
/// behind \p variable there is room, so that it does not hit the runtime's own.
static void addGap(Module &module, GlobalVariable &variable) {
  // For loops that go a few elements too far.
  constexpr uint64_t Gap = 256;
  if (variable.isConstant() || variable.isThreadLocal() ||
      variable.hasSection() || variable.hasCommonLinkage() ||
      variable.getAttributes()
              .getAttribute("cufort-variable")
              .getValueAsString() == "shared")
    return;
  auto *gap = ArrayType::get(Type::getInt8Ty(module.getContext()), Gap);
  Constant *value = ConstantStruct::getAnon(
      {variable.getInitializer(), ConstantAggregateZero::get(gap)});
  auto *made = new GlobalVariable(module, value->getType(),
                                  /*isConstant=*/false, variable.getLinkage(),
                                  value, "", &variable);
  made->copyAttributesFrom(&variable);
  made->copyMetadata(&variable, 0);
  made->takeName(&variable);
  variable.replaceAllUsesWith(made);
  variable.eraseFromParent();
}

void Sites::writeTable(uint32_t checks) {
  GlobalVariable *place =
      module.getGlobalVariable(image::CheckTableName, /*AllowInternal=*/true);
  if (!place)
    return;
  SmallVector<GlobalVariable *> all;
  for (GlobalVariable &global : module.globals())
    if (!global.isDeclaration() && &global != place &&
        !global.getName().starts_with(".check.") &&
        !global.getName().starts_with("llvm."))
      all.push_back(&global);
  SmallVector<Constant *> records;
  for (GlobalVariable *global : all)
    records.push_back(
        cast<GlobalVariable>(variable(*global))->getInitializer());
  IRBuilder<> b(context);
  auto *listType = ArrayType::get(variableType, records.size());
  auto *list = new GlobalVariable(
      module, listType, /*isConstant=*/true, GlobalValue::PrivateLinkage,
      ConstantArray::get(listType, records), ".check.variables");
  Constant *table = ConstantStruct::getAnon({b.getInt32(image::CheckVersion),
                                             b.getInt32(checks),
                                             b.getInt64(records.size()), list});
  auto *global = new GlobalVariable(
      module, table->getType(),
      /*isConstant=*/true, GlobalValue::PrivateLinkage, table, ".check.table");
  place->setInitializer(ConstantExpr::getPtrToInt(global, b.getInt64Ty()));
  for (GlobalVariable *variable : all)
    addGap(module, *variable);
}

} // namespace cufort::check
