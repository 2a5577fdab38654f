#!/bin/bash
# The commands of one word decide a gate under the same rules as `gate decide`: a person, at a terminal, in no other name,
# with a decider's signature. `reject` is also for agents and handoffs; that is no way around.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
needs script
words=(approve reject)
# refused WAY STATUS: the last command was, and the gate is as before.
refused()
{
  if [ "$status" = "$2" ]; then result ok; else result bad "$1: exit status $status, not $2"; fi
  expect 0 gate show "$gate" --json
  expect_json "$folder/out" 'v.state === "open" && v.decision === null'
}
# attack NAME: every way that an agent has.
attack()
{
  for word in "${words[@]}"; do
    for name in "$gate" "G-$((10#${gate##*-}))" "G-${gate##*-}"; do
      run "$word" "$name" --note no
      refused "$word $name without a terminal" 7
      HANDOFF_AGENT=est at_terminal "$word" "$name" --note no
      refused "$word $name as est" 7
      CLAUDECODE=1 at_terminal "$word" "$name" --note no
      refused "$word $name in Claude Code" 7
      mkdir -p "$folder/bin" && printf '#!/bin/bash\n"$@"\nexit $?\n' >"$folder/bin/claude" && chmod +x "$folder/bin/claude"
      SHELL=/bin/bash script -qec "$folder/bin/claude env -i HOME=$HOME PATH=$PATH $handoff $word $name --note no" /dev/null </dev/null >"$folder/out" 2>&1
      status=$?
      refused "$word $name below an agent's process" 7
    done
  done
  # In another name, with a token, with the number of a handoff.
  at_terminal reject "$gate" --note no --as somebody
  expect_out "under your own name"
  refused "reject --as" 2
  at_terminal reject "$gate" --note no --as est
  refused "reject --as est" 2
  run reject "${gate##*-}" --note no --as est
  expect_that "reject NUMBER is of a handoff" [ "$status" != 0 ]
  expect 0 gate show "$gate" --json
  expect_json "$folder/out" 'v.state === "open"'
}

# ---- Nobody decides by signature: an unsigned decision is called so.
package ask.yaml est human escalation
send ask.yaml
attack
expect_terminal 0 reject "$gate"
expect_out "is decided: reject by"
expect_out "(unsigned)"
package ask.yaml est human escalation "Another matter: the import has 12 columns and 3 of them have no name yet"
send ask.yaml
expect_terminal 0 approve "G-$((10#${gate##*-}))" --note "Well done"
expect_out "(unsigned)"
expect_terminal 6 reject "$gate" --note no

# ---- With a decider, only a signature counts.
mkdir "$folder/signed" && enrolled "$folder/signed"
attack
person 7 "wrong horse" -- reject "$gate" --note no
refused "reject with a wrong passphrase" 7
person 0 "$passphrase" -- reject "$gate" --note "Too dear"
expect_out "(signed)"
expect 0 gate show "$gate" --json
expect_json "$folder/out" 'v.decision === "reject" && v.proof === "signed" && v.note === "Too dear"'

# ---- The harnesses are told.
expect 0 install claude --print
for rule in 'handoff approve *' 'handoff reject G*'; do expect_out "$rule"; done
expect_not_out 'handoff reject *'
expect_not_out 'handoff reject)'
finish
