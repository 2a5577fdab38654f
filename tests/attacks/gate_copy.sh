#!/bin/bash
# Copies of a handoff that waits for a person, or that a person rejected, changed so that they look like another one: they
# wait as well. What is about something else does not.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
needs jq
shopt -s lastpipe # waits counts what failed
enrolled "$folder/project"
person 0 "$passphrase" -- gate decide "$gate" reject
# The gated handoff states an id of its own.
package work.yaml importer reviewer
sed -i 's/^handoff:/handoff:\n  id: HO-2026-014/' work.yaml
send work.yaml
gate_document gate.yaml importer
expect 0 gate raise gate.yaml --for HO-2026-014 --json
first=$(field gate)
keep

# waits WAY [WORD]: the document on standard input waits for a person, and so does the same from a file.
waits()
{
  cat >"$folder/copy"
  expect 0 send - --json <"$folder/copy"
  expect_json "$folder/out" "v.state === 'gated' && v.gate && v.notes.some((n) => / ${2:-says (nearly )?the same as} HO-[^ ]* which (waits|was rejected) at G-/.test(n))"
  cp "$folder/copy" copy.yaml
  expect 0 send copy.yaml --json
  expect_json "$folder/out" "v.state === 'gated'"
  run next --as reviewer
  expect_that "$1: it was delivered" [ "$status" = 1 ]
}

# copies: all of these, with the gate as it is now.
copies()
{
  (cat work.yaml; echo '#') | waits "a comment"
  (sed /HO-2026-014/d work.yaml; echo '# more') | waits "a comment, no id"
  sed 's/HO-2026-014/HO-2026-914/; s/^/ /; s/^ handoff:/handoff: # again/' work.yaml | waits "a comment, another id"
  sed 's/16:20:00/16:20:01/' work.yaml | waits "a second later"
  sed 's/3 epics/4 epics/' work.yaml | waits "a digit"
  sed 's/3 epics/4 epics/; s/HO-2026-014/HO-2026-915/' work.yaml | waits "a digit, another id"
  sed '/HO-2026-014/d; s/3 epics/4 epics/' work.yaml | waits "a digit, no id"
  sed 's/agent: importer/agent: importer2/; s/HO-2026-014/HO-2026-916/' work.yaml | waits "another sender"
  sed 's/3 epics/4 epics/; s/agent: reviewer/agent: reviewer\/2/; /HO-2026-014/d' work.yaml | waits "another instance of the receiver"
  sed '/success_criteria/,/coverage/d; /HO-2026-014/d' work.yaml | waits "less"
  (sed '/HO-2026-014/d' work.yaml; echo "  x_note: >"; seq -f '    %g more words that say nothing' 200) | waits "more"
  expect 0 convert work.yaml --to package --as json
  sed 's/HO-2026-014/HO-2026-917/' "$folder/out" >copy.json
  send copy.json
  expect_json "$folder/out" "v.state === 'gated'"
  sed -i 's/3 epics/4 epics/; s/^{/{ /' copy.json
  expect 0 send - --json <copy.json
  expect_json "$folder/out" "v.state === 'gated'"
  cat >"$folder/other.yaml" <<'END'
handoff:
  id: HO-2026-014
  timestamp: "2026-05-01T09:00:00Z"
  from: {agent: importer, step: 7}
  to: {agent: reviewer, reason: Payments were moved to another provider}
  context:
    summary: Payments now go through the new provider; the old client was removed from the code
    key_info: [The sandbox answers within 300 ms, Refunds need a second call]
  expectations:
    deliverable: A list of all endpoints with their limits
END
  waits "its id, on something else" "states the id of" <"$folder/other.yaml"
}

