#!/bin/bash
# Every question reaches whoever can answer it, and every answer whoever asked; a claim needs no token from its holder.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs node
needs script

# shellcheck source=tests/cli/inbox_common
source "$source_dir/tests/cli/inbox_common"

expect 0 inbox --as lead
expect_err "nothing has been handed off in this project yet"
package ask.yaml lead coder delegation
as lead send ask.yaml
asked=$id
item coder handoff "$asked"
expect 0 inbox --as coder --peek
expect_that "an empty text is quoted" [ -z "$(grep -x ' *| *' "$folder/out")" ]
expect 0 status
expect_not_out "    |"

# Its holder needs no token, in the session that claimed it; another session does.
as coder expect 0 next
expect_out "# next: handoff ack $asked --task TEXT"
item coder held "$asked"
as coder expect 0 next --json
expect_json "$folder/out" "v.id === '$asked' && v.token === null"
as coder expect 1 next --another
HANDOFF_SESSION=s-other expect 6 ack "$asked" --as coder --task 'Build it'
expect_err "$asked is held by another session of coder until "
expect_err "or wait and run: handoff next --as coder; a person can free it now: handoff release $asked"
# That session is told who holds it and until when, and is shown no command that would fail.
for way in claim release; do
  HANDOFF_SESSION=s-other expect 6 $way "$asked" --as coder
  expect_err "$asked is held by another session of coder until "
done
HANDOFF_SESSION=s-other expect 1 next --as coder
expect_err "nothing is ready for 'coder', but another session of yours holds $asked until "
HANDOFF_SESSION=s-other expect 0 inbox --as coder --peek --json
expect_json "$folder/out" "v.items.some((i) => i.kind === 'held' && i.id === '$asked' && i.until && i.commands.join() === 'handoff show $asked' &&
  i.text.includes('another session of yours holds it; when it is free, run: handoff next --as coder'))"
expect 6 claim "$asked" --as lead
expect_err "$asked is claimed by coder, not by lead"
# A command that is shown repeats who acts, if that was said by the option.
HANDOFF_SESSION=s-coder expect 2 ack "$asked" --as coder
expect_err "handoff ack $asked --task TEXT --as coder (it asks: "
HANDOFF_SESSION=s-coder expect 0 ack "$asked" --question 'Is there a deadline?' --as coder
expect_err "to start working, run: handoff ack $asked --task TEXT --as coder"
as lead expect 0 next
as lead expect 0 answer "$asked" --note 'No'
as coder expect 0 inbox
as coder expect 2 ack "$asked"
expect_err "handoff ack $asked --task TEXT (it asks: "
as coder expect 0 ack "$asked" --task 'Build it'
as coder expect 0 ack "$asked" --question 'Which encoding is read?'
item lead question "$asked" 'Which encoding'
as lead expect 0 next --json
expect_json "$folder/out" "v.item.kind === 'question' && v.item.id === '$asked'"
as lead expect 1 next
expect_err "nothing is ready for 'lead', but 1 item waits for you; run: handoff inbox"
as lead expect 0 answer "$asked" --note 'UTF-8 and nothing else'
item coder answer "$asked" 'UTF-8'
as coder expect 0 inbox
expect_out "UTF-8 and nothing else"
as coder expect 0 inbox
expect_not_out "UTF-8 and nothing else"
as coder expect 0 inbox --all
expect_out "UTF-8 and nothing else"

# All that was asked is shown until it is answered, not only what was asked last.
as coder expect 0 ack "$asked" --question 'Which database?' --question 'Which cloud?'
as coder expect 0 ack "$asked" --blocker 'No account' --blocker 'No licence'
as lead expect 0 inbox --peek
for text in 'Which database?' 'Which cloud?' 'No account' 'No licence'; do
  expect_out "    | $text"
done
item lead question "$asked" 'Which cloud?'
item lead question "$asked" 'No account'
expect 0 status
expect_out "    | Which database?"
expect_out "    | No account"
as lead expect 0 answer "$asked" --note 'SQLite, none, and you have both'
as coder expect 0 claim "$asked" --ack

# A blocker after the work has begun; the answer makes it ready, for the one who asked.
as coder expect 0 ack "$asked" --blocker 'No access to the server'
item lead question "$asked" 'No access'
as lead expect 0 answer "$asked" --note 'You have it now'
item coder answer "$asked" 'You have it'
as painter expect 6 claim "$asked"
expect_err "is for coder"
as coder expect 0 claim "$asked" --ack --json
expect_json "$folder/out" "v.handoff.state === 'acked' && v.commands.length === 3"
as coder expect 0 release "$asked" --note 'Out of time'
state_is "$asked" ready
as coder expect 0 next --ack
as coder expect 0 reject "$asked" --note 'There is no such server'
item lead rejected "$asked" 'no such server'

