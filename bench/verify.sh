#!/bin/bash
# How `verify` grows with the number of handoffs. VERIFY_MOST=N: up to so many handoffs instead of 1,000,000.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
compile verify_bench
"$folder/verify_bench" "$folder" "${VERIFY_MOST:-1000000}"
