//===- WriteImage.cpp - the image object ----------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/WriteImage.h"
#include "compiler/common/DeviceArchitecture.h"
#include "compiler/common/ModuleParts.h"
#include "compiler/link/CpuInstances.h"
#include "compiler/link/KernelLayout.h"
#include "compiler/link/LinkDevice.h"
#include "image/Check.h"
#include "image/Image.h"
#include "image/Module.h"
#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cufort;

namespace {

/// Builds the tables of image/Image.h as constants of a host module.
class TableWriter {
  Module &module;
  LLVMContext &context;
  IntegerType *i32, *i64;
  PointerType *pointer;
  StructType *parameterType, *kernelType, *variableType, *codeType, *imageType,
      *shapeType, *variantType, *sharedType;

public:
  explicit TableWriter(Module &module)
      : module(module), context(module.getContext()),
        i32(Type::getInt32Ty(context)), i64(Type::getInt64Ty(context)),
        pointer(PointerType::getUnqual(context)) {
    parameterType = type<image::Parameter>({i32, i32});
    shapeType = type<image::Dim3>({i32, i32, i32});
    variantType = type<image::CpuVariant>(
        {shapeType, i32, ArrayType::get(pointer, image::CpuLevelCount)});
    kernelType = type<image::Kernel>(
        {pointer, pointer, i32,
         i32,     i32,     i32,
         i32,     i32,     ArrayType::get(pointer, image::CpuLevelCount),
         pointer, pointer, i32,
         i32,     i32,     i32,
         i32,     i32,     i32,
         pointer, pointer, i32});
    variableType = type<image::Variable>({pointer, i64, i32, i32, pointer});
    codeType = type<image::Code>({i32, i32, pointer, i64});
    sharedType = type<image::CpuShared>({pointer, i64});
    imageType = type<image::Image>({i32, i32, i32, i32, i32, i32, pointer,
                                    pointer, pointer, pointer, i64, i64});
  }

  Constant *kernel(const Function &function, const CpuKernel *cpu) {
    KernelLayout layout = layoutOf(function);
    // The engine's view of the parameters is the one its code was made for.
    if (cpu) {
      layout.parameters = cpu->parameters;
      layout.parameterBytes = cpu->parameterBytes;
      layout.staticSharedBytes = cpu->staticSharedBytes;
    }
    std::vector<Constant *> parameters, variants;
    for (image::Parameter each : layout.parameters)
      parameters.push_back(ConstantStruct::get(
          parameterType, {number(each.offset), number(each.size)}));
    if (cpu)
      for (const CpuVariant &each : cpu->variants)
        variants.push_back(variant(each));
    std::array<Function *, image::CpuLevelCount> none{};
    return ConstantStruct::get(
        kernelType, {text(function.getName()),
                     table(parameterType, parameters),
                     number(parameters.size()),
                     number(layout.parameterBytes),
                     number(layout.staticSharedBytes),
                     number(cpu ? cpu->arenaBytesPerThread : 0),
                     number(layout.maxThreadsPerBlock),
                     number(layout.minBlocksPerMultiprocessor),
                     entries(cpu ? cpu->block : none),
                     functionOrNull(cpu ? cpu->thread : nullptr),
                     table(variantType, variants),
                     number(variants.size()),
                     number(cpu ? cpu->blocksMayWait : 0),
                     number(cpu && cpu->blockRows),
                     number(layout.cluster),
                     number(layout.launchesKernels),
                     number(layout.constantBytes),
                     number(layout.localBytes),
                     cpu && cpu->proof ? static_cast<Constant *>(cpu->proof)
                                       : ConstantPointerNull::get(pointer),
                     functionOrNull(cpu ? cpu->checked : nullptr),
                     number(cpu ? cpu->checkedArenaBytesPerThread : 0)});
  }

  Constant *variable(const GlobalVariable &variable, GlobalVariable *storage) {
    const DataLayout &layout = variable.getDataLayout();
    Type *type = variable.getValueType();
    return ConstantStruct::get(
        variableType, {text(variable.getName()),
                       ConstantInt::get(i64, layout.getTypeAllocSize(type)),
                       number(variable.getAlign()
                                  .value_or(layout.getABITypeAlign(type))
                                  .value()),
                       number(variable.getAddressSpace()),
                       storage ? static_cast<Constant *>(storage)
                               : ConstantPointerNull::get(pointer)});
  }

