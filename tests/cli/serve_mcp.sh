#!/bin/bash
# `/mcp`: the Model Context Protocol over HTTP, in both eras: sessions and streams, headers, who acts, and what waits.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/serve_common"
git init -q .
make_tokens
other=$("$handoff" token new other --role agent:other 2>/dev/null)
start --fixtures "$source_dir/tests/mcp/fixtures.json"

typed=(-H 'Content-Type: application/json')
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"io.modelcontextprotocol/clientInfo":{"name":"some client","version":"1"}}'
hello='{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"some client","version":"1"}}}'
# ask TOKEN METHOD [NAME] [MEMBERS] [OPTION of curl]...: a request of the stateless era, with the headers that belong to it.
ask()
{
  local name=()
  [ -z "${3:-}" ] || name=(-H "Mcp-Name: $3")
  get_as "$1" "${typed[@]}" -H 'MCP-Protocol-Version: 2026-07-28' -H "Mcp-Method: $2" "${name[@]}" "${@:5}" \
    -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$2\",\"params\":{$meta${4:+,$4}}}" /mcp
  plain
}
# tool TOKEN NAME ARGUMENTS [OPTION of curl]...
tool() { ask "$1" tools/call "$2" "\"name\":\"$2\",\"arguments\":$3" "${@:4}"; }
# plain: of a stream, the last message instead.
plain() { ! grep -q '^data: ' "$folder/out" || { sed -n 's/^data: //p' "$folder/out" | tail -1 >"$folder/last" && mv "$folder/last" "$folder/out"; }; }
# say MESSAGE [OPTION of curl]...: in the session $session.
say() { get_as "$coder" "${typed[@]}" -H "Mcp-Session-Id: $session" "${@:2}" -d "$1" /mcp && plain; }
# open TOKEN: opens a session.
open() { get_as "$1" "${typed[@]}" -d "$hello" /mcp && session=$(sed -n 's/^Mcp-Session-Id: \([0-9a-f]*\).*/\1/ip' "$folder/headers"); }

# ---- The stateless era.
ask "$coder" server/discover
answered 200 'v.result.supportedVersions[0] === "2026-07-28"'
expect_header 'Content-Type: application/json'
tool "$coder" handoff_status '{}'
answered 200 'v.result.structuredContent.you === "coder"'
ask "$coder" nothing
answered 404 'v.error.code === -32601'
get_as "$coder" "${typed[@]}" -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/list' -d '{"jsonrpc":"2.0","method":"notifications/x"}' /mcp
expect_that "a notification: $status" [ "$status" = 202 ]

# The headers say what the message does, or nothing is done.
list="{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{$meta}}"
for headers in "" "MCP-Protocol-Version: 2026-07-28" "Mcp-Method: tools/list" "MCP-Protocol-Version: 2026-07-28|Mcp-Method: tools/call" \
  "MCP-Protocol-Version: 2025-11-25|Mcp-Method: tools/list" "MCP-Protocol-Version: 2031-01-01|Mcp-Method: tools/list" "MCP-Protocol-Version: 2026-07-28|Mcp-Method: Tools/List"; do
  options=()
  while IFS= read -rd '|' header; do options+=(-H "$header"); done <<<"$headers|"
  [ -n "$headers" ] || options=()
  get_as "$coder" "${typed[@]}" "${options[@]}" -d "$list" /mcp
  answered 400 'v.error.code === -32020 && v.id === 1'
done
for name in '' other_tool 'HANDOFF_STATUS' '=?base64?aGFuZG9mZl9zdGF0dXM?=' '=?base64?aGFuZG9mZl9z!GF0dXM=?='; do
  ask "$coder" tools/call "$name" '"name":"handoff_status","arguments":{}'
  answered 400 'v.error.code === -32020'
done
ask "$coder" tools/call '=?base64?aGFuZG9mZl9zdGF0dXM=?=' '"name":"handoff_status","arguments":{}'
answered 200 'v.result.structuredContent'
get_as "$coder" "${typed[@]}" -H 'MCP-Protocol-Version: 2031-01-01' -H 'Mcp-Method: tools/list' -d "${list/2026-07-28/2031-01-01}" /mcp
answered 400 'v.error.code === -32022 && v.error.data.supported[0] === "2026-07-28"'
ask "$coder" tools/call test_missing_capability '"name":"test_missing_capability","arguments":{}'
answered 400 'v.error.code === -32021 && v.error.data.requiredCapabilities.sampling'
for method in GET DELETE; do
  get_as "$coder" -X $method -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Session-Id: x' /mcp
  answered 405 'v.error.code === "usage"'
  expect_header 'Allow: POST'
done

# ---- What it takes.
get_as "$coder" -d "$list" /mcp
answered 415 'v.error.message.includes("Content-Type")'
get_as "$coder" "${typed[@]}" -H 'Accept: application/json' -d "$list" /mcp
answered 406 'v.error.message.includes("text/event-stream")'
for body in 'no JSON' '{}' '[]' '{"jsonrpc":"2.0","id":{},"method":"ping"}'; do
  get_as "$coder" "${typed[@]}" -d "$body" /mcp
  answered 400 'v.error.code < -32599'
