// Credentials of all kinds, made anew in each run with a fixed seed; none stands in a file.
let state = 20260212;
const pick = (n) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), Math.floor((state / 2 ** 32) * n));
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', lower = upper.toLowerCase(), digits = '0123456789';
const from = (letters) => (n) => Array.from({ length: n }, () => letters[pick(letters.length)]).join('');
/** As many random letters of an alphabet as asked for. */
export const random = {
  alnum: from(upper + lower + digits), hex: from('0123456789abcdef'), caps: from(upper + digits), alpha: from(upper + lower), digit: from(digits),
  small: from(lower + digits), lower: from(lower), base64: from(upper + lower + digits + '+/'), url64: from(upper + lower + digits + '-_'),
};
const { alnum, hex, caps, alpha, digit, small, base64 } = random;
const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');

// NAME BEGINNING ALPHABET LENGTH: what follows the beginning is random.
const simple = `
aws:AKIA:caps:16 aws-temporary:ASIA:caps:16 aws-bedrock:ABSK:alnum:120 alibaba:LTAI:alnum:20 tencent:AKID:alnum:32 yandex:AQVN:alnum:37 yandex-secret:YCM:alnum:37
google:AIza:alnum:35 google-oauth:ya29.:alnum:60 google-client:GOCSPX-:alnum:28 google-refresh:1//0:alnum:60 handoff:hoat_:hex:64 digitalocean:dop_v1_:hex:64 digitalocean-oauth:doo_v1_:hex:64
digitalocean-refresh:dor_v1_:hex:64 heroku:HRKU-AA:alnum:58 fly:fo1_:alnum:43 fly-macaroon:fm2_:alnum:100 fly-machine:fm1r_:alnum:100 render:rnd_:alnum:28 netlify:nfp_:alnum:36
vercel:vcp_:alnum:24 vercel-key:vck_:alnum:40 cloudflare:cfut_:alnum:48 cloudflare-key:cfk_:alnum:48 supabase:sbp_:hex:40 supabase-secret:sb_secret_:alnum:31 neon:napi_:small:64
planetscale:pscale_tkn_:alnum:43 planetscale-password:pscale_pw_:alnum:43 openshift:sha256~:alnum:43 databricks:dapi:hex:32 clickhouse:4b1d:alnum:38 crates:cio:alnum:32 pulumi:pul-:hex:40
prefect:pnu_:alnum:36 vault:hvs.:alnum:95 vault-batch:hvb.:alnum:140 doppler:dp.pt.:alnum:43 doppler-service:dp.st.dev.:alnum:43 doppler-cli:dp.ct.:alnum:43 infracost:ico-:alnum:32
age:AGE-SECRET-KEY-1:caps:58 github:ghp_:alnum:36 github-oauth:gho_:alnum:36 github-user:ghu_:alnum:36 github-app:ghs_:alnum:36 github-refresh:ghr_:alnum:36
gitlab:glpat-:alnum:20 gitlab-deploy:gldt-:alnum:20 gitlab-runner:glrt-:alnum:20 gitlab-trigger:glptt-:hex:40 gitlab-job:glcbt-:alnum:24 gitlab-feed:glft-:alnum:20 gitlab-mail:glimt-:alnum:25
gitlab-agent:glagent-:alnum:50 gitlab-oauth:gloas-:alnum:64 gitlab-scim:glsoat-:alnum:20 gitlab-flag:glffct-:alnum:20 gitlab-registration:GR1348941:alnum:20
atlassian:ATATT3:alnum:186 bitbucket:ATBB:alnum:32 bitbucket-http:ATCTT3:alnum:180 trello:ATTA:alnum:68 npm:npm_:alnum:36 pypi:pypi-AgEI:alnum:60 rubygems:rubygems_:hex:48 nuget:oy2:small:43
clojars:CLOJARS_:alnum:60 packagist:packagist_uut_:hex:68 docker:dckr_pat_:alnum:27 docker-org:dckr_oat_:alnum:32 artifactory:AKCp:alnum:69 artifactory-reference:cmVmdGtu:alnum:56 sourcegraph:sgp_:hex:40
sonar:sqp_:hex:40 sonar-user:squ_:hex:40 circleci:CCIPAT_:alnum:60 buildkite:bkua_:hex:40 octopus:API-:caps:26 openai-session:sess-:alnum:40 deepseek:sk-:hex:32 openrouter:sk-or-v1-:hex:64
xai:xai-:alnum:80 groq:gsk_:alnum:52 cerebras:csk-:small:48 perplexity:pplx-:alnum:48 nvidia:nvapi-:alnum:64 replicate:r8_:alnum:37 huggingface:hf_:alpha:34 huggingface-org:api_org_:alpha:34
fireworks:fw_:alnum:24 together:tgp_v1_:alnum:43 pinecone:pcsk_:alnum:70 tavily:tvly-:alnum:32 firecrawl:fc-:hex:32 jina:jina_:alnum:60 elevenlabs:sk_:hex:48 anyscale:esecret_:alnum:26
slack-config:xoxe-1-:alnum:140 slack-cookie:xoxd-:alnum:60 mailgun:key-:hex:32 mailersend:mlsn.:hex:64 twilio:SK:hex:32 stripe:sk_live_:alnum:24 stripe-test:sk_test_:alnum:24 stripe-restricted:rk_live_:alnum:24
stripe-webhook:whsec_:alnum:32 shopify:shpat_:hex:32 shopify-shared:shpss_:hex:32 shopify-custom:shpca_:hex:32 shopify-private:shppa_:hex:32 square:sq0atp-:alnum:22 square-secret:sq0csp-:alnum:43
razorpay:rzp_live_:alnum:14 mollie:live_:alnum:30 flutterwave:FLWSECK_TEST-:alnum:12 duffel:duffel_test_:alnum:43 easypost:EZAK:alnum:54 shippo:shippo_live_:hex:40
sentry-user:sntryu_:hex:64 grafana-cloud:glc_:alnum:80 newrelic:NRAK-:caps:27 newrelic-insights:NRII-:alnum:32 honeycomb:hcaik_:small:58 posthog:phx_:alnum:43 okta:00:alnum:40
linear:lin_api_:alnum:40 linear-oauth:lin_oauth_:hex:64 notion-old:secret_:alnum:43 figma:figd_:alnum:43 contentful:CFPAT-:alnum:43 typeform:tfp_:alnum:59 readme:rdme_:small:70 adobe:p8e-:alnum:32 dropbox:sl.:alnum:135
frameio:fio-u-:alnum:64 facebook:EAAC:alnum:120 settlemint:sm_aat_:alnum:16 defined:dnkey-:alnum:60 intra42:s-s4t2ud-:hex:64 wandb:wandb_v1_:alnum:60 bitcoin:xprv:alnum:107 statsig:secret-:alnum:43
amazon:amzn1.oa2-cs.v1.:hex:64 mongodb-account:mdb_sa_sk_:alnum:40 aiven:AVNS_:alnum:19 e2b:e2b_:hex:40 deno:ddp_:alnum:36 deno-deploy:ddw_:alnum:36 valtown:vtwn_:alnum:28 n8n:n8n_api_:alnum:40
nostr:nsec1:small:58 nats:SUA:caps:55 stellar:SB:caps:54 age-pq:AGE-SECRET-KEY-PQ-1:caps:58 linkedin:WPL_AP1.:alnum:24 paseto:v2.local.:alnum:120`;

