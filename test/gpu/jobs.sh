# shellcheck shell=bash disable=SC2154 # variables are run.sh's
# Jobs of a part of the GPU suite: processes with a time limit, some at a time, whose results are
# written as they come. To be sourced by run.sh, which has set $part, $out and $scratch.

case $part in
  first) default_budget=350 ;;
  *) default_budget=530 ;;
esac
budget=${BUDGET:-$default_budget}
jobs_at_once=${JOBS:-$(($(nproc) / 2 > 8 ? 8 : $(nproc) / 2 > 0 ? $(nproc) / 2 : 1))}
results=$out/$part.txt
failures=$out/$part-failures.txt
: >"$results"
: >"$failures"

# say TEXT: a line of the results, which several jobs may write at once.
say() {
  flock "$scratch" -c 'cat' <<<"$1" >>"$results"
  echo "$1"
}

heading() {
  wait
  say "== $1 (after $SECONDS s)"
}

seconds_left() {
  echo $((budget - SECONDS))
}

# The last words of a job: how many tests, or nothing.
summary_of() {
  grep -aE '^\[  (PASSED|FAILED|SKIPPED) +\] [0-9]+ tests?|^[0-9]+ success|^ERROR SUMMARY|RACECHECK SUMMARY' "$1" |
    tr '\n' ' ' | cut -c1-150
}

# run_job NAME LIMIT COMMAND...: now, waiting for it. 0 seconds are left: not run.
run_job() {
  local name=$1 limit=$2 log status begin end word
  shift 2
  if [ "$(seconds_left)" -lt 5 ]; then
    say "not run         $name"
    return
  fi
  [ "$limit" -lt "$(seconds_left)" ] || limit=$(seconds_left)
  log=$(mktemp -p "$scratch")
  begin=$(date +%s%N)
  timeout --kill-after=5 "$limit" "$@" >"$log" 2>&1 </dev/null
  status=$?
  end=$(date +%s%N)
  case $status in
    0) word=ok ;;
    77) word=skipped ;;
    124 | 137) word="TIME OUT" ;;
    *) word="FAILED $status" ;;
  esac
  say "$(printf '%-10s %5.1f s %s  %s' "$word" "$(((end - begin) / 100000000))e-1" "$name" \
    "$(summary_of "$log")")"
  if [ $status != 0 ] && [ $status != 77 ]; then
    { # one job's lines together
      printf '\n==== %s: %s\n' "$name" "$word"
      tail -c 16384 "$log"
    } | flock "$scratch" -c 'cat' >>"$failures"
  fi
  rm -f "$log"
}

# job NAME LIMIT COMMAND...: behind the script, with others.
job() {
  while [ "$(jobs -rp | wc -l)" -ge "$jobs_at_once" ]; do
    wait -n
  done
  run_job "$@" &
}

# count WORD: how many jobs ended so.
count() {
  grep -c "^$1" "$results" || true
}

finish() {
  wait
  local bad=$(($(count FAILED) + $(count 'TIME OUT')))
  say "$(printf '%d ok, %d failed, %d skipped, %d not run, in %d s' "$(count ok)" $bad \
    "$(count skipped)" "$(count 'not run')" $SECONDS)"
  test $bad = 0 && [ "$(count ok)" -gt 0 ]
}
