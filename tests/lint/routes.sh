#!/bin/bash
# The table of paths in docs/server.md has every path that the server answers, with its methods.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

check_tree()
{
  local path methods method api row wrong=0 any=0
  api=$(sed -n 's/^#define HO_HTTP_API "\(.*\)"$/\1/p' "$1/src/surface/http/http_api.h")
  while read -r path methods; do
    any=1
    [ "$path" != HO_HTTP_API ] || path=$api
    row=$(grep '^| `' "$1/docs/server.md" | cut -d '|' -f 2 | grep -F -- " ${path%/}")
    [ -n "$row" ] || { echo "docs/server.md: the table of paths has no $path"; wrong=1; continue; }
    for method in ${methods//|/ }; do
      grep -qF "\`$method" <<<"$row" || { echo "docs/server.md: $path also takes $method"; wrong=1; }
    done
  done < <(sed -nE 's/^ *\{\.path = "?([^",]*)"?, \.methods = "([A-Z|]*)".*/\1 \2/p' "$1/src/surface/http/http_route.c")
  [ "$any" = 1 ] || { echo "http_route.c: no paths found"; return 1; }
  return "$wrong"
}

mkdir -p "$tree/docs" "$tree/src/surface/http"
echo '#define HO_HTTP_API "/api/"' >"$tree/src/surface/http/http_api.h"
printf '    {.path = "/greet", .methods = "GET|POST", .handler = greet},\n    {.path = HO_HTTP_API, .methods = "GET"},\n' >"$tree/src/surface/http/http_route.c"
printf '`GET /greet` greets.\n\n| path | for |\n| --- | --- |\n| `GET`, `POST /greet/NAME` | all |\n| `GET /api/COMMAND` | all |\n' >"$tree/docs/server.md"
accepts "paths that the table has"
sed -i 's/`POST/`PUT/' "$tree/docs/server.md"
rejects "docs/server.md: /greet also takes POST"
sed -i '/^| `.*greet/d' "$tree/docs/server.md"
rejects "docs/server.md: the table of paths has no /greet"
sed -i d "$tree/src/surface/http/http_route.c"
rejects "no paths found"

check_tree .
