//===- WarpVectors.cpp - warp operations against a model lane by lane -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// emitWarpOperation builds a function, LLVM compiles it for this machine, and
// its results are compared with the PTX manual's words, written for one lane.
// Operands are constants, the same in all lanes, or different, as the
// vectoriser may hand them over; masks, active lanes, widths and values are
// random.
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"
#include <array>
#include <random>

using namespace llvm;
using namespace cufort::cpu;

namespace {

using Lanes = std::array<uint64_t, WarpSize>;

/// One operation: what goes in for each lane and what must come out.
struct Inputs {
  std::array<Lanes, 4> operands = {};
  uint32_t active = ~0u;
};
struct Outputs {
  Lanes result = {};
};

enum class Form { Constant, Splat, Vector };

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

bool isIn(uint64_t mask, int lane) { return mask >> lane & 1; }

void shuffleModel(WarpOperation operation, const Inputs &in, Outputs &out) {
  for (int lane = 0; lane < 32; ++lane) {
    int b = in.operands[2][lane] & 31;
    int c = in.operands[3][lane] & 31;
    int segment = in.operands[3][lane] >> 8 & 31;
    int maxLane = (lane & segment) | (c & ~segment);
    int minLane = lane & segment;
    int j = 0;
    bool inRange = false;
    switch (operation) {
    case WarpOperation::ShuffleUp:
      j = lane - b;
      inRange = j >= maxLane;
      break;
    case WarpOperation::ShuffleDown:
      j = lane + b;
      inRange = j <= maxLane;
      break;
    case WarpOperation::ShuffleXor:
      j = lane ^ b;
      inRange = j <= maxLane;
      break;
    default:
      j = minLane | (b & ~segment);
      inRange = j <= maxLane;
      break;
    }
    if (!inRange)
      j = lane;
    bool there = isIn(in.active & in.operands[0][lane], j);
    out.result[lane] = in.operands[1][there ? j : lane];
  }
}

uint32_t reduceModel(WarpOperation operation, uint32_t a, uint32_t b) {
  auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
  switch (operation) {
  case WarpOperation::ReduceAdd:
    return a + b;
  case WarpOperation::ReduceAnd:
    return a & b;
  case WarpOperation::ReduceOr:
    return a | b;
  case WarpOperation::ReduceXor:
    return a ^ b;
  case WarpOperation::ReduceSMin:
    return x < y ? a : b;
  case WarpOperation::ReduceSMax:
    return x > y ? a : b;
  case WarpOperation::ReduceUMin:
    return a < b ? a : b;
  default:
    return a > b ? a : b;
  }
}

Outputs model(WarpOperation operation, const Inputs &in) {
  Outputs out;
  if (isShuffle(operation)) {
    shuffleModel(operation, in, out);
    return out;
  }
  for (int lane = 0; lane < 32; ++lane) {
    if (operation == WarpOperation::ActiveMask) {
      out.result[lane] = in.active;
      continue;
    }
    uint32_t members = in.operands[0][lane] & in.active;
    const Lanes &value = in.operands[1];
    uint32_t same = 0, votes = 0;
    std::optional<uint32_t> reduced;
    for (int other = 0; other < 32; ++other) {
      if (!isIn(members, other))
        continue;
      votes |= uint32_t(value[other] & 1) << other;
      same |= uint32_t(value[other] == value[lane]) << other;
      reduced = reduced ? reduceModel(operation, *reduced, value[other])
                        : uint32_t(value[other]);
    }
    if (operation == WarpOperation::Ballot)
      out.result[lane] = votes;
    else if (operation == WarpOperation::MatchAny)
      out.result[lane] = same;
    else if (operation == WarpOperation::MatchAll)
      out.result[lane] = same == members ? members : 0;
    else
      out.result[lane] = *reduced;
  }
  return out;
}

//===----------------------------------------------------------------------===//
// The compiled operation
//===----------------------------------------------------------------------===//

/// Which mark, and in which form each operand comes.
struct Case {
  WarpOperation operation;
  std::string mark; ///< without the prefix
  unsigned valueBits;
  unsigned operandCount;
  std::array<Form, 4> forms = {};
  bool allActive = false;
};

class Compiled {
public:
  /// \p constants are the operands of form Constant.
  Compiled(const Case &what, const Inputs &constants) : what(what) {
    auto made = orc::LLJITBuilder().create();
    EXPECT_TRUE(bool(made)) << toString(made.takeError());
    jit = std::move(*made);
    auto context = std::make_unique<LLVMContext>();
    auto module = std::make_unique<Module>("warp", *context);
    module->setDataLayout(jit->getDataLayout());
    build(*module, constants);
    std::string problem;
    raw_string_ostream stream(problem);
    EXPECT_FALSE(verifyModule(*module, &stream)) << problem;
    EXPECT_FALSE(bool(jit->addIRModule(
        orc::ThreadSafeModule(std::move(module), std::move(context)))));
    auto address = jit->lookup("test");
    EXPECT_TRUE(bool(address)) << toString(address.takeError());
    function = address->toPtr<void (*)(const Inputs *, Outputs *)>();
  }

