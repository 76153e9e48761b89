//===- RepairKernelLoops.cpp - kernel loops as semantics wants them -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/loops/RepairKernelLoops.h"
#include "compiler/fortran/NodeVisitor.h"
#include "compiler/fortran/loops/ConcurrentLoops.h"
#include "compiler/fortran/loops/KernelLoopShapes.h"
#include "compiler/lower/loops/KernelLoops.h"
#include "flang/Parser/message.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/provenance.h"
#include "flang/Parser/tools.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace Fortran;
using namespace Fortran::parser::literals;

// Flang's, without a header: DO statements that end at a label become DO
// constructs. Its semantics would do it after the repairs here.
namespace Fortran::parser {
bool CanonicalizeDo(Program &program);
}

struct cufort::KernelLoopRepair::Hidden {
  struct Jump {
    parser::ActionStmt *place;
    parser::ActionStmt statement;
  };
  std::vector<Jump> jumps;
  struct Locals {
    parser::CharBlock directive;
    std::vector<LocalVariable> variables;
  };
  std::vector<Locals> locals;
};

using namespace cufort;

namespace {

using Names = std::set<std::string>;

template <typename A> A *unwrap(parser::ExecutionPartConstruct &construct) {
  return parser::Unwrap<A>(construct);
}

//===----------------------------------------------------------------------===//
// Loops that are not tight
//===----------------------------------------------------------------------===//

struct CollectNames {
  using Nodes = cufort::NodeList<parser::Name>;
  void Post(const parser::Name &name) { names.insert(name.ToString()); }
  Names names;
};

template <typename T> Names namesIn(const T &tree) {
  CollectNames collect;
  cufort::walk(tree, collect);
  return std::move(collect.names);
}

/// What a part of the program may assign (left-hand sides, loop variables,
/// arguments of calls), and what the limits of its loops depend on.
struct CollectUses {
  using Nodes = cufort::NodeList<parser::AssignmentStmt, parser::CallStmt,
                                 parser::LoopControl>;
  void Post(const parser::AssignmentStmt &statement) {
    assigned.insert(
        parser::GetFirstName(std::get<parser::Variable>(statement.t))
            .ToString());
  }
  void Post(const parser::CallStmt &call) {
    for (const auto &argument :
         std::get<std::list<parser::ActualArgSpec>>(call.call.t)) {
      auto *expression = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(argument.t).u);
      if (!expression)
        continue;
      // What may still be an array element or a function's result.
      if (auto *function =
              std::get_if<common::Indirection<parser::FunctionReference>>(
                  &expression->value().u))
        assigned.merge(namesIn(
            std::get<parser::ProcedureDesignator>(function->value().v.t)));
      else if (auto *designator =
                   std::get_if<common::Indirection<parser::Designator>>(
                       &expression->value().u))
        assigned.insert(parser::GetFirstName(designator->value()).ToString());
    }
  }
  void Post(const parser::LoopControl &control) {
    if (auto *bounds = std::get_if<parser::LoopControl::Bounds>(&control.u))
      assigned.insert(bounds->name.thing.ToString());
    limits.merge(namesIn(control));
  }
  Names assigned, limits;
};

bool isContinue(parser::ExecutionPartConstruct &construct) {
  auto *action = unwrap<parser::ActionStmt>(construct);
  return action && std::holds_alternative<parser::ContinueStmt>(action->u);
}

/// Whether the inner loop, of which \p uses tells, may execute \p construct in
/// each of its iterations.
bool isHarmless(parser::ExecutionPartConstruct &construct,
                const CollectUses &uses) {
  if (unwrap<parser::CompilerDirective>(construct))
    return true;
  auto *action = unwrap<parser::ActionStmt>(construct);
  if (!action)
    return false;
  if (isContinue(construct))
    return true;
  auto *assignment =
      std::get_if<common::Indirection<parser::AssignmentStmt>>(&action->u);
  if (!assignment)
    return false;
  const auto &variable = std::get<parser::Variable>(assignment->value().t);
  const auto *name = parser::Unwrap<parser::Name>(variable);
  if (!name || uses.limits.count(name->ToString()))
    return false;
  for (const std::string &each : namesIn(assignment->value()))
    if (uses.assigned.count(each))
      return false;
  return true;
}

