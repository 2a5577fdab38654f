#!/bin/bash
# The library's overhead, and the rate of fix.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
libraries=()
for layer in surface command engine store model doc base; do libraries+=("build/release/libho_$layer.a"); done
gcc -std=gnu17 -O2 -D_GNU_SOURCE '-DHO_VERSION="bench"' -Isrc -Iinclude bench/library_bench.c src/surface/library.c -Wl,--start-group "${libraries[@]}" \
  -Wl,--end-group -l:libsqlite3.a -l:libyaml.a -l:libcmark.a -l:libsodium.a -lm -lpthread -o "$folder/library_bench"
"$folder/library_bench" examples/package.yaml examples/phase-2-handoff-20260309.md
