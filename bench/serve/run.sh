#!/usr/bin/env bash
# bench/serve/run.sh: examples/serve beside FastAPI on uvicorn with PyTorch, two workers each, by turns;
# prints a Markdown table. wrk (apt install wrk), nginx and its Lua module must be there; PYTHON names an
# interpreter with torch, fastapi, orjson, uvicorn, uvloop and httptools. SECONDS_EACH, ROUNDS.
set -euo pipefail
cd "$(dirname "$0")/../.."

th=${TH:-build/cpu/bin/th}
python=${PYTHON:-python3}
folder=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$folder"' EXIT
"$th" bench/serve/models.lua "$folder"

# start MODEL ours|peer: a server at port 18080, that answers.
start() {
  if test "$2" = ours; then
    "$th" examples/serve/serve.lua --model "$folder/$1.t7" --port 18080 >"$folder/log" 2>&1 &
  else
    (cd bench/serve && MODEL=$1 exec "$python" -m uvicorn peer:app --workers 2 --port 18080 \
      --log-level critical) >"$folder/log" 2>&1 &
  fi
  server=$!
  for _ in $(seq 600); do
    if (exec 3<>/dev/tcp/127.0.0.1/18080) 2>/dev/null; then
      sleep 2
      return
    fi
    sleep 0.1
  done
  cat "$folder/log" >&2
  exit 1
}

stop() {
  kill "$server"
  wait "$server" || true
  server=
}

# Processor time of the server and its workers, in ticks.
spent() {
  local process fields ticks=0
  for process in "$server" $(pgrep -P "$server"); do
    read -ra fields <"/proc/$process/stat"
    ticks=$((ticks + fields[13] + fields[14]))
  done
  echo $ticks
}

for _ in $(seq "${ROUNDS:-2}"); do
  for model in mlp lenet; do
    for who in ours peer; do
      start $model $who
      for body in json floats; do
        file=$folder/sample kind=application/octet-stream
        if test $body = json; then
          file=$folder/sample.json kind=application/json
        fi
        for connections in 1 8 64; do
          before=$(spent)
          row=$(BODY=$file KIND=$kind wrk -t1 -c$connections -d"${SECONDS_EACH:-5}" \
            -s bench/serve/post.lua http://127.0.0.1:18080/predict | sed -n 's/^row //p')
          echo "$model $body $connections $who $row $(($(spent) - before))" >>"$folder/rows"
        done
      done
      stop
    done
  done
done

# Of each the best of the rounds, for others may use the machine: requests a second; median and 99th percentile in
# ms of the round with the least 99th; and requests for each second of the servers' processor time, which tell more.
echo '| net, body, connections | requests/s | p50, p99 ms | FastAPI | p50, p99 ms | ratio |' \
  'by processor time | FastAPI | ratio | failed, FastAPI |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
awk -v hertz="$(getconf CLK_TCK)" '
     { key = $1 ", " $2 ", " $3
       if (!(key in seen)) { seen[key] = 1; order[++n] = key }
       failed[key, $4] += $8
       each = $9 / ($10 / hertz)
       if (each > most[key, $4]) { most[key, $4] = each }
       if ($5 > rate[key, $4]) { rate[key, $4] = $5 }
       if (!((key, $4) in late) || $7 < late[key, $4]) { late[key, $4] = $7; times[key, $4] = $6 ", " $7 } }
     END { for (i = 1; i <= n; i++) { k = order[i]
       printf "| %s | %d | %s | %d | %s | %.1f | %d | %d | %.1f | %d, %d |\n", k,
         rate[k, "ours"], times[k, "ours"], rate[k, "peer"], times[k, "peer"],
         rate[k, "ours"] / rate[k, "peer"], most[k, "ours"], most[k, "peer"],
         most[k, "ours"] / most[k, "peer"], failed[k, "ours"], failed[k, "peer"] } }' "$folder/rows"
