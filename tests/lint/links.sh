#!/bin/bash
# Every relative link in a page of the project leads to a file or folder inside it, and every #anchor to a heading.
# Links to other sites are not followed. Pages under tests/ are input for tests and may be as broken as they like.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# "anchor FILE NAME" for each heading, "link FILE:LINE TARGET" for each link, separated by tabs. Code is skipped. An
# anchor is made as GitHub makes it, for headings in ASCII: lower case, punctuation removed, spaces to hyphens, "-1"
# added to the second of two equal ones.
facts()
{
  # shellcheck disable=SC2016
  find "$1" \( -name .git -o -name build -o -name tests -o -name node_modules \) -prune -o -name '*.md' -print0 |
    sort -z | LC_ALL=C xargs -0 -r awk '
    FNR == 1 { fence = "" }
    match($0, /^ *(```+|~~~+)/) {
      mark = substr($0, RSTART, RLENGTH)
      gsub(/ /, "", mark)
      if (fence == "") fence = mark
      else if (index(mark, fence) == 1) fence = ""
      next
    }
    fence != "" { next }
    /^#+ / {
      slug = tolower($0)
      sub(/^#+ +/, "", slug)
      gsub(/\]\([^)]*\)/, "", slug) # of a link only its text counts
      gsub(/[^a-z0-9_ -]/, "", slug)
      gsub(/ /, "-", slug)
      again = seen[FILENAME, slug]++
      printf "anchor\t%s\t%s%s\n", FILENAME, slug, again ? "-" again : ""
    }
    {
      rest = $0
      gsub(/`[^`]*`/, "code", rest)
      if (match(rest, /^ *\[[^]]+\]: */)) rest = "](" substr(rest, RSTART + RLENGTH) ")" # [name]: target
      while (match(rest, /\]\(<?[^)> ]+/)) {
        target = substr(rest, RSTART + 2, RLENGTH - 2)
        sub(/^</, "", target)
        rest = substr(rest, RSTART + RLENGTH)
        if (target !~ /^[a-z]+:/) printf "link\t%s:%d\t%s\n", FILENAME, FNR, target
      }
    }'
}

check_tree()
{
  local top all kind at target page path bad=0
  top=$(realpath "$1")
  all=$(facts "$top")
  while IFS=$'\t' read -r kind at target; do
    [ "$kind" = link ] || continue
    page=${at%:*} path=${target%%#*}
    case $path in
    '') path=$page ;;
    /*) path=$top$path ;;
    *) path=$(realpath -m "$(dirname "$page")/$path") ;;
    esac
    if [[ $path != "$top"/* ]] || [ ! -e "$path" ]; then
      echo "${at#"$top"/}: '$target' leads nowhere"
      bad=1
    elif [[ $target == *'#'* ]] && ! grep -qxF "anchor"$'\t'"$path"$'\t'"${target#*#}" <<<"$all"; then
      echo "${at#"$top"/}: '$target' names no heading"
      bad=1
    fi
  done <<<"$all"
  return $bad
}

mkdir -p "$tree/docs" "$tree/tests"
printf '# A page\n\nTo [b](docs/b.md), [its end](docs/b.md#the-end-1), [here](#a-page), [out](https://example.org/x).\n' \
  >"$tree/a.md"
printf '## The end\n```\n[no link](gone.md)\n```\n## The `end`\nBack to [a][1], `[not](gone.md)`.\n\n[1]: ../a.md\n' \
  >"$tree/docs/b.md"
echo '[broken](on-purpose.md)' >"$tree/tests/c.md"
accepts "a page whose links all lead somewhere"
echo 'See [c](docs/c.md).' >"$tree/d.md"
rejects "d.md:1: 'docs/c.md' leads nowhere"
echo 'See [b](docs/b.md#the-beginning).' >"$tree/d.md"
rejects "d.md:1: 'docs/b.md#the-beginning' names no heading"
echo 'See [above](..).' >"$tree/d.md"
rejects "d.md:1: '..' leads nowhere"
printf '[c]: docs/c.md\n' >"$tree/d.md"
rejects "d.md:1: 'docs/c.md' leads nowhere"

check_tree .
