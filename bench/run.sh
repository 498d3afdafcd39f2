#!/usr/bin/env bash
# bench/run.sh [case...]: every case of cases (as operations/gemm, nets/training) here and in PyTorch, by
# turns, on 1 and 2 threads; prints a Markdown table for bench/RESULTS.md. PyTorch is optional: PYTHON
# names an interpreter that has it.
# ONLY='sum 1e7' runs the cases whose names contain these words, QUICK=1 takes shorter samples,
# THREADS and ROUNDS say how many; COMPILED=1 adds PyTorch's compiled models where cases know them.
set -euo pipefail
cd "$(dirname "$0")/.."

th=${TH:-build/cpu/bin/th}
python=${PYTHON:-python3}
rounds=${ROUNDS:-3}
cases=("$@")
if [ ${#cases[@]} -eq 0 ]; then
  cases=(operations/{small,elementwise,reduce,order,random,products,gemm,apply}
    nets/{small_net,lstm_cell,lenet,optim,dqn,training,inference}
    operations/fuse nets/quantized operations/memory nets/peak)
fi

ours=$(mktemp)
theirs=$(mktemp)
trap 'rm -f "$ours" "$theirs"' EXIT

peer=no
if "$python" -c 'import torch' 2>/dev/null; then
  peer=yes
else
  echo "bench: $python has no PyTorch (pip install torch, or set PYTHON): no peer" >&2
fi

for _ in $(seq "$rounds"); do
  for case in "${cases[@]}"; do
    for threads in ${THREADS:-1 2}; do
      "$th" bench/run.lua "$threads" "$case" >>"$ours"
      if [ "$peer" = yes ]; then
        "$python" bench/pytorch.py "$threads" "$case" >>"$theirs"
      fi
      if [ -n "${COMPILED:-}" ] && [ "$peer" = yes ]; then
        case $case in
          nets/training | nets/inference | operations/fuse) COMPILE=1 "$python" bench/pytorch.py "$threads" "$case" >>"$theirs" ;;
        esac
      fi
    done
  done
done

cpu=$(sed -n '/^model name/{s/^[^:]*: //p;q}' /proc/cpuinfo)
version=none
if [ "$peer" = yes ]; then
  version=$("$python" -c 'import torch; print(torch.__version__)')
fi
echo "$(date -u +%Y-%m-%d), $cpu, $(nproc) cores, $("$th" --version | sed -n '1s/^[^,]*, //p'), PyTorch $version;" \
  "the best of $rounds rounds, each the median of 9 samples; a ratio above 1 means faster than PyTorch."
echo
luajit bench/compare.lua "$ours" "$theirs"
