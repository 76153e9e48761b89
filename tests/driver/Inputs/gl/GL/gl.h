/* The two types that CUDA's headers take from OpenGL's. */
typedef unsigned int GLenum;
typedef unsigned int GLuint;
