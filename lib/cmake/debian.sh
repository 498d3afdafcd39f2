#!/usr/bin/env bash
# What the scripts of this repository need from Debian, said once. To be sourced by bash, or run:
#   bash lib/cmake/debian.sh [LIST...]    installs what is missing of these lists: compile, build, run,
#                                         test, pack, example, site, sim; without a word, of all these;
#                                         deb is a part of pack;
#                                         serve is nginx, cuda_compile, cuda_run are NVIDIA's
#   bash lib/cmake/debian.sh --check WHO LIST...   one sentence, and status 1, when something is missing

# installed PACKAGE
installed() {
  [[ "$(dpkg-query --show --showformat ' ${db:Status-Status} ' "$1" 2>/dev/null)" == *' installed '* ]]
}

# luajit2 is the maintained branch of LuaJIT; Debian's luajit has bugs that docs/architecture/lua.md
# tells of. They exclude each other, down to their libraries: who has a part of the one keeps it.
luajit=luajit2
if installed libluajit-5.1-common; then
  luajit=luajit
fi

# What an installation is compiled with; the presets want more. GoogleTest: whoever configures a preset
# configures its tests.
# zlib's archive is linked into the launcher of bundles.
compile_packages=(build-essential cmake libdnnl-dev libhwy-dev libpng-dev zlib1g-dev libonnx-dev libprotobuf-dev)
build_packages=("${compile_packages[@]}" ninja-build ccache libgtest-dev)
# The second line is what our libraries are linked with: whoever compiles has it already.
run_packages=("$luajit" lua-filesystem lua-penlight lua-cjson libopenblas0-openmp libturbojpeg0 zlib1g
  libdnnl2 libhwy1 libgomp1 libstdc++6 libpng16-16 libonnx1 libprotobuf32)
# gnuplot, HDF5's library and MPI are optional: the packages gnuplot, hdf5 and distributed name them.
# libopenmpi-dev is to compile distributed with, openmpi-bin to run it.
# LuaJIT's headers are for examples/embed, nodejs runs the site's search.
test_packages=(lua-busted lua-check clang-format gnuplot-nox libhdf5-103-1 libopenmpi-dev openmpi-bin
  pkgconf "lib$luajit-5.1-dev" nodejs)
# A package for other machines has all parts: distributed is compiled with MPI.
deb_packages=(dpkg-dev libopenmpi-dev)          # packaging/build_deb.sh
pack_packages=(luarocks "${deb_packages[@]}")   # rocks/tools/release.sh
example_packages=(dataset-fashion-mnist)
# What examples/serve wants. Not among the tests' packages: installing nginx starts a server.
serve_packages=(nginx-light libnginx-mod-http-lua)
site_packages=(cmark-gfm) # docs/build.sh; no build or run needs it
# NVIDIA's own, from its archive for Debian 12 (packaging/nvidia.sh): to compile for CUDA, and to run.
cuda_compile_packages=(cuda-nvcc-13-0 cuda-cudart-dev-13-0 cuda-cccl-13-0 libcublas-dev-13-0
  libcudnn9-dev-cuda-13)
cuda_run_packages=(libcublas-13-0 libcudnn9-cuda-13)
# Thrust's headers, for simulated CUDA devices; the CUDA toolkit brings its own.
sim_packages=()
test -e /usr/local/cuda/include/cccl/thrust/version.h || sim_packages=(libthrust-dev libcub-dev)

# missing_packages PACKAGE...: those that are not installed, one a line.
missing_packages() {
  local package
  for package in "$@"; do
    installed "$package" || echo "$package"
  done
}

# as_root COMMAND...
as_root() {
  if test "$(id -u)" = 0; then
    "$@"
  else
    sudo "$@"
  fi
}

# explain_failure PACKAGE...: why apt could not install them, as far as it can be seen, and what to do.
explain_failure() {
  local unknown folder free
  mapfile -t unknown < <(LC_ALL=C apt-get install --simulate "$@" 2>&1 |
    sed -n -E "s/^E: (Unable to locate package|Package) '?([^' ]*).*/\2/p")
  {
    echo
    echo "Not installed: $*"
    for folder in /var/cache/apt/archives /var/lib/dpkg /usr; do
      free=$(df --output=avail --block-size=1M "$folder" 2>/dev/null | sed -n 2p)
      if test "${free:-1000}" -lt 1000; then
        echo "The disk may be full: ${free// /} MiB are left in $folder. Make room (apt-get clean)."
        break
      fi
    done
    if test "${#unknown[@]}" = $#; then
      echo "apt knows none of them: its package lists are missing or out of date. Is there a network"
      echo "(http_proxy, if there has to be a proxy), does /etc/apt name a mirror with Debian's main?"
    elif test "${#unknown[@]}" -gt 0; then
      echo "This system's package lists do not have ${unknown[*]}: they are named as in Debian 12."
      echo "Install what matches, and change the names in lib/cmake/debian.sh."
    fi
    echo "The messages above this say more. Run the command again then: what is installed stays."
  } >&2
  return 1
}

# install_packages PACKAGE...: install what is missing, or nothing at all. Removes nothing.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "Not a Debian system: these packages, or what matches them, must be there: $*" >&2
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  test "${#missing[@]}" -gt 0 || return 0

  if test "$(id -u)" != 0 && ! command -v sudo >/dev/null; then
    echo "These packages are missing, and there is no sudo here. As root:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    return 1
  fi
  echo "Installing ${missing[*]}"
  local options=(--yes --quiet --no-install-recommends --no-remove)
  # The package lists may be absent or out of date; fetch them only then.
  if apt-get install --simulate "${options[@]}" "${missing[@]}" &>/dev/null &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "${missing[@]}"; then
    return 0
  fi
  as_root apt-get update --quiet || echo "apt-get update failed; trying with the lists that are here" >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "${missing[@]}" ||
    explain_failure "${missing[@]}"
}

# build_preset PRESET [TARGET...]: builds what is out of date. Configures each time, for packages that
# came since the last one.
build_preset() {
  cmake --preset "$1" && cmake --build --preset "$1" ${2:+--target "${@:2}"}
}

# check_packages WHO PACKAGE...: names those that are missing in one sentence. Elsewhere than on Debian
# nothing is known of packages.
check_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing who=$1
  mapfile -t missing < <(missing_packages "${@:2}")
  test "${#missing[@]}" -gt 0 || return 0
  echo "$who wants Debian packages that are not installed here; as root:" \
    "apt-get install --no-install-recommends ${missing[*]}" >&2
  return 1
}

# Run, not sourced.
if test "${BASH_SOURCE[0]}" = "$0"; then
  set -euo pipefail
  who=
  if test "${1:-}" = --check; then
    who=${2:-}
    shift $(($# > 1 ? 2 : 1))
    if test -z "$who" || test $# = 0; then
      set -- --check
    fi
  fi
  test $# -gt 0 || set -- build run test pack example site sim
  packages=()
  for list in "$@"; do
    case "$list" in
      compile | build | run | test | deb | pack | example | site | sim | cuda_compile | cuda_run) ;;
      *)
        echo "usage: bash lib/cmake/debian.sh [--check WHO] [compile] [build] [run] [test] [deb]" \
          "[pack] [example] [site] [sim] [cuda_compile] [cuda_run]" >&2
        exit 2
        ;;
    esac
    declare -n names=${list}_packages
    packages+=("${names[@]}")
  done
  if test -n "$who"; then
    check_packages "$who" "${packages[@]}"
  else
    install_packages "${packages[@]}"
  fi
fi
