#!/bin/bash
# The packages of one commit have the same bytes, whichever folder they are made in.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
needs dpkg-deb git
# shellcheck source=tests/cli/release_common
source "$source_dir/tests/cli/release_common"
[ -f "$source_dir/build/release/share/handoff/o200k_base.image" ] || skip_test "the token ranks are missing"
export SOURCE_DATE_EPOCH=1767225600 MAINTAINER='A Packager <packager@example.com>'

copy=$folder/another/deeper/folder
mkdir -p "$copy/data"
(cd "$source_dir" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy")
cp -r "$source_dir/data/node_modules" "$copy/data"
last='make dist, here and in another folder'
"$source_dir/scripts/dist" "$folder/here" >"$folder/out" 2>"$folder/err"
expect_that "it fails here" [ $? = 0 ]
make -s --no-print-directory -C "$copy" dist >"$folder/out" 2>"$folder/err"
expect_that "it fails there" [ $? = 0 ]
diff "$folder/here/SHA256SUMS" "$copy/build/dist/SHA256SUMS" >"$folder/out" 2>&1
expect_no_out
finish
