//===- SharedAlignment.cpp - where shared arrays begin --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/SharedAlignment.h"
#include "compiler/cuda/SharedConstructors.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/MultiplexConsumer.h"

using namespace clang;

namespace {

constexpr unsigned WidestAccess = 16; // bytes

class Aligner : public RecursiveASTVisitor<Aligner> {
public:
  explicit Aligner(ASTContext &context) : context(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseTypeLoc(TypeLoc, bool = true) { return true; }
  bool TraverseAttr(Attr *) { return true; }

  bool VisitVarDecl(VarDecl *variable) {
    QualType type = variable->getType();
    cufort::cuda::dropInitialValue(*variable, context.getDiagnostics());
    if (variable->hasAttr<CUDASharedAttr>() && type->isArrayType() &&
        isLarge(type))
      variable->addAttr(AlignedAttr::CreateImplicit(
          context, /*IsAlignmentExpr=*/true,
          IntegerLiteral::Create(context, llvm::APInt(32, WidestAccess),
                                 context.IntTy, SourceLocation())));
    return true;
  }

private:
  /// Or of a size that is not known yet.
  bool isLarge(QualType type) const {
    return type->isIncompleteType() || type->isDependentType() ||
           context.getTypeSizeInChars(type).getQuantity() >= WidestAccess;
  }

  ASTContext &context;
};

/// Comes before the one that makes code.
class Consumer : public ASTConsumer {
public:
  void Initialize(ASTContext &of) override { context = &of; }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      Aligner(*context).TraverseDecl(declaration);
    return true;
  }

private:
  ASTContext *context = nullptr;
};

} // namespace

std::unique_ptr<ASTConsumer>
cufort::cuda::alignSharedArrays(std::unique_ptr<ASTConsumer> next) {
  std::vector<std::unique_ptr<ASTConsumer>> both;
  both.push_back(std::make_unique<Consumer>());
  both.push_back(std::move(next));
  return std::make_unique<MultiplexConsumer>(std::move(both));
}
