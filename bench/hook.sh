#!/bin/bash
# One event without a trigger on transcripts of 200 MB and 1 MB, warm: `hook claude` against a C program that does
# nothing; then, to see them side by side, a hook of bash and jq and one of Node that tell the same.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
handoff=$PWD/${HANDOFF#"$PWD"/}
[ -x "$handoff" ] || handoff=${HANDOFF:-$PWD/build/handoff}
echo 'int main(void) { return 0; }' >"$work/nothing.c"
gcc -O2 -o "$work/nothing" "$work/nothing.c"
gcc -O2 -o "$work/start" bench/start.c
unset HANDOFF_TASK HANDOFF_PHASE CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_AUTOCOMPACT_PCT_OVERRIDE
mkdir -p "$work/project"
cd "$work/project"
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
    fs.writeSync(fd, line("last", 10));' "$work/$1.jsonl" "$2"
  printf '{"session_id":"%s","transcript_path":"%s","cwd":"%s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"x"}}' \
    "$1" "$work/$1.jsonl" "$PWD" >"$work/$1.json"
}

cat >"$work/jq-hook" <<'END'
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
cat >"$work/node-hook" <<'END'
#!/usr/bin/env node
const fs = require('fs');
const event = JSON.parse(fs.readFileSync(0, 'utf8'));
const fd = fs.openSync(event.transcript_path), size = fs.fstatSync(fd).size, tail = Buffer.alloc(Math.min(size, 200000));
fs.readSync(fd, tail, 0, tail.length, size - tail.length);
const usage = tail.toString().split('\n').slice(1).filter(Boolean).map((l) => JSON.parse(l)).filter((e) => e.type === 'assistant' && !e.isSidechain).pop().message.usage;
const used = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens + usage.output_tokens;
console.log(used * 100 / 200000 >= 80 ? '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"hand off"}}' : '{}');
END
chmod +x "$work/jq-hook" "$work/node-hook"

transcript large 200
transcript small 1
status=0
for name in large small; do
  export START_INPUT=$work/$name.json
  "$handoff" hook claude <"$START_INPUT" >"$work/out"
  [ "$(cat "$work/out")" = '{}' ] || { echo "it says something: $(cat "$work/out")"; exit 1; }
  echo "hook claude, $name transcript:"
  "$work/start" 2 "$work/nothing" "$handoff" hook claude || status=1
done
rm "$work/small.jsonl"
export START_INPUT=$work/large.json START_ROUNDS=30
echo "the same in bash and jq:"
"$work/start" 100000 "$work/nothing" "$work/jq-hook"
echo "the same in Node:"
"$work/start" 100000 "$work/nothing" "$work/node-hook"
exit $status
