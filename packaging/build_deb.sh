#!/usr/bin/env bash
# The Debian package of this checkout, into a folder: bash packaging/build_deb.sh FOLDER
# With devices of CUDA by TH_CUDA=ON; CUDAARCHS says for which.
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=build/package
options=(-DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF)
if test "${TH_CUDA:-OFF}" = ON; then
  build=build/package-cuda
  options+=(-DTH_CUDA=ON "-DCMAKE_CUDA_COMPILER=$(type -P nvcc || echo /usr/local/cuda/bin/nvcc)"
    "-DCMAKE_CUDA_ARCHITECTURES=${CUDAARCHS:-80-real;90-real;100}")
fi
cmake -S . -B "$build" "${options[@]}"
cmake --build "$build" --parallel "$(nproc)" --target runtime
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$build/deb"
cp "$build"/deb/*.deb "$folder/"
