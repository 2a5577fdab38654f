#!/bin/bash
# install: merged into what is there, twice changes nothing, and taken out again to the former bytes.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
export HOME=$folder/home
unset CLAUDE_CONFIG_DIR CODEX_HOME
mkdir "$HOME"
mkdir "$folder/bin" && ln -s "$handoff" "$folder/bin/handoff" && PATH=$folder/bin:$PATH

# Nothing there: created, valid, complete; nothing left afterwards.
mkdir .handoff
expect 0 install claude --print
expect_out "would be created"
expect_out "+++ b/.claude/settings.json"
expect_that "something was written" [ ! -e .claude ]
PATH=$folder/none expect 0 install claude
expect_out ".claude/settings.json: created"
expect_err "'handoff' is not on PATH"
expect_json .claude/settings.json 'Object.keys(v).join() === "hooks,statusLine,permissions"'
expect_json .claude/settings.json 'Object.keys(v.hooks).join() === "SessionStart,PreToolUse,PostToolUse,PostToolUseFailure,PreCompact,Stop,SubagentStop,SessionEnd"'
expect_json .claude/settings.json 'Object.values(v.hooks).every(g => g.length === 1 && g[0].hooks.length === 1 && g[0].hooks[0].type === "command" && g[0].hooks[0].command === "handoff hook claude" && g[0].hooks[0].timeout > 0)'
expect_json .claude/settings.json 'v.hooks.PreToolUse[0].matcher === "Read|NotebookRead" && v.statusLine.command === "handoff statusline" && v.permissions.deny.includes("Bash(*handoff gate decide*)") && ["install", "rebuild", "prune"].every(c => v.permissions.deny.includes(`Bash(*handoff ${c} *)`))'
cp .claude/settings.json "$folder/first"
expect 0 install claude
expect_out_is ".claude/settings.json: unchanged"
expect_no_err
expect_that "the second time changes it" cmp -s .claude/settings.json "$folder/first"
expect 0 install claude --uninstall
expect_out ".claude/settings.json: removed"
expect_that "it is still there" [ ! -e .claude ]
mkdir .claude && touch .claude/mine
expect 0 install claude
expect 0 install claude --uninstall
expect_that "a file of somebody else is gone" [ -e .claude/mine ]
rm -r .claude
expect 0 install claude --uninstall
expect_err_is "nothing is installed for claude here"
rmdir .handoff
PATH=$folder/none expect 0 install claude
expect_that "the last note is another: $(tail -1 "$folder/err")" [ "$(tail -1 "$folder/err")" = "hooks do nothing in a project without a .handoff folder; run: handoff init" ]
expect 0 install claude --uninstall
mkdir .handoff
expect 0 install codex
expect_err "/hooks"
expect_json .codex/hooks.json 'Object.keys(v).join() === "hooks" && Object.keys(v.hooks).join() === "SessionStart,PostToolUse,PreCompact,Stop,SubagentStop,SessionEnd"'
expect_that "codex may decide gates" grep -q 'pattern = \["handoff", "gate", "decide"\]' .codex/rules/handoff.rules
expect_that "the rule is no refusal" grep -q 'decision = "forbidden"' .codex/rules/handoff.rules
expect 0 install gemini
expect_err "policies"
expect_that "gemini may decide gates" grep -qF 'commandRegex = ".*handoff +gate +decide\\b"' .gemini/policies/handoff.toml
expect_that "gemini may install" grep -qF 'commandRegex = ".*handoff +install\\b"' .gemini/policies/handoff.toml
expect_that "the rule is no refusal" grep -q 'decision = "deny"' .gemini/policies/handoff.toml
expect_json .gemini/settings.json 'Object.keys(v.hooks).join() === "SessionStart,BeforeTool,AfterTool,PreCompress,AfterAgent,SessionEnd" && v.hooks.AfterTool[0].hooks[0].timeout === 10000 && !v.tools'
# What earlier versions wrote goes with the rest; entries that others wrote stay.
mkdir -p .claude && printf '{"permissions": {"deny": ["Bash(rm *)", "Bash(handoff gate decide:*)", "Bash(*gate decide*)", "Bash(*key new*)", "Bash(*handoff*key new*)"]}}\n' >.claude/settings.json
expect 0 install claude
expect_json .claude/settings.json 'v.permissions.deny[0] === "Bash(rm *)" && v.permissions.deny.includes("Bash(*handoff gate decide*)")'
expect_json .claude/settings.json '!v.permissions.deny.some((d) => ["Bash(*key new*)", "Bash(*handoff*key new*)"].includes(d))'
expect 0 install claude
expect_out_is ".claude/settings.json: unchanged"
expect 0 install claude --uninstall
expect_json .claude/settings.json 'Object.keys(v).join() === "permissions" && v.permissions.deny.join() === "Bash(rm *)"'
rm -r .claude
expect 0 install codex --uninstall
expect 0 install gemini --uninstall
# Every harness with hooks, by its row.
harnesses=$("$1/tests/harness_tool" | cut -d ' ' -f 1 | uniq)
ls -A >"$folder/nothing"
for harness in $harnesses; do
  expect 0 install "$harness"
  expect_out "created"
  expect 0 install "$harness"
  expect_out "unchanged"
  expect 0 install "$harness" --uninstall
  expect_that "$harness leaves something" cmp -s <(ls -A) "$folder/nothing"
