#!/bin/bash
# install --mcp: the server in each harness's own list, merged with what is there, taken out again to the former bytes.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
export HOME=$folder/home
unset CLAUDE_CONFIG_DIR CODEX_HOME
mkdir "$HOME"
mkdir "$folder/bin" && ln -s "$handoff" "$folder/bin/handoff" && PATH=$folder/bin:$PATH
expect 0 init
ls -A >"$folder/nothing"

declare -A file=([claude]=.mcp.json [codex]=.codex/config.toml [gemini]=.gemini/settings.json [cursor]=.cursor/mcp.json [opencode]=opencode.json)
for harness in claude codex gemini cursor opencode; do
  list=${file[$harness]}
  expect 0 install $harness --mcp --print
  expect_out "$list: would be created"
  expect_that "printing wrote it" [ ! -e "$list" ]
  expect 0 install $harness --mcp
  expect_out "$list: created"
  expect_no_err
  cp "$list" "$folder/first"
  expect 0 install $harness --mcp
  expect_out "$list: unchanged"
  expect_that "$harness: the second time changes it" cmp -s "$list" "$folder/first"
  case $harness in
  codex) expect_that "no table of Codex" grep -q '^\[mcp_servers.handoff\]$' "$list" ;;
  opencode) expect_json "$list" 'v.mcp.handoff.type === "local" && v.mcp.handoff.command.join(" ") === "handoff mcp"' ;;
  *) expect_json "$list" 'v.mcpServers.handoff.command === "handoff" && v.mcpServers.handoff.args.join() === "mcp"' ;;
  esac
  expect 0 install $harness --mcp --uninstall
  expect_out "$list: removed"
  expect_that "$harness leaves something" cmp -s <(ls -A) "$folder/nothing"
  expect 0 install $harness --mcp --uninstall
  expect_err "no server is registered for $harness here"
done

# there HARNESS: what stands in its list is kept, and comes back to the byte.
there()
{
  local list=${file[$1]}
  mkdir -p "$(dirname "$list")" && cat >"$list" && cp "$list" "$folder/before"
  expect 0 install "$1" --mcp
  expect_that "$1: nothing was put in" grep -q handoff "$list"
  expect 0 install "$1" --mcp
  expect_out "$list: unchanged"
  expect 0 install "$1" --mcp --uninstall
  expect_that "$1: other bytes than before: $(diff "$folder/before" "$list")" cmp -s "$list" "$folder/before"
  rm "$list"
  [ "$(dirname "$list")" = . ] || rmdir "$(dirname "$list")"
}
printf '' | there claude
printf '{}' | there cursor
printf '{"mcpServers": {}}\n' | there cursor
printf '{\r\n\t"mcpServers": {\r\n\t\t"other": {"command": "x", "args": ["mcp"]}\r\n\t}\r\n}\r\n' | there claude
printf '// mine\n{\n    "$schema": "https://opencode.ai/config.json", // kept\n    "mcp": {"jira": {"type": "remote", "url": "https://example.com"}}\n}' | there opencode
printf '{"theme": "dark"}' | there gemini
printf 'model = "x" # ours\n\n[mcp_servers.other]\ncommand = "y"\n' | there codex
printf '' | there codex

# What a person has made of it stays; and goes if it is still the program.
printf '{"mcpServers": {"handoff": {"command": "handoff", "args": ["mcp", "--read-only"]}}}\n' >.mcp.json
expect 0 install claude --mcp
expect_out ".mcp.json: unchanged"
expect 0 install claude --mcp --uninstall
expect_out ".mcp.json: removed"
printf '{"mcpServers": {"handoff": {"command": "/opt/mine"}}}\n' >.mcp.json
expect 0 install claude --mcp --uninstall
expect_json .mcp.json 'v.mcpServers.handoff.command === "/opt/mine"'
rm .mcp.json
mkdir -p .codex && printf '[mcp_servers.handoff]\ncommand = "mine"\n' >.codex/config.toml
expect 0 install codex --mcp
expect_err 'has a server called handoff already'
printf 'mcp_servers = { a = { command = "x" } }\n' >.codex/config.toml
expect 4 install codex --mcp
expect_err 'line 1 has servers in a form that cannot be extended'
rm -r .codex

# Hooks and the server in one file; the hooks' uninstall takes both.
expect 0 install gemini
expect 0 install gemini --mcp
expect_json .gemini/settings.json 'v.hooks && v.mcpServers.handoff'
expect 0 install gemini --mcp --uninstall
expect_json .gemini/settings.json 'v.hooks && !v.mcpServers'
expect 0 install gemini --mcp
expect 0 install gemini --uninstall
expect_that "gemini leaves something" cmp -s <(ls -A) "$folder/nothing"

# For all projects.
CLAUDE_CONFIG_DIR=$folder/claude expect 0 install claude --mcp --global
expect_that "not in the folder of CLAUDE_CONFIG_DIR" [ -e "$folder/claude/.claude.json" ]
CODEX_HOME=$folder/codex expect 0 install codex --mcp --global
expect_that "not in CODEX_HOME" [ -e "$folder/codex/config.toml" ]
expect 0 install opencode --mcp --global
expect_that "not in the home" [ -e "$HOME/.config/opencode/opencode.json" ]
expect 0 install cursor --mcp --global --uninstall

# A link of the project leads nowhere else; a harness without hooks has only this.
mkdir .cursor && ln -s "$folder/outside.json" .cursor/mcp.json
expect 9 install cursor --mcp
expect_that "written outside of the project" [ ! -e "$folder/outside.json" ]
expect 2 install cursor
expect_err 'use --mcp'
HANDOFF_AGENT=a expect 7 install cursor --mcp
finish
