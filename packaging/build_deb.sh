#!/usr/bin/env bash
# The Debian package of this checkout, into a folder: bash packaging/build_deb.sh FOLDER
# It is compiled in build/package, with devices of CUDA by TH_CUDA=ON (CUDAARCHS says for which), or
# made of what CMake has built in the folder TH_BUILD. CPACK_OPTIONS are for cpack. Both folders are
# the caller's: relative ones are seen from where the script is called.
set -euo pipefail
test $# = 1 || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(realpath "$1")
build=${TH_BUILD:+$(realpath -m "$TH_BUILD")}
build=${build:-build/package}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if test -z "${TH_BUILD:-}"; then
  bash lib/cmake/debian.sh --check build_deb.sh compile run deb
  # Said each time: CMake remembers what the last compilation in this folder was told.
  options=(-DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF "-DTH_CUDA=${TH_CUDA:-OFF}" -DTH_SIM=OFF)
  if test "${TH_CUDA:-OFF}" = ON; then
    options+=("-DCMAKE_CUDA_COMPILER=$(type -P nvcc || echo /usr/local/cuda/bin/nvcc)"
      "-DCMAKE_CUDA_ARCHITECTURES=${CUDAARCHS:-80-real;90-real;100}")
  fi
  cmake -S . -B "$build" "${options[@]}"
  cmake --build "$build" --parallel "$(nproc)" --target runtime
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
read -r -a cpack_options <<<"${CPACK_OPTIONS:-}"
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch" "${cpack_options[@]}"
cp "$scratch"/*.deb "$folder/"