done
get "${typed[@]}" -d "$list" /mcp
expect_that "without a token: $status" [ "$status" = 401 ]

# ---- Sessions.
get_as "$coder" "${typed[@]}" -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' /mcp
answered 400 'v.error.message.includes("initialize")'
open "$coder"
answered 200 'v.result.protocolVersion === "2025-11-25"'
expect_that "no session" [ -n "$session" ]
say '{"jsonrpc":"2.0","method":"notifications/initialized"}'
expect_that "a notification: $status" [ "$status" = 202 ]
say '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
answered 200 'v.result.tools.some(t => t.name === "next_handoff")'
say '{"jsonrpc":"2.0","id":1,"method":"nothing"}'
answered 200 'v.error.code === -32601'
for thief in "$other" "$reader" "$alice"; do # a session is its token's
  get_as "$thief" "${typed[@]}" -H "Mcp-Session-Id: $session" -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' /mcp
  answered 404 'v.error.code === "not_found"'
  get_as "$thief" -X DELETE -H "Mcp-Session-Id: $session" /mcp
  expect_that "another one ended it: $status" [ "$status" = 404 ]
  get_as "$thief" -m 2 -H "Mcp-Session-Id: $session" /mcp
  expect_that "another one listened: $status" [ "$status" = 404 ]
done

# One stream for what belongs to no request; the server asks in the answer's own stream, and goes on when that is answered.
listen() { curl -sN -m 20 -H "Authorization: Bearer $coder" -H "Mcp-Session-Id: $session" "$at/mcp" >"$folder/stream" & listener=$!; }
awaits() { for ((i = 0; i < 150; i++)); do ! grep -q "$1" "$2" || return 0; sleep 0.1; done; expect_that "no $1" false; }
listen
sleep 0.5
get_as "$coder" -m 5 -H "Mcp-Session-Id: $session" /mcp
answered 409 'v.error.code === "conflict"'
say '{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"handoff://gate/G-'"$(date +%Y)"'-001"}}'
answered 200 'v.result'
curl -sN -m 20 -H "Authorization: Bearer $reader" "${typed[@]}" -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: subscriptions/listen' -d \
  "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"subscriptions/listen\",\"params\":{$meta,\"notifications\":{\"resourceSubscriptions\":[\"handoff://gate/G-$(date +%Y)-001\"]}}}" "$at/mcp" >"$folder/heard" &
hearer=$!
awaits subscriptions/acknowledged "$folder/heard"
expect 0 ask "CSV or JSON for the export of station readings?" --option CSV --option JSON
awaits resources/updated "$folder/stream"
awaits '"method":"notifications/resources/updated".*"io.modelcontextprotocol/subscriptionId":7' "$folder/heard"
kill $hearer
wait $hearer
curl -sN -m 20 -H "Authorization: Bearer $coder" "${typed[@]}" -H "Mcp-Session-Id: $session" \
  -d '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"Who?"}}}' "$at/mcp" >"$folder/asked" &
asked=$!
awaits elicitation/create "$folder/asked"
id=$(sed -n 's/.*"id":"\(ask-[0-9]*\)".*/\1/p' "$folder/asked")
get_as "$other" "${typed[@]}" -H "Mcp-Session-Id: $session" -d "{\"jsonrpc\":\"2.0\",\"id\":\"$id\",\"result\":{\"action\":\"accept\"}}" /mcp
expect_that "another one answered: $status" [ "$status" = 404 ]
say "{\"jsonrpc\":\"2.0\",\"id\":\"$id\",\"result\":{\"action\":\"accept\",\"content\":{\"username\":\"ada\"}}}"
expect_that "an answer: $status" [ "$status" = 202 ]
wait $asked
expect_that "it did not go on: $(cat "$folder/asked")" grep -q 'User response: .*ada' "$folder/asked"
# A call that waits is cancelled by another message: its stream ends without an answer.
curl -sN -m 20 -H "Authorization: Bearer $coder" "${typed[@]}" -H "Mcp-Session-Id: $session" \
  -d '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"next_handoff","arguments":{"wait":15}}}' "$at/mcp" >"$folder/asked" &
asked=$! begin=$SECONDS
sleep 1
say '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}'
wait $asked
expect_that "it was not cancelled" [ $((SECONDS - begin)) -lt 10 ] && expect_that "it was answered" [ ! -s "$folder/asked" ]
say '' -X DELETE
expect_that "its end: $status" [ "$status" = 204 ]
wait $listener
expect_that "its stream ends with it: $?" [ $? = 0 ]
say '{"jsonrpc":"2.0","id":5,"method":"ping"}'
answered 404 'v.error.code === "not_found"'

