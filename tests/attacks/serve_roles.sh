#!/bin/bash
# Nobody gets more out of a server than a role allows: every command, by every role, in every way to say who asks; and no token, or
# one that is wrong or revoked, gets nothing on any path.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/../cli/serve_common"
git init -q .
make_tokens
"$handoff" token new other --role agent:other >/dev/null 2>&1
"$handoff" ask "May the old import go? Nobody has used it since May." --as other >/dev/null 2>&1
id=$("$handoff" send "Review the reader of the import" --to coder --as other | grep -o 'HO-20[0-9-]*' | head -1)
start
get_as "$reader" /api/v1/openapi.json
cp "$folder/out" "$folder/api"
mapfile -t paths < <(node -pe 'Object.keys(JSON.parse(require("fs").readFileSync(process.argv[1])).paths).filter(p => p.startsWith("/api/v1/") && !p.includes("{") && !/openapi|events/.test(p)).join("\n")' "$folder/api")
mapfile -t reads < <(node -pe 'Object.entries(JSON.parse(require("fs").readFileSync(process.argv[1])).paths).filter(([p, v]) => v.get && p.startsWith("/api/v1/")).map(([p]) => p).join("\n")' "$folder/api")
expect_that "only ${#paths[@]} commands" [ ${#paths[@]} -gt 30 ]
is_read() { printf '%s\n' "${reads[@]}" | grep -qxF -- "$1"; }
events() { "$handoff" log --limit 1 --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).events[0].seq'; }
before=$(events)

# ---- Who only looks, changes nothing; who decides, decides and changes nothing else; who acts, decides nothing.
decides=' /api/v1/approve /api/v1/gate/decide /api/v1/reject '
reads+=(/api/v1/inbox) # it notes what an agent has seen, and of others nothing
for path in "${paths[@]}"; do
  for body in '{}' "{\"id\":\"$id\",\"note\":\"x\"}" '{"as":"lead"}'; do
    is_read "$path" || post_as "$reader" "$path" "$body"
    is_read "$path" || expect_that "reader: $status" grep -qwE '403|400' <<<"$status"
    is_read "$path" || [[ $decides == *" $path "* ]] || post_as "$alice" "$path" "$body"
    is_read "$path" || [[ $decides == *" $path "* ]] || expect_that "decider: $status" grep -qwE '403|400' <<<"$status"
  done
done
for path in approve gate/decide reject; do
  post_as "$coder" /api/v1/$path "{\"gate\":\"G-$(date +%Y)-001\",\"decision\":\"approve\",\"note\":\"x\"}"
  expect_that "an agent decided: $status" [ "$status" != 200 ]
done
expect_that "something was changed" [ "$(events)" = "$before" ]
for path in "done" return release renew withdraw supersede; do # what another one holds, or has sent
  body='"as":"other"'
  case $path in withdraw) body+=',"note":"x"' ;; return) body+=',"document":"{}"' ;; supersede) body+=",\"by\":\"$id\"" ;; esac
  post_as "$coder" "/api/v1/$path/$id" "{$body}"
  expect_that "$path as another one: $status" [ "$status" = 403 ]
done
for command in config trust init run key/new key/enrol token/new token/list token/revoke backup rebuild prune import migrate fix install hook statusline serve mcp completion; do
  for token in "$reader" "$coder" "$alice"; do
    post_as "$token" "/api/v1/$command" '{}'
    expect_that "$command: $status" [ "$status" = 404 ]
  done
done

# ---- Nothing but a token says who asks.
revoked=$("$handoff" token new gone --role decide:gone 2>/dev/null)
get_as "$revoked" /session
expect_that "it is one: $status" [ "$status" = 200 ]
"$handoff" token revoke gone >/dev/null 2>&1
for path in "${paths[@]}" /session /metrics /mcp /a2a /.well-known/agent-card.json /api/v1/events /api/v1/openapi.json; do
  for header in 'X: y' "Authorization: Bearer $revoked" 'X-Forwarded-User: alice' 'Handoff-Session: coder' "Cookie: handoff-00000000=$alice; token=$alice" "X-Api-Key: $alice" \
    "Proxy-Authorization: Bearer $alice" 'Forwarded: for=127.0.0.1;by=unix' "Mcp-Session-Id: $(printf '%064d' 0)"; do
    get -X POST -H "$header" -H 'Content-Type: application/json' -d '{}' "$path"
    grep -qwE '401|405|429' <<<"$status" || get -H "$header" "$path"
    expect_that "$header on $path: $status" grep -qwE '401|405|429' <<<"$status"
  done
done
expect_that "something was changed" [ "$(events)" = "$before" ]
end 0
finish
