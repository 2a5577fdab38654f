#!/bin/bash
# Tokens: made by people, shown once, kept as digests outside of the project, listed, revoked.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
expect 0 init

expect 0 token list
expect_err 'this project has no tokens'
expect 0 token new phone --role decide:alice --expires 30d
phone=$(cat "$folder/out")
expect_that "a token is hoat_ and 64 digits" grep -qxE 'hoat_[0-9a-f]{64}' <<<"$phone"
expect_err 'whoever has it looks at everything and decides gates, for one person'
expect 0 token new ci --role agent:coder/2 --json
expect_json "$folder/out" "v.role === 'agent:coder/2' && v.state === 'active' && /^hoat_/.test(v.token) && v.used === null"
expect_json "$folder/out" "new Date(v.expires) - new Date(v.made) === 90 * 86400000"
expect 0 token new board --role read --expires never
expect 0 token list --json
expect_json "$folder/out" "v.tokens.length === 3 && v.tokens[2].expires === null && !JSON.stringify(v).includes('hoat_')"
expect 0 token list
expect_out 'decide:alice'

# What cannot be a token.
expect 2 token new phone2 --role decide
expect_err 'use read, agent:NAME or decide:PERSON'
expect 2 token new phone2 --role read:alice
expect 2 token new phone2 --role root
expect 2 token new phone2 --role agent:human
expect 2 token new phone2 --role "agent:a
b decide:alice"
expect 2 token new 'a b' --role read
expect_err "cannot be a token's name"
expect 2 token new ../x --role read
secret=gh; secret+=p_$(printf 'a1B2c3%.0s' 1 2 3 4 5 6)
for name in "$secret --role read" "phone2 --role agent:$secret" "phone2 --role decide:$secret"; do
  # shellcheck disable=SC2086 # two arguments
  expect 2 token new $name
  expect_err 'looks like a credential'
  expect_that "the credential is repeated" [ "$(grep -c "$secret" "$folder/err")" = 0 ]
done
expect 2 token new phone2 --role read --expires yesterday
expect 2 token new phone2 --role read --expires 2001-01-01
expect_err 'is not a time to come'
expect 6 token new phone --role read
expect_err 'every name is used once'

# Nothing of it is in the project, and nobody else can read it.
expect_that "a digest is in the project" [ -z "$(grep -rl "$(printf %s "$phone" | sha256sum | cut -d ' ' -f 1)" .)" ]
expect_that "the token is kept" [ -z "$(grep -rl "$phone" . "$XDG_DATA_HOME")" ]
expect_that "the digest is not kept" grep -rq "$(printf %s "$phone" | sha256sum | cut -d ' ' -f 1)" "$XDG_DATA_HOME/handoff/tokens"
expect_that "others can read it" [ -z "$(find "$XDG_DATA_HOME/handoff/tokens" -perm /077)" ]

# Tokens are a project's: another one has none.
mkdir "$folder/other" && cd "$folder/other" && expect 0 init
expect 0 token list
expect_err 'this project has no tokens'
cd "$folder/project" || exit

expect 0 token revoke phone
expect_out 'token phone is revoked'
expect 0 token revoke phone
expect 0 token list --json
expect_json "$folder/out" "v.tokens[0].state === 'revoked' && v.tokens[0].revoked"
expect 6 token new phone --role read
expect_err 'there was a token phone'
expect 5 token revoke nobody

# Two that are made at once are both kept.
for n in 1 2 3 4 5 6; do "$handoff" token new "t$n" --role read >/dev/null 2>&1 & done
wait
expect 0 token list --json
expect_json "$folder/out" "v.tokens.length === 9"

# A token that gets into a document is taken out of it.
printf 'from: {agent: a}\nto: {agent: b}\ntype: sequential\ncontext: {summary: "The server takes %s now"}\nexpectations: {deliverable: the parser, success_criteria: ["10 tests pass"]}\n' "$phone" >doc.yaml
expect 0 send doc.yaml
expect 0 show HO-2026-001
expect_not_out "$phone"

# Agents make none.
HANDOFF_AGENT=coder expect 7 token new mine --role decide:alice
HANDOFF_AGENT=coder expect 7 token revoke ci
finish
