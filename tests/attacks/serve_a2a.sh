#!/bin/bash
# The Agent2Agent surface: what a token may not, it may not here either; what is no message is refused, and the server goes on.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/../cli/serve_common"
git init -q .
make_tokens
start

# a2a TOKEN BODY [OPTION of curl]...: a request; "@FILE" is a body, too.
a2a() { post_as "$1" /a2a "$2" -H 'A2A-Version: 1.0' "${@:3}"; }
# request METHOD PARAMS: its text.
request() { printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}' "$1" "$2"; }
# message PARTS MORE: the parameters of SendMessage.
message() { printf '{"configuration":{"returnImmediately":true},"message":{"messageId":"%s","role":"ROLE_USER","parts":%s%s}}' "$RANDOM$RANDOM" "$1" "${2:+,$2}"; }
words='[{"text":"Review the import of station readings"}]'
refused() { answered 200 "v.error && v.error.code === $2 && !v.result" || echo "  in: $1"; }
count() { "$handoff" list --json | node -e 'console.log(JSON.parse(require("fs").readFileSync(0)).handoffs.length)'; }

# ---- Nobody comes in without a token, from another origin, or by another name.
get -X POST -d "$(request ListTasks '{}')" -H 'Content-Type: application/json' /a2a
expect_that "without a token: $status" [ "$status" = 401 ]
get /.well-known/agent-card.json
expect_that "the card without a token: $status" [ "$status" = 401 ]
for header in 'Host: evil.example' 'Origin: http://evil.example' 'Sec-Fetch-Site: cross-site'; do
  a2a "$coder" "$(request ListTasks '{}')" -H "$header"
  expect_that "$header: $status" [ "$status" = 403 ]
done
get_as "$coder" /a2a
expect_that "GET: $status" [ "$status" = 405 ]
get -H "Authorization: Bearer $coder" -H 'A2A-Version: 1.0' -d "$(request ListTasks '{}')" /a2a
expect_that "a form: $status" [ "$status" = 400 ]

# ---- Roles: who only looks, or only decides, sends, answers and cancels nothing; nobody acts as somebody else.
a2a "$coder" "$(request SendMessage "$(message "$words" '"metadata":{"skill":"reviewer"}')")"
answered 200 'v.result.task.status.state === "TASK_STATE_SUBMITTED"'
id=$(date +HO-%Y-001)
for token in "$reader" "$alice"; do
  for body in "$(request SendMessage "$(message "$words" '"metadata":{"skill":"reviewer"}')")" "$(request CancelTask "{\"id\":\"$id\"}")" \
    "$(request SendMessage "$(message "$words" "\"taskId\":\"$id\"")")" "$(request SendStreamingMessage "$(message "$words" '"metadata":{"skill":"reviewer"}')")"; do
    a2a "$token" "$body"
    refused "$body" -32004
  done
done
forged='[{"data":{"handoff":{"from":{"agent":"alice"},"to":{"agent":"reviewer"},"context":{"summary":"Station readings are imported in one pass"},"expectations":{"deliverable":"A review of the import"}}}}]'
a2a "$coder" "$(request SendMessage "$(message "$forged")")"
refused "another sender" -32004
a2a "$coder" "$(request SendMessage "$(message "$words" '"metadata":{"skill":"human"}')")"
answered 200 'v.result.task.status.state === "TASK_STATE_AUTH_REQUIRED"'
gated=$(date +HO-%Y-002)
for token in "$reader" "$coder"; do
  for parts in '[{"text":"approve"}]' '[{"data":{"decision":"approve"}}]'; do
    a2a "$token" "$(request SendMessage "$(message "$parts" "\"taskId\":\"$gated\"")")"
    refused "an agent decides" -32004
  done
done
"$handoff" gate show 1 --json >"$folder/out"
expect_json "$folder/out" 'v.state === "open"'