  Constant *code(const PtxCode &ptx) {
    return ConstantStruct::get(
        codeType, {number(static_cast<uint32_t>(image::CodeKind::Ptx)),
                   number(ptx.architecture), text(ptx.text),
                   ConstantInt::get(i64, ptx.text.size())});
  }

  Constant *shared(GlobalValue &value) {
    uint64_t bytes = 0;
    if (auto *variable = dyn_cast<GlobalVariable>(&value))
      bytes =
          variable->getDataLayout().getTypeAllocSize(variable->getValueType());
    return ConstantStruct::get(sharedType,
                               {&value, ConstantInt::get(i64, bytes)});
  }

  GlobalVariable *image(ArrayRef<Constant *> kernels,
                        ArrayRef<Constant *> variables,
                        ArrayRef<Constant *> code, ArrayRef<Constant *> shared,
                        unsigned compiledFor) {
    Constant *content = ConstantStruct::get(
        imageType,
        {number(image::Magic), number(image::Version), number(kernels.size()),
         number(variables.size()), number(code.size()), number(1),
         table(kernelType, kernels), table(variableType, variables),
         table(codeType, code), table(sharedType, shared),
         ConstantInt::get(i64, shared.size()),
         ConstantInt::get(i64, compiledFor)});
    return constant(content, "cufort.image");
  }

  /// Registers \p image before main, and before objects of the program are
  /// made, whose constructors may launch kernels.
  void registerAtStart(GlobalVariable *image) {
    auto [begin, end] = offloading::getOffloadEntryArray(module);
    FunctionType *type = FunctionType::get(Type::getVoidTy(context), false);
    Function *constructor = Function::Create(type, GlobalValue::InternalLinkage,
                                             "cufort.register", module);
    IRBuilder<> builder(BasicBlock::Create(context, "", constructor));
    FunctionCallee registerImage =
        module.getOrInsertFunction(image::RegisterFunction, builder.getVoidTy(),
                                   pointer, pointer, pointer);
    builder.CreateCall(registerImage, {image, begin, end});
    startChecks(builder);
    builder.CreateRetVoid();
    appendToGlobalCtors(module, constructor, /*Priority=*/101);
  }

private:
  /// Instrumented code tells the runtime so.
  void startChecks(IRBuilder<> &builder) {
    GlobalVariable *table =
        module.getGlobalVariable(image::CheckTableName, /*AllowInternal=*/true);
    if (!table || table->isDeclaration())
      return;
    FunctionCallee start =
        module.getOrInsertFunction((image::CheckPrefix + Twine("start")).str(),
                                   builder.getVoidTy(), pointer);
    builder.CreateCall(start, builder.CreateLoad(pointer, table));
  }

  /// The layouts of compiler and header must be the same; a difference is a
  /// mistake in this file.
  template <typename T> StructType *type(ArrayRef<Type *> fields) {
    StructType *result = StructType::get(context, fields);
    if (module.getDataLayout().getTypeAllocSize(result) != sizeof(T))
      report_fatal_error("the image's tables are not those of image/Image.h");
    return result;
  }

  Constant *number(uint64_t value) { return ConstantInt::get(i32, value); }

  Constant *entries(ArrayRef<Function *> levels) {
    std::vector<Constant *> entries;
    for (Function *level : levels)
      entries.push_back(functionOrNull(level));
    return ConstantArray::get(ArrayType::get(pointer, entries.size()), entries);
  }

  Constant *variant(const CpuVariant &variant) {
    auto [x, y, z] = variant.shape;
    return ConstantStruct::get(
        variantType,
        {ConstantStruct::get(shapeType, {number(x), number(y), number(z)}),
         number(variant.arenaBytesPerThread), entries(variant.block)});
  }

  Constant *functionOrNull(Function *function) {
    return function ? static_cast<Constant *>(function)
                    : ConstantPointerNull::get(pointer);
  }

  GlobalVariable *constant(Constant *content, const Twine &name) {
    return new GlobalVariable(module, content->getType(), /*isConstant=*/true,
                              GlobalValue::InternalLinkage, content, name);
  }

  Constant *text(StringRef characters) {
    GlobalVariable *variable = constant(
        ConstantDataArray::getString(context, characters), "cufort.text");
    variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return variable;
  }

  Constant *table(StructType *type, ArrayRef<Constant *> rows) {
    if (rows.empty())
      return ConstantPointerNull::get(pointer);
    return constant(ConstantArray::get(ArrayType::get(type, rows.size()), rows),
                    "cufort.table");
  }
};

} // namespace

