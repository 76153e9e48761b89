"""Writes a C program that takes the address of every function of cuda.h,
cuda_runtime_api.h and those for OpenGL, EGL and VDPAU, and looks those of cuda.h up by name.

usage: functions.py INCLUDE
"""
import glob
import os
import re
import sys

DECLARATION = re.compile(r"^(?:static inline )?(?:CUresult|cudaError_t)\s+(cu\w+)\(", re.M)
PROGRAM = """\
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cuda_gl_interop.h>
#include <cudaGL.h>
#include <cuda_egl_interop.h>
#include <cudaEGL.h>
#include <cuda_vdpau_interop.h>
#include <cudaVDPAU.h>
#include <cudaProfiler.h>
#include <cudaProfilerTypedefs.h>
#include <cudaTypedefs.h>
#include <cudaGLTypedefs.h>
#include <cudaEGLTypedefs.h>
#include <cudaVDPAUTypedefs.h>
#include <stdio.h>
#include <string.h>

static void (*const functions[])(void) = {
%s
};
static const char *const names[] = {
%s
};

int main(void) {
  const size_t count = sizeof(functions) / sizeof(*functions);
  const size_t named = sizeof(names) / sizeof(*names);
  size_t missing = 0;
  for (size_t i = 0; i < count; ++i)
    missing += !functions[i];
  for (size_t i = 0; i < named; ++i) {
    void *function = NULL, *entry = NULL;
    if (cuGetProcAddress(names[i], &function, CUDA_VERSION, 0, NULL) ||
        !function ||
        cudaGetDriverEntryPoint(names[i], &entry, cudaEnableDefault, NULL) ||
        entry != function)
      printf("%%s is unknown\\n", names[i]), ++missing;
  }
  printf("%%zu functions, %%zu by name, %%zu missing\\n", count, named, missing);
  return missing != 0;
}
"""


def main():
    folder = sys.argv[1]
    functions, named = set(), set()
    for path in sorted(glob.glob(os.path.join(folder, "*.h")) +
                       glob.glob(os.path.join(folder, "cufort", "**", "*.h"), recursive=True)):
        name = os.path.basename(path)
        if not re.search(r"^cuda(_runtime_api|_(?:gl|egl|vdpau)_interop|GL|EGL|VDPAU|Profiler)?\.h$|_api\.h$|^texture_types|"
                         r"^(forms|virtual_memory)\.h$", name):
            continue
        if name == "cuda_device_runtime_api.h":
            continue
        with open(path, encoding="utf-8") as file:
            found = set(DECLARATION.findall(file.read()))
        functions |= found
        # Names with versions and of graphics are no names of functions there.
        if name not in ("cudaGL.h", "cudaEGL.h", "cudaVDPAU.h", "cudaProfiler.h"):
            named |= {each for each in found if not re.search(r"^cuda|_v\d$", each)}
    print(PROGRAM % ("\n".join(f"    (void (*)(void))&{each}," for each in sorted(functions)),
                     "\n".join(f'    "{each}",' for each in sorted(named))), end="")


if __name__ == "__main__":
    main()
