#!/bin/bash
# The ledger in process: the growth of `next` and `search` with the number of handoffs. LEDGER_MOST=N: up to so many handoffs instead of 1,000,000.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
libraries=()
for layer in engine store model doc base; do libraries+=("build/release/libho_$layer.a"); done
gcc -std=gnu17 -O2 -D_GNU_SOURCE -Isrc bench/ledger_bench.c "${libraries[@]}" -l:libsqlite3.a -l:libyaml.a \
  -l:libcmark.a -l:libsodium.a -lm -lpthread -o "$folder/ledger_bench"
"$folder/ledger_bench" "$folder" "${LEDGER_MOST:-1000000}"