# Done without an acknowledgement implies it; the one who delegated is told.
as lead send ask.yaml --key two
asked=$id
as coder expect 0 claim "$asked"
as coder expect 0 "done" "$asked" --note 'The module is written'
expect 0 log "$asked" --json
expect_json "$folder/out" "['claimed', 'acked', 'done'].every((kind) => v.events.some((e) => e.event === kind))"
item lead returned "$asked" 'The module is written'

# Its sender takes it back, and its holder hears of it; nobody else can.
package wrong.yaml lead coder
as lead send wrong.yaml
as coder expect 0 claim "$id"
as painter expect 6 withdraw "$id" --note 'Mine'
as lead expect 0 withdraw "$id" --note 'Sent to the wrong agent'
state_is "$id" rejected
item coder stop "$id" 'wrong agent'

# If a person does, its sender waits for nothing any more, and is told why; that is known from then on.
package late.yaml lead coder delegation
as lead send late.yaml
expect 0 withdraw "$id" --note 'The release comes first'
item lead rejected "$id" 'withdrawn: The release comes first'
expect 0 know 'release comes first' --kind decision
expect_out 'Withdrawn: '
as lead expect 0 inbox
nobody "$id"
# What a person had approved does not hold any more.
package ship.yaml coder human escalation "Two builds were tested on 4 machines, and both start within a second"
as coder send ship.yaml
expect_terminal 0 gate decide "$gate" approve --note 'Ship the first'
as coder expect 0 inbox
expect_out 'Ship the first'
expect 0 withdraw "$id" --note 'The first build deletes files'
item coder rejected "$id" 'withdrawn: The first build deletes files'
expect 0 know --kind decision --json
expect_json "$folder/out" "v.nodes.some((n) => n.id === 'decision-$gate' && n.state === 'closed') &&
  v.nodes.some((n) => n.state === 'open' && n.text.startsWith('Withdrawn: ') && n.detail.rationale === 'The first build deletes files')"
expect 0 journal
expect_out 'The first build deletes files'
expect_not_out 'Ship the first'
as coder expect 0 inbox
# Whoever holds its own is told once.
package own2.yaml coder human escalation "Three builds were tested on 5 machines, and all of them start within a second"
as coder send own2.yaml
expect_terminal 0 gate decide "$gate" approve --note 'Ship the third'
as coder expect 0 claim "$id"
expect 0 withdraw "$id" --note 'Not the third either'
as coder expect 0 inbox --json
expect_json "$folder/out" "v.items.filter((i) => i.id === '$id').map((i) => i.kind).join() === 'stop'"

# Whoever holds what another handoff replaces hears of it too.
package old.yaml lead coder "" "The import is described in 3 user stories, one of which is wrong"
package new.yaml lead coder "" "The import is described in 3 user stories, all of them right"
as lead send old.yaml
old=$id
as coder expect 0 claim "$old"
as lead send new.yaml
as lead expect 0 supersede "$old" --by "$id"
item coder stop "$old" "superseded by $id"
as lead expect 0 withdraw "$id" --note 'Enough of it'

# What has ended takes nobody's place.
package next.yaml lead coder "" "Another import is described in 4 user stories, each with an example"
gone=$id
as lead send next.yaml
as lead expect 6 supersede "$id" --by "$gone"
expect_err "$gone is already rejected, so it cannot take the place of $id"
# A question that nobody answered is not forgotten because the work was done without an answer.
as coder expect 0 claim "$id" --ack
as coder expect 0 ack "$id" --question 'Which user stories come first?'
as coder expect 0 "done" "$id" --note 'Took the order of the list'
item lead question "$id" 'Which user stories come first?'
as lead expect 0 inbox
expect_out 'it was done without an answer: Took the order of the list'
as painter expect 6 answer "$id" --note 'The last'
as lead expect 0 answer "$id" --note 'The last one'
item coder answer "$id" 'The last one'
as lead expect 6 answer "$id" --note 'Again'
expect_err "nobody asked anything"