/// Makes \p depth loops tight where that is possible and returns the innermost
/// of them that was found.
parser::DoConstruct *tighten(parser::DoConstruct &loop, int depth) {
  if (depth <= 1)
    return &loop;
  parser::Block &body = bodyOf(loop);
  // Where a DO statement that ends at a label ended.
  while (body.size() > 1 && isContinue(body.back()))
    body.pop_back();
  auto inner = body.end();
  for (auto it = body.begin(); it != body.end(); ++it)
    if (unwrap<parser::DoConstruct>(*it)) {
      if (inner != body.end())
        return &loop;
      inner = it;
    }
  if (inner == body.end() || std::next(inner) != body.end())
    return &loop;
  parser::DoConstruct &next = *unwrap<parser::DoConstruct>(*inner);
  CollectUses uses;
  cufort::walk(next, uses);
  for (auto it = body.begin(); it != inner; ++it)
    if (!isHarmless(*it, uses))
      return &loop;
  for (auto it = body.begin(); it != inner;)
    it =
        unwrap<parser::CompilerDirective>(*it) ? body.erase(it) : std::next(it);
  bodyOf(next).splice(bodyOf(next).begin(), body, body.begin(), inner);
  return tighten(next, depth - 1);
}

//===----------------------------------------------------------------------===//
// Jumps
//===----------------------------------------------------------------------===//

struct CollectTargets {
  using Nodes = cufort::NodeList<std::optional<parser::Label>,
                                 parser::NonLabelDoStmt, parser::IfThenStmt,
                                 parser::SelectCaseStmt, parser::BlockStmt>;
  void Post(const std::optional<parser::Label> &label) {
    if (label)
      labels.insert(*label);
  }
  void Post(parser::NonLabelDoStmt &loop) { addName(loop.t); }
  void Post(parser::IfThenStmt &branch) { addName(branch.t); }
  void Post(parser::SelectCaseStmt &choice) { addName(choice.t); }
  void Post(parser::BlockStmt &block) {
    if (block.v)
      names.insert(block.v->ToString());
  }
  template <typename Tuple> void addName(const Tuple &t) {
    if (const auto &name = std::get<std::optional<parser::Name>>(t))
      names.insert(name->ToString());
  }
  Names names;
  std::set<parser::Label> labels;
};

class HideJumps {
public:
  template <typename Jumps>
  HideJumps(parser::DoConstruct &loop, parser::Messages &messages, Jumps &jumps)
      : messages(messages), hide([&jumps](parser::ActionStmt &place) {
          jumps.push_back(
              {&place, std::exchange(
                           place, parser::ActionStmt{parser::ContinueStmt{}})});
        }) {
    cufort::walk(bodyOf(loop), targets);
    const auto &head =
        std::get<parser::Statement<parser::NonLabelDoStmt>>(loop.t);
    if (const auto &name =
            std::get<std::optional<parser::Name>>(head.statement.t))
      loopName = name->ToString();
    const auto &end = std::get<parser::Statement<parser::EndDoStmt>>(loop.t);
    if (end.label)
      targets.labels.insert(*end.label);
    cufort::walk(bodyOf(loop), *this);
  }

  using Nodes =
      cufort::NodeList<parser::DoConstruct,
                       parser::Statement<parser::ActionStmt>,
                       parser::UnlabeledStatement<parser::ActionStmt>>;
  bool Pre(parser::DoConstruct &) {
    ++depth;
    return true;
  }
  void Post(parser::DoConstruct &) { --depth; }
  void Post(parser::Statement<parser::ActionStmt> &statement) {
    check(statement.statement, statement.source);
  }
  void Post(parser::UnlabeledStatement<parser::ActionStmt> &statement) {
    check(statement.statement, statement.source);
  }

private:
  void check(parser::ActionStmt &action, parser::CharBlock source) {
    if (auto *cycle =
            std::get_if<common::Indirection<parser::CycleStmt>>(&action.u)) {
      const auto &name = cycle->value().v;
      if (name && name->ToString() != loopName &&
          !targets.names.count(name->ToString()))
        messages.Say(source, "CYCLE may not leave the innermost parallel loop "
                             "of a kernel loop"_err_en_US);
      hide(action);
    } else if (auto *exit = std::get_if<common::Indirection<parser::ExitStmt>>(
                   &action.u)) {
      const auto &name = exit->value().v;
      if (name ? !targets.names.count(name->ToString()) : depth == 0)
        messages.Say(source,
                     "EXIT may not leave a kernel loop: all iterations of a "
                     "parallel loop are executed"_err_en_US);
      hide(action);
    } else if (auto *jump = std::get_if<common::Indirection<parser::GotoStmt>>(
                   &action.u)) {
      if (!targets.labels.count(jump->value().v))
        messages.Say(source,
                     "GOTO may not leave a kernel loop: all iterations of a "
                     "parallel loop are executed"_err_en_US);
      hide(action);
    } else if (std::holds_alternative<common::Indirection<parser::ReturnStmt>>(
                   action.u)) {
      messages.Say(source, "RETURN may not leave a kernel loop: all iterations "
                           "of a parallel loop are executed"_err_en_US);
    }
  }

