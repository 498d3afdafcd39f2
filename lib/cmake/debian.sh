# What the scripts of this repository need from Debian, said once; to be sourced by bash.

build_packages=(build-essential cmake ninja-build ccache libdnnl-dev libhwy-dev)
run_packages=(luajit lua-filesystem lua-readline libopenblas0-openmp)
test_packages=(libgtest-dev lua-busted lua-check clang-format)
example_packages=(dataset-fashion-mnist)
# Thrust's headers, for simulated CUDA devices; the CUDA toolkit brings its own.
sim_packages=()
test -e /usr/local/cuda/include/cccl/thrust/version.h || sim_packages=(libthrust-dev libcub-dev)

# as_root COMMAND...
as_root() {
  if test "$(id -u)" = 0; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "This needs root: run it as root, or install sudo. The command was: $*" >&2
    return 1
  fi
}

# missing_packages PACKAGE...: those that are not installed.
missing_packages() {
  local installed
  installed=$(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
    sed -n 's/ installed$//p')
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

# install_packages PACKAGE...: install what is missing, or nothing at all.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "Not a Debian system: these packages, or what matches them, must be there: $*" >&2
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  test "${#missing[@]}" -gt 0 || return 0

  echo "Installing ${missing[*]}"
  local install=(as_root env DEBIAN_FRONTEND=noninteractive
    apt-get install --yes --quiet --no-install-recommends "${missing[@]}")
  # The package lists may be absent or out of date; fetch them only then.
  if apt-get install --simulate --quiet --no-install-recommends "${missing[@]}" &>/dev/null; then
    "${install[@]}" && return 0
  fi
  as_root apt-get update --quiet && "${install[@]}"
}

# build_preset PRESET: configure where needed, then build; ninja alone knows what is out of date.
build_preset() {
  if ! test -f "build/$1/build.ninja"; then
    cmake --preset "$1" || return
  fi
  cmake --build --preset "$1"
}
