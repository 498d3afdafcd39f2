#!/usr/bin/env bash
# test/fuzz/run.sh TARGET [SECONDS] [FILE.t7...]: fuzz t7, index, npy, safetensors, onnx or pth.
# Findings lie in
# build/fuzz/findings/TARGET, the corpus that grows from run to run in build/fuzz/corpus/TARGET.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${1:?usage: test/fuzz/run.sh t7|index|npy|safetensors|onnx|pth [seconds] [file.t7...]}
seconds=${2:-600}
shift $(($# > 2 ? 2 : $#))

corpus=build/fuzz/corpus/$target
findings=build/fuzz/findings/$target
mkdir -p "$corpus" "$findings"
"${TH:-build/cpu/bin/th}" test/fuzz/seeds.lua "$target" "$corpus" "$@"

case "$target" in
  t7) options=(-max_len=4096 -dict=test/fuzz/t7.dict) ;;
  npy | safetensors | pth) options=(-max_len=4096) ;;
  onnx) options=(-max_len=65536) ;;
  index) options=(-max_len=128 -len_control=0) ;; # eight operations take fewer bytes
esac
found=()
test ! -d "test/data/fuzz/$target" || found=("test/data/fuzz/$target")
# A hang is an input of 10 seconds; too much memory is 1 GiB in all, or 128 MiB at once.
ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-} nice "build/fuzz/bin/fuzz_$target" \
  -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=128 \
  -print_final_stats=1 -artifact_prefix="$findings/" "${options[@]}" \
  "$corpus" "${found[@]}"
