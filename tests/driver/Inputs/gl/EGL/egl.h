/* The type that CUDA's headers take from EGL's. */
typedef int EGLint;
