//===- BuiltInVariables.cpp - threadIdx and the others --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/BuiltInVariables.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/raw_ostream.h"
#include <utility>

using namespace llvm;

namespace {

constexpr unsigned Members = 3, MemberBytes = 4;

struct BuiltIn {
  StringRef name;
  Intrinsic::ID members[Members];
};

constexpr BuiltIn BuiltIns[] = {
    {"threadIdx",
     {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
      Intrinsic::nvvm_read_ptx_sreg_tid_z}},
    {"blockIdx",
     {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
      Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
      Intrinsic::nvvm_read_ptx_sreg_ctaid_z}},
    {"blockDim",
     {Intrinsic::nvvm_read_ptx_sreg_ntid_x,
      Intrinsic::nvvm_read_ptx_sreg_ntid_y,
      Intrinsic::nvvm_read_ptx_sreg_ntid_z}},
    {"gridDim",
     {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_z}},
};

/// The uses of one variable.
class Replacement {
public:
  Replacement(const BuiltIn &builtIn, GlobalVariable &variable)
      : builtIn(builtIn), layout(variable.getDataLayout()) {
    follow(variable, 0);
    for (auto [use, offset] : others)
      useCopy(*use, offset);
    for (Instruction *instruction : reverse(steps))
      if (instruction->use_empty())
        instruction->eraseFromParent();
  }

private:
  Value *read(IRBuilder<> &builder, unsigned member) {
    return builder.CreateIntrinsic(builder.getInt32Ty(),
                                   builtIn.members[member], {});
  }

  /// Fills \p memory of the variable's size.
  void fill(IRBuilder<> &builder, Value *memory) {
    for (unsigned i = 0; i < Members; ++i)
      builder.CreateAlignedStore(
          read(builder, i),
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory,
                                             i * MemberBytes),
          Align(MemberBytes));
  }

  /// Replaces the uses of \p address, \p offset bytes behind the variable's
  /// beginning, but those of what is not known here.
  void follow(Value &address, uint64_t offset) {
    for (Use &use : make_early_inc_range(address.uses())) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user)
        continue; // a variable's first value
      APInt further(64, 0);
      if (auto *element = dyn_cast<GetElementPtrInst>(user);
          isa<AddrSpaceCastInst>(user) ||
          (element && element->accumulateConstantOffset(layout, further))) {
        steps.push_back(user);
        follow(*user, offset + further.getZExtValue());
      } else if (auto *load = dyn_cast<LoadInst>(user);
                 load && load->getType()->isIntegerTy(8 * MemberBytes) &&
                 offset % MemberBytes == 0 && offset < Members * MemberBytes) {
        IRBuilder<> builder(load);
        load->replaceAllUsesWith(read(builder, offset / MemberBytes));
        load->eraseFromParent();
      } else if (auto *copy = dyn_cast<MemCpyInst>(user);
                 copy && use.getOperandNo() == 1 && offset == 0 &&
                 isWhole(*copy->getLength())) {
        IRBuilder<> builder(copy);
        fill(builder, copy->getRawDest());
        copy->eraseFromParent();
      } else {
        others.push_back({&use, offset});
      }
    }
  }

  static bool isWhole(const Value &length) {
    auto *bytes = dyn_cast<ConstantInt>(&length);
    return bytes && bytes->getZExtValue() == Members * MemberBytes;
  }

  void useCopy(Use &use, uint64_t offset) {
    auto *user = cast<Instruction>(use.getUser());
    Value *&memory = copies[user->getFunction()];
    if (!memory) {
      BasicBlock &entry = user->getFunction()->getEntryBlock();
      IRBuilder<> builder(&entry, entry.begin());
      memory = builder.CreateAlloca(
          ArrayType::get(builder.getInt32Ty(), Members), nullptr, builtIn.name);
      fill(builder, memory);
    }
    if (use->getType() != memory->getType())
      return; // the link says that the variable is not there
    auto *phi = dyn_cast<PHINode>(user);
    IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator()
                            : user);
    use.set(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory,
                                               offset));
  }

  const BuiltIn &builtIn;
  const DataLayout &layout;
  SmallVector<std::pair<Use *, uint64_t>> others;
  SmallVector<Instruction *> steps; // to an address, of no use afterwards
  DenseMap<Function *, Value *> copies;
};

} // namespace

bool cufort::cuda::isBuiltInVariable(StringRef name) {
  return any_of(BuiltIns,
                [&](const BuiltIn &each) { return each.name == name; });
}

void cufort::cuda::readBuiltInVariables(Module &device) {
  for (const BuiltIn &builtIn : BuiltIns) {
    GlobalVariable *variable = device.getNamedGlobal(builtIn.name);
    if (!variable || !variable->isDeclaration())
      continue;
    convertUsersOfConstantsToInstructions(variable);
    Replacement(builtIn, *variable);
    variable->removeDeadConstantUsers();
    if (variable->use_empty())
      variable->eraseFromParent();
  }
}

static void collectUsers(const Value &value,
                         SmallPtrSetImpl<const Function *> &users) {
  for (const User *user : value.users())
    if (auto *instruction = dyn_cast<Instruction>(user))
      users.insert(instruction->getFunction());
    else
      collectUsers(*user, users);
}

bool cufort::cuda::leavesBuiltInVariables(const Module &host) {
  for (const BuiltIn &builtIn : BuiltIns) {
    const GlobalVariable *variable = host.getNamedGlobal(builtIn.name);
    SmallPtrSet<const Function *, 4> users;
    if (variable && variable->isDeclaration())
      collectUsers(*variable, users);
    auto user = find_if(host, [&](const Function &function) {
      return users.contains(&function);
    });
    if (user == host.end())
      continue;
    errs() << "cufort: error: host code of '" << demangle(user->getName().str())
           << "' in '" << host.getSourceFileName() << "' reads '"
           << builtIn.name
           << "', which only device code has; put the code for the device "
              "between #ifdef __CUDA_ARCH__ and #endif\n";
    return false;
  }
  return true;
}