  Outputs run(const Inputs &in) const {
    Outputs out;
    function(&in, &out);
    return out;
  }

  bool scalarResult = false; ///< whether the first result was no vector

private:
  unsigned bitsOf(unsigned operand) const {
    if (operand != 1)
      return 32;
    return what.operation == WarpOperation::Ballot ? 1 : what.valueBits;
  }

  Value *operand(IRBuilder<> &b, Value *in, unsigned i,
                 const Inputs &constants) {
    Type *type = b.getIntNTy(bitsOf(i));
    if (what.forms[i] == Form::Constant) {
      SmallVector<Constant *> elements;
      for (uint64_t element : constants.operands[i])
        elements.push_back(ConstantInt::get(
            type, APInt(bitsOf(i), element, false, /*implicitTrunc=*/true)));
      return ConstantVector::get(elements);
    }
    Value *place =
        b.CreateConstGEP1_64(b.getInt64Ty(), in, uint64_t(WarpSize) * i);
    if (what.forms[i] == Form::Splat)
      return b.CreateVectorSplat(
          WarpSize, b.CreateTrunc(b.CreateLoad(b.getInt64Ty(), place), type));
    auto *wide = FixedVectorType::get(b.getInt64Ty(), WarpSize);
    return b.CreateTrunc(b.CreateAlignedLoad(wide, place, Align(8)),
                         FixedVectorType::get(type, WarpSize));
  }

  void build(Module &module, const Inputs &constants) {
    LLVMContext &context = module.getContext();
    IRBuilder<> b(context);
    auto *type =
        FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()}, false);
    Function *test =
        Function::Create(type, GlobalValue::ExternalLinkage, "test", module);
    b.SetInsertPoint(BasicBlock::Create(context, "", test));
    SmallVector<Value *> operands;
    SmallVector<Type *> types;
    for (unsigned i = 0; i < what.operandCount; ++i) {
      operands.push_back(operand(b, test->getArg(0), i, constants));
      types.push_back(operands.back()->getType()->getScalarType());
    }
    auto *lanes = FixedVectorType::get(b.getInt1Ty(), WarpSize);
    Value *active = Constant::getAllOnesValue(lanes);
    if (!what.allActive)
      active = b.CreateBitCast(
          b.CreateLoad(b.getInt32Ty(),
                       b.CreateConstGEP1_64(b.getInt8Ty(), test->getArg(0),
                                            offsetof(Inputs, active))),
          lanes);
    // The call only says which operation it is.
    FunctionCallee mark = module.getOrInsertFunction(
        "cufort.warp." + what.mark,
        FunctionType::get(b.getInt32Ty(), types, false));
    SmallVector<Value *> undefined;
    for (Type *each : types)
      undefined.push_back(PoisonValue::get(each));
    CallInst *call = b.CreateCall(mark, undefined);
    Value *result = emitWarpOperation(b, *call, operands, active);
    call->eraseFromParent();
    scalarResult = !result->getType()->isVectorTy();
    if (scalarResult)
      result = b.CreateVectorSplat(WarpSize, result);
    auto *wide = FixedVectorType::get(b.getInt64Ty(), WarpSize);
    b.CreateAlignedStore(b.CreateZExt(result, wide), test->getArg(1), Align(8));
    b.CreateRetVoid();
  }

  Case what;
  std::unique_ptr<orc::LLJIT> jit;
  void (*function)(const Inputs *, Outputs *) = nullptr;
};

