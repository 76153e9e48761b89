//===- KernelEntries.cpp - kernels as block entries -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/KernelEntries.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "image/Image.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// CUDA's limits, which let ranges of indices be known.
constexpr unsigned MaxThreadsPerBlock = 1024, MaxBlockZ = 64;

/// Whether nothing writes through \p pointer and it goes nowhere else.
bool isOnlyRead(Value *pointer) {
  for (Use &use : pointer->uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (load->isVolatile())
        return false;
    } else if (isa<GetElementPtrInst, PHINode, SelectInst>(user)) {
      // A phi could lead back here, but then only through another phi.
      if (isa<PHINode>(user) || !isOnlyRead(user))
        return false;
    } else if (auto *copy = dyn_cast<MemTransferInst>(user)) {
      if (use.getOperandNo() != 1 || copy->isVolatile())
        return false;
    } else if (!isa<LifetimeIntrinsic>(user)) {
      return false;
    }
  }
  return true;
}

class EntryMaker {
public:
  explicit EntryMaker(Function &kernel)
      : kernel(kernel), context(kernel.getContext()), b(context) {}
  Expected<Function *> make();

private:
  void makeFunction();
  void readParameters();
  void keepDistinct(ArrayRef<Instruction *> pointers);
  Error readRegisters();
  Value *field(unsigned argument, unsigned offset, const Twine &name,
               uint32_t low, uint64_t high);
  Value *specialRegister(IntrinsicInst &call);
  Value *threadRank(IRBuilder<> &at);
  Value *clusterSize(unsigned dimension);

  Function &kernel;
  Function *entry = nullptr;
  LLVMContext &context;
  IRBuilder<> b; ///< at the end of the prologue
};

void EntryMaker::makeFunction() {
  Type *pointer = PointerType::get(context, 0);
  Type *i32 = Type::getInt32Ty(context);
  auto *type =
      FunctionType::get(Type::getVoidTy(context),
                        {pointer, pointer, pointer, i32, pointer}, false);
  entry = Function::Create(type, GlobalValue::ExternalLinkage, "",
                           kernel.getParent());
  entry->addFnAttrs(AttrBuilder(context, kernel.getAttributes().getFnAttrs()));
  for (auto kind : {Attribute::Memory, Attribute::NoRecurse,
                    Attribute::Convergent, Attribute::WillReturn})
    entry->removeFnAttr(kind);
  entry->setDoesNotThrow();
  entry->takeName(&kernel);
  entry->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  entry->addFnAttr(EntryAttribute, "block");

  static constexpr StringRef names[] = {"arguments", "launch", "block",
                                        "further", "workspace"};
  static constexpr uint64_t sizes[] = {0, sizeof(image::CpuLaunch),
                                       sizeof(image::Dim3), 0,
                                       sizeof(image::CpuWorkspace)};
  for (unsigned i = 0; i < 5; ++i) {
    entry->getArg(i)->setName(names[i]);
    if (i == FurtherArgument)
      continue;
    // The program sees none of these through another pointer.
    entry->addParamAttr(i, Attribute::NoAlias);
    entry->addParamAttr(i, Attribute::ReadOnly);
    entry->addParamAttr(i, Attribute::getWithAlignment(
                               context, Align(i == 1 || i == 2 ? 4 : 8)));
    if (sizes[i])
      entry->addParamAttr(
          i, Attribute::getWithDereferenceableBytes(context, sizes[i]));
  }
  BasicBlock *prologue = BasicBlock::Create(context, "prologue", entry);
  entry->splice(entry->end(), &kernel);
  b.SetInsertPoint(prologue);
  b.CreateBr(prologue->getNextNode());
  b.SetInsertPoint(prologue->getTerminator());
  // The first block may have been a loop header's target of no one; it may
  // hold the kernel's private variables: those belong to the prologue.
  for (Instruction &instruction :
       make_early_inc_range(*prologue->getNextNode()))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
      if (alloca->isStaticAlloca() || isa<ConstantInt>(alloca->getArraySize()))
        alloca->moveBefore(prologue->getTerminator()->getIterator());
}

