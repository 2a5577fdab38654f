#!/bin/bash
# `mcp`: the messages of both eras of the protocol, what is refused, and how a server ends.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/mcp_common
source "$source_dir/tests/cli/mcp_common"

# ---- The era of `initialize`.
for version in 2024-11-05 2025-03-26 2025-06-18 2025-11-25; do
  say "${hello/2025-11-25/$version}" '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":"p","method":"ping"}' \
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  answered 0 "m.result.protocolVersion === '$version' && m.result.serverInfo.name === 'handoff' && m.result.instructions.length < 2048"
  answered '"p"' 'JSON.stringify(m.result) === "{}"'
  answered 1 'm.result.tools.length === 10 && m.result.tools.every(t => t.inputSchema.type === "object") && !m.result.resultType'
  expect_that "a notification was answered" [ "$(wc -l <"$folder/out")" = 3 ]
done
say "${hello/2025-11-25/1999-01-01}"
answered 0 'm.result.protocolVersion === "2025-11-25"'
say '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' '{"jsonrpc":"2.0","id":2,"method":"ping"}'
answered 1 'm.error.code === -32602'
answered 2 'm.result'
expect_that "the instructions are cut off by clients that take two kilobytes" [ "$("$handoff" mcp <<<"$hello" | node -pe 'Buffer.byteLength(JSON.parse(require("fs").readFileSync(0)).result.instructions)')" -le 2048 ]

# ---- The stateless era.
say "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{$state}}" \
  "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{$state}}" \
  "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{$state}}" \
  "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\",\"params\":{${state/2026-07-28/2031-01-01}}}" \
  "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}" \
  "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{$state,\"name\":\"handoff_status\",\"arguments\":{}}}" \
  "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{$state}}"
answered 1 'm.result.resultType === "complete" && m.result.supportedVersions[0] === "2026-07-28" && m.result.ttlMs > 0 && m.result.cacheScope === "public"'
answered 1 'm.result._meta["io.modelcontextprotocol/serverInfo"].name === "handoff"'
answered 2 'm.result.resultType === "complete" && m.result.ttlMs > 0 && m.result.tools.length === 10'
answered 3 'm.error.code === -32601'
answered 4 'm.error.code === -32022 && m.error.data.supported[0] === "2026-07-28" && m.error.data.requested === "2031-01-01"'
answered 5 'm.error.code === -32602'
answered 6 'm.result.resultType === "complete" && m.result.structuredContent.you === "some-client" && m.result.ttlMs === undefined'
answered 7 'm.error.code === -32601'

