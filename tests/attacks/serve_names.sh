#!/bin/bash
# Who decided over HTTP stands in the ledger as it was said: a token's name that looks like the value of a token is neither
# taken for a credential, nor does `verify` find a difference; and what a proxy calls its user poses as nothing else.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/../cli/serve_common"
git init -q .
expect 0 init
start
for name in phone GitHubActions42 macbook-C02XK0GHJG5J ci-7f3a9b2c41d8e6 Kx9fT2mQ7vB4; do
  token=$("$handoff" token new "$name" --role decide:alice 2>/dev/null)
  gate=$("$handoff" ask "May the release $name be published?" --as coder 2>/dev/null | head -n 1)
  post_as "$token" "/api/v1/gate/decide/$gate" '{"decision": "approve", "note": "Yes"}'
  answered 200 "v.decided_by === 'token:$name' && v.proof === 'unsigned' && !v.doubt"
  expect 0 gate show "$gate" --json
  expect_json "$folder/out" "v.decided_by === 'token:$name' && !v.doubt"
  expect 0 log --json
  expect_out "token:$name"
  expect 0 verify
done
end 0
finish
