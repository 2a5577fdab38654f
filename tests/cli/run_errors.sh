#!/bin/bash
# A model that does not answer: the reason is said; what a person must set right stops the phase with advice, a limit
# passes and counts no successor, and nobody who did nothing leaves a draft.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common"
git init -q . 2>/dev/null
mkdir bin
PATH=$PWD/bin:$PATH
printf '# Implementation Plan: a\n\n### Phase 1: One [NOT STARTED]\n' >before.md
# client NAME: prints what stands in said.N at its Nth start, and ends with 1; with nothing to say, it does its work.
for name in claude codex gemini opencode; do
  cat >bin/$name <<'END'
#!/bin/bash
cat >/dev/null
echo x >>"$HANDOFF_ROOT/starts"
said=$HANDOFF_ROOT/said.$(wc -l <"$HANDOFF_ROOT/starts")
[ ! -e "$said" ] || { cat "$said"; exit 1; }
echo '{"status": "implemented", "summary": "It is there", "artifacts": [], "completion_data": {"completion_summary": "It is there"}}' >"$HANDOFF_META"
END
  chmod +x bin/$name
done
begin() { rm -f starts said.*; cp before.md "$1.md"; }
claude_error() { printf '{"type":"system","subtype":"init","session_id":"s1","model":"m"}\n{"type":"result","is_error":true,"terminal_reason":"api_error","result":"%s","usage":{"input_tokens":0,"output_tokens":0}}\n' "$1"; }

# The login: no second teammate, no draft, and what to do.
# refused NAME AGENT PATTERN: the run of said.1 asks a person at once.
refused()
{
  expect 7 run "$1.md" --agent "$2" --json
  expect_json "$folder/out" "v.teammates.length === 1 && v.gates.length === 1 && /$3/.test(v.teammates[0].why)"
  expect 0 list --state draft --json
  expect_json "$folder/out" 'v.handoffs.length === 0'
}
begin login && claude_error 'Invalid API key · Fix external API key' >said.1
refused login claude '^the model refused the login: Invalid API key'
gate=$("$handoff" gate list --json | node -p 'JSON.parse(require("fs").readFileSync(0)).gates[0].id')
expect 0 gate show "$gate"
tr -s ' \n' ' ' <"$folder/out" >"$folder/line" && mv "$folder/line" "$folder/out"
expect_out "log in with the agent's own program, or set its key"
begin codex && printf '{"type":"thread.started","thread_id":"t"}\n{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: Incorrect API key provided"}}\n' >said.1
refused codex codex 'refused the login: unexpected status 401'
begin gemini && printf '{"type":"init","session_id":"g"}\n{"type":"result","status":"error","error":{"message":"[API Error: {\\"error\\":{\\"code\\":401,\\"status\\":\\"UNAUTHENTICATED\\"}}]"},"stats":{}}\n' >said.1
refused gemini gemini 'refused the login'
begin opencode && printf '{"type":"error","sessionID":"o","error":{"name":"APIError","data":{"message":"Incorrect API key","statusCode":401}}}\n' >said.1
refused opencode opencode 'refused the login: Incorrect API key'
begin unset && printf '{"type":"thread.started","thread_id":"t"}\n{"type":"error","message":"Missing environment variable: `A_KEY`."}\n{"type":"turn.failed","error":{"message":"Missing environment variable: `A_KEY`."}}\n' >said.1
refused unset codex 'refused the login: Missing environment variable: `A_KEY`'
begin trust && echo 'Not inside a trusted directory and --skip-git-repo-check was not specified.' >said.1
refused trust codex 'does not trust this folder'

# A limit passes: it is tried again after a pause, without a draft, and counts no successor.
begin limit && claude_error 'API Error: Request rejected (429) · This request would exceed your rate limit' >said.1 && claude_error 'API Error: 529 Overloaded.' >said.2
expect 0 run limit.md --agent claude --max-successors 1 --json
expect_json "$folder/out" 'v.teammates.length === 3 && /^a rate limit was reached: API Error/.test(v.teammates[0].why) && /^the model was overloaded/.test(v.teammates[1].why) && v.gates.length === 0'
expect 0 list --state draft --json
expect_json "$folder/out" 'v.handoffs.length === 0'

# Whatever else the client says at its end is said, too.
begin odd && printf '{"type":"thread.started","thread_id":"t"}\n{"type":"turn.failed","error":{"message":"the moon is full"}}\n' >said.1
expect 0 run odd.md --agent codex --json
expect_json "$folder/out" '/^it ended with status 1 and left no result; its last error: the moon is full/.test(v.teammates[0].why)'
"$handoff" list --state draft --json | jq -r '.handoffs[].id' | while read -r id; do "$handoff" reject "$id" --note 'Tried' >/dev/null 2>&1; done

