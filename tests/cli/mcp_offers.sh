#!/bin/bash
# `mcp`: resources, prompts, completion, and who is told of changes.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/mcp_common
source "$source_dir/tests/cli/mcp_common"

say "$hello" "$(call 1 ask_person '{"question":"Shall the old import be removed? Nobody has used it since May."}')"
gate=$(grep -o 'G-20[0-9-]*' "$folder/out" | head -1)
mkdir -p src && echo x >src/import.py
say "$hello" "$(call 1 send_handoff '{"to":"some-client","summary":"The CSV import of station readings is done: one streaming reader, 2 GB in 41 seconds.","deliverable":"A review report that names each defect with file and line","criteria":["Every defect has a file and a line"],"artifacts":["src/import.py: the reader"]}')"
answered 1 'm.result.structuredContent.state === "ready"'
id=$(grep -o 'HO-20[0-9-]*' "$folder/out" | head -1)

# ---- Resources, in both eras.
resource() { printf '{"jsonrpc":"2.0","id":%s,"method":"resources/read","params":{"uri":"%s"}}' "$1" "$2"; }
say "$hello" '{"jsonrpc":"2.0","id":1,"method":"resources/list"}' '{"jsonrpc":"2.0","id":2,"method":"resources/templates/list"}' \
  "$(resource 3 "handoff://handoff/$id")" "$(resource 4 "handoff://gate/$gate")" "$(resource 5 handoff://format/package)" \
  "$(resource 6 handoff://journal)" "$(resource 7 handoff://handoff/HO-1999-001)" "$(resource 8 handoff://handoff/src/import.py)" \
  "$(resource 9 handoff://nothing)" '{"jsonrpc":"2.0","id":10,"method":"resources/read"}' "$(resource 11 handoff://handoff/..%2fgate)"
answered 0 'm.result.capabilities.resources.subscribe && m.result.capabilities.prompts && m.result.capabilities.completions && !m.result.capabilities.logging'
answered 1 'm.result.resources.length === 1 && m.result.resources[0].uri === "handoff://journal"'
answered 2 'm.result.resourceTemplates.map(t => t.uriTemplate).join(" ") === "handoff://handoff/{id} handoff://gate/{id} handoff://format/{name}"'
answered 3 'm.result.contents[0].text.includes("CSV import") && m.result.contents[0].mimeType === "application/yaml"'
answered 4 'm.result.contents[0].text.includes("Shall the old import be removed?")'
answered 5 'JSON.parse(m.result.contents[0].text).properties.handoff && m.result.contents[0].mimeType === "application/schema+json"'
answered 6 'm.result.contents[0].text.startsWith("#") && m.result.contents[0].mimeType === "text/markdown"'
answered 7 'm.error.code === -32002 && m.error.data.uri === "handoff://handoff/HO-1999-001"'
answered 8 'm.error.code === -32002'
answered 9 'm.error.code === -32002'
answered 10 'm.error.code === -32602'
answered 11 'm.error.code === -32002'
say "$(ask 1 resources/read '"uri":"handoff://journal"')" "$(ask 2 resources/read '"uri":"handoff://nothing"')" "$(ask 3 resources/subscribe '"uri":"handoff://journal"')"
answered 1 'm.result.resultType === "complete" && m.result.ttlMs === 0 && m.result.cacheScope === "private"'
answered 2 'm.error.code === -32602 && m.error.data.uri === "handoff://nothing"'
answered 3 'm.error.code === -32601'

# ---- Prompts.
prompt() { printf '{"jsonrpc":"2.0","id":%s,"method":"prompts/get","params":{"name":"%s","arguments":%s}}' "$1" "$2" "$3"; }
say "$hello" '{"jsonrpc":"2.0","id":1,"method":"prompts/list"}' "$(prompt 2 teammate '{}')" \
  "$(prompt 3 inject '{"task":"7"}')" "$(prompt 4 inject '{}')" "$(prompt 5 nothing '{}')" "$(prompt 6 successor '{"id":"HO-1999-001"}')"
