#!/bin/bash
# How long a process start takes: `handoff version` against a C program that does nothing and is linked dynamically, as
# most programs are. Measure build/handoff or what was installed, not what the linker has just written: such a file lies
# in the page cache in small pieces, and starts slower by a sixth than its copy.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'int main(void) { return 0; }' >"$work/nothing.c"
gcc -O2 -o "$work/nothing" "$work/nothing.c"
gcc -O2 -o "$work/start" bench/start.c
"$work/start" 1.4 "$work/nothing" "${HANDOFF:-build/handoff}" version
