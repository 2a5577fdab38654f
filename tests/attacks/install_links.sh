#!/bin/bash
# A clone has links where `install` writes: into .git or .handoff, where git or the program would believe what is written, or
# out of a plugin's folder. `install` refuses, says why, and what it did not write it neither replaces nor removes.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"
needs git

# kept TEXT COMMAND...: the command is refused with that reason, and nothing in .git and .handoff changes.
kept()
{
  local reason=$1
  shift
  find .git .handoff -exec stat -c '%n %s' {} + | sort >"$folder/kept-before"
  cat .git/config .handoff/config.yaml >"$folder/texts-before"
  expect 9 "$@"
  expect_err "$reason"
  find .git .handoff -exec stat -c '%n %s' {} + | sort >"$folder/kept-after"
  expect_that "something changed below .git or .handoff: $(diff "$folder/kept-before" "$folder/kept-after")" \
    cmp -s "$folder/kept-before" "$folder/kept-after"
  expect_that "settings changed" cmp -s <(cat .git/config .handoff/config.yaml) "$folder/texts-before"
}
into="it leads outside the project, or into .git or .handoff"
# repository: a fresh project that is one.
repository() { fresh && git init -q . && mkdir -p .claude/agents; }

for target in .git/config .git/HEAD .git/hooks/pre-commit.sample .handoff/config.yaml; do
  repository
  [ -e $target ] || continue
  ln -s ../../$target .claude/agents/helper.md
  kept "$into" install claude
  expect_err ".claude/agents/helper.md"
  rm .claude/agents/helper.md
  ln -s $target CLAUDE.md
  kept "$into" install claude --instructions
  ln -sf ../$target .claude/settings.json
  kept "$into" install claude
  ln -s $target lead.md
  rm .claude/settings.json CLAUDE.md
  kept "$into" install claude --into lead.md
done
# Links that lead nowhere yet, and folders.
for target in .git/hooks/post-checkout .handoff/new.md; do
  repository
  ln -s $target CLAUDE.md
  kept "symbolic link" install claude --instructions
done
repository
echo x >.git/hooks/z.md
rmdir .claude/agents && ln -s ../.git/hooks .claude/agents
kept "$into" install claude
for target in .git .handoff; do
  repository
  rm -r .claude && ln -s $target .claude
  kept "$into" install claude
done
# A named document is mended where a link leads to, and not there either.
repository
printf 'threshold:   70\n' >.handoff/config.yaml
ln -s .handoff/config.yaml config.yaml
kept "in .git or .handoff" fix config.yaml --format config
# A link to another file of the project is followed, and stays one.
repository
echo '# Rules' >AGENTS.md
ln -s AGENTS.md CLAUDE.md
expect 0 install claude --instructions
expect_that "the link is no link any more" [ -L CLAUDE.md ]
expect_that "the text is not in AGENTS.md" grep -q 'handoff:begin' AGENTS.md

# A plugin's folder: its parts, or itself, are links to the user's files.
own='{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"my-own-hook"}]}]}}'
for link in hooks .claude-plugin skills skills/handoff ''; do
  for command in "install claude --plugin plugin" "install claude --plugin plugin --uninstall"; do
    repository
    rm -rf "$victim" && mkdir -p "$victim/skills/handoff" "$victim/hooks"
    for name in hooks.json plugin.json SKILL.md handoff/SKILL.md hooks/hooks.json skills/handoff/SKILL.md; do
      mkdir -p "$victim/$(dirname $name)"
      echo "$own" >"$victim/$name"
    done
    find "$victim" | sort >"$folder/listed"
    mkdir -p "$(dirname "plugin/$link")"
    rmdir "plugin/$link" 2>/dev/null
    ln -s "$victim" "plugin${link:+/$link}"
    # shellcheck disable=SC2086
    expect 9 $command
    expect_err "$into"
    expect_that "files were made or removed behind plugin/$link" cmp -s "$folder/listed" <(find "$victim" | sort)
    expect_that "a file was replaced behind plugin/$link" [ "$(find "$victim" -type f -exec cat {} + | sort -u)" = "$own" ]
  done
done
# Files that are not its own are neither replaced nor removed; then nothing else is written either.
repository
declare -A theirs=([hooks/hooks.json]="$own" [.claude-plugin/plugin.json]='{"name":"handoff","version":"1","author":"me"}'
  [skills/handoff/SKILL.md]='---
name: handoff
description: My own way to hand over.
---
Mine.')
for name in "${!theirs[@]}"; do
  rm -rf plugin && mkdir -p "plugin/$(dirname "$name")"
  echo "${theirs[$name]}" >"plugin/$name"
  for more in '' --uninstall --print; do
    # shellcheck disable=SC2086
    expect 6 install claude --plugin plugin $more
    expect_err "plugin/$name: was not written by handoff"
    expect_that "$name was changed" [ "$(cat "plugin/$name")" = "${theirs[$name]}" ]
    expect_that "something else was written beside $name" [ "$(find plugin -type f | wc -l)" = 1 ]
  done
done
# Its own, of this or an earlier version, are.
rm -rf plugin
expect 0 install claude --plugin plugin
sed -i 's/"version": "[^"]*"/"version": "0.0.9"/' plugin/.claude-plugin/plugin.json
sed -i 's/"timeout": [0-9]*/"timeout": 99/' plugin/hooks/hooks.json
printf -- '---\nname: handoff\ndescription: Hand work over to a successor before the context runs out, and continue work that was handed over.\n---\n\n## Old\n' \
  >plugin/skills/handoff/SKILL.md
expect 0 install claude --plugin plugin
expect_out "plugin/skills/handoff/SKILL.md: changed"
expect_out "plugin/.claude-plugin/plugin.json: changed"
expect_out "plugin/hooks/hooks.json: changed"
expect 0 install claude --plugin plugin --uninstall
expect_that "files are left: $(find plugin -type f)" [ -z "$(find plugin -type f)" ]
# The folder is named by a person: outside the project, a link is followed.
mkdir "$folder/plugins" && ln -s plugins "$folder/linked"
expect 0 install claude --plugin "$folder/linked/mine"
expect_that "no plugin there" [ -s "$folder/plugins/mine/hooks/hooks.json" ]
finish
