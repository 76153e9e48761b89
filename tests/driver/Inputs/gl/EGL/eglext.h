/* The types that CUDA's headers take from EGL's extensions. */
typedef void *EGLImageKHR;
typedef void *EGLStreamKHR;
typedef void *EGLSyncKHR;