# ---- Files: a message names none.
echo 'handoff: {context: {summary: treasure}}' >"$folder/secret.yaml"
for name in "$folder/secret.yaml" ../secret.yaml /etc/passwd .handoff/handoff.db; do
  for method in GetTask CancelTask SubscribeToTask; do
    a2a "$coder" "$(request $method "{\"id\":\"$name\"}")"
    refused "$method $name" -32001
    expect_not_out treasure
  done
  a2a "$coder" "$(request SendMessage "$(message "$words" "\"taskId\":\"$name\"")")"
  refused "an answer to $name" -32001
  a2a "$coder" "$(request SendMessage "$(message "[{\"text\":\"$name\"}]" '"metadata":{"skill":"reviewer","path":"'"$name"'"}')")"
  expect_not_out treasure
  a2a "$coder" "$(request SendMessage "$(message "[{\"url\":\"file://$name\"}]" '"metadata":{"skill":"reviewer"}')")"
  refused "a file as a part" -32005
done
before=$(count)

# ---- What is no request.
for body in '' '{' 'null' '7' '"GetTask"' '[]' "[$(request GetTask '{}')]" '{"jsonrpc":"1.0","id":1,"method":"GetTask"}' '{"jsonrpc":"2.0","id":{},"method":"GetTask"}' \
  '{"jsonrpc":"2.0","method":"GetTask","params":{}}' '{"jsonrpc":"2.0","id":1,"method":7}' '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}' '{"jsonrpc":"2.0","id":1,"result":{}}' \
  "$(request NoSuchMethod '{}')" "$(request "$(printf '%05000d' 0)" '{}')" "$(request GetTask '{"id":{}}')" "$(request GetTask '{"id":"1","historyLength":-1}')" "$(request ListTasks '{"pageSize":1e99}')" \
  "$(request ListTasks '{"pageSize":1000000}')" "$(request ListTasks '{"status":"open; DROP TABLE handoffs"}')" "$(request ListTasks '{"pageToken":"%00"}')" "$(request SendMessage '{"message":7}')" \
  "$(request SendMessage '{"message":{"messageId":"x","parts":{}}}')" "$(request SendMessage "$(message '[7]')")" "$(request SendMessage "$(message "$words" '"contextId":"../../x","metadata":{"skill":"reviewer"}')")" \
  "$(request SendMessage "$(message "$words" '"metadata":{"skill":"a b; rm -rf"}')")" "$(request SendMessage '{"message":{"parts":[{"text":"Review all of it"}],"metadata":{"skill":"reviewer"}}}')"; do
  a2a "$coder" "$body"
  expect_that "${body:0:100}: $status" grep -q '"error":{"code":-32' "$folder/out"
done
{ printf '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":'; printf '%100000s' '' | tr ' ' '['; } >"$folder/deep"
a2a "$coder" "@$folder/deep"
refused "nested" -32700
{ printf '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","metadata":{"skill":"reviewer"},"parts":['; for ((i = 0; i < 50000; i++)); do printf '{"text":"a"},'; done; printf '{"url":"x"}]}}}'; } >"$folder/parts"
a2a "$coder" "@$folder/parts"
expect_that "fifty thousand parts: $status" grep -q '"error":{"code":-32' "$folder/out"
raw "POST /a2a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer $coder\r\nContent-Length: 99999999999\r\n\r\n"
expect_that "a long body: $status" [ "$status" = 413 ]
expect_that "something was sent: $(count), not $before" [ "$(count)" = "$before" ]

# ---- Whoever follows and goes away leaves nothing behind; the others are served.
for ((i = 0; i < 20; i++)); do raw "POST /a2a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nA2A-Version: 1.0\r\nAuthorization: Bearer $coder\r\nContent-Length: 81\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SubscribeToTask\",\"params\":{\"id\":\"$id\"}}      " 5 60; done
a2a "$coder" "$(request CancelTask "{\"id\":\"$id\"}")"
answered 200 'v.result.status.state === "TASK_STATE_CANCELED"'
get_as "$reader" /metrics
expect_that "streams are left" grep -q '^handoff_http_waiting 0$' "$folder/out"
end 0
finish