done

# Codex: the hooks go into config.toml where only that is there; rules that others wrote stay.
mkdir -p .codex/rules && printf 'model = "x" # ours\n' >.codex/config.toml
printf 'prefix_rule(pattern = ["rm"], decision = "prompt")\n' >.codex/rules/handoff.rules
expect 0 install codex --print
expect_out "+[[hooks.Stop]]"
expect_that "something was written" [ "$(cat .codex/config.toml)" = 'model = "x" # ours' ]
expect 0 install codex
expect_out ".codex/config.toml: changed"
expect_that "hooks.json was written too" [ ! -e .codex/hooks.json ]
expect_that "no marks" [ "$(grep -c '^# handoff:\(begin\|end\)$' .codex/config.toml)" = 2 ]
expect 0 install codex
expect_out ".codex/config.toml: unchanged"
expect 0 install codex --uninstall
expect_that "config.toml differs" [ "$(cat .codex/config.toml)" = 'model = "x" # ours' ]
expect_that "the rules differ" [ "$(cat .codex/rules/handoff.rules)" = 'prefix_rule(pattern = ["rm"], decision = "prompt")' ]
printf '{"hooks": {}}\n' >.codex/hooks.json
expect 0 install codex
expect_out ".codex/hooks.json: changed"
expect_that "config.toml was changed too" [ "$(cat .codex/config.toml)" = 'model = "x" # ours' ]
expect 0 install codex --uninstall
rm -r .codex

# there HARNESS FILE: what stands there is kept, our part comes in once, and goes without a trace.
there()
{
  echo "$1" >>"$folder/tried"
  mkdir -p "$(dirname "$2")"
  cat >"$2"
  cp "$2" "$folder/before"
  expect 0 install "$1"
  expect_that "nothing was put in" grep -q "handoff hook $1" "$2"
  cp "$2" "$folder/installed"
  expect 0 install "$1"
  expect_out "$2: unchanged"
  expect_that "the second time changes it" cmp -s "$2" "$folder/installed"
  expect 0 install "$1" --print --uninstall
  expect_that "printing changes it" cmp -s "$2" "$folder/installed"
  expect 0 install "$1" --uninstall
  expect_that "other bytes than before: $(diff "$folder/before" "$2" | head -5)" cmp -s "$2" "$folder/before"
  expect_that "a copy is left" [ ! -e "$2.before-handoff" ]
}
settings=.claude/settings.json
printf '' | there claude $settings
printf '' | there codex .codex/hooks.json
rm -r .codex
printf '' | there codex .codex/config.toml
printf '' | there opencode .opencode/plugins/handoff.js
printf 'export const Mine = async () => ({}); // kept\n' | there opencode .opencode/plugins/handoff.js
printf 'export const Mine = async () => ({});' | there opencode .opencode/plugins/handoff.js
rm -r .opencode
rm -r .codex
printf '{}' | there claude $settings
printf '{}\n' | there claude $settings
printf '{ }\n' | there codex .codex/hooks.json
printf '{"hooks": {}, "permissions": {"deny": []}}' | there claude $settings
printf '{"a":1}' | there gemini .gemini/settings.json
printf '{\r\n\t"model": "x",\r\n\t"hooks": {"Stop": []}\r\n}\r\n' | there claude $settings
expect_that "other line ends came in" [ "$(grep -c $'\r$' "$folder/installed")" = "$(wc -l <"$folder/installed")" ]
printf '\xef\xbb\xbf{\n  "model": "x"\n}' | there claude $settings
there claude $settings <<'J'
{
    // what the team agreed on
    "model": "opus", /* for now */
    "hooks": {
        "PostToolUse": [
            {
                "matcher": "Edit",
                "hooks": [
                    { "type": "command", "command": "make lint" } // quick
                ]
            }
        ],
        "Notification": []
    },
    "statusLine": { "type": "command", "command": "my-line" },
    "permissions": {
        "allow": ["Bash(make:*)"],
        "deny": ["Read(.env)"]
    },
    "env": { "A": "1" } // last
}
J
node -e 'const fs = require("fs"); const t = fs.readFileSync(process.argv[1], "utf8").replace(/\/\/ .*|\/\*.*?\*\//g, ""); fs.writeFileSync(process.argv[2], t)' "$folder/installed" "$folder/plain"
expect_json "$folder/plain" 'Object.keys(v).join() === "model,hooks,statusLine,permissions,env" && v.statusLine.command === "my-line"'
expect_json "$folder/plain" 'v.hooks.PostToolUse.length === 2 && v.hooks.PostToolUse[0].hooks[0].command === "make lint" && v.permissions.deny.length > 2 && v.permissions.deny.includes("Bash(*handoff gate decide*)") && v.hooks.Notification.length === 0'
expect_that "the comments are gone" grep -q "// what the team agreed on" "$folder/installed"

