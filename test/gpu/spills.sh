#!/usr/bin/env bash
# spills.sh BUILD [PATTERN]: compiles the CUDA sources whose paths match PATTERN (default: element-wise
# operations, reductions, softmax) once more with -Xptxas -v, and counts the kernels in which the
# compiler spills registers. BUILD is a build of preset cuda.
set -euo pipefail
if [ ! -e "${1:-}/build.ninja" ]; then
  echo "usage: bash test/gpu/spills.sh BUILD [PATTERN]" >&2
  exit 2
fi
cd "$1"
pattern=${2:-'cuda/(pointwise[a-z_]*|compare|copy[a-z_]*|reduce/reduce|nn/softmax)\.cu\.o'}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
ninja -t commands THC | grep -E 'nvcc .* -c ' | grep -E "$pattern" >"$out/commands" || {
  echo "spills: no CUDA source of $1 matches '$pattern'" >&2
  exit 1
}
spilling=0
while read -r command; do
  file=$(grep -oE 'cuda/[a-z_/]*\.cu' <<<"$command" | tail -n 1)
  # As the build compiles it, but into a file of our own and not from the compiler cache.
  command=$(sed -E "s#^.*ccache ##; s# -o [^ ]+# -o $out/object -Xptxas -v#; s# -MD -MT [^ ]+ -MF [^ ]+##" \
    <<<"$command")
  bash -c "$command" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
  kernels=$(grep -c 'bytes spill stores' "$out/log" || true)
  here=$(grep 'bytes spill stores' "$out/log" | grep -vc ' 0 bytes spill stores' || true)
  echo "$file: $kernels kernels, $here spill"
  spilling=$((spilling + here))
done <"$out/commands"
test $spilling = 0
