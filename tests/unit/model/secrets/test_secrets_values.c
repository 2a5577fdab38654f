/* Values that their names give away: which names, however they are written, and where a value begins and ends. */
#include "model/secrets/made.h"

#include "model/secrets/secrets.h"

/* In each of these texts, what stands between "[[" and "]]" is taken, all of it, and nothing else. */
static void assert_values(const char *const *texts, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    ho_arena arena;
    size_t found = 0;
    ho_arena_init(&arena, 0);
    ho_str text = made_text(&arena, texts[i]);
    size_t open = ho_str_find(text, "[["), close = ho_str_find(text, "]]");
    assert_true(open != HO_NONE && close != HO_NONE);
    ho_str before = ho_str_sub(text, 0, open), after = ho_str_sub(text, close + 2, text.n);
    ho_str whole = ho_arena_printf(&arena, "%.*s%.*s%.*s", HO_ARG(before), HO_ARG(ho_str_sub(text, open + 2, close)),
                                   HO_ARG(after));
    ho_str clean = ho_secret_redact(whole, &arena, &found);
    ho_str middle = ho_str_sub(clean, before.n, clean.n - after.n);
    if (found != 1 || !ho_str_starts(clean, ho_arena_z(&arena, before)) ||
        !ho_str_ends(clean, ho_arena_z(&arena, after)) || !ho_str_starts(middle, "REDACTED-") ||
        ho_str_has(middle, " "))
      fail_msg("%zu found: %.*s became %.*s", found, HO_ARG(whole), HO_ARG(clean));
    ho_arena_free(&arena);
  }
}

static void a_value_is_taken_whole(void **state)
{
  (void)state;
  static const char *const texts[] = {"DB_PASSWORD='[[*6,*7]]' next",
                                      "DB_PASSWORD=\"[[*6;*7]]\"",
                                      "DB_PASSWORD=\"[[*6)*7]]\"",
                                      "DB_PASSWORD='[[*6 *7]]'",
                                      "DB_PASSWORD='[[*6\"*7]]'",
                                      "DB_PASSWORD=\"[[*6'*7]]\"",
                                      "\"password\": \"[[*6\\\"*7]]\"}",
                                      "DB_PASSWORD='[[*6''*7]]'",
                                      "{\\\"password\\\": \\\"[[*6,*7]]\\\"}",
                                      "\"{\\\"password\\\": \\\"[[*6,*7 z]]\\\"}\"",
                                      "password: [[*6,*7]]\nnext: 1",
                                      "password: [[*6;*7]]",
                                      "password: [[*6}*7]]",
                                      "password: [[*6'*7]]",
                                      "password: [[*6\"*7]]",
                                      "--password [[*6,*7]] --yes",
                                      "password: [[$*8]]",
                                      "password: [[{*12]]",
                                      "password: [[(*12]]",
                                      "password: [[/*12]]",
                                      "DB_PASSWORD='[[/*12]]'",
                                      "Server=a;Password=[[*9]];Encrypt=true",
                                      "user=a,password=[[*9]],host=b",
                                      "connect(user, password=[[*9]])",
                                      "{password: [[*9]]}",
                                      "https://x/?token=[[*30]]&b=2",
                                      "SMTP_PASSWORD=\"[[abcd efgh ijkl mnop]]\"",
                                      "<password>[[*6,*7]]</password>",
                                      "password: \"[[*9]]\", port: 1",
                                      "password: [[correct horse battery staple]]\nport: 1",
                                      "PASSPHRASE='[[Correct horse battery staple 42]]'",
                                      "\"password\": \"[[correct horse battery staple]]\", \"port\": 1",
                                      "password=[[correct horse battery staple]]",
                                      "password → [[*9]] next",
                                      "password ⇒ [[*9]]",
                                      "pw – [[*9]]",
                                      "DB password - [[*9]]",
                                      "password => [[*9]]",
                                      "pw = [[*9]]"};
  assert_values(texts, HO_COUNT(texts));
}

