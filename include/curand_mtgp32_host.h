//===- curand_mtgp32_host.h - MTGP32's states, from the host ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters are in curand_mtgp32dc_p_11213.h.
//
//===----------------------------------------------------------------------===//

#ifndef CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H

#include "cuda_runtime.h"
#include "curand.h"
#include "curand_mtgp32.h"
#include "curand_mtgp32dc_p_11213.h"
#include <stdlib.h>
#include <string.h>

/// Begins a state of 351 words from 32 bits.
static inline void mtgp32_init_state(unsigned int state[],
                                     const mtgp32_params_fast_t *para,
                                     unsigned int seed) {
  const unsigned int hidden = para->tbl[4] ^ para->tbl[8] << 16;
  unsigned int fill = hidden + (hidden >> 16);
  fill += fill >> 8;
  memset(state, (int)(fill & 0xff), MTGPDC_N * sizeof *state);
  state[0] = seed;
  state[1] = hidden;
  for (unsigned int i = 1; i < MTGPDC_N; ++i)
    state[i] ^= 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
}

/// Copies the parameters of all 200 generators to the device.
static inline curandStatus_t
curandMakeMTGP32Constants(const mtgp32_params_fast_t params[],
                          mtgp32_kernel_params_t *p) {
  mtgp32_kernel_params_t *all = (mtgp32_kernel_params_t *)malloc(sizeof *all);
  if (!all)
    return CURAND_STATUS_ALLOCATION_FAILED;
  for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; ++i) {
    const mtgp32_params_fast_t *from = &params[i];
    all->pos_tbl[i] = (unsigned int)from->pos;
    all->sh1_tbl[i] = (unsigned int)from->sh1;
    all->sh2_tbl[i] = (unsigned int)from->sh2;
    memcpy(all->param_tbl[i], from->tbl, sizeof from->tbl);
    memcpy(all->temper_tbl[i], from->tmp_tbl, sizeof from->tmp_tbl);
    memcpy(all->single_temper_tbl[i], from->flt_tmp_tbl,
           sizeof from->flt_tmp_tbl);
  }
  all->mask[0] = params[0].mask;
  const cudaError_t error =
      cudaMemcpy(p, all, sizeof *all, cudaMemcpyHostToDevice);
  free(all);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS
                              : CURAND_STATUS_INITIALIZATION_FAILED;
}

/// Begins \p n states on the device: number i is generator i's, of the seed
/// \p seed + i + 1.
static inline curandStatus_t curandMakeMTGP32KernelState(
    curandStateMtgp32_t *s, mtgp32_params_fast_t params[],
    mtgp32_kernel_params_t *k, int n, unsigned long long seed) {
  curandStateMtgp32_t *all =
      (curandStateMtgp32_t *)calloc((size_t)n, sizeof *all);
  if (!all)
    return CURAND_STATUS_ALLOCATION_FAILED;
  for (int i = 0; i < n; ++i) {
    mtgp32_init_state(all[i].s, &params[i],
                      (unsigned int)(seed ^ seed >> 32) + (unsigned int)i + 1);
    all[i].pIdx = i;
    all[i].k = k;
  }
  const cudaError_t error =
      cudaMemcpy(s, all, (size_t)n * sizeof *all, cudaMemcpyHostToDevice);
  free(all);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS
                              : CURAND_STATUS_INITIALIZATION_FAILED;
}

#endif // CURAND_MTGP32_HOST_H
