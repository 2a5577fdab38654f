#!/bin/bash
# A server's edge: names and origins that are not its own, requests that two servers could read differently, bodies that are
# too large, clients that are too slow. All are refused, and the server goes on.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/../cli/serve_common"
git init -q .
make_tokens
start
# refused WHAT STATUS...: it was one of these.
refused() { expect_that "$1: status $status" grep -qwF -- "$status" <<<"${*:2}"; }
as=(-H "Authorization: Bearer $reader")

# ---- DNS rebinding, and pages of other origins.
for host in evil.example evil.example:8420 localhost.evil.example 127.0.0.1.evil.example '[::1].evil.example' 'localhost@evil' 'localhost:1:2' '' 'LOCALHOST.'; do
  get "${as[@]}" -H "Host: $host" /session
  refused "Host '$host': $status" 403 400
done
for host in localhost LocalHost:1 127.0.0.1 '[::1]:99'; do
  get "${as[@]}" -H "Host: $host" /session
  expect_that "Host '$host': $status" [ "$status" = 200 ]
done
for origin in http://evil.example https://localhost.evil.example null "$at.evil.example" "http://127.0.0.1:1" file:// 'http://evil.example, '"$at"; do
  get "${as[@]}" -H "Origin: $origin" /session
  expect_that "Origin '$origin': $status" [ "$status" = 403 ]
done
get "${as[@]}" -H "Origin: $at" /session
expect_that "its own origin: $status" [ "$status" = 200 ]
for site in cross-site same-site; do
  get "${as[@]}" -H "Sec-Fetch-Site: $site" /session
  expect_that "Sec-Fetch-Site $site: $status" [ "$status" = 403 ]
done

# ---- Tokens.
for token in '' x "$(tr 0-9a-f 1-9a-f0 <<<"$reader")" "${reader}0" "${reader%?}" "$reader $reader" "hoat_$(printf '%064d' 0)"; do
  get -H "Authorization: Bearer $token" /session
  expect_that "token '$token': $status" [ "$status" = 401 ]
done
get -H "Authorization: Basic $(printf 'a:%s' "$reader" | base64 -w0)" /session
expect_that "another kind of authorization: $status" [ "$status" = 401 ]
get "${as[@]}" "${as[@]}" /session
expect_that "two tokens: $status" [ "$status" = 401 ]
get "/session?access_token=$reader"
expect_that "a token in the address: $status" [ "$status" = 401 ]
"$handoff" token revoke alice >/dev/null 2>&1
get_as "$alice" /session
expect_that "a revoked token: $status" [ "$status" = 401 ]
for ((i = 0; i < 40; i++)); do get -H "Authorization: Bearer hoat_$i" /session; done
expect_that "nobody stops who guesses: $status" [ "$status" = 429 ]
get "${as[@]}" /session
expect_that "others' guesses keep a right token out: $status" [ "$status" = 200 ]
end 0
start

# ---- Paths.
for path in /../etc/passwd /api/../../etc/passwd '/%2e%2e/etc/passwd' /api/v1/show/..%2f..%2fetc%2fpasswd '/api/v1//list' '/api/v1/list/' '/api/v1/list%00' '/.git/config' '/.handoff/handoff.db'; do
  get "${as[@]}" "$path"
  refused "$path: $status" 400 404
done
echo secret >"$folder/secret.txt"
for path in "$folder/secret.txt" ../secret.txt /etc/passwd; do
  for token in "$reader" "$coder"; do
    post_as "$token" /api/v1/show "{\"path\":\"$path\"}"
    expect_that "$path was read: $status" [ "$status" != 200 ]
    expect_not_out secret
    expect_not_out root:
  done
done

# ---- Two readings of one request.
host='Host: localhost\r\n'
for request in \
  "POST /api/v1/ask HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" \
  "POST /api/v1/ask HTTP/1.1\r\n${host}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde" \
  "POST /api/v1/ask HTTP/1.1\r\n${host}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" \
  "POST /api/v1/ask HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" \
  "POST /api/v1/ask HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" \
  "POST /api/v1/ask HTTP/1.1\r\n${host}Transfer-Encoding:\n chunked\r\n\r\n0\r\n\r\n" \
  "GET /healthz HTTP/1.1\n${host}\n" \
  "GET /healthz HTTP/1.1\r\n${host}X: a\r\n b: c\r\n\r\n" \
  "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n" \
  "GET http://localhost/healthz HTTP/1.1\r\n${host}\r\n" \
  "GET /healthz HTTP/1.1\r\n\r\n" "GET /healthz\r\n\r\n" "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" '\x16\x03\x01\x02\x00\r\n\r\n'; do
  raw "$request""GET /healthz HTTP/1.1\r\n${host}\r\n"
  expect_that "status $status" [ "$status" -ge 400 ]
  expect_that "what follows was answered, too" [ "$(grep -c '^HTTP/1' "$folder/out")" = 1 ]
done
raw "GET /healthz HTTP/1.1\r\n${host}\r\nGET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\nGET /healthz HTTP/1.1\r\n${host}\r\n"
expect_that "two requests on one connection" [ "$(grep -c '^HTTP/1.1 200' "$folder/out")" = 2 ]

# ---- Too much.
raw "GET /$(printf '%09000d' 0) HTTP/1.1\r\n${host}\r\n"
expect_that "a long path: $status" [ "$status" = 414 ]
raw "GET /healthz HTTP/1.1\r\n${host}X: $(printf '%020000d' 0)\r\n\r\n"
expect_that "a long head: $status" [ "$status" = 431 ]
raw "GET /healthz HTTP/1.1\r\n${host}$(printf 'A: b\\r\\n%.0s' {1..80})\r\n"
expect_that "many headers: $status" [ "$status" = 431 ]
raw "POST /api/v1/check HTTP/1.1\r\n${host}Authorization: Bearer $reader\r\nContent-Length: 99999999999\r\n\r\n"
expect_that "a long body: $status" [ "$status" = 413 ]
raw "POST /api/v1/check HTTP/1.1\r\n${host}Authorization: Bearer $reader\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n"
expect_that "a long chunk: $status" [ "$status" = 413 ]
raw "POST /api/v1/check HTTP/1.1\r\n${host}Content-Length: 1000000\r\n\r\n"
expect_that "a body of somebody without a token is waited for: $status" [ "$status" = 401 ]
{ printf '{"document":"'; printf '%100000s' '' | tr ' ' '['; printf '"}'; } >"$folder/deep"
post_as "$reader" /api/v1/check "@$folder/deep"
refused nested 400 413 422
printf '%100000s' '' | tr ' ' '[' >"$folder/deep"
post_as "$reader" /api/v1/check "@$folder/deep"
refused "a deep body" 400 413
{ printf '{'; for ((i = 0; i < 20000; i++)); do printf '"a":1,'; done; printf '"b":1}'; } >"$folder/twice"
post_as "$reader" /api/v1/list "@$folder/twice"
expect_that "keys that stand twice: $status" [ "$status" = 400 ]
get "${as[@]}" "/api/v1/list?$(printf 'state=%.0s&' {1..1000})"
expect_that "a thousand parameters: $status" [ "$status" = 400 ]

get /healthz
answered 200 'v.status === "ok"'
end 0
finish