/// Says of all loads from \p place, a parameter that is only read, that nobody
/// changes it.
static void markReads(Value *place) {
  MDNode *empty = MDNode::get(place->getContext(), {});
  SmallVector<Value *> readers{place};
  while (!readers.empty())
    for (User *user : readers.pop_back_val()->users()) {
      if (auto *load = dyn_cast<LoadInst>(user))
        load->setMetadata(LLVMContext::MD_invariant_load, empty);
      else if (isa<GetElementPtrInst>(user))
        readers.push_back(user);
    }
}

void EntryMaker::readParameters() {
  const DataLayout &layout = kernel.getDataLayout();
  MDNode *empty = MDNode::get(context, {});
  std::string places;
  uint64_t end = 0;
  SmallVector<Instruction *> distinct;
  for (Argument &parameter : kernel.args()) {
    Type *type = parameter.getType();
    bool byValue = parameter.hasByValAttr();
    if (byValue)
      type = parameter.getParamByValType();
    Align alignment = layout.getABITypeAlign(type);
    if (byValue && parameter.getParamAlign())
      alignment = *parameter.getParamAlign();
    uint64_t offset = alignTo(end, alignment);
    uint64_t size = layout.getTypeAllocSize(type);
    end = offset + size;
    raw_string_ostream(places)
        << (places.empty() ? "" : ",") << offset << ':' << size;
    // A debugger shows also what the kernel does not use.
    if (parameter.use_empty() && !parameter.isUsedByMetadata())
      continue;
    Value *place = b.CreateConstInBoundsGEP1_64(
        b.getInt8Ty(), entry->getArg(ArgumentsArgument), offset);
    if (!byValue) {
      LoadInst *value = b.CreateAlignedLoad(type, place, alignment);
      value->setMetadata(LLVMContext::MD_invariant_load, empty);
      value->takeName(&parameter);
      if (parameter.hasNoAliasAttr())
        distinct.push_back(value);
      parameter.replaceAllUsesWith(value);
      continue;
    }
    place->takeName(&parameter);
    if (isOnlyRead(&parameter)) {
      parameter.replaceAllUsesWith(place);
      markReads(place);
      continue;
    }
    // Each thread has its own copy.
    IRBuilder<> first(entry->getEntryBlock().getTerminator());
    AllocaInst *copy = first.CreateAlloca(type, nullptr, "copy");
    copy->setAlignment(alignment);
    parameter.replaceAllUsesWith(copy);
    BasicBlock *body = entry->getEntryBlock().getNextNode();
    IRBuilder<> start(body, body->getFirstInsertionPt());
    start.CreateMemCpy(copy, alignment, place, alignment, size);
  }
  entry->addFnAttr(ParametersAttribute, places);
  setAttributeNumber(*entry, ParameterBytesAttribute, end);
  if (end)
    entry->addParamAttr(ArgumentsArgument,
                        Attribute::getWithDereferenceableBytes(context, end));
  keepDistinct(distinct);
}

