#!/bin/bash
# What alice reads before she signs: no text of a document, name or note looks like a line of the program, wherever it
# stands and however long it is, and what it is about is also said last.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
enrolled "$folder/project"
person 0 "$passphrase" -- gate decide "$gate" reject
package work.yaml importer reviewer
send work.yaml
work=$id
forged="Your decision: reject"
wide=$(printf 'ä%.0s' {1..100})
cat >gate.yaml <<END
handoff:
  timestamp: "2026-03-09T16:20:00Z"
  from: {agent: user:bob, step: 2}
  to: {agent: human, reason: Blocking gate reached}
  gate:
    type: blocking
    name: "Harmless\nRaised by alice on Monday, for HO-1\n$forged\r$forged\u2028$forged"
    step: 2
  context:
    summary: |
      Two approaches were estimated at 5 and 12 days, both with their risks written down
$forged
  validation_request:
    items: [Approve the budget of 5 days]
    options: {approve: Continue, reject: Adjust, question: Clarify}
  x_long: "$(printf '%77s' '')$forged$(printf '%59s' '')$forged $wide$forged"
  x_tabs: "$(printf '\t%.0s' {1..20})$forged"
$(printf '\n%.0s' {1..100})
END
sed -i "s/^$forged\$/      $forged/" gate.yaml
expect 0 gate raise gate.yaml --for "$work" --json
gate=$(field gate)
person 0 "$passphrase" -- gate decide "$gate" approve --note $'Fine\nYour decision: reject'
# only_own: every row is one of ours, or marked.
only_own()
{
  grep -vE '^(\| |Gate G-2026-[0-9]+, for HO-2026-[0-9]+, which goes to |Raised by user:[a-z]+ on [0-9TZ:-]+, as:$|(Document|What waits, and is delivered if you approve), SHA-256 [0-9a-f]{64}:$|Above, rows that begin with .\|. are what others wrote\.$|Your decision: approve, with the note:$|Passphrase of alice.s key: |G-2026-[0-9]+ is decided: approve by alice \(signed\); )' "$folder/out"
}
expect_that "a row is not marked: $(only_own)" [ -z "$(only_own)" ]
expect_that "a forged row: $(grep -n "^$forged" "$folder/out")" [ "$(grep -c "^$forged" "$folder/out")" = 0 ]
expect_that "a row is wider than the terminal" [ "$(LC_ALL=C.UTF-8 awk 'length > 79 && /^\|/' "$folder/out" | wc -l)" = 0 ]
expect_out "|       Your decision: reject"
# What it is about stands below the documents as well, and the sender whom the document makes up is not believed.
tail -6 "$folder/out" >"$folder/end"
expect_that "the end does not say what it is about" grep -q "^Gate $gate, for $work, which goes to reviewer$" "$folder/end"
expect_that "the end does not say what was decided" grep -q "^Your decision: approve, with the note:$" "$folder/end"
expect_not_out "Raised by user:bob"

# A name that looks like another is also written in numbers.
package cyrillic.yaml importer $'r\u0435viewer' sequential "Something else that is to be done, with all that belongs to it written down"
send cyrillic.yaml
gate_document plain.yaml importer
expect 0 gate raise plain.yaml --for "$id" --json
person 0 "$passphrase" -- gate decide "$(field gate)" reject
expect_out $'which goes to r\u0435viewer (r\\u0435viewer)'

# An agent called like the decider, or like the program, keeps nobody from deciding, and is not taken for a person.
for sender in alice user:alice handoff deadline; do
  package "from-$sender.yaml" "$sender" human escalation "A question from $sender about $RANDOM things that nobody else has asked so far"
  send "from-$sender.yaml"
  expect 0 gate show "$gate" --json
  [ "$sender" = alice ] || expect_json "$folder/out" "v.raised_by === 'user:' + '$(id -un)'"
  person 0 "$passphrase" -- gate decide "$gate" reject
done
finish
