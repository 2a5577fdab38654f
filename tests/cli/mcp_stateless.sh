#!/bin/bash
# `mcp` in the stateless era: what a client keeps for the server cannot be changed, and calls can be tasks.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/mcp_common
source "$source_dir/tests/cli/mcp_common"
build=${1:?the folder of the build}
case $build in /*) ;; *) build=$source_dir/$build ;; esac
export XDG_DATA_HOME=$folder/data

# ---- What the client is asked is its result; what it has to give back is sealed.
options=(--fixtures "$source_dir/tests/mcp/fixtures.json")
state=${state/'Capabilities":{}'/'Capabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}'}
tool() { ask "$1" tools/call "\"name\":\"$2\",\"arguments\":${3:-{\}}${4:+,$4}"; }
say "$(tool 1 test_input_required_result_request_state)"
answered 1 'm.result.resultType === "input_required" && m.result.inputRequests.confirm.method === "elicitation/create" && m.result.requestState'
sealed=$(node -pe 'JSON.stringify(JSON.parse(require("fs").readFileSync(process.argv[1])).find(m => m.id === 1).result.requestState)' "$folder/list")
right='"inputResponses":{"confirm":{"action":"accept","content":{"ok":true}}}'
other=${sealed/\"state\\\":/\"state\\\": }
say "$(tool 1 test_input_required_result_request_state '{}' "$right,\"requestState\":$sealed")" \
  "$(tool 2 test_input_required_result_request_state '{}' "$right,\"requestState\":${sealed%\"}x\"")" \
  "$(tool 3 test_input_required_result_request_state '{}' "$right,\"requestState\":\"x${sealed#\"}")" \
  "$(tool 4 test_input_required_result_request_state '{}' "$right,\"requestState\":$other")" \
  "$(tool 5 test_input_required_result_tampered_state '{}' "$right,\"requestState\":$sealed")" \
  "$(tool 6 test_input_required_result_request_state '{"other":1}' "$right,\"requestState\":$sealed")" \
  "$(tool 7 test_input_required_result_request_state '{}' "$right,\"requestState\":$sealed" | sed 's/"some client"/"another client"/')" \
  "$(tool 8 test_input_required_result_request_state '{}' "$right,\"requestState\":7")" \
  "$(tool 9 test_input_required_result_request_state '{}' '"inputResponses":null')"
answered 1 'm.result.content[0].text === "state-ok: true"'
expect_that "the case is none" [ "$other" != "$sealed" ]
for number in 2 3 4 5 6 7 8 9; do answered $number 'm.error.code === -32602'; done
expect_that "the key is not the user's own" [ "$(stat -c %a "$folder/data/handoff/mcp/key")" = 600 ]
# With another key, it is somebody else's.
mv "$folder/data/handoff/mcp/key" "$folder/key"
say "$(tool 1 test_input_required_result_request_state '{}' "$right,\"requestState\":$sealed")"
answered 1 'm.error.code === -32602'

# ---- A call that waits is a task for a client that knows tasks; that of a gate is known by the gate's id, also to the next server.
options=()
question='{"question":"Shall the old import be removed? Nobody has used it since May.","wait":50}'
say "$(tool 1 ask_person "$question")" "$(ask 2 tasks/get '"taskId":"G-1999-001"')" "$(ask 3 tasks/get '"taskId":"nothing"')" "$(ask 4 tasks/get)"
answered 1 'm.result.resultType === "task" && m.result.taskId.startsWith("G-") && m.result.status === "working" && m.result.ttlMs === null'
for number in 2 3 4; do answered $number 'm.error.code === -32602'; done
gate=$(grep -o 'G-20[0-9-]*' "$folder/out" | head -1)
say "$(ask 1 tasks/get "\"taskId\":\"$gate\"")" "$(ask 2 tasks/cancel "\"taskId\":\"$gate\"")" "$(ask 3 tasks/get "\"taskId\":\"$gate\"")" \
  "$(ask 4 tasks/get "\"taskId\":\"$gate\"" | sed 's/"elicitation":{},"extensions":{[^}]*}}//')"
answered 1 "m.result.resultType === 'complete' && m.result.taskId === '$gate' && m.result.status === 'working'"
answered 2 'm.result.resultType === "complete" && !m.result.status'
answered 3 'm.result.status === "cancelled"'
answered 4 'm.error.code === -32021 && m.error.data.requiredCapabilities.extensions["io.modelcontextprotocol/tasks"]'
expect_that "to cancel a task decides its gate" grep -q '"state": *"open"' <<<"$("$handoff" gate show "$gate" --json)"
setsid "$build/tests/person" -- env -i HOME="$HOME" XDG_DATA_HOME="$XDG_DATA_HOME" "$handoff" gate decide "$gate" approve --note "Nobody needs it" >"$folder/decided" 2>&1
say "$(ask 1 tasks/get "\"taskId\":\"$gate\"")"
answered 1 'm.result.status === "completed" && m.result.result.structuredContent.decision === "approve" && !m.result.result.isError'

# So is one of a wait for work, which the same server is asked about.
last='mcp with a task'
named() { sed 's/"some client"/"waiting client"/'; }
{ tool 1 next_handoff '{"wait":20}' | named && echo && sleep 1; } | timeout 60 "$handoff" mcp >"$folder/out" 2>"$folder/err"
expect_out '"resultType":"task","taskId":"'

# Without tasks declared, it is answered in time.
last='mcp without tasks'
{ tool 1 next_handoff '{"wait":1}' | sed 's/"elicitation":{},"extensions":{[^}]*}}//' | named && echo && sleep 3; } |
  timeout 60 "$handoff" mcp >"$folder/out" 2>"$folder/err"
expect_out '"resultType":"complete"'
expect_out '"state":"nothing ready"'
finish