# ---- What is wrong is answered with its code, and the server goes on.
say "$hello" 'no JSON' '[]' '[1]' '1' '{}' '{"jsonrpc":"1.0","id":3,"method":"ping"}' '{"jsonrpc":"2.0","id":4}' \
  '{"jsonrpc":"2.0","id":5,"method":"nothing"}' '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":[]}' \
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"gate_decide"}}' '{"jsonrpc":"2.0","id":null,"method":"ping"}' \
  '{"jsonrpc":"2.0","id":{},"method":"ping"}' '{"jsonrpc":"2.0","id":8,"result":{}}' '{"jsonrpc":"2.0","method":"nothing"}' '' '   ' \
  '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"handoff_status","arguments":[]}}' \
  "$(printf '[%.0s' {1..500})" $'{"jsonrpc":"2.0","id":"\xff","method":"ping"}' '{"jsonrpc":"2.0","id":10,"method":"ping"}'
codes=$(node -pe 'JSON.parse(require("fs").readFileSync(process.argv[1])).filter(m => m.id === null).map(m => m.error.code).join(" ")' "$folder/list")
expect_that "without an id: $codes" [ "$codes" = "-32700 -32600 -32600 -32600 -32600 -32600 -32600 -32700 -32700" ]
answered 3 'm.error.code === -32600'
answered 4 'm.error.code === -32600'
answered 5 'm.error.code === -32601'
answered 6 'm.error.code === -32602'
answered 7 'm.error.code === -32602'
answered 9 'm.error.code === -32602'
answered 10 'm.result'
expect_json "$folder/list" '!v.some(m => m.id === 8)'

# Several messages as a list are for the one version that has them.
say "${hello/2025-11-25/2025-03-26}" '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]'
answered 1 'm.result'
answered 2 'm.result'

# A line that is too long is refused without being kept, the next one is answered; so is a last one without its end.
last='mcp with a long line'
{ printf '%s\n{"jsonrpc":"2.0","id":1,"method":"' "$hello"; head -c 20000000 /dev/zero | tr '\0' x; printf '"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}'; } |
  "$handoff" mcp >"$folder/out" 2>"$folder/err"
expect_out '"error":{"code":-32600,"message":"the message is longer than 16777216 bytes"}'
expect_out '{"jsonrpc":"2.0","id":2,"result":{}}'

# ---- Calls that wait keep nobody waiting, and can be cancelled.
last='mcp that waits'
{
  printf '%s\n' "$hello" "$(call 1 next_handoff '{"wait":40}')" "$(call 2 next_handoff '{"wait":1}')" '{"jsonrpc":"2.0","id":3,"method":"ping"}'
  sleep 2
  printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
} | timeout 20 "$handoff" mcp >"$folder/out" 2>"$folder/err"
status=$?
expect_that "exit status $status" [ "$status" = 0 ]
expect_that "the ping had to wait" [ "$(sed -n 2p "$folder/out")" = '{"jsonrpc":"2.0","id":3,"result":{}}' ]
expect_that "a cancelled call was answered" [ "$(wc -l <"$folder/out")" = 3 ]
expect_out 'nothing ready'

# A call that has waited is answered when its time is over, while the client says nothing.
last='mcp with a client that is silent'
mkfifo "$folder/in"
timeout 60 "$handoff" mcp <"$folder/in" >"$folder/out" 2>"$folder/err" &
server=$!
exec 9>"$folder/in"
printf '%s\n' "$hello" "$(call 1 next_handoff '{"wait":1}')" >&9
for ((i = 0; i < 150; i++)); do
  ! grep -q 'nothing ready' "$folder/out" || break
  sleep 0.1
done
expect_out 'nothing ready'
exec 9>&-
wait "$server"

# ---- Which tools are offered.
names() { options=("$@") && say "$hello" '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' && options=() &&
  names=$(node -pe 'JSON.parse(require("fs").readFileSync(process.argv[1])).find(m => m.id === 1).result.tools.map(t => t.name).join(" ")' "$folder/list"); }
names --read-only
expect_that "$names" [ "$names" = 'handoff_status search_knowledge check_document' ]
names --tools handoff_status,next_handoff,check_document --exclude check_document
expect_that "$names" [ "$names" = 'handoff_status next_handoff' ]
names --tools work
expect_that "$names" grep -q finish_handoff <<<"$names"
expect_that "$names" test -z "$(grep -o send_handoff <<<"$names")"
names --tools lead
expect_that "$names" grep -q send_handoff <<<"$names"
expect 2 mcp --tools nothing </dev/null
expect 2 mcp --tools hando_status </dev/null
expect_err "did you mean 'handoff_status'"
options=(--read-only)
say "$hello" "$(call 1 next_handoff '{}')"
options=()
answered 1 'm.error.code === -32602'

# ---- Nothing that only a person may do is a tool, nor a way through one, even if nothing shows that an agent acts.
say "$hello" "$(call 1 ask_person '{"question":"Shall the old import be removed? Nobody has used it since May."}')"
answered 1 'm.result.structuredContent.gate === "G-2026-001" || m.result.structuredContent.gate.endsWith("-001")'
gate=$(grep -o 'G-20[0-9-]*' "$folder/out" | head -1)
say "$hello" "$(call 1 finish_handoff "{\"outcome\":\"reject\",\"note\":\"no\",\"id\":\"$gate\"}")" \
  "$(call 2 handoff_status "{\"id\":\"$gate\"}")"
answered 1 'm.result.isError && m.result.structuredContent.error === "gated"'
answered 2 'm.result.structuredContent.state === "open"'

# ---- A document is checked, by its path and as a text; "-" and /dev/stdin are not what the client sends.
printf 'handoff:\n  to: {agent: coder}\n' >short.yaml
say "$hello" "$(call 1 check_document '{"path":"short.yaml"}')" "$(call 2 check_document '{"text":"handoff:\n  to: {agent: coder}\n"}')" \
  "$(call 3 check_document '{"path":"/dev/stdin"}')" "$(call 4 send_handoff '{"to":"coder","path":"/dev/stdin"}')" \
  "$(call 5 handoff_status '{"id":"/proc/self/fd/0"}')" "$(call 6 check_document '{"path":"-"}')" '{"jsonrpc":"2.0","id":7,"method":"ping"}'
for id in 1 2; do
  answered $id '!m.result.isError && m.result.structuredContent.format === "package" && !m.result.structuredContent.valid'
  answered $id 'm.result.structuredContent.findings.some(f => f.at.includes("context"))'
done
answered 4 'm.result.isError'
answered 5 'm.result.isError'
answered 7 'm.result'

# ---- What nobody sees is not passed on to an agent; tabs and what people write in are.
hidden='\u{e0069}\u{e0067}\u{202e}\u{2066}\u{200b}\u{2060}\u{1b}[31m'
node -e 'process.stdout.write(JSON.stringify({handoff: {from: {agent: "lead"}, to: {agent: "some-client"}, context: {summary: `Deploy the café\tnow '"$hidden"' to staging, as in May`,
  decisions: [{decision: `Keep '"$hidden"' it`, rationale: "x"}]}, expectations: {deliverable: `A release '"$hidden"' of 2 files`, success_criteria: ["returns 200"]}}}))' >hidden.json
expect 0 send hidden.json
hidden_id=$(grep -o 'HO-20[0-9]*-[0-9]*' "$folder/out" | head -1)
expect 0 ask "May it '$(node -pe "\`$hidden\`")' start?" --as some-client
unseen='/[\u{e0000}-\u{e007f}\u202e\u2066\u200b\u2060]|(?<!\\)\\u001b/u.test(JSON.stringify(m.result.structuredContent))'
say "$hello" "$(call 1 next_handoff '{}')" "$(call 2 handoff_status '{}')" "$(call 3 search_knowledge '{"query":"Keep"}')" \
  "$(call 4 search_knowledge '{"query":"Deploy","in":"handoffs"}')" "$(call 5 report_progress "$(node -pe "JSON.stringify({action: 'start', task: '1', phase: '1', objectives: [\`Do $hidden it\`]})")")" \
  '{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"handoff://handoff/'"$hidden_id"'"}}'
answered 6 "m.result.contents[0].text.includes('to staging') && !/[\\u{e0000}-\\u{e007f}\\u202e\\u2066\\u200b\\u2060]/u.test(m.result.contents[0].text)"
for id in 1 2 3 4 5; do
  answered $id "!m.result.isError && !($unseen)"
done
answered 1 'm.result.structuredContent.text.includes("café")'
answered 3 'm.result.structuredContent.hits.length'

# ---- What docs/mcp.md lists is what the program offers.
last='the table of docs/mcp.md'
expect_that "docs/mcp.md is not what the program says; run: make generate" diff \
  <(sed '1,/^<!-- tools:/d; /^<!-- end of tools/,$d' "$source_dir/docs/mcp.md") <("$source_dir/scripts/mcp-tools.mjs" "$handoff")
finish
