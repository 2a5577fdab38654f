/* The names that secrets are given. */
#include <pthread.h>

#include "model/secrets/secrets_inside.h"

enum { LONGEST_NAME = 64, MOST_NUMBER = 2, LONGEST_FOREIGN = 16 };

/* Ends of names, written together. ALONE only counts as a word of its own ("x_pwd", but not "cwpwd"), BEHIND only
 * behind another word ("db_pass", but not "pass"), and GLUED only as one word ("JSESSIONID", but not "session_id"). */
typedef struct name {
  const char *end;
  size_t n;
  ho_secret_strength strength;
  enum { ANY, ALONE, BEHIND, GLUED } place;
} name;

#define NAME(end, strength, place)                                                                                     \
  {                                                                                                                    \
    end, sizeof end - 1, strength, place                                                                               \
  }
static const name names[] = {
    NAME("password", HO_SECRET_STRONG, ANY),
    NAME("passwords", HO_SECRET_STRONG, ANY),
    NAME("passwd", HO_SECRET_STRONG, ANY),
    NAME("passwort", HO_SECRET_STRONG, ANY),
    NAME("passphrase", HO_SECRET_STRONG, ANY),
    NAME("pwd", HO_SECRET_STRONG, ALONE),
    NAME("pswd", HO_SECRET_STRONG, ALONE),
    NAME("secret", HO_SECRET_STRONG, ALONE),
    NAME("secrets", HO_SECRET_FAIR, ALONE),
    NAME("secretkey", HO_SECRET_STRONG, ANY),
    NAME("secretid", HO_SECRET_WEAK, ANY),
    NAME("secretstring", HO_SECRET_STRONG, ANY),
    NAME("secretvalue", HO_SECRET_FAIR, ANY),
    NAME("secrettext", HO_SECRET_FAIR, ANY),
    NAME("clientsecret", HO_SECRET_STRONG, ANY),
    NAME("secretkeybase", HO_SECRET_STRONG, ANY),
    NAME("apikey", HO_SECRET_STRONG, ANY),
    NAME("apisecret", HO_SECRET_STRONG, ANY),
    NAME("apitoken", HO_SECRET_STRONG, ANY),
    NAME("accesstoken", HO_SECRET_STRONG, ANY),
    NAME("authtoken", HO_SECRET_STRONG, ANY),
    NAME("refreshtoken", HO_SECRET_STRONG, ANY),
    NAME("bearertoken", HO_SECRET_STRONG, ANY),
    NAME("privatetoken", HO_SECRET_STRONG, ANY),
    NAME("jobtoken", HO_SECRET_STRONG, ANY),
    NAME("deploytoken", HO_SECRET_STRONG, ANY),
    NAME("vaulttoken", HO_SECRET_STRONG, ANY),
    NAME("sessiontoken", HO_SECRET_STRONG, ANY),
    NAME("privatekey", HO_SECRET_STRONG, ANY),
    NAME("accesskey", HO_SECRET_STRONG, ANY),
    NAME("secretaccesskey", HO_SECRET_STRONG, ANY),
    NAME("accountkey", HO_SECRET_STRONG, ANY),
    NAME("encryptionkey", HO_SECRET_STRONG, ANY),
    NAME("signingkey", HO_SECRET_STRONG, ANY),
    NAME("masterkey", HO_SECRET_STRONG, ANY),
    NAME("authkey", HO_SECRET_STRONG, ALONE),
    NAME("licensekey", HO_SECRET_WEAK, ANY),
    NAME("subscriptionkey", HO_SECRET_STRONG, ANY),
    NAME("cookiesecret", HO_SECRET_STRONG, ANY),
    NAME("sastoken", HO_SECRET_STRONG, ANY),
    NAME("credential", HO_SECRET_WEAK, ANY),
    NAME("credentials", HO_SECRET_WEAK, ANY),
    NAME("creds", HO_SECRET_WEAK, ALONE),
    NAME("passcode", HO_SECRET_STRONG, ANY),
    NAME("pass", HO_SECRET_FAIR, BEHIND),
    NAME("pass", HO_SECRET_WEAK, ALONE),
    NAME("storepass", HO_SECRET_FAIR, ANY),
    NAME("keypass", HO_SECRET_FAIR, ANY),
    NAME("userpass", HO_SECRET_FAIR, ANY),
    NAME("requirepass", HO_SECRET_FAIR, ANY),
    NAME("bindpass", HO_SECRET_FAIR, ANY),
    NAME("masterauth", HO_SECRET_FAIR, ANY),
    NAME("authtok", HO_SECRET_FAIR, ANY),
    NAME("communitystring", HO_SECRET_FAIR, ANY),
    NAME("dbpass", HO_SECRET_FAIR, ANY),
    NAME("sshpass", HO_SECRET_FAIR, ALONE),
    NAME("pw", HO_SECRET_FAIR, ALONE),
    NAME("rootpw", HO_SECRET_FAIR, ANY),
    NAME("bindpw", HO_SECRET_FAIR, ANY),
    NAME("adminpw", HO_SECRET_FAIR, ANY),
    NAME("userpw", HO_SECRET_FAIR, ANY),
    NAME("dbpw", HO_SECRET_FAIR, ANY),
    NAME("psk", HO_SECRET_FAIR, ALONE),
    NAME("appkey", HO_SECRET_FAIR, ANY),
    NAME("servicekey", HO_SECRET_FAIR, ANY),
    NAME("servicerolekey", HO_SECRET_FAIR, ANY),
    NAME("adminkey", HO_SECRET_FAIR, ANY),
    NAME("storagekey", HO_SECRET_FAIR, ANY),
    NAME("deploykey", HO_SECRET_FAIR, ANY),
    NAME("functionkey", HO_SECRET_FAIR, ANY),
    NAME("sharedkey", HO_SECRET_FAIR, ANY),
    NAME("clientkeydata", HO_SECRET_FAIR, ANY),
    NAME("sessionid", HO_SECRET_WEAK, GLUED),
    NAME("cookie", HO_SECRET_WEAK, ALONE),
    NAME("jwt", HO_SECRET_WEAK, ALONE),
    NAME("token", HO_SECRET_WEAK, ALONE),
    NAME("auth", HO_SECRET_WEAK, ALONE),
    NAME("authorization", HO_SECRET_WEAK, ALONE),
    NAME("signature", HO_SECRET_WEAK, ALONE),
    NAME("sig", HO_SECRET_WEAK, ALONE),
    /* As other languages say it. */
    NAME("kennwort", HO_SECRET_FAIR, ANY),
    NAME("motdepasse", HO_SECRET_FAIR, ANY),
    NAME("passe", HO_SECRET_FAIR, ALONE),
    NAME("mdp", HO_SECRET_FAIR, ALONE),
    NAME("contrasena", HO_SECRET_FAIR, ANY),
    NAME("senha", HO_SECRET_FAIR, ALONE),
    NAME("wachtwoord", HO_SECRET_FAIR, ANY),
    NAME("haslo", HO_SECRET_FAIR, ALONE),
    NAME("parola", HO_SECRET_FAIR, ALONE),
    NAME("passord", HO_SECRET_FAIR, ANY),
    NAME("salasana", HO_SECRET_FAIR, ANY),
    NAME("heslo", HO_SECRET_FAIR, ALONE),
};