# Nor because its holder gave it back: it waits for the sender, whoever takes the handoff next.
package back.yaml lead coder "" "A third import is described in 6 user stories, each with an example"
as lead send back.yaml
as coder expect 0 claim "$id" --ack
as coder expect 0 ack "$id" --question 'Which of the 6 is the most urgent?'
as coder expect 0 release "$id"
item lead question "$id" 'Which of the 6'
expect 0 status
expect_out 'Which of the 6 is the most urgent?'
as lead expect 0 answer "$id" --note 'The first'
item coder answer "$id" 'The first'
# An answer is news until it is read: asking again, or finishing, reads nothing. A claim delivers it.
as coder expect 0 claim "$id" --ack
as coder expect 0 inbox
expect_not_out 'The first'
as coder expect 0 ack "$id" --question 'And after it?'
as lead expect 0 answer "$id" --note 'The second'
as coder expect 0 ack "$id" --question 'And the last?'
item coder answer "$id" 'The second'
item lead question "$id" 'And the last?'
as coder expect 0 "done" "$id"
item coder answer "$id" 'The second'
# It is asked until it is answered, not once.
as lead expect 0 inbox
as lead expect 0 inbox
expect_out 'And the last?'
as lead expect 0 answer "$id" --note 'The sixth'
as coder expect 0 inbox
# What a person frees can be taken again: no task is halted that its command could resume.
package freed.yaml lead coder "" "A fourth import is described in 7 user stories, each with an example"
as lead send freed.yaml
as coder expect 0 claim "$id" --ack
expect 0 release "$id"
as coder expect 0 inbox --peek --json
expect_json "$folder/out" "v.items.find((i) => i.kind === 'stop' && i.id === '$id').commands.join() === 'handoff claim $id,handoff show $id'"
as lead expect 0 withdraw "$id" --note 'Enough'
as coder expect 0 inbox
# Whoever is given its own escalation again, approved, asks people: nobody else could answer.
package which.yaml painter human escalation "Two blues were tried on 3 screens: one is readable, the other is ours"
as painter send which.yaml
expect_terminal 0 gate decide "$gate" approve --note 'Ours'
as painter expect 0 claim "$id"
as painter expect 0 ack "$id" --question 'On dark screens as well?'
item person question "$id" 'On dark screens as well?'
expect 0 answer "$id" --note 'Yes'
item painter answer "$id" 'Yes'
as painter expect 0 reject "$id" --note 'Nothing is to be painted'
as painter expect 0 inbox
# The result of what was delegated comes before what its sender holds.
package own.yaml lead painter "" "The colours of 9 pages are listed with the places where they are used"
as lead send own.yaml
own=$id
as painter expect 0 claim "$own" --ack
package part.yaml painter coder delegation "The colours of 9 pages have to be looked up in 3 style sheets"
as painter send part.yaml
as coder expect 0 claim "$id" --ack
package found.yaml coder painter return "All 9 colours were found: 7 in the first style sheet, 2 in the third"
as coder expect 0 return "$id" found.yaml --json
result=$(field id)
as painter expect 0 next --json
expect_json "$folder/out" "v.id === '$result' && v.token"
as painter expect 0 ack "$result" --task 'Use them'
as painter expect 0 "done" "$result"
as painter expect 0 next --json
expect_json "$folder/out" "v.id === '$own' && v.token === null"
# So do what a person decided, and what was answered: what it holds may wait for that.
as painter expect 0 ask 'Are shades colours of their own?' --json
expect_terminal 0 gate decide "$(field gate)" approve --note 'Shades count'
as painter expect 0 next
expect_out "): Shades count"
id=$(sed -n 's/^# id: //p' "$folder/out")
as painter expect 0 "done" "$id"
package sheet.yaml lead painter "" "The third style sheet is read and its shades are counted for 9 pages"
as lead send sheet.yaml
as painter expect 0 claim "$id" --ack
as painter expect 0 ack "$id" --blocker 'Which sheet is the third?'
as painter expect 0 next --json
expect_json "$folder/out" "v.id === '$own'"
as lead expect 0 answer "$id" --note 'The one for print'
as painter expect 0 next
expect_out "# id: $id"
expect_out "The one for print"
as painter expect 0 "done" "$id"
as painter expect 0 next --json
expect_json "$folder/out" "v.id === '$own' && v.token === null"
as painter expect 0 "done" "$own"

# A STOP reaches whoever asked, who resumes the task.
cat >ask.request.json <<'END'
{"task_id": "auth-001", "phase": "research", "mode": "code",
 "context": {"feature": "jwt", "relevant_files": ["docs/spec.md"], "constraints": ["No breaking changes"]},
 "instructions": "Find the existing login code and its patterns", "expected_output": "structured_findings"}
