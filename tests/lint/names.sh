#!/bin/bash
# A name says where its function is declared: ho_gate_raise in gate.h, or in another header of that room. The first word
# after ho_ belongs to one room; another room may use it only before the rest of a header's name (ho_gate_shown_line in
# gate_shown.h; NAME_parts.h and NAME_inside.h count as NAME). What a header of a room declares, that room defines.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

check_tree()
{
  find "$1/src" -name '*.[ch]' -print0 | sort -z | xargs -0 awk '
    FNR == 1 {
      room = stem = FILENAME
      sub(/\/[^\/]*$/, "", room)
      sub(/.*\//, "", stem)
      header = sub(/\.h$/, "", stem)
      sub(/_(parts|inside)$/, "", stem)
      if (header) stems[room, stem] = 1
      begun = ""
    }
    # A function begins in the first column with its type, and its name stands on the same line.
    /^[a-z][a-zA-Z0-9_ *]*[ *]ho_[a-z0-9_]+\(/ && !/^(typedef|return|else|extern)/ {
      name = $0
      sub(/\(.*/, "", name)
      sub(/.*[ *]/, "", name)
      if (header) {
        declared[name] = room
        place[name] = FILENAME ":" FNR
      } else if (!/^static/)
        begun = name
    }
    /;$/ { begun = "" }
    /^{$/ && begun != "" { defined[begun] = room; begun = "" }
    END {
      for (name in declared) {
        rest = substr(name, 4)
        for (n = split(rest, words, "_"); n > 1 && !((declared[name], rest) in stems); n--) sub(/_[^_]*$/, "", rest)
        if (n > 1) continue
        if (!((words[1], declared[name]) in seen)) rooms[words[1]]++
        seen[words[1], declared[name]] = 1
        says[words[1]] = says[words[1]] sprintf("\n%s: %s", place[name], name)
      }
      for (word in rooms)
        if (rooms[word] > 1) {
          printf "ho_%s_ is declared in more than one room:%s\n", word, says[word]
          bad = 1
        }
      for (name in declared)
        if (name in defined && defined[name] != declared[name]) {
          printf "%s: %s is defined in %s\n", place[name], name, defined[name]
          bad = 1
        }
      exit bad
    }'
}

mkdir -p "$tree/src/store" "$tree/src/engine"
echo 'int ho_gates_add(void);' >"$tree/src/store/gates.h"
printf 'int ho_gates_add(void)\n{\n}\n' >"$tree/src/store/gates.c"
echo 'int ho_gate_raise(void);' >"$tree/src/engine/gate.h"
accepts "a prefix for each room"
echo 'int ho_gate_list(void);' >>"$tree/src/store/gates.h"
rejects "ho_gate_ is declared in more than one room"
echo 'int ho_gates_add(void);' >"$tree/src/store/gates.h"
echo 'void ho_gate_shown_line(void);' >"$tree/src/store/gate_shown.h"
echo 'void ho_gate_shown_text(void);' >"$tree/src/store/gate_shown_parts.h"
accepts "a header whose name begins with the word of another room"
echo 'void ho_gate_line(void);' >"$tree/src/store/gate_shown.h"
rejects "ho_gate_ is declared in more than one room"
rm "$tree"/src/store/gate_shown*.h
printf 'int ho_gates_add(void)\n{\n}\n' >"$tree/src/engine/other.c"
rm "$tree/src/store/gates.c"
rejects "ho_gates_add is defined in"

check_tree .
