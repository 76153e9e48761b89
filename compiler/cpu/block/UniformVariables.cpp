//===- UniformVariables.cpp - what all threads have, for debuggers --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/UniformVariables.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/DebugVariables.h"
#include "compiler/cpu/partition/BlockRows.h"
#include "image/Image.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include <optional>

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Metadata of a function: of each variable itself, and its UniformPlace.
constexpr char UniformMetadata[] = "cufort.uniform";

/// Behind an argument of the function and \c offset bytes further there is the
/// variable, or an address; behind that, \c further bytes on, the variable.
struct UniformPlace {
  uint64_t argument = 0, offset = 0, hasAddress = 0, further = 0;
};

/// What is said of a variable, if all records of it say the same.
struct Description {
  Value *value = nullptr;
  bool isAddress = false; ///< the variable lies there
  bool holds = true;

  bool operator==(const Description &) const = default;
};

/// Takes all records of \p entry, and says what they are about.
MapVector<DILocalVariable *, Description> takeRecords(Function &entry) {
  MapVector<DILocalVariable *, Description> found;
  for (Instruction &instruction : instructions(entry))
    for (DbgVariableRecord &record :
         make_early_inc_range(filterDbgVars(instruction.getDbgRecordRange()))) {
      // Of an inlined procedure each thread has its own variables.
      if (!record.getDebugLoc()->getInlinedAt()) {
        Description said;
        said.isAddress = record.isDbgDeclare();
        said.holds = record.getNumVariableLocationOps() == 1 &&
                     record.getExpression()->getNumElements() == 0 &&
                     !record.isKillLocation();
        if (said.holds)
          said.value = record.getVariableLocationOp(0);
        auto [place, isNew] = found.try_emplace(record.getVariable(), said);
        if (!isNew && place->second != said)
          place->second.holds = false;
      }
      record.eraseFromParent();
    }
  return found;
}

/// Where \p pointer leads to from an argument of \p entry by a constant offset.
std::optional<UniformPlace> behindArgument(const Value &pointer,
                                           const Function &entry) {
  const DataLayout &layout = entry.getDataLayout();
  APInt offset(layout.getPointerSizeInBits(), 0);
  const Value *base = pointer.stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  auto *argument = dyn_cast<Argument>(base);
  if (!argument)
    return std::nullopt;
  return UniformPlace{argument->getArgNo(), offset.getZExtValue()};
}

/// Where the variable lies of which \p said tells.
std::optional<UniformPlace> placeOf(const Description &said,
                                    const Function &entry) {
  if (!said.holds || !said.value)
    return std::nullopt;
  if (auto *load = dyn_cast<LoadInst>(said.value)) {
    auto place = behindArgument(*load->getPointerOperand(), entry);
    if (place)
      place->hasAddress = said.isAddress;
    return place;
  }
  if (!said.isAddress || !said.value->getType()->isPointerTy())
    return std::nullopt;
  if (auto place = behindArgument(*said.value, entry))
    return place;
  // Shared memory, whose address is in the workspace.
  const DataLayout &layout = entry.getDataLayout();
  APInt further(layout.getPointerSizeInBits(), 0);
  auto *base = dyn_cast<LoadInst>(said.value->stripAndAccumulateConstantOffsets(
      layout, further, /*AllowNonInbounds=*/true));
  auto place =
      base ? behindArgument(*base->getPointerOperand(), entry) : std::nullopt;
  if (place) {
    place->hasAddress = 1;
    place->further = further.getZExtValue();
  }
  return place;
}

/// Writes descriptions at the beginning of a function of which all passes are
/// done.
class UniformWriter {
public:
  explicit UniformWriter(Function &entry)
      : entry(entry), subprogram(*entry.getSubprogram()),
        b(&*entry.getEntryBlock().getFirstInsertionPt()) {}
  void write(const MDNode &notes);

private:
  void declare(Value &place, DILocalVariable &variable,
               ArrayRef<uint64_t> expression);
  void writeVariable(const MDNode &note);
  void writePredefined();

  Function &entry;
  DISubprogram &subprogram;
  IRBuilder<> b;
  AllocaInst *arguments = nullptr; ///< the function's own
};

void UniformWriter::declare(Value &place, DILocalVariable &variable,
                            ArrayRef<uint64_t> expression) {
  LLVMContext &context = entry.getContext();
  auto *record = DbgVariableRecord::createDVRDeclare(
      &place, &variable, DIExpression::get(context, expression),
      DILocation::get(context, variable.getLine(), 0, variable.getScope()));
  b.GetInsertBlock()->insertDbgRecordBefore(record, b.GetInsertPoint());
}

