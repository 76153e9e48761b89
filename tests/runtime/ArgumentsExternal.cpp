//===- ArgumentsExternal.cpp - what only drivers do: right and wrong ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PublicArguments.h"
#include "channel_descriptor.h"

using namespace publicapi;

// cuda_gl_interop.h without OpenGL's own header, whose names are numbers.
extern "C" {
cudaError_t cudaGLGetDevices(unsigned *count, int *devices, unsigned most,
                             int list);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *resource,
                                         unsigned buffer, unsigned flags);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *resource,
                                        unsigned image, unsigned target,
                                        unsigned flags);
cudaError_t cudaGLSetGLDevice(int device);
cudaError_t cudaGLRegisterBufferObject(unsigned buffer);
cudaError_t cudaGLMapBufferObject(void **address, unsigned buffer);
cudaError_t cudaGLUnmapBufferObject(unsigned buffer);
cudaError_t cudaGLUnregisterBufferObject(unsigned buffer);
cudaError_t cudaGLSetBufferObjectMapFlags(unsigned buffer, unsigned flags);
cudaError_t cudaGLMapBufferObjectAsync(void **address, unsigned buffer,
                                       cudaStream_t stream);
cudaError_t cudaGLUnmapBufferObjectAsync(unsigned buffer, cudaStream_t stream);

// Of EGL and VDPAU, whose handles are addresses and numbers.
cudaError_t cudaGraphicsEGLRegisterImage(cudaGraphicsResource_t *resource,
                                         void *image, unsigned flags);
cudaError_t cudaEGLStreamConsumerConnect(void **connection, void *stream);
cudaError_t cudaEGLStreamConsumerConnectWithFlags(void **connection,
                                                  void *stream, unsigned flags);
cudaError_t cudaEGLStreamConsumerDisconnect(void **connection);
cudaError_t cudaEGLStreamConsumerReleaseFrame(void **connection,
                                              cudaGraphicsResource_t resource,
                                              cudaStream_t *stream);
cudaError_t cudaEGLStreamProducerDisconnect(void **connection);
cudaError_t
cudaGraphicsResourceGetMappedEglFrame(void *frame,
                                      cudaGraphicsResource_t resource,
                                      unsigned index, unsigned level);
cudaError_t
cudaGraphicsVDPAURegisterOutputSurface(cudaGraphicsResource_t *resource,
                                       unsigned surface, unsigned flags);
/// As large as cudaEglFrame.
struct Frame {
  void *bytes[35];
};
cudaError_t cudaEGLStreamProducerPresentFrame(void **connection, Frame frame,
                                              cudaStream_t *stream);
cudaError_t cudaEGLStreamConsumerAcquireFrame(void **connection,
                                              cudaGraphicsResource_t *resource,
                                              cudaStream_t *stream,
                                              unsigned timeout);
cudaError_t cudaEGLStreamProducerConnect(void **connection, void *stream,
                                         int width, int height);
cudaError_t cudaEGLStreamProducerReturnFrame(void **connection, void *frame,
                                             cudaStream_t *stream);
cudaError_t cudaEventCreateFromEGLSync(cudaEvent_t *event, void *sync,
                                       unsigned flags);
cudaError_t cudaVDPAUGetDevice(int *device, unsigned vdpau, void **function);
cudaError_t cudaVDPAUSetVDPAUDevice(int device, unsigned vdpau,
                                    void **function);
cudaError_t
cudaGraphicsVDPAURegisterVideoSurface(cudaGraphicsResource_t *resource,
                                      unsigned surface, unsigned flags);
}

