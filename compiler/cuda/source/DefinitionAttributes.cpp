//===- DefinitionAttributes.cpp - attributes at definitions only ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/source/DefinitionAttributes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace {

/// Where a function runs.
struct Sides {
  bool host = false, device = false;
  bool operator==(const Sides &other) const {
    return host == other.host && device == other.device;
  }
};

/// The definitions of member functions outside of their classes that a file
/// has, by "Class::function".
class Definitions {
public:
  explicit Definitions(Preprocessor &preprocessor)
      : preprocessor(preprocessor) {}

  void read(FileID file) {
    if (file.isInvalid() || !seen.insert(file).second)
      return;
    const SourceManager &sources = preprocessor.getSourceManager();
    auto text = sources.getBufferOrNone(file);
    if (!text || !text->getBuffer().contains("::"))
      return;
    Lexer lexer(file, *text, sources, preprocessor.getLangOpts());
    std::vector<Token> statement;
    Token token;
    while (!lexer.LexFromRawLexer(token)) {
      if (token.is(tok::hash) && token.isAtStartOfLine()) {
        lexer.ReadToEndOfLine();
        statement.clear();
      } else if (token.isOneOf(tok::semi, tok::l_brace, tok::r_brace)) {
        statement.clear();
      } else {
        if (token.is(tok::l_paren))
          note(statement);
        statement.push_back(token);
      }
    }
  }

  /// What all definitions of \p name say, if there are any and they agree.
  std::optional<Sides> find(StringRef name) const {
    auto found = definitions.find(name);
    return found == definitions.end() ? std::nullopt : found->second;
  }

private:
  StringRef text(const Token &token) const {
    return token.is(tok::raw_identifier) ? token.getRawIdentifier()
           : token.getIdentifierInfo()   ? token.getIdentifierInfo()->getName()
                                         : "";
  }

  /// \p statement comes before a parenthesis: attributes, a type, Class::name,
  /// perhaps more. Parentheses within follow other names.
  void note(ArrayRef<Token> statement) {
    // The name: a word, one behind a tilde, or an operator's.
    size_t end = statement.size(), start = end;
    while (start > 0 && !statement[start - 1].is(tok::coloncolon) &&
           end - start < MostTokensOfName)
      --start;
    if (start < 2 || start == end || !statement[start - 1].is(tok::coloncolon))
      return;
    ArrayRef<Token> name = statement.slice(start, end - start);
    const bool isOperator = text(name[0]) == "operator";
    if (!isOperator && name.size() != (name[0].is(tok::tilde) ? 2 : 1))
      return;
    // The class, and its parameters.
    size_t owner = start - 1;
    int depth = 0;
    do {
      --owner;
      const Token &token = statement[owner];
      depth += token.is(tok::greater) + 2 * token.is(tok::greatergreater) -
               token.is(tok::less);
      if (depth == 0 && !token.is(tok::less))
        break;
    } while (owner > 0);
    if (depth || !statement[owner].is(tok::raw_identifier))
      return;
    Sides sides;
    for (const Token &token : statement.take_front(owner))
      if (token.is(tok::raw_identifier))
        take(text(token), sides, 0);
    // What does not say it is a call, or Clang has nothing to say.
    if (!sides.device)
      return;
    std::string full = (text(statement[owner]) + "::").str();
    for (const Token &token : name)
      full += Lexer::getSpelling(token, preprocessor.getSourceManager(),
                                 preprocessor.getLangOpts());
    auto [place, isNew] = definitions.try_emplace(full, sides);
    if (!isNew && place->second && !(*place->second == sides))
      place->second = std::nullopt;
  }

  /// A word of a declaration, which may be a macro that stands for attributes.
  void take(StringRef word, Sides &sides, unsigned depth) const {
    if (word == "__device__")
      sides.device = true;
    else if (word == "__host__")
      sides.host = true;
    else if (depth < DeepestMacro)
      if (IdentifierInfo *identifier = preprocessor.getIdentifierInfo(word);
          identifier->hasMacroDefinition())
        if (const MacroInfo *macro = preprocessor.getMacroInfo(identifier))
          for (const Token &token : macro->tokens())
            if (IdentifierInfo *next = token.getIdentifierInfo())
              take(next->getName(), sides, depth + 1);
  }

