#!/bin/bash
# `serve`: commands over HTTP, for tokens of every role; events, metrics, the description of all of it.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/serve_common"
git init -q .
make_tokens
start

# ---- Who it is.
get_as "$reader" /session
answered 200 'v.role === "read" && v.name === "token:reader"'
get_as "$coder" /session
answered 200 'v.role === "agent:coder"'
get /session
answered 401 'v.error.code === "gated" && v.error.message.includes("handoff token new")'
expect_header 'WWW-Authenticate: Bearer'

# ---- Reading and writing, as the table has it.
get_as "$reader" /api/v1/list
answered 200 'v.handoffs.length === 0'
post_as "$coder" /api/v1/ask '{"question":"Ship it?"}'
answered 200 'v.state === "gated" && v.from === "coder"'
get_as "$reader" '/api/v1/list?state=gated&limit=1&fields=id,state'
answered 200 'v.handoffs.length === 1 && Object.keys(v.handoffs[0]).join() === "id,state"'
gate=$(date +G-%Y-001)
get_as "$reader" "/api/v1/gate/show/$gate"
answered 200 'v.state === "open"'
get_as "$reader" "/api/v1/gate/show?gate=$gate"
expect_that "the query names the gate as well" [ "$status" = 200 ]
post_as "$reader" /api/v1/check '{"document":"{\"handoff\":{}}"}'
expect_that "a document is checked" [ "$status" = 422 ]
expect_header 'Handoff-Code: invalid'

# ---- What is wrong is said as --json says it.
get_as "$reader" /api/v1/lst
answered 404 'v.error.code === "not_found"'
get_as "$reader" '/api/v1/list?stat=ready'
answered 400 'v.error.code === "usage" && v.error.message.includes("state")'
get_as "$reader" '/api/v1/list?limit=x'
answered 400 'v.error.code === "usage"'
get_as "$reader" '/api/v1/list?limit=1&limit=2'
answered 400 'v.error.message.includes("twice")'
get_as "$reader" '/api/v1/list?to=%zz'
answered 400 'v.error.code === "usage"'
get_as "$coder" /api/v1/ask
answered 405 'v.error.message.includes("POST")'
expect_header 'Allow: POST'
post_as "$coder" /api/v1/ask '{"question":'
answered 400 'v.error.code === "syntax"'
post_as "$coder" /api/v1/ask '["question"]'
answered 400 'v.error.code === "usage"'
get -H "Authorization: Bearer $coder" -d 'question=x' /api/v1/ask
answered 400 'v.error.message.includes("application/json")'
get_as "$reader" /api/v1/gate/show/G-2026-001/more
answered 404 'v.error.code === "not_found"'
for local in config init trust help token/list key/new run rebuild backup prune serve mcp hook; do
  post_as "$alice" "/api/v1/$local" '{}'
  answered 404 'v.error.code === "not_found"'
done

# ---- What was not changed is not sent again.
get_as "$reader" /api/v1/list
tag=$(sed -n 's/^ETag: //p' "$folder/headers" | tr -d '\r')
get_as "$reader" -H "If-None-Match: $tag" /api/v1/list
expect_that "status $status, not 304" [ "$status" = 304 ]
post_as "$coder" /api/v1/ask '{"question":"And now?"}'
get_as "$reader" -H "If-None-Match: $tag" /api/v1/list
answered 200 'v.handoffs.length === 2'

# ---- A person decides, the raiser does not.
post_as "$coder" "/api/v1/gate/decide/$gate" '{"decision":"approve"}'
expect_that "an agent decided: $status" [ "$status" = 403 ]
get_as "$reader" "/api/v1/gate/show/$gate"
answered 200 'v.state === "open"'

# ---- Waiting: others are answered meanwhile, and what was waited for is told at once.
get_as "$coder" -X POST "/api/v1/gate/wait/$gate?timeout=3" & waiting=$!
sleep 0.5
get_as "$reader" /api/v1/list
expect_that "a wait blocks the others" [ "$status" = 200 ]
wait $waiting

# ---- Events: those since a number, then those that come.
timeout 3 curl -sN -H "Authorization: Bearer $reader" "$at/api/v1/events?since=1" >"$folder/events" &
listening=$!
sleep 1
post_as "$coder" /api/v1/ask '{"question":"The third?"}'
wait $listening
expect_that "the events are not the ones since 1" [ "$(grep -c '^id: ' "$folder/events")" = 5 ]
expect_that "no document text" [ -z "$(grep -i 'third' "$folder/events")" ]
timeout 2 curl -sN -H "Authorization: Bearer $reader" -H 'Last-Event-ID: 5' "$at/api/v1/events" >"$folder/events"
expect_that "Last-Event-ID is not what it goes on from" [ "$(sed -n 's/^id: //p' "$folder/events" | head -1)" = 6 ]
timeout 2 curl -sN -H "Authorization: Bearer $reader" "$at/api/v1/events?since=999" >"$folder/events"
expect_that "no reset" grep -q '^event: reset' "$folder/events"
get_as "$reader" '/api/v1/events?since=x'
answered 400 'v.error.code === "usage"'

