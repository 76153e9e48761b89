/*===- former_api.h - functions that CUDA has replaced -------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Included by cuda.h.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUFORT_DRIVER_FORMER_API_H
#define CUFORT_DRIVER_FORMER_API_H

#if defined(__cplusplus)
extern "C" {
#endif

/* Contexts, devices and functions */
CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device);
CUresult cuCtxAttach(CUcontext *context, unsigned int flags);
CUresult cuCtxDetach(CUcontext context);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config);

/* Launches in several steps, and on several devices */
CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z);
CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes);
CUresult cuParamSetSize(CUfunction function, unsigned int bytes);
CUresult cuParamSeti(CUfunction function, int offset, unsigned int value);
CUresult cuParamSetf(CUfunction function, int offset, float value);
CUresult cuParamSetv(CUfunction function, int offset, void *pointer,
                     unsigned int bytes);
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref texture);
CUresult cuLaunch(CUfunction function);
CUresult cuLaunchGrid(CUfunction function, int width, int height);
CUresult cuLaunchGridAsync(CUfunction function, int width, int height,
                           CUstream stream);
CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launches,
                                              unsigned int count,
                                              unsigned int flags);

/* References to textures and surfaces */
CUresult cuModuleGetTexRef(CUtexref *texture, CUmodule module,
                           const char *name);
CUresult cuModuleGetSurfRef(CUsurfref *surface, CUmodule module,
                            const char *name);
CUresult cuTexRefCreate(CUtexref *texture);
CUresult cuTexRefDestroy(CUtexref texture);
CUresult cuTexRefGetAddress(CUdeviceptr *address, CUtexref texture);
CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref texture,
                                int dimension);
CUresult cuTexRefGetArray(CUarray *array, CUtexref texture);
CUresult cuTexRefGetBorderColor(float *color, CUtexref texture);
CUresult cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref texture);
CUresult cuTexRefGetFlags(unsigned int *flags, CUtexref texture);
CUresult cuTexRefGetFormat(CUarray_format *format, int *channels,
                           CUtexref texture);
CUresult cuTexRefGetMaxAnisotropy(int *ratio, CUtexref texture);
CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *mode, CUtexref texture);
CUresult cuTexRefGetMipmapLevelBias(float *bias, CUtexref texture);
CUresult cuTexRefGetMipmapLevelClamp(float *least, float *most,
                                     CUtexref texture);
CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *mipmaps, CUtexref texture);
CUresult cuTexRefSetAddress(size_t *offset, CUtexref texture,
                            CUdeviceptr address, size_t bytes);
CUresult cuTexRefSetAddress2D(CUtexref texture,
                              const CUDA_ARRAY_DESCRIPTOR *description,
                              CUdeviceptr address, size_t pitch);
CUresult cuTexRefSetAddressMode(CUtexref texture, int dimension,
                                CUaddress_mode mode);
CUresult cuTexRefSetArray(CUtexref texture, CUarray array, unsigned int flags);
CUresult cuTexRefSetBorderColor(CUtexref texture, float *color);
CUresult cuTexRefSetFilterMode(CUtexref texture, CUfilter_mode mode);
CUresult cuTexRefSetFlags(CUtexref texture, unsigned int flags);
CUresult cuTexRefSetFormat(CUtexref texture, CUarray_format format,
                           int channels);
CUresult cuTexRefSetMaxAnisotropy(CUtexref texture, unsigned int ratio);
CUresult cuTexRefSetMipmapFilterMode(CUtexref texture, CUfilter_mode mode);
CUresult cuTexRefSetMipmapLevelBias(CUtexref texture, float bias);
CUresult cuTexRefSetMipmapLevelClamp(CUtexref texture, float least, float most);
CUresult cuTexRefSetMipmappedArray(CUtexref texture, CUmipmappedArray mipmaps,
                                   unsigned int flags);
CUresult cuSurfRefSetArray(CUsurfref surface, CUarray array,
                           unsigned int flags);
CUresult cuSurfRefGetArray(CUarray *array, CUsurfref surface);

/* Views */
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view,
                                        CUtexObject object);

#if defined(__cplusplus)
}
#endif

#endif /* CUFORT_DRIVER_FORMER_API_H */
