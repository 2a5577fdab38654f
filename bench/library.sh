#!/bin/bash
# The library's overhead, and the rate of fix.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
compile library_bench src/surface/library.c
"$folder/library_bench" examples/package.yaml examples/phase-2-handoff-20260309.md