// What stands before a value gives it away: [before, value, after].
const named = {
  'aws secret': () => ['aws_secret_access_key = ', alnum(40)], password: () => ['MYSQL_ROOT_PASSWORD=', alnum(13) + '7'], 'all letters': () => ['PGPASSWORD=', random.lower(12)],
  'all letters, quoted': () => ['password = "', random.lower(11), '"'], 'all letters, YAML': () => ['db_password: ', random.lower(14)], 'three words': () => ['password: ', `${random.lower(6)}-${random.lower(7)}-${random.lower(5)}`],
  'client secret': () => ['client_secret: ', alnum(30) + '42'], 'npm line': () => ['//packages.example.org/:_authToken=', alnum(36)], passphrase: () => ['"passphrase": "', alnum(12) + '!', '"'],
  'api key': () => ['x-api-key: ', hex(32)], heroku: () => ['HEROKU_API_KEY=', uuid()], 'twilio token': () => ['TWILIO_AUTH_TOKEN=', hex(32)], datadog: () => ['DATADOG_API_KEY=', hex(32)], algolia: () => ['algolia_admin_key: ', hex(32)],
  atlassian: () => ['JIRA_TOKEN=', alnum(24)], 'cloudflare key': () => ['CLOUDFLARE_API_KEY=', hex(37)], fastly: () => ['fastly_api_token=', alnum(32)], codecov: () => ['CODECOV_TOKEN=', uuid()], mistral: () => ['MISTRAL_API_KEY=', alnum(32)],
  cohere: () => ['COHERE_API_KEY=', alnum(40)], linode: () => ['LINODE_TOKEN=', hex(64)], hetzner: () => ['HCLOUD_TOKEN=', alnum(64)], rollbar: () => ['rollbar_token: ', hex(32)], snyk: () => ['SNYK_TOKEN=', uuid()], postmark: () => ['POSTMARK_API_TOKEN=', uuid()],
  'gitea token': () => ['gitea_token: ', hex(40)], 'discord secret': () => ['discord_client_secret = ', alnum(32)], 'azure storage': () => ['AccountName=a;AccountKey=', base64(86) + '==', ';EndpointSuffix=core.windows.net'],
  'azure bus': () => ['SharedAccessKeyName=Root;SharedAccessKey=', base64(43) + '='], 'azure signature': () => ['https://a.blob.core.windows.net/c/f?sv=2022-11-02&sig=', alnum(43) + '%3D'],
  'sql server': () => ['Server=db;User Id=sa;Password=', alnum(12) + '3', ';Encrypt=true'], bearer: () => ['Authorization: Bearer ', alnum(34) + '123'], basic: () => ['Authorization: Basic ', Buffer.from(`bob:${alnum(12)}`).toString('base64')],
  'token header': () => ['Authorization: token ', hex(40)], 'gitlab header': () => ['PRIVATE-TOKEN: ', alnum(20) + '1'], 'vault header': () => ['X-Vault-Token: ', alnum(26) + '1'], 'okta header': () => ['Authorization: SSWS ', alnum(42)],
  netrc: () => ['machine api.example.org login bob password ', alnum(10)], curl: () => ['curl -u bob:', alnum(12), ' https://example.org'], 'curl, long': () => ["curl -s --user 'bob:", alnum(12), "' https://example.org"],
  mysql: () => ['mysql -uroot -p', alnum(12), ' shop'], sshpass: () => ['sshpass -p ', alnum(12), ' ssh root@host'], redis: () => ['redis-cli -h host -a ', alnum(16), ' ping'], option: () => ['tool --password ', alnum(12) + '4', ' --yes'],
  'option, all letters': () => ['tool --password=', random.lower(12)], 'url password': () => ['https://bob:', alnum(16), '@example.org/path'], 'url token': () => ['https://', alnum(40), ':x-oauth-basic@github.com/a/b'],
  mongodb: () => ['mongodb+srv://bob:', alnum(16), '@cluster.example.org/shop'], postgres: () => ['postgresql://bob:', alnum(16), '@db.example.org:5432/shop'], 'amqp, all letters': () => ['amqp://bob:', random.lower(14), '@mq/'],
  'query token': () => ['https://example.org/x?a=1&access_token=', alnum(32), '&b=2'], XML: () => ['<password>', alnum(12) + '5', '</password>'], call: () => ['setenv("DB_PASSWORD", "', alnum(12) + '6', '")'],
  'slack webhook': () => [`https://hooks.slack.com/services/T${caps(8)}/B${caps(8)}/`, alnum(24)], 'discord webhook': () => [`https://discord.com/api/webhooks/${digit(18)}/`, alnum(68)],
  'teams webhook': () => [`https://a.webhook.office.com/webhookb2/${uuid()}@${uuid()}/IncomingWebhook/`, `${hex(32)}/${uuid()}`], 'chat webhook': () => [`https://chat.googleapis.com/v1/spaces/AAAA/messages?key=x&token=`, alnum(43)],
  'zapier webhook': () => ['https://hooks.zapier.com/hooks/catch/', `${digit(7)}/${small(7)}`], 'feishu webhook': () => ['https://open.feishu.cn/open-apis/bot/v2/hook/', uuid()], 'make webhook': () => ['https://hook.eu1.make.com/', small(32)],
  'app password': () => ['SMTP_PASSWORD="', alnum(16), '"'], 'session secret': () => ['SESSION_SECRET=', alnum(32)], 'django key': () => ["SECRET_KEY = 'django-insecure-", alnum(50), "'"], 'wireguard key': () => ['PrivateKey = ', base64(43) + '='],
  'docker login': () => ['docker login -u bob -p ', alnum(16), ' registry.example.org'], 'ansible': () => ['ansible_ssh_pass: ', alnum(14) + '8'], camel: () => ['"clientSecret": "', alnum(24) + '9', '"'], twitch: () => ['oauth:', small(28) + '7q'], zhipu: () => ['ZHIPU_API_KEY=', `${hex(32)}.${alnum(16)}`], ngrok: () => ['ngrok config add-authtoken ', `${alnum(27)}_${alnum(20)}7`],
  'comma in a value': () => ["DB_PASSWORD='", `${alnum(9)},${alnum(9)}`, "'"], 'comma, without quotes': () => ['password: ', `${alnum(9)},${alnum(8)}4`], 'names in bold': () => ['**Password:** ', alnum(12) + '3'], fair: () => ['DB_PASS=', alnum(11) + '2'],
  'piped': () => ['echo ', alnum(12), ' | docker login -u a --password-stdin'], 'statement': () => ["CREATE USER a IDENTIFIED BY '", alnum(12), "';"], 'oracle': () => ['sqlplus scott/', alnum(12), '@orcl'], 'french': () => ['mot de passe : ', alnum(11) + '5'],
  'windows': () => ['$env:DB_PASSWORD = "', alnum(14) + '1', '"'],
  'role': () => ["ALTER ROLE a LOGIN PASSWORD '", alnum(12), "';"], 'sudo': () => ["echo '", alnum(12), "' | sudo -S ls"], 'useradd': () => ['useradd -m -p ', alnum(12), ' ana'], 'net user': () => ['net user ana ', alnum(11) + '7', ' /add'],
  'openssl': () => ['openssl enc -aes-256-cbc -k ', alnum(12), ' -in a'], 'setter': () => ['x.setPassword("', alnum(12) + '8', '")'], 'pair': () => ['auth=("ana", "', alnum(12), '")'],
};

