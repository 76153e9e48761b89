"""version.py SOURCES BUILD CUFORT: the version of project() is that of everything else."""
import re
import subprocess
import sys

sources, build, cufort = sys.argv[1:]


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


version = re.search(r"project\(cufort VERSION (\S+)", text(f"{sources}/CMakeLists.txt"))[1]
found = {
    "cufort --version": subprocess.run([cufort, "--version"], capture_output=True, text=True,
                                       check=True).stdout.splitlines()[0],
    "CHANGELOG.md": re.search(r"^## (.*)", text(f"{sources}/CHANGELOG.md"), re.M)[1],
    "cpack": re.search(r'CPACK_PACKAGE_VERSION "(.*?)"', text(f"{build}/CPackConfig.cmake"))[1],
    "manual page": text(f"{build}/share/man/man1/cufort.1").splitlines()[0],
}
wrong = {place: what for place, what in found.items()
         if not re.search(rf"(^| |\"){re.escape(version)}(\"| |$)", what)}
for place, what in wrong.items():
    print(f"{place}: '{what}' is not {version}")
sys.exit(bool(wrong))
