#!/bin/bash
# `make uninstall` removes what `make install` put there, and nothing else.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/release_common
source "$source_dir/tests/cli/release_common"

# made TARGET DESTDIR PREFIX
made()
{
  last="(make $1 DESTDIR=$2 PREFIX=$3)"
  make -s --no-print-directory -C "$source_dir" "$1" DESTDIR="$2" PREFIX="$3" >"$folder/out" 2>"$folder/err"
}
tree() { (cd "$1" && find . -printf '%y %p %l\n' | sort); }

# Into a place with folders and files of others, one of them empty.
place=$folder/place
mkdir -p "$place/opt/handoff/bin" "$place/opt/handoff/share/man/man1"
echo mine >"$place/opt/handoff/bin/other"
tree "$place" >"$folder/before"
expect_that "install" made install "$place" /opt/handoff
expect_that "the program is there" test -x "$place/opt/handoff/bin/handoff"
expect_that "so is the library" test -s "$place/opt/handoff/lib/libhandoff.so"
handoff=$place/opt/handoff/bin/handoff expect 2 serve --listen nonsense # says the server, not that there is none
expect_that "it finds its data" test "$("$place/opt/handoff/bin/handoff" tokens "$source_dir/LICENSE" 2>&1 | cut -d' ' -f2)" = \
  "$("$handoff" tokens "$source_dir/LICENSE" 2>&1 | cut -d' ' -f2)"
expect_that "install again" made install "$place" /opt/handoff
echo kept >"$place/opt/handoff/share/handoff/mine"
expect_that "uninstall" made uninstall "$place" /opt/handoff
expect_that "a file of others stays" test -s "$place/opt/handoff/share/handoff/mine"
rm -r "$place/opt/handoff/share/handoff"
tree "$place" >"$folder/after"
diff "$folder/before" "$folder/after" >"$folder/out"
expect_no_out

# Without DESTDIR, into a prefix that is not there yet.
expect_that "install" made install '' "$folder/new/prefix"
expect_that "uninstall" made uninstall '' "$folder/new/prefix"
expect_that "nothing is left" test ! -e "$folder/new"
made uninstall '' "$folder/new/prefix"
expect_that "what is not installed cannot be removed" test $? != 0
expect_err "nothing below $folder/new/prefix"
finish
