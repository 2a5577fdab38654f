#!/bin/bash
# Includes point to the rooms above in the table of ARCHITECTURE.md, no two modules include each other directly or around
# a corner, a third-party header is included by at most two files, every module is named in its room's row
# (scripts/rooms.mjs), and the picture of the rooms in ARCHITECTURE.md is what the includes say.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"
rooms=$PWD/scripts/rooms.mjs

check_tree()
{
  node "$rooms" check "$1" || return
  grep -q '^```mermaid' "$1/ARCHITECTURE.md" || return 0
  diff <(sed -n '/^```mermaid$/,/^```$/{/^```/d;p}' "$1/ARCHITECTURE.md") <(node "$rooms" picture "$1") && return
  echo "ARCHITECTURE.md: the picture of the rooms is not what the includes say; run: make generate"
  return 1
}

mkdir -p "$tree/src/base" "$tree/src/doc/yaml"
# table BASE DOC YAML: the rooms, with the modules that their rows name.
table() { printf '| `src/base` | %s |\n| `src/doc` | %s |\n| `src/doc/yaml` | %s |\n' "$@" >"$tree/ARCHITECTURE.md"; }
table '`str`' '`down`' '`read`'
echo '#include "base/str.h"' >"$tree/src/doc/down.c"
touch "$tree/src/base/str.h"
echo '#include "doc/down.h"' >"$tree/src/doc/yaml/read.h"
accepts "a downward include"
echo '#include "doc/tree.h"' >"$tree/src/base/up.c"
rejects "base may not include doc/tree.h"
echo '#include "doc/yaml/read.h"' >"$tree/src/base/up.c"
rejects "base may not include doc/yaml/read.h"
rm "$tree/src/base/up.c"
echo '#include "doc/yaml/read.h"' >"$tree/src/doc/up.c"
rejects "doc may not include doc/yaml/read.h"
rm "$tree/src/doc/up.c"
for name in a b c; do echo '#include <yaml.h>' >"$tree/src/doc/$name.c"; done
rejects "<yaml.h> is included by more than two files"
rm "$tree"/src/doc/[abc].c

# A circle of two modules, one around a corner, and one that a shared header of a family does not make.
echo '#include "doc/b.h"' >"$tree/src/doc/a.h"
echo '#include "doc/a.h"' >"$tree/src/doc/b.c"
touch "$tree/src/doc/b.h"
rejects "circle: doc/a → doc/b → doc/a"
echo '#include "doc/c.h"' >"$tree/src/doc/b.c"
echo '#include "doc/a.h"' >"$tree/src/doc/c.h"
rejects "circle: doc/a → doc/b → doc/c → doc/a"
rm "$tree"/src/doc/[abc].[ch]
echo '#include "doc/a_parts.h"' >"$tree/src/doc/a.c"
echo '#include "doc/a.h"' >"$tree/src/doc/a_parts.h"
touch "$tree/src/doc/a.h"
table '`str`' '`down` `a`' '`read`'
accepts "a header that a family shares"

# A row names every module, and nothing else; what a list in the room names need not stand there.
touch "$tree/src/base/new_parts.c"
rejects "src/base/new_parts: is not named in the row of src/base"
echo '#define LIST(X, LAST) X(old) LAST(new)' >"$tree/src/base/str.h"
accepts "a module that a list names"
rm "$tree/src/base/new_parts.c"
table '`str` `gone`' '`down` `a`' '`read`'
rejects "there is no gone in src/base"
table '`str`' '`down` `a`' '`read`'
mkdir "$tree/src/extra"
touch "$tree/src/extra/a.c"
rejects "src/extra: has no row in ARCHITECTURE.md"
rm -r "$tree/src/extra"
printf '```mermaid\ngraph TD\n```\n' >>"$tree/ARCHITECTURE.md"
rejects "the picture of the rooms"

check_tree .
