#!/bin/bash
# A worker: a lead without a plan, who takes what is ready for an agent.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common" && . "$source_dir/tests/cli/run_common"

cat >receiver <<'END'
#!/bin/bash
prompt=$(cat)
echo "$prompt" >>"$folder/prompts"
id=$(grep -o 'HO-[0-9]*-[0-9]*' <<<"$prompt" | head -1)
echo "$id" >>taken
case $(cat how) in
  ends) "$handoff" ack "$id" --task "Write the decision record" >/dev/null && "$handoff" done "$id" >/dev/null ;;
  dies) kill -9 $$ ;;
  result) printf '{"status": "implemented", "summary": "The record is in docs", "completion_data": {"completion_summary": "Written"}}' >"$HANDOFF_META" ;;
esac
END
chmod +x receiver
for n in 1 2 3; do
  package "package$n.yaml" planner architect sequential "Specifications completed: $n epics and their user stories are written down"
  expect 0 send "package$n.yaml"
done
echo ends >how
expect 2 run
expect 0 run --worker --agent ./receiver --as architect --jobs 2 --json
expect_json "$folder/out" 'v.teammates.length === 3 && v.teammates.every((m) => m.outcome === "done" && m.agent.startsWith("architect/"))'
expect_that "the document is in the prompt" grep -q "user stories are written down" "$folder/prompts"
expect_that "each once" test "$(sort taken | uniq -d | wc -l)" = 0
expect 5 run --worker --agent ./missing --as architect
expect_err "/missing' not found; correct --agent or the settings"
expect 1 run --worker --agent ./receiver --as architect
package package.yaml planner architect sequential "Specifications completed: 4 epics and their user stories are written down"
expect 0 send package.yaml
echo result >how
expect 0 run --worker --agent ./receiver --as architect --json
expect_json "$folder/out" 'v.teammates[0].outcome === "done"'
# One that dies gives it back; after too many attempts a person is asked.
package package.yaml planner architect sequential "Specifications completed: 5 epics and their user stories are written down"
expect 0 send package.yaml
echo dies >how
expect 1 run --worker --agent ./receiver --as architect --json
expect_json "$folder/out" 'v.teammates.length === 5 && v.teammates.every((m) => m.outcome === "died")'
expect 0 list --state gated --to architect --json
expect_json "$folder/out" 'v.handoffs.length === 1'
expect_nobody

finish