//===----------------------------------------------------------------------===//
// Random inputs
//===----------------------------------------------------------------------===//

class WarpVectors : public testing::Test {
protected:
  static void SetUpTestSuite() {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  }

  uint32_t number() { return static_cast<uint32_t>(random()); }
  bool oneIn(unsigned n) { return number() % n == 0; }

  /// Inputs of \p what: lanes fall into groups with a mask each; a mask may
  /// name inactive lanes.
  Inputs inputs(const Case &what) {
    Inputs in;
    if (!what.allActive)
      in.active = oneIn(4) ? ~0u : number() | number();
    if (what.allActive || !in.active)
      in.active = ~0u;
    unsigned groups = what.forms[0] == Form::Vector ? 1 + number() % 4 : 1;
    Lanes group;
    std::array<uint32_t, 4> masks = {};
    uint32_t extra = number() & ~in.active;
    for (int lane = 0; lane < 32; ++lane) {
      group[lane] = number() % groups;
      masks[group[lane]] |= 1u << lane;
    }
    for (uint32_t &mask : masks)
      mask = (mask & in.active) | extra;
    if (groups == 1 && oneIn(2))
      masks[0] = ~0u;
    unsigned range = oneIn(3) ? 2 : oneIn(2) ? 5 : 0;
    for (int lane = 0; lane < 32; ++lane) {
      uint64_t value = uint64_t(number()) << 32 | number();
      in.operands[0][lane] = masks[group[lane]];
      in.operands[1][lane] = (range ? value % range : value) &
                             (what.valueBits == 64 ? ~0ull : 0xffffffffull);
      in.operands[2][lane] = number() % (oneIn(8) ? 1000 : 32);
      unsigned width = 1u << number() % 6;
      unsigned clamp = what.operation == WarpOperation::ShuffleUp ? 0 : 31;
      if (oneIn(8))
        clamp = number() & 31;
      in.operands[3][lane] = (32 - width) << 8 | clamp;
    }
    for (unsigned i = 1; i < 4; ++i)
      if (what.forms[i] == Form::Splat || (i == 3 && oneIn(2)))
        in.operands[i].fill(in.operands[i][number() % 32]);
    return in;
  }

  /// Runs \p what on random inputs and compares.
  void check(const Case &what, unsigned runs) {
    Inputs constants = inputs(what);
    Compiled compiled(what, constants);
    for (unsigned run = 0; run < runs; ++run) {
      Inputs in = inputs(what);
      for (unsigned i = 0; i < 4; ++i)
        if (what.forms[i] == Form::Constant)
          in.operands[i] = constants.operands[i];
      Outputs expected = model(what.operation, in);
      Outputs found = compiled.run(in);
      for (int lane = 0; lane < 32; ++lane) {
        // A lane outside its own mask is an error of the program.
        bool takesPart =
            isIn(in.active, lane) &&
            (what.operandCount == 0 || isIn(in.operands[0][lane], lane));
        if (!takesPart)
          continue;
        if (compiled.scalarResult && isShuffle(what.operation)) {
          // A broadcast: its source has to take part.
          int from = in.operands[2][lane] & 31;
          if (!isIn(in.active & in.operands[0][lane], from))
            continue;
        }
        ASSERT_EQ(found.result[lane], expected.result[lane])
            << what.mark << ", lane " << lane << ", active " << in.active
            << ", mask " << in.operands[0][lane] << ", b "
            << in.operands[2][lane] << ", c " << in.operands[3][lane];
        ++compared;
      }
    }
  }

  std::mt19937_64 random{20240229};
  unsigned compared = 0;
};

constexpr Form Forms[] = {Form::Constant, Form::Splat, Form::Vector};

