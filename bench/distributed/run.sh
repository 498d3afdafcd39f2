#!/usr/bin/env bash
# bench/distributed/run.sh: all-reduce against the MPI library's own, and LeNet and ResNet-20 in one
# and two processes against PyTorch's DistributedDataParallel (gloo), by turns, one thread each.
# PYTHON names an interpreter that has PyTorch; ROUNDS (3) turns; SECONDS_EACH (5) a measurement.
# Lines: what, whose, processes, median and least seconds of a step.
set -euo pipefail
cd "$(dirname "$0")/../.."
th=$(realpath "${TH:-build/cpu/bin/th}")
python=${PYTHON:-python3}
export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mpicc -O2 bench/distributed/allreduce.c -o "$scratch/allreduce"

peer() {
  "$python" -c 'import torch' 2>/dev/null || return 0
  "$python" bench/distributed/training.py
  local rank
  for rank in 1 0; do
    RANK=$rank WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29517 "$python" bench/distributed/training.py &
  done
  wait
}

for _ in $(seq "${ROUNDS:-3}"); do
  mpirun -n 2 --oversubscribe --bind-to none "$scratch/allreduce"
  "$th" --workers 2 bench/distributed/allreduce.lua
  "$th" bench/distributed/training.lua
  "$th" --workers 2 bench/distributed/training.lua
  peer
done
