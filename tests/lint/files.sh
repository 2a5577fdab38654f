#!/bin/bash
# Files are opened, made, moved and removed by src/base alone, whose functions guard what a stranger's repository brings.
# Elsewhere, what is written without a root must be below .handoff, or named by a person.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

calls='open|openat|openat2|creat|fopen|freopen|opendir|scandir|mkdir|mkdirat|mkdtemp|mkstemp|mkostemp|mkfifo|mknod|unlink|unlinkat|rmdir|remove|rename|renameat|renameat2|link|linkat|symlink|symlinkat|truncate|chmod|chown|lchown|nftw|fts_open|sqlite3_open|sqlite3_open_v2'
free='ho_fs_(write|mkdirs|unlink|rename|rmdir)'

# FILE:WHAT, and why it may.
may_call='
src/engine/ledger/notices.c:open("/dev/null"    a program that is notified has no input and output
src/engine/context/context_cache.c:unlinkat(dirfd(dir)    a sweep removes by the descriptor of the folder
src/engine/phase/phase.c:unlinkat(dirfd(dir)    as above
src/store/sqlite.c:sqlite3_open_v2(    opens through the guard (sqlite_keep.c)
src/store/sqlite_keep.c:sqlite3_open_v2(    as above
'
may_write='
src/base/private.c    the data folder of the user
src/base/proc/shim.c    the folder of a teammate, below .handoff/run
src/command/setup/cmd_init.c    .handoff
src/engine/context/context_cache.c    .handoff/context
src/engine/hook/hook.c    .handoff/hook.log
src/engine/hook/hook_page.c    .handoff/context
src/engine/ledger/deciders_change.c    a copy of the deciders outside of projects
src/engine/ledger/key_file.c    the key of a person, outside of projects
src/engine/project/settings.c    .handoff/context
src/engine/run/run_launch.c    .handoff/run
src/engine/run/run_open.c    .handoff/run
src/engine/run/run_place.c    .handoff/run
src/engine/run/run_request.c    .handoff/run
src/engine/run/run_start.c    .handoff/run
src/engine/run/run_tree.c    .handoff/run
src/store/backup.c    a copy that a person named
src/store/open.c    the store, below .handoff or named by a person
src/store/schema.c    as above
src/store/sqlite_keep.c    as above
src/store/swap_files.c    as above
'

check_tree()
{
  local found file text wrong=0 entry
  while IFS=: read -r file _ text; do
    [ -n "$file" ] || continue
    found=no
    while read -r entry; do
      entry=${entry%%    *}
      [ -n "$entry" ] && [ "${file#"$1/"}" = "${entry%%:*}" ] && [[ $text == *"${entry#*:}"* ]] && found=yes
    done <<<"$may_call"
    [ $found = yes ] || { echo "$file: use the guarded functions of base/fs.h:$text" && wrong=1; }
  done < <(grep -rnE "(^|[^A-Za-z0-9_.>])($calls)\(" "$1/src" --include='*.c' | grep -v "^$1/src/base/" | grep -vE ':[0-9]+:[[:space:]]*(/?\*|//)')
  while IFS=: read -r file _ text; do
    [ -n "$file" ] || continue
    grep -qE "^${file#"$1/"}  " <<<"$may_write" || { echo "$file: use the function that ends in _in, with the project's root:$text" && wrong=1; }
  done < <(grep -rnE "\b$free\(" "$1/src" --include='*.c' | grep -v "^$1/src/base/fs")
  return $wrong
}

mkdir -p "$tree/src/base" "$tree/src/engine/hook"
echo '  int fd = open(path, O_RDONLY); unlink(path);' >"$tree/src/base/fs.c"
echo '  /* as open(path) does */ driver->open(path); reopen(path); ho_fs_unlink(path);' >"$tree/src/engine/hook/hook.c"
accepts "a call that is not the system's"
for call in 'open(path, O_RDONLY)' 'fopen(path, "r")' 'opendir(path)' 'mkdir(path, 0777)' 'unlink(path)' 'rename(a, b)' 'mkostemp(path, 0)'; do
  echo "  x = $call;" >"$tree/src/engine/b.c"
  rejects "use the guarded functions of base/fs.h:  x = $call"
done
echo '  code = ho_fs_write(path, text, mode, err);' >"$tree/src/engine/b.c"
rejects "use the function that ends in _in"
rm "$tree/src/engine/b.c"

check_tree .
