//===- EntryPoints.h - what compiled Fortran calls --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and signatures are those of Flang 22's lowering (cuf-convert), except
// _FortranACUFLaunch*, _FortranACUFLoop*, _FortranACUFReduction* and
// _FortranACUFDescriptorMoved, _FortranACUFSetAllocator, _FortranACUFRecord*,
// which our own lowering calls. Source lines may be null and 0. Functions
// without a status stop the program where they fail.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_FORTRAN_ENTRYPOINTS_H
#define CUFORT_RUNTIME_FORTRAN_ENTRYPOINTS_H

#include "runtime/fortran/Descriptor.h"

#define CUFORT_ENTRY __attribute__((visibility("default")))

extern "C" {

using CufDescriptor = cufort::fortran::Descriptor;

//===--- start ---===//

CUFORT_ENTRY void _FortranACUFInit();
/// Lets an error of flang_rt end the program even where it waits for itself.
CUFORT_ENTRY void __cufort_end_if_stuck();
/// Installs the allocators of device, managed and pinned memory in flang_rt.
CUFORT_ENTRY void _FortranACUFRegisterAllocator();
CUFORT_ENTRY void *_FortranACUFRegisterModule(void *data);
CUFORT_ENTRY void _FortranACUFRegisterFunction(void **module,
                                               const char *symbol, char *name);
CUFORT_ENTRY void _FortranACUFRegisterVariable(void **module, char *symbol,
                                               const char *name, int64_t size);

//===--- allocate, deallocate ---===//
// Return 0 or the status for stat= (hasStat) or stop.

/// Before the allocation of a component: the allocator of its memory, and the
/// derived type of its elements, null for others.
CUFORT_ENTRY void _FortranACUFSetAllocator(CufDescriptor &, int allocator,
                                           const void *type);
CUFORT_ENTRY int
_FortranACUFAllocatableAllocate(CufDescriptor &, int64_t *stream, bool *pinned,
                                bool hasStat, const CufDescriptor *errMsg,
                                const char *file, int line, bool deviceInit);
CUFORT_ENTRY int _FortranACUFAllocatableAllocateSync(
    CufDescriptor &, int64_t *stream, bool *pinned, bool hasStat,
    const CufDescriptor *errMsg, const char *file, int line, bool deviceInit);
CUFORT_ENTRY int _FortranACUFAllocatableAllocateSource(
    CufDescriptor &, const CufDescriptor &source, int64_t *stream, bool *pinned,
    bool hasStat, const CufDescriptor *errMsg, const char *file, int line,
    bool sourceIsDevice);
CUFORT_ENTRY int _FortranACUFAllocatableAllocateSourceSync(
    CufDescriptor &, const CufDescriptor &source, int64_t *stream, bool *pinned,
    bool hasStat, const CufDescriptor *errMsg, const char *file, int line,
    bool sourceIsDevice);
CUFORT_ENTRY int _FortranACUFPointerAllocate(CufDescriptor &, int64_t *stream,
                                             bool *pinned, bool hasStat,
                                             const CufDescriptor *errMsg,
                                             const char *file, int line,
                                             bool deviceInit);
CUFORT_ENTRY int
_FortranACUFPointerAllocateSync(CufDescriptor &, int64_t *stream, bool *pinned,
                                bool hasStat, const CufDescriptor *errMsg,
                                const char *file, int line, bool deviceInit);
CUFORT_ENTRY int
_FortranACUFPointerAllocateSource(CufDescriptor &, const CufDescriptor &source,
                                  int64_t *stream, bool *pinned, bool hasStat,
                                  const CufDescriptor *errMsg, const char *file,
                                  int line, bool sourceIsDevice);
CUFORT_ENTRY int _FortranACUFPointerAllocateSourceSync(
    CufDescriptor &, const CufDescriptor &source, int64_t *stream, bool *pinned,
    bool hasStat, const CufDescriptor *errMsg, const char *file, int line,
    bool sourceIsDevice);
/// Allocatables and pointers, local ones and those of modules.
CUFORT_ENTRY int _FortranACUFAllocatableDeallocate(CufDescriptor &,
                                                   bool hasStat,
                                                   const CufDescriptor *errMsg,
                                                   const char *file, int line);
CUFORT_ENTRY int _FortranACUFPointerDeallocate(CufDescriptor &, bool hasStat,
                                               const CufDescriptor *errMsg,
                                               const char *file, int line);
/// At the end of its scope.
CUFORT_ENTRY void _FortranACUFAllocatableEnd(CufDescriptor &, const char *file,
                                             int line);

//===--- records of the host with components in device memory ---===//
// In place of flang_rt's functions of the same names without ACUFRecord.

CUFORT_ENTRY void _FortranACUFRecordAssign(CufDescriptor &to,
                                           const CufDescriptor &from,
                                           const char *file, int line);
CUFORT_ENTRY void _FortranACUFRecordAssignTemporary(CufDescriptor &to,
                                                    const CufDescriptor &from,
                                                    const char *file, int line);
CUFORT_ENTRY void _FortranACUFRecordAssignPolymorphic(CufDescriptor &to,
                                                      const CufDescriptor &from,
                                                      const char *file,
                                                      int line);
/// A value of an array constructor that flang_rt collects in \p vector.
CUFORT_ENTRY void
_FortranACUFRecordPushArrayConstructorValue(void *vector,
                                            const CufDescriptor &value);
CUFORT_ENTRY int _FortranACUFRecordAllocateSource(CufDescriptor &,
                                                  const CufDescriptor &source,
                                                  bool hasStat,
                                                  const CufDescriptor *errMsg,
                                                  const char *file, int line);
CUFORT_ENTRY int _FortranACUFRecordPointerAllocateSource(
    CufDescriptor &, const CufDescriptor &source, bool hasStat,
    const CufDescriptor *errMsg, const char *file, int line);

//===--- memory, descriptors ---===//

CUFORT_ENTRY void *_FortranACUFMemAlloc(size_t bytes, unsigned type,
                                        const char *file, int line);
/// The same under the name that our lowering uses: Flang's code generation
/// treats results of the other as descriptors to put on the device.
CUFORT_ENTRY void *_FortranACUFDeviceMemAlloc(size_t bytes, unsigned type,
                                              const char *file, int line);
CUFORT_ENTRY void _FortranACUFMemFree(void *memory, unsigned type,
                                      const char *file, int line);
CUFORT_ENTRY CufDescriptor *
_FortranACUFAllocDescriptor(size_t bytes, const char *file, int line);
CUFORT_ENTRY void _FortranACUFFreeDescriptor(CufDescriptor *, const char *file,
                                             int line);
/// The device address of the variable whose host shadow is at \p host.
CUFORT_ENTRY void *_FortranACUFGetDeviceAddress(void *host, const char *file,
                                                int line);
CUFORT_ENTRY void _FortranACUFDescriptorSync(CufDescriptor *device,
                                             const CufDescriptor *host,
                                             const char *file, int line);
CUFORT_ENTRY void _FortranACUFSyncGlobalDescriptor(void *host, const char *file,
                                                   int line);
/// After move_alloc: if \p descriptor is that of a module variable, its copy on
/// the device becomes the same.
CUFORT_ENTRY void _FortranACUFDescriptorMoved(const CufDescriptor *descriptor,
                                              const char *file, int line);
CUFORT_ENTRY void _FortranACUFDescriptorCheckSection(const CufDescriptor *,
                                                     const char *file,
                                                     int line);

//===--- transfers ---===//
// mode: 0 host to device, 1 device to host, 2 device to device.

CUFORT_ENTRY void _FortranACUFMemsetDescriptor(CufDescriptor *, void *value,
                                               const char *file, int line);
CUFORT_ENTRY void _FortranACUFDataTransferPtrPtr(void *to, void *from,
                                                 size_t bytes, unsigned mode,
                                                 const char *file, int line);
CUFORT_ENTRY void _FortranACUFDataTransferPtrDesc(void *to, CufDescriptor *from,
                                                  size_t bytes, unsigned mode,
                                                  const char *file, int line);
CUFORT_ENTRY void _FortranACUFDataTransferDescDesc(CufDescriptor *to,
                                                   CufDescriptor *from,
                                                   unsigned mode,
                                                   const char *file, int line);
CUFORT_ENTRY void _FortranACUFDataTransferCstDesc(CufDescriptor *to,
                                                  CufDescriptor *from,
                                                  unsigned mode,
                                                  const char *file, int line);
CUFORT_ENTRY void _FortranACUFDataTransferDescDescNoRealloc(CufDescriptor *to,
                                                            CufDescriptor *from,
                                                            unsigned mode,
                                                            const char *file,
                                                            int line);
CUFORT_ENTRY void _FortranACUFDataTransferGlobalDescDesc(CufDescriptor *to,
                                                         CufDescriptor *from,
                                                         unsigned mode,
                                                         const char *file,
                                                         int line);

//===--- launches ---===//

/// One chevron launch. Grid -1 in x: as many blocks as the device runs at the
/// same time. \p stream may be null (the default stream).
CUFORT_ENTRY void _FortranACUFLaunch(const void *stub, int32_t gridX,
                                     int32_t gridY, int32_t gridZ,
                                     int32_t blockX, int32_t blockY,
                                     int32_t blockZ, int32_t sharedBytes,
                                     const int64_t *stream, void **parameters,
                                     const char *file, int32_t line);
/// The same for a kernel that is attributes(grid_global): its blocks may meet.
CUFORT_ENTRY void _FortranACUFLaunchCooperative(
    const void *stub, int32_t gridX, int32_t gridY, int32_t gridZ,
    int32_t blockX, int32_t blockY, int32_t blockZ, int32_t sharedBytes,
    const int64_t *stream, void **parameters, const char *file, int32_t line);
CUFORT_ENTRY void _FortranACUFLaunchKernel(const void *stub, intptr_t gridX,
                                           intptr_t gridY, intptr_t gridZ,
                                           intptr_t blockX, intptr_t blockY,
                                           intptr_t blockZ, int64_t *stream,
                                           int32_t sharedBytes,
                                           void **parameters, void **extra);
CUFORT_ENTRY void _FortranACUFLaunchCooperativeKernel(
    const void *stub, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
    intptr_t blockX, intptr_t blockY, intptr_t blockZ, int64_t *stream,
    int32_t sharedBytes, void **parameters, void **extra);
CUFORT_ENTRY void _FortranACUFLaunchClusterKernel(
    const void *stub, intptr_t clusterX, intptr_t clusterY, intptr_t clusterZ,
    intptr_t gridX, intptr_t gridY, intptr_t gridZ, intptr_t blockX,
    intptr_t blockY, intptr_t blockZ, int64_t *stream, int32_t sharedBytes,
    void **parameters, void **extra);

//===--- kernel loops ---===//

/// Completes the grid of a kernel loop and says which iterations each block
/// runs. Of each of the three axes: \p trips iterations, \p block threads,
/// \p grid blocks, 0 for what suits the device (a loop without iterations gets
/// one block); \p mappings receives first, step and span: block b runs the
/// iterations from b * first on in steps of \p block, step apart, below
/// b * first + span. \p reduces: partial results will be combined. \p shaped:
/// the kernel has image::LoopAxesAttribute, and \p block may be changed; the
/// number of threads stays the same where there are partial results.
CUFORT_ENTRY void _FortranACUFLoopGrid(const void *stub, const int64_t *trips,
                                       int32_t *block, int32_t *grid,
                                       int64_t *mappings, int32_t reduces,
                                       int32_t shaped);
/// Device memory for the partial results of a kernel loop and memory that both
/// sides reach for the final ones. Returns what _FortranACUFReductionEnd wants.
CUFORT_ENTRY void *_FortranACUFReductionBegin(int64_t partialBytes,
                                              int64_t resultBytes,
                                              void **partial, void **results,
                                              const char *file, int32_t line);
/// Waits for the stream and copies the final results to \p results.
CUFORT_ENTRY void _FortranACUFReductionEnd(void *workspace,
                                           const int64_t *stream,
                                           int64_t resultBytes, void *results,
                                           const char *file, int32_t line);

/// Makes what \p array describes, named \p name, an operand of a kernel that
/// will be launched in \p stream: what kernels do not reach is copied, and \p
/// array describes the copy, which _FortranACUFLoopRelease wants after the
/// launch. Null: there is no copy. Stops the program where the loop has \p
/// assigned what would have to be copied.
CUFORT_ENTRY void *_FortranACUFLoopReach(CufDescriptor *array, int32_t assigned,
                                         const int64_t *stream,
                                         const char *name, const char *file,
                                         int32_t line);
CUFORT_ENTRY void _FortranACUFLoopRelease(void *copy, const int64_t *stream,
                                          const char *file, int32_t line);

//===--- streams ---===//

CUFORT_ENTRY int _FortranACUFSetDefaultStream(cufort::StreamHandle stream);
CUFORT_ENTRY cufort::StreamHandle _FortranACUFGetDefaultStream();
/// Assignments to and from \p bytes at \p array wait for \p stream; null: no
/// longer.
CUFORT_ENTRY int _FortranACUFSetAssociatedStream(void *array, size_t bytes,
                                                 cufort::StreamHandle stream);
/// The stream of an array, or else the thread's default stream.
CUFORT_ENTRY cufort::StreamHandle _FortranACUFGetAssociatedStream(void *);
CUFORT_ENTRY int _FortranACUFStreamSynchronize(cufort::StreamHandle stream);
CUFORT_ENTRY int _FortranACUFStreamSynchronizeNull();
CUFORT_ENTRY int _FortranACUFStreamDestroy(cufort::StreamHandle stream);

} // extern "C"

#endif // CUFORT_RUNTIME_FORTRAN_ENTRYPOINTS_H
