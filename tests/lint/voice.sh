#!/bin/bash
# What users read is plain English, and help fits a screen. Looks for phrases that a native speaker would not write in
# the string literals of the sources, the pages for users and the program's help; every page of help has at most 60
# lines; what holds for all commands is on one page of it.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# "PATTERN<tab>what to write instead".
phrases='(^|[^a-z])is no [a-z]	is not a
(^|[^a-z])[Ss]ay (--|[A-Z])	use
(^|[;:.] )[Ss]ay (either|which|who)( |:)	what is missing
([Nn]ull|absent|empty|[Ff]alse|[Tt]rue|unknown|needed|refused|[Ee]xits?( with)? [0-9]+|status is [0-9]+|else) where 	if
[,;:(] ?where (the|an?|it|its|there|that|this|nothing|nobody|no|not|only|one|they|you) 	if
[.] Where 	If
(^|[^a-z])(a|an|one) [a-z]+ an? (change|command|commit|document|file|finding|format|handoff|level|line|phase|plan|run|step|task|teammate|test)([^a-z]|$)	per
(^|[^a-z])so many([^a-z]|$)	maximum, or this many
(^|[^a-z])not older([^a-z]|$)	newer than
not used as it is meant	usage error
cannot follow|what can:	the command that comes next
is there already	already exists
(^|[^a-z])of ours([^a-z]|$)	handoff documents
(^|[^a-z])without it (the|that|HANDOFF_|all|as) 	Default:
(^|[^a-z])meanwhile([^a-z]|$)	changed by someone else
outside of the 	outside the
(^|[^a-z])anew([^a-z]|$)	again
is handed back with	You are stopping with
handoff.? is the program that	what it does'
# What looks like one of them and is fine.
fine='[Tt]here is no |is no longer '

# Reads names of C sources: each string literal as "text<tab>FILE:LINE", adjacent ones joined.
literals()
{
  # shellcheck disable=SC2016
  xargs -r awk '
    function flush() {
      if (have) { gsub(/\\n/, " ", text); gsub(/\\/, "", text); printf "%s\t%s:%d\n", text, name, from }
      have = 0
      text = ""
    }
    FNR == 1 { flush(); comment = 0; name = FILENAME }
    /^[ \t]*#[ \t]*include/ { next }
    {
      rest = $0
      while (1) {
        if (comment) {
          end = index(rest, "*/")
          if (!end) break
          rest = substr(rest, end + 2)
          comment = 0
        }
        if (!match(rest, /"([^"\\]|\\.)*"|\/\*|\/\/|\047(\\.|[^\047\\])+\047/)) {
          if (rest !~ /^[ \t\\]*$/) flush()
          break
        }
        if (substr(rest, 1, RSTART - 1) !~ /^[ \t]*$/) flush()
        token = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (token == "//") break
        if (token == "/*") comment = 1
        else if (token !~ /^"/) flush()
        else {
          if (!have++) from = FNR
          text = text substr(token, 2, length(token) - 2)
        }
      }
    }
    END { flush() }'
}

# Reads names of pages: each paragraph, list item, table row or line of roff as "text<tab>FILE:LINE"; code is left out.
paragraphs()
{
  # shellcheck disable=SC2016
  xargs -r awk '
    function flush() { if (text != "") printf "%s\t%s:%d\n", text, name, from; text = "" }
    FNR == 1 { flush(); code = 0; name = FILENAME }
    /^ *```/ { flush(); code = !code; next }
    code { next }
    /^ *$/ || /^\./ { flush(); next }
    /^ *([-*|#]|[0-9]+\.)/ { flush() }
    { if (text == "") from = FNR; sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0 }
    END { flush() }'
}

# Reads "text<tab>FILE:LINE" and prints what has one of the phrases; fails if there is anything.
without_phrases()
{
  local text pattern instead found bad=0
  text=$(sed -E "s/$fine//g")
  while IFS=$'\t' read -r pattern instead; do
    found=$(cut -f 1 <<<"$text" | grep -nE "$pattern" | cut -d : -f 1) || continue
    bad=1
    for n in $found; do
      sed -n "${n}{s/^\(.\{0,150\}\).*\t/\1\t/p;q}" <<<"$text" | awk -F '\t' -v i="$instead" '{print $2 ": " $1 "  (write: " i ")"}'
    done
  done <<<"$phrases"
  return $bad
}

check_tree()
{
  local bad=0
  find "$1/src" -name '*.[ch]' | sort | literals | without_phrases || bad=1
  find "$1" -maxdepth 3 \( -path "$1/README.md" -o -path "$1/SECURITY.md" -o -path "$1/docs/*.md" -o -path "$1/docs/*.1" \) | sort |
    paragraphs | without_phrases || bad=1
  return $bad
}

# Every page of the help of PROGRAM, each in a file of DIR.
pages()
{
  local name
  "$1" help >"$2/overview" || return
  { "$1" help --json | grep -o '"name":"[^"]*"' | cut -d '"' -f 4
    "$1" help --all | sed -n '/^All commands/,/^$/s/^  \([a-z][a-z]*\)  .*/\1/p'
    printf '%s\n' --all environment; } >"$2/names"
  while IFS= read -r name; do
    # shellcheck disable=SC2086
    "$1" help $name >"$2/page-${name// /-}" </dev/null || return
  done <"$2/names"
}

# Checks the help of PROGRAM.
check_help()
{
  local dir=$tree/help shared count bad=0 page
  rm -rf "$dir" && mkdir "$dir"
  pages "$1" "$dir" || { echo "the help of $1 cannot be read"; return 1; }
  for page in "$dir"/overview "$dir"/page-*; do
    [ "$(wc -l <"$page")" -le 60 ] || { echo "help: ${page##*/} has $(wc -l <"$page") lines"; bad=1; }
  done
  # The options' sentences, without their names.
  shared=$(sed -n '/^Options of every command/,/^$/s/^  --[a-z]\+\( [A-Z]\+\)\?  *//p' "$dir/overview")
  [ -n "$shared" ] || { echo "help: no options of every command on the overview"; bad=1; }
  while IFS= read -r text; do
    count=$(cat "$dir/overview" "$dir"/page-* | grep -cF -- "$text")
    [ "$count" = 1 ] || { echo "help: '$text' is on $count pages"; bad=1; }
  done <<<"$shared"
  printf '%s\n' "$dir"/overview "$dir"/page-* | paragraphs | without_phrases || bad=1
  return $bad
}

mkdir -p "$tree/src" "$tree/docs"
cat >"$tree/src/a.c" <<'C'
/* a comment may say that a thing is no file */
#include "is no x.h"
static const char a[] = "there is no such file" /* is no */ "; it is no longer" " used"; // say --x
static const char q = '"', b[] = "where the file is";
C
echo 'The folder where the agent works.' >"$tree/docs/page.md"
accepts "plain English"
for text in '"a b is no time"' '"it is "\n    "no time"' '"use it or say "  \\\n "--format F"' '"Exits with 1 where nothing is ready"' \
  '"one lead a plan"' '"At most so many."' '"has changed meanwhile"' '"Of it; absent where it was refused."'; do
  printf '#define X %b\n' "$text" >"$tree/src/a.c"
  rejects "src/a.c:1: "
done
rm "$tree/src/a.c"
printf 'Fine.\n\nPrints a line\na finding.\n' >"$tree/docs/page.md"
rejects "docs/page.md:3: "
printf '.SH A\nThe file is no time.\n' >"$tree/docs/page.1"
rejects "docs/page.1:2: "

# A program whose help has one command.
fake()
{
  printf '#!/bin/bash\ncase "$*" in\n"help --json") echo %s ;;\n"help --all") printf "All commands\\n  g  one\\n\\n" ;;\nhelp) printf "Options of every command\\n  --json  As JSON.\\n\\n" ;;\n*) %s ;;\nesac\n' \
    "'{\"commands\":[{\"name\":\"one\"}]}'" "$1" >"$tree/program"
  chmod +x "$tree/program"
}
says() { said=$(check_help "$tree/program") && said=fine; [[ $said == *"$1"* ]] || { echo "self-test: expected '$1' but it said: $said"; exit 1; }; }
fake 'echo "Does it."'
says fine
fake 'seq 61'
says "page-one has 61 lines"
fake 'echo "As JSON."'
says "is on 4 pages"
fake 'echo "Exits with 1 where nothing is ready."'
says "(write: if)"

bad=0
check_tree . || bad=1
[ -z "${HANDOFF:-}" ] || check_help "$HANDOFF" || bad=1
exit $bad