END
as lead send ask.request.json --to coder
as coder expect 0 claim "$id" --ack
cat >stop.response.json <<'END'
{"task_id": "auth-001", "phase": "research", "status": "blocked", "decision": "STOP", "findings": {},
 "context_summary": "The login code is not in this repository", "tokens_used": 900, "issues": ["No login code was found"]}
END
as coder send stop.response.json
item lead stop "$id" 'No login code'
as lead expect 0 answer "$id" --note 'It is in the other repository'
as lead expect 0 inbox --json
expect_json "$folder/out" '!v.items.some((i) => i.kind === "stop")'

# Work that a person gives: what is asked about it, and that it is refused, is in the person's inbox, whether the document
# says that it comes from a person or says nothing; and so is its result, which is for nobody else.
package person.yaml human coder "" "Prices must include the tax from January on, in the list and in the shop"
send person.yaml
as coder expect 0 claim "$id"
as coder expect 0 ack "$id" --blocker 'Which rate?'
item person question "$id" 'Which rate?'
expect 0 answer "$id" --note '19 percent'
as coder expect 0 claim "$id"
as coder expect 0 reject "$id" --note 'Finance does prices'
item person rejected "$id" 'Finance does prices'
sed 's/auth-001/auth-002/' ask.request.json >person.request.json
send person.request.json --to coder
asked=$id
as coder expect 0 claim "$asked" --ack
sed 's/auth-001/auth-002/; s/STOP/PROCEED/; s/blocked/complete/; s/"issues": .*/"issues": []}/' stop.response.json >done.response.json
as coder send done.response.json
item person returned "$id"
expect 0 inbox
expect_out "handoff claim $id"
expect 0 inbox --as painter
expect_err "nothing is waiting"
expect 6 claim "$id" --as painter
expect_err "$id is for a person, user:"
expect 0 claim "$id"
expect 0 "done" "$id"
as lead send ask.request.json --to coder --again
as coder expect 0 claim "$id" --ack
as coder expect 4 return "$id" person.request.json
expect_err "to send the request, run: handoff send person.request.json --to AGENT"
as coder expect 0 reject "$id" --note 'Enough'

# Whoever asked knows that the answer waits for a person, and what the person decides.
sed 's/auth-001/auth-003/' ask.request.json >ask3.request.json
sed 's/auth-001/auth-003/; s/STOP/CLARIFY/; s/No login code was found/Which login?/' stop.response.json >clarify.response.json
for decision in reject approve; do
  as lead send ask3.request.json --to coder --again
  asked=$id
  as coder expect 0 claim "$asked" --ack
  as coder send clarify.response.json --again
  item lead gate "$gate" "the answer to $asked waits until a person has decided this"
  as lead expect 0 inbox --peek --json
  expect_json "$folder/out" "v.items.some((i) => i.id === '$gate' && i.subject === 'Which login?' && i.commands.join() === 'handoff gate show $gate,handoff gate wait $gate --timeout 300')"
  expect_terminal 0 gate decide "$gate" $decision --note 'The first'
  as lead expect 0 inbox --json
  if [ $decision = reject ]; then
    expect_json "$folder/out" "v.items.some((i) => i.kind === 'decision' && i.id === '$gate' && i.text === 'reject: The first')"
  else
    expect_json "$folder/out" "v.items.some((i) => i.kind === 'returned' && i.id === '$id') && !v.items.some((i) => i.id === '$gate')"
    as lead expect 0 new request --task auth-003 --set /instructions='Go on' --print
    expect_json "$folder/out" "v.context.previous_findings.endsWith(' (decided: approve: The first)')"
  fi
done
# A person who thinks better of it takes the answer back before it is taken: whoever asked is told that nothing comes, and
# what had been approved holds nowhere.
expect_terminal 0 withdraw "$id" --note 'Neither of them'
as lead expect 0 next
expect_out "rejected $id from user:"
expect_out "| withdrawn: Neither of them"
as lead expect 0 new request --task auth-003 --set /instructions='Go on' --print
expect_json "$folder/out" "v.context.previous_findings.endsWith(' (withdrawn: Neither of them)')"
expect 0 know --kind question --task auth-003
expect_out "Which login?"
expect_not_out "The first"

