#!/usr/bin/env bash
# bench/serve/soak.sh [SECONDS]: examples/serve under load for so long (1800) while its model is replaced
# every SWAP (2) seconds by another one and back, over CONNECTIONS (8). Every answer has to be that of one
# of the two; prints requests, wrong and lost answers, swaps, and what the workers hold at the beginning and
# at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."

th=${TH:-build/cpu/bin/th}
seconds=${1:-1800}
folder=$(mktemp -d)
chmod 755 "$folder" # workers of a server that root starts are nobody
server=
swapper=
trap 'kill $server $swapper 2>/dev/null || true; rm -rf "$folder"' EXIT
"$th" bench/serve/models.lua "$folder"
cp "$folder/mlp.t7" "$folder/model.t7"
"$th" examples/serve/serve.lua --model "$folder/model.t7" --port 18081 >"$folder/log" 2>&1 &
server=$!
for _ in $(seq 600); do
  (exec 3<>/dev/tcp/127.0.0.1/18081) 2>/dev/null && break
  sleep 0.1
done
sleep 1
kill -0 $server || { cat "$folder/log" >&2 && exit 1; } # another program has the port

# What each worker holds and shares with nobody.
held() {
  local worker
  for worker in $(pgrep -f '^nginx: worker process'); do
    awk '/^Private/ { kib += $2 } END { printf "%d MiB ", kib / 1024 }' "/proc/$worker/smaps_rollup"
  done
}

load() { # SECONDS
  BODY=$folder/sample KIND=application/octet-stream ANSWERS=$folder \
    wrk -t1 -c"${CONNECTIONS:-8}" --timeout 30 -d"$1" -s bench/serve/soak.lua http://127.0.0.1:18081/predict | sed -n 's/^soak //p'
}

load 20 >"$folder/warm"
before=$(held)
(
  while sleep "${SWAP:-2}"; do
    for name in lenet mlp; do
      cp "$folder/$name.t7" "$folder/aside" && mv "$folder/aside" "$folder/model.t7"
      sleep "${SWAP:-2}"
    done
  done
) &
swapper=$!
load "$seconds"
kill $swapper
curl -s http://127.0.0.1:18081/metrics | grep -E '^luatorch_(model_swaps|refused|failed)'
echo "workers held $before, then $(held)"
