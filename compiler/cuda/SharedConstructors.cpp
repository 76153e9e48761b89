//===- SharedConstructors.cpp - shared objects of classes -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/SharedConstructors.h"
#include "compiler/cuda/checks/NvccWarnings.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

/// Whether making an object of \p record does nothing.
static bool isEmpty(const CXXRecordDecl &record);

static bool isEmpty(QualType type) {
  const CXXRecordDecl *record =
      type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return !record || isEmpty(*record);
}

static bool isEmpty(const CXXRecordDecl &record) {
  if (!record.hasDefinition() || record.hasTrivialDefaultConstructor())
    return true;
  if (record.isDynamicClass())
    return false;
  for (const CXXConstructorDecl *each : record.ctors()) {
    if (!each->isDefaultConstructor() || !each->isUserProvided())
      continue;
    const auto *body = dyn_cast_or_null<CompoundStmt>(each->getBody());
    if (!body || !body->body_empty())
      return false;
    for (const CXXCtorInitializer *initial : each->inits())
      if (initial->isWritten())
        return false;
  }
  for (const FieldDecl *field : record.fields())
    if (field->hasInClassInitializer() || !isEmpty(field->getType()))
      return false;
  for (const CXXBaseSpecifier &base : record.bases())
    if (!isEmpty(base.getType()))
      return false;
  return true;
}

namespace {

/// The mark is an attribute for which Clang takes a variable to have no initial
/// value: an alias, which no shared variable can be.
class SharedAttribute : public ParsedAttrInfo {
public:
  SharedAttribute() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, "cufort_shared"}};
    Spellings = Names;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &) const override {
    auto *variable = dyn_cast<VarDecl>(declaration);
    if (!variable || variable->hasExternalStorage())
      return AttributeApplied;
    const QualType type = variable->getType();
    // Templates of classes become classes when it is asked.
    if (type->isDependentType() ||
        (sema.isCompleteType(variable->getLocation(),
                             sema.Context.getBaseElementType(type)) &&
         !isEmpty(type)))
      variable->addAttr(AliasAttr::CreateImplicit(sema.Context, ""));
    return AttributeApplied;
  }
};

} // namespace

static ParsedAttrInfoRegistry::Add<SharedAttribute>
    Registered("cufort_shared", "a shared variable without an initial value");

void cufort::cuda::dropInitialValue(VarDecl &variable,
                                    DiagnosticsEngine &diagnostics) {
  if (!variable.hasAttr<CUDASharedAttr>() || !variable.hasAttr<AliasAttr>() ||
      variable.getType()->isDependentType() ||
      variable.getDeclContext()->isDependentContext())
    return;
  variable.dropAttr<AliasAttr>();
  if (!isEmpty(variable.getType()))
    diagnostics.Report(
        variable.getLocation(),
        warningWith(
            diagnostics,
            "the constructor of %0 does not run for the shared variable "
            "%1, whose value is undefined"))
        << variable.getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl()
        << &variable;
}
