#!/bin/bash
# `serve`: how a server starts, says where it is, answers, and ends.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/serve_common"
git init -q .

start
get /healthz
answered 200 'v.status === "ok" && v.events === 0'
expect_header 'Cache-Control: no-store'
expect_header 'X-Content-Type-Options: nosniff'
expect 0 ask "Ship it?"
get /healthz
answered 200 'v.events > 0'
get /nothing
answered 404 'v.error.code === "not_found"'
get -X POST -d x /healthz
answered 405 'v.error.code === "usage"'
expect_header 'Allow: GET'

# A store that is there and cannot be read is not healthy.
cp .handoff/handoff.db "$folder/kept"
rm -f .handoff/handoff.db-wal .handoff/handoff.db-shm
printf 'no database' >.handoff/handoff.db
get /healthz
answered 503 'v.error.code === "store"'
cp "$folder/kept" .handoff/handoff.db

end 0
get /healthz
expect_that "something still listens" [ "$status" = 000 ]

expect 2 serve --listen nonsense
expect_err "write it as 127.0.0.1:8420"
expect 2 serve --listen 127.0.0.1:99999
expect 2 serve --listen example.org:80
finish