/* What hides a name from a reader of bytes, but not from people. */
static void hidden_names_are_found(void **state)
{
  (void)state;
  static const char *const texts[] = {"**Password:** [[*12]]\nnext",
                                      "**Password**: [[*12]]",
                                      "__password__: [[*12]]",
                                      "*password*: [[*12]]",
                                      "`password`: `[[*12]]`",
                                      "password: **[[*12]]**",
                                      "pass\xe2\x80\x8bword: [[*12]]",
                                      "password%3D[[*12]]",
                                      "p%61ssword=[[*12]]",
                                      "password\\u003d[[*12]]",
                                      "password&#61;[[*12]]",
                                      "password&#58; [[*12]]",
                                      "password:\n  [[*12]]\nnext: 1",
                                      "password: >\n  [[*12]]\n",
                                      "password: |\n  [[*12]]\nport: 1",
                                      "password: >-\n  [[*6\n  *7]]\nport: 1",
                                      "password: \\\n  [[*12]]\n",
                                      "Password:\n- `[[*12]]`\n",
                                      "password -> [[*12]]",
                                      "conf[\"password\"] = \"[[*12]]\"",
                                      "os.environ[\"DB_PASSWORD\"] = \"[[*12]]\"",
                                      "x.setPassword(\"[[*12]]\")",
                                      "{\"note\": \"x.setPassword(\\\"[[*12]]\\\")\"}",
                                      "auth=(\"admin\", \"[[*12]]\")",
                                      "{\"note\": \"auth=(\\\"admin\\\", \\\"[[*12]]\\\")\"}",
                                      "{\"note\": \"pwd = @\\\"[[*12]]\\\";\"}",
                                      "os.getenv(\"DB_PASSWORD\", \"[[*12]]\")",
                                      "${DB_PASSWORD:-[[*12]]}",
                                      "var pwd = @\"[[*12]]\";"};
  assert_values(texts, HO_COUNT(texts));
}

/* Names that people give to secrets, in their own languages, too. */
static void names_are_known(void **state)
{
  (void)state;
  static const char *const texts[] = {"DB_PASS=[[*8]]",
                                      "DB_PASS=[[amber-forest-4821]]",
                                      "SMTP_PASS: [[copper-lantern-77]]",
                                      "user_pass=[[*8]]",
                                      "storepass=[[*8]]",
                                      "rootpw=[[*8]]",
                                      "dbpw=[[*8]]",
                                      "psk=\"[[*9]]\"",
                                      "password1=[[*8]]",
                                      "password_2: [[*8]]",
                                      "SECRETS=[[*16]]",
                                      "SECRET1=[[*8]]",
                                      "APP_KEY=[[base64:*43]]",
                                      "SUPABASE_SERVICE_ROLE_KEY=[[*40]]",
                                      "service_key=[[*16]]",
                                      "admin_key=[[*16]]",
                                      "storage_key=[[*16]]",
                                      "deploy_key=[[*16]]",
                                      "JSESSIONID=[[*16]]",
                                      "jwt=[[*30]]",
                                      "token=[[aBcDeFgHiJkLmNoP]]",
                                      "mot de passe : [[*8]]",
                                      "contrase\xc3\xb1"
                                      "a: [[*8]]",
                                      "\xe5\xaf\x86\xe7\xa0\x81: [[*8]]",
                                      "\xe5\xaf\x86\xe7\xa0\x81\xef\xbc\x9a[[*8]]",
                                      "\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89: [[*8]]",
                                      "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c: [[*8]]",
                                      "senha: [[*8]]",
                                      "wachtwoord: [[*8]]",
                                      "has\xc5\x82o: [[*8]]",
                                      "Password for admin: [[*8]]",
                                      "The password is [[*8]].",
                                      "Cookie: sessionid=[[*24]]",
                                      "Set-Cookie: JSESSIONID=[[*24]]; Path=/"};
  assert_values(texts, HO_COUNT(texts));
}

