#!/bin/bash
# `telemetry`: a run and its teammates as spans of one trace; what is no collector is refused by hand, and by nothing else.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"
needs node

node -e '
  const fs = require("fs");
  require("http").createServer((q, r) => { let b = ""; q.on("data", d => b += d); q.on("end", () => { fs.appendFileSync(process.argv[1], b + "\n"); r.end("{}"); }); })
    .listen(0, "127.0.0.1", function () { fs.writeFileSync(process.argv[2], String(this.address().port)); });' "$folder/spans" "$folder/port" &
trap 'kill %1; chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
for ((i = 0; i < 100; i++)); do [ -s "$folder/port" ] && break; sleep 0.1; done

phase 1 One 'exhaust done'
lead 0
HANDOFF_OTLP=http://127.0.0.1:$(cat "$folder/port")
export HANDOFF_OTLP
expect 0 telemetry
expect_out ' sent'
node -e '
  const spans = require("fs").readFileSync(0, "utf8").trim().split("\n").flatMap(l => JSON.parse(l).resourceSpans[0].scopeSpans[0].spans);
  console.log(JSON.stringify(spans.map(s => ({ ...s, a: Object.fromEntries(s.attributes.map(x => [x.key, x.value.stringValue ?? x.value.intValue])) }))));' <"$folder/spans" >"$folder/out"
expect_json "$folder/out" 'v.filter((s) => s.name === "invoke_workflow").length === 1'
expect_json "$folder/out" '(() => { const r = v.find((s) => s.name === "invoke_workflow"), m = v.filter((s) => s.a["gen_ai.agent.id"]);
  return r.a["handoff.run.state"] === "done" && m.length === 2 && m.every((s) => s.parentSpanId === r.spanId && s.traceId === r.traceId && s.a["handoff.run.id"] === r.a["handoff.run.id"]) &&
    m[0].a["handoff.outcome"] === "handoff" && m[1].a["handoff.outcome"] === "done"; })()'
expect 0 telemetry --json
expect_json "$folder/out" 'v.spans === 0'

for to in nonsense https://127.0.0.1 http://collector.invalid http:// 'http://127.0.0.1:0' 'http://127.0.0.1:99999' 'http://a@127.0.0.1' 'http://127.0.0.1/ x' $'http://127.0.0.1\r\nX: y'; do
  HANDOFF_OTLP=$to expect 2 telemetry
  HANDOFF_OTLP=$to expect 0 send --to worker 'Review the import of station readings'
done
HANDOFF_OTLP='' expect 2 telemetry
expect_err 'HANDOFF_OTLP=http://127.0.0.1:4318'
finish
