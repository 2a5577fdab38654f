#!/bin/bash
# Clients that are slow, or many: heads and bodies that trickle, 3,000 streams that say nothing, answers that nobody takes. Others are
# served meanwhile, who holds a connection for nothing loses it, and an idle server does nothing.
# shellcheck source=tests/cli/serve_common
source "$(dirname "$0")/../cli/serve_common"
git init -q .
make_tokens
ulimit -n "$(ulimit -Hn)" 2>/dev/null
[ "$(ulimit -n)" -ge 4000 ] || skip_test "a process may open $(ulimit -n) files only"
start
cat >"$folder/slow.mjs" <<'END'
// slow.mjs PORT TOKEN: what became of each kind of slow client, as one line of JSON.
import net from 'node:net';
import http from 'node:http';
const [port, token] = process.argv.slice(2);
const auth = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
const started = Date.now(), found = {};
/** Sends `first`, then `drip` every 200 ms until the server closes the connection; how long that took. */
const trickle = (name, first, drip) => new Promise((resolve) => {
  const socket = net.connect(port, '127.0.0.1');
  let said = '';
  const timer = setInterval(() => socket.write(drip), 200);
  socket.on('data', (text) => { said += text; }).on('error', () => {}).on('close', () => {
    clearInterval(timer);
    found[name] = { s: (Date.now() - started) / 1000, status: Number(said.slice(9, 12)) };
    resolve();
  });
  socket.write(first);
});
const many = (kind, count, head) => Promise.all(Array.from({ length: count }, () => trickle(kind, head, 'a')));
const slow = Promise.all([
  many('head', 200, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: '),
  many('line', 200, 'G'),
  many('unknown', 50, `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer hoat_x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`),
]);
// Meanwhile, others are answered.
const times = [];
for (let i = 0; i < 40; i++) {
  const begin = Date.now();
  await new Promise((resolve, reject) => http.get({ port, host: '127.0.0.1', path: '/healthz', agent: false }, (a) => a.resume().on('end', resolve)).on('error', reject));
  times.push(Date.now() - begin);
}
found.meanwhile = times.sort((a, b) => a - b)[35];
await slow;
console.log(JSON.stringify(found));
END
last='slow clients'
timeout 60 node "$folder/slow.mjs" "${at##*:}" "$reader" >"$folder/out" 2>"$folder/err"
expect_json "$folder/out" 'v.head.s < 20 && v.line.s < 20'
expect_json "$folder/out" 'v.unknown.status === 401 || v.unknown.status === 429'
expect_json "$folder/out" 'v.meanwhile < 2000'

# ---- Streams that say nothing, of each kind; then one change is told to all of them.
cat >"$folder/idle.mjs" <<'END'
// idle.mjs PORT TOKEN: opens streams, says "open", and exits when each was told something more.
import http from 'node:http';
const [port, token] = process.argv.slice(2);
const common = { port, host: '127.0.0.1', agent: false };
const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { _meta: meta, notifications: {} } });
let open = 0, told = 0;
const wanted = 2500, quiet = 500;
const take = (events) => (answer) => {
  if (answer.statusCode !== 200) { console.log(`status ${answer.statusCode}`); process.exit(1); }
  let first = true;
  answer.setEncoding('utf8').on('data', (text) => {
    if (first && ++open === wanted + quiet) console.log('open');
    if (first) next();
    first = false;
    if (events && text.includes('event: gate') && ++told === wanted) { console.log('told'); process.exit(0); }
  }).on('error', () => {});
};
const fail = (error) => { console.log(error.message); process.exit(1); };
const events = () => http.get({ ...common, path: '/api/v1/events', headers: { Authorization: `Bearer ${token}` } }, take(true)).on('error', fail);
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
const listen = () => http.request({ ...common, method: 'POST', path: '/mcp', headers }, take(false)).on('error', fail).end(body);
// A few at a time: what is too much at once is refused with 503.
let begun = 0;
const next = () => { if (begun < wanted + quiet) (begun++ % 6 ? events : listen)(); };
for (let i = 0; i < 24; i++) next();
setTimeout(() => { console.log('too late'); process.exit(1); }, 180_000);
END
last='idle streams'
"$handoff" ask "Is there a store?" --as lead >/dev/null 2>&1
: >"$folder/out"
node "$folder/idle.mjs" "${at##*:}" "$reader" >"$folder/out" 2>"$folder/err" &
idle=$!
for ((i = 0; i < 1500; i++)); do
  [ ! -s "$folder/out" ] || break
  sleep 0.1
done
expect_that "3,000 streams: $(cat "$folder/out")" grep -q open "$folder/out"
ticks() { cut -d' ' -f14,15 "/proc/$server/stat" | tr ' ' '\n' | paste -sd+ | bc; }
sleep 1
before=$(ticks)
sleep 3
expect_that "an idle server with 3,000 streams has used $(($(ticks) - before)) ticks" [ $(($(ticks) - before)) -le 1 ]
get /healthz
answered 200 'v.status === "ok"'
"$handoff" ask "CSV or JSON for the export of station readings?" --option CSV --option JSON --as lead >/dev/null 2>&1
wait $idle
expect_that "all were told: $(cat "$folder/out")" grep -q told "$folder/out"
get_as "$reader" /api/v1/list
answered 200 'v.handoffs'
end 0
finish