# A person is asked, asks back, is answered and decides: each step is in one inbox.
package decide.yaml coder human escalation
as coder send decide.yaml
gated=$id
expect 0 inbox --json
expect_json "$folder/out" "v.items.some((i) => i.kind === 'gate' && i.id === '$gate' && i.commands.includes('handoff gate decide $gate approve'))"
expect_terminal 0 gate decide "$gate" question --note 'For how long?'
item coder question "$gate" 'For how long?'
as coder expect 7 gate wait "$gate" --timeout 20
expect_out "| For how long?"
expect_out "handoff answer $gate --note TEXT"
expect 7 gate wait "$gate" --timeout 20 --as coder
expect_out "handoff answer $gate --note TEXT --as coder"
expect 0 inbox --json
expect_json "$folder/out" "!v.items.some((i) => i.id === '$gate')"
as coder expect 0 answer "$gate" --note 'Until the release'
expect 0 inbox --json
expect_json "$folder/out" "v.items.some((i) => i.kind === 'gate' && i.id === '$gate')"
expect_terminal 0 gate decide "$gate" approve --note 'Until Friday'
item coder decision "$gate" 'approve: Until Friday'
# A session hears of it once when it begins and once when it stops, in one line; when it was read, no more.
event() { printf '{"session_id":"s-coder","transcript_path":"%s","cwd":"%s","hook_event_name":"%s"%s}' "$folder/none" "$PWD" "$@"; }
as coder expect 0 hook claude < <(event Stop)
expect_out 'New in your inbox: '
as coder expect 0 hook claude < <(event Stop)
expect_out_is '{}'
as coder expect 0 hook claude < <(event SessionStart ',"source":"startup"')
expect_out 'decision'
expect_out 'Run: handoff inbox'
as coder expect 0 inbox
as coder expect 0 hook claude < <(event SessionStart ',"source":"startup"')
expect_not_out 'New in your inbox'
state_is "$gated" ready
# What is for an agent by its name is handed to one of its instances, so that each call with an instance of its own gets to
# the work; what came of an instance's own doing is for that instance too, and a STOP for everybody.
package refused.yaml pool/1 coder
HANDOFF_SESSION=s-1 send refused.yaml --as pool/1
refused=$id
as coder expect 0 claim "$refused"
as coder expect 0 reject "$refused" --note 'Not now'
package work.yaml lead pool
as lead send work.yaml
work=$id
expect 0 next --as pool/2 --json
expect_json "$folder/out" "v.item.kind === 'rejected' && v.item.id === '$refused'"
expect 0 next --as pool/3 --json
expect_json "$folder/out" "v.id === '$work'"
expect 0 next --as pool/1 --json
expect_json "$folder/out" "v.item.kind === 'rejected' && v.item.id === '$refused'"
expect 1 next --as pool/1
expect 0 inbox --as pool --peek --json
expect_json "$folder/out" "v.items.some((i) => i.kind === 'rejected' && i.new)"
# The lead of a run reads no inbox: a question that somebody asks back there waits for people, and can be answered.
printf '# Plan\n\n### Phase 1: Measure [NOT STARTED]\n\n- [ ] Measure the start\n' >plan.md
expect 7 run plan.md --agent true
gate=$("$handoff" gate list --json | grep -oE 'G-[0-9]+-[0-9]+' | head -1)
expect_terminal 0 gate decide "$gate" question --note 'Where is its output?'
item person gate "$gate" 'Where is its output?'
expect_json "$folder/out" "v.items.find((i) => i.id === '$gate').commands.includes('handoff answer $gate --note TEXT')"
expect 0 answer "$gate" --note 'In the log'
item person gate "$gate"
# Whoever holds what waits at a gate is told so; each decision names what was asked, since several may be about one handoff.
package held.yaml lead coder "" "The release notes of 4 versions are to be joined into one page"
as lead send held.yaml
held=$id
as coder expect 0 claim "$held" --ack
gate_document page.yaml painter
as painter expect 0 gate raise page.yaml --for "$held" --json
gate=$(field gate)
as coder expect 0 inbox
expect_err "$held waits until a person has decided $gate; run: handoff gate show $gate"
as painter expect 0 inbox
expect_that "it is not the raiser's work" [ "$(grep -c "$held" "$folder/err")" = 0 ]
expect_terminal 0 gate decide "$gate" approve --note 'Fine'
as coder expect 0 inbox --json
expect_json "$folder/out" "v.items.find((i) => i.id === '$gate').subject === 'Budget of the login'"
as coder expect 0 "done" "$held"
# A name that is a credential is not repeated in commands.
secret=ghp_$(head -c 200 /dev/urandom | base64 -w 0 | tr -dc 'A-Za-z0-9' | head -c 36)
package named.yaml lead other
as lead send named.yaml
expect 0 next --as "other/$secret"
expect_not_out "$secret"
expect 0 inbox --as "other/$secret"
expect_not_out "$secret"
finish