constexpr uint64_t PointerBytes = 8; // of x86-64

/// The first bytes of a location: from where arguments are kept to behind one.
SmallVector<uint64_t> behind(uint64_t argument, uint64_t offset) {
  return {dwarf::DW_OP_plus_uconst, argument * PointerBytes, dwarf::DW_OP_deref,
          dwarf::DW_OP_plus_uconst, offset};
}

void UniformWriter::writeVariable(const MDNode &note) {
  auto &variable = *cast<DILocalVariable>(note.getOperand(0));
  auto number = [&](unsigned operand) {
    return mdconst::extract<ConstantInt>(note.getOperand(operand))
        ->getZExtValue();
  };
  SmallVector<uint64_t> expression = behind(number(1), number(2));
  if (number(3))
    expression.append(
        {dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, number(4)});
  declare(*arguments,
          *DILocalVariable::get(
              entry.getContext(), &subprogram, variable.getName(),
              variable.getFile(), variable.getLine(), variable.getType(),
              variable.getArg(), variable.getFlags(), variable.getAlignInBits(),
              variable.getAnnotations()),
          expression);
}

/// The block's index, and the shapes of block and grid.
void UniformWriter::writePredefined() {
  // Places in PredefinedNames.
  constexpr unsigned blockIndex = 1, blockShape = 2, gridShape = 3;
  auto variable = [&](unsigned number) -> DILocalVariable & {
    return *predefinedVariable(subprogram, number, *entry.getParent());
  };
  declare(*arguments, variable(blockShape),
          behind(LaunchArgument, offsetof(image::CpuLaunch, block)));
  declare(*arguments, variable(gridShape),
          behind(LaunchArgument, offsetof(image::CpuLaunch, grid)));
  // One that runs blocks side by side has no index of its own.
  if (entry.hasFnAttribute(BlockRowsAttribute))
    return;
  const uint32_t first = firstIndex(subprogram);
  if (!first)
    return declare(*arguments, variable(blockIndex), behind(BlockArgument, 0));
  auto *three = ArrayType::get(b.getInt32Ty(), 3);
  AllocaInst *index = b.CreateAlloca(three);
  for (unsigned n = 0; n < 3; ++n)
    b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt32Ty(),
                                           b.CreateConstInBoundsGEP1_64(
                                               b.getInt32Ty(),
                                               entry.getArg(BlockArgument), n)),
                              b.getInt32(first)),
                  b.CreateConstInBoundsGEP2_32(three, index, 0, n),
                  /*isVolatile=*/true);
  declare(*index, variable(blockIndex), {});
}

void UniformWriter::write(const MDNode &notes) {
  b.SetCurrentDebugLocation(DebugLoc());
  auto *pointers = ArrayType::get(b.getPtrTy(), entry.arg_size());
  arguments = b.CreateAlloca(pointers);
  for (Argument &argument : entry.args())
    if (argument.getType()->isPointerTy())
      b.CreateStore(&argument,
                    b.CreateConstInBoundsGEP2_32(pointers, arguments, 0,
                                                 argument.getArgNo()),
                    /*isVolatile=*/true);
  writePredefined();
  for (const MDOperand &note : notes.operands())
    writeVariable(*cast<MDNode>(note));
}

} // namespace

void noteUniform(Function &entry) {
  const auto known = takeRecords(entry);
  if (!hasVariables(entry.getSubprogram()))
    return;
  LLVMContext &context = entry.getContext();
  auto number = [&](uint64_t value) {
    return ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt64Ty(context), value));
  };
  SmallVector<Metadata *> notes;
  for (const auto &[variable, said] : known)
    if (auto place = placeOf(said, entry);
        place && (variable->getArg() || place->argument == WorkspaceArgument))
      notes.push_back(MDNode::get(
          context, {variable, number(place->argument), number(place->offset),
                    number(place->hasAddress), number(place->further)}));
  entry.setMetadata(UniformMetadata, MDNode::get(context, notes));
}

void describeUniform(Module &module) {
  for (Function &function : module)
    if (MDNode *notes = function.getMetadata(UniformMetadata)) {
      function.setMetadata(UniformMetadata, nullptr);
      if (!function.isDeclaration() && function.getSubprogram())
        UniformWriter(function).write(*notes);
    }
}

} // namespace cufort::cpu
