//===- DeclarationAttributes.cpp - attributes at declarations only --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/source/DeclarationAttributes.h"
#include "compiler/cuda/checks/NvccWarnings.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include <memory>
#include <optional>

using namespace clang;

namespace {

/// Where a function runs.
struct Sides {
  bool host = false, device = false;
  bool operator==(const Sides &other) const {
    return host == other.host && device == other.device;
  }
};

class Watcher {
public:
  explicit Watcher(CompilerInstance &instance)
      : instance(instance), preprocessor(instance.getPreprocessor()) {}

  void see(const Token &token) {
    if (bodyDepth) {
      bodyDepth += token.is(tok::l_brace) - token.is(tok::r_brace);
      if (!bodyDepth && !parentheses)
        declaration.clear();
      return;
    }
    if (token.is(tok::l_brace)) {
      if (parentheses || !opensScope())
        bodyDepth = 1;
      else
        declaration.clear();
      return;
    }
    if (!parentheses && token.isOneOf(tok::semi, tok::r_brace, tok::eof)) {
      declaration.clear();
      return;
    }
    declaration.push_back(token);
    parentheses += token.is(tok::l_paren);
    parentheses -= token.is(tok::r_paren) && parentheses;
    if (!parentheses && declaration.size() > 3 &&
        token.isOneOf(tok::r_paren, tok::kw_const, tok::kw_noexcept))
      endDeclarator(token);
  }

private:
  /// "namespace a" and "extern "C"".
  bool opensScope() const {
    for (const Token &token : declaration)
      if (token.is(tok::kw_namespace))
        return true;
    return declaration.size() == 2 && declaration[0].is(tok::kw_extern);
  }

  /// \p token may be the last one before a function's body.
  void endDeclarator(const Token &token) {
    const SourceManager &sources = instance.getSourceManager();
    const SourceLocation place = token.getLocation();
    if (!instance.hasSema() || !place.isFileID() ||
        sources.isInSystemHeader(place))
      return;
    std::optional<Token> next =
        Lexer::findNextToken(place, sources, instance.getLangOpts());
    if (!next || !next->isOneOf(tok::l_brace, tok::colon))
      return;
    size_t name = 0;
    unsigned parameters = 0;
    if (!findParameters(name, parameters))
      return;
    const std::optional<Sides> sides = sidesOf(name, parameters);
    if (!sides || !sides->device)
      return;
    DiagnosticsEngine &diagnostics = instance.getDiagnostics();
    diagnostics.Report(
        declaration[name].getLocation(),
        cufort::cuda::warningWith(
            diagnostics, "the definition of '%0' does not say "
                         "'%select{|__host__ }1__device__' as its declaration "
                         "does: both need it"))
        << declaration[name].getIdentifierInfo()->getName()
        << static_cast<unsigned>(sides->host);
    insert(*sides, place);
  }

  /// The name before the parameters, and how many there are; false for what is
  /// no function or says where it runs.
  bool findParameters(size_t &name, unsigned &parameters) const {
    std::optional<size_t> begin;
    for (size_t i = 0; i != declaration.size(); ++i) {
      const Token &token = declaration[i];
      if (token.isOneOf(tok::kw_operator, tok::equal, tok::kw_using,
                        tok::kw_typedef, tok::kw_class, tok::kw_struct))
        if (!inTemplateHead(i))
          return false;
      if (const IdentifierInfo *word = token.getIdentifierInfo();
          word &&
          (word->isStr("device") || word->isStr("global") ||
           word->isStr("host")) &&
          i > 1 && declaration[i - 1].isOneOf(tok::l_paren, tok::comma))
        return false;
      if (!begin && i && token.is(tok::l_paren) &&
          declaration[i - 1].is(tok::identifier) && !inTemplateHead(i))
        begin = i;
    }
    if (!begin)
      return false;
    name = *begin - 1;
    int depth = 0, angles = 0;
    bool any = false;
    for (size_t i = *begin; i != declaration.size(); ++i) {
      const Token &token = declaration[i];
      depth += token.is(tok::l_paren) - token.is(tok::r_paren);
      if (!depth)
        break;
      angles += token.is(tok::less) - token.is(tok::greater) -
                2 * token.is(tok::greatergreater);
      if (i > *begin && !(token.is(tok::kw_void) &&
                          declaration[i + 1].is(tok::r_paren) && !any))
        any = true;
      parameters += depth == 1 && angles <= 0 && token.is(tok::comma);
    }
    parameters += any;
    return true;
  }

  /// Whether token \p end is within "template <...>".
  bool inTemplateHead(size_t end) const {
    int depth = 0;
    bool isTemplate = false;
    for (size_t i = 0; i != end; ++i) {
      isTemplate |= declaration[i].is(tok::kw_template);
      depth += declaration[i].is(tok::less) - declaration[i].is(tok::greater);
    }
    return isTemplate && depth > 0;
  }