/// Says of accesses what "noalias" said of the parameters that \p pointers
/// were: what is reached through one of them is not reached in any other way.
/// (What one thread may count on, all threads of a launch may: their accesses
/// through different parameters do not meet either.)
void EntryMaker::keepDistinct(ArrayRef<Instruction *> pointers) {
  if (pointers.empty())
    return;
  MDBuilder metadata(context);
  MDNode *domain = metadata.createAnonymousAliasScopeDomain(entry->getName());
  MapVector<const Value *, Metadata *> scopes;
  for (Instruction *pointer : pointers)
    scopes[pointer] =
        metadata.createAnonymousAliasScope(domain, pointer->getName());
  for (Instruction &instruction : instructions(*entry)) {
    SmallVector<const Value *, 4> objects;
    if (const Value *pointer = getPointerOperand(&instruction)) {
      if (isa<GetElementPtrInst>(instruction))
        continue;
      getUnderlyingObjects(pointer, objects, nullptr, 0);
    } else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
      getUnderlyingObjects(memory->getRawDest(), objects, nullptr, 0);
      if (auto *transfer = dyn_cast<MemTransferInst>(memory))
        getUnderlyingObjects(transfer->getRawSource(), objects, nullptr, 0);
    }
    auto isParameter = [&](const Value *object) {
      return scopes.contains(object);
    };
    if (objects.empty() || !all_of(objects, [&](const Value *object) {
          return isParameter(object) || isa<AllocaInst, GlobalVariable>(object);
        }))
      continue;
    SmallVector<Metadata *> own, others;
    for (auto &[pointer, scope] : scopes)
      (is_contained(objects, pointer) ? own : others).push_back(scope);
    auto add = [&](unsigned kind, ArrayRef<Metadata *> list) {
      if (!list.empty())
        instruction.setMetadata(
            kind, MDNode::concatenate(instruction.getMetadata(kind),
                                      MDNode::get(context, list)));
    };
    if (all_of(objects, isParameter))
      add(LLVMContext::MD_alias_scope, own);
    add(LLVMContext::MD_noalias, others);
  }
}

/// A 32-bit field of what argument \p argument points to, within [low, high).
Value *EntryMaker::field(unsigned argument, unsigned offset, const Twine &name,
                         uint32_t low, uint64_t high) {
  LoadInst *value =
      b.CreateAlignedLoad(b.getInt32Ty(),
                          b.CreateConstInBoundsGEP1_64(
                              b.getInt8Ty(), entry->getArg(argument), offset),
                          Align(4), name);
  value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  value->setMetadata(LLVMContext::MD_noundef, MDNode::get(context, {}));
  value->setMetadata(
      LLVMContext::MD_range,
      MDBuilder(context).createRange(APInt(32, low), APInt(32, high)));
  return value;
}

/// The thread's number in its block, x fastest.
Value *EntryMaker::threadRank(IRBuilder<> &at) {
  auto index = [&](Intrinsic::ID id) {
    return at.CreateIntrinsic(id, ArrayRef<Type *>(), ArrayRef<Value *>());
  };
  Value *nx = field(LaunchArgument, offsetof(image::CpuLaunch, block.x), "nx",
                    1, MaxThreadsPerBlock + 1);
  Value *ny = field(LaunchArgument, offsetof(image::CpuLaunch, block.y), "ny",
                    1, MaxThreadsPerBlock + 1);
  Value *rank = index(Intrinsic::nvvm_read_ptx_sreg_tid_z);
  rank = at.CreateNUWAdd(at.CreateNUWMul(rank, ny),
                         index(Intrinsic::nvvm_read_ptx_sreg_tid_y));
  return at.CreateNUWAdd(at.CreateNUWMul(rank, nx),
                         index(Intrinsic::nvvm_read_ptx_sreg_tid_x));
}

/// Blocks along \p dimension of the launch's clusters.
Value *EntryMaker::clusterSize(unsigned dimension) {
  Value *all = field(LaunchArgument, offsetof(image::CpuLaunch, cluster),
                     "cluster", 0x010101, 0x101011);
  return b.CreateAnd(b.CreateLShr(all, 8 * dimension), 0xff);
}