  static constexpr size_t MostTokensOfName = 3; // operator new [], operator ()
  /// Macros that stand for macros, a project's for a library's; one that names
  /// itself ends here.
  static constexpr unsigned DeepestMacro = 4;

  Preprocessor &preprocessor;
  llvm::DenseSet<FileID> seen;
  llvm::StringMap<std::optional<Sides>> definitions;
};

/// Comes before the one that makes code.
class Consumer : public ASTConsumer {
public:
  explicit Consumer(Preprocessor &preprocessor) : definitions(preprocessor) {}

  void Initialize(ASTContext &of) override { context = &of; }

  void HandleTagDeclDefinition(TagDecl *tag) override {
    auto *record = dyn_cast<CXXRecordDecl>(tag);
    const SourceManager &sources = context->getSourceManager();
    if (!record || record->isLambda() || !record->getIdentifier() ||
        isa<ClassTemplateSpecializationDecl>(record) ||
        sources.isInSystemHeader(record->getLocation()))
      return;
    for (Decl *member : record->decls()) {
      auto *function =
          dyn_cast<FunctionTemplateDecl>(member)
              ? cast<FunctionTemplateDecl>(member)->getTemplatedDecl()
              : dyn_cast<FunctionDecl>(member);
      if (!function || function->isImplicit() || function->isDefaulted() ||
          function->isDeleted() || function->hasBody() || saysWhere(function))
        continue;
      definitions.read(
          sources.getFileID(sources.getExpansionLoc(record->getLocation())));
      definitions.read(sources.getMainFileID());
      std::optional<Sides> sides = definitions.find(nameOf(*record, *function));
      if (!sides || !sides->device || hasTwin(*record, *function))
        continue;
      function->addAttr(CUDADeviceAttr::CreateImplicit(*context));
      if (sides->host)
        function->addAttr(CUDAHostAttr::CreateImplicit(*context));
    }
  }

private:
  static bool saysWhere(const FunctionDecl *function) {
    return function->hasAttr<CUDADeviceAttr>() ||
           function->hasAttr<CUDAHostAttr>() ||
           function->hasAttr<CUDAGlobalAttr>();
  }

  /// Another function of the name that says where it runs may be what is
  /// defined.
  static bool hasTwin(const CXXRecordDecl &record,
                      const FunctionDecl &function) {
    return llvm::any_of(
        record.lookup(function.getDeclName()), [&](const NamedDecl *each) {
          const FunctionDecl *other = each->getAsFunction();
          return other && other != &function && saysWhere(other) &&
                 llvm::none_of(other->attrs(), [](const Attr *attribute) {
                   return isa<CUDADeviceAttr>(attribute) &&
                          attribute->isImplicit();
                 });
        });
  }

  /// As it is written in a definition, without blanks.
  static std::string nameOf(const CXXRecordDecl &record,
                            const FunctionDecl &function) {
    std::string name = record.getName().str() + "::";
    if (isa<CXXConstructorDecl>(function))
      return name + record.getName().str();
    if (isa<CXXDestructorDecl>(function))
      return name + "~" + record.getName().str();
    name += function.getNameAsString();
    llvm::erase(name, ' ');
    return name;
  }

  Definitions definitions;
  ASTContext *context = nullptr;
};

} // namespace

std::unique_ptr<ASTConsumer>
cufort::cuda::attributeMembers(std::unique_ptr<ASTConsumer> next,
                               Preprocessor &preprocessor) {
  std::vector<std::unique_ptr<ASTConsumer>> both;
  both.push_back(std::make_unique<Consumer>(preprocessor));
  both.push_back(std::move(next));
  return std::make_unique<MultiplexConsumer>(std::move(both));
}
