#!/bin/bash
# What a server answers again without looking is never older than what anybody was told before: by a request, or by a command.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/serve_common"
git init -q .
make_tokens
expect 0 ask "Is there a store?" --as coder
start
for ((i = 0; i < 10; i++)); do
  for way in request command; do
    for _ in 1 2 3; do get_as "$reader" '/api/v1/list?limit=1&fields=id'; done
    old=$(node -pe 'JSON.parse(require("fs").readFileSync(process.argv[1])).handoffs[0]?.id' "$folder/out")
    [ $way = command ] || post_as "$coder" /api/v1/ask "{\"question\":\"CSV or JSON for export $i of the readings?\"}"
    [ $way = request ] || "$handoff" ask "Parquet or CSV for export $i of the readings?" --as coder >/dev/null 2>&1
    get_as "$reader" '/api/v1/list?limit=1&fields=id'
    answered 200 "v.handoffs[0].id !== '$old'"
  done
done
get_as "$coder" '/api/v1/list?limit=1&fields=id'
answered 200 'v.handoffs.length === 1'
short=$("$handoff" token new short --role read 2>/dev/null)
get_as "$short" /api/v1/list
get_as "$short" /api/v1/list
answered 200 'v.handoffs.length'
"$handoff" token revoke short >/dev/null 2>&1
get_as "$short" /api/v1/list
expect_that "a revoked token was not looked for: $status" [ "$status" = 401 ]
end 0
finish
