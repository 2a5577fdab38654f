#!/bin/bash
# The database deleted, with or without the files that know of a gate, and rebuilt by a person: nothing that waited is open,
# and nothing that was rejected can be sent again without waiting.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"

# decided DECISION: the gate of $work is decided, signed if there is a decider, else at a terminal.
decided() { if [ "$who" = alice ]; then person 0 "$passphrase" -- gate decide "$gate" "$1" --note "No budget"; else expect_terminal 0 gate decide "$gate" "$1" --note "No budget"; fi; }

# lose PATH...: the database is gone, and these, too; a person rebuilds it.
lose()
{
  rm -rf .handoff/handoff.db* "$@"
  expect_terminal 1 rebuild
  expect_that "it is not said what was lost" grep -q 'lost' "$folder/out" "$folder/err"
}

# waits FILE: it is sent and waits; or it is already there, and waits.
waits()
{
  run send "$1" --json
  expect_json "$folder/out" "v.state === 'gated' && v.gate"
  run next --as coder
  expect_that "it was delivered" [ "$status" != 0 ]
}

# rejected PROOF: the rejection is the same as before.
rejected()
{
  state_is "$work" "${2:-rejected}"
  expect 0 gate show "$gate" --json
  expect_json "$folder/out" "v.state === 'decided' && v.decision === 'reject' && v.note === 'No budget' && v.proof === '$1'"
}

# as_it_was: when the gate was raised; once_rejected: when it was decided.
as_it_was() { find . -mindepth 1 -delete && cp -a "$folder/open/." .; }
once_rejected() { find . -mindepth 1 -delete && cp -a "$folder/ended/." .; }

for who in nobody alice; do
  for from in work.yaml -; do
    proof=unsigned
    if [ "$who" = alice ]; then
      proof=signed
      enrolled "$folder/alice$from"
      person 0 "$passphrase" -- gate decide "$gate" approve
    else
      mkdir -p "$folder/nobody$from/docs" && cd "$folder/nobody$from" || exit
      echo spec >docs/spec.md
    fi
    git init -q . && git config user.email a@example.com && git config user.name a
    package work.yaml lead coder
    sed 's/3 epics/4 epics/' work.yaml >near.yaml
    gate_document gate.yaml lead
    send "$from" <work.yaml
    work=$id
    expect 0 gate raise gate.yaml --for "$work" --json
    gate=$(field gate)
    rm -rf "$folder/open" && cp -a . "$folder/open"

    # It waits.
    for gone in '' state/current.json; do
      as_it_was
      # shellcheck disable=SC2086
      lose $gone
      run next --as coder
      expect_that "$who, $from, without '$gone': it was delivered" [ "$status" != 0 ]
      [ "$from" = work.yaml ] && [ -n "$gone" ] && continue # nothing knows that it was ever sent
      state_is "$work" gated
      waits near.yaml
    done

    # It was rejected: its copy in the archive says how; the state file, and git's, that it was.
    as_it_was
    decided reject
    git add -A . >/dev/null 2>&1 && git commit -qm "What there is"
    rm -rf "$folder/ended" && cp -a . "$folder/ended"
    lose
    rejected "$proof"
    waits work.yaml
    waits near.yaml
    [ "$from" = work.yaml ] || continue
    once_rejected
    lose state
    rejected "$proof"
    waits near.yaml

    # A copy from before the rejection was put back: what has ended is not open again.
    once_rejected
    find .project -name "$work.yaml" -exec sed -i '1s/"rejected"/"ready"/; 1s/,"marks":"[^}]*}"//' {} +
    lose
    state_is "$work" rejected
    waits near.yaml

    # Without the copy: the state file knows that it was rejected, and if that was changed, git does.
    once_rejected
    lose .project
    state_is "$work" rejected
    expect_that "it is not named" grep -q "$work.*who rejected it" "$folder/out" "$folder/err"
    waits near.yaml
    once_rejected
    sed -i 's/"rejected"/"pending"/' state/current.json
    lose .project
    state_is "$work" rejected
    waits near.yaml

    # Without the copy, and the author's file is gone or has another text: git has the one that was rejected.
    for say in rejected pending; do
      once_rejected
      sed -i "s/\"rejected\"/\"$say\"/" state/current.json
      lose .project work.yaml
      waits near.yaml
      once_rejected
      sed -i "s/\"rejected\"/\"$say\"/" state/current.json
      package work.yaml lead coder sequential "Paint the wall green before noon, with two coats, and clean the brushes"
      sed -i 's/Architecture.*/Painted wall/; s/The spec.*/It is dry/; s/How long.*/Why/; s/Answers.*/Green/; s/Unit.*/Nice/' work.yaml
      lose .project
      waits near.yaml
    done

    # The copy says that the receiver rejected it, and nobody at a gate: the state file, or git's, knows better.
    for gone in '' state; do
      once_rejected
      find .project -name "$work.yaml" -exec sed -i '1s/\\"rejected_at\\":.*/\\"rejected_by\\":\\"coder\\"}"}/' {} +
      expect_that "the copy is as it was" grep -rq 'rejected_by' .project
      # shellcheck disable=SC2086
      lose $gone
      waits near.yaml
    done

    # Archived.
    once_rejected
    expect 0 archive "$work"
    lose
    rejected "$proof" archived
    waits near.yaml

    # A made-up approval in the copy is none.
    once_rejected
    find .project -name "$work.yaml" -exec sed -i '1s/reject\\\\\\"/approve\\\\\\"/' {} +
    lose
    waits near.yaml
  done
done
finish
