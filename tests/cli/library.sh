#!/bin/bash
# The library through its public header alone: strict C99 and C++, static and shared, C and Python.
# shellcheck source=tests/cli/common
build=$(realpath "$1")
source "$(dirname "$0")/common"
sanitize=$(grep -o 'HO_SANITIZE:STRING=.*' "$build/CMakeCache.txt" | cut -d= -f2)
flags=(-I"$source_dir/include" -Wall -Wextra -Werror -pedantic)
[ -z "$sanitize" ] || flags+=(-fsanitize="$sanitize")
last='(library)'

# quietly COMMAND…: what it prints is shown only where it fails.
quietly() { "$@" >"$folder/out" 2>"$folder/err"; }
# quietly_gives STATUS COMMAND…
gives()
{
  local wanted=$1
  shift
  quietly "$@"
  [ $? = "$wanted" ]
}

printf '#include <handoff.h>\nint main(void) { return handoff_version()[0] == 0; }\n' | tee header.c >header.cc
expect_that "the header is strict C99" quietly cc -std=c99 "${flags[@]}" -c header.c -o header.o
! has c++ "the header is C++" ||
  expect_that "the header is C++" quietly c++ -std=c++98 "${flags[@]}" -c header.cc -o header.o

cp "$source_dir"/examples/package*.yaml .
mkdir -p docs && touch docs/api.md
private=(-lyaml -lcmark -lsqlite3 -lsodium -lm -lpthread)
program=$source_dir/examples/library/check.c
expect_that "a program links the shared library" \
  quietly cc -std=gnu99 "${flags[@]}" "$program" -L"$build" -lhandoff -Wl,-rpath,"$build" -o with_shared
expect_that "a program links the archive" \
  quietly cc -std=gnu99 "${flags[@]}" "$program" "$build/libhandoff.a" "${private[@]}" -o with_archive
for kind in shared archive; do
  expect_that "$kind: a good document" gives 0 "./with_$kind" package.yaml
  expect_that "$kind: a bad document" gives 4 "./with_$kind" package-bad.yaml
  expect_that "$kind: no document" gives 5 "./with_$kind" header.c
done

# What no program should do is an answer, not a crash.
cat >misuse.c <<'C'
#include <handoff.h>
int main(void)
{
  handoff_document *document = NULL;
  handoff_error error;
  char *text = NULL, *details = NULL;
  int wrong = handoff_document_parse(NULL, "a.yaml", "outcome: done", HANDOFF_WHOLE, "task", &error) != HANDOFF_USAGE;
  wrong += handoff_document_parse(&document, "a.yaml", NULL, 3, "task", &error) != HANDOFF_USAGE;
  wrong += handoff_document_parse(&document, "a.yaml", "\xff", 1, "task", NULL) != HANDOFF_SYNTAX;
  wrong += handoff_document_write(NULL, NULL, &text, &error) != HANDOFF_USAGE;
  wrong += handoff_document_fix(NULL, NULL, &text, &details, &error) != HANDOFF_USAGE;
  wrong += handoff_document_convert(NULL, "meta", &document, &error) != HANDOFF_USAGE;
  wrong += handoff_call(NULL, NULL, NULL, &text, &error) != HANDOFF_USAGE;
  wrong += handoff_call(NULL, "formats", NULL, NULL, &error) != HANDOFF_USAGE;
  wrong += handoff_document_parse(&document, NULL, "outcome: done", HANDOFF_WHOLE, "task", NULL) != HANDOFF_OK;
  wrong += handoff_document_check(document, 0, NULL) != handoff_document_check(document, 0, NULL);
  wrong += handoff_document_finding_at(document, 1000).message[0] != '\0';
  handoff_document_free(document);
  handoff_document_free(NULL);
  handoff_free(NULL);
  return wrong;
}
C
expect_that "misuse links" quietly cc -std=c99 "${flags[@]}" misuse.c -L"$build" -lhandoff -Wl,-rpath,"$build" -o misuse
expect_that "misuse is told" gives 0 ./misuse

shown() { nm "$@" --defined-only | awk 'NF == 3 && $3 !~ /^(handoff_|__odr_asan|\.L|_init|_fini)/ {print $3}'; }
expect_that "the shared library shows only handoff_*" [ -z "$(shown -D "$build/libhandoff.so")" ]
expect_that "the archive shows only handoff_*" [ -z "$(shown -g "$build/libhandoff.a")" ]

if has python3 "the library in Python"; then
  preload=''
  [ -z "$sanitize" ] || preload=$(cc -print-file-name=libasan.so)
  LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 python3 "$source_dir/examples/library/check.py" "$build/libhandoff.so" \
    package.yaml package-bad.yaml >"$folder/out" 2>"$folder/err"
  expect_out "errors, status 4"
  expect_out "package-bad.yaml:"
fi
finish
