//===- curand_mtgp32.h - Mersenne twisters that blocks share ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data of MTGP32 that host and device share (Saito and Matsumoto, Variants of
// Mersenne twister suitable for graphic processors, 2013): parameters, tables
// of the device's, and a block's state.
//
//===----------------------------------------------------------------------===//

#ifndef CURAND_MTGP32_H
#define CURAND_MTGP32_H

#define MTGPDC_MEXP 11213
#define MTGPDC_N 351 // words of a state
#define MTGPDC_FLOOR_2P 256
#define MTGPDC_CEIL_2P 512
#define MTGPDC_PARAM_TABLE mtgp32dc_params_fast_11213
#define MTGP32_STATE_SIZE 1024
#define MTGP32_STATE_MASK 1023
#define CURAND_NUM_MTGP32_PARAMS 200
#define MEXP MTGPDC_MEXP
#define THREAD_NUM MTGPDC_FLOOR_2P
#define LARGE_SIZE (THREAD_NUM * 3)
#define TBL_SIZE 16

/// One generator's parameters.
struct mtgp32_params_fast {
  int mexp; // the period is 2^mexp - 1
  int pos;  // how far away the word is that is added
  int sh1, sh2;
  unsigned int tbl[TBL_SIZE];         // of the recursion
  unsigned int tmp_tbl[TBL_SIZE];     // of the tempering
  unsigned int flt_tmp_tbl[TBL_SIZE]; // of that to floats from 1 to 2
  unsigned int mask;                  // what counts of a state's first word
  unsigned char poly_sha1[21];        // empty here
};
typedef struct mtgp32_params_fast mtgp32_params_fast_t;

/// All generators' parameters, as kernels read them.
struct mtgp32_kernel_params {
  unsigned int pos_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int param_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int single_temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int sh1_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int sh2_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int mask[1];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

/// The state that up to 256 threads of a block share.
struct curandStateMtgp32 {
  unsigned int s[MTGP32_STATE_SIZE]; // a ring, of which 351 words are in use
  int offset;                        // where they begin
  int pIdx;                          // which generator it is
  mtgp32_kernel_params_t *k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;

#endif // CURAND_MTGP32_H
