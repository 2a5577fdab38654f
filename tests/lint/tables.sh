#!/bin/bash
# Every entry of these tables is used somewhere: statements of the store (HO_SQL_NAME), limits (HO_LIMIT_NAME;
# HO_LIMIT_NOW(NAME) for those that a project may lower, or its setting would not count), and settings (asked for by their
# name, also those of a record).
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
    grep -rqF --include='*.c' "HO_LIMIT_NOW($name)" "$1/src" || { echo "nothing asks for HO_LIMIT_NOW($name), so projects cannot lower it"; wrong=1; }
  done < <(sed -n '/define HO_DOCUMENT_LIMITS/,/[^\]$/p' "$1/src/base/limits.h" | grep -oE '^ +X\([A-Z_]+,' | sed 's/.*(//; s/,//')
  while IFS= read -r name; do
    grep -rqE --include='*.c' --exclude=config.c "\"($name|[a-z_]+\\.$name|$name\\.[a-z_]+)\"" "$1/src" || { echo "nobody asks for the setting '$name'"; wrong=1; }
  done < <(sed -nE 's/^    \{\.name = "([a-z_]+)".*/\1/p' "$1/src/model/formats/config.c" | sort -u)
  return "$wrong"
}

mkdir -p "$tree"/src/{store,base,model/formats}
printf '  X(GATE_GET, "SELECT 1")\n' >"$tree/src/store/sql.h"
printf '#define HO_DOCUMENT_LIMITS(X) \\\n  X(DEPTH, "depth", 64)\n\n#define HO_LIMITS(X) \\\n  HO_DOCUMENT_LIMITS(X) \\\n  X(LOG, "log", 8)\n' >"$tree/src/base/limits.h"
printf 'static const ho_field agent_fields[] = {\n    {.name = "model",\n};\nstatic const ho_field fields[] = {\n    {.name = "lease",\n};\n' >"$tree/src/model/formats/config.c"
printf 'HO_SQL_GATE_GET; HO_LIMIT_NOW(DEPTH); HO_LIMIT_LOG; number("lease"); text("model");\n' >"$tree/src/a.c"
accepts "a table whose entries are used"
sed -i 's/GATE_GET/GATE_PUT/' "$tree/src/a.c"
rejects "no code runs the statement GATE_GET"
sed -i 's/GATE_PUT/GATE_GET/; s/DEPTH/WIDTH/' "$tree/src/a.c"
rejects "nothing is limited by DEPTH"
sed -i 's/NOW(WIDTH)/DEPTH/' "$tree/src/a.c"
rejects "nothing asks for HO_LIMIT_NOW(DEPTH)"
sed -i 's/HO_LIMIT_DEPTH/HO_LIMIT_NOW(DEPTH)/; s/lease/least/' "$tree/src/a.c"
rejects "nobody asks for the setting 'lease'"
sed -i 's/least/lease/; s/model/mode/' "$tree/src/a.c"
rejects "nobody asks for the setting 'model'"

check_tree .