  /// What the functions that \p name may define say, if they agree.
  std::optional<Sides> sidesOf(size_t name, unsigned parameters) const {
    // Outermost last: "a::b<T>::name".
    SmallVector<const IdentifierInfo *> owners;
    bool isDestructor = false;
    size_t at = name;
    if (at && declaration[at - 1].is(tok::tilde)) {
      isDestructor = true;
      --at;
    }
    while (at > 1 && declaration[at - 1].is(tok::coloncolon)) {
      at -= 2;
      int depth = 0;
      do {
        const Token &token = declaration[at];
        depth += token.is(tok::greater) + 2 * token.is(tok::greatergreater) -
                 token.is(tok::less);
      } while ((depth || declaration[at].is(tok::less)) && at-- > 0);
      if (at >= declaration.size() || !declaration[at].is(tok::identifier))
        return std::nullopt;
      owners.push_back(declaration[at].getIdentifierInfo());
    }
    const DeclContext *context = instance.getSema().CurContext;
    while (context && !context->isFileContext())
      context = context->getParent();
    const IdentifierInfo *last = declaration[name].getIdentifierInfo();
    for (; context; context = context->getParent()) {
      const DeclContext *owner = context;
      for (const IdentifierInfo *each : llvm::reverse(owners))
        owner = owner ? within(*owner, *each) : nullptr;
      if (!owner)
        continue;
      std::optional<Sides> found;
      bool agree = true, any = false;
      const auto take = [&](const FunctionDecl &function) {
        if (function.isImplicit() || function.getNumParams() != parameters)
          return;
        const Sides sides{function.hasAttr<CUDAHostAttr>(),
                          function.hasAttr<CUDADeviceAttr>()};
        agree &= !any || *found == sides;
        any = true;
        found = sides;
      };
      if (const auto *record = dyn_cast<CXXRecordDecl>(owner)) {
        const bool isConstructor =
            !isDestructor && record->getIdentifier() == last;
        for (const Decl *member : record->decls())
          if (const FunctionDecl *function = member->getAsFunction())
            if (isDestructor    ? isa<CXXDestructorDecl>(function)
                : isConstructor ? isa<CXXConstructorDecl>(function)
                                : function->getIdentifier() == last)
              take(*function);
      } else {
        for (const NamedDecl *each : owner->lookup(DeclarationName(last)))
          if (const FunctionDecl *function = each->getAsFunction())
            take(*function);
      }
      if (any)
        return agree ? found : std::nullopt;
      if (!owners.empty())
        return std::nullopt;
    }
    return std::nullopt;
  }

  static const DeclContext *within(const DeclContext &context,
                                   const IdentifierInfo &name) {
    for (const NamedDecl *each : context.lookup(DeclarationName(&name))) {
      if (const auto *pattern = dyn_cast<ClassTemplateDecl>(each))
        return pattern->getTemplatedDecl()->getDefinition();
      if (const auto *record = dyn_cast<CXXRecordDecl>(each))
        return record->getDefinition();
      if (const auto *space = dyn_cast<NamespaceDecl>(each))
        return space;
    }
    return nullptr;
  }

  /// __attribute__((host, device)).
  void insert(const Sides &sides, SourceLocation place) {
    SmallVector<Token> tokens;
    const auto add = [&](tok::TokenKind kind, const char *word = nullptr) {
      Token token;
      token.startToken();
      token.setKind(kind);
      token.setLocation(place);
      if (word)
        token.setIdentifierInfo(preprocessor.getIdentifierInfo(word));
      tokens.push_back(token);
    };
    add(tok::kw___attribute, "__attribute__");
    add(tok::l_paren);
    add(tok::l_paren);
    if (sides.host) {
      add(tok::identifier, "host");
      add(tok::comma);
    }
    add(tok::identifier, "device");
    add(tok::r_paren);
    add(tok::r_paren);
    auto stream = std::make_unique<Token[]>(tokens.size());
    std::copy(tokens.begin(), tokens.end(), stream.get());
    preprocessor.EnterTokenStream(std::move(stream), tokens.size(),
                                  /*DisableMacroExpansion=*/true,
                                  /*IsReinject=*/false);
  }

  CompilerInstance &instance;
  Preprocessor &preprocessor;
  /// Of the declaration that is being read, in a namespace.
  SmallVector<Token> declaration;
  unsigned parentheses = 0, bodyDepth = 0;
};

} // namespace

void cufort::cuda::attributeDefinitions(CompilerInstance &instance) {
  instance.getPreprocessor().setTokenWatcher(
      [watcher = std::make_shared<Watcher>(instance)](const Token &token) {
        watcher->see(token);
      });
}
