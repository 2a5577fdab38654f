#!/bin/bash
# A git that hangs, floods or lies, and one that lies in the project: nobody waits for it, nobody believes it.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/attacks/git_common
source "$source_dir/tests/attacks/git_common"

repository "$folder/limits"
expect 0 init
mkdir "$folder/bin"
real=$(command -v git)
# fake TEXT: what git does; configuration is always answered.
fake()
{
  printf '#!/bin/sh\ncase " $* " in *" config --list "*) exec %s "$@" ;; esac\n%s\n' "$real" "$1" >"$folder/bin/git"
  chmod +x "$folder/bin/git"
}
# quickly SECONDS WHAT
quickly() { expect_that "$2 took $SECONDS s" test "$SECONDS" -lt "$1"; }
for behaviour in 'sleep 600' 'exec >&-; sleep 600' 'sleep 600 & exit 0' 'trap "" TERM; sleep 600 & wait' 'yes 1' 'yes M x; sleep 600' \
  'printf 9999999999999999999999; sleep 600' 'kill -9 $$'; do
  fake "$behaviour"
  SECONDS=0
  PATH=$folder/bin:$PATH expect 0 send first.yaml --json
  quickly 15 "send with git: $behaviour"
  SECONDS=0
  PATH=$folder/bin:$PATH run show "$(field id)"
  quickly 15 "show with git: $behaviour"
done
fake 'sleep 600 & yes 1'
SECONDS=0
PATH=$folder/bin:$PATH run fix --rename --print "$note"
quickly 25 "fix --rename with an endless git"
fake 'sleep 600'
SECONDS=0
PATH=$folder/bin:$PATH run fix --rename --print "$note"
quickly 25 "fix --rename with a hanging git"
# The configuration itself does not come to an end.
printf '#!/bin/sh\nyes\n' >"$folder/bin/git"
SECONDS=0
PATH=$folder/bin:$PATH expect 0 send first.yaml
quickly 15 "send with an endless configuration"

# A git that lies in the folder being worked on is not the user's, whatever PATH says of relative folders.
cp "$evil" git && mkdir -p bin && cp "$evil" bin/git
for path in ".:$PATH" ":$PATH" "bin:$PATH"; do
  PATH=$path expect 0 send first.yaml
  PATH=$path run fix --rename --print "$note"
  harmless "PATH=${path%%:*}"
done
finish
