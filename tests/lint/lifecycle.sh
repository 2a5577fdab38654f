#!/bin/bash
# docs/concepts.md names every state and has it in its picture, `status` lists every open one, and its table of events is the one that test_lifecycle.c holds the program to.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# "FROM EVENT TO", one line each, from the page; "-" is no state yet. Approval goes back to the state before, for which
# the test has acked.
documented()
{
  awk -F ' *[|] *' '
    /^\| from \| event \|/ { on = 1; getline; next }
    !/^\|/ { on = 0 }
    on {
      count = split($2, from, ", ")
      for (i = 1; i <= count; i++)
        print (from[i] == "–" ? "-" : from[i]), $3, ($5 == "the state before" ? "acked" : $5)
    }' "$1/docs/concepts.md" | sort
}

tested()
{
  find "$1/tests/unit" -name test_lifecycle.c -exec sed -n \
    's/^ *{"\([a-z_]*\)", "\([a-z_]*\)", "\([a-z_]*\)"},$/\1 \2 \3/p' {} + | sed 's/^ /- /' | sort
}

# "open STATE" and "ended STATE", one line each, from the page's sentence about them, and from HO_STATES.
documented_states()
{
  tr '\n' ' ' <"$1/docs/concepts.md" | grep -oE '`[^.;]* are open states; [^.]* are ended ones' | awk -F ' are open states; ' '
    function put(kind, list) { while (match(list, /`[a-z_]+`/)) { print kind, substr(list, RSTART + 1, RLENGTH - 2); list = substr(list, RSTART + RLENGTH) } }
    { put("open", $1); put("ended", $2) }' | sort
}

