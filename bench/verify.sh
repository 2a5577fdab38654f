#!/bin/bash
# How `verify` grows with the number of handoffs. VERIFY_MOST=N: up to so many handoffs instead of 1,000,000.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
libraries=()
for layer in engine store model doc base; do libraries+=("build/release/libho_$layer.a"); done
gcc -std=gnu17 -O2 -D_GNU_SOURCE -Isrc bench/verify_bench.c "${libraries[@]}" -l:libsqlite3.a -l:libyaml.a \
  -l:libcmark.a -l:libsodium.a -lm -lpthread -o "$folder/verify_bench"
"$folder/verify_bench" "$folder" "${VERIFY_MOST:-1000000}"