static Expected<std::unique_ptr<TargetMachine>> createHost() {
  Triple triple(sys::getDefaultTargetTriple());
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return createStringError("no code generator for the host: " + problem);
  // The processor of the program's oldest machine: functions that are compiled
  // for newer ones say so themselves.
  TargetOptions options;
  options.FunctionSections = options.DataSections = true;
  options.UseInitArray = true; // only GNU ld still understands .ctors
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, "x86-64", "", options, Reloc::PIC_,
                                  std::nullopt, CodeGenOptLevel::Aggressive));
}

static Error emitObject(Module &module, const std::string &output) {
  auto machine = createHost();
  if (!machine)
    return machine.takeError();
  std::error_code code;
  raw_fd_ostream stream(output, code);
  if (code)
    return createStringError("cannot write '" + output +
                             "': " + code.message());
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      CodeGenFileType::ObjectFile))
    return createStringError("LLVM cannot write object files for the host");
  passes.run(module);
  stream.close();
  if (stream.has_error()) {
    code = stream.error();
    stream.clear_error();
    return createStringError("cannot write '" + output +
                             "': " + code.message());
  }
  return Error::success();
}

/// About a third of a second's work for the code generator.
static constexpr uint64_t LeastInstructions = 3000;

/// Parts of a large program become object files at the same time.
static Expected<std::vector<std::string>>
emitObjects(Module &module, bool inOneObject, const std::string &output) {
  const ModulePart functions = definedFunctions(module);
  const std::vector<ModulePart> parts =
      inOneObject ? std::vector<ModulePart>{functions}
                  : divide(functions, LeastInstructions);
  std::vector<std::string> objects = {output};
  for (size_t n = 1; n < parts.size(); ++n)
    objects.push_back(output + "." + std::to_string(n) + ".o");
  std::vector<std::string> problems(parts.size());
  emitParts(module, parts, [&](Module &part, unsigned number) {
    if (Error error = emitObject(part, objects[number]))
      problems[number] = toString(std::move(error));
  });
  for (const std::string &problem : problems)
    if (!problem.empty())
      return createStringError(problem);
  return objects;
}

Expected<std::vector<std::string>>
cufort::writeImage(const Module &device, CpuCode cpu,
                   const std::vector<PtxCode> &ptx, ImageUse use,
                   bool inOneObject, const std::string &output) {
  auto machine = createHost();
  if (!machine)
    return machine.takeError();
  std::unique_ptr<Module> module = std::move(cpu.module);
  if (!module)
    module = std::make_unique<Module>("image", device.getContext());
  module->setTargetTriple((*machine)->getTargetTriple());
  module->setDataLayout((*machine)->createDataLayout());
  module->setPICLevel(PICLevel::BigPIC);

  TableWriter writer(*module);
  std::vector<Constant *> kernels, variables, code, shared;
  for (GlobalValue *value : shareAmongInstances(device, *module))
    shared.push_back(writer.shared(*value));
  for (const Function &function : device) {
    if (!isKernel(function))
      continue;
    auto made = find_if(cpu.kernels, [&](const CpuKernel &kernel) {
      return kernel.name == function.getName();
    });
    bool missing = made == cpu.kernels.end();
    if (missing && !cpu.kernels.empty())
      return createStringError("the CPU engine left out the kernel '" +
                               function.getName() + "'");
    kernels.push_back(writer.kernel(function, missing ? nullptr : &*made));
  }
  for (const GlobalVariable &variable : device.globals()) {
    if (!isDeviceVariable(variable))
      continue;
    auto made = find_if(cpu.variables, [&](const CpuVariable &each) {
      return each.name == variable.getName();
    });
    variables.push_back(writer.variable(
        variable, made == cpu.variables.end() ? nullptr : made->storage));
  }
  for (const PtxCode &each : ptx)
    code.push_back(writer.code(each));
  GlobalVariable *image =
      writer.image(kernels, variables, code, shared, compiledFor(device));
  if (use == ImageUse::Module) {
    image->setName(image::ModuleSymbol);
    image->setLinkage(GlobalValue::ExternalLinkage);
  } else {
    writer.registerAtStart(image);
  }
  if (use == ImageUse::AnotherLinker)
    GlobalAlias::create(GlobalValue::WeakAnyLinkage, LinkedDeviceCodeSymbol,
                        image)
        ->setVisibility(GlobalValue::HiddenVisibility);
  // Parts would each have to say what procedures of others contain.
  return emitObjects(*module, inOneObject || cpu.forDebugger, output);
}
