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
# What a client calls its session is a name like any other: a credential in it is not written down.
coder=$("$handoff" token new coder --role agent:coder 2>/dev/null)
secret="gh""p_$(head -c 200 /dev/urandom | base64 | tr -dc 'a-zA-Z0-9' | head -c 35)7"
post_as "$coder" /api/v1/send '{"path": "Look at the reader of CSV files", "to": "reviewer"}' -H "Handoff-Session: $secret"
answered 200 'v.state === "ready"'
post_as "$coder" /a2a '{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"configuration": {"returnImmediately": true}, "message": {
  "messageId": "m-1", "role": "ROLE_USER", "contextId": "'"$secret"'", "parts": [{"text": "Look at the writer of CSV files"}], "metadata": {"skill": "reviewer"}}}}' \
  -H 'A2A-Version: 1.0'
answered 200 'v.result.task.status.state === "TASK_STATE_SUBMITTED"'
end 0
expect_that "a credential was written down" [ -z "$(grep -rlaF "$secret" . ; find . -name "*$secret*")" ]
finish
