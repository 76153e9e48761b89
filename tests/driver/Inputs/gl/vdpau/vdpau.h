/* The types that CUDA's headers take from VDPAU's. */
#ifndef VDPAU_H
#define VDPAU_H
typedef unsigned int VdpDevice, VdpVideoSurface, VdpOutputSurface;
typedef int VdpGetProcAddress(VdpDevice, unsigned int, void **);
#endif