/* What programs, statements and tables are given. */
static void places_are_known(void **state)
{
  (void)state;
  static const char *const texts[] = {"curl -uadmin:[[*12]] https://x.org",
                                      "echo [[*12]] | docker login -u a --password-stdin",
                                      "echo \"root:[[*12]]\" | chpasswd",
                                      "ENV DB_PASSWORD [[*12]]",
                                      "setx DB_PASSWORD [[*12]]",
                                      "aws configure set aws_secret_access_key [[*40]]",
                                      "gh secret set DB_PASSWORD --body \"[[*12]]\"",
                                      "az login --service-principal -u a -p [[*12]] --tenant t",
                                      "vault login [[*26]]",
                                      "cargo login [[*32]]",
                                      "poetry config pypi-token.pypi [[*40]]",
                                      "consul acl set-agent-token default [[*36]]",
                                      "cqlsh -u cassandra -p [[*12]]",
                                      "cypher-shell -u neo4j -p [[*12]]",
                                      "oc login -u dev -p [[*12]] https://c",
                                      "twine upload -u __token__ -p [[*32]] dist/*",
                                      "gem push --key [[*32]] a.gem",
                                      "dotnet nuget push a.nupkg -k [[*30]] -s x",
                                      "doctl auth init -t [[*40]]",
                                      "rabbitmqctl add_user bob [[*12]]",
                                      "rabbitmqctl change_password guest [[*12]]",
                                      "smbclient //h/s -U a%[[*12]]",
                                      "keytool -storepass [[*12]] -list",
                                      "zip -P [[*12]] x.zip f",
                                      "7z a -p[[*12]] x.7z f",
                                      "ssh-keygen -N [[*12]] -f k",
                                      "sqlplus scott/[[*12]]@orcl",
                                      "jdbc:oracle:thin:scott/[[*12]]@h:1521:x",
                                      "CREATE USER a IDENTIFIED BY '[[*12]]';",
                                      "alter role a with password '[[*12]]';",
                                      "#define PASSWORD \"[[*12]]\"",
                                      "variable \"db_password\" {\n  default = \"[[*12]]\"\n}",
                                      "postgres://[[u:a/*12]]@h/db",
                                      "postgres://[[u:a#*12]]@h/db",
                                      "postgres://[[u:a?*12]]@h/db",
                                      "db.example.org:5432:shop:app:[[*12]]",
                                      "root:[[$6$salt$*30]]:19000:0:99999:7:::",
                                      "kind: Secret\ndata:\n  db: [[eHl6enk=]]\n",
                                      "kind: Secret\nstringData:\n  db: [[xyzzy]]\nmetadata:\n  name: a",
                                      "- name: DB_PASSWORD\n  value: [[*12]]\n- name: DB_HOST\n  value: a7Bq9Zk3x",
                                      "{\"name\":\"DB_PASSWORD\",\"value\":\"[[*12]]\"}",
                                      "| user | password |\n|---|---|\n| ana | [[*12]] |",
                                      "| `DB_PASSWORD` | `[[*12]]` |",
                                      "user,password\nana,[[*12]]\n",
                                      "<add key=\"Password\" value=\"[[*12]]\"/>",
                                      "<key>password</key><string>[[*12]]</string>",
                                      "{\"kty\":\"EC\",\"x\":\"abc\",\"d\":\"[[*43]]\"}",
                                      "ALTER USER a PASSWORD '[[*12]]';",
                                      "create role a\n  login password '[[*12]]'",
                                      "echo '[[*12]]' | sudo -S apt update",
                                      "the line db.example.org:5432:shop:app:[[*12]] in ~/.pgpass",
                                      "useradd -m -p [[*12]] ana",
                                      "net user ana [[*12]] /add",
                                      "openssl enc -aes-256-cbc -k [[*12]] -in a",
                                      "WIFI:S:net;T:WPA;P:[[*12]];;"};
  assert_values(texts, HO_COUNT(texts));
}

/* Names whose value stands beside them without a separator, behind a type, in a tag, or in a group. */
static void values_beside_names_are_known(void **state)
{
  (void)state;
  static const char *const texts[] = {"  + password                  = \"[[*9]]\"",
                                      "password = \"changed\" -> \"[[*9]]\"",
                                      "\"db_password\": { \"value\": \"[[*9]]\", \"type\": \"string\" }",
                                      "const password: string = \"[[*9]]\";",
                                      "var password string = \"[[*9]]\"",
                                      "char password[32] = \"[[*9]]\";",
                                      "password(\"[[*9]]\").build()",
                                      "(setq password \"[[*9]]\")",
                                      "config.password ?? \"[[*9]]\";",
                                      "passwords: [\"first\", \"[[*9]]\"]",
                                      "<entry key=\"db.password\">[[*9]]</entry>",
                                      "<x:Password Type=\"PasswordText\">[[*9]]</x:Password>",
                                      "<Key>Password</Key><Value ProtectInMemory=\"True\">[[*9]]</Value>",
                                      "{\"value\":\"[[*9]]\",\"name\":\"DB_PASSWORD\"}",
                                      " user | password \n------+---------\n bob  | [[*9]]\n(1 row)",
                                      "| user | password |\n+------+-----+\n| bob | [[*9]] |\n+------+-----+",
                                      "NAME   PASSWORD\nbob    [[*9]]\n",
                                      "INSERT INTO users (name, password) VALUES ('bob', '[[*9]]');",
                                      "requirepass [[*9]]\nport 6379",
                                      "fastcgi_param DB_PASSWORD [[*9]];",
                                      "username bob secret 0 [[*9]]",
                                      "UID=sa;PWD=[[{*9]]};",
                                      "bob:[[*9]]@tcp(127.0.0.1:3306)/app",
                                      "Private key: [[0x*64]]",
                                      "aws ssm put-parameter --name /prod/db/password --value [[*9]]",
                                      "htpasswd -bc f bob [[*9]]",
                                      "plink -pw [[*9]] host",
                                      "Dim password As String = \"[[*9]]\"",
                                      "password TEXT DEFAULT '[[*9]]'",
                                      "os.getenv(\"DB_PASSWORD\") or \"[[*9]]\"",
                                      "[\"password\", \"[[*9]]\"]",
                                      "[\"password\", \"[[ulrgLXLakPnvoak7]]\"]",
                                      "smtp.login(\"bob\", \"[[*9]]\")",
                                      "output \"password\" {\n  value = \"[[*9]]\"\n}",
                                      "printf 'bob:[[*9]]' | chpasswd"};
  assert_values(texts, HO_COUNT(texts));
}