# A login that expires in the middle: what was done is drafted, the gate does not say that nothing began, and whoever comes after
# the decision continues from the draft.
ln -s "$handoff" bin/handoff
cp bin/claude bin/idle
cat >bin/claude <<'END'
#!/bin/bash
[ -e "$HANDOFF_ROOT/logged-in" ] && exec "$HANDOFF_ROOT/bin/idle"
cat >/dev/null
echo half >"$HANDOFF_ROOT/part.txt"
handoff progress start --objective One >/dev/null && handoff progress note 'The parser is written' >/dev/null && handoff progress tried regex --why 'too slow' >/dev/null
printf '{"type":"system","subtype":"init","session_id":"s1","model":"m"}\n{"type":"assistant","message":{"model":"m","usage":{"input_tokens":9,"output_tokens":9}}}\n{"type":"result","is_error":true,"result":"API Error: 401 OAuth token has expired","usage":{"input_tokens":0,"output_tokens":0}}\n'
exit 1
END
begin expired
expect 7 run expired.md --agent claude --json
expect_json "$folder/out" 'v.teammates.length === 1 && /^the model refused the login/.test(v.teammates[0].why) && /^HO-/.test(v.teammates[0].handoff ?? v.teammates[0].left ?? "")'
expect 0 list --state draft --json
expect_json "$folder/out" 'v.handoffs.length === 1'
id=$(jq -r '.handoffs[0].id' "$folder/out")
expect 0 log "$id"
expect_out 'handoff drafted it'
expect 0 show "$id"
expect_out 'The parser is written'
expect_out 'too slow'
gate=$("$handoff" gate list --json | jq -r '.gates[] | select(.name | test("^Phase 1.* cannot go on")) | .id')
expect_that "no gate says that it cannot go on" [ -n "$gate" ]
expect_terminal 0 gate decide "$gate" approve --note 'Logged in again'
touch logged-in
rm -f starts said.*
expect 0 run expired.md --agent claude
expect_out 'continues from HO-'
rm logged-in bin/handoff

# All objectives done, and no result: nobody died, so a person is asked, once, and no second teammate starts.
ln -s "$handoff" bin/handoff
cat >bin/claude <<'END'
#!/bin/bash
cat >/dev/null
handoff progress start --objective One >/dev/null && handoff progress "done" 1 >/dev/null
printf '{"type":"system","subtype":"init","session_id":"s1","model":"m"}\n'
printf '{"type":"result","is_error":false,"result":"All done.","usage":{"input_tokens":9,"output_tokens":9},"permission_denials":[%s,%s,%s]}\n' \
  '{"tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"git push origin main"}}' \
  '{"tool_name":"Bash","tool_use_id":"t2","tool_input":{"command":"git push origin main"}}' \
  '{"tool_name":"Write","tool_use_id":"t3","tool_input":{"file_path":"/etc/motd"}}'
END
begin quiet
expect 7 run quiet.md --agent claude --json
expect_json "$folder/out" 'v.teammates.length === 1 && v.teammates[0].outcome === "nothing" && v.gates.length === 1'
expect_json "$folder/out" '/^all objectives are done, but it wrote no result/.test(v.teammates[0].why)'
# What it was not allowed to do is shown, each once.
expect_json "$folder/out" '/it was not allowed: Bash \(git push origin main\), Write \(\/etc\/motd\)$/.test(v.teammates[0].why)'
expect 0 list --state draft --json
expect_json "$folder/out" 'v.handoffs.length === 0'
gate=$("$handoff" gate list --json | node -p 'JSON.parse(require("fs").readFileSync(0)).gates.find((g) => /Is phase 1/.test(g.name)).id')
expect_terminal 0 gate decide "$gate" approve --note 'It is'
expect 0 run quiet.md --agent claude --json
expect_that "the phase is not done" grep -q 'Phase 1: One \[COMPLETED\]' quiet.md

# What its predecessor handed over is over with it: nobody is offered the work again.
cat >bin/claude <<'END'
#!/bin/bash
cat >/dev/null
if mkdir handed 2>/dev/null; then
  handoff progress start --objective One --objective Two && handoff progress "done" 1 && handoff pass --next 'Write the second half'
else
  handoff progress "done" 2
fi >/dev/null
printf '{"type":"result","is_error":false,"result":"All done."}\n'
END
begin handed
expect 7 run handed.md --agent claude --json
expect_json "$folder/out" 'v.teammates.length === 2 && /^all objectives are done/.test(v.teammates[1].why)'
gate=$("$handoff" gate list --json | node -p 'JSON.parse(require("fs").readFileSync(0)).gates.find((g) => g.state === "open" && /Is phase 1/.test(g.name)).id')
expect_terminal 0 gate decide "$gate" approve
expect 0 run handed.md --agent claude --json
expect 0 list --state ready --json
expect_json "$folder/out" '!v.handoffs.some((h) => h.kind === "artifact")'
finish
