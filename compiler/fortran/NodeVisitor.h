//===- NodeVisitor.h - what passes over the parse tree are made of -*- C++ -*-//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flang's parser::Walk is a template that is compiled for each visitor, half a
// minute for each. Here it is compiled once, in NodeVisitor.cpp, and calls
// visitors through tables of the few nodes that they look at.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_NODEVISITOR_H
#define CUFORT_COMPILER_FORTRAN_NODEVISITOR_H

#include "flang/Parser/parse-tree.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

// From here on, for the files that include this: a Pre or Post for a node that
// the visitor's list lacks is never called.
#ifdef __clang__
#pragma clang diagnostic error "-Wunused-member-function"
#endif

namespace cufort {

/// The types of the nodes that a visitor looks at: a visitor has a type Nodes
/// that is one, and for each a Pre, a Post, or both, as for parser::Walk.
template <typename... Nodes> struct NodeList {};

/// The address of its tag stands for a type of nodes.
template <typename Node> struct NodeKind {
  static inline char tag;
};

/// What a visitor does with nodes of one type; null: nothing.
struct NodeHandler {
  const char *kind;
  bool (*pre)(void *visitor, void *node);
  void (*post)(void *visitor, void *node);
};

/// Any visitor, for parser::Walk.
class NodeVisitor {
public:
  NodeVisitor(void *visitor, llvm::ArrayRef<NodeHandler> handlers)
      : visitor(visitor), handlers(handlers) {}

  template <typename Node> bool Pre(Node &node) {
    return enter(&NodeKind<Node>::tag, &node);
  }
  template <typename Node> void Post(Node &node) {
    leave(&NodeKind<Node>::tag, &node);
  }

  /// parser::Walk leaves out a statement's label. Here it is a node, whether
  /// there is one or not.
  template <typename T> bool Pre(Fortran::parser::Statement<T> &statement) {
    using Label = std::optional<Fortran::parser::Label>;
    leave(&NodeKind<Label>::tag, &statement.label);
    return enter(&NodeKind<Fortran::parser::Statement<T>>::tag, &statement);
  }

  // What nodes consist of; sets of enumerators are constant even there where
  // the tree is not.
  template <typename Part> bool Pre(const Part &) { return true; }
  template <typename Part> void Post(const Part &) {}
  template <typename... T> bool Pre(std::tuple<T...> &) { return true; }
  template <typename... T> void Post(std::tuple<T...> &) {}
  template <typename... T> bool Pre(std::variant<T...> &) { return true; }
  template <typename... T> void Post(std::variant<T...> &) {}

private:
  bool enter(const char *kind, void *node);
  void leave(const char *kind, void *node);

  void *visitor;
  llvm::ArrayRef<NodeHandler> handlers;
};

/// parser::Walk. Defined in NodeVisitor.cpp for what passes start from.
template <typename Tree> void walkNodes(Tree &tree, NodeVisitor &visitor);

namespace detail {

// Whether a visitor has just this Pre or Post: one that takes another type, to
// which this one converts, is none.
template <typename Visitor, typename Node, typename = void>
struct HasPre : std::false_type {};
template <typename Visitor, typename Node>
struct HasPre<Visitor, Node,
              std::void_t<decltype(static_cast<bool (Visitor::*)(Node &)>(
                  &Visitor::Pre))>> : std::true_type {};
template <typename Visitor, typename Node, typename = void>
struct HasPost : std::false_type {};
template <typename Visitor, typename Node>
struct HasPost<Visitor, Node,
               std::void_t<decltype(static_cast<void (Visitor::*)(Node &)>(
                   &Visitor::Post))>> : std::true_type {};

template <typename Visitor, typename Node>
bool callPre(void *self, void *node) {
  return static_cast<Visitor *>(self)->Pre(*static_cast<Node *>(node));
}
template <typename Visitor, typename Node>
void callPost(void *self, void *node) {
  static_cast<Visitor *>(self)->Post(*static_cast<Node *>(node));
}

/// The handler of Visitor for Node, of a tree that may be changed or not.
template <typename Visitor, typename Node, bool isConst>
NodeHandler handlerOf() {
  using Read = const Node;
  NodeHandler handler{&NodeKind<Node>::tag, nullptr, nullptr};
  if constexpr (HasPre<Visitor, Read>::value)
    handler.pre = callPre<Visitor, Read>;
  else if constexpr (!isConst && HasPre<Visitor, Node>::value)
    handler.pre = callPre<Visitor, Node>;
  if constexpr (HasPost<Visitor, Read>::value)
    handler.post = callPost<Visitor, Read>;
  else if constexpr (!isConst && HasPost<Visitor, Node>::value)
    handler.post = callPost<Visitor, Node>;
  static_assert(HasPre<Visitor, Read>::value || HasPost<Visitor, Read>::value ||
                    (!isConst && (HasPre<Visitor, Node>::value ||
                                  HasPost<Visitor, Node>::value)),
                "the visitor has neither Pre nor Post for one of its Nodes");
  return handler;
}

template <bool isConst, typename Tree, typename Visitor, typename... Nodes>
void walk(Tree &tree, Visitor &visitor, NodeList<Nodes...>) {
  const NodeHandler handlers[] = {handlerOf<Visitor, Nodes, isConst>()...};
  NodeVisitor any(&visitor, handlers);
  walkNodes(tree, any);
}

} // namespace detail

/// Shows a tree to a visitor, node by node, as parser::Walk does: Pre before
/// the nodes below, which are left out where it returns false, Post after them.
template <typename Tree, typename Visitor>
void walk(Tree &tree, Visitor &visitor) {
  // Visitors of a constant tree have handlers that only read.
  detail::walk<std::is_const_v<Tree>>(
      const_cast<std::remove_const_t<Tree> &>(tree), visitor,
      typename Visitor::Nodes{});
}

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_NODEVISITOR_H
