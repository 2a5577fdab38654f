#!/bin/bash
# Completion in the real shells: commands of one and two words, options and their values, and what the project has.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
mkdir bin
ln -s "$handoff" bin/handoff
export PATH=$PWD/bin:$PATH
expect 0 init
expect 0 pass --task 7 --phase 1 --slug fast_start --next 'Open src/a.c and measure the start'
expect 0 claim 1 --as codex
id=HO-$(date -u +%Y)-001

# Each shell prints what the last word can become.
in_bash()
{
  bash -c 'source <(handoff completion bash); compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _handoff; printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
in_zsh()
{
  zsh -fc 'compdef() { :; }; _files() { print :files; }; _describe() { print -l -- "${(@)found%%:*}"; }
    source <(handoff completion zsh); words=("$@"); CURRENT=$#; _handoff' zsh "$@"
}
in_fish()
{
  local line
  printf -v line '%q ' "${@:1:$#-1}"
  fish --no-config -c "handoff completion fish | source; complete -C '$line${*: -1}'" | cut -f1
}
# complete_to WANTED WORD...: in every shell that is there.
complete_to()
{
  local wanted=$1 shell
  shift
  for shell in bash zsh fish; do
    has $shell "$shell completes" || continue
    last="$shell completes: $*"
    in_$shell "$@" >"$folder/out" 2>"$folder/err"
    if grep -qxF -- "$wanted" "$folder/out"; then result ok; else result bad "no '$wanted'"; fi
  done
}
complete_to check handoff che
complete_to gate handoff gat
complete_to decide handoff gate ''
complete_to tried handoff progress tr
complete_to --format handoff check --f
complete_to --json handoff check --j
complete_to sarif handoff check . -o s
complete_to package handoff check --format pac
complete_to package handoff --json schema pa
complete_to bash handoff completion ''
complete_to doctor handoff help d
complete_to ready handoff list --state ''
complete_to "$id" handoff show HO
complete_to "$id" handoff "done" ''
complete_to codex handoff next --as co
complete_to 7 handoff list --task ''
complete_to ready,acked handoff list --state ready,a
complete_to --state=ready,acked handoff list --state=ready,a
complete_to artifact-title handoff explain artifact-t

# What `run` can continue, and whose log there is.
printf '# Plan: Export\n\n- **Task**: 9 - Export\n\n### Phase 1: Write [NOT STARTED]\n- **Dependencies**: None\n' >plan.md
expect 7 run plan.md --agent false
complete_to "R-$(date -u +%Y)-001" handoff run R
complete_to "R-$(date -u +%Y)-001/1.1" handoff logs R

last="bash completes files"
in_bash handoff check bi >"$folder/out" 2>"$folder/err"
if grep -qx bin "$folder/out"; then result ok; else result bad "no 'bin'"; fi

# What a word is about stands beside it, and files are left to the shell. Outside a project nothing fails.
expect 0 completion fish -- show ''
expect_out "$id	claimed: Open src/a.c and measure the start"
expect_out ':files'
expect 0 completion zsh -- list --state=r
expect_out '--state=ready'
expect 0 completion bash -- progress "done" ''
expect_not_out "$id"
# Of many, the newest; and those that begin as what is there, how old they may be.
for ((i = 0; i < 51; i++)); do "$handoff" send --to other "Review part $i of the import" --as writer >/dev/null 2>&1; done
expect 0 completion bash -- "done" HO
expect_not_out "$id"
expect 0 completion bash -- "done" "${id%1}"
expect_out "$id"
cd "$(mktemp -d -p "$folder")" || exit
expect 0 completion bash -- "done" ''
expect_no_err
expect_that "something was made: $(ls -A)" [ -z "$(ls -A)" ]
finish
