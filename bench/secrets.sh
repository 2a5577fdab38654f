#!/bin/bash
# Looking for credentials: nanoseconds per byte of hostile texts against the median over ordinary ones (this project's
# own documents and sources), in CPU time.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
gcc -std=gnu17 -O2 -D_GNU_SOURCE -Isrc bench/secrets_bench.c build/release/libho_model.a build/release/libho_doc.a \
  build/release/libho_base.a -l:libyaml.a -l:libcmark.a -l:libsodium.a -lm -lpthread -o "$folder/secrets_bench"
"$folder/secrets_bench" docs/*.md README.md ARCHITECTURE.md CHANGELOG.md examples/* src/*/*.[ch] src/*/*/*.[ch] schemas/*