  parser::Messages &messages;
  std::function<void(parser::ActionStmt &)> hide;
  CollectTargets targets;
  std::string loopName;
  int depth = 0;
};

//===----------------------------------------------------------------------===//
// All kernel loops
//===----------------------------------------------------------------------===//

parser::ScalarIntConstantExpr literal(int value) {
  // The text ends after the digit: the number is read up to what is none.
  static constexpr char digits[][2] = {"0", "1", "2", "3", "4",
                                       "5", "6", "7", "8", "9"};
  parser::CharBlock source(digits[value], 1);
  parser::Expr expression{parser::LiteralConstant{parser::IntLiteralConstant{
      parser::CharBlock(source), std::optional<parser::KindParam>{}}}};
  expression.source = source;
  return parser::Scalar{parser::Integer{parser::Constant{
      common::Indirection<parser::Expr>{std::move(expression)}}}};
}

/// The loop whose OpenMP directive \p construct is, with what is between it and
/// the directive's end; null if it is something else.
parser::Block *loopOfOpenMP(parser::ExecutionPartConstruct &construct) {
  auto *directive = unwrap<parser::OpenMPConstruct>(construct);
  auto *loop = directive
                   ? std::get_if<parser::OpenMPLoopConstruct>(&directive->u)
                   : nullptr;
  return loop ? &std::get<parser::Block>(loop->t) : nullptr;
}

/// Of a kernel loop's directive and its loop: what other directives say of the
/// loop is not for a kernel. Returns the place of what follows them.
parser::Block::iterator leaveOutDirectives(parser::Block &block,
                                           parser::Block::iterator it) {
  while (it != block.end()) {
    if (unwrap<parser::CompilerDirective>(*it)) {
      it = block.erase(it);
    } else if (parser::Block *inside = loopOfOpenMP(*it)) {
      parser::Block contents = std::move(*inside);
      it = block.erase(it);
      auto next = contents.empty() ? it : contents.begin();
      block.splice(it, contents);
      it = next;
    } else {
      break;
    }
  }
  return it;
}

/// The same within the loop: its threads start no others. DO CONCURRENT that is
/// not parallel becomes ordinary loops, unless it has variables of its own.
struct RepairInside {
  using Nodes = cufort::NodeList<parser::Block>;
  bool Pre(parser::Block &block) {
    for (auto it = block.begin(); it != block.end(); ++it) {
      while (it != block.end() && loopOfOpenMP(*it))
        it = leaveOutDirectives(block, it);
      if (it == block.end())
        break;
      auto *loop = unwrap<parser::DoConstruct>(*it);
      if (!loop || !loop->IsDoConcurrent() || !localsOf(*loop).empty())
        continue;
      parser::CharBlock source =
          std::get<parser::Statement<parser::NonLabelDoStmt>>(loop->t).source;
      auto declaration = takeIndexDeclaration(*loop);
      std::list<parser::CUFReduction> sequential;
      splitConcurrent(*loop, sequential);
      if (declaration)
        it = enclose(block, it, it, source, std::move(*declaration));
    }
    return true;
  }
};

struct FindKernelLoops {
  using Nodes = cufort::NodeList<parser::Block>;

  /// A directive and its loop are neighbours until semantics joins them.
  bool Pre(parser::Block &block) {
    auto directive = block.end();
    for (auto it = block.begin(); it != block.end(); ++it) {
      if (directive != block.end())
        it = leaveOutDirectives(block, it);
      if (it == block.end())
        break;
      if (auto *kernel = unwrap<parser::CUFKernelDoConstruct>(*it)) {
        directive = it;
        if (auto &loop =
                std::get<std::optional<parser::DoConstruct>>(kernel->t)) {
          it = repairAt(block, directive, it, *loop);
          directive = block.end();
        }
        continue;
      }
      parser::DoConstruct *loop =
          directive == block.end() ? nullptr : unwrap<parser::DoConstruct>(*it);
      if (!loop) {
        if (directive != block.end())
          leaveOut(block, directive);
        cufort::walk(*it, *this);
      } else {
        it = repairAt(block, directive, it, *loop);
        cufort::walk(bodyOf(*loop), *this);
      }
      directive = block.end();
    }
    return false;
  }

  parser::Block::iterator repairAt(parser::Block &block,
                                   parser::Block::iterator directive,
                                   parser::Block::iterator end,
                                   parser::DoConstruct &loop) {
    parser::CharBlock source =
        std::get<parser::Statement<parser::NonLabelDoStmt>>(loop.t).source;
    for (parser::TypeDeclarationStmt &declaration :
         repair(*unwrap<parser::CUFKernelDoConstruct>(*directive), loop))
      directive = end =
          enclose(block, directive, end, source, std::move(declaration));
    return end;
  }

