# The test runners and their sum; to be sourced by bash in the root of the repository.

passed=0
failed=0
skipped=0

heading() {
  printf '\n== %s\n' "$1"
}

# count PASSED FAILED SKIPPED
count() {
  passed=$((passed + $1))
  failed=$((failed + $2))
  skipped=$((skipped + $3))
}

# attribute NAME: its value in the first element of the XML on standard input.
attribute() {
  sed -n "s/.*<testsuites [^>]*\\b$1=\"\\([0-9]*\\)\".*/\\1/p" | head -n 1
}

# run_googletest BUILD [PROGRAM]
run_googletest() {
  local program=${2:-th_tests}
  heading "GoogleTest ($1, $program)"
  local report=$1/$program.xml status xml tests failures
  rm -f "$report"
  "$1/bin/$program" --gtest_brief=1 --gtest_output="xml:$report" </dev/null
  status=$?
  xml=$(cat "$report" 2>/dev/null)
  tests=$(attribute tests <<<"$xml")
  if test -z "$tests"; then
    echo "$program ended with status $status before it could report"
    count 0 1 0
    return
  fi
  failures=$(attribute failures <<<"$xml")
  local left_out
  left_out=$(grep -c -E '<testcase .*(result="skipped"|status="notrun")' <<<"$xml")
  count $((tests - failures - left_out)) "$failures" "$left_out"
  if test $status != 0 && test "$failures" = 0; then
    echo "every test passed, yet $program ended with status $status (a leak, or a crash at exit)"
    count 0 1 0
  fi
}

declare -A busted_process # by the file that its output goes to

trap 'kill $(jobs -p) 2>/dev/null' EXIT

# start_busted REPORT BUILD [ARGUMENT...]: behind what comes next, until finish_busted REPORT. What
# the shell runs in the background ignores interrupts, and so would the programs that specs interrupt.
start_busted() {
  : >"$1" # to be followed from now on
  env --default-signal=INT,QUIT "$2/bin/th" "$(type -P busted)" --output=plainTerminal "${@:3}" </dev/null >"$1" 2>&1 &
  busted_process[$1]=$!
}

# finish_busted REPORT: show what it prints, and count.
finish_busted() {
  heading "busted (${1%.txt})"
  local report=$1 status
  tail --lines=+1 --follow --pid="${busted_process[$1]}" "$report"
  wait "${busted_process[$1]}"
  status=$?
  local summary='s/^\([0-9]*\) success[es]* \/ \([0-9]*\) failures* \/ \([0-9]*\) errors* \/ '
  summary+='\([0-9]*\) pending.*/\1 \2 \3 \4/p'
  local numbers
  read -r -a numbers < <(sed -n "$summary" "$report" | tail -n 1)
  if test "${#numbers[@]}" != 4; then
    echo "busted ended with status $status before it could report"
    count 0 1 0
    return
  fi
  count "${numbers[0]}" $((numbers[1] + numbers[2])) "${numbers[3]}"
  if test "$status" != 0 && test $((numbers[1] + numbers[2])) = 0; then
    echo "every test passed, yet busted ended with status $status"
    count 0 1 0
  fi
}

# run_check NAME COMMAND...: one test that passes when the command does.
run_check() {
  heading "$1"
  shift
  if "$@" </dev/null; then
    count 1 0 0
  else
    count 0 1 0
  fi
}

# The last line, and the status: 0 when something passed and nothing failed.
print_count() {
  printf '\n%d passed, %d failed' $passed $failed
  test $skipped = 0 || printf ', %d skipped' $skipped
  printf '\n'
  test $failed = 0 && test $passed -gt 0
}