TEST_F(WarpVectors, Shuffles) {
  std::pair<WarpOperation, const char *> kinds[] = {
      {WarpOperation::ShuffleIndex, "shuffle.idx"},
      {WarpOperation::ShuffleUp, "shuffle.up"},
      {WarpOperation::ShuffleDown, "shuffle.down"},
      {WarpOperation::ShuffleXor, "shuffle.xor"}};
  for (auto [operation, name] : kinds)
    for (unsigned bits : {32u, 64u})
      for (Form mask : Forms)
        for (Form offset : Forms)
          for (Form clamp : {Form::Constant, Form::Vector}) {
            Case what{
                operation, name + (".i" + std::to_string(bits)), bits,
                4,         {mask, Form::Vector, offset, clamp},  oneIn(2)};
            check(what, 20);
          }
  EXPECT_GT(compared, 10000u);
}

TEST_F(WarpVectors, Votes) {
  for (Form mask : Forms)
    for (bool allActive : {false, true})
      check({WarpOperation::Ballot,
             "ballot",
             32,
             2,
             {mask, Form::Vector},
             allActive},
            100);
  check({WarpOperation::ActiveMask, "activemask", 32, 0, {}, false}, 10);
  EXPECT_GT(compared, 5000u);
}

TEST_F(WarpVectors, Matches) {
  std::pair<WarpOperation, const char *> kinds[] = {
      {WarpOperation::MatchAny, "match.any"},
      {WarpOperation::MatchAll, "match.all"}};
  for (auto [operation, name] : kinds)
    for (unsigned bits : {32u, 64u})
      for (Form mask : Forms)
        for (Form value : {Form::Splat, Form::Vector})
          check({operation,
                 name + (".i" + std::to_string(bits)),
                 bits,
                 2,
                 {mask, value},
                 oneIn(3)},
                50);
  EXPECT_GT(compared, 5000u);
}

TEST_F(WarpVectors, Reductions) {
  std::pair<WarpOperation, const char *> kinds[] = {
      {WarpOperation::ReduceAdd, "reduce.add"},
      {WarpOperation::ReduceAnd, "reduce.and"},
      {WarpOperation::ReduceOr, "reduce.or"},
      {WarpOperation::ReduceXor, "reduce.xor"},
      {WarpOperation::ReduceSMin, "reduce.smin"},
      {WarpOperation::ReduceSMax, "reduce.smax"},
      {WarpOperation::ReduceUMin, "reduce.umin"},
      {WarpOperation::ReduceUMax, "reduce.umax"}};
  for (auto [operation, name] : kinds)
    for (Form mask : Forms)
      check({operation, name, 32, 2, {mask, Form::Vector}, oneIn(3)}, 50);
  EXPECT_GT(compared, 5000u);
}

// What the lanes agree on comes back as one value: loops and branches on it
// stay scalar.
TEST_F(WarpVectors, ScalarResults) {
  auto isScalar = [&](Case what) {
    return Compiled(what, inputs(what)).scalarResult;
  };
  EXPECT_TRUE(isScalar(
      {WarpOperation::Ballot, "ballot", 32, 2, {Form::Splat, Form::Vector}}));
  EXPECT_FALSE(isScalar(
      {WarpOperation::Ballot, "ballot", 32, 2, {Form::Vector, Form::Vector}}));
  EXPECT_TRUE(isScalar({WarpOperation::MatchAll,
                        "match.all.i32",
                        32,
                        2,
                        {Form::Splat, Form::Vector}}));
  EXPECT_FALSE(isScalar({WarpOperation::MatchAny,
                         "match.any.i32",
                         32,
                         2,
                         {Form::Splat, Form::Vector}}));
  EXPECT_TRUE(isScalar({WarpOperation::ReduceAdd,
                        "reduce.add",
                        32,
                        2,
                        {Form::Splat, Form::Vector}}));
  Case broadcast{WarpOperation::ShuffleIndex,
                 "shuffle.idx.i32",
                 32,
                 4,
                 {Form::Splat, Form::Vector, Form::Splat, Form::Constant}};
  Inputs in = inputs(broadcast);
  in.operands[3].fill(31);
  EXPECT_TRUE(Compiled(broadcast, in).scalarResult);
  in.operands[3].fill(16 << 8 | 31);
  EXPECT_FALSE(Compiled(broadcast, in).scalarResult);
}

} // namespace