states()
{
  sed -nE '/^#define HO_STATES/,/[^\]$/{
    s/^ *X\([A-Z_]+, "([a-z_]+)", "[a-z_]+", NULL,.*/ended \1/p
    s/^ *X\([A-Z_]+, "([a-z_]+)", .*/open \1/p
  }' "$1/src/model/lifecycle.h" | sort
}

# Each state is in the picture, and each open one in a list of `status`, which shows gates by themselves.
shown()
{
  local kind state wrong=0
  while read -r kind state; do
    sed -n '/^```text$/,/^```$/p' "$1/docs/concepts.md" | grep -qw "$state" ||
      { echo "not in the picture of docs/concepts.md: $state"; wrong=1; }
    [ "$kind" = ended ] || [ "$state" = gated ] || grep -q ", HO_STATE_${state^^}}" "$1/src/command/inspect/cmd_status.c" ||
      { echo "cmd_status.c: no list of 'status' has the open state $state"; wrong=1; }
  done < <(states "$1")
  return "$wrong"
}

# Every event is news to somebody (inbox*.c), but for those that only their own doers and the log need: whoever claims,
# finishes or archives knows it.
told()
{
  local event wrong=0
  for event in $(sed -nE '/^#define HO_EVENT_KINDS/,/[^\]$/s/^ *X\(([A-Z_]+), .*/\1/p' "$1/src/model/lifecycle.h"); do
    [[ " CLAIMED FINISHED ARCHIVED " == *" $event "* ]] || grep -qF "HO_INBOX_EVENT($event)" "$1"/src/engine/ledger/inbox*.c ||
      { echo "src/engine/ledger/inbox_news.c: nobody is told of the event $event"; wrong=1; }
  done
  return "$wrong"
}

# Everything that is wrong, not only the first of it.
check_tree()
{
  local tested wrong=0
  [ -n "$(states "$1")" ] || { echo "lifecycle.h has no HO_STATES"; return 1; }
  tested=$(tested "$1")
  [ -n "$tested" ] || { echo "test_lifecycle.c has no list of events"; return 1; }
  told "$1" || wrong=1
  diff <(documented_states "$1") <(states "$1") |
    sed -n 's/^< /only in the sentence of docs\/concepts.md: /p; s/^> /not in the sentence "… are open states; … are ended ones" of docs\/concepts.md: /p' | (! grep .) || wrong=1
  shown "$1" || wrong=1
  diff <(documented "$1") - <<<"$tested" | sed -n 's/^< /only in docs\/concepts.md: /p; s/^> /only in the test: /p' | (! grep .) || wrong=1
  return "$wrong"
}

mkdir -p "$tree/docs" "$tree/tests/unit/model" "$tree/src/model" "$tree/src/command/inspect" "$tree/src/engine/ledger"
echo 'HO_INBOX_EVENT(SENT)' >"$tree/src/engine/ledger/inbox.c"
echo '{"waiting", HO_STATE_READY},' >"$tree/src/command/inspect/cmd_status.c"
printf '#define HO_STATES(X) \\\n  X(READY, "ready", "pending", "is ready", "handoff next") \\\n  X(DONE, "done", "completed", NULL, NULL)\n\n  X(NO, "no", "no", NULL)\n' >"$tree/src/model/lifecycle.h"
printf '#define HO_EVENT_KINDS(X) \\\n  X(SENT, "sent", MOVES) \\\n  X(CLAIMED, "claimed", MOVES)\n' >>"$tree/src/model/lifecycle.h"
printf '```text\nready ─► done\n```\n`ready` are open states; `done` are\nended ones.\n\n' >"$tree/docs/concepts.md"
printf '| from | event | because of | to |\n| --- | --- | --- | --- |\n| – | sent | `send` | ready |
| ready, claimed | expired | late | expired |\n| gated | approved | | the state before |\n\n| a | b | c | d |\n' \
  >>"$tree/docs/concepts.md"
printf '    {"%s", "%s", "%s"},\n' "" sent ready ready expired expired claimed expired expired gated approved acked \
  >"$tree/tests/unit/model/test_lifecycle.c"
accepts "a page that says what is tested"
sed -i 's/"done", "completed", NULL, NULL)/"done", "completed", NULL, NULL) \\\n  X(LOST, "lost", "lost", NULL, NULL)/' "$tree/src/model/lifecycle.h"
rejects "of docs/concepts.md: ended lost"
sed -i 's/`done` are/`done` and `lost` are/' "$tree/docs/concepts.md"
rejects "not in the picture of docs/concepts.md: lost"
sed -i 's/─► done/& or lost/' "$tree/docs/concepts.md"
accepts "a page that names the new state"
sed -i 's/"lost", "lost", NULL, NULL)/& \\\n  X(ON_HOLD, "on_hold", "on_hold", "is on hold", "handoff next")/' "$tree/src/model/lifecycle.h"
rejects "of docs/concepts.md: open on_hold"
rejects "not in the picture of docs/concepts.md: on_hold"
rejects "no list of 'status' has the open state on_hold"
sed -i '/ON_HOLD/d; s/"lost", "lost", NULL, NULL) \\/"lost", "lost", NULL, NULL)/' "$tree/src/model/lifecycle.h"
sed -i 's/READY/DONE/' "$tree/src/command/inspect/cmd_status.c"
rejects "no list of 'status' has the open state ready"
sed -i 's/DONE/READY/' "$tree/src/command/inspect/cmd_status.c"
sed -i 's/ready, claimed/ready/' "$tree/docs/concepts.md"
rejects "only in the test: claimed expired expired"
sed -i 's/^| ready |/| ready, claimed, acked |/' "$tree/docs/concepts.md"
rejects "only in docs/concepts.md: acked expired expired"
sed -i 's/X(CLAIMED, "claimed", MOVES)/& \\\n  X(PARKED, "parked", MOVES)/' "$tree/src/model/lifecycle.h"
rejects "nobody is told of the event PARKED"
sed -i '/PARKED/d; s/"claimed", MOVES) \\/"claimed", MOVES)/' "$tree/src/model/lifecycle.h"
rm "$tree/tests/unit/model/test_lifecycle.c"
rejects "has no list of events"

check_tree .
