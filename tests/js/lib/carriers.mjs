// Private keys as they are quoted, each line of them inside something else. The keys are made anew in each run.
import { generateKeyPairSync, randomBytes } from 'node:crypto';

// ---- Keys

/** The private key in the format of OpenSSH: lines of 70. */
function openssh() {
  const text = (value) => { const n = Buffer.alloc(4); n.writeUInt32BE(value.length); return Buffer.concat([n, Buffer.from(value)]); };
  const name = text('ssh-rsa'), number = (n) => text(Buffer.concat([Buffer.from([0]), randomBytes(n)]));
  const check = randomBytes(4), secret = Buffer.concat([check, check, name, number(256), text([1, 0, 1]), number(256), number(128), number(128), number(128), text('me@example.org'), Buffer.from([1, 2, 3])]);
  const all = Buffer.concat([Buffer.from('openssh-key-v1\0'), text('none'), text('none'), text(''), Buffer.from([0, 0, 0, 1]), text(Buffer.concat([name, text([1, 0, 1]), number(256)])), text(secret)]);
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${all.toString('base64').replace(/.{70}/g, '$&\n')}\n-----END OPENSSH PRIVATE KEY-----`;
}
const pem = (kind, options, type, cipher) => () =>
  generateKeyPairSync(kind, { ...options, privateKeyEncoding: { type, format: 'pem', ...(cipher && { cipher, passphrase: 'x' }) }, publicKeyEncoding: { type: 'spki', format: 'pem' } }).privateKey;
const rsa = { modulusLength: 2048 };
/** kind: () => the lines of a key. */
export const keys = Object.fromEntries(Object.entries({
  'RSA, PKCS#8': pem('rsa', rsa, 'pkcs8'), 'RSA, PKCS#1': pem('rsa', rsa, 'pkcs1'), EC: pem('ec', { namedCurve: 'P-384' }, 'sec1'), OpenSSH: openssh,
  encrypted: pem('rsa', rsa, 'pkcs8', 'aes-256-cbc'), 'encrypted, with heads': pem('rsa', rsa, 'pkcs1', 'aes-128-cbc'), 'Ed25519': pem('ed25519', {}, 'pkcs8'),
}).map(([kind, make]) => [kind, () => make().trim().split('\n')]));

/** Is it a line of the key itself, not one about it? */
export const isMaterial = (line) => line && !/^-|: /.test(line);

// ---- Carriers

// One in each line: "§" is the line of the key, "№" its number, "№№" the same in two digits, "⏎" a line end.
const lines = String.raw`
2026-01-02T10:00:00Z app[12]: §
2026-01-02T10:00:№№.123456789Z §
2026-01-02T10:00:№№.123456789Z stdout F §
2026-01-02 10:00:№№,123 INFO  [main] com.example.KeyLoader2 - §
2026/01/02 10:00:№№ main.go:42: §
Jan  2 10:00:№№ web1 sshd[4711]: §
<13>Jan  2 10:00:№№ web1 app: §
<165>1 2026-01-02T10:00:№№.003Z web1.example.org app 4711 ID47 - §
Jan 02 10:00:№№ web1.example.org systemd[1]: key.service: §
[2026-01-02 10:00:№№] production.ERROR: §
[10:00:№№] §
10:00:№№ | §
[    №.123456] kernel: §
I0102 10:00:№№.123456    4711 loader.go:42] §
level=info ts=2026-01-02T10:00:№№Z caller=main.go:17 msg="§"
time="2026-01-02T10:00:№№Z" level=debug msg="§" component=loader
{"level":"info","time":"2026-01-02T10:00:№№Z","msg":"§"}
{"log":"§\n","stream":"stdout","time":"2026-01-02T10:00:№№.123456789Z"}
{"@timestamp":"2026-01-02T10:00:№№Z","host":{"name":"web1"},"kubernetes":{"pod":"api-7d9f8b6c5d-x2x4z","namespace":"prod"},"message":"§","trace":"4bf92f3577b34da6a3ce929d0e0e4736"}
web-1  | §
web_1       | 2026-01-02T10:00:№№Z §
api-7d9f8b6c5d-x2x4z api §
[pod/api-7d9f8b6c5d-x2x4z/api] §
2026-01-02T10:00:№№.1234567Z ##[group]§
build	UNKNOWN STEP	2026-01-02T10:00:№№.1234567Z §
remote: §
app[web.1]: §
I/System.out( 4711): §
01-02 10:00:№№.123  4711  4711 D KeyLoader: §
4bf92f3577b34da6a3ce929d0e0e4736 §
4bf92f3577b34da6a3ce929d0e0e473600f067aa0ba902b7a3ce929d0e0e4736 §
path/file.pem:№:§
file.pem:§
/home/bob/Projects/Server2/config/keys/production/server.pem:№:§
./keys/id_rsa-№-§
C:\Users\bob\keys\server.pem:№: §
file.pem:№:1:§
path/file.pem	№	§
src/keys.ts(№,5): §
^0f43c1a2 (Bob Example 2026-01-02 10:00:00 +0100  №) §
0f43c1a2b3c4 keys/server.pem (<bob@example.org> 2026-01-02 10:00:00 +0000 №) §
0f43c1a2b3c4d5e6f708192a3b4c5d6e7f809102 № № 1: §
echo '§' >> f
echo "§" >> ~/.ssh/id_rsa
echo '§' | sudo tee -a /etc/ssl/private/server.key
printf '%s\n' '§' >> f
printf "§\n"
print("§")
console.log('§');
System.out.println("§");
fmt.Println("§")
puts "§"
Write-Output '§' | Add-Content key.pem
echo §>>key.pem
f.write("§\n")
lines.append("§")
key += "§\n"
key = key + '§' + "\n"
"§\n" +
"§\n"
+ "§\n"
'§' .
'§',
"§\n" \
    "§\n" .