# texts EXPRESSION CHARACTER: the document with its texts as the expression makes them, for waits.
texts() { jq --arg c "${2:-}" "del(.handoff.id) | walk(if type == \"string\" and test(\" \") then $1 else . end)" whole.json; }
letters() { texts '(ascii_downcase | split("") | map(($c | fromjson)[.] // .) | join(""))' "$1"; }
hidden()
{
  local code
  for code in 00ad 034f 200b 200c 2063 202d fe0f 3164 000e0061; do
    case $code in ????) code="\\u$code" ;; *) code="\\U$code" ;; esac
    texts 'gsub("(?<a>[A-Za-z]{2})(?<b>[A-Za-z]+)"; .a + $c + .b)' "$(printf '%b' "$code")" | waits "$code in its words"
  done
  for code in 00a0 2028 3164; do
    texts 'gsub(" "; $c)' "$(printf '%b' "\\u$code")" | waits "U+$code as its blanks"
  done
}
# What looks the same to a reader: letters of other alphabets and types, accents, signs or tags between and in the words.
alike()
{
  texts 'gsub("a"; "\u0430") | gsub("e"; "\u0435") | gsub("o"; "\u03bf")' | waits "letters of other alphabets"
  texts 'explode | map(if 33 <= . and . <= 126 then . + 65248 else . end) | implode' | waits "wide letters"
  texts 'explode | map(if 97 <= . and . <= 122 then . + 119737 else . end) | implode' | waits "mathematical letters"
  texts 'gsub("(?<a>[aeiou])"; .a + "\u0323")' | waits "accents"
  texts 'gsub(" "; $c)' _ | waits "one word"
  texts 'gsub(" "; $c)' '<br>' | waits "tags as blanks"
  texts 'gsub("(?<a>[A-Za-z]{2})(?<b>[A-Za-z]+)"; .a + $c + .b)' '****' | waits "emphasis in its words"
  texts 'gsub("(?<a>[A-Za-z]{2})(?<b>[A-Za-z]+)"; .a + $c + .b)' '<i></i>' | waits "tags in its words"
  texts 'gsub("(?<a>[A-Za-z]{2})(?<b>[A-Za-z]+)"; .a + $c + .b)' '<abbr></abbr>' | waits "other tags in its words"
  letters '{"l":"ł","o":"ø","d":"đ","h":"ħ","t":"ŧ","i":"ı","e":"ɇ"}' | waits "strokes through letters"
  letters '{"a":"Ꭺ","c":"Ꮯ","d":"Ꭰ","e":"Ꭼ","h":"Ꮋ","i":"Ꮖ","r":"Ꭱ","s":"Ꮪ","t":"Ꭲ"}' | waits "Cherokee"
  letters '{"a":"ꓮ","b":"ꓐ","e":"ꓰ","i":"ꓲ","n":"ꓠ","o":"ꓳ","t":"ꓔ"}' | waits "Lisu"
  letters '{"o":"ⲟ","c":"ⲥ","p":"ⲣ","a":"ⲁ","e":"ⲉ"}' | waits "Coptic"
  letters '{"a":"ᗩ","c":"ᑕ","l":"ᒪ","p":"ᑭ","s":"ᔕ","u":"ᑌ"}' | waits "Canadian syllabics"
  letters '{"a":"🇦","e":"🇪","o":"🇴","i":"🇮"}' | waits "letters of flags"
  texts '"Quite another text, of which much is to be seen, stands in front of it: <x " + . + ">"' | waits "in a tag"
  texts 'gsub("(?<a>[A-Za-z0-9]+)"; "<" + .a + ">") | "Quite another text, of which much is to be seen, stands in front of it: " + .' | waits "words as tags"
  texts 'ascii_upcase | explode | map([.] | implode) | join($c)' ' ' | waits "spaced out"
}
# Beside the values of another document, which nobody has decided about or which a person approved for the same agent.
margins()
{
  (other; sed 's/^/# /' work.yaml) | waits "in comments"
  words | jq -Rr '"  " + tojson + ": yes"' | (other; cat) | waits "in keys"
  words | sed 's/[^A-Za-z0-9]/_/g; s/.*/  x_&: yes/' | (other; cat) | waits "in keys of its own"
  words | jq -Rr '"  ? " + tojson + "\n  : yes"' | (other; cat) | waits "in long keys"
  words | sed 's/[^A-Za-z0-9]/_/g; s/.*/    - \&& yes/; 1i \  x_a:' | (other; cat) | waits "in names of anchors"
  words | sed 's/[^A-Za-z0-9]/_/g; s/.*/    - !& yes/; 1i \  x_a:' | (other; cat) | waits "in tags of YAML"
  jq '.handoff.context = {summary: "Payments now go through another provider"} | .handoff.expectations = {}' whole.json >copy.json
  words | sed 's|^|// |' >>copy.json
  expect 0 send copy.json --json
  expect_json "$folder/out" "v.state === 'gated'"
}
words() { jq -r '.. | strings | select(test(" "))' whole.json; }
other() { sed '/id: HO-2026-014/d' "$folder/other.yaml"; }
# The same for somebody else waits, too. What a person approved for one agent is not approved for another.
others()
{
  sed 's/agent: reviewer/agent: tester/; s/HO-2026-014/HO-2026-918/' work.yaml >tester.yaml
  send tester.yaml
  expect_json "$folder/out" "v.state === 'gated'"
  person 0 "$passphrase" -- gate decide "$(field gate)" approve
  state_is HO-2026-918 ready
  claim --as tester
  send tester.yaml --again
  expect_json "$folder/out" "v.state === 'ready' && !v.gate"
  waits "approved for somebody else" <work.yaml
}
expect 0 convert work.yaml --to package --as json
cp "$folder/out" whole.json
keep
hidden
again
alike
again
person 0 "$passphrase" -- gate decide "$first" reject
others
again
copies
again
person 0 "$passphrase" -- gate decide "$first" reject
state_is HO-2026-014 rejected
copies
expect 0 gate list
expect_out "inherited from $first"

