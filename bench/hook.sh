#!/bin/bash
# One event without a trigger, warm: `hook claude` on a transcript of 200 MB against a C program that does nothing, and on
# one of 1 GB against one of 1 MB; one event with a durable write (a lease that is renewed) against a single durable
# insert by the sqlite3 shell; and, to see them side by side, a hook of bash and jq and one of Node that tell the same.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
handoff=$(realpath "${HANDOFF:-build/handoff}")
compile_start
unset HANDOFF_TASK HANDOFF_PHASE CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_AUTOCOMPACT_PCT_OVERRIDE CLAUDE_CONFIG_DIR
export HOME=$folder
mkdir -p "$folder/project"
cd "$folder/project"
"$handoff" init >/dev/null

# transcript NAME MEGABYTES: that large, the usage of its newest message far below the threshold; and an event about it.
transcript()
{
  node -e 'const fs = require("fs"), [path, megabytes] = process.argv.slice(1), fd = fs.openSync(path, "w");
    const line = (id, n) => JSON.stringify({ type: "assistant", isSidechain: false, requestId: "r" + id, message: { id: "m" + id, role: "assistant",
      model: "claude-opus-4-1-20250805", content: [{ type: "text", text: "word ".repeat(n) }], usage: { input_tokens: 4, cache_creation_input_tokens: 900,
      cache_read_input_tokens: 60000, output_tokens: 90 } } }) + "\n";
    const block = Array.from({ length: 200 }, (_, i) => line(i, 1000)).join("");
    for (let n = 0; n < megabytes << 20; n += block.length) fs.writeSync(fd, block);
    fs.writeSync(fd, line("last", 10));' "$folder/$1.jsonl" "$2"
  printf '{"session_id":"%s","transcript_path":"%s","cwd":"%s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"x"}}' \
    "$1" "$folder/$1.jsonl" "$PWD" >"$folder/$1.json"
}

cat >"$folder/jq-hook" <<'END'
#!/bin/bash
event=$(cat)
path=$(jq -r .transcript_path <<<"$event")
used=$(tail -c 200000 "$path" | tail -n +2 | jq -s '[.[] | select(.type == "assistant" and (.isSidechain | not)) | .message.usage] | last
  | .input_tokens + .cache_creation_input_tokens + .cache_read_input_tokens + .output_tokens')
if [ $((used * 100 / 200000)) -ge 80 ]; then
  jq -n '{hookSpecificOutput: {hookEventName: "PostToolUse", additionalContext: "hand off"}}'
else
  echo '{}'
fi
END
cat >"$folder/node-hook" <<'END'
#!/usr/bin/env node
const fs = require('fs');
const event = JSON.parse(fs.readFileSync(0, 'utf8'));
const fd = fs.openSync(event.transcript_path), size = fs.fstatSync(fd).size, tail = Buffer.alloc(Math.min(size, 200000));
fs.readSync(fd, tail, 0, tail.length, size - tail.length);
const usage = tail.toString().split('\n').slice(1).filter(Boolean).map((l) => JSON.parse(l)).filter((e) => e.type === 'assistant' && !e.isSidechain).pop().message.usage;
const used = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens + usage.output_tokens;
console.log(used * 100 / 200000 >= 80 ? '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"hand off"}}' : '{}');
END
chmod +x "$folder/jq-hook" "$folder/node-hook"

transcript small 1
transcript large 200
transcript huge 1
for _ in 1 2 3 4 5; do cat "$folder/large.jsonl"; done >"$folder/huge.jsonl"
truncate -s $((1 << 30)) "$folder/huge.jsonl"
printf '\n' >>"$folder/huge.jsonl" && cat "$folder/small.jsonl" >>"$folder/huge.jsonl"
status=0
for name in small large huge; do
  "$handoff" hook claude <"$folder/$name.json" >"$folder/out"
  [ "$(cat "$folder/out")" = '{}' ] || { echo "it says something: $(cat "$folder/out")"; exit 1; }
done
for name in large small; do
  echo "hook claude, $name transcript:"
  START_INPUT=$folder/$name.json "$folder/start" 1.7 "$folder/nothing" "$handoff" hook claude || status=1
done
echo "hook claude, a transcript of 1 GB against one of 1 MB:"
START_BASELINE='1 MB' START_BASELINE_INPUT=$folder/small.json START_INPUT=$folder/huge.json \
  "$folder/start" 1.5 "$handoff" hook claude -- "$handoff" hook claude || status=1
rm "$folder/huge.jsonl"

# A session that holds a claim. When its lease was last renewed cannot be noted (a link that leads nowhere stands in the
# way), so that every event renews it.
"$handoff" progress start --task 7 --slug bench --phase 1 --objective Measure >/dev/null
"$handoff" pass --task 7 --phase 1 --next "Measure \`src/start.c\` again." --file src/start.c --location "line 1" --goal "Half the time" >/dev/null
sed 's/PostToolUse/SessionStart/; s/"tool_name"/"source":"startup","tool_name"/' "$folder/small.json" | HANDOFF_TASK=7 "$handoff" hook claude >"$folder/out"
grep -q 'claimed for this session' "$folder/out" || { echo "nothing was claimed: $(cat "$folder/out")"; exit 1; }
ln -sf nowhere/lease .handoff/context/small.lease
lease() { sqlite3 .handoff/handoff.db 'SELECT max(lease_until) FROM handoffs'; }
before=$(lease)
sleep 0.01
"$handoff" hook claude <"$folder/small.json" >"$folder/out"
[ "$(lease)" -gt "$before" ] || { echo "the lease was not renewed"; exit 1; }
sqlite3 "$folder/plain.db" 'CREATE TABLE t (id TEXT, at INTEGER)'
echo "hook claude with a durable write:"
START_BASELINE='a durable insert by the sqlite3 shell' START_INPUT=$folder/small.json START_ROUNDS=100 \
  "$folder/start" 1.2 sqlite3 "$folder/plain.db" "INSERT INTO t VALUES ('HO-2026-001', 1)" -- "$handoff" hook claude || status=1

rm "$folder/small.jsonl"
export START_INPUT=$folder/large.json START_ROUNDS=30
echo "the same in bash and jq:"
START_BASELINE='hook claude' "$folder/start" 100000 "$handoff" hook claude -- "$folder/jq-hook"
echo "the same in Node:"
START_BASELINE='hook claude' "$folder/start" 100000 "$handoff" hook claude -- "$folder/node-hook"
exit $status
