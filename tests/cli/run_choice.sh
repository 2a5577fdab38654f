#!/bin/bash
# `run` alone: it continues what was begun, carries out the one plan with work left, or gives what waits to an agent; who works is
# the one harness that is set up. If there are several, it asks.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs git jq
export HOME=$folder
git init -q . && rm -rf docs
mkdir "$folder/bin"
PATH=$folder/bin:$(dirname "$handoff"):$PATH
# A harness's program: it takes what it is given and ends it.
cat >"$folder/bin/claude" <<'END'
#!/bin/bash
id=$(grep -o 'HO-[0-9]*-[0-9]*' | head -1)
echo "$id" >>taken
handoff ack "$id" --task "Take over the reader" >/dev/null && handoff done "$id" >/dev/null
echo '{"type":"result","subtype":"success"}'
END
cp "$folder/bin/claude" "$folder/bin/codex"
chmod +x "$folder/bin/claude" "$folder/bin/codex"

# Nothing to do: nothing is created.
expect 2 run
expect_err "no plan in specs/*/plans"
expect_that "something was created" [ "$(ls -A)" = .git ]

# One task with a handoff that waits, and who works.
expect 0 pass --as lead --next 'Write the reader'
expect 2 run
expect_err "use --agent to say who does the work"
expect 0 init --claude
expect 0 run --dry-run
expect_out "Teammates would run: claude --print"
expect 0 run --worker --task 1 --dry-run
expect_out "Teammates would run: claude --print"
expect_that "a dry run started somebody" [ ! -e taken ]
expect 0 run
expect_that "not the handoff that waits" [ "$(cat taken)" = "HO-$(date -u +%Y)-001" ]
expect 2 run
expect_err "no handoff waits"
# What is for somebody in particular is not for whoever takes it.
expect 0 send --to reviewer "Review the CSV import" --as lead
expect 2 run

# Two harnesses, two tasks.
expect 0 pass --as lead --task 1 --next 'Write the writer'
expect 0 init --codex
expect 2 run
expect_err "use --agent to say who does the work"
expect 0 run --dry-run
expect_err "use --agent to say who does the work"
expect 0 run --dry-run --agent codex
expect_out "Teammates would run: codex"
expect 0 install codex --uninstall
expect 0 pass --as lead --task 2 --slug other --next 'Write the tests'
expect 2 run
expect_err "2 tasks have handoffs that wait; run: handoff run --worker --task 1, or: handoff run --worker --task 2"

# Agents in the settings come before the harness, also as long as nobody trusts them.
printf 'agents:\n  - name: writer\n    command: [claude, --model, small]\n' >>.handoff/config.yaml
expect 7 run --worker --task 1
expect_err "agent 'writer' in .handoff/config.yaml is not started until a person trusts it"
expect_terminal 0 trust
expect 0 run --worker --task 1 --dry-run
expect_out "Teammates would run: claude --model small"
sed -i '/^agents:/,$d' .handoff/config.yaml

# One plan with work left; a task's newest plan counts. What was begun comes first.
cp -r "$source_dir"/examples/relay/* .
expect 0 run --dry-run
expect_out "Collect the titles"
cp -r specs/31_describe_formats specs/32_describe_again
sed -i 's/31 - Describe/32 - Describe/' specs/32_describe_again/plans/*.md
expect 2 run
expect_err "2 plans have work left; run: handoff run specs/31_describe_formats/plans/implementation-001.md, or: handoff run specs/32_"
expect 7 run specs/31_describe_formats/plans/implementation-001.md --agent ./teammate
expect 0 run --dry-run
expect_out "Write the page"
expect_not_out "Collect the titles"
finish