/* Those that are not written in ASCII, as they are written. */
static const char *const foreign[] = {"contrase\xc3\xb1"
                                      "a",
                                      "CONTRASE\xc3\x91"
                                      "A",
                                      "has\xc5\x82o",
                                      "l\xc3\xb6senord",
                                      "jelsz\xc3\xb3",
                                      "\xc5\x9fifre",
                                      "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
                                      "\xd0\x9f\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
                                      "\xd0\x9f\xd0\x90\xd0\xa0\xd0\x9e\xd0\x9b\xd0\xac",
                                      "\xe5\xaf\x86\xe7\xa0\x81",
                                      "\xe5\xaf\x86\xe7\xa2\xbc",
                                      "\xe5\x8f\xa3\xe4\xbb\xa4",
                                      "\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89",
                                      "\xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8"};

/* The letters and digits of a key, and where its words begin. */
typedef struct letters {
  char text[LONGEST_NAME + 1];
  bool begins[LONGEST_NAME + 1];
  size_t n;
} letters;

static void spell(ho_str key, letters *out)
{
  bool word = true;
  for (size_t i = key.n > LONGEST_NAME ? key.n - LONGEST_NAME : 0; i < key.n; i++) {
    char c = key.p[i];
    if (!isalnum((unsigned char)c)) {
      word = true;
      continue;
    }
    out->begins[out->n] = word || (isupper((unsigned char)c) && i && islower((unsigned char)key.p[i - 1]));
    out->text[out->n++] = (char)tolower((unsigned char)c);
    word = false;
  }
}