// Whole tokens of several parts.
const whole = {
  'github fine': () => `github_pat_${alnum(22)}_${alnum(59)}`, 'github app, new': () => `ghs_${digit(6)}_${alnum(40)}.${alnum(60)}.${alnum(40)}`, slack: () => `xoxb-${digit(12)}-${digit(12)}-${alnum(24)}`, 'slack user': () => `xoxp-${digit(12)}-${digit(12)}-${digit(12)}-${hex(32)}`,
  'slack app': () => `xapp-1-A${caps(10)}-${digit(13)}-${hex(64)}`, anthropic: () => `sk-ant-api03-${alnum(93)}AA`, 'anthropic admin': () => `sk-ant-admin01-${alnum(93)}AA`, openai: () => `sk-${alnum(20)}T3BlbkFJ${alnum(20)}`,
  'openai project': () => `sk-proj-${alnum(74)}T3BlbkFJ${alnum(74)}`, 'openai service': () => `sk-svcacct-${alnum(74)}T3BlbkFJ${alnum(74)}`, sendgrid: () => `SG.${alnum(22)}.${alnum(43)}`, notion: () => `ntn_${digit(11)}${alnum(35)}`,
  tailscale: () => `tskey-auth-${alnum(16)}-${alnum(32)}`, '1password': () => `ops_eyJ${alnum(120)}fQ`, '1password key': () => `A${3}-${[6, 6, 5, 5, 5, 5].map(caps).join('-')}`, grafana: () => `glsa_${alnum(32)}_${hex(8)}`, terraform: () => `${alnum(14)}.atlasv1.${alnum(67)}`,
  'azure secret': () => `${alnum(3)}8Q~${alnum(34)}`, telegram: () => `${digit(10)}:AA${alnum(33)}`, discord: () => `M${alnum(25)}.${alnum(6)}.${alnum(38)}`, airtable: () => `pat${alnum(14)}.${hex(64)}`, brevo: () => `xkeysib-${hex(64)}-${alnum(16)}`,
  postman: () => `PMAK-${hex(24)}-${hex(34)}`, dynatrace: () => `dt0c01.${caps(24)}.${caps(64)}`, sentry: () => `sntrys_eyJ${alnum(90)}_${alnum(43)}`, 'snyk user': () => `snyk_uat.${hex(8)}.${alnum(60)}`, langsmith: () => `lsv2_pt_${hex(32)}_${hex(10)}`,
  langfuse: () => `sk-lf-${uuid()}`, launchdarkly: () => `sdk-${uuid()}`, hubspot: () => `pat-na1-${uuid()}`, plaid: () => `access-sandbox-${uuid()}`, paypal: () => `access_token$production$${small(16)}$${hex(32)}`, 'origin key': () => `v1.0-${hex(24)}-${hex(146)}`,
  'web token': () => ['{"alg":"HS256","typ":"JWT"}', `{"sub":"${alnum(20)}"}`].map((t) => Buffer.from(t).toString('base64url')).join('.') + '.' + alnum(43), bcrypt: () => `$2b$12$${alnum(53)}`, apr1: () => `$apr1$${alnum(8)}$${alnum(22)}`,
  'vault, old': () => `s.${alnum(12)}4${alnum(11)}`, stytch: () => `secret-live-${alnum(43)}`, mapbox: () => `sk.eyJ${alnum(80)}.${alnum(22)}`, 'azure devops': () => `${alnum(76)}AZDO${alnum(4)}`, 'azure openai': () => `${alnum(52)}JQQJ99${alnum(8)}ACAAA${alnum(5)}`, 'azure store': () => `${alnum(76)}+ASt${alnum(4)}==`, 'azure cosmos': () => `${alnum(76)}ACDb${alnum(4)}==`,
  'azure function': () => `${alnum(44)}AzFu${alnum(4)}==`, 'azure registry': () => `${alnum(42)}+ACR${alnum(6)}`, modal: () => `ak-${alnum(18)}${digit(4)}`, mws: () => `amzn.mws.${uuid()}`, mailchimp: () => `${hex(32)}-us12`, 'newrelic license': () => `${hex(36)}NRAL`, asana: () => `1/${digit(16)}:${hex(32)}`,
  'asana, new': () => `2/${digit(16)}/${digit(16)}:${hex(32)}`, 'encrypted web token': () => `eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..${alnum(16)}.${alnum(40)}.${alnum(22)}`, 'bare key': () => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${alnum(200)}`,
};

/** name: () => { before, value, after }: the value is the part that must not be seen again. */
export const shapes = {};
for (const row of simple.trim().split(/\s+/)) {
  const [name, begin, alphabet, n] = row.match(/^([^:]+):(.+):([a-z0-9]+):(\d+)$/).slice(1);
  shapes[name] = () => ({ before: '', value: begin + random[alphabet](Number(n)), after: '' });
}
for (const [name, make] of Object.entries(whole)) shapes[name] = () => ({ before: '', value: make(), after: '' });
for (const [name, make] of Object.entries(named)) {
  shapes[`${name} (named)`] = () => {
    const [before, value, after = ''] = make();
    return { before, value, after };
  };
}

// Forms in which files, statements and commands have passwords: "@" is one, "#" a key of 40 letters and digits, "%" one of
// 64 digits of hexadecimal, and "⏎" a new line.
const forms = String.raw`
+ password                  = "@"
~ password = "@" -> "@"
"db_password": { "value": "@", "type": "string" }
"db_password": {⏎  "value": "@",⏎  "type": "string"⏎}
db_password:⏎  type: string⏎  value: @
const password: string = "@";
let password: String = "@"
val password: String? = "@"
let password: &str = "@";
password: Optional[str] = "@"
var dbPassword string = "@"
static const char password[] = "@";
char password[32] = "@";
std::string password{"@"};
std::string password("@");
builder.password("@").build()
(setq password "@")
(def password "@")
password = """@"""
process.env.DB_PASSWORD || '@'
ENV['DB_PASSWORD'] || '@'
config.password ?? "@"
password ?: "@"
passwords: ["@", "@"]
password: !vault "@"
<property name="hibernate.connection.password">@</property>
<entry key="db.password">@</entry>
<string name="db_password">@</string>
<password encrypted="false">@</password>
<wsse:Password Type="PasswordText">@</wsse:Password>
<Key>Password</Key><Value ProtectInMemory="True">@</Value>
<Setting Name="Password" Value="@" />
{"value":"@","name":"DB_PASSWORD"}
- value: @⏎  name: DB_PASSWORD
{"ParameterKey":"DBPassword","ParameterValue":"@"}
{"SecretString":"@"}
 user | password ⏎------+----------⏎ bob  | @
+------+----------+⏎| user | password |⏎+------+----------+⏎| bob  | @ |⏎+------+----------+
Key         Value⏎---         -----⏎password    @
NAME     PASSWORD⏎bob      @
INSERT INTO users (name, password) VALUES ('bob', '@');
INSERT INTO users (id, name, api_key) VALUES⏎  (1, 'a', '@'),⏎  (2, 'b', '@');
CREATE USER a IDENTIFIED WITH mysql_native_password BY '@';
SET PASSWORD FOR a = PASSWORD('@');
requirepass @
masterauth @
bindpw @
user bob⏎password @
identity bob⏎secret @
auth_pass @
smtp_password   @
fastcgi_param DB_PASSWORD @;
proxy_set_header X-Api-Key @;
SetEnv DB_PASSWORD @
AuthLDAPBindPassword @
export DB_PASSWORD @
: PSK "@"
wpa-psk "@"
ldap_default_authtok = @
username bob secret 0 @
enable secret 5 @
neighbor 10.0.0.1 password @
UID=sa;PWD={@};
bob:@@tcp(127.0.0.1:3306)/app
bob:@@db.example.org:5432/app
AWS Secret Access Key [None]: #
Password [****]: @
password (prod): @
Secret key: #
private key: 0x%
private key = 0x%
aws ssm put-parameter --name /prod/db/password --type SecureString --value @
az keyvault secret set --name db-password --value @
aws secretsmanager create-secret --name x --secret-string @
gh secret set DB_PASSWORD -b"@"
htpasswd -bc f bob @
jarsigner -keypass @ a.jar
plink -pw @ host
Dim password As String = "@"
PASSWORD CONSTANT VARCHAR2(20) := '@';
password TEXT DEFAULT '@'
os.getenv("DB_PASSWORD") or "@"
["password", "@"]
smtp.login("bob", "@")
requests.get(url, auth=HTTPBasicAuth('bob', '@'))
new NetworkCredential("bob", "@")
output "password" {⏎  value = "@"⏎}
echo "@" | passwd --stdin bob
printf 'bob:@' | chpasswd
New-User -Password @ -Name bob
New-Item -Name x -Password "@"`.trim().split('\n');
// Put together here, so that no text of this file has the beginning of one.
forms.push(`${'AKI' + 'A'}IOSFODNN7ABCDEFG #`, `"AccessKeyId": "${'AKI' + 'A'}IOSFODNN7ABCDEFG",⏎"Other": "#"`);

/** The forms, each with values of its own: { text, values }. */
export const filledForms = () => forms.map((form) => {
  const values = [], made = { '@': () => alnum(14) + 'k7', '#': () => alnum(38) + 'k7', '%': () => hex(64) };
  const fill = (c) => { values.push(made[c]()); return values.at(-1); };
  return { text: form.replace(/@(?!(tcp|db))|#|%/g, fill).replaceAll('⏎', '\n'), values };
});

/** Private keys as they are quoted: kind: () => { text, lines: what must not be seen again }. */
const pem = (kind, write = (lines) => lines.join('\n')) => () => {
  const label = `${kind}PRIVATE KEY${kind === 'PGP ' ? ' BLOCK' : ''}`, lines = [1, 2, 3, 4].map(() => alnum(64));
  return { text: write([`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`]), lines };
};
const each = (before, after = '\n') => (lines) => lines.map((line, i) => (typeof before === 'function' ? before(i + 1) : before) + line).join(after);
export const blocks = {
  rsa: pem('RSA '), openssh: pem('OPENSSH '), ec: pem('EC '), pkcs8: pem(''), pgp: pem('PGP '), encrypted: pem('ENCRYPTED '), 'without an end': pem('RSA ', (lines) => lines.slice(0, -1).join('\n')),
  'service account': pem('', (lines) => JSON.stringify({ type: 'service_account', private_key: `${lines.join('\n')}\n`, client_email: 'a@example.org' })), 'service account, as text': pem('', (lines) => JSON.stringify(JSON.stringify({ private_key: lines.join('\n') }))),
  assigned: pem('', (lines) => `PRIVATE_KEY="${lines.join('\n')}"`), 'assigned, escaped': pem('', (lines) => `FIREBASE_PRIVATE_KEY=${lines.join('\\n')}`), 'assigned, in YAML': pem('', (lines) => `private_key: |\n${lines.map((l) => `  ${l}`).join('\n')}`),
  indented: pem('RSA ', each('    ')), 'quoted mail': pem('RSA ', each('> ')), added: pem('RSA ', each('+')), removed: pem('RSA ', each('-')), list: pem('RSA ', each('- ')), numbered: pem('RSA ', each((n) => `${n}: `)),
  listing: pem('RSA ', each((n) => `${String(n).padStart(6)}\t`)), 'listing with arrows': pem('RSA ', each((n) => `${String(n).padStart(6)}→`)), 'carriage returns': pem('', each('', '\r\n')),
  openvpn: () => { const lines = [1, 2, 3, 4].map(() => hex(32)); return { text: ['-----BEGIN OpenVPN Static key V1-----', ...lines, '-----END OpenVPN Static key V1-----'].join('\n'), lines }; },
  putty: () => { const lines = [1, 2, 3].map(() => alnum(64)); return { text: ['PuTTY-User-Key-File-3: ssh-rsa', 'Encryption: none', 'Comment: a', 'Public-Lines: 1', 'AAAA', 'Private-Lines: 3', ...lines, `Private-MAC: ${hex(64)}`].join('\r\n'), lines }; },
};

/** What keeps a credential whole and hides its bytes: (text) => the text as it is written. */
const cut = (text, by) => text.slice(0, Math.floor(text.length / 2)) + by + text.slice(Math.floor(text.length / 2));
export const disguises = {
  quoted: (text) => `"${text}"`, base64: (text) => Buffer.from(text).toString('base64'), 'base64, for URLs': (text) => Buffer.from(`{"key":"${text}"}`).toString('base64url'), 'base64, twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  percent: (text) => Array.from(text, (c) => `%${c.charCodeAt(0).toString(16)}`).join(''), 'percent, some': (text) => cut(text, '').replace(/[a-g_]/, (c) => `%${c.charCodeAt(0).toString(16)}`), 'zero width': (text) => cut(text, '\u200b'), joiner: (text) => cut(text, '\u2060'), tag: (text) => cut(text, '\u{e0041}'),
  'soft hyphen': (text) => cut(text, '\u00ad'), emphasis: (text) => cut(text, '**'), 'code mark': (text) => cut(text, '`'), 'line break mark': (text) => cut(text, '<wbr>'), 'folded line': (text) => cut(text, '\n    '), 'backslash at the end': (text) => cut(text, '\\\n'), 'quoted mail': (text) => cut(text, '\n> '),
};