# Changed since: what is ours goes, what is the user's stays.
printf '{\n  "model": "x"\n}\n' >$settings
expect 0 install claude
node -e 'const fs = require("fs"), f = process.argv[1], v = JSON.parse(fs.readFileSync(f)); v.hooks.Stop[0].hooks.unshift({ type: "command", command: "mine" }); v.hooks.SessionStart.push({ hooks: [] }); v.model = "y"; fs.writeFileSync(f, JSON.stringify(v, null, 2))' $settings
expect 0 install claude
expect_out "unchanged"
expect 0 install claude --uninstall
expect_json $settings 'JSON.stringify(v) === JSON.stringify({model: "y", hooks: {SessionStart: [{hooks: []}], Stop: [{hooks: [{type: "command", command: "mine"}]}]}})'

# What cannot be edited is left as it is.
for text in '[]' '{"hooks":' 'nonsense' '{"a": 1,}'; do
  printf '%s' "$text" >$settings
  run install claude
  expect_that "status $status" [ "$status" != 0 ]
  expect_err ".claude/settings.json"
  expect_that "it was changed" [ "$(cat $settings)" = "$text" ]
done
printf '{"hooks": 7, "permissions": "none", "statusLine": null}' >$settings
expect 0 install claude
expect_out "unchanged"
rm $settings
ln -s "$folder/elsewhere.json" $settings
expect 9 install claude
expect_err ".claude/settings.json: cannot be written: it is a symbolic link"
echo '{}' >"$folder/elsewhere.json"
expect 9 install claude
expect_err ".claude/settings.json: cannot be written: it leads outside the project"
expect_that "it was changed" [ "$(cat "$folder/elsewhere.json")" = '{}' ]
rm $settings
# A link to another file of the project stays one.
echo '{}' >settings-of-all.json
ln -s ../settings-of-all.json $settings
expect 0 install claude
expect_that "the link is no link any more" [ -L $settings ]
expect_json settings-of-all.json 'v.hooks.Stop.length === 1'
expect 0 install claude --uninstall
rm -f $settings settings-of-all.json

