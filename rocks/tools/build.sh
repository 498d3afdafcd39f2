#!/usr/bin/env bash
# What the rockspecs run, at the root of the sources:
#   build.sh compile ROCK PREFIX
#   build.sh install ROCK PREFIX LUADIR LIBDIR BINDIR
# The variables are LuaRocks' folders of the rock. From the environment:
#   TH_BUILD     a folder in which CMake has built everything: nothing is compiled then
#   TH_LIBRARY   libTH.so, if it is not in the tree that the rock goes to
#   TH_CUDA      ON or OFF: with devices of CUDA or without; by itself, ON where nvcc is
#   TH_SIM       ON: with simulated devices
set -euo pipefail

what=$1 rock=$2 prefix=$3
build=${TH_BUILD:-build.luarocks/$rock}

fail() {
  echo "$rock: $1" >&2
  exit 1
}

has_cxx() {
  [[ " torch cutorch image tds threads distributed onnx " == *" $rock "* ]]
}

# Some rocks lie within the folder of torch, which leaves them out (packages.lua).
lua_folder() {
  if test -d "lua/$rock"; then
    echo "$rock"
  else
    echo "torch/$rock"
  fi
}

# The core is built for the rock torch alone; the others are linked with that one's.
find_library() {
  local tree=${prefix%/lib/luarocks/*} folder
  for folder in "$tree" "${HOME:-}/.luarocks" /usr/local; do
    if test -f "$folder/lib/lua/5.1/libTH.so"; then
      realpath "$folder/lib/lua/5.1/libTH.so"
      return
    fi
  done
  fail "libTH.so of the rock torch is not in $tree/lib/lua/5.1; TH_LIBRARY=FILE says where else it is"
}

cuda_options() {
  local nvcc
  nvcc=$(type -P nvcc || type -P /usr/local/cuda/bin/nvcc || true)
  # Both are said each time: CMake remembers what the last compilation in this folder was told.
  if test "${TH_CUDA:-${nvcc:+ON}}" = ON; then
    test -n "$nvcc" || fail "TH_CUDA=ON wants nvcc on the PATH or in /usr/local/cuda/bin (docs/install.md, GPU)"
    options+=(-DTH_CUDA=ON -DTH_SIM=OFF "-DCMAKE_CUDA_COMPILER=$nvcc"
      "-DCMAKE_CUDA_ARCHITECTURES=${CUDAARCHS:-80-real;90-real;100}")
  elif test "${TH_SIM:-OFF}" = ON; then
    options+=(-DTH_CUDA=OFF -DTH_SIM=ON)
    lists+=(sim)
  else
    options+=(-DTH_CUDA=OFF -DTH_SIM=OFF)
    echo "cutorch: without the CUDA toolkit (nvcc) its Lua files alone are installed; they say so when required" >&2
  fi
}

compile() {
  local options=(-DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF) lists=(compile run) library
  if test "$rock" != torch; then
    library=${TH_LIBRARY:-$(find_library)}
    options+=("-DTH_LIBRARY=$library")
  fi
  test "$rock" != cutorch || cuda_options
  mkdir -p "$build"
  # What CMake says at length when it finds nothing, debian.sh says in a sentence where it can.
  if ! cmake -S . -B "$build" "${options[@]}" >"$build/configure.log" 2>&1; then
    bash lib/cmake/debian.sh --check "$rock" "${lists[@]}" && cat "$build/configure.log" >&2
    exit 1
  fi
  # What is optional and not there, each in a sentence of the part of the sources that wants it.
  sed -n "s/^-- \($rock: without .*\)/\1/p" "$build/configure.log" >&2
  cmake --build "$build" --parallel "$(nproc)" --target "runtime_$rock"
}

# move FROM INTO: what is in the folder FROM, if it is there.
move() {
  if test -d "$1"; then
    mkdir -p "$2"
    mv "$1"/* "$2/"
  fi
}

install_by_cmake() {
  local lua=$1 lib=$2 bin=$3 stage
  stage=$(mktemp -d "$prefix/stage.XXXXXX")
  cmake --install "$build" --prefix "$stage" --component "$rock" --strip >/dev/null
  move "$stage/share/lua/5.1" "$lua"
  move "$stage/lib/lua/5.1" "$lib"
  move "$stage/bin" "$bin"
  move "$stage/share/man/man1" "$prefix/doc"
  move "$stage/share/luatorch" "$prefix"
  rm -r "$stage"
  test "$rock" != torch || cp lib/cmake/debian.sh "$prefix/"
}

case "$what" in
  compile)
    if has_cxx && test -z "${TH_BUILD:-}"; then
      compile
    fi
    ;;
  install)
    if has_cxx; then
      install_by_cmake "${@:4}"
    else
      folder=$(dirname "$(lua_folder)")
      mkdir -p "$4/$folder"
      cp -R "lua/$(lua_folder)" "$4/$folder/"
    fi
    ;;
esac