"§\n"  // line №
b"§\n"
$key .= "§\n";
s << "§";
"§" & vbCrLf & _
, "§"
L"§\r\n"
'§' || chr(10) ||
// §
# §
* §
 * §
;§
; §
-- §
REM §
% §
" §
/// §
//! §
<!-- § -->
/* § */
(* § *)
{- § -}
{# § #}
dnl §
- §
- "§"
- '§'
* "§"
  - line: "§"
  - text: §⏎    number: №
"line№": "§",
line№: §
line№№=§
KEY_№№="§"
export KEY_№='§'
"§",
"§"
["§"],
[№, "§"],
{"n": №, "text": "§"},
  {⏎    "n": №,⏎    "text": "§"⏎  },
№,§
№;"§";ok
"№","§","a note"
№	§	ok
| § |
| № | § |
| № | ${'`§`'} | ok |
|§|
|| № || § ||
│ § │
║ № ║ § ║
+ § +
<li>§</li>
<p>§</p>
<tr><td>№</td><td>§</td></tr>
<td class="blob-code"><span class="pl-s">§</span></td>
<div class="line" id="L№">§</div>
<span class="line">§</span><br/>
§<br>
§<br />
§</br>
<code>§</code>
<line n="№">§</line>
<string>§</string>
<![CDATA[§]]>
&gt; §
&quot;§&quot;,
[color=red]§[/color]
\texttt{§} \\
\item §
№. §
№) §
(№) §
a№№. §
1.№. §
> §
> > §
>>> §
> - §
> | §
On line №: §
line № is §
Line №> §
§ # line
§ // line
§ /* № */
§ \
§\
§;
§,
§ |
§ &
§$
§^M
§ <- line №
§ (line №)
	§
		§
 	 §
$ §
> § <
PS C:\> §
>>> print('§')
bob@web1:~$ echo §
root@web1:/etc/ssl# §
mysql> §
In [№]: §
Out[№]: '§'
(gdb) §
+§
-§
+	§
 +  §
