#!/bin/bash
# Clients of /mcp that mean harm: messages that are bombs, others' sessions, states and streams, requests that two servers could read
# differently, and more of everything than anybody needs. All are refused, and the server goes on.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/../cli/serve_common"
git init -q .
make_tokens
start
typed=(-H 'Content-Type: application/json')
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
modern=("${typed[@]}" -H 'MCP-Protocol-Version: 2026-07-28')
hello='{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
open() { get_as "$1" "${typed[@]}" -d "$hello" /mcp && session=$(sed -n 's/^Mcp-Session-Id: \([0-9a-f]*\).*/\1/ip' "$folder/headers"); }
# refused WHAT: with a status for that, or an error of the protocol.
refused() { expect_that "$1: status $status, $(head -c 200 "$folder/out")" grep -qE '"error":' "$folder/out"; }

# ---- Pages of other origins.
for header in 'Host: evil.example' 'Origin: http://evil.example' 'Origin: null' 'Sec-Fetch-Site: cross-site'; do
  for method in POST GET DELETE OPTIONS; do
    get_as "$coder" "${typed[@]}" -X $method -H "$header" -d "$hello" /mcp
    expect_that "$header: $status" grep -qwE '403|405' <<<"$status"
    expect_that "it is told to a page" [ -z "$(grep -i '^access-control' "$folder/headers")" ]
  done
done

# ---- Bombs.
bomb()
{
  last="$1"
  for headers in "${#modern[@]}" 2; do
    get_as "$coder" "${modern[@]:0:headers}" --data-binary "@$folder/bomb" /mcp
    refused "$1"
  done
}
printf '%200000s' '' | tr ' ' '[' >"$folder/bomb" && bomb 'deep lists'
{ for ((i = 0; i < 20000; i++)); do printf '{"a":'; done; printf '1'; printf '%20000s' '' | tr ' ' '}'; } >"$folder/bomb" && bomb 'deep maps'
{ printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{'; for ((i = 0; i < 50000; i++)); do printf '"k":%d,' $i; done; printf '"z":1}}'; } >"$folder/bomb" && bomb 'keys that stand twice'
{ printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":{}}' "$(printf '%01000000d' 0)"; } >"$folder/bomb" && bomb 'a long method'
{ printf '{"jsonrpc":"2.0","id":1e999999999,"method":"tools/list"}'; } >"$folder/bomb" && bomb 'a large number'
{ printf '{"jsonrpc":"2.0","id":"\xff\xfe","method":"tools/list"}'; } >"$folder/bomb" && bomb 'no UTF-8'
open "$coder" # of its version, several messages may come as a list: each is answered, and the list has an end
{ printf '['; for ((i = 0; i < 20000; i++)); do printf '{"jsonrpc":"2.0","id":%d,"method":"ping"},' $i; done; printf '{"jsonrpc":"2.0","id":-1,"method":"ping"}]'; } >"$folder/bomb"
get_as "$coder" "${typed[@]}" -H "Mcp-Session-Id: $session" --data-binary "@$folder/bomb" /mcp
expect_that "a long list: $status" [ "$status" = 200 ] && expect_that "of it" [ "$(grep -c '^data: ' "$folder/out")" = 20001 ]
head -c 19000000 /dev/zero | tr '\0' ' ' >"$folder/bomb"
get_as "$coder" "${modern[@]}" --data-binary "@$folder/bomb" /mcp
expect_that "a long body: $status" [ "$status" = 413 ]
get_as "$coder" "${modern[@]}" -H 'Transfer-Encoding: chunked' --data-binary "@$folder/bomb" /mcp
expect_that "a long body in chunks: $status" [ "$status" = 413 ]

# ---- Two readings of one request; what follows is never answered.
head="POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer $coder\r\nContent-Type: application/json\r\n"
for rest in "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" "Content-Length: +2\r\n\r\n{}" "Content-Length: 0x2\r\n\r\n{}" \
  "Transfer-Encoding: chunked\r\n\r\n2;a=b\n{}\r\n0\r\n\r\n" "Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n" "Transfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n" \
  "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff2\r\n{}\r\n0\r\n\r\n" "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" "Mcp-Method: a\r\n b\r\nContent-Length: 2\r\n\r\n{}" "Mcp-Na me: a\r\nContent-Length: 2\r\n\r\n{}"; do
  raw "$head$rest""GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
  expect_that "status $status" [ "$status" -ge 400 ]
  expect_that "what follows was answered, too: $(cat "$folder/out")" [ "$(grep -c '^HTTP/1' "$folder/out")" = 1 ]
done
get_as "$coder" "${modern[@]}" -H 'Mcp-Method: tools/list' -H 'Mcp-Method: tools/call' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{$meta,\"name\":\"next_handoff\"}}" /mcp
expect_that "two methods: $status" [ "$status" = 400 ]

# ---- Sessions cannot be guessed, listed or used by others, and their tokens can be revoked.
open "$coder"
for id in "${session%?}" "${session}0" "${session^^}" "$(printf '%064d' 0)" '*' "../$session" "$session,$session"; do
  get_as "$coder" "${typed[@]}" -H "Mcp-Session-Id: $id" -d '{"jsonrpc":"2.0","id":1,"method":"ping"}' /mcp
  [ "$id" = "$session" ] || expect_that "session '$id': $status" [ "$status" = 404 ]
done
curl -sN -m 30 -H "Authorization: Bearer $coder" -H "Mcp-Session-Id: $session" "$at/mcp" >"$folder/stream" &
listener=$!
year=$(date +%Y)
get_as "$coder" "${typed[@]}" -H "Mcp-Session-Id: $session" -d "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"handoff://gate/G-$year-001\"}}" /mcp
expect_that "a subscription: $status" [ "$status" = 200 ]
"$handoff" token revoke coder >/dev/null 2>&1
get_as "$coder" "${typed[@]}" -H "Mcp-Session-Id: $session" -d '{"jsonrpc":"2.0","id":3,"method":"ping"}' /mcp
expect_that "a revoked token: $status" [ "$status" = 401 ]
"$handoff" ask "CSV or JSON for the export of station readings?" --option CSV --option JSON --as lead >/dev/null 2>&1
wait $listener
expect_that "the stream of a revoked token: $?" [ $? = 0 ] && expect_that "was told: $(cat "$folder/stream")" [ ! -s "$folder/stream" ]

# ---- More sessions than there is room for: the oldest make room, and whoever works is served.
open "$reader"
last='sessions'
node -e '
  const [at, token, hello] = process.argv.slice(1), http = require("http");
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  let left = 4500, bad = 0;
  const one = () => { if (left-- <= 0) return; const r = http.request(at + "/mcp", { agent, method: "POST", headers: { Authorization: "Bearer " + token, "Content-Type": "application/json" } },
    (a) => { if (a.statusCode !== 200) bad++; a.resume().on("end", one); }); r.on("error", () => { bad++; one(); }); r.end(hello); };
  for (let i = 0; i < 16; i++) one();
  process.on("exit", () => console.log(bad));' "$at" "$reader" "$hello" >"$folder/bad"
expect_that "$(cat "$folder/bad") were refused" [ "$(cat "$folder/bad")" = 0 ]
get_as "$reader" "${typed[@]}" -H "Mcp-Session-Id: $session" -d '{"jsonrpc":"2.0","id":1,"method":"ping"}' /mcp
expect_that "the oldest session: $status" [ "$status" = 404 ]
open "$reader"
expect_that "a new session: $status" [ "$status" = 200 ]

get /healthz
answered 200 'v.status === "ok"'
end 0
finish
