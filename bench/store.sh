#!/bin/bash
# The store against SQLite's own speed, its growth with the number of handoffs, and the bytes it takes.
# STORE_MOST=N: up to so many handoffs instead of 1,000,000.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
compile store_bench
"$folder/store_bench" "$folder" "${STORE_MOST:-1000000}"
