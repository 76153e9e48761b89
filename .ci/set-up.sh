# What ./demo and ./check have in common: the packages and the build. Sourced
# from the repository's root.

# Debian 12 has all of these; LLVM 22 comes from its security suite.
packages="clang-22 flang-22 libflang-22-dev libmlir-22-dev mlir-22-tools
llvm-22 llvm-22-dev llvm-22-tools libclang-22-dev lld-22 liblld-22-dev
libclc-22 libclc-22-dev libfftw3-double3 libfftw3-single3 libomp-22-dev clang-format-22 clang-tidy-22 cmake ninja-build g++ libgtest-dev ccache gfortran
gdb lldb-22 python3-lldb-22 meson autoconf automake libtool dpkg-dev file
python3 python3-numpy python3-cffi libopenblas0-pthread libcub-dev libthrust-dev
openmpi-bin libopenmpi-dev mpich libmpich-dev
hunspell hunspell-en-gb python3-sphinx python3-myst-parser furo
node-d3 chromium-headless-shell"

say() { printf '%s\n' "$*"; }

# Puts the names of the packages that are not installed into $missing.
find_missing() {
  missing=
  for package in $packages; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || :
    [ "$state" = installed ] || missing="$missing $package"
  done
}

# Installs what is missing; says so before.
install_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    say "This is no Debian system, so nothing is installed. Needed are LLVM, Clang," \
        "Flang and MLIR 22.1 with their development files, CMake 3.25, Ninja," \
        "a C++20 compiler, GoogleTest, gfortran, Python 3 and d3 5 (CUFORT_D3)."
    return 0
  fi
  find_missing
  if [ -z "$missing" ]; then
    say "All packages are installed."
    return 0
  fi
  as_root=
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      say "These packages are missing and neither root nor sudo is at hand:$missing" >&2
      return 1
    fi
    as_root=sudo
  fi
  say "About to install with apt-get:$missing"
  $as_root apt-get update -qq &&
    $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# Configures and builds in build/.
build() {
  PATH=/usr/lib/llvm-22/bin:$PATH
  export PATH
  say "Building in build/ ..."
  cmake --preset default >build.log 2>&1 || { cat build.log; return 1; }
  rm -f build.log
  cmake --build --preset default
}
