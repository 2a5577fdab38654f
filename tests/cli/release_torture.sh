#!/bin/bash
# Many commands at once, killed and stopped at random: nothing that was answered is lost (tests/js/torture/torture.mjs).
# TORTURE_SECONDS=N goes on that long; `make torture SECONDS=600` does.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/release_common
source "$source_dir/tests/cli/release_common"
needs git node
case $1 in /*) build=$1 ;; *) build=$source_dir/$1 ;; esac
HANDOFF=$handoff node "$source_dir/tests/js/torture/torture.mjs" "$build"
