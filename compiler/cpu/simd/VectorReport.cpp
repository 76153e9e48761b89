//===- VectorReport.cpp - what became vector code, and why not ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/VectorReport.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace cufort::cpu {

/// Of an entry: !{!"file", i32 line, i32 width, !"reason"}.
static constexpr char NoteMetadata[] = "cufort.vectorised";

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Where \p instruction stands in the kernel itself, not in a procedure that it
/// has been inlined from; null if that is not known.
static DILocation *placeInKernel(const Instruction &instruction) {
  DILocation *place = instruction.getDebugLoc();
  while (place && place->getInlinedAt())
    place = place->getInlinedAt();
  return place && place->getLine() ? place : nullptr;
}

void setLocationOfLoop(Instruction &latch, ArrayRef<BasicBlock *> blocks) {
  DILocation *first = nullptr, *firstAccess = nullptr;
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block) {
      DILocation *place = placeInKernel(instruction);
      if (!place)
        continue;
      if (!first || place->getLine() < first->getLine())
        first = place;
      if (instruction.mayReadOrWriteMemory() &&
          (!firstAccess || place->getLine() < firstAccess->getLine()))
        firstAccess = place;
    }
  if (!firstAccess)
    firstAccess = first;
  MDNode *known = latch.getMetadata(LLVMContext::MD_loop);
  if (!firstAccess || !known)
    return;
  SmallVector<Metadata *> properties{nullptr, firstAccess};
  append_range(properties, drop_begin(known->operands()));
  MDNode *loop = MDNode::getDistinct(latch.getContext(), properties);
  loop->replaceOperandWith(0, loop);
  latch.setMetadata(LLVMContext::MD_loop, loop);
}

DebugLoc locationOfLoop(const Instruction &latch) {
  if (MDNode *loop = latch.getMetadata(LLVMContext::MD_loop))
    for (const MDOperand &property : drop_begin(loop->operands()))
      if (auto *place = dyn_cast_or_null<DILocation>(property.get()))
        return place;
  return {};
}

//===----------------------------------------------------------------------===//
// Notes
//===----------------------------------------------------------------------===//

static void addNote(Function &entry, const DebugLoc &place, unsigned width,
                    const Twine &reason) {
  LLVMContext &context = entry.getContext();
  StringRef file;
  unsigned line = 0;
  if (place) {
    file = place->getFilename();
    line = place.getLine();
  }
  auto number = [&](unsigned value) {
    return ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(context), value));
  };
  SmallString<64> text;
  entry.addMetadata(
      NoteMetadata,
      *MDNode::get(context,
                   {MDString::get(context, file), number(line), number(width),
                    MDString::get(context, reason.toStringRef(text))}));
}

void reportVectorised(Function &entry, const DebugLoc &place, unsigned width) {
  addNote(entry, place, width, "");
}

void reportNotVectorised(Function &entry, const DebugLoc &place,
                         const Twine &reason) {
  addNote(entry, place, 0, reason);
}

std::vector<VectorNote> vectorNotes(const Function &entry) {
  SmallVector<MDNode *> nodes;
  entry.getMetadata(NoteMetadata, nodes);
  std::vector<VectorNote> notes;
  for (MDNode *node : nodes) {
    auto number = [&](unsigned operand) {
      return mdconst::extract<ConstantInt>(node->getOperand(operand))
          ->getZExtValue();
    };
    auto text = [&](unsigned operand) {
      return cast<MDString>(node->getOperand(operand))->getString().str();
    };
    VectorNote note{text(0), unsigned(number(1)), unsigned(number(2)), text(3)};
    auto after = find_if(
        notes, [&](const VectorNote &each) { return each.line >= note.line; });
    if (after == notes.end() || after->line != note.line ||
        after->file != note.file)
      notes.insert(after, std::move(note));
  }
  return notes;
}

//===----------------------------------------------------------------------===//
// LLVM's loop vectoriser
//===----------------------------------------------------------------------===//

/// The end of the loop over threads that \p header begins, or null.
static Instruction *threadLatch(const BasicBlock *header) {
  for (const BasicBlock *block : predecessors(header))
    if (isThreadLoop(*block->getTerminator(), 0))
      return const_cast<Instruction *>(block->getTerminator());
  return nullptr;
}

/// The function that \p instruction calls, or null.
static const Function *calledFunction(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *called = call ? call->getCalledFunction() : nullptr;
  return called && !called->isIntrinsic() ? called : nullptr;
}

/// What a thread's work calls, for "call of NAME".
static std::string calledIn(const BasicBlock &header) {
  auto &function = const_cast<Function &>(*header.getParent());
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  if (Loop *loop = loops.getLoopFor(&header))
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block)
        if (const Function *called = calledFunction(instruction))
          return ("the call of '" + called->getName() +
                  "' cannot be vectorised")
              .str();
  return "it calls a procedure that cannot be vectorised";
}

