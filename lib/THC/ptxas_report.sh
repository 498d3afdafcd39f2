#!/bin/sh
# Runs a compiler, "$@", with ptxas -v, and keeps what the assembler says of each kernel in
# OBJECT.ptxas beside the object; test/gpu/resources.sh reads it. The compiler cache repeats it.
object=
previous=
for word in "$@"; do
  test "$previous" = -o && object=$word
  previous=$word
done
"$@" -Xptxas=-v 2>"$object.stderr"
status=$?
pattern='^ptxas info|^ *[0-9]+ bytes stack frame'
grep -E "$pattern" "$object.stderr" >"$object.ptxas"
grep -vE "$pattern" "$object.stderr" >&2
rm -f "$object.stderr"
exit $status
