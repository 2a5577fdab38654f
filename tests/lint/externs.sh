#!/bin/bash
# What is defined in one file and used in another is declared in one header: no C file declares anything extern, and a
# function that a header declares is used outside of the file that defines it, by a test at least; else it is static.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# Functions of headers whose names stand in fewer than three files, "FILE:LINE: NAME" each. A macro of the header is a use, too.
unused()
{
  find "$1" -name node_modules -prune -o -path '*/build' -prune -o -name '*.[ch]' -print0 | xargs -0 awk '
    # The line without comments and texts; a comment may go on from one line to the next.
    function code(line,   out, at) {
      if (!comment) gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
      for (out = ""; line != ""; line = substr(line, at + 2)) {
        at = index(line, comment ? "*/" : "/*")
        if (!comment) out = out (at ? substr(line, 1, at - 1) : line)
        if (!at) break
        comment = !comment
      }
      return out
    }
    FNR == 1 { header = FILENAME ~ /\/src\/.*\.h$/; comment = 0 }
    {
      line = code($0)
      if (header && line ~ /^[a-z][a-zA-Z0-9_ *]*[ *]ho_[a-z0-9_]+\(/ && line !~ /^(typedef|return|static)/) {
        name = line
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
        place[name] = FILENAME ":" FNR
        home[name] = FILENAME
      }
      for (; match(line, /ho_[a-z0-9_]+/); line = substr(line, RSTART + RLENGTH))
        if (!times[substr(line, RSTART, RLENGTH), FILENAME]++) files[substr(line, RSTART, RLENGTH)]++
    }
    END { for (name in place) if (files[name] < 3 && times[name, home[name]] < 2) print place[name] ": " name }' | sort
}

check_tree()
{
  ! grep -rnE '^[[:space:]]*extern[[:space:]]' "$1/src" --include='*.c' || return 1
  unused "$1" | sed 's/$/ is used in one file only: make it static/' | (! grep .)
}

mkdir -p "$tree/src" "$tree/tests"
echo 'extern int shared;' >"$tree/src/a.h"
echo 'int shared; /* extern, by its header */' >"$tree/src/a.c"
accepts "a declaration in a header"
echo '  extern int shared;' >"$tree/src/b.c"
rejects "extern int shared"
printf 'int ho_a_size(void); /* "as", see\n * ho_a_size */\n' >"$tree/src/a.h"
printf 'int ho_a_size(void)\n{\n  return 1;\n}\n' >"$tree/src/a.c"
printf 'static const char text[] = "/*" "ho_a_size";\n/* ho_a_size */\n' >"$tree/src/b.c"
rejects "src/a.h:1: ho_a_size is used in one file only"
printf 'int main(void) { return ho_a_size(); }\n' >"$tree/tests/a.c"
accepts "a function that a test calls"

check_tree .
