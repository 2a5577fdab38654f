#!/bin/bash
# The released programs need no library and no loader, lie at another address in every run, and have no page that is
# both written and executed.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/release_common
source "$source_dir/tests/cli/release_common"

# wrong_with FILE: a line for each thing that a hardened static program should not be.
wrong_with()
{
  local headers dynamic
  headers=$(readelf -hlW "$1") dynamic=$(readelf -dW "$1")
  grep -q '^ *Type: *DYN' <<<"$headers" && grep -q 'FLAGS_1.* PIE' <<<"$dynamic" || echo "at a fixed address"
  grep -q '^ *INTERP' <<<"$headers" && echo "needs a loader"
  grep -q '(NEEDED)' <<<"$dynamic" && echo "needs libraries"
  grep -q TEXTREL <<<"$dynamic" && echo "code is changed at the start"
  grep -q '^ *GNU_RELRO' <<<"$headers" || echo "addresses stay writable"
  grep -q 'BIND_NOW\|FLAGS_1.* NOW' <<<"$dynamic" || echo "addresses are looked up late"
  grep '^ *GNU_STACK' <<<"$headers" | grep -q ' RW ' || echo "the stack can be executed"
  grep '^ *LOAD' <<<"$headers" | grep -q ' RWE ' && echo "pages can be written and executed"
  return 0
}

# What it says of a program that is all of this.
echo 'int main(void) { return 0; }' >soft.c
cc -no-pie -Wl,-z,execstack,-z,norelro,-z,lazy -o soft soft.c
last='(a program without any of it)'
wrong_with soft >"$folder/out" 2>"$folder/err"
for line in "at a fixed address" "needs a loader" "needs libraries" "addresses stay writable" \
  "addresses are looked up late" "the stack can be executed"; do
  expect_out "$line"
done

for program in "$handoff" "$handoff-server"; do
  last="(the released $(basename "$program"))"
  wrong_with "$program" >"$folder/out" 2>"$folder/err"
  expect_no_out
  expect_no_err
done
expect 0 version

# What the compiler adds cannot be seen in a stripped program; that it was asked to can.
commands=$source_dir/build/release/compile_commands.json
for flag in -fstack-protector-strong -fstack-clash-protection '-D_FORTIFY_SOURCE=[23]'; do
  last="(compiled with $flag)"
  expect_that "not every file is" \
    [ "$(grep -c '"command":.* -c ' "$commands")" = "$(grep -c -- "\"command\":.* $flag .*-c " "$commands")" ]
done
finish