@@ -№,1 +№,1 @@ §
!§
< §
<bob> §
[10:00] bob: §
Bob Example, 10:00: §
bob (10:00 AM): §
**§**
_§_
~~§~~
${'`§`'}
${'``§``'}
- [ ] §
- [x] ${'`§`'}
#### §
«§»
“§”
‘§’,
§…
→ §
• §
‣ §
[32m§[0m
\u001b[32m§\u001b[0m
\x1b[31m§\x1b[0m
(string) (len=64) "§",
  [№] => §
  string(64) "§"
№: "§"
:№: §
item№=§&
arg[№]=§
INSERT INTO lines VALUES (№, '§');
SELECT '§' UNION ALL
set key "§"
ENV LINE_№=§
RUN echo "§" >> /key
  content: "§"
- name: line № of the key⏎  value: "§"
    lineinfile: path=/etc/key line="§"
§=
=§
(§)
[§]
{§}
<§>
/§
§/
/§/
x§
§.
§:
№§
`.split('\n').slice(1, -1);
/** name: (the lines of a key) => the text that has them. */
export const carriers = {};
const add = (name, write) => { carriers[name] = write; };
const fill = (carrier, line, n) => carrier.replaceAll('№№', String(n).padStart(2, '0')).replaceAll('№', n).replace('§', () => line);
for (const carrier of lines) {
  const several = carrier.replaceAll('⏎', '\n');
  add(carrier, (key) => key.map((line, i) => fill(several, line, i + 1)).join('\n'));
}

// All of them in one line, or as one value.
const joined = { '\\n': '\\n', '\\r\\n': '\\r\\n', '\\\\n': '\\\\n', '\\\\\\\\n': '\\\\\\\\n', ' ': ' ', '  ': '  ', tab: '\t', ',': ',', ', ': ', ', ';': ';', '|': '|', ' | ': ' | ', '<br>': '<br>', '<br/>': '<br/>', '<br />': '<br />', '</p><p>': '</p><p>', '</li><li>': '</li><li>',
  '&#10;': '&#10;', '&#xA;': '&#xA;', '%0A': '%0A', '%0D%0A': '%0D%0A', '\\u000a': '\\u000a', '\\x0a': '\\x0a', '\\012': '\\012', '`n': '`n', '^': '^', '" & vbLf & "': '" & vbLf & "', "'\\n'": "' + '\\n' + '", '", "': '", "', "','": "','", ' \\ ': ' \\ ', CR: '\r', 'CR LF': '\r\n', 'two line ends': '\n\n', 'three line ends': '\n\n\n', '¶': '¶', '↵': '↵\n', '⏎': '⏎', U2028: '\u2028', NEL: '\u0085', 'form feed': '\f' };
for (const [name, by] of Object.entries(joined)) add(`joined by ${name}`, (key) => key.join(by));
add('JSON', (key) => JSON.stringify({ lines: key }));
add('JSON, indented', (key) => JSON.stringify({ lines: key }, null, 2));
add('JSON, slashes escaped', (key) => JSON.stringify({ lines: key }).replaceAll('/', '\\/'));
add('JSON in JSON', (key) => JSON.stringify({ text: JSON.stringify({ lines: key }, null, 1) }));
add('objects in JSON', (key) => JSON.stringify(key.map((text, n) => ({ n, text, at: { file: 'key.pem', column: 1 } })), null, 2));
add('here-document', (key) => key.map((line) => `> ${line}`).join('\n').replace('> ', '$ cat > key <<EOF\n> ') + '\n> EOF\n$ ');
add('HTML entities', (key) => key.map((line) => `<li>${line.replaceAll('+', '&#43;').replaceAll('/', '&#47;').replaceAll('=', '&#61;')}</li>`).join('\n'));
add('percent', (key) => encodeURIComponent(key.join('\n')));
add('form', (key) => new URLSearchParams({ key: key.join('\n') }).toString());
add('mail', (key) => key.map((line) => `> > ${line.replaceAll('=', '=3D')}`).join('\n'));
add('lines between', (key) => key.map((line, i) => `10:00:${i} app: ${line}\n10:00:${i} GET /health 200`).join('\n'));
add('cat -A', (key) => key.map((line) => `${line}$`).join('\n'));
add('folded at 32', (key) => key.flatMap((line) => (line.startsWith('-') || /^[A-Z]\w+-/.test(line) ? [line] : line.match(/.{1,32}/g))).map((line) => `10:00 app: ${line}`).join('\n'));
add('one line', (key) => `10:00 app: ${[...key.filter((line) => /^-.*BEGIN/.test(line)), key.filter(isMaterial).join(''), ...key.filter((line) => /^-.*END/.test(line))].join(' ')}`);
add('different ones', (key) => key.map((line, i) => [`10:00 app: ${line}`, `key.pem:${i}: ${line}`, `<li>${line}</li>`][i % 3]).join('\n'));
add('upside down', (key) => [...key].reverse().map((line) => `10:00 app: ${line}`).join('\n'));
add('ids in base64', (key) => key.map((line) => `${randomBytes(32).toString('base64')} ${line}`).join('\n'));
add('long records', (key) => key.map((line) => JSON.stringify({ labels: 'some words '.repeat(30), line })).join('\n'));
