#!/bin/bash
# Includes point downwards only (base < doc < model < store < engine < command < surface), and each third-party header
# is included by at most two files, so that changing a library means changing those.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# Prints what is wrong in the tree DIR; fails if there is anything.
check_tree()
{
  # shellcheck disable=SC2016
  find "$1/src" -name '*.[ch]' -print0 | sort -z | xargs -0 awk -v root="$1/src/" '
    BEGIN {
      split("base doc model store engine command surface", layers)
      for (i in layers) rank[layers[i]] = i
      # Headers of the C library and the kernel: the C standard, POSIX, and these folders.
      split("assert ctype dirent dlfcn endian errno fcntl float fnmatch glob inttypes langinfo libgen limits locale " \
            "malloc math poll pthread pwd regex sched semaphore setjmp signal spawn stdalign stdarg stdatomic " \
            "stdbool stddef stdint stdio stdlib stdnoreturn string strings syslog termios threads time uchar unistd " \
            "utime wchar wctype", plain)
      for (i in plain) own[plain[i] ".h"] = 1
    }
    match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]*/) {
      name = substr($0, RSTART, RLENGTH)
      quoted = name ~ /"/
      sub(/.*["<]/, "", name)
      layer = substr(FILENAME, length(root) + 1)
      sub(/\/.*/, "", layer)
      target = name
      sub(/\/.*/, "", target)
      if (quoted && target in rank && rank[target] + 0 > rank[layer] + 0) {
        printf "%s:%d: %s may not include %s, which is above it\n", FILENAME, FNR, layer, name
        bad = 1
      } else if (!quoted && !(name in own) && name !~ /^(sys|net|netinet|arpa|linux|asm)\// && !seen[name, FILENAME]++) {
        users[name]++
        files[name] = files[name] " " FILENAME
      }
    }
    END {
      for (name in users)
        if (users[name] > 2) {
          printf "<%s> is included by more than two files:%s\n", name, files[name]
          bad = 1
        }
      exit bad
    }'
}

mkdir -p "$tree/src/base" "$tree/src/doc"
echo '#include "base/str.h"' >"$tree/src/doc/down.c"
accepts "a downward include"
echo '#include "doc/tree.h"' >"$tree/src/base/up.c"
rejects "base may not include doc/tree.h"
rm "$tree/src/base/up.c"
for name in a b c; do echo '#include <yaml.h>' >"$tree/src/doc/$name.c"; done
rejects "<yaml.h> is included by more than two files"

check_tree .
