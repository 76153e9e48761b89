//===- DeviceRules.cpp - rules of CUDA that Clang lets pass ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/checks/DeviceRules.h"
#include "compiler/cuda/BuiltInVariables.h"
#include "compiler/cuda/checks/NvccWarnings.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace {

class Rules : public RecursiveASTVisitor<Rules> {
public:
  explicit Rules(CompilerInstance &instance)
      : context(instance.getASTContext()),
        diagnostics(instance.getDiagnostics()),
        isDevice(instance.getLangOpts().CUDAIsDevice) {
    read = cufort::cuda::warningWith(
        diagnostics,
        "host code reads the %select{device|constant}0 variable %1: that is "
        "not what kernels see; use cudaMemcpyFromSymbol");
    written = cufort::cuda::warningWith(
        diagnostics,
        "host code writes the %select{device|constant}0 variable %1: kernels "
        "do not see that; use cudaMemcpyToSymbol");
    constant = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Error,
        "device code writes the constant variable %0, which only the host may "
        "do (cudaMemcpyToSymbol)");
    builtIn = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Error,
        "%0 has a value in kernels and device functions only");
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  // Neither types nor attributes hold statements that run, and headers of the
  // system and of the language keep the rules.
  bool TraverseTypeLoc(TypeLoc, bool = true) { return true; }
  bool TraverseAttr(Attr *) { return true; }
  bool TraverseDecl(Decl *declaration) {
    if (declaration &&
        context.getSourceManager().isInSystemHeader(declaration->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool TraverseFunctionDecl(FunctionDecl *function) {
    return within(function, [&] {
      return RecursiveASTVisitor::TraverseFunctionDecl(function);
    });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl *function) {
    return within(function, [&] {
      return RecursiveASTVisitor::TraverseCXXMethodDecl(function);
    });
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    if (inHost && cast->getCastKind() == CK_LValueToRValue)
      if (const VarDecl *variable = named(cast->getSubExpr()))
        say(read, cast->getExprLoc(), *variable);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (inHost && variable && variable->hasAttr<CUDADeviceAttr>() &&
        variable->isExternC() && variable->getIdentifier() &&
        cufort::cuda::isBuiltInVariable(variable->getName()))
      diagnostics.Report(reference->getLocation(), builtIn) << variable;
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (operation->isAssignmentOp())
      assign(operation->getLHS());
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (operation->isIncrementDecrementOp())
      assign(operation->getSubExpr());
    return true;
  }

private:
  /// Of functions for both sides nothing is known: what they do may depend on
  /// who calls them.
  template <typename Traverse>
  bool within(FunctionDecl *function, Traverse traverse) {
    const bool device = function->hasAttr<CUDADeviceAttr>() ||
                        function->hasAttr<CUDAGlobalAttr>(),
               host = function->hasAttr<CUDAHostAttr>();
    const bool wasInDevice = inDevice, wasInHost = inHost;
    inDevice = isDevice && device && !host;
    inHost = !isDevice && !device && !function->isImplicit();
    const bool result = traverse();
    inDevice = wasInDevice;
    inHost = wasInHost;
    return result;
  }

  /// The variable of the device of which \p expression is a part.
  static const VarDecl *named(const Expr *expression) {
    for (;;) {
      expression = expression->IgnoreParens();
      if (const auto *member = dyn_cast<MemberExpr>(expression);
          member && !member->isArrow())
        expression = member->getBase();
      else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression))
        expression = element->getBase();
      else if (const auto *cast = dyn_cast<ImplicitCastExpr>(expression);
               cast && cast->getCastKind() == CK_ArrayToPointerDecay)
        expression = cast->getSubExpr();
      else
        break;
    }
    const auto *reference = dyn_cast<DeclRefExpr>(expression);
    const auto *variable =
        reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    // Managed variables have an annotation (include/crt/host_defines.h), and
    // constants a value on both sides.
    if (!variable || variable->hasAttr<AnnotateAttr>() ||
        variable->getType().isConstQualified() || variable->isConstexpr() ||
        !(variable->hasAttr<CUDADeviceAttr>() ||
          variable->hasAttr<CUDAConstantAttr>()))
      return nullptr;
    return variable;
  }

  void assign(const Expr *target) {
    const VarDecl *variable = inHost || inDevice ? named(target) : nullptr;
    if (!variable)
      return;
    if (inHost)
      say(written, target->getExprLoc(), *variable);
    else if (variable->hasAttr<CUDAConstantAttr>())
      diagnostics.Report(target->getExprLoc(), constant) << variable;
  }

  void say(unsigned what, SourceLocation place, const VarDecl &variable) {
    diagnostics.Report(place, what)
        << variable.hasAttr<CUDAConstantAttr>() << &variable;
  }

  ASTContext &context;
  DiagnosticsEngine &diagnostics;
  const bool isDevice;
  bool inDevice = false, inHost = false;
  unsigned read, written, constant, builtIn;
};

} // namespace

void cufort::cuda::checkDeviceRules(CompilerInstance &instance) {
  if (instance.getLangOpts().CUDA && instance.hasASTContext())
    Rules(instance).TraverseDecl(
        instance.getASTContext().getTranslationUnitDecl());
}