answered 1 'm.result.prompts.map(p => p.name).join(" ") === "teammate successor inject" && m.result.prompts[2].arguments[0].required'
answered 2 'm.result.messages[0].role === "user" && m.result.messages[0].content.text.includes("handoff progress")'
answered 3 'm.result.messages[0].content.text.length > 10'
answered 4 'm.error.code === -32602 && m.error.message.includes("task")'
answered 5 'm.error.code === -32602'
answered 6 'm.error.code === -32602 && m.error.message.includes("HO-1999-001")'

# ---- Completion.
complete() { printf '{"jsonrpc":"2.0","id":%s,"method":"completion/complete","params":{"ref":%s,"argument":{"name":"%s","value":"%s"}}}' "$@"; }
say "$hello" "$(complete 1 '{"type":"ref/resource","uri":"handoff://format/{name}"}' name pa)" \
  "$(complete 2 '{"type":"ref/resource","uri":"handoff://gate/{id}"}' id '')" \
  "$(complete 3 '{"type":"ref/prompt","name":"successor"}' id ho-)" \
  "$(complete 4 '{"type":"ref/prompt","name":"inject"}' task 1)" '{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":1}}'
answered 1 'm.result.completion.values.join() === "package"'
answered 2 "m.result.completion.values.join() === '$gate'"
answered 3 "m.result.completion.values.includes('$id') && !m.result.completion.hasMore"
answered 4 'm.result.completion.values.length === 0'
answered 5 'm.error.code === -32602'

# ---- Who listens is told what has changed, and nothing else. `later`: lines given after the first ones were answered.
# listen LINES… -- COMMAND…: the lines, then the command, and time to be told of it.
listen()
{
  count=$((count + 1))
  local lines=()
  while [ "$1" != -- ]; do lines+=("$1") && shift; done
  shift
  last="mcp <<< ${lines[*]}"
  { printf '%s\n' "${lines[@]}"; sleep 1.5; "$@" >/dev/null 2>&1; sleep 3; } | timeout 60 "$handoff" mcp >"$folder/out" 2>"$folder/err"
}
count=0
raise() { AI_AGENT=x "$handoff" ask "CSV or JSON for export $count of station readings?" --option CSV --option JSON --as coder; }
listen "$(ask 7 subscriptions/listen "\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"handoff://handoff/$id\",\"handoff://format/package\"]}")" \
  -- "$handoff" claim "$id" --as some-client
expect_out '"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":'
expect_that "what was granted: $(cat "$folder/out")" [ "$(grep -c toolsListChanged "$folder/out")" = 0 ]
listen "$(ask 7 subscriptions/listen "\"notifications\":{\"resourceSubscriptions\":[\"handoff://gate/$gate\",\"handoff://gate/G-1999-001\"]}")" \
  -- "$handoff" answer "$gate" --note "The reader of May is meant" --as some-client
listen "$hello" "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"handoff://journal\"}}" -- raise
expect_that "an unchanged journal was told: $(cat "$folder/out")" [ "$(grep -c resources/updated "$folder/out")" = 0 ]
year=$(date +%Y)
listen "$hello" "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"handoff://gate/G-$year-003\"}}" -- raise
expect_out "\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"handoff://gate/G-$year-003\"}"
listen "$(ask 7 subscriptions/listen "\"notifications\":{\"resourceSubscriptions\":[\"handoff://gate/G-$year-004\"]}")" -- raise
expect_out "\"notifications/resources/updated\",\"params\":{\"uri\":\"handoff://gate/G-$year-004\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":7}}"
listen "$(ask 7 subscriptions/listen "\"notifications\":{\"resourceSubscriptions\":[\"handoff://gate/G-$year-005\"]}")" \
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}' -- raise
expect_that "a stream that was cancelled was told" [ "$(grep -c resources/updated "$folder/out")" = 0 ]
finish