# ---- The description, and what monitors ask.
get_as "$reader" /api/v1/openapi.json
answered 200 'v.openapi === "3.1.0" && v.paths["/api/v1/gate/decide/{gate}"].post && !v.paths["/api/v1/config"] && !v.paths["/api/v1/ask"].get'
get_as "$reader" /metrics
expect_that "metrics: $status" grep -q '^handoff_handoffs 3$' "$folder/out"
expect_header 'Content-Type: text/plain; version=0.0.4'
get /metrics
expect_that "metrics without a token: $status" [ "$status" = 401 ]

# ---- SIGTERM: whoever waits is told, and the server ends.
curl -s -o "$folder/waited" -w '%{http_code}' -H "Authorization: Bearer $reader" "$at/api/v1/events" >"$folder/code" & waiting=$!
sleep 0.7
end 0
wait $waiting
expect_that "a stream was cut off" [ "$? $(cat "$folder/code")" = '0 200' ]

# ---- A Unix socket: only for this user, who may look.
start --socket "$folder/socket"
status=$(curl -s -o "$folder/out" -w '%{http_code}' --unix-socket "$folder/socket" http://localhost/session)
answered 200 'v.role === "read"'
expect_that "the socket is open to others" [ "$(stat -c %a "$folder/socket")" = 600 ]
stop
start --socket "$folder/socket"
expect_that "a dead socket stays" [ -S "$folder/socket" ]
end 0
expect_that "the socket is left behind" [ ! -e "$folder/socket" ]

# ---- A trusted proxy says who its users are; nobody else can.
start --proxy 127.0.0.1 --proxy-user alice=decide:alice --proxy-user 'bot=agent:coder'
get -H 'X-Forwarded-User: alice' /session
answered 200 'v.role === "decide:alice" && v.name === "proxy:alice"'
get -H 'X-Forwarded-User: mallory' /session
answered 403 'v.error.code === "gated"'
get -H 'X-Forwarded-User: alice' -H 'X-Forwarded-User: bot' /session
expect_that "two users: $status" [ "$status" = 403 ]
end 0
start --proxy 127.0.0.1 --proxy-user '*=read' --proxy-user 'Ana Maria=decide:ana'
for user in bob@example.org 'EXAMPLE\bob' bob+x/y; do
  get -H "X-Forwarded-User: $user" /session
  answered 200 'v.role === "read"'
done
for user in 'ana (signed)' $'b\u202eob' 'user:ana' 'bob, root'; do
  get -H "X-Forwarded-User: $user" /session
  expect_that "the user '$user': $status" [ "$status" = 403 ]
done
end 0
start --proxy 127.0.0.1 --proxy-user 'Ana Maria=decide:ana'
get -H 'X-Forwarded-User: Ana Maria' /session
answered 200 'v.role === "decide:ana"'
end 0
start --proxy 10.0.0.1 --proxy-user '*=decide:alice'
get -H 'X-Forwarded-User: alice' /session
expect_that "anybody is a proxy: $status" [ "$status" = 401 ]
end 0

# ---- Others than this machine: only once somebody has a token.
"$handoff" token revoke reader >/dev/null 2>&1; "$handoff" token revoke coder >/dev/null 2>&1; "$handoff" token revoke alice >/dev/null 2>&1
expect 2 serve --listen 0.0.0.0:0
expect_err 'handoff token new'

# ---- A socket that was opened for it (systemd).
"$handoff" token new later --role read >"$folder/token" 2>/dev/null
: >"$folder/server.out" # what the last one said there is not this one's
python3 - "$handoff" >"$folder/server.out" 2>"$folder/server.err" <<'PY' &
import os, socket, sys
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()
print('port', s.getsockname()[1], flush=True)
os.dup2(s.fileno(), 3); os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[1], [sys.argv[1], 'serve'])
PY
server=$!
for ((i = 0; i < 100; i++)); do grep -q listening "$folder/server.out" && break; sleep 0.1; done
at=http://127.0.0.1:$(sed -n 's/^port //p' "$folder/server.out")
get_as "$(cat "$folder/token")" /session
answered 200 'v.role === "read"'
end 0
finish
