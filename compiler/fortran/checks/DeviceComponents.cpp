//===- DeviceComponents.cpp - components with a memory attribute ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/checks/DeviceComponents.h"
#include "compiler/lower/DeviceData.h"
#include "flang/Lower/CUDA.h"
#include "flang/Lower/Mangler.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/type.h"
#include "mlir/IR/BuiltinOps.h"

using namespace Fortran;

namespace {

class Components {
public:
  explicit Components(mlir::MLIRContext *context) : context(context) {}

  void collect(const semantics::Scope &scope) {
    if (scope.IsDerivedType() && scope.symbol())
      collectType(scope, *scope.symbol());
    else
      for (const auto &[name, symbol] : scope)
        collectResult(*symbol);
    for (const semantics::Scope &child : scope.children())
      collect(child);
  }

  void note(mlir::ModuleOp module) const {
    if (!attributes.empty())
      module->setAttr(cufort::lower::DeviceComponentsAttribute,
                      mlir::DictionaryAttr::get(context, attributes));
    if (!results.empty())
      module->setAttr(cufort::lower::DeviceResultsAttribute,
                      mlir::DictionaryAttr::get(context, results));
  }

private:
  void collectType(const semantics::Scope &scope,
                   const semantics::Symbol &type) {
    for (const auto &[name, symbol] : scope) {
      auto *object = symbol->detailsIf<semantics::ObjectEntityDetails>();
      if (!object || !object->cudaDataAttr())
        continue;
      semantics::DerivedTypeSpec spec(type.name(), type);
      lower::mangle::ScopeBlockIdMap blocks;
      std::string key =
          lower::mangle::mangleName(spec, blocks) + "." + name.ToString();
      if (known.insert(key).second)
        attributes.push_back(
            {mlir::StringAttr::get(context, key),
             lower::translateSymbolCUFDataAttribute(context, *symbol)});
    }
  }

  void collectResult(const semantics::Symbol &function) {
    const auto *details = function.detailsIf<semantics::SubprogramDetails>();
    if (!details || !details->isFunction() || details->stmtFunction())
      return;
    const auto *object =
        details->result().detailsIf<semantics::ObjectEntityDetails>();
    if (!object || !object->cudaDataAttr())
      return;
    lower::mangle::ScopeBlockIdMap blocks;
    std::string name = lower::mangle::mangleName(function, blocks);
    if (known.insert(name).second)
      results.push_back(
          {mlir::StringAttr::get(context, name),
           lower::translateSymbolCUFDataAttribute(context, details->result())});
  }

  mlir::MLIRContext *context;
  std::set<std::string> known;
  llvm::SmallVector<mlir::NamedAttribute> attributes, results;
};

} // namespace

void cufort::noteDeviceComponents(semantics::SemanticsContext &semantics,
                                  mlir::ModuleOp module) {
  Components components(module.getContext());
  components.collect(semantics.globalScope());
  components.note(module);
}