# Agents and instructions, between marks.
mkdir .claude/agents
printf -- '---\nname: coder\n---\nYou write code.\n' >.claude/agents/coder.md
printf 'No line end' >.claude/agents/tester.md
echo text >.claude/agents/notes.txt
cp -r .claude/agents "$folder/agents"
expect 0 install claude
expect_that "no text in the agent" grep -q "## Context Management" .claude/agents/coder.md
expect_that "the text of a lead in the agent" bash -c '! grep -q "Exhaustion Recovery" .claude/agents/coder.md'
expect_that "another file was changed" cmp -s .claude/agents/notes.txt "$folder/agents/notes.txt"
expect_that "instructions without being asked" [ ! -e CLAUDE.md ]
echo 'threshold: 65' >.handoff/config.yaml
expect 0 install claude
expect_out ".claude/agents/coder.md: changed"
expect_that "not the project's threshold" grep -q "65 %" .claude/agents/coder.md
expect_that "two blocks" [ "$(grep -c 'handoff:begin' .claude/agents/coder.md)" = 1 ]
expect 0 install claude --uninstall
expect_that "agents differ" diff -r .claude/agents "$folder/agents"
# An agent that cannot run commands gets no text, and loses one that it has; others only if they are named.
printf -- '---\nname: reader\ntools: Read, Grep\n---\nYou read.\n' >.claude/agents/reader.md
printf -- '---\nname: judge\ntools:\n  - Read\n  - Glob\nmodel: x\n---\nYou run Bash.\n' >.claude/agents/judge.md
printf -- '---\nname: asker\ndisallowedTools: Bash\n---\nYou ask.\n' >.claude/agents/asker.md
printf -- '---\nname: maker\ntools: [Read, "Bash"]\n---\nYou make.\n' >.claude/agents/maker.md
rm -rf "$folder/agents" && cp -r .claude/agents "$folder/agents"
expect 0 install claude
expect_err ".claude/agents/reader.md cannot run commands, so it gets no text"
for name in reader judge asker; do expect_that "$name has a text" cmp -s .claude/agents/$name.md "$folder/agents/$name.md"; done
expect_that "maker has none" grep -q "handoff:begin" .claude/agents/maker.md
sed -i 's/^tools:.*/tools: Read/' .claude/agents/maker.md
expect 0 install claude
expect_that "maker still has a text" bash -c '! grep -q "handoff:begin" .claude/agents/maker.md'
expect 0 install claude --uninstall
expect 0 install claude --agents coder
expect_that "coder has none" grep -q "handoff:begin" .claude/agents/coder.md
expect_that "tester has a text" cmp -s .claude/agents/tester.md "$folder/agents/tester.md"
expect 5 install claude --agents coder,nobody
expect_err "there is no agent 'nobody' in .claude/agents"
expect 2 install codex --agents coder
expect 0 install claude --uninstall
# The lead's text, and no other, in a file of one's own.
printf '# Lead\n' >lead.md
expect 0 install claude --into lead.md
expect_that "no text for the lead" grep -q "## Context Exhaustion Recovery" lead.md
expect_that "a teammate's text for the lead" bash -c '! grep -q "## Context Management" lead.md'
expect 0 install claude --into lead.md --uninstall
expect_that "lead.md differs" [ "$(cat lead.md)" = "# Lead" ]
printf '# Project\n' >CLAUDE.md
expect 0 install claude --instructions
expect_that "no recovery text" grep -q "## Context Exhaustion Recovery" CLAUDE.md
expect 0 install codex --instructions
expect_that "no AGENTS.md" grep -q "handoff:begin" AGENTS.md
expect 0 install codex --uninstall
expect_that "AGENTS.md is left" [ ! -e AGENTS.md ]
expect 0 install claude --uninstall
expect_that "CLAUDE.md differs" [ "$(cat CLAUDE.md)" = "# Project" ]
# One that was there and empty stays so.
: >CLAUDE.md
for _ in 1 2; do expect 0 install claude --instructions; done
expect_out "CLAUDE.md: unchanged"
expect_that "no recovery text" grep -q "## Context Exhaustion Recovery" CLAUDE.md
expect 0 install claude --uninstall
expect_that "CLAUDE.md is not empty, or gone" cmp -s CLAUDE.md /dev/null
expect 0 install claude --uninstall
expect_that "CLAUDE.md is gone" [ -f CLAUDE.md ]

# Everywhere, elsewhere, as a plugin.
expect 0 install claude --global
expect_json "$HOME/.claude/settings.json" 'v.hooks.Stop.length === 1'
mkdir "$folder/dots" && mv "$HOME/.claude/settings.json" "$folder/dots/" && ln -s "$folder/dots/settings.json" "$HOME/.claude/settings.json"
printf '{"x": 1}\n' >"$folder/dots/settings.json"
expect 0 install claude --global
expect_that "the link is no link any more" [ -L "$HOME/.claude/settings.json" ]
expect 0 install claude --global --uninstall
expect_that "not as before" [ "$(cat "$folder/dots/settings.json")" = '{"x": 1}' ]
CODEX_HOME=$folder/codex expect 0 install codex --global
expect_that "not in CODEX_HOME" [ -s "$folder/codex/hooks.json" ]
expect 0 install claude --plugin plug
expect_json plug/.claude-plugin/plugin.json 'v.name === "handoff" && v.version'
expect_json plug/hooks/hooks.json 'Object.keys(v).join() === "hooks" && v.hooks.SessionStart.length === 1'
# A skill per role, and in none what another role does.
for role in handoff:'pass|finish|progress' handoff-lead:'prompt|progress show' handoff-receive:'next|inbox|ack|done|return|reject'; do
  skill=plug/skills/${role%%:*}/SKILL.md
  expect_that "the description is no YAML text" [ -z "$(grep '^description: .*: ' "$skill")" ]
  expect_that "no skill ${role%%:*}" grep -qx "name: ${role%%:*}" "$skill"
  strays=$(grep -oE 'handoff [a-z]+( [a-z]+)?' <(sed '1,/^---$/{1!{/^---$/!d}}' "$skill" | grep -oE '(`|^)handoff [^`]*') | grep -vE "^handoff (${role#*:})")
  expect_that "${role%%:*} teaches what another role does: $strays" [ -z "$strays" ]
done
expect 0 install claude --plugin plug
expect_not_out "created"
expect 2 install codex --plugin plug
expect 2 install emacs
expect 2 install
for harness in $harnesses; do
  expect_that "settings of $harness that exist are not tried: add 'there $harness FILE' to ${0#"$source_dir/"}" \
    grep -qx "$harness" "$folder/tried"
done
finish