static bool ends_with(const letters *key, const name *of)
{
  size_t n = of->n;
  if (key->n < n || key->text[key->n - 1] != of->end[n - 1] || memcmp(key->text + key->n - n, of->end, n))
    return false;
  bool begins = key->begins[key->n - n];
  switch (of->place) {
  case ALONE:
    return begins;
  case BEHIND:
    return begins && key->n > n;
  case GLUED:
    for (size_t i = key->n - n + 1; i < key->n; i++)
      if (key->begins[i])
        return false;
    return true;
  default:
    return true;
  }
}

/* Without what frames it or counts it: "__password__", "password_2". */
static ho_str bare(ho_str key)
{
  for (int digits = 0; key.n; key.n--) {
    char c = key.p[key.n - 1];
    if (isdigit((unsigned char)c) ? ++digits > MOST_NUMBER : c != '_' && c != '-' && c != '.')
      break;
  }
  return key;
}

/* The names by their last letter: 1 + the place of the first, and of the next; and the letters before that one. */
static uint8_t heads[26], nexts[HO_COUNT(names)];
static uint32_t letters_before[26];
uint64_t ho_secret_last_three[HO_SECRET_LAST_THREE / 64];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void build(void)
{
  _Static_assert(HO_COUNT(names) < UINT8_MAX, "places fit in a byte");
  for (size_t i = HO_COUNT(names); i-- > 0;) {
    const char *end = names[i].end + names[i].n;
    size_t last = (size_t)(end[-1] - 'a');
    nexts[i] = heads[last];
    heads[last] = (uint8_t)(i + 1);
    letters_before[last] |= 1u << (end[-2] - 'a');
    size_t three = ho_secret_three(names[i].n > 2 ? end - 3 : (const char[]){'-', end[-2], end[-1]});
    if (names[i].strength > HO_SECRET_WEAK)
      ho_secret_last_three[three / 64] |= (uint64_t)1 << (three % 64);
  }
}

/* Could a name end with these two? Asked first, since most keys do not. */
static bool may_end(char before, char last)
{
  pthread_once(&once, build);
  if ((before | last) & 0x80)
    return true;
  return islower((unsigned char)last) && islower((unsigned char)before) &&
         letters_before[last - 'a'] >> (before - 'a') & 1;
}

void ho_secret_name_ends(void)
{
  pthread_once(&once, build);
}

static bool is_foreign(ho_str key)
{
  for (size_t i = key.n; i > 0 && key.n - i < LONGEST_FOREIGN; i--)
    if ((unsigned char)key.p[i - 1] >= 0x80)
      return true;
  return false;
}

static ho_secret_strength strength_of(ho_str key)
{
  letters spelled = {.n = 0};
  spell(key, &spelled);
  char last = spelled.n ? spelled.text[spelled.n - 1] : '\0';
  for (unsigned i = islower((unsigned char)last) ? heads[last - 'a'] : 0; i; i = nexts[i - 1])
    if (ends_with(&spelled, &names[i - 1]))
      return names[i - 1].strength;
  return HO_SECRET_NO_NAME;
}

ho_secret_strength ho_secret_named(ho_str key)
{
  key = bare(key);
  if (key.n < 2)
    return HO_SECRET_NO_NAME;
  char last = (char)tolower((unsigned char)key.p[key.n - 1]);
  if (!may_end((char)tolower((unsigned char)key.p[key.n - 2]), last))
    return HO_SECRET_NO_NAME;
  for (size_t i = 0; is_foreign(key) && i < HO_COUNT(foreign); i++)
    if (ho_str_ends(key, foreign[i]))
      return HO_SECRET_FAIR;
  return strength_of(key);
}
