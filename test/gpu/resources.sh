#!/usr/bin/env bash
# resources.sh BUILD: what the kernels of BUILD (preset cuda) take, from the assembler's reports that
# the build keeps beside its objects. Fails where a kernel keeps variables in local memory (spilled
# registers, arrays whose index is not known: each access goes to the device's memory), unless
# test/gpu/local_memory.txt allows it, and when there are more kernels than $MOST_KERNELS.
#
# What else could stop a launch cannot be compiled: kernels are bound to the threads they are
# launched with (registers), and to 4 KB of arguments (lib/THC/cuda/launch.h).
set -euo pipefail
if [ ! -e "${1:-}/build.ninja" ]; then
  echo "usage: bash test/gpu/resources.sh BUILD" >&2
  exit 2
fi
most=${MOST_KERNELS:-2000}
allowed=$(cd "$(dirname "$0")" && pwd)/local_memory.txt
cd "$1/lib/THC"
mapfile -t reports < <(find . -name '*.cu.o.ptxas' | sort)
if [ ${#reports[@]} = 0 ]; then
  echo "no reports in $1: build it first" >&2
  exit 1
fi
awk -v most="$most" -v allowed="$allowed" '
  BEGIN {
    while ((getline line < allowed) > 0) {
      if (line !~ /^#/ && line != "") {
        split(line, words, " ")
        patterns[words[1]] = 0
      }
    }
  }
  FNR == 1 {
    file = FILENAME
    sub(/^.*thc_cuda_objects.dir\//, "", file)
    sub(/\.o\.ptxas$/, "", file)
  }
  /Compiling entry function/ {
    kernel = $0
    sub(/^[^\047]*\047/, "", kernel)
    sub(/\047.*$/, "", kernel)
    ++kernels
    ++of[file]
  }
  /bytes stack frame/ && kernel != "" && $1 + $5 + $9 > 0 {
    is_allowed = 0
    for (p in patterns) {
      if (index(file ":" kernel, p) > 0) {
        is_allowed = 1
        ++patterns[p]
      }
    }
    if (!is_allowed) {
      printf "%s: %s bytes of local memory, %s spilled, in %s\n", file, $1, $5, kernel
      ++bad
    }
    kernel = ""
  }
  /Used [0-9]+ registers/ {
    if ($5 > registers) { registers = $5 }
  }
  END {
    for (f in of) {
      printf "%5d  %s\n", of[f], f | "sort -rn"
    }
    close("sort -rn")
    printf "%d kernels (%d at most), up to %d registers, %d with local memory that is not allowed\n",
      kernels, most, registers, bad
    exit bad > 0 || kernels > most
  }' "${reports[@]}"
