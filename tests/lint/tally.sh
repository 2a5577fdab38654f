#!/bin/bash
# The closing line of `make test` (scripts/tally) counts every test and every skipped case, by what the ctest that is
# installed says of them.
# shellcheck source=tests/common
source tests/common
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit

# results FILE: runs the tests of CTestTestfile.cmake, as scripts/test does.
results() { ctest --test-output-size-passed 10000000 --output-junit "$folder/$1" >/dev/null 2>&1; }

# says STATUS FILE... <<LINES: what tally prints of them, and how it ends.
says()
{
  local wanted=$1 status
  shift
  "$source_dir/scripts/tally" "$@" >out
  status=$?
  if ! diff - out || [ "$status" != "$wanted" ]; then
    echo "FAILED: tally $*: exit status $status"
    exit 1
  fi
}

cat >CTestTestfile.cmake <<'C'
add_test(good true)
add_test(parts bash -c "echo 'skipped: one case: no <tool> & no \"file\"'; seq 9999; echo 'skipped: another'")
C
results good.xml
says 0 good.xml <<'T'
skipped: parts: another
skipped: parts: one case: no <tool> & no "file"
2 passed, 0 failed, 2 skipped
T

cat >>CTestTestfile.cmake <<'C'
add_test(whole bash -c "echo 'skipped: no corpus'; exit 77")
add_test(mute bash -c "exit 77")
set_tests_properties(whole mute PROPERTIES SKIP_RETURN_CODE 77)
add_test(bad bash -c "echo 'this was skipped: not really'; exit 77")
add_test(gone /no/such/program)
C
results bad.xml
says 1 bad.xml good.xml none.xml <<'T'
skipped: mute: it does not say why
skipped: parts: another
skipped: parts: another
skipped: parts: one case: no <tool> & no "file"
skipped: parts: one case: no <tool> & no "file"
skipped: whole: no corpus
failed: bad (bad.xml)
failed: gone: Unable to find executable (bad.xml)
failed: no results: the build or the run did not end (none.xml)
4 passed, 3 failed, 6 skipped
T

cat >CTestTestfile.cmake <<'C'
add_test(whole bash -c "exit 77")
set_tests_properties(whole PROPERTIES SKIP_RETURN_CODE 77)
C
results none.xml
says 1 none.xml <<'T'
skipped: whole: it does not say why
0 passed, 0 failed, 1 skipped
T
echo "the closing line counts what it should"