# What is written in the margin is compared, too: also behind a document that a person has approved.
again
margins
again
person 0 "$passphrase" -- gate decide "$first" reject
other >other.yaml
send other.yaml
expect_json "$folder/out" "v.state === 'ready'"
expect 0 gate raise gate.yaml --for "$id" --json
person 0 "$passphrase" -- gate decide "$(field gate)" approve
claim --as reviewer
(other; echo "# A remark on it") >other.yaml
send other.yaml
expect_json "$folder/out" "v.state === 'ready'"
claim --as reviewer
margins

# Another matter, for the same receiver: it does not wait, unless it says that it is the gated one.
again
sed '/id: HO-2026-014/d' "$folder/other.yaml" >other.yaml
send other.yaml
expect_json "$folder/out" "v.state === 'ready' && !v.gate"
# Almost the same for somebody else is another matter, too.
sed 's/agent: reviewer/agent: tester/; s/3 epics/4 epics/; /HO-2026-014/d' work.yaml >tester.yaml
send tester.yaml
expect_json "$folder/out" "v.state === 'ready'"

# Behind a short document that a person approved, and whose words are all in the copy; and in another format.
again
cat >short.yaml <<'END'
handoff:
  timestamp: "2026-03-09T16:20:00Z"
  from: {agent: importer, step: 2}
  to: {agent: reviewer, reason: Please rename it}
  context:
    summary: Rename the variable x to count
  expectations:
    deliverable: A renamed variable
END
send short.yaml
expect_json "$folder/out" "v.state === 'ready'"
expect 0 gate raise gate.yaml --for "$id" --json
person 0 "$passphrase" -- gate decide "$(field gate)" approve
claim --as reviewer
(sed 's/3 epics/4 epics/; /HO-2026-014/d' work.yaml; printf '  x_%s: %s\n' a importer b 'Please rename it' c 'Rename the variable x to count' d 'A renamed variable') | waits "behind an approved one"
run convert work.yaml --to task
(echo "outcome: SUCCEEDED"; cat "$folder/out") >task.yaml
run send task.yaml --format task --to reviewer --json
expect_that "another format: it is ready" [ "$(field state)" != ready ]

# After a flood: one gate that is handed on many times does not push the others out of what is compared.
again
person 0 "$passphrase" -- gate decide "$first" reject
sql "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
  INSERT INTO gates SELECT 'G-2026-7' || printf('%03d', i), 'HO-2026-7' || printf('%03d', i), digest, name, raised_by, 'decided', resume, raised, 0, 'handoff', 'reject', '', 'verified', raised, '', '' FROM n, gates WHERE gates.id = '$first'"
columns=$(sql "SELECT group_concat(name) FROM pragma_table_info('handoffs') WHERE name NOT IN ('id', 'seq', 'idem_key')")
sql "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
  INSERT INTO handoffs (id, seq, idem_key, $columns) SELECT 'HO-2026-7' || printf('%03d', i), 5000 + i, '', $columns FROM n, handoffs WHERE handoffs.id = (SELECT id FROM handoffs ORDER BY seq LIMIT 1)"
waits "after a flood" <work.yaml

# What a person approved can be sent again, and changed a little.
again
person 0 "$passphrase" -- gate decide "$first" approve
send - <work.yaml
expect_json "$folder/out" "v.state === 'ready' && !v.gate"
sed 's/3 epics/4 epics/; /HO-2026-014/d' work.yaml >more.yaml
send more.yaml
expect_json "$folder/out" "v.state === 'ready' && !v.gate"
expect 0 verify
finish