  /// A directive that stands before something else than a loop means nothing;
  /// what is meant by it runs where its data are.
  void leaveOut(parser::Block &block, parser::Block::iterator directive) {
    const auto &kernel = *unwrap<parser::CUFKernelDoConstruct>(*directive);
    messages.Say(
        std::get<parser::CUFKernelDoConstruct::Directive>(kernel.t).source,
        "This directive is not followed by a DO loop and is ignored; what "
        "follows it runs on the host: put it immediately before the "
        "loop"_warn_en_US);
    block.erase(directive);
  }

  std::function<std::vector<parser::TypeDeclarationStmt>(
      parser::CUFKernelDoConstruct &, parser::DoConstruct &)>
      repair;
  parser::Messages &messages;
};

/// Whether a DO statement that ends at a label follows a directive.
struct FindLabelledLoops {
  using Nodes = cufort::NodeList<parser::Block>;
  bool Pre(parser::Block &block) {
    bool follows = false;
    for (parser::ExecutionPartConstruct &construct : block) {
      if (follows && unwrap<parser::CompilerDirective>(construct))
        continue;
      found |= follows && unwrap<parser::LabelDoStmt>(construct);
      follows = unwrap<parser::CUFKernelDoConstruct>(construct) != nullptr;
    }
    return !found;
  }
  bool found = false;
};

} // namespace

cufort::KernelLoopRepair::KernelLoopRepair()
    : hidden(std::make_unique<Hidden>()) {}
cufort::KernelLoopRepair::~KernelLoopRepair() = default;

void cufort::KernelLoopRepair::beforeSemantics(parser::Program &program,
                                               parser::Messages &messages) {
  FindLabelledLoops labelled;
  cufort::walk(program, labelled);
  if (labelled.found)
    parser::CanonicalizeDo(program);
  FindKernelLoops find{{}, messages};
  find.repair = [&](parser::CUFKernelDoConstruct &kernel,
                    parser::DoConstruct &loop) {
    auto &directive =
        std::get<parser::CUFKernelDoConstruct::Directive>(kernel.t);
    ConcurrentParts parts;
    int depth = cufort::kernelLoopDepth(directive);
    // The front end says that there are fewer indices than the directive names.
    if (loop.IsDoConcurrent() && depth > indexCount(loop) && !loopWithin(loop))
      return std::move(parts.declarations);
    const int loops = splitConcurrent(
        loop, depth, std::get<std::list<parser::CUFReduction>>(directive.t),
        parts);
    if (parts.isAny && loops <= 9)
      std::get<std::optional<parser::ScalarIntConstantExpr>>(directive.t) =
          literal(depth = loops);
    if (!parts.locals.empty())
      hidden->locals.push_back({directive.source, std::move(parts.locals)});
    RepairInside inside;
    cufort::walk(loop, inside);
    const HideJumps hiding(*tighten(loop, depth), messages, hidden->jumps);
    return std::move(parts.declarations);
  };
  cufort::walk(program, find);
  splitKernelLoopShapes(program);
}

void cufort::KernelLoopRepair::afterSemantics() {
  for (Hidden::Jump &jump : hidden->jumps)
    jump.place->u = std::move(jump.statement.u);
  hidden->jumps.clear();
}

void cufort::KernelLoopRepair::afterLowering(
    const parser::AllCookedSources &sources, mlir::ModuleOp module) {
  // The lowering has made the files' names absolute.
  using Place = std::pair<std::string, unsigned>;
  auto placeOf = [](llvm::StringRef file, unsigned line) {
    return Place(llvm::sys::path::filename(file), line);
  };
  std::map<Place, const std::vector<LocalVariable> *> byPlace;
  for (const Hidden::Locals &locals : hidden->locals)
    if (auto place = sources.GetSourcePositionRange(locals.directive))
      byPlace[placeOf(*place->first.path,
                      static_cast<unsigned>(place->first.line))] =
          &locals.variables;
  if (byPlace.empty())
    return;
  module.walk([&](cuf::KernelOp loop) {
    auto place = loop.getLoc()->findInstanceOf<mlir::FileLineColLoc>();
    auto found =
        place ? byPlace.find(placeOf(place.getFilename(), place.getLine()))
              : byPlace.end();
    if (found == byPlace.end())
      return;
    mlir::Builder builder(loop.getContext());
    mlir::NamedAttrList names;
    for (const LocalVariable &variable : *found->second)
      names.set(variable.name, builder.getBoolAttr(variable.hasValue));
    loop->setAttr(cufort::lower::LoopLocalsAttribute,
                  names.getDictionary(loop.getContext()));
  });
}
