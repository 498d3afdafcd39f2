#!/usr/bin/env bash
# The GPU suite, within 8 minutes: bash test/gpu/run.sh ARCHIVE.tar.gz
#
# ARCHIVE is what test/gpu/pack.sh made; needs a GPU, luajit, busted and the libraries of the CPU
# side. Runs every CUDA test against the CPU, the allocator under pressure, compute-sanitizer over a
# part of them, and the benchmarks against PyTorch where python3 has it. Ends with a count, and writes
# a report for bench/results ($REPORT, or a name made of date and device).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
if [ $# != 1 ] || [ ! -e "$1" ]; then
  echo "usage: bash test/gpu/run.sh ARCHIVE.tar.gz, which test/gpu/pack.sh makes" >&2
  exit 2
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
prefix=$out/prefix
mkdir "$prefix"
tar -xzf "$1" -C "$prefix" || exit 1
source test/support/runners.sh
unset THC_SIM_DEVICES
export LD_LIBRARY_PATH=$prefix/lib/lua/5.1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

query() {
  nvidia-smi --query-gpu="$1" --format=csv,noheader | sed -n 1p # to its end: pipefail
}
device=$(query name) || {
  echo "test/gpu/run.sh: nvidia-smi finds no device here" >&2
  exit 1
}

run_googletest "$prefix" thc_tests
run_busted "$prefix" --run=cuda
run_busted "$prefix" test/cutorch test/cunn test/cudnn test/examples # a thousand failed allocations
THC_MEMORY=segments run_busted "$prefix" test/cutorch

# A few tests of each file: the sanitizer makes them a hundred times slower.
sanitize() {
  run_check "compute-sanitizer --tool $1" timeout 100 compute-sanitizer --tool "$1" \
    --error-exitcode 1 "$prefix/bin/thc_tests" --gtest_brief=1 --gtest_filter="$2"
}
if command -v compute-sanitizer >/dev/null; then
  sanitize memcheck 'Copy.*:Mask.*:Scan.*:Blas.*:Softmax.*:Pooling.*'
  sanitize racecheck 'Copy.PermutedTensorsMoveByTiles:Reduce.*:Blas.*:Softmax.*'
else
  heading 'compute-sanitizer is not here'
  count 0 0 2
fi

heading benchmarks
TH=$prefix/bin/th THREADS=1 ROUNDS=${ROUNDS:-1} timeout 150 bash bench/run.sh cuda |
  tee "$out/benchmarks.md"
run_check 'benchmarks ran to their end' test "${PIPESTATUS[0]}" = 0

print_count | tee "$out/count"
status=${PIPESTATUS[0]}
report=${REPORT:-bench/results/$(date -u +%Y-%m-%d)-$(tr ' /' '--' <<<"$device").md}
mkdir -p "$(dirname "$report")"
{
  echo "# GPU suite"
  echo
  echo "- device: $device, $(query memory.total), driver $(query driver_version)"
  echo "- date: $(date -u +%Y-%m-%d); LuaTorch $(git rev-parse --short HEAD 2>/dev/null || echo '(no git here)')"
  "$prefix/bin/th" -e "
    require 'cutorch'
    print(('- CUDA runtime %d, driver %d'):format(cutorch.getRuntimeVersion(), cutorch.getDriverVersion()))
    print('- cuDNN ' .. (cutorch.cudnnVersion() or 'missing'))"
  echo "- tests:$(tail -n 1 "$out/count")"
  echo
  cat "$out/benchmarks.md"
} >"$report"
echo "report: $report"
exit "$status"
