#!/bin/bash
# How long a process start takes: `handoff version` against a C program that does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'int main(void) { return 0; }' >"$work/nothing.c"
gcc -O2 -o "$work/nothing" "$work/nothing.c"
gcc -O2 -o "$work/start" bench/start.c
"$work/start" 1.4 "$work/nothing" "${HANDOFF:-build/handoff}" version