# ---- Who acts: the token, whatever the client calls itself.
for token in "$reader" "$alice"; do
  ask "$token" tools/list
  answered 200 'v.result.tools.filter(t => !t.name.startsWith("test_") && t.annotations).every(t => t.annotations.readOnlyHint)'
  tool "$token" handoff_status '{}'
  answered 200 '!v.result.isError'
  for name in next_handoff reply_to_handoff finish_handoff send_handoff pass_phase report_progress ask_person; do
    tool "$token" $name '{}'
    answered 200 'v.error.code === -32602'
  done
done
tool "$coder" ask_person '{"question":"Shall the old import be removed? Nobody has used it since May."}'
answered 200 'v.result.structuredContent.gate.startsWith("G-")'
gate=$(grep -o 'G-20[0-9-]*' "$folder/out" | head -1)
for token in "$coder" "$other"; do
  tool "$token" finish_handoff "{\"outcome\":\"reject\",\"note\":\"no\",\"id\":\"$gate\"}"
  answered 200 'v.result.isError && v.result.structuredContent.error === "gated"'
done
get_as "$reader" "/api/v1/gate/show/$gate"
answered 200 'v.state === "open" || v.gate.state === "open"'

# A client may want fewer tools, and gets no more than there are for it.
for token in "$coder" "$reader"; do
  ask "$token" tools/list '' '' -H 'Handoff-Tools: handoff_status,send_handoff'
  answered 200 "v.result.tools.filter(t => t.annotations).map(t => t.name).join() === 'handoff_status$([ "$token" = "$reader" ] || echo ,send_handoff)'"
done
tool "$coder" next_handoff '{}' -H 'Handoff-Tools: handoff_status'
answered 200 'v.error.code === -32602'
ask "$coder" tools/list '' '' -H 'Handoff-Tools: hando_status'
answered 400 'v.error.message.includes("did you mean")'

# What is handed to one agent, only that one's token takes, in whichever session it asks.
tool "$coder" send_handoff '{"to":"other","summary":"The CSV import of station readings is done: one streaming reader, 2 GB in 41 seconds.","deliverable":"A review report that names each defect with file and line","criteria":["Every defect has a file and a line"]}'
answered 200 'v.result.structuredContent.state === "ready"'
tool "$coder" next_handoff '{}'
answered 200 '!v.result.structuredContent.id'
tool "$other" next_handoff '{}'
answered 200 'v.result.structuredContent.from === "coder"'
tool "$other" reply_to_handoff '{"task":"Review the reader"}'
answered 200 'v.result.structuredContent.state === "acked"'
tool "$other" handoff_status '{}' -H 'Handoff-Session: second'
answered 200 'v.result.structuredContent.you === "other"'
tool "$coder" handoff_status '{}' -H 'Handoff-Session: not/a name'
answered 400 'v.error.code === "usage"'

# ---- What a client keeps for the server is for whom it was given, for what, and as it was given.
tool "$coder" test_input_required_result_elicitation '{}'
answered 200 'v.result.resultType === "input_required" && v.result.requestState'
kept=$(node -pe 'JSON.parse(require("fs").readFileSync(process.argv[1])).result.requestState.replaceAll("\\", "\\\\").replaceAll("\"", "\\\"")' "$folder/out")
again() { ask "$1" tools/call "$2" "\"name\":\"$2\",\"arguments\":{},\"inputResponses\":{\"user_name\":{\"action\":\"accept\",\"content\":{\"name\":\"ada\"}}},\"requestState\":\"$3\""; }
again "$coder" test_input_required_result_elicitation "$kept"
answered 200 'v.result.resultType === "complete"'
for state in "x$kept" "${kept/1/2}" "${kept:0:64}" "${kept%?}" "$(tr 0-9a-f 1-9a-f0 <<<"${kept:0:64}")${kept:64}" '' '.' "${kept:0:65}"; do
  again "$coder" test_input_required_result_elicitation "$state"
  answered 200 'v.error.code === -32602'
done
again "$other" test_input_required_result_elicitation "$kept"
answered 200 'v.error.code === -32602'
again "$coder" test_input_required_result_sampling "$kept"
answered 200 'v.error.code === -32602'

# ---- What waits: the change is told at once, others are served meanwhile, and the end of the server is its end.
wait_for() { curl -sN -m 30 -H "Authorization: Bearer $1" "${typed[@]}" -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: next_handoff' \
  -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{$meta,\"name\":\"next_handoff\",\"arguments\":{\"wait\":25}}}" "$at/mcp" >"$2" & }
wait_for "$coder" "$folder/waits"
waiting=$!
sleep 1
tool "$coder" handoff_status '{}'
answered 200 'v.result.structuredContent.you === "coder"'
begin=$SECONDS
expect 0 send "Review the tests of the import" --to coder
wait $waiting
expect_that "it was not told: $(cat "$folder/waits")" grep -q '"id":"HO-' "$folder/waits"
expect_that "it was told late" [ $((SECONDS - begin)) -lt 6 ]
wait_for "$other" "$folder/waits"
waiting=$!
sleep 1
end 0
wait $waiting
expect_that "the end: $?" [ $? -le 18 ]
finish