namespace {

/// An address of what is wanted.
struct Anything {
  char *room;
  template <typename T> operator T *() const {
    return reinterpret_cast<T *>(room);
  }
};

TEST(PublicArguments, OfWhatOnlyDriversDo) {
  char room[64] = {};
  const Anything any = {room};
  checkCalls(
      {LINE(cudaErrorInvalidValue, cudaImportExternalMemory(nullptr, nullptr)),
       LINE(cudaErrorNotSupported, cudaImportExternalMemory(any, any)),
       LINE(cudaErrorInvalidValue,
            cudaExternalMemoryGetMappedBuffer(nullptr, nullptr, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaExternalMemoryGetMappedBuffer(any, any, any)),
       LINE(cudaErrorInvalidValue, cudaExternalMemoryGetMappedMipmappedArray(
                                       nullptr, nullptr, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaExternalMemoryGetMappedMipmappedArray(any, any, any)),
       LINE(cudaErrorInvalidValue, cudaDestroyExternalMemory(nullptr)),
       LINE(cudaErrorNotSupported, cudaDestroyExternalMemory(any)),
       LINE(cudaErrorInvalidValue,
            cudaImportExternalSemaphore(nullptr, nullptr)),
       LINE(cudaErrorNotSupported, cudaImportExternalSemaphore(any, any)),
       LINE(cudaErrorInvalidValue,
            cudaSignalExternalSemaphoresAsync(nullptr, nullptr, 0, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaSignalExternalSemaphoresAsync(any, any, 1, nullptr)),
       LINE(cudaErrorInvalidValue,
            cudaWaitExternalSemaphoresAsync(nullptr, nullptr, 0, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaWaitExternalSemaphoresAsync(any, any, 1, nullptr)),
       LINE(cudaErrorInvalidValue, cudaDestroyExternalSemaphore(nullptr)),
       LINE(cudaErrorNotSupported, cudaDestroyExternalSemaphore(any)),
       LINE(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresSignalNode(
                                       nullptr, nullptr, nullptr, 0, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphAddExternalSemaphoresSignalNode(any, any, any, 1, any)),
       LINE(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresWaitNode(
                                       nullptr, nullptr, nullptr, 0, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphAddExternalSemaphoresWaitNode(any, any, any, 1, any)),
       LINE(cudaErrorInvalidValue,
            cudaGraphExecExternalSemaphoresSignalNodeSetParams(nullptr, nullptr,
                                                               nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphExecExternalSemaphoresSignalNodeSetParams(any, any, any)),
       LINE(cudaErrorInvalidValue,
            cudaGraphExecExternalSemaphoresWaitNodeSetParams(nullptr, nullptr,
                                                             nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphExecExternalSemaphoresWaitNodeSetParams(any, any, any)),
       LINE(cudaErrorInvalidValue,
            cudaGraphExternalSemaphoresSignalNodeGetParams(nullptr, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphExternalSemaphoresSignalNodeGetParams(any, any)),
       LINE(cudaErrorInvalidValue,
            cudaGraphExternalSemaphoresSignalNodeSetParams(nullptr, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphExternalSemaphoresSignalNodeSetParams(any, any)),
       LINE(cudaErrorInvalidValue,
            cudaGraphExternalSemaphoresWaitNodeGetParams(nullptr, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphExternalSemaphoresWaitNodeGetParams(any, any)),
       LINE(cudaErrorInvalidValue,
            cudaGraphExternalSemaphoresWaitNodeSetParams(nullptr, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphExternalSemaphoresWaitNodeSetParams(any, any)),
       LINE(cudaErrorInvalidValue,
            cudaGraphicsMapResources(0, nullptr, nullptr)),
       LINE(cudaErrorNotSupported, cudaGraphicsMapResources(1, any, nullptr)),
       LINE(cudaErrorInvalidValue,
            cudaGraphicsUnmapResources(0, nullptr, nullptr)),
       LINE(cudaErrorNotSupported, cudaGraphicsUnmapResources(1, any, nullptr)),
       LINE(cudaErrorInvalidValue, cudaGraphicsUnregisterResource(nullptr)),
       LINE(cudaErrorNotSupported, cudaGraphicsUnregisterResource(any)),
       LINE(cudaErrorInvalidValue, cudaGraphicsResourceSetMapFlags(nullptr, 0)),
       LINE(cudaErrorNotSupported, cudaGraphicsResourceSetMapFlags(any, 0)),
       LINE(cudaErrorInvalidValue,
            cudaGraphicsResourceGetMappedPointer(nullptr, nullptr, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphicsResourceGetMappedPointer(any, any, any)),
       LINE(cudaErrorInvalidValue,
            cudaGraphicsSubResourceGetMappedArray(nullptr, nullptr, 0, 0)),
       LINE(cudaErrorNotSupported,
            cudaGraphicsSubResourceGetMappedArray(any, any, 0, 0)),
       LINE(cudaErrorInvalidValue,
            cudaGraphicsResourceGetMappedMipmappedArray(nullptr, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaGraphicsResourceGetMappedMipmappedArray(any, any)),
       LINE(cudaErrorInvalidValue,
            cudaDeviceGetHostAtomicCapabilities(nullptr, nullptr, 0, 0)),
       LINE(cudaErrorNotSupported,
            cudaDeviceGetHostAtomicCapabilities(any, any, 1, 0)),
       LINE(cudaErrorInvalidValue,
            cudaDeviceGetP2PAtomicCapabilities(nullptr, nullptr, 0, 0, 0)),
       LINE(cudaErrorNotSupported,
            cudaDeviceGetP2PAtomicCapabilities(any, any, 1, 0, 0)),
       LINE(cudaErrorInvalidValue,
            cudaDeviceGetNvSciSyncAttributes(nullptr, 0, 0)),
       LINE(cudaErrorNotSupported, cudaDeviceGetNvSciSyncAttributes(any, 0, 0)),
       LINE(cudaErrorNotSupported, cudaDeviceFlushGPUDirectRDMAWrites(
                                       cudaFlushGPUDirectRDMAWritesTarget(0),
                                       cudaFlushGPUDirectRDMAWritesScope(0))),
       LINE(cudaErrorInvalidValue,
            cudaLogsRegisterCallback(nullptr, nullptr, nullptr)),
       LINE(cudaErrorNotSupported, cudaLogsRegisterCallback(any, any, any)),
       LINE(cudaErrorInvalidValue, cudaLogsUnregisterCallback(nullptr)),
       LINE(cudaErrorNotSupported, cudaLogsUnregisterCallback(any)),
       LINE(cudaErrorInvalidValue, cudaLogsCurrent(nullptr, 0)),
       LINE(cudaErrorNotSupported, cudaLogsCurrent(any, 0)),
       LINE(cudaErrorInvalidValue, cudaLogsDumpToFile(nullptr, nullptr, 0)),
       LINE(cudaErrorNotSupported, cudaLogsDumpToFile(any, any, 0)),
       LINE(cudaErrorInvalidValue,
            cudaLogsDumpToMemory(nullptr, nullptr, nullptr, 0)),
       LINE(cudaErrorNotSupported, cudaLogsDumpToMemory(any, any, any, 0)),
       LINE(cudaErrorInvalidValue,
            cudaDeviceRegisterAsyncNotification(0, nullptr, nullptr, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaDeviceRegisterAsyncNotification(0, any, any, any)),
       LINE(cudaErrorInvalidValue,
            cudaDeviceUnregisterAsyncNotification(0, nullptr)),
       LINE(cudaErrorNotSupported,
            cudaDeviceUnregisterAsyncNotification(0, any)),
       LINE(cudaErrorInvalidValue, cudaGetExportTable(nullptr, nullptr)),
       LINE(cudaErrorNotSupported, cudaGetExportTable(any, any)),
       LINE(cudaErrorInvalidValue,
            cudaGetTextureObjectResourceViewDesc(nullptr, 0))});
}

TEST(PublicArguments, OfOpenGl) {
  unsigned count = 0;
  int device = 0;
  void *address = nullptr;
  cudaGraphicsResource_t resource = nullptr;
  checkCalls({VALUE(cudaGLGetDevices(nullptr, nullptr, 1, 1)),
              REFUSED(cudaGLGetDevices(&count, &device, 1, 1)),
              VALUE(cudaGraphicsGLRegisterBuffer(nullptr, 1, 0)),
              REFUSED(cudaGraphicsGLRegisterBuffer(&resource, 1, 0)),
              VALUE(cudaGraphicsGLRegisterImage(nullptr, 1, 0, 0)),
              REFUSED(cudaGraphicsGLRegisterImage(&resource, 1, 0, 0)),
              VALUE(cudaGLSetGLDevice(99)), REFUSED(cudaGLSetGLDevice(0)),
              REFUSED(cudaGLRegisterBufferObject(1)),
              VALUE(cudaGLMapBufferObject(nullptr, 1)),
              REFUSED(cudaGLMapBufferObject(&address, 1)),
              REFUSED(cudaGLUnmapBufferObject(1)),
              REFUSED(cudaGLUnregisterBufferObject(1)),
              REFUSED(cudaGLSetBufferObjectMapFlags(1, 0)),
              VALUE(cudaGLMapBufferObjectAsync(nullptr, 1, nullptr)),
              REFUSED(cudaGLMapBufferObjectAsync(&address, 1, nullptr)),
              REFUSED(cudaGLUnmapBufferObjectAsync(1, nullptr))});
}

TEST(PublicArguments, OfEglAndVdpau) {
  int device = 0;
  void *handle = nullptr, *frame = &handle;
  cudaGraphicsResource_t resource = nullptr;
  cudaEvent_t event = nullptr;
  checkCalls(
      {VALUE(cudaGraphicsEGLRegisterImage(nullptr, nullptr, 0)),
       REFUSED(cudaGraphicsEGLRegisterImage(&resource, nullptr, 0)),
       VALUE(cudaEGLStreamConsumerConnect(nullptr, nullptr)),
       REFUSED(cudaEGLStreamConsumerConnect(&handle, nullptr)),
       VALUE(cudaEGLStreamConsumerAcquireFrame(&handle, nullptr, nullptr, 0)),
       REFUSED(
           cudaEGLStreamConsumerAcquireFrame(&handle, &resource, nullptr, 0)),
       VALUE(cudaEGLStreamProducerConnect(nullptr, nullptr, 1, 1)),
       REFUSED(cudaEGLStreamProducerConnect(&handle, nullptr, 1, 1)),
       VALUE(cudaEGLStreamProducerReturnFrame(&handle, nullptr, nullptr)),
       REFUSED(cudaEGLStreamProducerReturnFrame(&handle, frame, nullptr)),
       VALUE(cudaEventCreateFromEGLSync(nullptr, nullptr, 0)),
       REFUSED(cudaEventCreateFromEGLSync(&event, nullptr, 0)),
       VALUE(cudaEGLStreamConsumerConnectWithFlags(nullptr, nullptr, 0)),
       REFUSED(cudaEGLStreamConsumerConnectWithFlags(&handle, nullptr, 0)),
       VALUE(cudaEGLStreamConsumerDisconnect(nullptr)),
       REFUSED(cudaEGLStreamConsumerDisconnect(&handle)),
       VALUE(cudaEGLStreamConsumerReleaseFrame(&handle, nullptr, nullptr)),
       REFUSED(cudaEGLStreamConsumerReleaseFrame(
           &handle, reinterpret_cast<cudaGraphicsResource_t>(&frame), nullptr)),
       VALUE(cudaEGLStreamProducerDisconnect(nullptr)),
       REFUSED(cudaEGLStreamProducerDisconnect(&handle)),
       VALUE(cudaEGLStreamProducerPresentFrame(nullptr, Frame{}, nullptr)),
       REFUSED(cudaEGLStreamProducerPresentFrame(&handle, Frame{}, nullptr)),
       VALUE(cudaGraphicsResourceGetMappedEglFrame(nullptr, nullptr, 0, 0)),
       REFUSED(cudaGraphicsResourceGetMappedEglFrame(
           frame, reinterpret_cast<cudaGraphicsResource_t>(&frame), 0, 0)),
       VALUE(cudaGraphicsVDPAURegisterOutputSurface(nullptr, 0, 0)),
       REFUSED(cudaGraphicsVDPAURegisterOutputSurface(&resource, 0, 0)),
       VALUE(cudaVDPAUGetDevice(nullptr, 0, nullptr)),
       REFUSED(cudaVDPAUGetDevice(&device, 0, &handle)),
       VALUE(cudaVDPAUSetVDPAUDevice(99, 0, &handle)),
       REFUSED(cudaVDPAUSetVDPAUDevice(0, 0, &handle)),
       VALUE(cudaGraphicsVDPAURegisterVideoSurface(nullptr, 0, 0)),
       REFUSED(cudaGraphicsVDPAURegisterVideoSurface(&resource, 0, 0))});
}

/// Formats whose kind says all: they are described, arrays of them are not
/// there.
TEST(PublicArguments, OfKindsOfFormats) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc
      packed = cudaCreateChannelDesc<
          cudaChannelFormatKindUnsignedNormalized1010102>(),
      half =
          cudaCreateChannelDesc<cudaChannelFormatKindSignedBlockCompressed6H>();
  EXPECT_EQ(packed.x, 10);
  EXPECT_EQ(packed.w, 2);
  EXPECT_EQ(packed.f, 31);
  EXPECT_EQ(half.z, 16);
  EXPECT_EQ(half.w, 0);
  EXPECT_EQ(cudaCreateChannelDescNV12().z, 8);
  EXPECT_EQ(cudaCreateChannelDescHalf1().x, 16);
  checkCalls(
      {LINE(cudaErrorNotSupported, cudaMallocArray(&array, &packed, 8, 8)),
       LINE(cudaErrorNotSupported, cudaMallocArray(&array, &half, 8, 8))});
}

} // namespace
