#!/bin/bash
# Looking for credentials: nanoseconds per byte of hostile texts against the median over ordinary ones (this project's
# own documents and sources), in CPU time.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
compile secrets_bench
"$folder/secrets_bench" docs/*.md README.md ARCHITECTURE.md CHANGELOG.md examples/* src/*/*.[ch] src/*/*/*.[ch] schemas/*
