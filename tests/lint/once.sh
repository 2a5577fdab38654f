#!/bin/bash
# A header declares what other files use: a function that only its own file calls is static, and one that nobody calls
# is not there. What only tests call may stay: it is there to be asked.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

check_tree()
{
  local users=("$1/src")
  for folder in tests bench tools examples; do
    [ -d "$1/$folder" ] && users+=("$1/$folder")
  done
  # All files in one list: xargs would rather begin a second one, and each would miss what the other has.
  find "${users[@]}" -name node_modules -prune -o -name '*.[ch]' -print0 | sort -z |
    xargs -0 -x -n 100000 -s 1000000 awk -v src="$1/src/" '
    FNR == 1 {
      inside = index(FILENAME, src) == 1
      header = FILENAME ~ /\.h$/
      comment = 0
    }
    comment { if (!sub(/^.*\*\//, "")) next; comment = 0 }
    { gsub(/"([^"\\]|\\.)*"/, "\"\""); gsub(/\/\*([^*]|\*[^\/])*\*\//, "") }
    sub(/\/\*.*/, "") { comment = 1 }
    # A function is declared in the first column with its type, and its name stands on the same line.
    inside && header && /^[a-z][a-zA-Z0-9_ *]*[ *]ho_[a-z0-9_]+\(/ && !/^(typedef|static|extern)/ {
      name = $0
      sub(/\(.*/, "", name)
      sub(/.*[ *]/, "", name)
      place[name] = FILENAME ":" FNR
      home[name] = FILENAME
    }
    {
      rest = $0
      while (match(rest, /ho_[a-z0-9_]+/)) {
        name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (!((name, FILENAME) in seen)) {
          seen[name, FILENAME] = 1
          files[name]++
        }
      }
    }
    END {
      for (name in place)
        if (files[name] < 3) { # its header and the file that defines it
          printf "%s: %s is used in one file only\n", place[name], name
          bad = 1
        }
      exit bad
    }'
}

mkdir -p "$tree/src" "$tree/tests"
printf 'int ho_a_count(void);\nint ho_a_tell(void); /* ho_a_hide() */\n' >"$tree/src/a.h"
printf 'int ho_a_count(void)\n{\n}\nint ho_a_tell(void)\n{\n}\n' >"$tree/src/a.c"
echo 'int b = ho_a_count();' >"$tree/src/b.c"
echo 'int c = ho_a_tell();' >"$tree/tests/c.c"
accepts "what another file or a test uses"
echo 'int ho_a_hide(void);' >>"$tree/src/a.h"
echo 'int a = ho_a_hide();' >>"$tree/src/a.c"
rejects "ho_a_hide is used in one file only"
mkdir -p "$tree/tests/js/node_modules/d"
echo 'int d = ho_a_hide();' >"$tree/tests/js/node_modules/d/d.c"
rejects "ho_a_hide is used in one file only"
# Some thousand files.
echo 'int e = ho_a_hide();' >"$tree/tests/z.c"
long=$(printf 'a%.0s' {1..200})
(cd "$tree/tests" && seq -f "m${long}_%g.c" 2000 | xargs touch)
accepts "use in the last of many files"

check_tree .