/// The vectoriser's reason in the words of a kernel; empty if it says nothing.
static std::string reasonOf(StringRef name, StringRef message,
                            const BasicBlock &header) {
  if (name == "CantVectorizeCall" || name == "CantVectorizeLibcall" ||
      name == "CantVectorizeIntrinsic")
    return calledIn(header);
  StringRef known =
      StringSwitch<StringRef>(name)
          .Case("VectorizationNotBeneficial", "vectors would not be faster")
          .Cases({"UnsafeDep", "CantIdentifyArrayBounds",
                  "CantCheckMemDepsAtRunTime", "CantReorderMemOps"},
                 "threads may depend on each other: atomic or volatile "
                 "accesses, or a private array in memory")
          .Cases({"NonSimpleLoad", "NonSimpleStore"},
                 "atomic or volatile accesses")
          .Cases({"CFGNotUnderstood", "LoopContainsSwitch",
                  "LoopContainsUnsupportedSwitch",
                  "LoopContainsUnsupported"
                  "Terminator"},
                 "the branches that threads take cannot be expressed by masks")
          .Cases(
              {"CantComputeNumberOfIterations", "UnsupportedUncountableLoop"},
              "threads may leave the kernel early")
          .Case("CantVectorizeInstruction", "atomic operations")
          .Default("");
  if (!known.empty())
    return known.str();
  message.consume_front("loop not vectorized: ");
  if (message.starts_with("loop not vectorized"))
    return "";
  return message.str();
}

class VectoriserNotes::Listener final : public DiagnosticHandler {
public:
  struct Remark {
    Function *entry;
    DebugLoc place;
    unsigned width;
    std::string reason;
  };
  std::vector<Remark> remarks;

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    switch (info.getKind()) {
    case DK_OptimizationRemark:
    case DK_OptimizationRemarkMissed:
    case DK_OptimizationRemarkAnalysis:
    case DK_OptimizationRemarkAnalysisFPCommute:
    case DK_OptimizationRemarkAnalysisAliasing:
      take(static_cast<const DiagnosticInfoIROptimization &>(info));
      return true;
    default:
      return info.getSeverity() != DS_Error;
    }
  }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return pass == "loop-vectorize";
  }
  bool isMissedOptRemarkEnabled(StringRef pass) const override {
    return pass == "loop-vectorize";
  }
  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return pass == "loop-vectorize";
  }
  bool isAnyRemarkEnabled() const override { return true; }

private:
  void take(const DiagnosticInfoIROptimization &remark) {
    auto *header = dyn_cast_or_null<BasicBlock>(remark.getCodeRegion());
    if (!header || StringRef(remark.getPassName()) != "loop-vectorize")
      return;
    Instruction *latch = threadLatch(header);
    if (!latch)
      return;
    auto *entry = const_cast<Function *>(header->getParent());
    unsigned width = 0;
    std::string reason;
    if (remark.getRemarkName() == "Vectorized") {
      for (const auto &argument : remark.getArgs())
        if (argument.Key == "VectorizationFactor")
          StringRef(argument.Val).getAsInteger(10, width);
    } else {
      reason =
          reasonOf(remark.getRemarkName(), StringRef(remark.getMsg()), *header);
    }
    if (width || !reason.empty())
      remarks.push_back({entry, locationOfLoop(*latch), width, reason});
  }
};

VectoriserNotes::VectoriserNotes(ArrayRef<Function *> entries)
    : entries(entries) {
  if (entries.empty())
    return;
  context = &entries.front()->getContext();
  before = context->getDiagnosticHandler();
  auto owned = std::make_unique<Listener>();
  listener = owned.get();
  context->setDiagnosticHandler(std::move(owned), /*RespectFilters=*/true);
}

VectoriserNotes::~VectoriserNotes() {
  if (!context)
    return;
  // A loop may have been copied before it was vectorised: what works counts.
  for (bool vectorised : {true, false})
    for (const Listener::Remark &remark : listener->remarks)
      if ((remark.width != 0) == vectorised)
        addNote(*remark.entry, remark.place, remark.width, remark.reason);
  context->setDiagnosticHandler(std::move(before));
  // Those around other loops it has not looked at.
  for (Function *entry : entries) {
    DominatorTree dominators(*entry);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder())
      if (!loop->isInnermost())
        if (BasicBlock *latch = loop->getLoopLatch();
            latch && isThreadLoop(*latch->getTerminator(), 0))
          addNote(*entry, locationOfLoop(*latch->getTerminator()), 0,
                  "each thread runs a loop of its own");
  }
}

} // namespace cufort::cpu
