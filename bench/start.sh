#!/bin/bash
# How long a process start takes: `handoff version` against a C program that does nothing and is linked dynamically, as
# most programs are. Measure build/handoff or what was installed, not what the linker has just written: such a file lies
# in the page cache in small pieces, and starts slower by a sixth than its copy.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
compile_start
"$folder/start" 1.4 "$folder/nothing" "${HANDOFF:-build/handoff}" version
