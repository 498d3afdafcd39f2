# shellcheck shell=bash disable=SC2154 # variables are run.sh's
# Benchmarks against the machine's PyTorch in the same run, then, with the time that is left, the
# hardware's counters of single kernels and sanitizers in guarded memory. Sourced by run.sh.

export TH=$th THREADS=1 ROUNDS=${ROUNDS:-1}
# The lines as they were measured stay, also of a run that is cut off.
ours=$out/bench-ours.tsv
theirs=$out/bench-theirs.tsv
: >"$ours"
: >"$theirs"
python=${PYTHON:-python3}
peer=no
"$python" -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null && peer=yes

measure() { # NAME FILE COMMAND...: its lines are kept, also of a case that fails on the way
  local lines=$2
  run_job "$1" 150 bash -c 'set -o pipefail; "${@:2}" | tee -a "$1"' - "$lines" "${@:3}"
}

heading 'benchmarks'
for name in operations products layers sequences quantized training; do
  case=cuda/$name
  measure "CUDA $name" "$ours" "$th" bench/run.lua 1 "$case"
  test $peer = no || measure "CUDA $name, PyTorch" "$theirs" "$python" bench/pytorch.py 1 "$case"
  {
    echo "$(date -u +%Y-%m-%d), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader \
      2>/dev/null | head -n 1); PyTorch: $peer"
    echo
    luajit bench/compare.lua "$ours" "$theirs"
  } >"$out/bench.md.part"
  mv "$out/bench.md.part" "$out/bench.md"
done

count_events() { # NAME: what the hardware counts of its kernels
  rm -f "$scratch/ncu"
  run_job "ncu $1" 60 ncu --clock-control none --target-processes all --profile-from-start off \
    --launch-count 2 --metrics "gpu__time_duration.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed,\
sm__throughput.avg.pct_of_peak_sustained_elapsed,launch__registers_per_thread,launch__occupancy_limit_registers" \
    --log-file "$scratch/ncu" "$th" test/gpu/kernels.lua "$1"
  test ! -e "$scratch/ncu" || { echo "== $1"; cat "$scratch/ncu"; } >>"$counters"
}

if type -P ncu >/dev/null; then
  heading 'counters'
  counters=$out/bench-counters.txt
  : >"$counters"
  count_events add
  # Where the driver keeps counters to administrators, the others would fail in the same way.
  if grep -q ERR_NVGPUCTRPERM "$counters"; then
    say 'skipped         ncu for the others: counters are not permitted here'
  else
    for name in exp transposed_copy sum_rows softmax batch_norm conv quantized_conv packed_linear; do
      count_events "$name"
    done
  fi
fi

if type -P compute-sanitizer >/dev/null; then
  heading 'sanitizers'
  sanitize() { # TOOL FILTER, which has to name tests: none at all would pass
    if ! "$prefix/bin/thc_tests" --gtest_list_tests --gtest_filter="$2" | grep -q '^  '; then
      run_job "compute-sanitizer --tool $1 $2: there are no such tests" 10 false
      return
    fi
    job "compute-sanitizer --tool $1 $2" 120 env THC_MEMORY=guard compute-sanitizer --tool "$1" \
      --error-exitcode 1 "$prefix/bin/thc_tests" --gtest_filter="$2"
  }
  for suite in Copy MaskTest Scan Blas Softmax Pooling Reduce Index Sort BatchNorm Loss Conv; do
    sanitize memcheck "$suite.*"
  done
  for suite in Copy Reduce Blas Softmax BatchNorm Scan; do
    sanitize racecheck "$suite.*"
  done
fi
heading 'guarded memory'
mapfile -t names < <("$th" test/gpu/operations.lua)
for name in "${names[@]}"; do
  job "$name, guard" 60 env THC_MEMORY=guard "$th" test/gpu/operations.lua "$name"
done
