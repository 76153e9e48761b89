// The same where a warp has instructions for words.
// FLAGS: -arch=sm_80
#include "cuda_group_reductions.cu"
