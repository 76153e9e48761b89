//===- ProofWords.cpp - a description as a constant -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Describer.h"
#include "compiler/check/Proofs.h"

using namespace llvm;

namespace cufort::check {

uint32_t Describer::numberOf(Value *value) {
  return values.insert({value, uint32_t(values.size())}).first->second;
}

void Describer::put(const Form &form) {
  words.push_back(numberOf(form.constant));
  words.push_back(form.terms.size());
  for (auto [symbol, value] : form.terms) {
    words.push_back(symbol);
    words.push_back(numberOf(value));
  }
}

void Describer::put(ArrayRef<Condition> all) {
  words.push_back(all.size());
  for (const Condition &each : all) {
    words.push_back(each.comparison);
    put(each);
  }
}

/// Whether all threads of a block have \p symbol in common between two
/// barriers: whoever has come to an access passes a barrier before the value
/// changes.
bool Describer::isConstantInInterval(const Forms::Symbol &symbol) {
  bool constant = symbol.kind == image::CheckSymbolKind::BlockBetween;
  for (const Access &access : accesses)
    if (constant && access.isShared() &&
        symbol.loop->contains(access.instruction))
      untilBarrier(access.instruction->getNextNode(), [&](Instruction &at) {
        constant &= &at != &symbol.loop->getHeader()->front();
      });
  return constant;
}

void Describer::putSymbols() {
  const Form zero{forms.b.getInt64(0), {}};
  words.push_back(forms.symbols.size());
  for (const Forms::Symbol &each : forms.symbols) {
    words.push_back(unsigned(each.kind));
    words.push_back(isConstantInInterval(each) ? image::ProofConstantInInterval
                                               : 0);
    put(each.low.value_or(zero));
    put(each.high.value_or(zero));
    auto load = find_if(accesses, [&](const Access &access) {
      return access.instruction == each.load;
    });
    words.push_back(each.load && load != accesses.end()
                        ? unsigned(load - accesses.begin())
                        : image::CheckProof::NoValue);
  }
}

void Describer::putLimits() {
  words.push_back(forms.limits.size());
  for (const Forms::Limit &each : forms.limits) {
    put(each.form);
    words.push_back(each.bits);
    words.push_back(each.symbol ? *each.symbol + 1 : 0);
    words.push_back(numberOf(each.step ? each.step : forms.b.getInt64(0)));
    words.push_back(each.inner);
    words.push_back(each.comparison);
    put(each.conditions);
  }
}

void Describer::putAccesses(ArrayRef<std::vector<Condition>> conditionsOfEach) {
  words.push_back(accesses.size());
  for (auto [each, conditions] : zip(accesses, conditionsOfEach)) {
    words.push_back(each.flags);
    words.push_back(each.object);
    words.push_back(numberOf(each.address));
    words.push_back(each.size ? numberOf(each.size)
                              : image::CheckProof::NoValue);
    words.push_back(each.bytes);
    words.push_back(each.alignment);
    put(each.distance);
    put(conditions);
    put(each.deciding);
  }
}

/// Of what only reads shared memory, or is atomic: the writes before it.
void Describer::putCovers() {
  auto hasCovers = [](const Access &each) {
    return each.isShared() &&
           (!each.writes() || each.flags & image::ProofAtomic);
  };
  words.push_back(count_if(accesses, hasCovers));
  for (auto [i, each] : enumerate(accesses)) {
    if (!hasCovers(each))
      continue;
    words.push_back(i);
    words.push_back(covers[i].size());
    for (const Cover &cover : covers[i]) {
      words.push_back(cover.write);
      words.push_back(cover.own);
      put(cover.conditions);
    }
  }
}

/// By which the calls of the checkers name the accesses.
void Describer::putNumbers() {
  words.push_back(accesses.size());
  for (const Access &each : accesses) {
    MDNode *number = each.instruction->getMetadata(NumberMetadata);
    words.push_back(
        number ? unsigned(mdconst::extract<ConstantInt>(number->getOperand(0))
                              ->getZExtValue())
               : image::CheckProof::NoValue);
  }
}

/// At the end of \p code: its third argument gets the values, by number.
void Describer::storeValues(Function &code) {
  IRBuilder<> &b = forms.b;
  for (auto [value, number] : values)
    b.CreateAlignedStore(
        value,
        b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), code.getArg(2), number),
        Align(8));
  b.CreateRetVoid();
}

Constant *Describer::write(Function &code) {
  // Conditions may make further symbols and limits: first all of them.
  std::vector<std::vector<Condition>> ofAccesses, ofBounds;
  for (const Access &each : accesses)
    ofAccesses.push_back(forms.conditionsOf(each.instruction->getParent()));
  for (auto &[form, block] : bounds)
    ofBounds.push_back(forms.conditionsOf(block));
  forms.finish();
  putSymbols();
  putLimits();
  putAccesses(ofAccesses);
  words.push_back(bounds.size());
  for (auto [each, conditions] : zip(bounds, ofBounds)) {
    put(each.first);
    put(conditions);
  }
  words.push_back(pairs.size());
  for (auto [a, c] : pairs) {
    words.push_back(a);
    words.push_back(c);
  }
  putCovers();
  put(warps);
  words.push_back(gaps);
  putNumbers();
  storeValues(code);

  Constant *list = ConstantDataArray::get(module.getContext(), words);
  auto *table = new GlobalVariable(module, list->getType(), /*isConstant=*/true,
                                   GlobalValue::PrivateLinkage, list,
                                   ".check.proof.words");
  IRBuilder<> &b = forms.b;
  return ConstantStruct::getAnon(
      {b.getInt32(values.size()), b.getInt32(words.size()), table, &code});
}

} // namespace cufort::check