/* What takes a secret's place keeps the document readable. */
static void a_number_becomes_a_text(void **state)
{
  (void)state;
  static const char *const texts[][2] = {
      {"{\"password\": 8765430192}", "{\"password\": \"REDACTED-password\"}"},
      {"{\\\"password\\\": 8765430192}", "{\\\"password\\\": \\\"REDACTED-password\\\"}"},
      {"password: 8765430192", "password: REDACTED-password"},
      {"{\"password\": \"8765430192\"}", "{\"password\": \"REDACTED-password\"}"}};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_arena arena;
    size_t count = 0;
    ho_arena_init(&arena, 0);
    assert_string_equal(ho_arena_z(&arena, ho_secret_redact(ho_str_of(texts[i][0]), &arena, &count)), texts[i][1]);
    ho_arena_free(&arena);
  }
}

static void what_is_no_value_stays(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "password: must be at least eight characters",
      "password: reset via email link",
      "password: minimum length twelve letters",
      "password → see vault; password – mandatory; password - optional",
      "signature = base64url_decode(crypto_segment)",
      "private_key: ed25519.Ed25519PrivateKey",
      "_DD_SIGNATURE = 0x08074b50",
      "api_key: sha256",
      "password: argon2id",
      "secret: HS256, token: RS512",
      "encryption_key: AES-256-GCM",
      "password = base64.b16encode(random_bytes[8:])",
      "auth = base64.b64encode(user_passwd.encode()).decode('ascii')",
      "password: $DB_PASSWORD",
      "password: ${DB_PASSWORD}",
      "password: $(pass show db)",
      "password: {{ db_password }}",
      "password: %DB_PASSWORD%",
      "password: {password}",
      "DB_PASSWORD=/run/secrets/db_password1",
      "password: /etc/keys/db1.key",
      "password: *default_password1",
      "password:\n  description: at least 12 characters\n",
      "password:\n  required: true\n",
      "\"password\": \"Please enter your password\"",
      "first_pass: completed, second_pass = refactoring",
      "FIRST_PASS=run-the-linter, SECOND_PASS: check-part-2, first_pass: shadow-maps-2024",
      "cargo login reads the token from standard input",
      "\"session_id\": \"0b0e4a0e-6f0d-4b0e-9d0a-1c2d3e4f5a6b\"",
      "The password -> see the vault",
      "ALTER USER a PASSWORD NULL; the password 'x7y8z9' is shown",
      "We create user accounts; the password \"reset2link\" page",
      "CREATE USER dialog: the password \"must have 8 characters\"",
      "net user growth slowed in 2026, net user ana /add",
      "sudo -S reads 12345678 from a pipe",
      "useradd -p $(openssl passwd -1 x) ana; openssl req -key k2.pem",
      "see src/a.c:1234:12:warning:unused2 variable",
      "| 1 | build it | all tests of both parts pass. | .handoff/run/1_build/log2.txt |",
      "| tests pass | .handoff/run/1_build2/log |",
      "- name: DB_HOST\n  value: a7Bq9Zk3x\n- name: DB_PASSWORD\n  valueFrom: x",
      "The password protects area51b; a secret 5 minutes old",
      "<input name=\"password\" type=\"text\">Password</input>",
      "2026-01-30:07c06d79-0828-b564-d604-fd16c7c3f1a2@mail.example.org:Somebody",
      "image:v1a2b3c4d5@sha256:abc, git@github.com:a1b2c3d4/e5f6g7h8.git",
      "INSERT INTO users (name, password) VALUES ($1, $2), ('a', 'hashed')",
      "commit AKI~AIOSFODNN7EXAMPLE 0f43c1a2b3c4d5e6f708192a3b4c5d6e7f809102",
      "[\"password\", \"authentication2\", \"forms/login-2026\"]",
      "secret->description_of_it"};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    if (ho_secret_find(made_text(&arena, texts[i]), &arena).count)
      fail_msg("taken for a secret: %s", texts[i]);
    ho_arena_free(&arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_value_is_taken_whole),  cmocka_unit_test(hidden_names_are_found),
      cmocka_unit_test(names_are_known),         cmocka_unit_test(places_are_known),
      cmocka_unit_test(a_number_becomes_a_text), cmocka_unit_test(values_beside_names_are_known),
      cmocka_unit_test(what_is_no_value_stays),
  };
  return unit_run(tests);
}
