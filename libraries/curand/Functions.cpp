//===- Functions.cpp - cuRAND's functions on the CPU ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "curand_functions.h"
#include "libraries/curand/Catching.h"
#include "libraries/curand/Generator.h"
#include "runtime/core/Device.h"
#include <mutex>
#include <unordered_map>

namespace cufort::curand {

namespace {

std::mutex Mutex; ///< guards Generators
std::unordered_map<curandGenerator_t, std::shared_ptr<Generator>> &
generators() {
  // Never destroyed: generators may be used until the process ends.
  static auto *all =
      new std::unordered_map<curandGenerator_t, std::shared_ptr<Generator>>;
  return *all;
}

/// Calls \p call(Generator &), of a generator that there is.
template <typename Call>
curandStatus with(curandGenerator_t handle, Call call) {
  return catching([&] {
    std::shared_ptr<Generator> generator;
    {
      std::lock_guard lock(Mutex);
      const auto found = generators().find(handle);
      if (found == generators().end())
        return CURAND_STATUS_NOT_INITIALIZED;
      generator = found->second;
    }
    return call(*generator);
  });
}

curandStatus create(curandGenerator_t *handle, curandRngType type,
                    bool onHost) {
  if (!handle)
    return CURAND_STATUS_NOT_INITIALIZED;
  return catching([&] {
    if (!onHost && useDevice().error != cudaSuccess)
      return CURAND_STATUS_INITIALIZATION_FAILED;
    auto generator = Generator::make(type, onHost);
    if (!generator)
      return CURAND_STATUS_TYPE_ERROR;
    std::lock_guard lock(Mutex);
    *handle = reinterpret_cast<curandGenerator_t>(generator.get());
    generators().emplace(*handle, std::move(generator));
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus generate(curandGenerator_t handle, Distribution distribution,
                      void *out, size_t count, double mean = 0,
                      double deviation = 0) {
  return with(handle, [&](Generator &generator) {
    if (!count)
      return CURAND_STATUS_SUCCESS;
    return generator.generate({distribution, mean, deviation, {}}, out, count);
  });
}

} // namespace

curandStatus curandCreateGenerator(curandGenerator_t *generator,
                                   curandRngType type) {
  return create(generator, type, false);
}
curandStatus curandCreateGeneratorHost(curandGenerator_t *generator,
                                       curandRngType type) {
  return create(generator, type, true);
}
curandStatus curandDestroyGenerator(curandGenerator_t generator) {
  return catching([&] {
    std::lock_guard lock(Mutex);
    return generators().erase(generator) ? CURAND_STATUS_SUCCESS
                                         : CURAND_STATUS_NOT_INITIALIZED;
  });
}

curandStatus curandGetVersion(int *version) {
  if (!version)
    return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus curandGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return CURAND_STATUS_OUT_OF_RANGE;
  switch (type) {
  case MAJOR_VERSION:
    *value = CURAND_VER_MAJOR;
    return CURAND_STATUS_SUCCESS;
  case MINOR_VERSION:
    *value = CURAND_VER_MINOR;
    return CURAND_STATUS_SUCCESS;
  case PATCH_LEVEL:
    *value = CURAND_VER_PATCH;
    return CURAND_STATUS_SUCCESS;
  }
  return CURAND_STATUS_OUT_OF_RANGE;
}

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

curandStatus curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  return with(generator, [&](Generator &of) {
    of.setStream(stream);
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                unsigned long long seed) {
  return with(generator, [&](Generator &of) { return of.setSeed(seed); });
}
curandStatus curandSetGeneratorOffset(curandGenerator_t generator,
                                      unsigned long long offset) {
  return with(generator, [&](Generator &of) { return of.setOffset(offset); });
}
curandStatus curandSetGeneratorOrdering(curandGenerator_t generator,
                                        curandOrdering order) {
  return with(generator, [&](Generator &of) { return of.setOrdering(order); });
}
curandStatus
curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                        unsigned int count) {
  return with(generator,
              [&](Generator &of) { return of.setDimensions(count); });
}
curandStatus curandGenerateSeeds(curandGenerator_t generator) {
  return with(generator, [&](Generator &of) { return of.begin(); });
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

curandStatus curandGenerate(curandGenerator_t generator, unsigned int *array,
                            size_t num) {
  return generate(generator, Distribution::Words, array, num);
}
curandStatus curandGenerateLongLong(curandGenerator_t generator,
                                    unsigned long long *array, size_t num) {
  return generate(generator, Distribution::LongWords, array, num);
}
curandStatus curandGenerateUniform(curandGenerator_t generator, float *array,
                                   size_t num) {
  return generate(generator, Distribution::Uniform, array, num);
}
curandStatus curandGenerateUniformDouble(curandGenerator_t generator,
                                         double *array, size_t num) {
  return generate(generator, Distribution::UniformDouble, array, num);
}
curandStatus curandGenerateNormal(curandGenerator_t generator, float *array,
                                  size_t num, float mean, float stddev) {
  return generate(generator, Distribution::Normal, array, num, mean, stddev);
}
curandStatus curandGenerateNormalDouble(curandGenerator_t generator,
                                        double *array, size_t num, double mean,
                                        double stddev) {
  return generate(generator, Distribution::NormalDouble, array, num, mean,
                  stddev);
}
curandStatus curandGenerateLogNormal(curandGenerator_t generator, float *array,
                                     size_t num, float mean, float stddev) {
  return generate(generator, Distribution::LogNormal, array, num, mean, stddev);
}
curandStatus curandGenerateLogNormalDouble(curandGenerator_t generator,
                                           double *array, size_t num,
                                           double mean, double stddev) {
  return generate(generator, Distribution::LogNormalDouble, array, num, mean,
                  stddev);
}
curandStatus curandGeneratePoisson(curandGenerator_t generator,
                                   unsigned int *array, size_t num,
                                   double lambda) {
  return with(generator,
              [&](Generator &of) { return of.poisson(lambda, array, num); });
}

} // namespace cufort::curand
