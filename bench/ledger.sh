#!/bin/bash
# The ledger in process: the growth of `next` and `search` with the number of handoffs. LEDGER_MOST=N: up to so many handoffs instead of 1,000,000.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
compile ledger_bench
"$folder/ledger_bench" "$folder" "${LEDGER_MOST:-1000000}"
