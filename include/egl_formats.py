"""Writes the enumerations of EGL's colour formats.

usage: egl_formats.py TABLE DRIVER_OUTPUT RUNTIME_OUTPUT

TABLE is egl_formats.txt. The driver's header spells a format
YUV420_SEMIPLANAR_ER, the runtime's YUV420SemiPlanar_ER.
"""
import re
import sys


def of_runtime(name):
    name = re.sub(r"_?SEMIPLANAR", "SemiPlanar", name)
    name = re.sub(r"_?PLANAR", "Planar", name)
    name = re.sub(r"(Y\d+V\d+U\d+_\d+)_", r"\1", name)
    name = re.sub(r"^BAYER(\d*)_", r"Bayer\1", name).replace("BayerISP_", "BayerIsp")
    return re.sub(r"^(YUYV|UYVY)_(\d)", r"\1\2", name)


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("/* Made by egl_formats.py. */\n\n" + "".join(lines))


def main():
    table, driver, runtime = sys.argv[1:]
    with open(table, encoding="utf-8") as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    write(driver, ["typedef enum CUeglColorFormat_enum {\n",
                   *(f"  CU_EGL_COLOR_FORMAT_{name},\n" for name, *_ in rows),
                   "  CU_EGL_COLOR_FORMAT_MAX\n} CUeglColorFormat;\n"])
    write(runtime, ["typedef enum cudaEglColorFormat_enum {\n",
                    *(f"  cudaEglColorFormat{of_runtime(name)} = {number},\n"
                      for number, (name, *only) in enumerate(rows) if not only),
                    "} cudaEglColorFormat;\n"])


if __name__ == "__main__":
    main()
