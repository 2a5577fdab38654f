#!/bin/bash
# The person who started the server signs in with the link, however many wrong ones somebody else on this machine tries.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/../cli/serve_common"
git init -q .
expect 0 init
"$1/tests/person" -- "$handoff" serve --listen 127.0.0.1:0 >"$folder/shown" 2>"$folder/err" &
server=$!
for ((i = 0; i < 300; i++)); do
  link=$(tr -d '\r' <"$folder/shown" | grep -o 'http://[^ ]*/link/[0-9a-f]*')
  [ -z "$link" ] || break
  sleep 0.1
done
expect_that "the terminal shows no link" [ -n "$link" ]
at=${link%/link/*}
for ((i = 0; i < 40; i++)); do get -X POST "/link/$i"; done
expect_that "nobody stops who guesses: $status" [ "$status" = 429 ]
get -X POST "/link/${link##*/}"
expect_that "who guesses keeps the person out: $status" [ "$status" = 200 ]
get -X POST "/link/${link##*/}"
expect_that "the link works twice: $status" [ "$status" = 429 ]
finish
