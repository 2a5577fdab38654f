#!/bin/bash
# What `make install` puts below a prefix is complete, and the program finds its data there.
build=$1
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"

prefix=$folder/prefix
DESTDIR='' cmake --install "$build" --prefix "$prefix" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
last=install
for file in bin/handoff share/man/man1/handoff.1 share/man/man1/handoff-gate-raise.1 share/handoff/schemas/package.json share/doc/handoff/LICENSE \
  share/bash-completion/completions/handoff share/zsh/site-functions/_handoff \
  share/fish/vendor_completions.d/handoff.fish; do
  expect_that "$file is there" test -s "$prefix/$file"
done

handoff=$prefix/bin/handoff
expect 0 version
echo 'Hello, world' >text
expect 0 tokens text
if [ -f "$prefix/share/handoff/o200k_base.image" ]; then
  expect_out o200k_base
else
  expect_out bytes/4
fi
expect_that "bash reads the completion" bash -n "$prefix/share/bash-completion/completions/handoff"
finish
