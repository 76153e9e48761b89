// The module that is built beside a program (MODULE).
#if !defined(__CUDA_ARCH__)
__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        "module_begin: .incbin \"module.fatbin\"\n"
        "module_end: .byte 0\n"
        ".popsection\n");
#endif
extern "C" const char module_begin[], module_end[];
