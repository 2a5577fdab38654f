#!/bin/bash
# Every entry of these tables is used somewhere: statements of the store (HO_SQL_NAME), limits (HO_LIMIT_NAME, or
# HO_LIMIT_NOW(NAME) for those that a project may lower), and settings (asked for by their name).
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# entries DIR FILE...: the names of X(NAME, ...) in the lists of these files.
entries() { (cd "$1" && cat "${@:2}" 2>/dev/null) | grep -oE '^ +X\([A-Z_]+,' | sed 's/.*(//; s/,//'; }

check_tree()
{
  local wrong=0 name
  while IFS= read -r name; do
    grep -rqw --include='*.c' "HO_SQL_$name" "$1/src" || { echo "no code runs the statement $name"; wrong=1; }
  done < <(entries "$1" src/store/sql.h src/store/sql_runs.h src/store/sql_knowledge.h)
  while IFS= read -r name; do
    grep -rqwE --include='*.c' "HO_LIMIT_$name|HO_LIMIT_NOW\($name\)" "$1/src" || { echo "nothing is limited by $name"; wrong=1; }
  done < <(entries "$1" src/base/limits.h)
  while IFS= read -r name; do
    grep -rqE --include='*.c' --exclude=config.c "\"($name|[a-z_]+\\.$name|$name\\.[a-z_]+)\"" "$1/src" || { echo "nobody asks for the setting '$name'"; wrong=1; }
  done < <(awk '/^static const ho_field fields\[\]/ { on = 1 } on && match($0, /^    \{\.name = "[a-z_]+"/) { split($0, part, "\""); print part[2] } /^};/ { on = 0 }' "$1/src/model/formats/config.c")
  return "$wrong"
}

mkdir -p "$tree"/src/{store,base,model/formats}
printf '  X(GATE_GET, "SELECT 1")\n' >"$tree/src/store/sql.h"
printf '  X(DEPTH, "depth", 64)\n' >"$tree/src/base/limits.h"
printf 'static const ho_field fields[] = {\n    {.name = "lease",\n};\n' >"$tree/src/model/formats/config.c"
printf 'HO_SQL_GATE_GET; HO_LIMIT_NOW(DEPTH); number("lease");\n' >"$tree/src/a.c"
accepts "a table whose entries are used"
sed -i 's/GATE_GET/GATE_PUT/' "$tree/src/a.c"
rejects "no code runs the statement GATE_GET"
sed -i 's/GATE_PUT/GATE_GET/; s/DEPTH/WIDTH/' "$tree/src/a.c"
rejects "nothing is limited by DEPTH"
sed -i 's/WIDTH/DEPTH/; s/lease/least/' "$tree/src/a.c"
rejects "nobody asks for the setting 'lease'"

check_tree .