Value *EntryMaker::specialRegister(IntrinsicInst &call) {
  // CUDA's limits.
  constexpr uint64_t MaxGridX = 0x7fffffff, MaxGridYZ = 0xffff;
  auto axis = [&](unsigned argument, unsigned base, unsigned dimension,
                  const Twine &name, uint32_t low, uint64_t high) {
    return field(argument, base + 4 * dimension, name, low, high);
  };
  unsigned gridBase = offsetof(image::CpuLaunch, grid);
  unsigned blockBase = offsetof(image::CpuLaunch, block);
  IRBuilder<> at(&call);
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return axis(BlockArgument, 0, 0, "blockIdx.x", 0, MaxGridX);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return axis(BlockArgument, 0, 1, "blockIdx.y", 0, MaxGridYZ);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return axis(BlockArgument, 0, 2, "blockIdx.z", 0, MaxGridYZ);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return axis(LaunchArgument, gridBase, 0, "gridDim.x", 1, MaxGridX + 1);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return axis(LaunchArgument, gridBase, 1, "gridDim.y", 1, MaxGridYZ + 1);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return axis(LaunchArgument, gridBase, 2, "gridDim.z", 1, MaxGridYZ + 1);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return axis(LaunchArgument, blockBase, 0, "blockDim.x", 1,
                MaxThreadsPerBlock + 1);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return axis(LaunchArgument, blockBase, 1, "blockDim.y", 1,
                MaxThreadsPerBlock + 1);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return axis(LaunchArgument, blockBase, 2, "blockDim.z", 1, MaxBlockZ + 1);
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return b.getInt32(32);
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return at.CreateAnd(threadRank(at), 31);
  case Intrinsic::nvvm_read_ptx_sreg_warpid:
    return at.CreateLShr(threadRank(at), 5);
  // Masks of the lanes at, before and after the thread's own.
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
    return at.CreateShl(b.getInt32(1), at.CreateAnd(threadRank(at), 31));
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
    return at.CreateNot(
        at.CreateShl(b.getInt32(-1), at.CreateAnd(threadRank(at), 31)));
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
    return at.CreateNot(
        at.CreateShl(b.getInt32(-2), at.CreateAnd(threadRank(at), 31)));
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
    return at.CreateShl(b.getInt32(-2), at.CreateAnd(threadRank(at), 31));
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
    return at.CreateShl(b.getInt32(-1), at.CreateAnd(threadRank(at), 31));
  case Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size:
    return field(LaunchArgument, offsetof(image::CpuLaunch, dynamicSharedBytes),
                 "dynamicSharedBytes", 0, 0x7fffffff);
  case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x:
    return clusterSize(0);
  case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y:
    return clusterSize(1);
  case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z:
    return clusterSize(2);
  default:
    return nullptr;
  }
}

Error EntryMaker::readRegisters() {
  for (Instruction &instruction : make_early_inc_range(instructions(*entry))) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || threadIndexDimension(call) >= 0)
      continue;
    StringRef name = call->getCalledFunction()->getName();
    if (!name.starts_with("llvm.nvvm.read.ptx.sreg."))
      continue;
    Value *value = specialRegister(*call);
    if (!value)
      return refuse(*entry, call,
                    "the special register '" + name +
                        "' is not available on the CPU");
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  // One read per register is enough.
  SmallDenseMap<std::pair<Value *, uint64_t>, LoadInst *> reads;
  const DataLayout &layout = entry->getDataLayout();
  for (Instruction &instruction :
       make_early_inc_range(entry->getEntryBlock())) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load)
      continue;
    APInt offset(64, 0);
    Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
        layout, offset, true);
    auto [known, inserted] =
        reads.try_emplace({base, offset.getZExtValue()}, load);
    if (!inserted && known->second->getType() == load->getType()) {
      load->replaceAllUsesWith(known->second);
      load->eraseFromParent();
    }
  }
  return Error::success();
}

Expected<Function *> EntryMaker::make() {
  makeFunction();
  readParameters();
  if (Error error = readRegisters())
    return error;
  kernel.eraseFromParent();
  return entry;
}

} // namespace

Error makeBlockEntries(Module &module, const CpuOptions &) {
  for (Function *kernel : kernels(module)) {
    auto entry = EntryMaker(*kernel).make();
    if (!entry)
      return entry.takeError();
  }
  return Error::success();
}

} // namespace cufort::cpu
