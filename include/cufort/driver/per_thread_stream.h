/*===- per_thread_stream.h - a default stream for each thread ------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUFORT_DRIVER_PER_THREAD_STREAM_H
#define CUFORT_DRIVER_PER_THREAD_STREAM_H

/* With CUDA_API_PER_THREAD_DEFAULT_STREAM the functions of the driver API are
   those whose null stream is the calling thread's own; included by cuda.h after
   its names of versions. */

#define cuEventRecord cuEventRecord_ptsz
#define cuEventRecordWithFlags cuEventRecordWithFlags_ptsz
#define cuGraphLaunch cuGraphLaunch_ptsz
#define cuGraphUpload cuGraphUpload_ptsz
#define cuSignalExternalSemaphoresAsync cuSignalExternalSemaphoresAsync_ptsz
#define cuWaitExternalSemaphoresAsync cuWaitExternalSemaphoresAsync_ptsz
#define cuGraphicsMapResources cuGraphicsMapResources_ptsz
#define cuGraphicsUnmapResources cuGraphicsUnmapResources_ptsz
#define cuMemBatchDecompressAsync cuMemBatchDecompressAsync_ptsz
#define cuLaunchCooperativeKernel cuLaunchCooperativeKernel_ptsz
#define cuLaunchHostFunc cuLaunchHostFunc_ptsz
#define cuLaunchKernel cuLaunchKernel_ptsz
#define cuLaunchKernelEx cuLaunchKernelEx_ptsz
#define cuMemAllocAsync cuMemAllocAsync_ptsz
#define cuMemAllocFromPoolAsync cuMemAllocFromPoolAsync_ptsz
#define cuMemDiscardAndPrefetchBatchAsync cuMemDiscardAndPrefetchBatchAsync_ptsz
#define cuMemDiscardBatchAsync cuMemDiscardBatchAsync_ptsz
#define cuMemFreeAsync cuMemFreeAsync_ptsz
#undef cuMemPrefetchAsync
#define cuMemPrefetchAsync cuMemPrefetchAsync_v2_ptsz
#define cuMemPrefetchBatchAsync cuMemPrefetchBatchAsync_ptsz
#define cuMemcpy cuMemcpy_ptds
#undef cuMemcpy2D
#define cuMemcpy2D cuMemcpy2D_v2_ptds
#undef cuMemcpy2DAsync
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2_ptsz
#undef cuMemcpy3D
#define cuMemcpy3D cuMemcpy3D_v2_ptds
#undef cuMemcpy3DAsync
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2_ptsz
#undef cuMemcpy3DBatchAsync
#define cuMemcpy3DBatchAsync cuMemcpy3DBatchAsync_v2_ptsz
#define cuMemcpy3DPeer cuMemcpy3DPeer_ptds
#define cuMemcpy3DPeerAsync cuMemcpy3DPeerAsync_ptsz
#define cuMemcpyAsync cuMemcpyAsync_ptsz
#undef cuMemcpyAtoH
#define cuMemcpyAtoH cuMemcpyAtoH_v2_ptds
#undef cuMemcpyAtoHAsync
#define cuMemcpyAtoHAsync cuMemcpyAtoHAsync_v2_ptsz
#undef cuMemcpyBatchAsync
#define cuMemcpyBatchAsync cuMemcpyBatchAsync_v2_ptsz
#undef cuMemcpyDtoD
#define cuMemcpyDtoD cuMemcpyDtoD_v2_ptds
#undef cuMemcpyDtoDAsync
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2_ptsz
#undef cuMemcpyDtoH
#define cuMemcpyDtoH cuMemcpyDtoH_v2_ptds
#undef cuMemcpyDtoHAsync
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2_ptsz
#undef cuMemcpyHtoA
#define cuMemcpyHtoA cuMemcpyHtoA_v2_ptds
#undef cuMemcpyHtoAAsync
#define cuMemcpyHtoAAsync cuMemcpyHtoAAsync_v2_ptsz
#undef cuMemcpyHtoD
#define cuMemcpyHtoD cuMemcpyHtoD_v2_ptds
#undef cuMemcpyHtoDAsync
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2_ptsz
#define cuMemcpyPeer cuMemcpyPeer_ptds
#define cuMemcpyPeerAsync cuMemcpyPeerAsync_ptsz
#undef cuMemsetD16
#define cuMemsetD16 cuMemsetD16_v2_ptds
#define cuMemsetD16Async cuMemsetD16Async_ptsz
#undef cuMemsetD2D16
#define cuMemsetD2D16 cuMemsetD2D16_v2_ptds
#define cuMemsetD2D16Async cuMemsetD2D16Async_ptsz
#undef cuMemsetD2D32
#define cuMemsetD2D32 cuMemsetD2D32_v2_ptds
#define cuMemsetD2D32Async cuMemsetD2D32Async_ptsz
#undef cuMemsetD2D8
#define cuMemsetD2D8 cuMemsetD2D8_v2_ptds
#define cuMemsetD2D8Async cuMemsetD2D8Async_ptsz
#undef cuMemsetD32
#define cuMemsetD32 cuMemsetD32_v2_ptds
#define cuMemsetD32Async cuMemsetD32Async_ptsz
#undef cuMemsetD8
#define cuMemsetD8 cuMemsetD8_v2_ptds
#define cuMemsetD8Async cuMemsetD8Async_ptsz
#define cuStreamAddCallback cuStreamAddCallback_ptsz
#define cuStreamAttachMemAsync cuStreamAttachMemAsync_ptsz
#undef cuStreamBatchMemOp
#define cuStreamBatchMemOp cuStreamBatchMemOp_v2_ptsz
#undef cuStreamBeginCapture
#define cuStreamBeginCapture cuStreamBeginCapture_v2_ptsz
#define cuStreamBeginCaptureToGraph cuStreamBeginCaptureToGraph_ptsz
#define cuStreamCopyAttributes cuStreamCopyAttributes_ptsz
#define cuStreamEndCapture cuStreamEndCapture_ptsz
#define cuStreamGetAttribute cuStreamGetAttribute_ptsz
#undef cuStreamGetCaptureInfo
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2_ptsz
#define cuStreamGetCtx cuStreamGetCtx_ptsz
#define cuStreamGetDevice cuStreamGetDevice_ptsz
#define cuStreamGetFlags cuStreamGetFlags_ptsz
#define cuStreamGetId cuStreamGetId_ptsz
#define cuStreamGetPriority cuStreamGetPriority_ptsz
#define cuStreamIsCapturing cuStreamIsCapturing_ptsz
#define cuStreamQuery cuStreamQuery_ptsz
#define cuStreamSetAttribute cuStreamSetAttribute_ptsz
#define cuStreamSynchronize cuStreamSynchronize_ptsz
#undef cuStreamUpdateCaptureDependencies
#define cuStreamUpdateCaptureDependencies                                      \
  cuStreamUpdateCaptureDependencies_v2_ptsz
#define cuStreamWaitEvent cuStreamWaitEvent_ptsz
#undef cuStreamWaitValue32
#define cuStreamWaitValue32 cuStreamWaitValue32_v2_ptsz
#undef cuStreamWaitValue64
#define cuStreamWaitValue64 cuStreamWaitValue64_v2_ptsz
#undef cuStreamWriteValue32
#define cuStreamWriteValue32 cuStreamWriteValue32_v2_ptsz
#undef cuStreamWriteValue64
#define cuStreamWriteValue64 cuStreamWriteValue64_v2_ptsz

#endif /* CUFORT_DRIVER_PER_THREAD_STREAM_H */
